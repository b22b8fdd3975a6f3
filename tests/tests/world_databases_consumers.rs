//! The rules of idempotent consumers as runs: ledgers, keys, and writes that may be made twice.

#![allow(clippy::needless_pass_by_value, reason = "what json! makes is handed over")]

use player::Player;
use scenario::Property;
use serde_json::{Value as Json, json};
use tests::databases::{breaks, fault, rows, shop, table};
use tests::runs::{changed, check_run, finished, trace_text};

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
