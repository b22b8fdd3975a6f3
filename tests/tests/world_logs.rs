//! The rules of logs in a world, each as a run: what is set, and lines that its trace must have in
//! order, or parts of such lines. What starts with `!` must be nowhere in the trace.

use player::{ComponentFrame, Finding};
use serde_json::{Value as Json, json};
use tests::logs::{check, findings, frame};

#[test]
fn a_record_goes_from_its_source_to_its_commit() {
    let player = check(
        &[("/components/feed/arrivals", json!({ "at": ["1s"] }))],
        &[
            "0.000000 member-joined crew crew.1",
            "0.000000 rebalance-ended crew generation 1 members 1 took 0.000000",
            "1.000000 published feed orders 1",
            "1.000000 appended feed orders 1 p1@0",
            "1.000000 confirmed feed orders 1",
            "1.000000 fetched orders 1 p1@0 crew.1 count 1",
            "1.500000 effected mail 1 crew.1 nth 1",
            "1.500000 committed crew p1@1 crew.1",
            "ended Quiet",
        ],
    );
    assert_eq!(findings(&player), [Finding::Holds, Finding::Holds]);
}

#[test]
fn equal_keys_go_to_one_partition_and_round_robin_heeds_none() {
    check(&[], &["appended feed orders 1 p1@0", "appended feed orders 5 p1@2"]);
    check(
        &[("/components/orders/partitioner", json!("round-robin"))],
        &["feed orders 1 p0@0", "feed orders 2 p1@0", "feed orders 3 p2@0", "feed orders 4 p0@1"],
    );
}

#[test]
fn a_sticky_producer_stays_on_a_partition_for_a_batch_at_a_time() {
    let player = check(
        &[
            ("/components/orders/partitioner", json!("sticky")),
            ("/components/orders/producer", json!({ "batch_bytes": 3_072 })),
            ("/components/feed/arrivals", json!({ "every": { "interval": "1s", "count": 30 } })),
        ],
        &[],
    );
    let mut lanes = Vec::new();
    for event in player.trace() {
        if let world::What::Appended { partition, .. } = event.what {
            lanes.push(partition.index());
        }
    }
    // A message has 1,024 bytes.
    assert!(lanes.chunks(3).all(|batch| batch.iter().all(|lane| *lane == batch[0])), "{lanes:?}");
    assert!((0..3).all(|lane| lanes.contains(&lane)), "{lanes:?}");
}

#[test]
fn every_group_reads_all_and_its_members_share_it() {
    // F-SHAPE-6: two groups of three, twelve messages: twelve a group, four a member.
    let group = |name: &str| {
        json!({ "is": "workers", "from": "orders", "count": 3, "on_message": ["ack"],
                "group": { "name": name, "auto_offset_reset": "earliest" } })
    };
    let player = check(
        &[
            ("/components/orders/partitioner", json!("round-robin")),
            ("/components/crew", group("billing")),
            ("/components/others", group("search")),
        ],
        &[],
    );
    for name in ["crew", "others"] {
        let id = player.scenario().find(name).expect("it is there");
        let mut reads = [0; 3];
        for event in player.trace() {
            if let world::What::Fetched { worker, .. } = event.what
                && worker.component == id
            {
                reads[usize::from(worker.instance)] += 1;
            }
        }
        assert_eq!(reads, [4, 4, 4], "{name}");
    }
}

#[test]
fn a_group_that_comes_late_reads_all_from_the_start_and_nothing_from_the_end() {
    // F-SHAPE-3, F-SHAPE-11: what one group has read is still there for another.
    let late = |reset: &str| {
        let group = json!({ "name": "late", "auto_offset_reset": reset, "initial_delay": "20s" });
        json!({ "is": "workers", "from": "orders", "group": group, "on_message": ["ack"] })
    };
    check(
        &[("/components/late", late("earliest"))],
        &["20.000000 assigned late late.1 p1@0", "20.000000 fetched orders 1 p1@0 late.1 count 1"],
    );
    check(
        &[("/components/late", late("latest"))],
        &["20.000000 assigned late late.1 p1@6", "!late.1 count", "!lost-to-group"],
    );
}

#[test]
fn spare_members_idle() {
    // F-PART-1: six partitions and eight readers, two idle.
    let mut player = check(
        &[("/components/orders/partitions", json!(6)), ("/components/crew/count", json!(8))],
        &[],
    );
    let crew = player.scenario().find("crew").expect("it is there");
    let _ = frame(&mut player, "15s");
    let ComponentFrame::Workers(workers) = &player.frame().components[crew.index()] else {
        panic!("workers have a workers' frame")
    };
    let idle = workers.instances.iter().filter(|worker| worker.partitions.is_empty()).count();
    assert_eq!(idle, 2);
}

#[test]
fn range_gives_the_first_members_one_more() {
    // F-PART-2: four partitions among three.
    check(
        &[
            ("/components/orders/partitions", json!(4)),
            ("/components/crew/count", json!(3)),
            ("/components/crew/group/initial_delay", json!("3s")),
        ],
        &[
            "3.000000 assigned crew crew.1 p0@0",
            "3.000000 assigned crew crew.1 p1@0",
            "3.000000 assigned crew crew.2 p2@0",
            "3.000000 assigned crew crew.3 p3@0",
        ],
    );
}

fn crash(at: &str) -> (&'static str, Json) {
    ("/interventions", json!([{ "at": at, "crash": { "component": "crew", "instance": 1 } }]))
}

#[test]
fn a_crash_is_noticed_by_the_session_and_its_work_is_done_again() {
    let restart = ("/components/crew/group/initial_delay", json!("3s"));
    let mut player = check(
        &[crash("8.2s"), restart],
        &[
            "8.000000 fetched orders 9 p1@4 crew.1 count 1",
            "8.200000 crashed crew.1 holding 9",
            "8.500000 effected mail 9 crew.1 nth 1",
            "18.000000 member-expired crew crew.1 session-timed-out",
            "18.000000 rebalance-began crew expired crew.1",
            "assigned crew crew.2 p1@4",
            "fetched orders 9 p1@4 crew.2 count 2",
            "effected mail 9 crew.2 nth 2",
            "!lost",
        ],
    );
    assert!(matches!(findings(&player)[..], [Finding::Holds, Finding::Broken { times: 1, .. }]));
    let group = &frame(&mut player, "100s").groups[0];
    assert_eq!((group.read_again, group.lost), (1, 0));
}

#[test]
fn a_commit_before_the_work_loses_it_in_a_crash() {
    // F-ACK-4: committed on receipt is at most once.
    let player = check(
        &[
            crash("8.2s"),
            ("/components/crew/on_message", json!(["ack", { "call": { "to": "mail" } }])),
            ("/components/mail/if_caller_dies", json!("stops")),
            ("/components/crew/group/initial_delay", json!("3s")),
        ],
        &[
            "8.000000 committed crew p1@5 crew.1",
            "8.200000 crashed crew.1 holding 9",
            "8.200000 lost-to-group crew 9 p1@4",
            "!fetched orders 9 p1@4 crew.2",
        ],
    );
    assert!(matches!(findings(&player)[..], [Finding::Broken { times: 1, .. }, Finding::Holds]));
}

#[test]
fn automatic_commits_cover_what_a_poll_has_returned() {
    // One poll returns everything that is there; the next, five seconds later, commits it, though
    // the handler has thrown on a record that it then passed over.
    let player = check(
        &[
            ("/components/feed/arrivals", json!({ "at": ["1s", "1s"] })),
            ("/components/feed/messages", json!([{ "of": "a" }])),
            ("/components/crew/count", json!(1)),
            ("/components/crew/on_message", json!([{ "call": { "to": "mail" } }])),
            ("/faults", json!([{ "at": "0s", "poison": { "message": 1 } }])),
        ],
        &[
            "step-ended crew.1 1 line 1 poison",
            "1.500000 effected mail 2 crew.1 nth 1",
            "6.000000 committed crew p1@2 crew.1",
            "6.000000 lost-to-group crew 1 p1@0",
        ],
    );
    assert!(matches!(findings(&player)[0], Finding::Broken { .. }));
}

#[test]
fn who_does_not_come_back_to_poll_is_out_and_its_commit_is_refused() {
    check(
        &[
            ("/components/feed/arrivals", json!({ "at": ["1s"] })),
            ("/components/mail/latency", json!("30s")),
            ("/components/crew/group/max_poll_interval", json!("12s")),
            ("/components/crew/group/initial_delay", json!("3s")),
            ("/until", json!("60s")),
        ],
        &[
            "3.000000 fetched orders 1 p1@0 crew.1 count 1",
            "15.000000 member-expired crew crew.1 poll-timed-out",
            "15.000000 rebalance-began crew expired crew.1",
            "assigned crew crew.2 p1@0",
            "fetched orders 1 p1@0 crew.2 count 2",
            "33.000000 effected mail 1 crew.1 nth 1",
            "33.000000 commit-refused crew crew.1",
            "33.000000 revoked crew crew.1 p0 lost unfinished 0 again 0",
        ],
    );
}

#[test]
fn an_eager_rebalance_stops_all_and_a_cooperative_one_those_that_move() {
    // F-PART-6. Crew 2 comes back at 6 s: an eager group stands still until everybody has joined.
    let faults = json!([{ "at": "0s", "crash": { "component": "crew", "instance": 2,
                                                 "restart_after": "6s" } }]);
    let with = |assignor: &str, session: &str, lines: &[&str]| {
        check(
            &[
                ("/faults", faults.clone()),
                (
                    "/components/feed/arrivals",
                    json!({ "every": { "interval": "1s", "count": 20 } }),
                ),
                ("/components/crew/group/assignor", json!(assignor)),
                ("/components/crew/group/session_timeout", json!(session)),
            ],
            lines,
        );
    };
    with(
        "range",
        "6s",
        &[
            "0.500000 revoked crew crew.1 p0 eager",
            "0.500000 revoked crew crew.1 p1 eager",
            "6.000000 restarted crew.2",
        ],
    );
    with(
        "cooperative-sticky",
        "6s",
        &[
            "0.500000 revoked crew crew.1 p2 moved",
            "4.000000 fetched orders 5 p1@2 crew.1",
            "6.000000 restarted crew.2",
            "6.500000 assigned crew crew.2 p2@0",
            "!eager",
        ],
    );
    with(
        "server-side",
        "45s",
        &[
            "5.000000 revoked crew crew.1 p2 moved",
            "11.000000 assigned crew crew.2 p1@5",
            "45.000000 member-expired crew crew.2 session-timed-out",
            "45.000000 assigned crew crew.1 p2@2",
            "!eager",
        ],
    );
}

#[test]
fn a_static_member_is_back_without_a_rebalance() {
    let fault = json!([{ "at": "8.2s", "crash": { "component": "crew", "instance": 1,
                                                  "restart_after": "3s" } }]);
    check(
        &[
            ("/faults", fault),
            ("/components/crew/group/static_members", json!(true)),
            ("/components/crew/group/initial_delay", json!("3s")),
        ],
        &[
            "3.000000 rebalance-ended crew generation 1 members 2 took 3.000000",
            "11.200000 restarted crew.1",
            "11.200000 assigned crew crew.1 p1@4",
            "11.200000 fetched orders 9 p1@4 crew.1 count 2",
            "!generation 2",
        ],
    );
}

#[test]
fn a_record_that_always_fails_stops_its_partition_and_no_other() {
    // F-RORD-3: the offset is stuck, the process looks healthy, and its lag grows.
    let mut player = check(
        &[
            ("/faults", json!([{ "at": "0s", "poison": { "message": 1 } }])),
            ("/components/crew/on_error", json!({ "nack": { "delay": "1s" } })),
            ("/components/crew/group/initial_delay", json!("3s")),
            ("/until", json!("60s")),
        ],
        &[
            "3.000000 nacked orders 1 crew.1 visible 4.000000",
            "4.000000 fetched orders 1 p1@0 crew.1 count 2",
            "11.500000 committed crew p2@6 crew.2",
            "!committed crew p1@",
        ],
    );
    let group = &frame(&mut player, "50s").groups[0];
    assert_eq!((group.lanes[1].lag, group.lanes[2].lag), (6, 0));
}

#[test]
fn members_of_a_share_group_take_single_records_under_a_lock() {
    let group = json!({ "share": true, "auto_offset_reset": "earliest", "lock": "15s",
                        "max_poll_records": 1, "delivery_count_limit": 2 });
    let one = ("/components/feed/messages", json!([{ "of": "a" }]));
    let changes = [("/components/crew/group", group), one];
    check(
        &changes,
        &[
            "0.000000 fetched orders 1 p1@0 crew.1 count 1",
            "0.500000 acked orders 1 crew.1",
            "1.000000 fetched orders 2 p1@1 crew.2 count 1",
        ],
    );
    let crash = json!([{ "at": "0.2s", "crash": { "component": "crew" } }]);
    check(
        &[
            changes[0].clone(),
            changes[1].clone(),
            ("/interventions", crash),
            ("/components/mail/if_caller_dies", json!("stops")),
            ("/components/crew/restart_after", json!("1s")),
        ],
        &[
            "0.200000 crashed crew.1 holding 1",
            "15.000000 lapsed orders 1 count 1",
            "15.000000 fetched orders 1 p1@0 crew",
        ],
    );
    let poison = json!([{ "at": "0s", "poison": { "message": 2 } }]);
    let player = check(
        &[
            changes[0].clone(),
            changes[1].clone(),
            ("/faults", poison),
            ("/components/crew/on_error", json!("nack")),
        ],
        &[
            "1.000000 nacked orders 2 crew.2 visible 1.000000",
            "1.000000 fetched orders 2 p1@1 crew",
            "1.000000 archived crew 2",
            "1.000000 lost-to-group crew 2 p1@1",
        ],
    );
    assert!(matches!(findings(&player)[0], Finding::Broken { .. }));
}

#[test]
fn a_queue_feeds_one_reader_and_a_log_all() {
    // F-SHAPE-11: order events in a task queue are eaten by whoever comes first.
    let mut player = check(&[], &[]);
    let frame = frame(&mut player, "100s");
    assert_eq!(frame.appended_total, 12);
    let kept: u64 = frame.lanes.iter().map(|lane| lane.end.value() - lane.start.value()).sum();
    assert_eq!(kept, 12, "reading takes nothing away");
}
