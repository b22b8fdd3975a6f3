//! What becomes of records in flight when members of a group die, leave, are scaled, replaced or cut off.

use player::{Finding, UpsetCause};
use serde_json::{Value as Json, json};
use sim::SimTime;
use tests::logs::{check, findings};

#[test]
fn what_a_crash_did_to_work_in_flight_is_told() {
    let crash = json!([{ "at": "8.2s", "crash": { "component": "crew", "instance": 1 } }]);
    let wait = ("/components/crew/group/initial_delay", json!("3s"));
    let player = check(&[("/interventions", crash.clone()), wait.clone()], &[]);
    let upsets = player.upsets();
    let [upset] = &upsets[..] else { panic!("one in {upsets:?}") };
    assert_eq!((upset.at, upset.cause), (SimTime::from_micros(8_200_000), UpsetCause::Crash));
    assert_eq!((upset.records.len(), upset.again, upset.lost), (1, 1, 0));
    let ack_first = json!(["ack", { "call": { "to": "mail" } }]);
    let player = check(
        &[
            ("/interventions", crash),
            wait,
            ("/components/crew/on_message", ack_first),
            ("/components/mail/if_caller_dies", json!("stops")),
        ],
        &[],
    );
    let upsets = player.upsets();
    let [upset] = &upsets[..] else { panic!("one in {upsets:?}") };
    assert_eq!((upset.records.len(), upset.again, upset.lost), (0, 0, 1), "committed without work");
}

#[test]
fn an_eager_rebalance_has_finished_but_uncommitted_work_done_again() {
    // Automatic commits cover what was polled, and come first; by hand, nothing is committed here.
    let join = json!([{ "at": "0s", "crash": { "component": "crew", "instance": 2, "restart_after": "9.2s" } }]);
    let player = check(
        &[
            ("/faults", join),
            ("/components/crew/on_message", json!([{ "call": { "to": "mail" } }])),
            ("/components/crew/group/auto_commit", json!("off")),
            ("/components/crew/group/session_timeout", json!("6s")),
        ],
        &["9.200000 restarted crew.2", "revoked crew crew.1 p1 eager unfinished 0 again"],
    );
    let upsets = player.upsets();
    assert!(upsets.iter().any(|upset| upset.again > 0), "{upsets:?}");
    assert!(matches!(findings(&player)[1], Finding::Broken { .. }));
}

#[test]
fn who_leaves_in_order_does_nothing_twice_and_keeps_nobody_waiting() {
    let leave = json!([{ "at": "8.2s", "leave": { "component": "crew", "instance": 1,
                                                  "back_after": "3s" } }]);
    let wait = ("/components/crew/group/initial_delay", json!("3s"));
    let player = check(
        &[("/interventions", leave.clone()), wait.clone()],
        &[
            "8.000000 fetched orders 9 p1@4 crew.1 count 1",
            "8.500000 committed crew p1@5 crew.1",
            "8.500000 member-left crew crew.1",
            "8.500000 rebalance-began crew left crew.1",
            "9.000000 rebalance-ended crew generation 2 members 1",
            "9.000000 assigned crew crew.2 p1@5",
            "11.500000 restarted crew.1",
            "11.500000 member-joined crew crew.1",
            "!expired",
            "!count 2",
        ],
    );
    assert_eq!(findings(&player), [Finding::Holds, Finding::Holds]);
    // A member that commits by itself does so on leaving.
    check(
        &[
            ("/interventions", leave),
            wait,
            ("/components/crew/on_message", json!([{ "call": { "to": "mail" } }])),
        ],
        &["8.500000 committed crew p1@5 crew.1", "8.500000 member-left crew crew.1", "!count 2"],
    );
}

#[test]
fn scaling_and_deploying_rebalance_without_doing_anything_twice() {
    // F-PART-6: every join and every leave divides the group anew.
    let wait = ("/components/crew/group/initial_delay", json!("3s"));
    let run = |action: Json, lines: &[&str]| {
        let player = check(&[wait.clone(), ("/interventions", json!([action]))], lines);
        assert_eq!(findings(&player), [Finding::Holds, Finding::Holds]);
    };
    run(
        json!({ "at": "8.2s", "scale": { "component": "crew", "to": 1 } }),
        &[
            "8.200000 scaled crew from 2 to 1",
            "8.200000 member-left crew crew.2",
            "8.500000 rebalance-ended crew generation 2 members 1",
            "!expired",
            "!count 2",
        ],
    );
    run(
        json!({ "at": "8.2s", "deploy": { "component": "crew", "takes": "2s" } }),
        &[
            "8.200000 deploy-began crew",
            "8.500000 committed crew p1@5 crew.1",
            "8.500000 member-left crew crew.1",
            "10.500000 member-left crew crew.2",
            "10.500000 member-joined crew crew.1",
            "12.500000 member-joined crew crew.2",
            "!expired",
            "!count 2",
        ],
    );
}

#[test]
fn a_rule_scales_a_group_by_its_lag_and_each_start_divides_it_anew() {
    let rule = json!({ "backlog": { "acceptable": 10, "utilization_percent": 80 }, "min": 1,
                       "period": "30s", "start_up": "5s", "cooldown": "60s" });
    check(
        &[
            (
                "/components/feed/arrivals",
                json!({ "every": { "interval": "100ms", "count": 600 } }),
            ),
            ("/components/crew/count", json!(3)),
            ("/components/crew/running", json!(1)),
            ("/components/crew/autoscale", rule),
            ("/components/crew/group/max_poll_records", json!(5)),
            ("/until", json!("300s")),
        ],
        &[
            "30.000000 scaled crew from 1 to 3",
            "35.000000 member-joined crew crew.2",
            "rebalance-ended crew generation",
            "assigned crew crew.2 p",
            "scaled crew from 3 to",
            "member-left crew crew.3",
        ],
    );
}

#[test]
fn a_member_behind_a_cut_is_taken_for_dead() {
    let cut =
        json!([{ "at": "8.2s", "cut": { "component": "crew", "to": "orders", "for": "30s" } }]);
    check(
        &[("/interventions", cut), ("/components/crew/group/initial_delay", json!("3s"))],
        &[
            "member-expired crew crew.2 session-timed-out",
            "member-expired crew crew.1 session-timed-out",
            "group-emptied crew",
            "38.200000 member-joined crew crew.1",
            "41.200000 fetched orders 9 p1@4 crew.1 count 2",
        ],
    );
}

#[test]
fn who_leaves_a_share_group_lets_go_of_its_locks() {
    let leave = json!([{ "at": "2s", "leave": { "component": "crew", "instance": 1 } }]);
    check(
        &[
            ("/interventions", leave),
            ("/components/feed/arrivals", json!({ "at": ["1s"] })),
            ("/components/crew/group", json!({ "share": true, "auto_offset_reset": "earliest" })),
            // It forgets to say that it is done.
            ("/components/crew/on_message", json!([{ "call": { "to": "mail" } }])),
        ],
        &[
            "1.000000 fetched orders 1 p1@0 crew.1 count 1",
            "2.000000 lapsed orders 1 count 1",
            "2.000000 member-left crew crew.1",
            "2.000000 fetched orders 1 p1@0 crew.2 count 2",
        ],
    );
}
