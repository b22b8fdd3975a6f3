//! The engine benchmark natively: `engine MESSAGES SEED` runs a queue with one worker at 90 % load,
//! with the full semantics of the queue, without and with the trace, and prints both.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use serde_json::json;
use tests::runs::{scenario, with};
use world::{Plan, Trace, World};

fn main() -> ExitCode {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [messages, seed] = numbers[..] else {
        eprintln!("usage: engine MESSAGES SEED");
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
        while world.step(&mut trace, &plan) {}
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{{\"trace\":\"{name}\",\"events\":{},\"trace_events\":{},\"seconds\":{seconds}}}",
            world.handled(),
            trace.len()
        );
    }
    ExitCode::SUCCESS
}
