//! The engine benchmark natively: `engine MESSAGES SEED` runs a queue with one worker at 90 % load,
//! with the full semantics of the queue, without and with the trace, and prints both.
//! `engine storm REPLICATIONS` runs the retry storm of `tests/scenarios/storm.json` with seeds from 1
//! and prints replications a second.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use serde_json::json;
use tests::runs::{scenario, with};
use world::{Part, Plan, Trace, World};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [word, replications] = &words[..]
        && word == "storm"
        && let Ok(replications) = replications.parse()
    {
        storm(replications);
        return ExitCode::SUCCESS;
    }
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [messages, seed] = numbers[..] else {
        eprintln!("usage: engine MESSAGES SEED | engine storm REPLICATIONS");
        return ExitCode::from(2);
    };
    let document = with(&[
        ("/seed", json!(seed.to_string())),
        ("/until", json!("30d")),
        (
            "/components/feed/arrivals",
            json!({ "poisson": { "per_second": 90, "count": messages } }),
        ),
        (
            "/components/crew/on_message",
            json!([{ "wait": { "for": { "exponential": { "mean": "10ms" } } } }, "ack"]),
        ),
    ]);
    let scenario = Arc::new(scenario(&document));
    let plan = Plan::of(&scenario);
    for (name, mut trace) in [("counting", Trace::counting()), ("tracing", Trace::new())] {
        let mut world = World::new(&scenario);
        let start = Instant::now();
        while world.advance(&mut trace, &plan, usize::MAX, usize::MAX) {}
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{{\"trace\":\"{name}\",\"events\":{},\"trace_events\":{},\"seconds\":{seconds}}}",
            world.handled(),
            trace.len()
        );
    }
    ExitCode::SUCCESS
}

/// Runs the storm so many times.
fn storm(replications: u64) {
    let mut document: serde_json::Value =
        serde_json::from_str(include_str!("../../scenarios/storm.json"))
            .expect("it is well-formed");
    let (mut events, mut sums) = (0, [0_u64; 4]);
    let start = Instant::now();
    for seed in 1..=replications {
        document["seed"] = json!(seed.to_string());
        let scenario = Arc::new(scenario(&document));
        let plan = Plan::of(&scenario);
        let mut world = World::new(&scenario);
        let mut trace = Trace::counting();
        while world.advance(&mut trace, &plan, usize::MAX, usize::MAX) {}
        events += world.handled();
        for part in world.parts() {
            if let Part::Source(state) = part {
                let counts = [state.sent, state.retries, state.succeeded, state.gave_up];
                for (sum, count) in sums.iter_mut().zip(counts) {
                    *sum += u64::from(count);
                }
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let rate = replications as f64 / seconds;
    let [sent, retries, ok, failed] = sums.map(|sum| sum / replications.max(1));
    println!(
        "{{\"replications\":{replications},\"replications_per_second\":{rate:.2},\
         \"events\":{events},\"events_per_second\":{:.0},\"sent\":{sent},\
         \"retries\":{retries},\"ok\":{ok},\"failed\":{failed}}}",
        events as f64 / seconds
    );
}
