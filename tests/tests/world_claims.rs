//! The rules of claims with a lock in a key-value store, each as a run: a table whose rows last for a
//! time, and handlers that lock, work and note that it is done.

#![allow(clippy::needless_pass_by_value, reason = "what json! makes is handed over")]

use player::{Finding, Gauge, Player};
use scenario::Property;
use serde_json::{Value as Json, json};
use tests::runs::{changed, check_run, finished};

/// One message whose worker takes a lock of 60 s, sends for a second and notes that it is done;
/// `locked` is what a worker does that finds the lock.
fn claims(locked: Json, frees: Json) -> Json {
    let event = json!({ "message": "event" });
    json!({
        "format": 1, "name": "test", "seed": "1", "until": "300s",
        "components": {
            "feed": { "is": "source", "to": "jobs", "arrivals": { "at": ["0s"] } },
            "jobs": { "is": "queue", "profile": "sqs-standard", "visibility_timeout": "30s" },
            "crew": { "is": "workers", "from": "jobs", "count": 2, "on_message": [
                { "read": { "from": "keys.done", "where": { "work": event }, "on": { "found": ["ack"] } } },
                { "insert-or-skip": { "into": "keys.locks",
                    "row": { "work": event, "owner": { "message": "token" } }, "on": { "conflict": locked } } },
                { "call": { "to": "mail" } },
                { "insert-or-skip": { "into": "keys.done", "row": { "work": event } } },
                { "delete": { "from": "keys.locks", "where": frees } },
                "ack",
            ] },
            "keys": { "is": "database", "tables": {
                "locks": { "key": "work", "columns": ["owner"], "rows_last": "60s" },
                "done": { "key": "work", "rows_last": "7d" } } },
            "mail": { "is": "external", "latency": "1s", "if_caller_dies": "stops" },
        },
        "properties": ["no message lost", "no effect twice"],
    })
}

fn whoevers() -> Json {
    json!({ "work": { "message": "event" } })
}

fn own() -> Json {
    json!({ "work": { "message": "event" }, "owner": { "message": "token" } })
}

fn crash(at: &str) -> (&'static str, Json) {
    ("/faults", json!([{ "at": at, "crash": { "component": "crew", "instance": 1 } }]))
}

fn breaks(document: &Json, property: Property) -> bool {
    let verdicts = finished(document).verdicts();
    let verdict = verdicts.into_iter().find(|verdict| verdict.property == property);
    !matches!(verdict.expect("it is judged").finding, Finding::Holds)
}

/// How many rows a table of `keys` has at a time: 0 for what is done, 1 for the locks.
fn rows(run: &Player, table: u16, at: u64) -> f64 {
    let keys = run.scenario().find("keys").expect("the store is there");
    run.gauge(Gauge::Rows(keys, table)).value_at(sim::SimTime::from_secs(at))
}

/// F-LOCK-3.
#[test]
fn acking_on_anothers_lock_loses_the_work_of_one_who_has_died() {
    let document = changed(claims(json!(["ack"]), whoevers()), &[crash("900ms")]);
    check_run(
        &document,
        &[
            "30.000000 insert keys.locks crew 1 rows 0",
            "30.000000 acked jobs 1 crew.2",
            "30.000000 lost 1",
            "60.000000 rows-expired keys.locks rows 1",
            "!effected mail",
        ],
    );
    assert!(breaks(&document, Property::NoMessageLost));
}

#[test]
fn who_gives_the_message_back_takes_the_lock_at_the_instant_at_which_it_ends() {
    let back = json!([{ "nack": { "delay": "30s" } }]);
    let document = changed(claims(back, whoevers()), &[crash("900ms")]);
    check_run(
        &document,
        &[
            "60.000000 rows-expired keys.locks rows 1",
            "60.000000 insert keys.locks crew 1 rows 1",
            "61.000000 effected mail 1 crew.2 nth 1",
        ],
    );
    assert!(!breaks(&document, Property::NoMessageLost));
}

#[test]
fn a_lock_that_ends_before_the_message_comes_back_loses_nothing() {
    let later = ("/components/jobs/visibility_timeout", json!("90s"));
    let document = changed(claims(json!(["ack"]), whoevers()), &[crash("900ms"), later]);
    check_run(
        &document,
        &["90.000000 lapsed jobs 1 count 1", "91.000000 effected mail 1 crew.2 nth 1"],
    );
}

/// F-LOCK-4.
#[test]
fn work_that_outlasts_its_lock_is_done_twice_and_frees_anothers_unless_it_compares() {
    let slow = [
        ("/components/jobs/visibility_timeout", json!("65s")),
        ("/components/mail/latency", json!("70s")),
    ];
    let unchecked = changed(claims(json!(["ack"]), whoevers()), &slow);
    check_run(
        &unchecked,
        &[
            "65.000000 insert keys.locks crew 1 rows 1",
            "70.000000 effected mail 1 crew.1 nth 1",
            "70.000000 delete keys.locks crew 1 rows 1",
            "135.000000 effected mail 1 crew.2 nth 2",
        ],
    );
    assert!(breaks(&unchecked, Property::NoEffectTwice));
    assert!(rows(&finished(&unchecked), 1, 71) < 0.5);
    let compared = changed(claims(json!(["ack"]), own()), &slow);
    check_run(&compared, &["70.000000 delete keys.locks crew 1 rows 0"]);
    let run = finished(&compared);
    assert!((rows(&run, 0, 71) - 1.0).abs() < 0.5 && (rows(&run, 1, 71) - 1.0).abs() < 0.5);
}

/// F-LOCK-1: what is written into rows that pass is a note and no work.
#[test]
fn dying_between_the_work_and_its_note_does_it_again() {
    let back = json!([{ "nack": { "delay": "30s" } }]);
    let mut document = claims(back, own());
    document["components"]["crew"]["on_message"][3]["insert-or-skip"]["takes"] = json!("200ms");
    let document = changed(document, &[crash("1100ms")]);
    check_run(
        &document,
        &["1.000000 effected mail 1 crew.1 nth 1", "61.000000 effected mail 1 crew.2 nth 2"],
    );
    assert!(
        !breaks(&document, Property::NoMessageLost) && breaks(&document, Property::NoEffectTwice)
    );
}

#[test]
fn a_rows_time_begins_anew_with_each_write_and_a_row_in_use_is_left_to_its_user() {
    let n = json!({ "id": "only" });
    let document = changed(
        claims(json!(["ack"]), own()),
        &[
            ("/components/feed/arrivals", json!({ "at": ["0s", "40s", "99s"] })),
            (
                "/components/keys/tables/locks",
                json!({ "key": "id", "columns": ["by"], "rows_last": "60s",
                                                      "rows": [{ "id": "only", "by": 0 }] }),
            ),
            (
                "/components/crew/on_message",
                json!([
                    { "begin": { "in": "keys" } },
                    { "update-where": { "table": "keys.locks", "where": n, "set": { "by": 1 } } },
                    { "wait": { "for": "2s" } }, "commit", "ack",
                ]),
            ),
        ],
    );
    // Written at 2 s and 42 s; held from 99 s to 101 s, past its end at 102 s by the last write.
    check_run(
        &document,
        &["101.000000 rows-committed keys crew 3", "161.000000 rows-expired keys.locks rows 1"],
    );
    let mut rolls = document;
    rolls["components"]["crew"]["on_message"][3] = json!("rollback");
    // Nothing was ever written, so its time is that of the start.
    check_run(
        &rolls,
        &["60.000000 rows-expired keys.locks rows 1", "99.000000 update keys.locks crew 3 rows 0"],
    );
}
