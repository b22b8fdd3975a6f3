//! Sweeps against what is known of their models in closed form.

use std::sync::Arc;

use scenario::Scenario;
use scenario::wire::{Diagnostics, Reader, Value};
use sim::{SimDuration, SimTime};

use super::{Followed, MOMENTS, Sweep, Wanted, moment};
use crate::{Gauge, Player, Progress};

fn scenario(until: &str, components: &str) -> Arc<Scenario> {
    let document = [
        r#"{ "format": 1, "name": "Test", "seed": "7", "until": ""#,
        until,
        r#"", "components": {"#,
        components,
        r#"}, "properties": ["no effect twice"] }"#,
    ];
    let document: Value = serde_json::from_str(&document.concat()).expect("JSON");
    let wrong = Diagnostics::new();
    let scenario = Scenario::read(&Reader::new(&document, &wrong));
    let wrong: Vec<String> = wrong.into_vec().iter().map(ToString::to_string).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    Arc::new(scenario.expect("a scenario"))
}

fn swept(scenario: &Arc<Scenario>, wanted: Wanted, count: u32) -> Sweep {
    let mut sweep = Sweep::new(Arc::clone(scenario), Vec::new(), wanted, count);
    while sweep.advance(100) == Progress::Running {}
    sweep
}

/// Two messages a second come independently of one another.
const POISSON: &str = r#"
    "shop": { "is": "source", "to": "jobs", "arrivals": { "poisson": { "per_second": 2 } } },
    "jobs": { "is": "queue", "profile": "sqs-standard" }"#;

#[test]
fn counts_of_independent_arrivals_are_spread_as_poisson_says() {
    let scenario = scenario("60s", POISSON);
    assert!(scenario.draws());
    let gauge = Gauge::Stored(scenario.find("jobs").expect("a queue"));
    let per = Some(SimDuration::from_secs(10));
    let until = SimTime::from_secs(60);
    let lines = vec![Followed { gauge, per: None }, Followed { gauge, per }];
    let sweep = swept(&scenario, Wanted { gauges: vec![gauge], lines, until }, 1_000);
    let [stored] = sweep.gauges() else { panic!("one gauge") };
    // Mean and variance are 120; of 1,000 runs the standard error is 0.35.
    assert!((stored.mean() - 120.0).abs() < 1.05, "{}", stored.mean());
    let (low, high) = stored.interval().expect("many runs");
    let half = (high - low) / 2.0;
    assert!((half - 1.962 * (120.0_f64 / 1_000.0).sqrt()).abs() < 0.06, "{half}");
    // 102 and 138 are the percentiles of the distribution.
    let (least, greatest) = stored.middle().expect("many runs");
    assert!((least - 102.0).abs() <= 2.0 && (greatest - 138.0).abs() <= 2.0, "{least} {greatest}");
    assert!((900..=940).contains(&stored.in_the_middle()), "{}", stored.in_the_middle());
    for (number, want) in [(0, 0.0), (50, 60.0), (100, 120.0)] {
        let mean = sweep.line(0)[number].mean();
        assert!((mean - want).abs() < 1.05, "{number}: {mean}");
    }
    // Twenty in each slice of ten seconds.
    let mean = sweep.line(1)[30].mean();
    assert!((mean - 20.0).abs() < 0.45, "{mean}");
}

#[test]
fn a_property_holds_in_as_many_runs_as_it_should() {
    // The work takes an exponential time of 1 s on average; after 2 s another worker has the
    // message too. That happens to one message in e².
    let components = r#"
        "shop": { "is": "source", "to": "jobs", "arrivals": { "at": ["1s"] } },
        "jobs": { "is": "queue", "profile": "sqs-standard", "visibility_timeout": "2s" },
        "crew": { "is": "workers", "from": "jobs", "count": 9,
                  "on_message": [ { "wait": { "for": { "exponential": { "mean": "1s" } } } },
                                  { "call": { "to": "bank" } }, { "ack": { "takes": "0s" } } ] },
        "bank": { "is": "external", "latency": "0s" }"#;
    let sweep = swept(&scenario("60s", components), Wanted::default(), 1_000);
    let share = f64::from(sweep.held()[0]) / 1_000.0;
    let want = 1.0 - (-2.0_f64).exp();
    assert!((share - want).abs() < 0.033, "{share} {want}");
}

#[test]
fn a_sweep_does_what_players_would_do_one_after_another() {
    let scenario = scenario("20s", POISSON);
    let gauge = Gauge::Stored(scenario.find("jobs").expect("a queue"));
    let wanted = Wanted { gauges: vec![gauge], ..Wanted::default() };
    let sweep = swept(&scenario, wanted, 12);
    let ends = (1..=12).map(|seed| {
        let mut player = Player::new(Scenario { seed, ..Scenario::clone(&scenario) });
        player.finish();
        player.gauge(gauge).value_at(player.end())
    });
    let mean = ends.sum::<f64>() / 12.0;
    assert!((sweep.gauges()[0].mean() - mean).abs() < 1e-9);
}

#[test]
fn what_is_stopped_keeps_whole_runs_only() {
    let scenario = scenario("20s", POISSON);
    let gauge = Gauge::Stored(scenario.find("jobs").expect("a queue"));
    let lines = vec![Followed { gauge, per: None }];
    let wanted = Wanted { gauges: vec![gauge], lines, until: SimTime::from_secs(20) };
    for turns in [1, 40, 400] {
        let mut sweep = Sweep::new(Arc::clone(&scenario), Vec::new(), wanted.clone(), 1_000);
        for _ in 0..turns {
            sweep.advance(3);
        }
        sweep.stop();
        assert_eq!(sweep.progress(), Progress::Done);
        assert_eq!(sweep.done(), sweep.count());
        let done = sweep.done() as usize;
        assert_eq!(sweep.gauges()[0].runs(), done);
        assert!(sweep.line(0).iter().all(|spread| spread.runs() == done), "{turns}");
    }
}

#[test]
fn whoever_computes_a_run_the_result_is_the_same() {
    let scenario = scenario("20s", POISSON);
    let gauge = Gauge::Stored(scenario.find("jobs").expect("a queue"));
    let lines = vec![Followed { gauge, per: None }];
    let wanted = Wanted { gauges: vec![gauge], lines, until: SimTime::from_secs(20) };
    let alone = swept(&scenario, wanted.clone(), 12);
    let other = Sweep::new(Arc::clone(&scenario), Vec::new(), wanted.clone(), 0);
    let mut sweep = Sweep::new(Arc::clone(&scenario), Vec::new(), wanted, 12);
    let mut taken: Vec<u32> = (0..5).filter_map(|_| sweep.take_seed()).collect();
    assert_eq!(taken, [1, 2, 3, 4, 5]);
    sweep.give_back(taken.remove(3));
    for _ in 0..10_000 {
        sweep.advance(100);
    }
    assert!(sweep.waits() && sweep.done() == 0, "all that is left is with somebody else");
    for seed in taken.into_iter().rev() {
        assert!(!sweep.put(seed, vec![1.0]), "that is no outcome");
        assert!(sweep.put(seed, other.outcome(seed)));
        assert!(seed == 1 || sweep.done() == 0, "nothing is told before its turn");
    }
    assert!(!sweep.put(3, other.outcome(3)), "nobody waits for it any more");
    assert_eq!((sweep.progress(), sweep.take_seed()), (Progress::Done, None));
    assert_eq!(
        (sweep.gauges(), sweep.line(0), sweep.held()),
        (alone.gauges(), alone.line(0), alone.held())
    );
}

#[test]
fn moments_go_from_the_start_to_the_end() {
    let end = SimTime::from_secs(50);
    assert_eq!(moment(end, 0), SimTime::ZERO);
    assert_eq!(moment(end, 50), SimTime::from_secs(25));
    assert_eq!(moment(end, MOMENTS as usize), end);
}
