//! The rules of state that is a fold over a log, each as a run: views are rows that a group of its own
//! keeps by reading records in order.

#![allow(clippy::needless_pass_by_value, reason = "what json! makes is handed over")]

use player::ComponentFrame;
use serde_json::{Value as Json, json};
use tests::runs::{changed, check_run, finished};

/// A log of these prices, a view that takes them from the start, and one that is started at 10 s.
fn priced(prices: &[u32]) -> Json {
    let bodies: Vec<Json> = prices.iter().map(|usd| json!({ "usd": usd })).collect();
    let view = |table: &str, group: &str, running: u32| {
        json!({ "is": "workers", "from": "prices", "running": running,
                "group": { "name": group, "initial_delay": "0s", "auto_offset_reset": "earliest" },
                "on_message": [
                    { "update-where": { "table": table, "where": { "id": "wine" }, "set": { "usd": { "field": "usd" } } } },
                    "ack" ] })
    };
    let table = json!({ "key": "id", "columns": ["usd"], "rows": [{ "id": "wine", "usd": 0 }] });
    json!({
        "format": 1, "name": "test", "seed": "1", "until": "60s",
        "components": {
            "desk": { "is": "source", "to": "prices", "messages": bodies,
                      "arrivals": { "every": { "interval": "1s", "count": prices.len() } } },
            "prices": { "is": "log", "profile": "kafka", "partitions": 1 },
            "early": view("db.early", "early", 1),
            "late": view("db.late", "late", 0),
            "db": { "is": "database", "tables": { "early": table, "late": table } },
        },
        "interventions": [{ "at": "10s", "scale": { "component": "late", "to": 1 } }],
    })
}

/// What a view holds in the end.
fn price(document: &Json, view: &str) -> String {
    let mut run = finished(document);
    run.seek(run.end());
    let id = run.scenario().find("db").expect("the database is there");
    let ComponentFrame::Database(frame) = &run.frame().components[id.index()] else {
        panic!("it is a database")
    };
    let table = frame.tables.iter().find(|it| it.name == view).expect("the table is there");
    table.newest[0].values[1].clone()
}

/// F-ES-1.
#[test]
fn a_view_is_the_sum_of_its_log_in_the_order_of_the_log() {
    assert_eq!(price(&priced(&[189, 154, 161]), "early"), "161");
    assert_eq!(price(&priced(&[189, 161, 154]), "early"), "154");
}

/// F-ES-2.
#[test]
fn a_view_is_built_anew_beside_the_old_one_from_the_first_record_on() {
    let document = priced(&[189, 154, 161]);
    check_run(
        &document,
        &[
            "0.000000 update db.early early 1 rows 1",
            "2.000000 update db.early early 3 rows 1",
            "10.000000 update db.late late 1 rows 1",
            "10.000000 update db.late late 2 rows 1",
            "10.000000 update db.late late 3 rows 1",
        ],
    );
    assert_eq!(price(&document, "late"), "161");
    // To read again with the same code is to be as wrong as before.
    let wrong = json!([{ "update-where": { "table": "db.early", "where": { "id": "wine" },
                                           "set": { "usd": 7 } } }, "ack"]);
    let again = json!([{ "at": "20s", "rewind": { "component": "early", "to": "earliest" } }]);
    let document =
        changed(document, &[("/components/early/on_message", wrong), ("/interventions", again)]);
    check_run(&document, &["20.000000 update db.early early 1 rows 1"]);
    assert_eq!(price(&document, "early"), "7");
}
