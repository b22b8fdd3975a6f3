//! The rules of queues in a world, each as a run: what is set, and lines that its trace must have
//! in order. A line that starts with `!` must be nowhere in the trace.

use serde_json::{Value as Json, json};
use tests::runs::check;

#[test]
fn groups_of_workers_compete_for_one_queue() {
    let second = json!({ "is": "workers", "from": "jobs", "on_message": ["ack"] });
    check(
        &[
            ("/components/second", second),
            ("/components/feed/arrivals", json!({ "at": ["0s", "0s", "0s"] })),
        ],
        &[
            "0.000000 received jobs 1 crew.1 count 1 until 30.000000",
            "0.000000 received jobs 2 second.1 count 1 until 30.000000",
            "0.000000 acked jobs 2 second.1",
            "0.000000 received jobs 3 second.1 count 1 until 30.000000",
            "1.000000 acked jobs 1 crew.1",
        ],
    );
}

/// Three messages that fail once each and are moved aside, and then something is done at 10 s.
fn moved_aside(profile: &str, act: &Json) -> Vec<(&'static str, Json)> {
    let mut jobs = json!({ "is": "queue", "profile": profile, "dead_letter_to": "parked" });
    if profile == "sqs-standard" {
        jobs["max_receive_count"] = json!(1);
    }
    vec![
        ("/components/jobs", jobs),
        ("/components/parked", json!({ "is": "queue", "profile": profile })),
        ("/components/feed/arrivals", json!({ "at": ["0s", "0s", "0s"] })),
        ("/components/crew/on_error", json!("dead-letter")),
        ("/faults", json!([{ "at": "0s", "outage": { "component": "mail", "for": "9s" } }, act])),
    ]
}

#[test]
fn a_redrive_takes_messages_back_as_new_ones_at_its_velocity() {
    for profile in ["sqs-standard", "rabbitmq-quorum"] {
        let slow = json!({ "at": "10s", "redrive": { "component": "parked", "per_second": 2 } });
        let until = if profile == "sqs-standard" { " until 40.500000" } else { "" };
        check(
            &moved_aside(profile, &slow),
            &[
                "3.000000 dead-lettered jobs parked 3 count 1 rejected",
                "10.000000 redrive-began parked jobs",
                "10.000000 redriven parked jobs 1",
                "10.500000 redriven parked jobs 2",
                "11.000000 acked jobs 1 crew.1",
                "11.000000 redriven parked jobs 3",
                "11.500000 redrive-ended parked messages 3",
                "13.000000 acked jobs 3 crew.1",
                "!lost",
                &format!("!received jobs 2 crew.1 count 2{until}"),
            ],
        );
    }
    let elsewhere = json!({ "at": "10s", "redrive": { "component": "parked", "to": "other" } });
    let mut changes = moved_aside("sqs-standard", &elsewhere);
    changes.push(("/components/other", json!({ "is": "queue", "profile": "sqs-standard" })));
    check(
        &changes,
        &["10.000000 redriven parked other 3", "10.000000 redrive-ended parked messages 3"],
    );
    let nothing = json!([{ "at": "10s", "redrive": { "component": "parked" } }]);
    check(&[("/faults", nothing)], &["10.000000 ignored 0"]);
}

/// The mail service is still down: what is taken back is back among the letters before the next one
/// has moved.
#[test]
fn a_redrive_ends_when_what_stood_there_has_moved_though_letters_return() {
    for profile in ["sqs-standard", "rabbitmq-quorum"] {
        let slow = json!({ "at": "10s", "redrive": { "component": "parked", "per_second": 1 } });
        let mut changes = moved_aside(profile, &slow);
        let down = json!({ "at": "0s", "outage": { "component": "mail", "for": "1h" } });
        changes[4].1 = json!([down, slow]);
        changes.push(("/components/mail/latency", json!("100ms")));
        check(
            &changes,
            &[
                "10.000000 redriven parked jobs 1",
                "10.100000 dead-lettered jobs parked 1 count 1 rejected",
                "11.000000 redriven parked jobs 2",
                "12.000000 redriven parked jobs 3",
                "12.100000 dead-lettered jobs parked 3 count 1 rejected",
                "13.000000 redrive-ended parked messages 3",
                "!redriven parked jobs 4",
                "!13.000000 redriven",
                "!lost",
            ],
        );
        let mut again = changes.clone();
        let later = json!({ "at": "60s", "redrive": { "component": "parked" } });
        again[4].1 = json!([down, slow, later]);
        check(
            &again,
            &["60.000000 redriven parked jobs 1", "60.000000 redrive-ended parked messages 3"],
        );
    }
}

#[test]
fn a_broker_that_loses_what_it_confirmed_breaks_a_promise() {
    let down = json!({ "at": "0s", "crash": { "component": "crew" } });
    let lose = json!({ "at": "2s", "lose": { "what": "message", "component": "jobs" } });
    for profile in ["sqs-standard", "rabbitmq-classic", "plain"] {
        let mut changes = vec![
            ("/components/jobs", json!({ "is": "queue", "profile": profile })),
            ("/components/feed/arrivals", json!({ "at": ["1s", "1s"] })),
            ("/faults", json!([down, lose, lose, lose])),
        ];
        if profile == "plain" {
            let work = json!([{ "call": { "to": "mail" } }]);
            changes.push(("/components/crew/on_message", work));
        }
        check(
            &changes,
            &[
                "2.000000 misplaced jobs 1",
                "2.000000 lost 1",
                "2.000000 misplaced jobs 2",
                "2.000000 lost 2",
                "2.000000 ignored 3",
            ],
        );
    }
}

#[test]
fn a_second_delivery_makes_a_second_effect() {
    let twice = json!([{ "at": "0.5s", "duplicate": { "component": "jobs" } }]);
    check(
        &[
            ("/components/feed/arrivals", json!({ "at": ["1s"] })),
            ("/components/crew/count", json!(2)),
            ("/faults", twice.clone()),
        ],
        &[
            "0.500000 duplicate-armed jobs",
            "1.000000 received jobs 1 crew.1 count 1 until 31.000000",
            "1.000000 duplicated jobs 1",
            "1.000000 received jobs 1 crew.2 count 2 until 31.000000",
            "2.000000 effected mail 1 crew.1 nth 1",
            "2.000000 effected mail 1 crew.2 nth 2",
            "2.000000 ack-refused jobs 1 crew.1 stale-receipt",
            "2.000000 acked jobs 1 crew.2",
        ],
    );
    let fifo = json!({ "is": "queue", "profile": "sqs-fifo" });
    check(&[("/components/jobs", fifo), ("/faults", twice)], &["0.500000 ignored 0"]);
}
