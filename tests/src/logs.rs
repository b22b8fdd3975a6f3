//! Runs of a log that is read by a group.

use player::{ComponentFrame, Finding, LogFrame, Player};
use serde_json::{Value as Json, json};
use sim::{SimDuration, SimTime};
use world::GroupId;

use crate::runs::{changed, finished, trace_text};

/// A source that sends keys a to d in turn to a log `orders` of three partitions, and two workers
/// `crew` in the group of that name, from the start, who call `mail` for half a second and commit.
#[must_use]
pub fn log() -> Json {
    json!({
        "format": 1, "name": "test", "seed": "1", "until": "200s",
        "components": {
            "feed": { "is": "source", "to": "orders", "key": "of",
                      "messages": [{ "of": "a" }, { "of": "b" }, { "of": "c" }, { "of": "d" }],
                      "arrivals": { "every": { "interval": "1s", "count": 12 } } },
            "orders": { "is": "log", "profile": "kafka", "partitions": 3 },
            "crew": { "is": "workers", "from": "orders", "count": 2,
                      "group": { "auto_offset_reset": "earliest", "initial_delay": "0s",
                                 "session_timeout": "10s" },
                      "on_message": [ { "call": { "to": "mail" } }, "ack" ] },
            "mail": { "is": "external", "latency": "500ms" },
        },
        "properties": ["no message lost", "no effect twice"],
    })
}

/// Runs the log scenario with changes and looks for lines in order, or for parts of such lines. What
/// starts with `!` must be nowhere in the trace.
///
/// # Panics
/// If a line is not in its place, or is there though it must not be.
#[track_caller]
pub fn check(changes: &[(&str, Json)], lines: &[&str]) -> Player {
    let player = finished(&changed(log(), changes));
    let text = trace_text(&player);
    let mut rest = text.lines();
    for line in lines {
        if let Some(absent) = line.strip_prefix('!') {
            assert!(!text.contains(absent), "“{absent}” is in the trace:\n{text}");
        } else {
            assert!(rest.any(|found| found.contains(line)), "no “{line}” in its place:\n{text}");
        }
    }
    player
}

/// The frame of the log at a time.
///
/// # Panics
/// If there is no such log, or the time is none.
pub fn frame(player: &mut Player, at: &str) -> LogFrame {
    let at = scenario::wire::parse_duration(at).expect("a time");
    player.seek(SimTime::ZERO + at);
    let log = player.scenario().find("orders").expect("there is a log");
    match &player.frame().components[log.index()] {
        ComponentFrame::Log(log) => log.clone(),
        _ => panic!("a log has a log's frame"),
    }
}

/// What came of the properties, in order.
#[must_use]
pub fn findings(player: &Player) -> Vec<Finding> {
    player.verdicts().iter().map(|verdict| verdict.finding).collect()
}

/// The group that reads it.
///
/// # Panics
/// If there is none.
#[must_use]
pub fn crew(player: &Player) -> GroupId {
    let find = |name| player.scenario().find(name).expect("it is there");
    GroupId { log: find("orders"), reader: find("crew") }
}

/// So many seconds after the start.
#[must_use]
pub fn seconds(n: u64) -> SimTime {
    SimTime::ZERO + SimDuration::from_secs(n)
}
