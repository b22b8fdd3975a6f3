//! What becomes of work on a log: retries and dead letters, transactions, order, lag, and what a
//! crash or a rebalance did to records in flight.

use broker::log::PartitionId;
use broker::log::partitioner::KeyHash;
use player::{Finding, Gauge, GroupStretchKind, Player};
use serde_json::{Value as Json, json};
use sim::SimTime;
use tests::logs::{check, crew, findings, frame, seconds};

/// A key for each partition of so many, as Java clients hash them.
fn keys(partitions: u32) -> Vec<String> {
    let at = |key: &String| KeyHash::Murmur2.partition(Some(key.as_bytes()), partitions);
    let mut all = (0..1000).map(|n| format!("k{n}"));
    (0..partitions)
        .map(|lane| all.find(|key| at(key) == Some(PartitionId::from_index(lane))).expect("one"))
        .collect()
}

fn source(key: &str, per_second: f64, seconds: f64) -> Json {
    json!({ "is": "source", "to": "orders", "key": "of", "messages": [{ "of": key }],
            "arrivals": { "rate": { "per_second": per_second, "from": "10s",
                                    "count": (per_second * seconds) as u32 } } })
}

#[test]
fn one_hot_lane_falls_behind_and_the_others_do_not() {
    // F-HOT-2, for a minute: four lanes of 20/s, one that gets 40, three that get 5.
    let keys = keys(4);
    let workers = json!({ "is": "workers", "from": "orders", "count": 4,
                          "group": { "auto_offset_reset": "earliest" },
                          "on_message": [{ "wait": { "for": "50ms" } }, "ack"] });
    let mut player = check(
        &[
            ("/components/feed", source(&keys[0], 40.0, 60.0)),
            ("/components/one", source(&keys[1], 5.0, 60.0)),
            ("/components/two", source(&keys[2], 5.0, 60.0)),
            ("/components/three", source(&keys[3], 5.0, 60.0)),
            ("/components/orders/partitions", json!(4)),
            ("/components/crew", workers),
        ],
        &[],
    );
    let group = crew(&player);
    let now = seconds(70);
    let lag = |lane: u32| Gauge::Lag(group, Some(PartitionId::from_index(lane)));
    let hot = player.gauge(lag(0)).value_at(now);
    assert!((1199.0..=1201.0).contains(&hot), "{hot}");
    for lane in 1..4 {
        assert!(player.gauge(lag(lane)).value_at(now) <= 1.0);
    }
    let all = player.gauge(Gauge::Lag(group, None)).value_at(now);
    assert!(all - hot <= 3.0, "the hot lane is all of it");
    // Half of what came in half a minute ago is only now read: the oldest is thirty seconds old.
    let oldest = player.gauge(Gauge::OldestUnread(group, None)).value_at(now);
    assert!((29.9..=30.1).contains(&oldest), "{oldest}");
    let shown = frame(&mut player, "70s");
    assert_eq!(shown.groups[0].lanes[0].lag as f64, hot, "the frame agrees with the gauge");
    assert_eq!(player.gauge(Gauge::Read(group)).value_at(seconds(200)), 3300.0);
}

/// What a reader has in hand counts as unread until it is committed, from the first record on.
#[test]
fn a_group_that_has_committed_nothing_is_behind_by_what_it_has_in_hand() {
    let slow = json!([{ "wait": { "for": "10s" } }, "ack"]);
    let mut player = check(
        &[
            ("/components/feed/arrivals", json!({ "at": ["1s"] })),
            ("/components/crew/count", json!(1)),
            ("/components/crew/on_message", slow),
        ],
        &[],
    );
    let lag = |player: &mut Player, at: &str| -> u64 {
        frame(player, at).groups[0].lanes.iter().map(|lane| lane.lag).sum()
    };
    assert_eq!((lag(&mut player, "5s"), lag(&mut player, "12s")), (1, 0));
}

#[test]
fn a_retry_topic_lets_the_next_message_overtake_and_a_retry_in_place_does_not() {
    // F-RORD-1: paid fails once; shipped comes a second later.
    let order = [
        ("/components/feed/arrivals", json!({ "at": ["1s", "2s"] })),
        ("/components/feed/messages", json!([{ "of": "a" }])),
        ("/components/mail/latency", json!("100ms")),
        ("/components/crew/count", json!(1)),
        ("/faults", json!([{ "at": "0s", "outage": { "component": "mail", "for": "1.5s" } }])),
        ("/properties", json!(["no message lost", "order by key"])),
    ];
    let aside = json!([
        { "call": { "to": "mail", "on": { "error": [{ "publish": { "to": "later" } }, "ack"] } } },
        "ack" ]);
    let again = json!({ "is": "workers", "from": "later",
                        "group": { "auto_offset_reset": "earliest", "initial_delay": "0s" },
                        "on_message": [{ "wait": { "for": "30s" } }, { "call": { "to": "mail" } }, "ack"] });
    let with_topic = [
        ("/components/later", json!({ "is": "log", "profile": "kafka" })),
        ("/components/again", again),
        ("/components/crew/on_message", aside),
    ];
    let player = check(
        &[&order[..], &with_topic[..]].concat(),
        &[
            "1.100000 appended crew later 2 p0@0",
            "1.100000 committed crew p1@1 crew.1",
            "2.100000 effected mail 3 crew.1 nth 1",
            "31.200000 effected mail 2 again.1 nth 1",
            "!lost",
        ],
    );
    // The retry topic is another group's business: its effect comes after, though for the same key.
    assert_eq!(findings(&player)[0], Finding::Holds);
    let in_place = ("/components/crew/on_error", json!({ "nack": { "delay": "1s" } }));
    let player = check(
        &[&order[..], std::slice::from_ref(&in_place)].concat(),
        &[
            "1.100000 nacked orders 1 crew.1 visible 2.100000",
            "2.200000 effected mail 1 crew.1 nth 1",
            "2.300000 effected mail 2 crew.1 nth 1",
        ],
    );
    assert_eq!(findings(&player), [Finding::Holds, Finding::Holds]);
}

#[test]
fn a_dead_letter_topic_lets_the_partition_go_on() {
    // F-DLQ-2, F-RORD-4: the reader publishes aside and commits past.
    let lines = json!([
        { "call": { "to": "mail", "on": { "poison": [{ "dead-letter": { "to": "dead" } }] } } },
        "ack" ]);
    for dead in [json!({ "is": "log" }), json!({ "is": "queue", "profile": "sqs-standard" })] {
        let mut player = check(
            &[
                ("/components/dead", dead),
                ("/components/crew/on_message", lines.clone()),
                ("/components/crew/group/initial_delay", json!("3s")),
                ("/faults", json!([{ "at": "0s", "poison": { "message": 1 } }])),
            ],
            &[
                "3.000000 dead-lettered orders dead 1 count 1",
                "3.000000 committed crew p1@1 crew.1",
                "3.500000 effected mail 3 crew.1 nth 1",
                "!lost",
            ],
        );
        assert_eq!(findings(&player)[0], Finding::Holds);
        assert_eq!(frame(&mut player, "100s").groups[0].lanes[1].lag, 0);
    }
}

#[test]
fn a_record_retried_in_place_blocks_its_lane_until_it_is_put_aside() {
    // F-RORD-2: gaps of 1, 2, 4 and 8 s block the lane for 15 s; at 10/s in and 20/s out, 150 are
    // behind, and 15 s later the lane has caught up.
    let retry = json!({ "retry": { "exponential": { "base": "1s", "cap": "1m" } }, "attempts": 5,
                        "then": "dead-letter" });
    let player = check(
        &[
            ("/components/feed", source("a", 10.0, 60.0)),
            ("/components/dead", json!({ "is": "log" })),
            ("/components/orders/partitions", json!(1)),
            ("/components/crew/count", json!(1)),
            ("/components/crew/group/dead_letter_to", json!("dead")),
            ("/components/crew/on_message", json!([{ "wait": { "for": "50ms" } }, "ack"])),
            ("/components/crew/on_error", retry),
            ("/faults", json!([{ "at": "0s", "poison": { "message": 11 } }])),
        ],
        &[
            "11.050000 nacked orders 11 crew.1 visible 12.050000",
            "nacked orders 11 crew.1 visible 14.100000",
            "nacked orders 11 crew.1 visible 18.150000",
            "nacked orders 11 crew.1 visible 26.200000",
            "26.250000 dead-lettered orders dead 11 count 5",
            "26.250000 committed crew p0@11 crew.1",
            "!lost",
        ],
    );
    let lag = player.gauge(Gauge::Lag(crew(&player), None));
    let behind = lag.value_at(SimTime::from_micros(26_240_000));
    assert!((150.0..=154.0).contains(&behind), "{behind}");
    assert!(lag.value_at(seconds(35)) > 50.0 && lag.value_at(seconds(43)) <= 2.0);
}

#[test]
fn a_backlog_slower_than_retention_expires_its_own_tail() {
    // F-EXP-2: a hundred at once, drained evenly over five days, kept for four: a fifth expires.
    let at_once: Vec<&str> = vec!["1s"; 100];
    let player = check(
        &[
            ("/components/feed/arrivals", json!({ "at": at_once })),
            ("/components/orders/partitions", json!(1)),
            ("/components/orders/retention", json!("4d")),
            ("/components/orders/segment_bytes", json!(1_024)),
            ("/components/crew/count", json!(1)),
            ("/components/crew/on_message", json!([{ "wait": { "for": "72m" } }, "ack"])),
            (
                "/components/crew/group",
                json!({ "auto_offset_reset": "earliest", "initial_delay": "0s",
                        "max_poll_records": 1, "max_poll_interval": "2h" }),
            ),
            ("/until", json!("6d")),
        ],
        &["trimmed orders p0@100 records"],
    );
    let lost = player.gauge(Gauge::LostToGroup(crew(&player))).value_at(player.end());
    assert!((19.0..=20.0).contains(&lost), "{lost}");
}

#[test]
fn a_naked_replay_repeats_every_effect() {
    // F-REP-1.
    let rewind = json!([{ "at": "60s", "rewind": { "component": "crew", "to": "earliest" } }]);
    let player = check(&[("/interventions", rewind)], &[]);
    let mail = player.scenario().find("mail").expect("it is there");
    let effects = player.gauge(Gauge::Effects(mail));
    assert_eq!((effects.value_at(seconds(59)), effects.value_at(player.end())), (12.0, 24.0));
    assert!(matches!(findings(&player)[1], Finding::Broken { times: 12, .. }));
}

/// Consumes orders and produces receipts, in transactions.
fn exactly(changes: &[(&'static str, Json)]) -> Vec<(&'static str, Json)> {
    let lines = json!([{ "wait": { "for": "200ms" } }, { "publish": { "to": "receipts" } },
                       { "wait": { "for": "300ms" } }, "ack"]);
    let group = json!({ "auto_offset_reset": "earliest", "initial_delay": "0s",
                        "session_timeout": "10s", "transactions": "per-record" });
    let reader = |isolation: &str| {
        json!({ "is": "workers", "from": "receipts", "on_message": [{ "call": { "to": "mail" } }, "ack"],
                "group": { "auto_offset_reset": "earliest", "initial_delay": "0s",
                           "isolation": isolation } })
    };
    let mut all = vec![
        ("/components/feed/arrivals", json!({ "at": ["1s"] })),
        ("/components/receipts", json!({ "is": "log", "profile": "kafka" })),
        ("/components/crew/on_message", lines),
        ("/components/crew/group", group),
        ("/components/crew/count", json!(1)),
        ("/components/careful", reader("read-committed")),
        ("/components/hasty", reader("read-uncommitted")),
        ("/components/mail/latency", json!("0s")),
    ];
    all.extend_from_slice(changes);
    all
}

#[test]
fn a_committed_reader_waits_for_the_transaction() {
    check(
        &exactly(&[]),
        &[
            "1.200000 appended crew receipts 2 p0@0",
            "1.200000 fetched receipts 2 p0@0 hasty.1 count 1",
            "1.500000 transaction-committed receipts p0@1",
            "1.500000 committed crew p1@1 crew.1",
            "1.500000 fetched receipts 2 p0@0 careful.1 count 1",
        ],
    );
}

#[test]
fn a_crash_in_a_transaction_is_seen_once_by_those_who_read_what_is_committed() {
    // F-CLAIM-1: consume, compute and produce within the log.
    let crash = json!([{ "at": "1.3s", "crash": { "component": "crew", "restart_after": "2s" } }]);
    let mut player = check(
        &exactly(&[("/interventions", crash)]),
        &[
            "1.200000 fetched receipts 2 p0@0 hasty.1 count 1",
            "1.300000 crashed crew.1 holding 1",
            "3.300000 restarted crew.1",
            "3.300000 transaction-aborted receipts p0@1",
            "fetched orders 1 p1@0 crew.1 count 2",
            "appended crew receipts 3 p0@2",
            "fetched receipts 3 p0@2 hasty.1 count 1",
            "transaction-committed receipts p0@3",
            "fetched receipts 3 p0@2 careful.1 count 1",
            "!fetched receipts 2 p0@0 careful.1",
            "!lost",
        ],
    );
    let log = player.scenario().find("receipts").expect("it is there");
    player.seek(seconds(2));
    let player::ComponentFrame::Log(receipts) = &player.frame().components[log.index()] else {
        panic!("a log has a log's frame")
    };
    let (stable, end) = (receipts.lanes[0].last_stable, receipts.lanes[0].end);
    assert_eq!((stable.value(), end.value()), (0, 1), "an open transaction holds readers up");
}

#[test]
fn a_transaction_that_nobody_ends_times_out_and_its_writer_is_fenced() {
    let pause = json!([{ "at": "1.3s", "pause": { "component": "crew", "for": "8s" } }]);
    let group = json!({ "auto_offset_reset": "earliest", "initial_delay": "0s",
                        "session_timeout": "30s",
                        "transactions": { "per-record": { "timeout": "5s" } } });
    check(
        &exactly(&[("/interventions", pause), ("/components/crew/group", group)]),
        &[
            "6.200000 transaction-aborted receipts p0@1",
            "9.300000 resumed crew.1",
            "9.500000 commit-refused crew crew.1",
            "!careful.1 count",
        ],
    );
}

#[test]
fn more_partitions_move_keys_and_break_their_order() {
    // F-PART-5: from four to eight, half of the keys move; of the ones that wait, order is lost.
    let keys: Vec<Json> = (0..200).map(|n| json!({ "of": format!("user{n}") })).collect();
    let player = check(
        &[
            ("/components/feed/messages", json!(keys)),
            ("/components/feed/arrivals", json!({ "every": { "interval": "10ms", "count": 400 } })),
            ("/components/orders/partitions", json!(4)),
            ("/components/crew/count", json!(4)),
            ("/components/crew/group/max_poll_records", json!(1)),
            ("/components/mail/latency", json!("500ms")),
            ("/properties", json!(["order by key"])),
            (
                "/interventions",
                json!([{ "at": "1.995s", "add-partitions":
                                        { "component": "orders", "to": 8 } }]),
            ),
            ("/until", json!("300s")),
        ],
        &["1.995000 partitions-added orders 8"],
    );
    let mut lanes = vec![Vec::new(); 200];
    for event in player.trace() {
        if let world::What::Appended { message, partition, .. } = event.what {
            lanes[message.index() % 200].push(partition);
        }
    }
    let moved = lanes.iter().filter(|lanes| lanes[0] != lanes[1]).count();
    assert!((80..=120).contains(&moved), "{moved} of 200 keys moved");
    assert!(matches!(findings(&player)[0], Finding::Broken { .. }));
}

#[test]
fn a_life_has_a_row_for_each_group() {
    let second = json!({ "is": "workers", "from": "orders", "on_message": [{ "wait": { "for": "2s" } }, "ack"],
                         "group": { "name": "search", "auto_offset_reset": "earliest", "initial_delay": "0s" } });
    let player = check(
        &[("/components/second", second), ("/components/feed/arrivals", json!({ "at": ["1s"] }))],
        &[],
    );
    let life = player.life(broker::MessageId::from_index(0));
    let rows: Vec<Vec<String>> = life
        .groups
        .iter()
        .map(|group| {
            let name =
                player.scenario().group_name(group.group.reader).expect("a group").to_owned();
            let told = group.stretches.iter().map(|stretch| {
                let kind = match stretch.kind {
                    GroupStretchKind::Unread => "unread",
                    GroupStretchKind::Read { .. } => "read",
                    GroupStretchKind::Committed => "committed",
                    GroupStretchKind::Lost => "lost",
                    GroupStretchKind::Gone => "gone",
                };
                format!("{kind} to {}", stretch.to.as_micros() / 1000)
            });
            std::iter::once(name).chain(told).collect()
        })
        .collect();
    assert_eq!(
        rows,
        [
            ["crew", "unread to 1000", "read to 1500", "committed to 3000"],
            ["search", "unread to 1000", "read to 3000", "committed to 3000"],
        ]
    );
}

#[test]
fn a_producer_has_five_requests_under_way_and_the_next_waits() {
    check(
        &[
            ("/components/feed/messages", json!([{ "of": "a" }])),
            ("/components/feed/arrivals", json!({ "every": { "interval": "100ms", "count": 7 } })),
            ("/components/orders/replication_lag", json!("1s")),
        ],
        &[
            "0.400000 appended feed orders 5 p1@4",
            "1.000000 confirmed feed orders 1",
            "1.000000 appended feed orders 6 p1@5",
            "1.100000 confirmed feed orders 2",
            "1.100000 appended feed orders 7 p1@6",
        ],
    );
}

#[test]
fn one_lane_is_as_fast_as_one_reader() {
    // F-ORD-1, for ten seconds: 80/s against 20/s a reader; one lane 20/s, four lanes 80/s.
    let keys: Vec<Json> = keys(4).iter().map(|key| json!({ "of": key })).collect();
    let with = |partitions: u32| {
        let player = check(
            &[
                ("/components/feed/messages", json!(keys)),
                (
                    "/components/feed/arrivals",
                    json!({ "rate": { "per_second": 80, "from": "10s", "count": 800 } }),
                ),
                ("/components/orders/partitions", json!(partitions)),
                ("/components/crew/count", json!(4)),
                ("/components/crew/group/initial_delay", json!("3s")),
                ("/components/crew/on_message", json!([{ "wait": { "for": "50ms" } }, "ack"])),
            ],
            &[],
        );
        let group = crew(&player);
        player.gauge(Gauge::Lag(group, None)).value_at(seconds(20))
    };
    assert!((598.0..=602.0).contains(&with(1)), "{}", with(1));
    assert!(with(4) <= 4.0, "{}", with(4));
}
