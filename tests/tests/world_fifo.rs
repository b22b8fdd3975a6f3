//! The rules of FIFO and fair queues in a world.

use serde_json::{Value as Json, json};
use tests::runs::check;

fn fifo(more: &Json) -> Json {
    let mut queue = json!({ "is": "queue", "profile": "sqs-fifo" });
    for (name, value) in more.as_object().expect("a record") {
        queue[name] = value.clone();
    }
    queue
}

/// A source of messages with these groups, all at once.
fn feed(bodies: &Json, more: &Json) -> Json {
    let count = bodies.as_array().expect("a list").len();
    let mut feed = json!({ "is": "source", "to": "jobs", "arrivals": { "at": vec!["0s"; count] },
                           "messages": bodies });
    for (name, value) in more.as_object().expect("a record") {
        feed[name] = value.clone();
    }
    feed
}

#[test]
fn a_group_is_handled_in_order_and_other_groups_go_on_beside_it() {
    check(
        &[
            ("/components/jobs", fifo(&json!({}))),
            (
                "/components/feed",
                feed(
                    &json!([{ "order": "a" }, { "order": "a" }, { "order": "b" }]),
                    &json!({ "key": "order" }),
                ),
            ),
            ("/components/crew/count", json!(3)),
        ],
        &[
            "0.000000 received jobs 1 crew.1 count 1 until 30.000000",
            "0.000000 received jobs 3 crew.2 count 1 until 30.000000",
            "1.000000 acked jobs 1 crew.1",
            "1.000000 received jobs 2 crew.3 count 1 until 31.000000",
        ],
    );
}

#[test]
fn the_group_may_be_another_field_than_the_ordering_key() {
    let bodies = json!([{ "order": "a", "shop": "x" }, { "order": "b", "shop": "x" }]);
    check(
        &[
            ("/components/jobs", fifo(&json!({}))),
            ("/components/feed", feed(&bodies, &json!({ "key": "order", "group": "shop" }))),
            ("/components/crew/count", json!(2)),
        ],
        &[
            "0.000000 received jobs 1 crew.1 count 1 until 30.000000",
            "1.000000 received jobs 2 crew.2 count 1 until 31.000000",
        ],
    );
}

/// F-RORD-6: the key is stalled, and others flow.
#[test]
fn a_crash_stops_its_group_until_the_visibility_timeout() {
    let crash = json!([{ "at": "0.5s", "crash": { "component": "crew", "instance": 1 } }]);
    check(
        &[
            ("/components/jobs", fifo(&json!({ "visibility_timeout": "10s" }))),
            (
                "/components/feed",
                feed(&json!([{ "g": "a" }, { "g": "a" }]), &json!({ "group": "g" })),
            ),
            ("/components/crew/count", json!(2)),
            ("/faults", crash),
        ],
        &[
            "0.500000 crashed crew.1 holding 1",
            "10.000000 lapsed jobs 1 count 1",
            "10.000000 received jobs 1 crew.2 count 2 until 20.000000",
            "11.000000 received jobs 2 crew.2 count 1 until 21.000000",
        ],
    );
}

#[test]
fn one_deduplication_id_is_stored_once_in_five_minutes_and_counts_from_the_first_send() {
    let twice = feed(
        &json!([{ "id": "x" }]),
        &json!({ "deduplication": "id",
        "arrivals": { "at": ["0s", "1s", "299s", "301s"] } }),
    );
    check(
        &[
            ("/components/jobs", fifo(&json!({}))),
            ("/components/feed", twice),
            ("/until", json!("400s")),
        ],
        &[
            "0.000000 stored jobs 1 visible 0.000000",
            "1.000000 deduplicated jobs 2 of 1",
            "1.000000 confirmed feed jobs 2",
            "299.000000 deduplicated jobs 3 of 1",
            "301.000000 stored jobs 4 visible 301.000000",
            "!lost",
        ],
    );
    let scoped = json!({ "deduplication_scope": "group" });
    let groups = json!([{ "id": "x", "g": "a" }, { "id": "x", "g": "b" }]);
    let by = json!({ "deduplication": "id", "group": "g" });
    check(
        &[("/components/jobs", fifo(&scoped)), ("/components/feed", feed(&groups, &by))],
        &["0.000000 stored jobs 2 visible 0.000000", "!deduplicated"],
    );
    check(
        &[("/components/jobs", fifo(&json!({}))), ("/components/feed", feed(&groups, &by))],
        &["0.000000 deduplicated jobs 2 of 1"],
    );
}

#[test]
fn without_ids_equal_bodies_are_duplicates_where_the_queue_looks_at_bodies() {
    let equal = feed(&json!([{ "id": "x" }]), &json!({ "arrivals": { "at": ["0s", "1s"] } }));
    let by_content = fifo(&json!({ "deduplicate": "by-content" }));
    check(
        &[("/components/jobs", by_content), ("/components/feed", equal.clone())],
        &["1.000000 deduplicated jobs 2 of 1"],
    );
    check(
        &[("/components/jobs", fifo(&json!({}))), ("/components/feed", equal)],
        &["1.000000 stored jobs 2 visible 1.000000", "!deduplicated"],
    );
}

/// F-RORD-6: the message is skipped.
#[test]
fn a_dead_letter_frees_its_group() {
    let letters = json!({ "max_receive_count": 1, "dead_letter_to": "parked" });
    check(
        &[
            ("/components/jobs", fifo(&letters)),
            ("/components/parked", fifo(&json!({}))),
            (
                "/components/feed",
                feed(&json!([{}, {}]), &json!({ "arrivals": { "at": ["1s", "1s"] } })),
            ),
            ("/faults", json!([{ "at": "0s", "poison": { "message": 1 } }])),
        ],
        &[
            "1.000000 received jobs 1 crew.1 count 1 until 31.000000",
            "1.000000 nacked jobs 1 crew.1 visible 1.000000",
            "1.000000 dead-lettered jobs parked 1 count 1",
            "1.000000 received jobs 2 crew.1 count 1 until 31.000000",
        ],
    );
}

#[test]
fn a_fair_queue_serves_the_quiet_tenant_before_the_noisy_one() {
    let bodies = json!([{ "t": "big" }, { "t": "big" }, { "t": "big" }, { "t": "big" },
                        { "t": "big" }, { "t": "small" }]);
    let feed = feed(&bodies, &json!({ "group": "t" }));
    let count = ("/components/crew/count", json!(2));
    check(
        &[count.clone(), ("/components/feed", feed.clone())],
        &[
            "1.000000 received jobs 3 crew.1 count 1 until 31.000000",
            "2.000000 received jobs 6 crew.2 count 1 until 32.000000",
        ],
    );
    check(
        &[
            count,
            ("/components/feed", feed),
            ("/components/jobs/fair", json!({ "share_percent": 50, "in_flight": 1 })),
        ],
        &["0.000000 received jobs 6 crew.2 count 1 until 30.000000"],
    );
}

#[test]
fn a_redrive_keeps_the_groups_of_what_it_takes_back() {
    let letters = json!({ "max_receive_count": 1, "dead_letter_to": "parked" });
    let aside = json!([{ "at": "0s", "outage": { "component": "mail", "for": "5s" } },
                       { "at": "10s", "redrive": { "component": "parked" } }]);
    let bodies = json!([{ "g": "a" }, { "g": "a" }, { "g": "b" }]);
    check(
        &[
            ("/components/jobs", fifo(&letters)),
            ("/components/parked", fifo(&json!({}))),
            ("/components/feed", feed(&bodies, &json!({ "group": "g" }))),
            ("/components/crew/count", json!(3)),
            ("/components/crew/on_error", json!("dead-letter")),
            ("/faults", aside),
        ],
        &[
            "10.000000 redrive-ended parked messages 3",
            "10.000000 received jobs 1 crew.1 count 1 until 40.000000",
            "10.000000 received jobs 3 crew.2 count 1 until 40.000000",
            "11.000000 received jobs 2 crew.3 count 1 until 41.000000",
        ],
    );
}

#[test]
fn a_lost_receive_stops_its_group_unless_it_is_repeated_under_its_name() {
    let lose = json!([{ "at": "0s", "lose": { "what": "receive", "component": "crew" } }]);
    let run = |attempts: &str, lines: &[&str]| {
        let bodies = json!([{ "g": "a" }, { "g": "a" }, { "g": "b" }]);
        let later = json!({ "group": "g", "arrivals": { "at": ["1s", "1s", "1s"] } });
        check(
            &[
                ("/components/jobs", fifo(&json!({}))),
                ("/components/feed", feed(&bodies, &later)),
                ("/components/crew/receive", json!({ "attempts": attempts })),
                ("/faults", lose.clone()),
            ],
            lines,
        );
    };
    run(
        "anonymous",
        &[
            "1.000000 receive-lost jobs 1 crew.1 count 1 until 31.000000",
            "1.000000 received jobs 3 crew.1 count 1 until 31.000000",
            "31.000000 lapsed jobs 1 count 1",
            "31.000000 received jobs 1 crew.1 count 2 until 61.000000",
            "32.000000 received jobs 2 crew.1 count 1 until 62.000000",
        ],
    );
    run(
        "named",
        &[
            "1.000000 receive-lost jobs 1 crew.1 count 1 until 31.000000",
            "1.000000 received jobs 1 crew.1 count 1 until 31.000000",
            "2.000000 acked jobs 1 crew.1",
            "!lapsed",
        ],
    );
}
