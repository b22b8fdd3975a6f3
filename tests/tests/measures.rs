//! Properties and measures of runs: what each promise is broken by, percentiles, utilisation, and
//! Little's law.

#![allow(clippy::needless_pass_by_value, reason = "what json! makes is handed over")]

use player::{Finding, Gauge, Player};
use scenario::ComponentId;
use serde_json::{Value as Json, json};
use sim::{SimDuration, SimTime};
use tests::runs::{finished, with};
use world::What;

fn secs(seconds: f64) -> SimDuration {
    SimDuration::from_micros((seconds * 1e6) as u64)
}

fn id(player: &Player, name: &str) -> ComponentId {
    player.scenario().find(name).expect("it is there")
}

/// What becomes of a property, with the time of its witness in seconds.
fn judged(property: &str, changes: &[(&str, Json)]) -> Option<f64> {
    let mut changes = changes.to_vec();
    changes.push(("/properties", json!([property])));
    let player = finished(&with(&changes));
    let verdicts = player.verdicts();
    assert_eq!(verdicts.len(), 1);
    assert_eq!(verdicts[0].property.words(), property, "it is written as it was read");
    match verdicts[0].finding {
        Finding::Holds => None,
        Finding::Broken { witness, .. } => {
            Some(player.trace()[witness].at.saturating_since(SimTime::ZERO).as_secs_f64())
        }
        Finding::Open => panic!("the run is over"),
    }
}

#[test]
fn a_queue_is_drained_by_a_time_or_not() {
    let two = [("/components/feed/arrivals", json!({ "at": ["0s", "0s"] }))];
    assert_eq!(judged("drained by 2s", &two), None);
    // The second message is in hand until two seconds have passed.
    assert_eq!(judged("drained by 1.5s", &two), Some(2.0));
}

#[test]
fn the_oldest_message_is_under_an_age_or_not() {
    let three = [("/components/feed/arrivals", json!({ "at": ["0s", "0s", "0s"] }))];
    assert_eq!(judged("oldest message under 2s", &three), None, "the third waits for two seconds");
    assert_eq!(judged("oldest message under 1.5s", &three), Some(2.0));
    // A dead-letter queue that nobody takes from is no backlog.
    let poison = [
        ("/faults", json!([{ "at": "0s", "poison": { "message": 1 } }])),
        ("/components/feed/arrivals", json!({ "at": ["1s", "100s"] })),
    ];
    assert_eq!(judged("oldest message under 10s", &poison), None);
}

#[test]
fn a_phantom_is_what_was_refused_and_is_there_all_the_same() {
    let api = |takes: &str| {
        vec![
            (
                "/components/api",
                json!({ "is": "service", "handles": { "order": [
                { "publish": { "to": "jobs", "takes": takes } }, { "respond": 202 } ] } }),
            ),
            (
                "/components/feed",
                json!({ "is": "source", "to": "api", "request": "order",
                "arrivals": { "at": ["0s", "1s"] } }),
            ),
        ]
    };
    assert_eq!(judged("no phantom", &api("10ms")), None);
    let mut lost = api("10ms");
    lost.push((
        "/faults",
        json!([{ "at": "0.5s", "lose": { "what": "confirm", "component": "jobs" } }]),
    ));
    assert_eq!(judged("no phantom", &lost), Some(1.01));
}

#[test]
fn retries_keep_to_their_share_or_not() {
    let asking = |attempts: u32| {
        [
            (
                "/components/api",
                json!({ "is": "service", "handles": { "order": [{ "respond": 503 }] } }),
            ),
            (
                "/components/feed",
                json!({ "is": "source", "to": "api", "request": "order",
                "retry": { "fixed": { "delay": "1s" }, "attempts": attempts },
                "arrivals": { "every": { "interval": "10s", "count": 10 } } }),
            ),
        ]
    };
    assert_eq!(judged("retries under 100%", &asking(2)), None);
    assert_eq!(judged("retries under 50%", &asking(2)), Some(50.0), "the sixth of ten");
    assert_eq!(judged("retries under 100%", &asking(1)), None);
}

#[test]
fn percentiles_are_those_of_what_every_message_took() {
    // One worker, one second each, ten at once: one to ten seconds.
    let ten: Vec<&str> = vec!["0s"; 10];
    let player = finished(&with(&[("/components/feed/arrivals", json!({ "at": ten }))]));
    let latencies = player.latencies();
    assert_eq!(latencies.len(), 10);
    assert_eq!(latencies.percentile(500), secs(5.0));
    assert_eq!(latencies.percentile(900), secs(9.0));
    assert_eq!(latencies.percentile(990), secs(10.0));
    assert_eq!(latencies.percentile(0), secs(1.0));
    assert_eq!(latencies.histogram(&[secs(3.0), secs(7.0)]), [2, 4, 4]);
    assert_eq!(player::Latencies::default().percentile(500), SimDuration::ZERO);
}

#[test]
fn utilisation_is_the_share_of_time_at_work() {
    let player = finished(&with(&[
        ("/components/crew/count", json!(2)),
        ("/components/feed/arrivals", json!({ "every": { "interval": "4s", "count": 3 } })),
    ]));
    let crew = id(&player, "crew");
    // Three seconds of work in eight of two workers.
    assert!((player.utilisation(crew, SimTime::from_secs(8)) - 2.0 / 16.0).abs() < 1e-9);
    assert!((player.utilisation(crew, SimTime::from_secs(9)) - 3.0 / 18.0).abs() < 1e-9);
}

/// The time that messages have spent in a queue or in somebody's hands, added up one by one.
fn sojourns(player: &Player, queue: ComponentId) -> f64 {
    let mut since = Vec::new();
    let mut total = 0.0;
    for event in player.trace() {
        match event.what {
            What::Stored { queue: of, message, .. } if of == queue => {
                since.push((message, event.at));
            }
            What::Acked { queue: of, message, .. }
            | What::Expired { queue: of, message }
            | What::DeadLettered { from: of, message, .. }
                if of == queue =>
            {
                let at = since.iter().position(|(id, _)| *id == message).expect("it was stored");
                let (_, start) = since.swap_remove(at);
                total += (event.at - start).as_secs_f64();
            }
            _ => {}
        }
    }
    let left: f64 = since.iter().map(|(_, at)| (player.end() - *at).as_secs_f64()).sum();
    total + left
}

#[test]
fn littles_law_holds_on_every_run() {
    for seed in 0..40_u32 {
        let rate = 0.3 + f64::from(seed % 7) / 5.0;
        let mean = format!("{}ms", 500 + 250 * (seed % 5));
        let player = finished(&with(&[
            ("/seed", json!(seed.to_string())),
            ("/until", json!("600s")),
            ("/components/feed/arrivals", json!({ "poisson": { "per_second": rate } })),
            ("/components/crew/count", json!(1 + seed % 3)),
            ("/components/mail/latency", json!({ "exponential": { "mean": mean } })),
            ("/components/mail/error_rate", json!(f64::from(seed % 4) / 10.0)),
            ("/components/crew/on_error", json!({ "nack": { "delay": "2s" } })),
            (
                "/faults",
                json!([
                    { "at": "100s", "crash": { "component": "crew", "restart_after": "20s" } },
                    { "at": "300s", "brownout": { "component": "mail", "for": "60s", "latency_percent": 300 } },
                ]),
            ),
        ]));
        let jobs = id(&player, "jobs");
        let end = player.end();
        let inside =
            [Gauge::Depth(jobs), Gauge::InFlight(jobs)].map(|gauge| player.gauge(gauge).area(end));
        let (area, total) = (inside[0] + inside[1], sojourns(&player, jobs));
        // L = λ W, both multiplied by the length of the run.
        assert!((area - total).abs() < 1e-3 * total.max(1.0), "seed {seed}: {area} and {total}");
    }
}
