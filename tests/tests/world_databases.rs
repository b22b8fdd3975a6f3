//! The rules of databases in handlers, each as a run: transactions, waiting for rows, dual writes,
//! inboxes, two-phase commit.

#![allow(clippy::needless_pass_by_value, reason = "what json! makes is handed over")]

use scenario::Property;
use serde_json::json;
use tests::databases::{breaks, fault, rows, shop, table};
use tests::runs::{changed, check_run, finished};

#[test]
fn a_statement_takes_its_time_and_is_there_for_all_at_its_end() {
    let handler = json!([{ "insert": { "into": "db.orders", "row": { "status": "NEW", "total": 5 } } },
                         { "respond": 201 }]);
    let document = shop(handler, json!(["0s"]));
    check_run(
        &document,
        &[
            "0.100000 insert db.orders api 1 rows 1",
            "0.100000 effected db 1 request nth 1",
            "0.100000 responded api feed 1 201",
        ],
    );
    let run = finished(&document);
    let orders = table(&run, "orders");
    assert_eq!(orders.columns, ["id", "status", "total"]);
    assert_eq!(orders.newest[0].values, ["1", "NEW", "5"]);
}

#[test]
fn what_is_open_when_the_process_dies_is_rolled_back() {
    let handler = json!([
        { "begin": { "in": "db" } },
        { "insert": { "into": "db.orders" } },
        { "wait": { "for": "1s" } },
        { "insert": { "into": "db.notes" } },
        "commit",
        { "respond": 201 },
    ]);
    let calm = shop(handler, json!(["0s"]));
    check_run(
        &calm,
        &[
            "0.100000 insert db.orders api 1 rows 1",
            "1.200000 insert db.notes api 1 rows 1",
            "1.300000 rows-committed db api 1",
            "1.300000 effected db 1 request nth 1",
        ],
    );
    let run = finished(&calm);
    assert_eq!((rows(&run, "orders"), rows(&run, "notes")), (1, 1));
    let died = fault("1250ms", json!({ "crash": { "component": "api" } }));
    let died = changed(calm, &[("/faults", json!([died]))]);
    check_run(
        &died,
        &["1.250000 crashed api.1 holding 1", "1.250000 rows-rolled-back db api 1", "!effected"],
    );
    let run = finished(&died);
    assert_eq!((rows(&run, "orders"), rows(&run, "notes")), (0, 0));
}

#[test]
fn a_handler_that_ends_without_a_commit_has_saved_nothing() {
    let handler = json!([{ "begin": { "in": "db" } }, { "insert": { "into": "db.orders" } }, { "respond": 201 }]);
    let document = shop(handler, json!(["0s"]));
    check_run(
        &document,
        &["0.100000 responded api feed 1 201", "0.100000 rows-rolled-back db api 1"],
    );
    let run = finished(&document);
    assert_eq!((rows(&run, "orders"), rows(&run, "notes")), (0, 0));
}

#[test]
fn a_row_that_is_held_makes_others_wait_until_its_holder_ends() {
    let handler = json!([
        { "begin": { "in": "db" } },
        { "update-where": { "table": "db.stock", "where": { "wine": "rioja", "left": { "above": 0 } },
                            "add": { "left": -1 }, "on": { "zero-rows": [{ "respond": 409 }] } } },
        { "wait": { "for": "2s" } },
        "commit",
        { "respond": 201 },
    ]);
    let stock =
        json!({ "key": "wine", "columns": ["left"], "rows": [{ "wine": "rioja", "left": 2 }] });
    let document = shop(handler, json!(["0s", "0s", "0s"]));
    let document = changed(document, &[("/components/db/tables/stock", stock)]);
    check_run(
        &document,
        &[
            "0.100000 update db.stock api 1 rows 1",
            "0.100000 row-awaited db api 2",
            "0.100000 row-awaited db api 3",
            "2.200000 rows-committed db api 1",
            "2.200000 update db.stock api 2 rows 1",
            "4.300000 rows-committed db api 2",
            // It looks again at the row as it is then, and finds nothing left.
            "4.300000 update db.stock api 3 rows 0",
            "4.300000 responded api feed 3 409",
        ],
    );
    let impatient = changed(document, &[("/components/db/lock_timeout", json!("1s"))]);
    check_run(
        &impatient,
        &[
            "1.100000 update db.stock api 2 rows 0",
            "1.100000 responded api feed 2 503",
            "1.100000 responded api feed 3 503",
            "2.200000 responded api feed 1 201",
        ],
    );
}

#[test]
fn a_frozen_process_keeps_its_rows_and_learns_of_them_when_it_goes_on() {
    let handler = json!([
        { "begin": { "in": "db" } },
        { "update-where": { "table": "db.stock", "where": { "wine": "rioja" }, "add": { "left": -1 } } },
        { "wait": { "for": "1s" } },
        "commit",
    ]);
    let stock =
        json!({ "key": "wine", "columns": ["left"], "rows": [{ "wine": "rioja", "left": 2 }] });
    let document = changed(
        shop(handler, json!(["0s", "0s"])),
        &[
            ("/components/db/tables/stock", stock),
            (
                "/faults",
                json!([fault("500ms", json!({ "pause": { "component": "api", "for": "5s" } }))]),
            ),
        ],
    );
    check_run(
        &document,
        &[
            "0.100000 row-awaited db api 2",
            "5.500000 resumed api.1",
            "6.200000 rows-committed db api 1",
            "6.200000 update db.stock api 2 rows 1",
            "7.300000 rows-committed db api 2",
        ],
    );
}

#[test]
fn an_insert_of_a_taken_key_is_a_conflict_and_fails_its_transaction_unless_it_skips() {
    let lines = |insert: &str| {
        json!([
            { "begin": { "in": "db" } },
            { insert: { "into": "db.orders", "row": { "id": "o-1" }, "on": { "conflict": "continue" } } },
            { "insert": { "into": "db.notes" } },
            "commit",
        ])
    };
    check_run(
        &shop(lines("insert"), json!(["0s", "1s"])),
        &[
            "1.100000 insert db.orders api 2 rows 0",
            "1.200000 insert db.notes api 2 rows 0",
            "1.200000 rows-rolled-back db api 2",
            "1.200000 responded api feed 2 503",
        ],
    );
    let skips = shop(lines("insert-or-skip"), json!(["0s", "1s"]));
    check_run(
        &skips,
        &["1.100000 insert db.orders api 2 rows 0", "1.300000 rows-committed db api 2"],
    );
    let run = finished(&skips);
    assert_eq!((rows(&run, "orders"), rows(&run, "notes")), (1, 2));
}

#[test]
fn values_come_from_the_message_the_row_last_read_and_the_scenario() {
    let handler = json!([
        { "read": { "from": "db.orders", "where": { "id": { "field": "order" } },
                    "on": { "zero-rows": [{ "respond": 404 }] } } },
        { "update-where": { "table": "db.orders", "where": { "id": { "field": "order" }, "status": "NEW" },
                            "set": { "status": "PAID", "total": { "row": "total" } } } },
        { "insert": { "into": "db.notes", "row": { "text": { "row": "status" } } } },
        { "respond": 200 },
    ]);
    let orders = json!({ "key": "id", "columns": ["status", "total"],
                         "rows": [{ "id": "a", "status": "NEW", "total": 7 }] });
    let document = changed(
        shop(handler, json!(["0s", "1s"])),
        &[
            ("/components/db/tables/orders", orders),
            ("/components/feed/messages", json!([{ "order": "a" }, { "order": "b" }])),
        ],
    );
    check_run(
        &document,
        &[
            "0.100000 read db.orders api 1 rows 1",
            "0.200000 update db.orders api 1 rows 1",
            "0.300000 responded api feed 1 200",
            "1.100000 read db.orders api 2 rows 0",
            "1.100000 responded api feed 2 404",
        ],
    );
    let run = finished(&document);
    assert_eq!(table(&run, "orders").newest[0].values, ["a", "PAID", "7"]);
    assert_eq!(table(&run, "notes").newest[0].values, ["1", "NEW"]);
}

/// F-DUAL-1, F-DUAL-2: whichever write comes first, a crash between the two leaves one without the
/// other.
#[test]
fn a_crash_between_two_writes_loses_the_event_or_makes_one_up() {
    let crash = json!([fault("1s", json!({ "crash": { "component": "api" } }))]);
    let between = json!({ "wait": { "for": "2s" } });
    let insert = json!({ "insert": { "into": "db.orders" } });
    let publish = json!({ "publish": { "to": "jobs" } });
    let save_first = changed(
        shop(json!([insert, between, publish]), json!(["0s"])),
        &[("/faults", crash.clone())],
    );
    check_run(&save_first, &["1.000000 untold api 1", "!stored", "!phantom"]);
    let run = finished(&save_first);
    assert_eq!(rows(&run, "orders"), 1);
    assert!(
        breaks(&run, Property::NoChangeWithoutEvent)
            && !breaks(&run, Property::NoEventWithoutChange)
    );

    let publish_first =
        changed(shop(json!([publish, between, insert]), json!(["0s"])), &[("/faults", crash)]);
    check_run(
        &publish_first,
        &["0.000000 stored jobs 1 visible 0.000000", "1.000000 phantom api 1", "!untold"],
    );
    let run = finished(&publish_first);
    assert_eq!(rows(&run, "orders"), 0);
    assert!(
        breaks(&run, Property::NoEventWithoutChange)
            && !breaks(&run, Property::NoChangeWithoutEvent)
    );
}

/// F-DUAL-2: the database refuses what was already told.
#[test]
fn a_rollback_after_a_publish_is_a_phantom() {
    let handler = json!([
        { "begin": { "in": "db" } }, { "insert": { "into": "db.orders" } },
        { "publish": { "to": "jobs" } }, "rollback", { "respond": 409 },
    ]);
    let run = finished(&shop(handler, json!(["0s"])));
    assert!(breaks(&run, Property::NoEventWithoutChange));
    assert_eq!(rows(&run, "orders"), 0);
}

/// F-2PC-1, F-2PC-2: rows are held as long as the slowest takes to vote, and for as long as a dead
/// coordinator stays away.
#[test]
fn two_phase_commit_holds_rows_until_the_coordinator_has_decided() {
    let handler = json!([
        { "begin": { "in": "db" } },
        { "update-where": { "table": "db.stock", "where": { "wine": "rioja" }, "add": { "left": -1 } } },
        { "begin": { "in": "bank" } },
        { "insert": { "into": "bank.charges", "takes": "0s" } },
        { "commit": { "how": "two-phase" } },
        { "respond": 201 },
    ]);
    let stock =
        json!({ "key": "wine", "columns": ["left"], "rows": [{ "wine": "rioja", "left": 5 }] });
    let bank = json!({ "is": "database", "latency": "30s", "tables": { "charges": { "columns": ["sum"] } } });
    let document = changed(
        shop(handler, json!(["0s", "2s"])),
        &[
            ("/components/db/tables/stock", stock),
            ("/components/bank", bank),
            ("/components/api/restart_after", json!("20s")),
        ],
    );
    check_run(
        &document,
        &[
            "0.200000 prepared db api 1",
            "2.100000 row-awaited db api 2",
            "30.200000 prepared bank api 1",
            "30.300000 rows-committed db api 1",
            "30.300000 update db.stock api 2 rows 1",
            "60.300000 rows-committed bank api 1",
        ],
    );
    let run = finished(&document);
    let db = run.scenario().find("db").expect("it is there");
    let reads = |gauge, at: u64| run.gauge(gauge).value_at(sim::SimTime::from_millis(at));
    let waiting = |at| reads(player::Gauge::RowsWaiting(db), at);
    assert_eq!((waiting(2_000), waiting(2_100), waiting(30_300)), (0.0, 1.0, 0.0));
    let statements = |at| reads(player::Gauge::Statements(db), at);
    assert_eq!((statements(50), statements(2_100), statements(30_300)), (0.0, 1.0, 2.0));
    let crash = |at| ("/faults", json!([fault(at, json!({ "crash": { "component": "api" } }))]));
    // Before all have voted: nothing is decided, and the coordinator aborts when it is back.
    check_run(
        &changed(document.clone(), &[crash("5s")]),
        &[
            "5.000000 crashed api.1 holding 1",
            "5.000000 rows-rolled-back bank api 1",
            "5.000000 in-doubt db api 1",
            "25.000000 restarted api.1",
            "25.000000 rows-rolled-back db api 1",
            "!rows-committed",
        ],
    );
    // After that the decision stands on its disk.
    check_run(
        &changed(document, &[crash("30250ms")]),
        &[
            "30.250000 in-doubt db api 1",
            "30.250000 in-doubt bank api 1",
            "50.250000 rows-committed db api 1",
            "50.250000 rows-committed bank api 1",
        ],
    );
}
