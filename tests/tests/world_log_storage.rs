//! What a log keeps: retention, compaction, more partitions, fail-over, retries of producers, rewinds.

use player::Finding;
use serde_json::json;
use tests::logs::{check, findings};

#[test]
fn a_lost_confirm_is_tried_again_and_recognised_unless_the_producer_is_plain() {
    let lose = json!([{ "at": "0s", "lose": { "what": "confirm", "component": "orders" } }]);
    let changes = [
        ("/faults", lose),
        ("/components/feed/arrivals", json!({ "at": ["1s"] })),
        ("/components/orders/producer", json!({ "request_timeout": "2s" })),
    ];
    check(
        &changes,
        &[
            "1.000000 appended feed orders 1 p1@0",
            "1.000000 confirm-lost feed orders 1",
            "3.100000 retry-deduplicated orders 1 p1@0",
            "3.100000 confirmed feed orders 1",
            "!appended feed orders 1 p1@1",
        ],
    );
    let plain = json!({ "request_timeout": "2s", "idempotence": false });
    let player = check(
        &[changes[0].clone(), changes[1].clone(), ("/components/orders/producer", plain)],
        &[
            "1.000000 confirm-lost feed orders 1",
            "3.100000 appended feed orders 1 p1@1",
            "3.100000 confirmed feed orders 1",
            "3.600000 effected mail 1 crew.1 nth 2",
        ],
    );
    assert!(matches!(findings(&player)[1], Finding::Broken { .. }));
}

#[test]
fn retention_deletes_what_a_slow_group_has_not_read() {
    // F-EXP-2: a backlog slower than retention loses its own tail.
    let player = check(
        &[
            ("/components/feed/arrivals", json!({ "every": { "interval": "10ms", "count": 100 } })),
            ("/components/feed/messages", json!([{ "of": "a" }])),
            ("/components/orders/segment_bytes", json!(10_240)),
            ("/components/orders/retention", json!("20s")),
            ("/components/orders/retention_check", json!("5s")),
            ("/components/crew/group/max_poll_records", json!(1)),
            ("/components/crew/count", json!(1)),
            ("/until", json!("100s")),
        ],
        &["25.000000 trimmed orders p1@100 records 100", "offset-reset crew p1@"],
    );
    let lost = |event: &&world::TraceEvent| matches!(event.what, world::What::LostToGroup { .. });
    // Two a second from the start: fifty by 25 s.
    assert_eq!(player.trace().iter().filter(lost).count(), 50);
}

#[test]
fn compaction_keeps_the_latest_of_a_key_and_loses_nobody_anything() {
    check(
        &[
            ("/components/orders/cleanup", json!("compact")),
            ("/components/orders/segment_bytes", json!(2_048)),
            ("/components/orders/cleaner_backoff", json!("5s")),
            ("/components/mail/latency", json!("10s")),
            ("/components/crew/group/max_poll_records", json!(1)),
            ("/until", json!("60s")),
        ],
        &["10.000000 compacted orders 2", "10.000000 compacted orders 4", "!lost"],
    );
}

#[test]
fn more_partitions_send_keys_elsewhere() {
    check(
        &[(
            "/interventions",
            json!([{ "at": "5.5s", "add-partitions":
                                      { "component": "orders", "to": 8 } }]),
        )],
        &[
            "appended feed orders 5 p1@2",
            "5.500000 partitions-added orders 8",
            "5.500000 rebalance-began crew partitions-added",
            "assigned crew crew.1 p3@0",
        ],
    );
}

#[test]
fn a_new_leader_has_not_what_only_the_old_one_confirmed() {
    // F-ROLE-5: custody is as durable as it is set.
    let run = |acks: &str, lines: &[&str]| {
        check(
            &[
                (
                    "/components/feed/arrivals",
                    json!({ "every": { "interval": "500ms", "count": 10 } }),
                ),
                ("/components/orders/replication_lag", json!("2s")),
                ("/components/orders/producer", json!({ "acks": acks })),
                (
                    "/interventions",
                    json!([{ "at": "3.1s", "fail-over": { "component": "orders" } }]),
                ),
            ],
            lines,
        )
    };
    let player = run(
        "leader",
        &[
            "0.000000 appended feed orders 1 p1@0",
            "0.000000 confirmed feed orders 1",
            "2.000000 fetched orders 1 p1@0",
            "3.100000 failed-over orders records 4",
            "3.100000 misplaced orders 4",
            "3.100000 lost 4",
        ],
    );
    assert!(matches!(findings(&player)[0], Finding::Broken { times: 4, .. }));
    let player = run(
        "all",
        &[
            "0.000000 appended feed orders 1 p1@0",
            "2.000000 confirmed feed orders 1",
            "3.100000 failed-over orders records 4",
            "3.500000 appended feed orders 4 p2@1",
            "5.500000 confirmed feed orders 4",
            "!lost",
            "!misplaced",
        ],
    );
    assert_eq!(findings(&player), [Finding::Holds, Finding::Holds]);
}

#[test]
fn a_group_is_rewound_and_reads_again() {
    // F-PART-7.
    let to = |to: &str| json!([{ "at": "20s", "rewind": { "component": "crew", "to": to } }]);
    check(
        &[("/interventions", to("earliest"))],
        &["20.000000 rewound crew p1@0", "20.000000 fetched orders 1 p1@0 crew.1 count 2"],
    );
    check(
        &[("/interventions", to("4s"))],
        &[
            "20.000000 rewound crew p1@2",
            "20.000000 fetched orders 5 p1@2 crew.1 count 2",
            "!orders 1 p1@0 crew.1 count 2",
        ],
    );
}
