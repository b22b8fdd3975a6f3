//! The rules of databases in handlers, each as a run: transactions, waiting for rows, dual writes,
//! inboxes, two-phase commit.

#![allow(clippy::needless_pass_by_value, reason = "what json! makes is handed over")]

use player::{ComponentFrame, DatabaseFrame, Finding, Player, TableFrame};
use scenario::Property;
use serde_json::{Value as Json, json};
use tests::runs::{changed, check_run, finished, trace_text};

/// A service `api` that is asked for an `order`, a database `db`, and a queue `jobs` for its events.
fn shop(handler: Json, at: Json) -> Json {
    json!({
        "format": 1, "name": "test", "seed": "1", "until": "300s",
        "components": {
            "feed": { "is": "source", "to": "api", "request": "order", "arrivals": { "at": at } },
            "api": { "is": "service", "handles": { "order": handler } },
            "db": { "is": "database", "latency": "100ms", "tables": {
                "orders": { "key": "id", "columns": ["status", "total"] },
                "notes": { "columns": ["text"] },
            } },
            "jobs": { "is": "queue", "profile": "sqs-standard" },
        },
        "properties": ["no event without its change", "no change without its event", "no effect twice"],
    })
}

fn fault(at: &str, what: Json) -> Json {
    let mut fault = json!({ "at": at });
    for (word, inner) in what.as_object().expect("a fault is a record") {
        fault[word] = inner.clone();
    }
    fault
}

fn database(player: &Player, name: &str) -> DatabaseFrame {
    let id = player.scenario().find(name).expect("the database is there");
    let mut player = Player::new((**player.scenario()).clone());
    player.finish();
    player.seek(player.end());
    match &player.frame().components[id.index()] {
        ComponentFrame::Database(database) => database.clone(),
        _ => panic!("{name} is no database"),
    }
}

/// A table of `db` at the end of a run.
fn table(player: &Player, name: &str) -> TableFrame {
    let tables = database(player, "db").tables;
    tables.into_iter().find(|table| table.name == name).expect("the table is there")
}

/// How many rows a table of `db` has at the end of a run.
fn rows(player: &Player, name: &str) -> u32 {
    table(player, name).rows
}

fn breaks(player: &Player, property: Property) -> bool {
    let verdicts = player.verdicts();
    let verdict = verdicts.iter().find(|verdict| verdict.property == property);
    !matches!(verdict.expect("it is judged").finding, Finding::Holds)
}

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

/// A worker `crew` that takes from `jobs`, and writes into `db`.
fn consumer(lines: Json) -> Json {
    json!({
        "format": 1, "name": "test", "seed": "1", "until": "300s",
        "components": {
            "feed": { "is": "source", "to": "jobs", "arrivals": { "at": ["0s"] } },
            "jobs": { "is": "queue", "profile": "sqs-standard", "visibility_timeout": "10s" },
            "crew": { "is": "workers", "from": "jobs", "on_message": lines, "restart_after": "1s" },
            "db": { "is": "database", "tables": {
                "inbox": { "key": ["consumer", "event"] },
                "effects": { "columns": ["text"] },
            } },
        },
        "properties": ["no message lost", "no effect twice"],
    })
}

/// F-LEDG-3: the ledger and the effect in one transaction, in two, and in two the other way round,
/// with a crash before the last of it.
#[test]
fn the_ledger_belongs_into_the_transaction_of_the_effect() {
    let ledger = json!({ "insert-or-skip": { "into": "db.inbox", "on": { "conflict": ["ack"] } } });
    let effect = json!({ "insert": { "into": "db.effects" } });
    let wait = json!({ "wait": { "for": "2s" } });
    let begin = json!({ "begin": { "in": "db" } });
    let crash = json!([fault("1s", json!({ "crash": { "component": "crew" } }))]);
    let check = |lines: Json, effects: u32, lost: bool, twice: bool| {
        let run = finished(&changed(consumer(lines), &[("/faults", crash.clone())]));
        assert_eq!(rows(&run, "effects"), effects, "{}", trace_text(&run));
        assert_eq!(breaks(&run, Property::NoMessageLost), lost, "{}", trace_text(&run));
        assert_eq!(breaks(&run, Property::NoEffectTwice), twice, "{}", trace_text(&run));
    };
    check(json!([begin, ledger, wait, effect, "commit", "ack"]), 1, false, false);
    check(json!([ledger, wait, effect, "ack"]), 0, true, false);
    check(json!([effect, wait, ledger, "ack"]), 2, false, true);
    // After the commit and before the ack: the second delivery finds it done.
    check(json!([begin, ledger, effect, "commit", wait, "ack"]), 1, false, false);
}

/// F-LEDG-1, F-LEDG-2: a ledger keyed by the event alone lets the first consumer silence the others.
#[test]
fn a_ledger_is_kept_for_each_consumer() {
    let document = |key: Json| {
        let lines = json!([
            { "begin": { "in": "db" } },
            { "insert-or-skip": { "into": "db.inbox", "on": { "conflict": ["ack"] } } },
            { "insert": { "into": "db.effects" } }, "commit", "ack",
        ]);
        let mut document = consumer(lines.clone());
        let parts = &mut document["components"];
        parts["db"]["tables"]["inbox"]["key"] = key;
        parts["feed"]["to"] = json!("news");
        let mut bindings = Vec::new();
        for n in 1..=3 {
            let queue = format!("q{n}");
            bindings.push(json!({ "queue": queue }));
            parts[&queue] = json!({ "is": "queue", "profile": "sqs-standard" });
            parts[format!("crew{n}")] =
                json!({ "is": "workers", "from": queue, "on_message": lines });
        }
        parts["news"] = json!({ "is": "topic", "to": bindings });
        document
    };
    let effects = |key| rows(&finished(&document(key)), "effects");
    assert_eq!(effects(json!("event")), 1);
    assert_eq!(effects(json!(["consumer", "event"])), 3);
}

/// F-LEDG-7: the broker's number changes when an event is published again, the event's id does not.
#[test]
fn an_event_keeps_its_id_when_it_is_published_again() {
    let document = |by: &str| {
        let lines = json!([
            { "insert-or-skip": { "into": "db.seen", "row": { "id": { "message": by } },
                                  "on": { "conflict": ["ack"] } } },
            { "insert": { "into": "db.effects" } }, "ack",
        ]);
        let again = json!([{ "publish": { "to": "jobs" } }, { "publish": { "to": "jobs" } }, { "respond": 202 }]);
        changed(
            consumer(lines),
            &[
                ("/components/db/tables/seen", json!({ "key": "id" })),
                ("/components/api", json!({ "is": "service", "handles": { "order": again } })),
                ("/components/feed/to", json!("api")),
                ("/components/feed/request", json!("order")),
            ],
        )
    };
    assert_eq!(rows(&finished(&document("number")), "effects"), 2);
    assert_eq!(rows(&finished(&document("event")), "effects"), 1);
    assert!(breaks(&finished(&document("number")), Property::NoEffectTwice));
}

/// F-IDEM-1: a status that is set twice is set once, an addition is not.
#[test]
fn setting_is_idempotent_and_adding_is_not() {
    let document = |change: Json| {
        let mut update = json!({ "table": "db.accounts", "where": { "id": "a" } });
        update["on"] = json!({});
        for (word, value) in change.as_object().expect("set or add") {
            update[word] = value.clone();
        }
        let lines = json!([{ "update-where": update }, { "wait": { "for": "2s" } }, "ack"]);
        let accounts =
            json!({ "key": "id", "columns": ["balance"], "rows": [{ "id": "a", "balance": 100 }] });
        let crash = json!([fault("1s", json!({ "crash": { "component": "crew" } }))]);
        changed(
            consumer(lines),
            &[("/components/db/tables/accounts", accounts), ("/faults", crash)],
        )
    };
    let balance = |run: &Player| table(run, "accounts").newest[0].values[1].clone();
    let set = finished(&document(json!({ "set": { "balance": 110 } })));
    assert_eq!((balance(&set).as_str(), breaks(&set, Property::NoEffectTwice)), ("110", false));
    let added = finished(&document(json!({ "add": { "balance": 10 } })));
    assert_eq!((balance(&added).as_str(), breaks(&added, Property::NoEffectTwice)), ("120", true));
}

/// F-FSM-2: the update names the status that it expects.
#[test]
fn a_conditional_update_moves_an_order_once() {
    let moves = |from: &str, to: &str| {
        json!({ "update-where": { "table": "db.orders", "where": { "id": "o", "status": from },
                                  "set": { "status": to } } })
    };
    let orders =
        json!({ "key": "id", "columns": ["status"], "rows": [{ "id": "o", "status": "PLACED" }] });
    let handler = json!([
        moves("PLACED", "PAID"),
        moves("PLACED", "PAID"),
        moves("ALLOCATED", "SHIPPED"),
        moves("PAID", "ALLOCATED"),
    ]);
    let document =
        changed(shop(handler, json!(["0s"])), &[("/components/db/tables/orders", orders)]);
    check_run(
        &document,
        &[
            "0.100000 update db.orders api 1 rows 1",
            "0.200000 update db.orders api 1 rows 0",
            "0.300000 update db.orders api 1 rows 0",
            "0.400000 update db.orders api 1 rows 1",
        ],
    );
    let orders = table(&finished(&document), "orders");
    assert_eq!(orders.newest[0].values, ["o", "ALLOCATED"]);
    assert_eq!(orders.only.as_deref(), Some("ALLOCATED"), "it was there from the start");
}

/// F-DUP-3, F-IDEM-2: a provider that knows the key of a call does not send a second mail.
#[test]
fn a_second_call_with_the_same_key_has_no_second_effect() {
    let document = |key: Json, window: &str| {
        let lines = json!([
            { "call": { "to": "mail", "idempotency_key": key } }, { "wait": { "for": "2s" } }, "ack",
        ]);
        let mail =
            json!({ "is": "external", "latency": "100ms", "idempotency": { "window": window } });
        let crash = |at| fault(at, json!({ "crash": { "component": "crew" } }));
        changed(
            consumer(lines),
            &[("/components/mail", mail), ("/faults", json!([crash("1s"), crash("11s")]))],
        )
    };
    check_run(
        &document(json!({ "message": "event" }), "1h"),
        &[
            "0.100000 effected mail 1 crew.1 nth 1",
            "10.100000 replayed mail 1 crew.1",
            "20.100000 replayed mail 1 crew.1",
            "22.100000 acked jobs 1 crew.1",
            "!nth 2",
            "!lost",
        ],
    );
    // The keys are forgotten after their time, and then it is done again.
    check_run(
        &document(json!({ "message": "event" }), "5s"),
        &["20.100000 effected mail 1 crew.1 nth 3"],
    );
    check_run(&document(Json::Null, "1h"), &["20.100000 effected mail 1 crew.1 nth 3"]);
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
