//! The rules of retrying: waits, attempts, budgets, breakers, layers, and a crowd that retries.

mod breaker;
mod budget;
mod reach;
mod storm;

use patterns::retry::backoff::BackoffError;
use patterns::retry::layers::{Layers, Reply, worst_case};
use patterns::retry::policy::{RetryAfter, Wish};
use patterns::retry::{
    Backoff, Decision, Failure, FailureClass, GiveUp, Growth, Jitter, Ladder, Policy,
};
use sim::{SimDuration, SimTime, Stream};

const fn secs(secs: u64) -> SimDuration {
    SimDuration::from_secs(secs)
}

fn ladder(growth: Growth, cap: Option<u64>) -> [u64; 6] {
    let backoff = Backoff { growth, cap: cap.map(secs), jitter: Jitter::None };
    backoff.validate().expect("the ladder makes sense");
    let mut delays = backoff.delays();
    let mut stream = Stream::new(1, "ladder", 0);
    [(); 6].map(|()| delays.next(&mut stream).as_micros() / 1_000_000)
}

fn written(waits: &[u64]) -> Growth {
    let waits: Vec<_> = waits.iter().map(|wait| secs(*wait)).collect();
    Growth::Ladder(Ladder::new(&waits).expect("one to eight"))
}

/// An hour's outage under one message a second, each with its own attempts: how many are given up.
#[test]
fn a_few_quick_attempts_do_not_bridge_an_hour() {
    let doubling = Growth::Exponential { base: secs(1), factor_percent: 200 };
    let rows = [
        (Growth::Fixed { delay: secs(30) }, 3_480),
        (doubling, 3_585),
        (written(&[60, 300, 900, 1_800]), 540),
    ];
    for (growth, given_up) in rows {
        let backoff = Backoff { growth, cap: None, jitter: Jitter::None };
        let (starts, _) = attempts(Policy::attempts(5, backoff), FailureClass::Transient);
        let last = *starts.last().expect("there is a first");
        let dead = (0..3_600).filter(|sent| sent + last < 3_600).count();
        assert_eq!(dead, given_up, "{growth:?}");
    }
}

#[test]
fn waits_grow_as_the_ladder_says_up_to_the_cap() {
    let fixed = Growth::Fixed { delay: secs(3) };
    let linear = Growth::Linear { base: secs(1), step: secs(2) };
    let doubling = Growth::Exponential { base: secs(1), factor_percent: 200 };
    let tripling = Growth::Exponential { base: secs(2), factor_percent: 300 };
    let rows = [
        (Growth::None, None, [0, 0, 0, 0, 0, 0]),
        (fixed, None, [3, 3, 3, 3, 3, 3]),
        (linear, None, [1, 3, 5, 7, 9, 11]),
        (linear, Some(6), [1, 3, 5, 6, 6, 6]),
        (doubling, None, [1, 2, 4, 8, 16, 32]),
        (doubling, Some(8), [1, 2, 4, 8, 8, 8]),
        (tripling, Some(100), [2, 6, 18, 54, 100, 100]),
        (written(&[1, 5, 15, 30]), None, [1, 5, 15, 30, 30, 30]),
        (written(&[1, 5, 15, 30]), Some(20), [1, 5, 15, 20, 20, 20]),
    ];
    for (growth, cap, expected) in rows {
        assert_eq!(ladder(growth, cap), expected, "{growth:?} capped at {cap:?}");
    }
}

#[test]
fn the_growth_neither_overflows_nor_takes_for_ever() {
    let growth = Growth::Exponential { base: secs(1), factor_percent: 200 };
    let backoff = Backoff { growth, cap: None, jitter: Jitter::None };
    assert_eq!(backoff.ceiling(u32::MAX), SimDuration::MAX);
    let still = Growth::Exponential { base: secs(1), factor_percent: 100 };
    assert_eq!(Backoff { growth: still, ..backoff }.ceiling(u32::MAX), secs(1));
}

/// The least, the greatest and the mean of many draws of the third wait (a ceiling of 4 s).
#[test]
fn each_jitter_draws_from_its_own_range() {
    let rows = [
        (Jitter::None, 4.0, 4.0, 4.0),
        (Jitter::Equal, 2.0, 4.0, 3.0),
        (Jitter::Full, 0.0, 4.0, 2.0),
        (Jitter::Proportional { percent: 20 }, 3.2, 4.8, 4.0),
    ];
    for (jitter, least, most, mean) in rows {
        let backoff = Backoff::doubling(secs(1), secs(30), jitter);
        let draws: Vec<f64> = (0..4_000)
            .map(|seed| {
                let mut stream = Stream::new(7, "jitter", seed);
                let mut delays = backoff.delays();
                let waits = [(); 3].map(|()| delays.next(&mut stream));
                waits[2].as_secs_f64()
            })
            .collect();
        let low = draws.iter().copied().fold(f64::MAX, f64::min);
        let high = draws.iter().copied().fold(0.0, f64::max);
        let width = most - least;
        assert!(low >= least && low <= least + width * 0.01, "{jitter:?} least {low}");
        assert!(high <= most && high >= most - width * 0.01, "{jitter:?} most {high}");
        let drawn = draws.iter().sum::<f64>() / 4_000.0;
        assert!((drawn - mean).abs() <= width * 0.02, "{jitter:?} mean {drawn}");
    }
}

#[test]
fn decorrelated_jitter_draws_between_the_base_and_three_times_the_wait_before() {
    let backoff = Backoff::doubling(secs(1), secs(20), Jitter::Decorrelated);
    let (mut capped, mut fell) = (0, 0);
    for seed in 0..2_000 {
        let mut stream = Stream::new(9, "decorrelated", seed);
        let mut delays = backoff.delays();
        let mut before = secs(1);
        for _ in 0..8 {
            let wait = delays.next(&mut stream);
            assert!(wait >= secs(1) && wait <= (before * 3).min(secs(20)), "{wait} after {before}");
            capped += u32::from(wait == secs(20));
            fell += u32::from(wait < before);
            before = wait;
        }
    }
    assert!(capped > 100, "the cap is met: {capped}");
    assert!(fell > 1_000, "it is no ladder: {fell}");
}

#[test]
fn a_backoff_that_makes_no_sense_is_refused() {
    let growth = Growth::Exponential { base: secs(1), factor_percent: 99 };
    let shrinks = Backoff { growth, ..Backoff::NONE };
    assert_eq!(shrinks.validate(), Err(BackoffError::Shrinks { factor_percent: 99 }));
    let wide = Backoff { jitter: Jitter::Proportional { percent: 101 }, ..Backoff::NONE };
    assert_eq!(wide.validate(), Err(BackoffError::JitterTooWide { percent: 101 }));
    let baseless = Backoff { jitter: Jitter::Decorrelated, ..Backoff::NONE };
    assert_eq!(baseless.validate(), Err(BackoffError::NoBase));
    let even =
        Backoff { growth: Growth::Exponential { base: secs(1), factor_percent: 100 }, ..shrinks };
    assert_eq!(even.validate(), Ok(()));
    assert_eq!(Backoff::NONE.validate(), Ok(()));
    assert_eq!(Ladder::new(&[]), Err(BackoffError::Rungs { given: 0 }));
    assert_eq!(Ladder::new(&[secs(1); 9]), Err(BackoffError::Rungs { given: 9 }));
    assert!(Ladder::new(&[secs(1); 8]).is_ok());
}

/// When the attempts of a request start that fails each time at once, and why it ends.
fn attempts(policy: Policy, class: FailureClass) -> (Vec<u64>, GiveUp) {
    let mut stream = Stream::new(1, "attempts", 0);
    let mut now = SimTime::ZERO;
    let mut retries = policy.start(now);
    let mut starts = vec![0];
    loop {
        match retries.fail(&policy, now, class, Wish::Nothing, &mut stream) {
            Decision::Retry { at, attempt } => {
                assert_eq!(attempt as usize, starts.len() + 1);
                now = at;
                starts.push(at.as_micros() / 1_000_000);
            }
            Decision::GiveUp(why) => return (starts, why),
        }
    }
}

#[test]
fn attempts_end_by_number_by_class_or_by_time() {
    let doubling = Backoff::doubling(secs(1), secs(60), Jitter::None);
    let five = Policy::attempts(5, doubling);
    let bounded = Policy { unknown_attempts: Some(2), ..five };
    let just = Policy { give_up_after: Some(secs(7)), ..five };
    let timed = Policy { give_up_after: Some(secs(10)), ..five };
    let rows = [
        (five, FailureClass::Transient, vec![0, 1, 3, 7, 15], GiveUp::AttemptsSpent),
        (five, FailureClass::Unknown, vec![0, 1, 3, 7, 15], GiveUp::AttemptsSpent),
        (five, FailureClass::Permanent, vec![0], GiveUp::Permanent),
        (bounded, FailureClass::Unknown, vec![0, 1], GiveUp::AttemptsSpent),
        (bounded, FailureClass::Transient, vec![0, 1, 3, 7, 15], GiveUp::AttemptsSpent),
        (timed, FailureClass::Transient, vec![0, 1, 3, 7], GiveUp::TooLate),
        (just, FailureClass::Transient, vec![0, 1, 3, 7], GiveUp::TooLate),
        (Policy::NONE, FailureClass::Transient, vec![0], GiveUp::AttemptsSpent),
        (
            Policy::attempts(6, doubling),
            FailureClass::Transient,
            vec![0, 1, 3, 7, 15, 31],
            GiveUp::AttemptsSpent,
        ),
    ];
    for (policy, class, starts, why) in rows {
        assert_eq!(attempts(policy, class), (starts, why), "{policy:?} {class:?}");
    }
}

/// The second wait of 2 s, with what the callee asks for, and the third after it.
#[test]
fn a_callees_wish_counts_as_the_policy_says() {
    let within = RetryAfter::Within { extra: secs(5) };
    let rows = [
        (RetryAfter::Ignored, Wish::After(secs(10)), 2, 4),
        (RetryAfter::AtLeast, Wish::After(secs(10)), 10, 4),
        (RetryAfter::AtLeast, Wish::After(secs(1)), 2, 4),
        (within, Wish::After(secs(10)), 7, 4),
        (within, Wish::After(secs(3)), 3, 4),
        (within, Wish::After(secs(1)), 2, 4),
        (within, Wish::Nothing, 2, 4),
        // A push-back is taken as it is, and growth starts anew.
        (RetryAfter::Replaces, Wish::After(secs(10)), 10, 1),
        (RetryAfter::Replaces, Wish::After(secs(0)), 0, 1),
        (RetryAfter::Replaces, Wish::Nothing, 2, 4),
    ];
    for (retry_after, wish, second, third) in rows {
        let backoff = Backoff::doubling(secs(1), secs(60), Jitter::None);
        let policy = Policy { retry_after, ..Policy::attempts(9, backoff) };
        let mut stream = Stream::new(1, "wish", 0);
        let mut retries = policy.start(SimTime::ZERO);
        let waits = [Wish::Nothing, wish, Wish::Nothing].map(|wish| {
            match retries.fail(&policy, SimTime::ZERO, FailureClass::Transient, wish, &mut stream) {
                Decision::Retry { at, .. } => at.as_micros() / 1_000_000,
                Decision::GiveUp(why) => panic!("{why:?}"),
            }
        });
        assert_eq!(waits, [1, second, third], "{retry_after:?} {wish:?}");
    }
}

#[test]
fn a_callee_can_ask_not_to_be_asked_again() {
    let backoff = Backoff::doubling(secs(1), secs(60), Jitter::None);
    let policy = Policy { retry_after: RetryAfter::Replaces, ..Policy::attempts(9, backoff) };
    let mut stream = Stream::new(1, "never", 0);
    let decision = policy.start(SimTime::ZERO).fail(
        &policy,
        SimTime::ZERO,
        FailureClass::Transient,
        Wish::Never,
        &mut stream,
    );
    assert_eq!(decision, Decision::GiveUp(GiveUp::ToldNotTo));
}

#[test]
fn headers_are_read_as_their_clients_read_them() {
    let after = |millis| Wish::After(SimDuration::from_millis(millis));
    let rows = [
        ("1500", after(1_500), after(1_500)),
        ("0", after(0), after(0)),
        ("-100", Wish::Nothing, Wish::Never),
        ("soon", Wish::Nothing, Wish::Never),
    ];
    for (header, botocore, grpc) in rows {
        assert_eq!(Wish::read_millis(header), botocore, "{header}");
        assert_eq!(Wish::read_pushback(header), grpc, "{header}");
    }
}

#[test]
fn failures_have_their_class() {
    use Failure::{
        ConnectionLost, Deadlock, Forbidden, Internal, Invalid, LockTimeout, Malformed, NotFound,
        Other, Throttled, Timeout, Unavailable,
    };
    let transient =
        [Timeout, ConnectionLost, Unavailable, Throttled, Internal, LockTimeout, Deadlock];
    let permanent = [Malformed, Invalid, Forbidden, NotFound];
    for failure in transient {
        assert_eq!(failure.class(), FailureClass::Transient, "{failure:?}");
    }
    for failure in permanent {
        assert_eq!(failure.class(), FailureClass::Permanent, "{failure:?}");
        assert!(!failure.may_have_taken_effect() && !failure.is_the_callees(), "{failure:?}");
    }
    assert_eq!(Other.class(), FailureClass::Unknown);
    assert!(Timeout.may_have_taken_effect(), "nobody knows");
    assert!(!Throttled.may_have_taken_effect() && Throttled.is_the_callees());
    assert!(!Deadlock.is_the_callees(), "a deadlock says nothing of the callee");
    let statuses = [
        (200, None),
        (399, None),
        (400, Some(Malformed)),
        (404, Some(NotFound)),
        (408, Some(Timeout)),
        (409, Some(Invalid)),
        (418, Some(Other)),
        (429, Some(Throttled)),
        (500, Some(Internal)),
        (501, Some(Other)),
        (503, Some(Unavailable)),
    ];
    for (status, failure) in statuses {
        assert_eq!(Failure::of_status(status), failure, "{status}");
    }
}

#[test]
fn layers_multiply() {
    let mut layers = Layers::new(&[3, 3, 3]);
    assert_eq!(layers.request(|_| Reply::Failure), Reply::Failure);
    assert_eq!(layers.calls(), [3, 9, 27]);
    assert_eq!(worst_case(&[3, 3, 3]), [3, 9, 27]);
    // Retrying at one layer only.
    assert_eq!(worst_case(&[1, 1, 3]), [1, 1, 3]);
    // The bottom recovers at its fifth call: the second attempt of the middle one's second round.
    let mut layers = Layers::new(&[3, 3, 3]);
    let reply = layers.request(|call| if call < 5 { Reply::Failure } else { Reply::Success });
    assert_eq!((reply, layers.calls()), (Reply::Success, &[1, 2, 5][..]));
}
