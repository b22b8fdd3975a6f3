//! What is said of runs with several queues, logs, topics, and services short of room.

use std::sync::Arc;

use super::scene;
use crate::testing;
use crate::words::Names;

/// What is said of a run of these components at a moment, in seconds.
fn said(components: &str, seconds: u64) -> String {
    let player = testing::run(components, seconds);
    let names = Names::new(Arc::clone(player.scenario()));
    scene(&testing::words(), &names, &player.frame(), None)
}

#[track_caller]
fn check(components: &str, seconds: u64, parts: &[&str]) {
    let said = said(components, seconds);
    for part in parts {
        assert!(said.contains(part), "no “{part}” in “{said}”");
    }
}

#[test]
fn each_of_several_queues_is_told() {
    let both = r#"
    "feed": { "is": "source", "to": "news", "arrivals": { "every": { "interval": "1s", "count": 3 } } },
    "news": { "is": "topic", "to": ["a", "b"] },
    "a": { "is": "queue", "profile": "sqs-standard" }, "b": { "is": "queue", "profile": "sqs-standard" },
    "crew": { "is": "workers", "from": "a", "on_message": ["ack"] }"#;
    check(both, 10, &["In a: 3 are acked.", "In b: 3 wait."]);
}

#[test]
fn what_nobody_wanted_is_told() {
    let unwanted = r#"
    "feed": { "is": "source", "to": "news", "arrivals": { "at": ["1s"] }, "routing_key": "key", "messages": [{ "key": "x" }] },
    "news": { "is": "topic", "exchange": "direct", "to": [{ "queue": "a", "key": "y" }] },
    "a": { "is": "queue", "profile": "rabbitmq-classic" }"#;
    check(unwanted, 10, &["One message to news was wanted by nobody."]);
}

#[test]
fn groups_say_how_far_behind_they_are() {
    let log = r#"
    "feed": { "is": "source", "to": "bids", "key": "of", "messages": [{ "of": "a" }], "arrivals": { "every": { "interval": "1s", "count": 5 } } },
    "bids": { "is": "log", "profile": "kafka", "partitions": 1 },
    "slow": { "is": "workers", "from": "bids", "group": { "auto_offset_reset": "earliest", "initial_delay": "0s" },
              "on_message": [ { "wait": { "for": "50s" } }, "ack" ] },
    "quick": { "is": "workers", "from": "bids", "group": { "auto_offset_reset": "earliest", "initial_delay": "0s" },
               "on_message": [ { "wait": { "for": "1ms" } }, "ack" ] }"#;
    // The automatic commit comes with the next poll; until then the first record is unread, too.
    let slow = "Group slow is 5 records behind on bids, all of them on partition 0.";
    check(log, 20, &[slow, "Group quick has caught up with bids."]);
}

#[test]
fn services_say_who_waits_and_who_was_refused() {
    let busy = r#"
    "shop": { "is": "source", "to": "api", "request": "ask", "arrivals": { "at": ["1s", "1s", "1s", "1s", "1s", "1s"] } },
    "api": { "is": "service", "handles": { "ask": [ { "call": { "to": "bank" } }, { "respond": 200 } ] } },
    "bank": { "is": "external", "latency": "4s", "capacity": { "servers": 2, "waiting": 3 } }"#;
    check(busy, 3, &["Bank is busy with 2, 3 wait, and it has refused 1 so far."]);
    check(busy, 30, &["Bank has refused 1 so far."]);
}
