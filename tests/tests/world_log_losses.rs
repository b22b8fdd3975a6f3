//! What is lost to a group that reads a log, and what is not: records committed past without their
//! work, records dropped or parked because a handler has decided so, work that was done before.

#![allow(clippy::needless_pass_by_value, reason = "what json! makes is handed over")]

use player::{Finding, Gauge, Player};
use serde_json::{Value as Json, json};
use tests::logs::{check, findings};
use tests::runs::{check_run, finished, with};
use world::GroupId;

fn lost_to_group(player: &Player) -> f64 {
    let find = |name| player.scenario().find(name).expect("it is there");
    let group = GroupId { log: find("orders"), reader: find("crew") };
    player.gauge(Gauge::LostToGroup(group)).value_at(player.end())
}

/// A reader that draws a price if its number is above the last one drawn, and does `otherwise` if it
/// is not. The second of four prices is stale.
fn gate(otherwise: Json) -> Vec<(&'static str, Json)> {
    let draw = json!([
        { "update-where": { "table": "chart.wines", "where": { "last": { "below": { "field": "n" } } },
                            "set": { "last": { "field": "n" } }, "on": { "zero-rows": otherwise } } },
        "ack" ]);
    let prices = json!({ "is": "source", "to": "orders", "key": "of",
        "messages": [{ "of": "a", "n": 5 }, { "of": "a", "n": 3 }, { "of": "a", "n": 6 }],
        "arrivals": { "every": { "interval": "1s", "count": 3 } } });
    let chart = json!({ "is": "database", "tables": { "wines": {
        "key": "id", "columns": ["last"], "rows": [{ "id": "w", "last": 1 }] },
        "bay": { "columns": ["n"] } } });
    vec![
        ("/components/feed", prices),
        ("/components/chart", chart),
        ("/components/crew/on_message", draw),
    ]
}

#[test]
fn what_a_handler_drops_on_purpose_is_not_lost_to_its_group() {
    let player = check(&gate(json!(["drop"])), &["committed crew", "!lost"]);
    assert_eq!((findings(&player)[0], lost_to_group(&player)), (Finding::Holds, 0.0));
    // Who only says that it is through has not said that nothing was to be done.
    let player = check(&gate(json!(["ack"])), &["lost-to-group crew 2"]);
    assert_eq!(lost_to_group(&player), 1.0);
    assert!(matches!(findings(&player)[0], Finding::Broken { times: 1, .. }));
}

#[test]
fn what_a_handler_parks_is_not_lost_to_its_group() {
    let bay =
        json!([{ "insert": { "into": "chart.bay", "row": { "n": { "field": "n" } } } }, "ack"]);
    let player = check(&gate(bay), &["insert chart.bay crew 2 rows 1", "!lost"]);
    assert_eq!(lost_to_group(&player), 0.0);
}

/// An exception that is swallowed is no decision.
#[test]
fn an_error_that_is_acked_is_lost_and_one_that_is_dropped_is_not() {
    let run = |then: &str| {
        let lines = json!([{ "call": { "to": "mail", "on": { "error": [then] } } }, "ack"]);
        let down = json!([{ "at": "0s", "outage": { "component": "mail", "for": "1.6s" } }]);
        check(&[("/components/crew/on_message", lines), ("/faults", down)], &[])
    };
    assert_eq!(lost_to_group(&run("ack")), 2.0);
    assert_eq!(lost_to_group(&run("drop")), 0.0);
}

/// A drop that the log does not hear, or turns down, has still been decided; and who was to do it
/// again decides again.
#[test]
fn a_group_that_is_divided_meanwhile_loses_nothing_by_a_drop() {
    let mut changes = gate(json!([{ "drop": { "takes": "5s" } }]));
    let crash = json!([{ "at": "3s", "crash": { "component": "crew", "restart_after": "1s" } }]);
    changes.push(("/faults", crash));
    changes.push(("/components/crew/group/session_timeout", json!("6s")));
    let player = check(&changes, &["crashed crew", "restarted crew"]);
    assert_eq!(lost_to_group(&player), 0.0);
}

/// The same event once more, under another number: an inbox knows it, and what was done is not lost.
#[test]
fn what_was_done_for_the_event_before_is_not_lost_whatever_the_branch() {
    let lines = json!([
        { "read": { "from": "db.done", "where": { "id": { "message": "event" } },
                    "on": { "found": ["ack"] } } },
        { "insert": { "into": "db.done", "row": { "id": { "message": "event" } } } },
        "ack" ]);
    let twice = json!([{ "publish": { "to": "orders" } }, { "publish": { "to": "orders" } },
                       { "respond": 202 }]);
    let player = check(
        &[
            (
                "/components/feed",
                json!({ "is": "source", "to": "api", "request": "order",
                                         "arrivals": { "at": ["1s"] } }),
            ),
            ("/components/api", json!({ "is": "service", "handles": { "order": twice } })),
            ("/components/db", json!({ "is": "database", "tables": { "done": { "key": "id" } } })),
            ("/components/crew/on_message", lines),
        ],
        &["insert db.done crew", "read db.done crew 2 rows 1", "!lost"],
    );
    assert_eq!(lost_to_group(&player), 0.0);
}

/// The same words for a queue.
#[test]
fn a_queue_hears_of_a_drop_as_of_an_ack() {
    let lines = |then: &str| {
        let lines = json!([{ "call": { "to": "mail", "on": { "poison": [then] } } }, "ack"]);
        with(&[
            ("/components/crew/on_message", lines),
            ("/faults", json!([{ "at": "0s", "poison": { "message": 1 } }])),
            ("/components/feed/arrivals", json!({ "at": ["1s"] })),
        ])
    };
    check_run(&lines("drop"), &["1.000000 acked jobs 1 crew.1", "!lost"]);
    check_run(&lines("ack"), &["1.000000 acked jobs 1 crew.1", "1.000000 lost 1"]);
    let kept = finished(&lines("drop")).verdicts();
    assert!(matches!(kept[0].finding, Finding::Holds));
}
