//! What holds for every run: random scenarios with random faults, every invariant on.
//!
//! 300 are tried, 6,000 in CI; `INFLIGHT_RUNS` sets another number.

use player::{Player, Progress};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value as Json, json};
use tests::runs::{repeats, scenario, with};
use world::{Part, World};

fn seconds(range: std::ops::Range<u32>) -> impl Strategy<Value = String> {
    range.prop_map(|tenths| format!("{}ms", tenths * 100))
}

fn times() -> impl Strategy<Value = Json> {
    prop_oneof![
        seconds(0..80).prop_map(|time| json!(time)),
        (1_u32..40, 0_u32..40).prop_map(|(min, more)| {
            json!({ "uniform": { "min": format!("{min}s"), "max": format!("{}s", min + more) } })
        }),
        (1_u32..60).prop_map(|mean| json!({ "exponential": { "mean": format!("{mean}s") } })),
        (1_u32..9).prop_map(|median| {
            let p99 = format!("{}s", median * 7);
            json!({ "log_normal": { "median": format!("{median}s"), "p99": p99 } })
        }),
    ]
}

fn line() -> impl Strategy<Value = Json> {
    prop_oneof![
        3 => times().prop_map(|time| json!({ "wait": { "for": time } })),
        3 => Just(json!({ "call": { "to": "mail" } })),
        1 => seconds(1..60).prop_map(|t| json!({ "call": { "to": "mail", "timeout": t } })),
        3 => times().prop_map(|takes| json!({ "ack": { "takes": takes } })),
        1 => seconds(0..90).prop_map(|delay| json!({ "nack": { "delay": delay } })),
        1 => seconds(0..900).prop_map(|to| json!({ "extend": { "to": to } })),
        1 => seconds(0..50).prop_map(|takes| json!({ "publish": { "to": "parked", "takes": takes } })),
        1 => (1_u32..5, seconds(0..90)).prop_map(|(attempts, base)| json!({ "call": {
            "to": "mail", "timeout": "5s",
            "retry": { "full_jitter": { "base": base, "cap": "20s" }, "attempts": attempts },
            "breaker": { "minimum_calls": 2, "window": { "calls": 4 }, "wait_open": "10s" },
            "on": { "error": "continue", "timeout": [{ "wait": { "for": "1s" } }, "dead-letter"] } } })),
    ]
}

fn fault() -> impl Strategy<Value = Json> {
    let what = prop_oneof![
        Just(json!({ "crash": { "component": "crew" } })),
        Just(json!({ "crash": { "component": "crew", "instance": 1, "restart_after": "3s" } })),
        (0_u32..4).prop_map(|line| json!({ "crash": { "component": "crew", "after_line": line } })),
        seconds(1..400)
            .prop_map(|t| json!({ "pause": { "component": "crew", "instance": 1, "for": t } })),
        (1_u32..900, seconds(1..400)).prop_map(|(percent, t)| {
            json!({ "slow": { "component": "crew", "percent": percent, "for": t } })
        }),
        seconds(0..100).prop_map(|t| json!({ "skew": { "component": "crew", "behind": t } })),
        seconds(1..400).prop_map(|t| json!({ "outage": { "component": "mail", "for": t } })),
        Just(json!({ "lose": { "what": "ack", "component": "crew" } })),
        Just(json!({ "lose": { "what": "confirm", "component": "jobs" } })),
        (1_u32..40).prop_map(|message| json!({ "poison": { "message": message } })),
        Just(json!({ "purge": { "component": "jobs" } })),
        Just(json!({ "lose": { "what": "message", "component": "jobs" } })),
        Just(json!({ "duplicate": { "component": "jobs" } })),
        Just(json!({ "redrive": { "component": "parked", "per_second": 1 } })),
        (0_u32..100, seconds(1..400)).prop_map(|(left, t)| json!({ "brownout": {
            "component": "mail", "capacity_percent": left, "latency_percent": 300, "for": t } })),
        (1_u32..900, seconds(1..400)).prop_map(|(percent, t)| json!({ "spike": {
            "component": "feed", "percent": percent, "for": t } })),
        (seconds(0..100)).prop_map(|t| json!({ "scale": {
            "component": "crew", "to": 1, "start_up": t } })),
        (seconds(0..100), prop::bool::ANY).prop_map(|(t, killed)| json!({ "deploy": {
            "component": "crew", "takes": t, "how": if killed { "killed" } else { "drained" } } })),
        (prop::bool::ANY, seconds(1..400)).prop_map(|(mail, t)| json!({ "cut": {
            "component": "crew", "to": if mail { "mail" } else { "jobs" }, "for": t } })),
    ];
    (seconds(0..2_000), what).prop_map(|(at, mut fault)| {
        fault["at"] = json!(at);
        fault
    })
}

/// The same with queues of another profile, as far as that has what is set.
fn on_profile(mut document: Json, profile: &str) -> Json {
    let components = &mut document["components"];
    components["parked"]["profile"] = json!(profile);
    components["jobs"]["profile"] = json!(profile);
    if profile.starts_with("sqs") {
        return document;
    }
    let mut jobs = json!({ "is": "queue", "profile": profile, "dead_letter_to": "parked" });
    jobs["max_length"] = json!(20);
    components["jobs"] = jobs;
    let crew = &mut components["crew"];
    crew["receive"].as_object_mut().expect("a record").remove("max");
    crew["prefetch"] = json!(3);
    let lines = crew["on_message"].as_array_mut().expect("a list");
    lines.retain(|line| line.get("extend").is_none());
    for line in lines.iter_mut().filter(|line| line.get("nack").is_some()) {
        *line = json!({ "nack": { "takes": "1s" } });
    }
    lines.push(json!("ack"));
    // What cannot succeed would come back in the same instant for ever.
    if crew["on_error"] == "nack" {
        crew["on_error"] = json!("dead-letter");
    }
    document
}

fn any_scenario() -> impl Strategy<Value = Json> {
    let profile = prop::sample::select(vec![
        "sqs-standard",
        "sqs-standard",
        "sqs-fifo",
        "rabbitmq-classic",
        "rabbitmq-quorum",
    ]);
    (any_standard(), profile).prop_map(|(document, profile)| on_profile(document, profile))
}

fn any_standard() -> impl Strategy<Value = Json> {
    let queue = (seconds(0..600), seconds(0..50), 1_u32..6, 600_u32..6_000, prop::bool::ANY);
    let crew = (1_u32..5, 1_u32..11, prop::option::of(seconds(1..300)), prop::bool::ANY);
    let lines = prop::collection::vec(line(), 1..6);
    let faults = prop::collection::vec(fault(), 0..8);
    let others = (times(), 0_u32..60, 0_u32..4, 0_u64..1_000, prop::bool::ANY);
    (queue, crew, lines, faults, others).prop_map(|(queue, crew, lines, faults, others)| {
        let (visibility, delay, receives, retention, lenient) = queue;
        let (count, max, restart, leaves) = crew;
        let (latency, errors, rate, seed, stops) = others;
        let mut document = with(&[
            ("/seed", json!(seed.to_string())),
            ("/components/jobs/visibility_timeout", json!(visibility)),
            ("/components/jobs/delay", json!(delay)),
            ("/components/jobs/max_receive_count", json!(receives)),
            ("/components/jobs/retention", json!(format!("{retention}00ms"))),
            ("/components/jobs/receipts", json!(if lenient { "lenient" } else { "strict" })),
            ("/components/crew/count", json!(count)),
            ("/components/crew/receive", json!({ "max": max, "takes": "100ms" })),
            ("/components/crew/on_error", json!(if leaves { "leave" } else { "nack" })),
            ("/components/crew/on_message", json!(lines)),
            ("/components/mail/latency", latency),
            ("/components/mail/error_rate", json!(f64::from(errors) / 100.0)),
            ("/components/mail/if_caller_dies", json!(if stops { "stops" } else { "goes-on" })),
            (
                "/components/feed/arrivals",
                json!({ "poisson": { "per_second": 0.2 + f64::from(rate), "count": 60 } }),
            ),
            ("/interventions", json!(faults)),
        ]);
        if let Some(restart) = restart {
            document["components"]["crew"]["restart_after"] = json!(restart);
        }
        document
    })
}

/// Stored = acked + in a queue + expired or purged, and nothing is in two places.
fn conserved(world: &World) -> Result<(), TestCaseError> {
    let mut stored = world.messages().len();
    let mut found = 0;
    for id in 0..world.messages().len() {
        let id = broker::MessageId::from_index(u32::try_from(id).expect("few"));
        stored -= usize::from(!world.messages()[id].stored);
    }
    for (part, (id, _)) in world.parts().iter().zip(world.scenario().ids()) {
        if let Part::Queue(state) = part {
            let held = world.queue_counts(id).stored();
            found += (held + state.acked + state.expired) as usize;
        }
    }
    prop_assert_eq!(stored, found, "messages stored, against acked, held, expired and purged");
    Ok(())
}

fn holds(document: &Json) -> Result<(), TestCaseError> {
    let mut player = Player::new(scenario(document));
    while player.advance(50) == Progress::Running {
        conserved(player.head())?;
        prop_assert!(player.trace().len() < 200_000, "a run of sixty messages never ends");
    }
    conserved(player.head())?;
    let times: Vec<_> = player.trace().iter().map(|event| event.at).collect();
    prop_assert!(times.is_sorted(), "time went back");
    repeats(document, &mut player).map_err(TestCaseError::fail)
}

#[test]
fn every_random_run_keeps_every_invariant() {
    let cases = tests::runs::tries(300, 6000);
    let config = Config { cases, ..Config::default() };
    let config = Config { failure_persistence: None, ..config };
    TestRunner::new(config).run(&any_scenario(), |document| holds(&document)).unwrap();
}
