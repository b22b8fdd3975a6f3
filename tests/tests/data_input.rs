//! What is wrong with databases and statements is said with its place and its repair.

use scenario::Scenario;
use scenario::wire::{Diagnostics, Reader};
use serde_json::{Value as Json, json};
use tests::runs::with;

/// Whether a scenario with a database `db` and these changes is refused in these words.
#[track_caller]
fn check(changes: &[(&str, Json)], wanted: &str) {
    let db = json!({ "is": "database", "tables": {
        "orders": { "key": "id", "columns": ["status"] }, "outbox": { "outbox": true },
    } });
    let mut all = vec![("/components/db", db)];
    all.extend_from_slice(changes);
    let document = tests::documents::parse("test", &with(&all).to_string()).expect("well-formed");
    let sink = Diagnostics::new();
    let read = Scenario::read(&Reader::new(&document, &sink));
    let wrong: Vec<_> = sink.into_vec();
    let lines: Vec<_> =
        wrong.iter().map(|d| format!("{} | {} | {}", d.path, d.problem, d.repair)).collect();
    assert!(read.is_none(), "it was not refused");
    assert!(lines.iter().any(|line| line == wanted), "no\n{wanted}\nin\n{}", lines.join("\n"));
}

#[allow(clippy::needless_pass_by_value, reason = "a literal, written in place")]
fn line(line: Json) -> [(&'static str, Json); 1] {
    [("/components/crew/on_message", json!([line, "ack"]))]
}

#[test]
fn statements_name_tables_and_columns_that_are_there() {
    check(
        &line(json!({ "insert": { "into": "orders" } })),
        "/components/crew/on_message/0/insert/into | “orders” does not name a table | \
         write the database, a dot and the table, like \"db.orders\"",
    );
    check(
        &line(json!({ "insert": { "into": "dbs.orders" } })),
        "/components/crew/on_message/0/insert/into | “dbs” is not a database | did you mean “db”?",
    );
    check(
        &line(json!({ "insert": { "into": "db.order" } })),
        "/components/crew/on_message/0/insert/into | “order” is not a table of this database | \
         did you mean “orders”?",
    );
    check(
        &line(json!({ "insert": { "into": "db.orders", "row": { "state": "NEW" } } })),
        "/components/crew/on_message/0/insert/row/state | “state” is not a column of this table | \
         did you mean “status”?",
    );
}

#[test]
fn an_update_changes_columns_and_no_keys() {
    check(
        &line(json!({ "update-where": { "table": "db.orders", "where": {}, "set": { "id": 1 } } })),
        "/components/crew/on_message/0/update-where/set/id | the key of a row stays as it is | \
         set a column that is not its key",
    );
    check(
        &line(json!({ "update-where": { "table": "db.orders", "where": {} } })),
        "/components/crew/on_message/0/update-where | this update changes nothing | \
         add “set” or “add” with a column",
    );
}

#[test]
fn a_table_has_a_key_of_at_most_two_columns_and_no_column_twice() {
    check(
        &[("/components/db/tables/orders", json!({ "key": ["a", "b", "c"] }))],
        "/components/db/tables/orders | a key has one column or two | \
         leave the others among the columns",
    );
    check(
        &[("/components/db/tables/orders", json!({ "key": "id", "columns": ["id"] }))],
        "/components/db/tables/orders | two columns of this table have the same name | \
         rename one of them",
    );
    check(
        &[("/components/db/tables", json!({}))],
        "/components/db/tables | this database has no table | \
         name one, like { \"orders\": { \"key\": \"id\" } }",
    );
}

#[test]
fn a_saga_has_what_can_be_made_up_for_first() {
    let step = |name: &str, more: Json| {
        let mut step = json!({ "name": name, "call": { "to": "shop", "request": "do" } });
        for (field, value) in more.as_object().expect("a record") {
            step[field] = value.clone();
        }
        step
    };
    let undo = json!({ "compensate": { "to": "shop", "request": "undo" } });
    let answers = json!([{ "respond": 200 }]);
    let handles = json!({ "do": answers, "undo": answers });
    let shop = ("/components/shop", json!({ "is": "service", "handles": handles }));
    let saga = |steps: Json| json!({ "is": "orchestrator", "steps": steps });
    check(
        &[
            shop.clone(),
            ("/components/saga", saga(json!([step("a", json!({})), step("b", undo.clone())]))),
        ],
        "/components/saga/steps | step 1 can be compensated, but stands past the pivot | \
         put steps that can be made up for first, then one pivot, then retriable ones",
    );
    let mut both = undo;
    both["kind"] = json!("retriable");
    check(
        &[shop, ("/components/saga", saga(json!([step("a", both)])))],
        "/components/saga/steps/0 | a step past the point of no return is not made up for | \
         take out “compensate”, or “kind”",
    );
}

#[test]
fn a_schedule_is_one_that_a_clock_can_tell() {
    let clock = |fields: Json| {
        let mut clock = json!({ "is": "scheduler" });
        for (field, value) in fields.as_object().expect("a record") {
            clock[field] = value.clone();
        }
        [("/components/clock", clock)]
    };
    check(
        &clock(json!({ "every": "7s" })),
        "/components/clock/every | a clock cannot tell this interval | \
         write one that divides a minute, an hour or a day, or a “cron” expression",
    );
    check(
        &clock(json!({ "every": "1m", "start": "2026-02-30" })),
        "/components/clock/start | “2026-02-30” is not a moment | \
         write a date and time in UTC, like \"2026-03-29T00:30:00Z\"",
    );
}

#[test]
fn a_relay_reads_an_outbox() {
    let relay = json!({ "is": "relay", "from": "db.orders", "to": "jobs", "every": "1s" });
    check(
        &[("/components/relay", relay)],
        "/components/relay/from | “orders” is not an outbox | \
         write { \"outbox\": true } for this table",
    );
}
