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
