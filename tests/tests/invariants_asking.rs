//! What holds for every run of sources that wait for answers: random services, retries and faults.
//!
//! 200 are tried, 2,000 in CI; `INFLIGHT_RUNS` sets another number.

use player::{Player, Progress};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value as Json, json};
use tests::runs::{repeats, scenario};
use world::{Part, World};

fn millis(range: std::ops::Range<u32>) -> impl Strategy<Value = String> {
    range.prop_map(|tens| format!("{}ms", tens * 10))
}

fn retry() -> impl Strategy<Value = Json> {
    let backoff = prop_oneof![
        Just(json!({ "at_once": {} })),
        millis(1..100).prop_map(|t| json!({ "fixed": { "delay": t } })),
        millis(1..100).prop_map(|t| json!({ "full_jitter": { "base": t, "cap": "3s" } })),
        millis(1..100).prop_map(|t| json!({ "decorrelated_jitter": { "base": t, "cap": "3s" } })),
    ];
    let budget = prop::option::of(prop_oneof![
        Just(json!({ "grpc": { "max_tokens": 10, "token_ratio_milli": 100 } })),
        Just(json!({ "finagle": { "ttl": "10s", "min_per_second": 1, "share_milli": 200 } })),
        Just(json!({ "share": { "percent": 20, "at_least": 1 } })),
        Just(json!({ "botocore": { "mode": "standard" } })),
    ]);
    (backoff, 1_u32..6, budget).prop_map(|(mut retry, attempts, budget)| {
        retry["attempts"] = json!(attempts);
        retry["retry_after"] = json!("at-least");
        if let Some(budget) = budget {
            retry["budget"] = budget;
        }
        retry
    })
}

fn capacity() -> impl Strategy<Value = Json> {
    prop_oneof![
        (1_u32..4, 0_u32..9).prop_map(|(n, waiting)| json!({ "servers": n, "waiting": waiting })),
        (1_u32..9).prop_map(|rate| json!({ "per_second": rate, "burst": 2, "when_full": "429" })),
        (1_u32..9).prop_map(|n| json!({ "per_slice": n, "slice": "500ms", "waste_percent": 100,
                                        "floor_percent": 25 })),
    ]
}

fn fault() -> impl Strategy<Value = Json> {
    let what = prop_oneof![
        millis(1..300).prop_map(|t| json!({ "crash": { "component": "api", "restart_after": t } })),
        millis(1..300)
            .prop_map(|t| json!({ "crash": { "component": "back", "restart_after": t } })),
        (0_u32..3).prop_map(|line| {
            json!({ "crash": { "component": "back", "handler": "ask", "after_line": line } })
        }),
        millis(1..300)
            .prop_map(|t| json!({ "pause": { "component": "api", "instance": 1, "for": t } })),
        millis(1..300)
            .prop_map(|t| json!({ "slow": { "component": "api", "percent": 400, "for": t } })),
        millis(1..300).prop_map(|t| json!({ "outage": { "component": "mail", "for": t } })),
        millis(1..300).prop_map(
            |t| json!({ "brownout": { "component": "mail", "capacity": 0.3, "for": t } })
        ),
        millis(1..300)
            .prop_map(|t| json!({ "spike": { "component": "feed", "percent": 500, "for": t } })),
        (millis(1..300), 0_usize..4).prop_map(|(t, link)| {
            let (from, to) =
                [("feed", "api"), ("api", "back"), ("api", "mail"), ("back", "mail")][link];
            json!({ "cut": { "component": from, "to": to, "for": t } })
        }),
        millis(1..100).prop_map(|t| json!({ "deploy": { "component": "api", "takes": t } })),
        (0_u32..3).prop_map(|to| json!({ "scale": { "component": "back", "to": to.min(2) } })),
    ];
    (millis(0..3_000), what).prop_map(|(at, mut fault)| {
        fault["at"] = json!(at);
        fault
    })
}

fn any_scenario() -> impl Strategy<Value = Json> {
    let faults = prop::collection::vec(fault(), 0..8);
    let rooms = (1_u32..4, 0_u32..6, prop::bool::ANY, 0_u64..1_000);
    (retry(), retry(), capacity(), faults, rooms).prop_map(
        |(outer, inner, capacity, faults, (concurrency, waiting, any, seed))| {
            json!({
                "format": 1, "name": "asking", "seed": seed.to_string(), "until": "120s",
                "components": {
                    "feed": { "is": "source", "to": "api", "request": "ask", "timeout": "2s",
                              "travel": { "exponential": { "mean": "20ms" } }, "reply": "10ms",
                              "answers": if any { "any" } else { "latest" }, "retry": outer,
                              "priority": "rank", "messages": [{ "rank": 0 }, { "rank": 1 }, { "rank": 2 }],
                              "arrivals": { "poisson": { "per_second": 3, "count": 80 } } },
                    "api": { "is": "service", "count": 2, "concurrency": concurrency,
                             "waiting": waiting, "when_full": 429, "retry_after": "300ms",
                             "shed_at_percent": if any { json!([50, 80]) } else { json!("none") },
                             "handles": { "ask": [
                        { "call": { "to": "back", "request": "ask", "timeout": "1s", "retry": inner,
                                    "on": { "timeout": [{ "respond": 504 }], "error": "continue" } } },
                        { "call": { "to": "mail", "timeout": "3s" } }, { "respond": 200 },
                        { "wait": { "for": "100ms" } } ] } },
                    "back": { "is": "service", "count": 2, "restart_after": "1s", "handles": { "ask": [
                        { "wait": { "for": { "exponential": { "mean": "300ms" } } } },
                        { "call": { "to": "mail", "timeout": "2s" } }, { "respond": 200 } ] } },
                    "mail": { "is": "external", "latency": { "exponential": { "mean": "200ms" } },
                              "error_rate": 0.1, "capacity": capacity },
                },
                "faults": faults,
            })
        },
    )
}

/// What was sent was answered, was given up, or is waited for; and nobody is counted twice.
fn accounted(world: &World) -> Result<(), TestCaseError> {
    for part in world.parts() {
        match part {
            Part::Source(state) => {
                prop_assert_eq!(state.sent, state.succeeded + state.gave_up + state.open);
            }
            Part::Service(state) => {
                let busy: u32 = state.instances.iter().map(|instance| instance.busy).sum();
                prop_assert_eq!(state.busy, busy);
            }
            _ => {}
        }
    }
    Ok(())
}

fn holds(document: &Json) -> Result<(), TestCaseError> {
    let mut player = Player::new(scenario(document));
    while player.advance(50) == Progress::Running {
        accounted(player.head())?;
    }
    accounted(player.head())?;
    if player.ending() == Some(world::Ending::Quiet) {
        for part in player.head().parts() {
            let left = match part {
                Part::Source(state) => state.open,
                Part::Service(state) => state.busy,
                Part::External(state) => state.busy,
                _ => 0,
            };
            prop_assert_eq!(left, 0, "the run is quiet, and something is still under way");
        }
        prop_assert_eq!(player.head().calls().count(), 0, "a call that nobody waits for");
    }
    repeats(document, &mut player).map_err(TestCaseError::fail)
}

#[test]
fn every_request_is_accounted_for() {
    let cases = tests::runs::tries(200, 2000);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new(config).run(&any_scenario(), |document| holds(&document)).unwrap();
}
