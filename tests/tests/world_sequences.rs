//! The rules of messages with a number each, as runs: a handler counts in a row, parks what is early
//! and works off what is parked, row by row.

#![allow(clippy::needless_pass_by_value, reason = "what json! makes is handed over")]

use player::Finding;
use scenario::Property;
use serde_json::{Value as Json, json};
use tests::runs::{changed, check_run, finished};

/// Messages with these numbers, one a second, at a gate that drops, parks or applies.
fn gate(numbers: &[u32]) -> Json {
    let bodies: Vec<Json> = numbers.iter().map(|n| json!({ "n": n })).collect();
    let n = json!({ "field": "n" });
    let next = json!({ "row": "next" });
    json!({
        "format": 1, "name": "test", "seed": "1", "until": "300s",
        "components": {
            "feed": { "is": "source", "to": "jobs", "messages": bodies,
                      "arrivals": { "every": { "interval": "1s", "count": numbers.len() } } },
            "jobs": { "is": "queue", "profile": "sqs-standard" },
            "crew": { "is": "workers", "from": "jobs", "restart_after": "1s", "on_message": [
                { "begin": { "in": "db" } },
                { "read": { "from": "db.gate", "where": { "next": { "at_most": n } },
                            "on": { "zero-rows": [{ "insert": { "into": "db.repeats" } }, "commit", "ack"] } } },
                { "insert-or-skip": { "into": "db.bay", "row": { "n": n },
                            "on": { "conflict": [{ "insert": { "into": "db.repeats" } }, "commit", "ack"] } } },
                { "read": { "label": "look", "from": "db.gate", "where": { "id": "only" } } },
                { "read": { "from": "db.bay", "where": { "n": next }, "on": { "zero-rows": ["commit", "ack"] } } },
                { "insert": { "into": "db.applied", "row": { "n": { "row": "n" } } } },
                { "delete": { "from": "db.bay", "where": { "n": { "row": "n" } } } },
                { "update-where": { "table": "db.gate", "where": { "id": "only" }, "add": { "next": 1 }, "then": "look" } },
            ] },
            "db": { "is": "database", "tables": {
                "gate": { "key": "id", "columns": ["next"], "rows": [{ "id": "only", "next": 1 }] },
                "bay": { "key": "n" }, "applied": { "columns": ["n"] }, "repeats": {},
            } },
        },
        "properties": ["no message lost", "no effect twice"],
    })
}

/// What is in a table in the end, the oldest row first.
fn rows(document: &Json, table: &str) -> Vec<String> {
    let mut run = finished(document);
    run.seek(run.end());
    let id = run.scenario().find("db").expect("the database is there");
    let player::ComponentFrame::Database(frame) = &run.frame().components[id.index()] else {
        panic!("it is a database")
    };
    let table = frame.tables.iter().find(|it| it.name == table).expect("the table is there");
    let mut newest: Vec<_> = table.newest.iter().map(|row| row.values.join(" ")).collect();
    newest.reverse();
    newest
}

fn holds(document: &Json, property: Property) -> bool {
    let verdicts = finished(document).verdicts();
    let verdict = verdicts.into_iter().find(|verdict| verdict.property == property);
    matches!(verdict.expect("it is judged").finding, Finding::Holds)
}

/// F-SEQ-1.
#[test]
fn what_was_had_is_dropped_what_is_early_is_parked_and_a_filled_gap_releases_all() {
    let document = gate(&[1, 2, 2, 4, 3, 5]);
    assert_eq!(rows(&document, "applied"), ["1 1", "2 2", "3 3", "4 4", "5 5"]);
    assert_eq!((rows(&document, "repeats").len(), rows(&document, "bay").len()), (1, 0));
    check_run(
        &document,
        &[
            "2.000000 insert db.repeats crew 3 rows 1",
            "3.000000 insert db.bay crew 4 rows 1",
            "3.000000 rows-committed db crew 4",
            "4.000000 insert db.applied crew 5 rows 1",
            "4.000000 insert db.applied crew 5 rows 1",
            "4.000000 read db.bay crew 5 rows 0",
        ],
    );
    // What is parked is not lost, and lines that run again for the next row do nothing twice.
    assert!(holds(&document, Property::NoMessageLost) && holds(&document, Property::NoEffectTwice));
}

/// F-SEQ-2.
#[test]
fn behind_a_gap_that_nobody_fills_all_stay_parked() {
    let document = gate(&[1, 2, 5, 4, 4]);
    assert_eq!(rows(&document, "applied"), ["1 1", "2 2"]);
    assert_eq!((rows(&document, "repeats").len(), rows(&document, "bay").len()), (1, 2));
    assert!(holds(&document, Property::NoMessageLost));
}

#[test]
fn a_crash_among_the_lines_that_are_repeated_leaves_nothing_half_applied() {
    let slow = json!("100ms");
    let document = changed(gate(&[3, 2, 1]), &[("/components/db/latency", slow)]);
    let whole = rows(&document, "applied");
    // After the second row of three has been applied, and nothing is committed.
    let crash = json!([{ "at": "3500ms", "crash": { "component": "crew" } }]);
    let crashed = changed(document.clone(), &[("/faults", crash)]);
    check_run(&crashed, &["3.500000 rows-rolled-back db crew 3"]);
    let numbers = |rows: &[String]| -> Vec<String> {
        rows.iter().filter_map(|row| Some(row.split_once(' ')?.1.to_owned())).collect()
    };
    assert_eq!(numbers(&whole), ["1", "2", "3"]);
    assert_eq!(numbers(&rows(&crashed, "applied")), ["1", "2", "3"]);
}

#[test]
fn a_circle_without_an_end_ends_the_run_at_a_limit() {
    let lines = json!([{ "read": { "label": "look", "from": "db.gate", "where": { "id": "only" }, "then": "look" } }, "ack"]);
    let document = changed(gate(&[1]), &[("/components/crew/on_message", lines)]);
    let run = finished(&document);
    let last = run.trace().last().expect("something happened");
    assert!(matches!(last.what, world::What::Ended { why: world::Ending::Limit(_) }), "{last:?}");
}
