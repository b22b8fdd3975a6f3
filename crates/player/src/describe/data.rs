//! Databases, and what works on them, in a frame.

use scenario::wire::Value;

use super::parts::{long, moment};
use super::{maybe, whole};
use crate::{DatabaseFrame, TableFrame};

pub(super) fn database(database: &DatabaseFrame) -> Value {
    Value::record([
        ("tables", Value::list(database.tables.iter().map(table))),
        ("open", whole(database.open)),
        ("waiting", whole(database.waiting)),
        ("prepared", whole(database.prepared)),
        ("commits", whole(database.commits)),
        ("rollbacks", whole(database.rollbacks)),
        ("retained_bytes", long(database.retained_bytes)),
        ("full_since", moment(database.full_since)),
    ])
}

fn table(table: &TableFrame) -> Value {
    let texts = |texts: &[String]| Value::list(texts.iter().map(Value::text));
    let unsent = table.unsent.map(|unsent| {
        Value::record([("count", whole(unsent.count)), ("since", moment(unsent.since))])
    });
    Value::record([
        ("name", Value::text(&table.name)),
        ("columns", texts(&table.columns)),
        ("rows", whole(table.rows)),
        ("newest", Value::list(table.newest.iter().map(|row| texts(&row.values)))),
        ("unsent", maybe(unsent)),
    ])
}
