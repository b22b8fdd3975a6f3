//! How far attempts reach: the closed form, held to draws from the generator.

use patterns::retry::{Backoff, Growth, Jitter};
use sim::{SimDuration, Stream};

const fn secs(secs: u64) -> SimDuration {
    SimDuration::from_secs(secs)
}

fn doubling(cap: u64, jitter: Jitter) -> Backoff {
    Backoff::doubling(secs(1), secs(cap), jitter)
}

#[test]
fn attempts_reach_as_far_as_their_waits_add_up() {
    let check = |cap, attempts, jitter, want: [f64; 3]| {
        let reach = doubling(cap, jitter).reach(attempts).expect("not decorrelated");
        let found = [reach.least, reach.mean, reach.most].map(SimDuration::as_secs_f64);
        assert_eq!(found, want, "{attempts} attempts, {jitter:?}");
    };
    check(60, 1, Jitter::None, [0.0; 3]);
    check(60, 5, Jitter::None, [15.0; 3]);
    check(60, 6, Jitter::None, [31.0; 3]);
    check(8, 6, Jitter::None, [23.0; 3]);
    check(60, 5, Jitter::Full, [0.0, 7.5, 15.0]);
    check(60, 5, Jitter::Equal, [7.5, 11.25, 15.0]);
    check(60, 5, Jitter::Proportional { percent: 20 }, [12.0, 15.0, 18.0]);
    assert_eq!(doubling(60, Jitter::Decorrelated).reach(5), None);
}

#[test]
fn without_jitter_an_outage_is_outlasted_or_not() {
    let check = |outage, want| {
        assert_eq!(doubling(60, Jitter::None).outlasts(secs(outage), 5), Some(want), "{outage}");
    };
    check(14, 1.0);
    // The last attempt and the end of the outage in one instant: the callee is not back yet.
    check(15, 0.0);
    check(16, 0.0);
    assert_eq!(doubling(60, Jitter::Decorrelated).outlasts(secs(1), 5), None);
    assert_eq!(doubling(60, Jitter::Full).outlasts(secs(1), 40), None, "too many subsets");
}

#[test]
fn one_even_draw_has_an_even_chance() {
    let fixed =
        Backoff { growth: Growth::Fixed { delay: secs(10) }, cap: None, jitter: Jitter::Full };
    for tenth in 1..10 {
        let chance = fixed.outlasts(secs(tenth), 2).expect("one retry");
        assert!((chance - (1.0 - tenth as f64 / 10.0)).abs() < 1e-12, "{tenth}: {chance}");
    }
}

/// The share of 20,000 drawn sequences whose last attempt starts after the outage.
fn drawn(backoff: Backoff, outage: SimDuration, attempts: u32) -> f64 {
    let mut stream = Stream::new(7, "reach", 0);
    let outlasted = (0..20_000).filter(|_| {
        let mut delays = backoff.delays();
        (1..attempts).map(|_| delays.next(&mut stream)).sum::<SimDuration>() > outage
    });
    outlasted.count() as f64 / 20_000.0
}

#[test]
fn the_chance_is_that_of_drawn_waits() {
    for jitter in [Jitter::Full, Jitter::Equal, Jitter::Proportional { percent: 50 }] {
        for (cap, attempts) in [(8, 3), (60, 5), (4, 8), (2_000, 12), (2, 14)] {
            let backoff = doubling(cap, jitter);
            let reach = backoff.reach(attempts).expect("not decorrelated");
            let wide = reach.most.saturating_sub(reach.least);
            for percent in [5, 20, 40, 50, 60, 80, 95] {
                let outage = reach.least + wide.mul_percent(percent);
                let chance = backoff.outlasts(outage, attempts).expect("few enough");
                let off = (chance - drawn(backoff, outage, attempts)).abs();
                // Four and a half standard errors of 20,000 draws.
                assert!(
                    off < 0.016,
                    "{jitter:?} {cap} {attempts} {percent} %: {chance}, off {off}"
                );
            }
        }
    }
}
