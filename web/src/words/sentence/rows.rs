//! What happens in databases, as sentences.

use scenario::Kind;
use world::{Did, TraceEvent, What};

use super::{Make, Sentence};

/// The sentence of an event of databases.
#[inline(never)]
pub(super) fn rows(made: &Make, event: &TraceEvent) -> Option<Sentence> {
    Some(match event.what {
        What::Executed { database, table, by, message, did, rows } => {
            let key = match (did, rows) {
                (Did::Insert, 0) => "event.executed.conflict",
                (Did::Insert, _) => "event.executed.insert",
                (_, 0) => "event.executed.none",
                (Did::Update, _) => "event.executed.update",
                (Did::Delete, _) => "event.executed.delete",
                (Did::Read, _) => "event.executed.read",
            };
            let table = match &made.names.scenario().component(database).kind {
                Kind::Database(spec) => spec.tables[usize::from(table)].name.clone(),
                _ => String::new(),
            };
            made.about(key, message)
                .part("by", by)
                .text("table", table)
                .text("rows", rows.to_string())
                .done()
        }
        What::RowAwaited { database, by, message } => {
            made.about("event.row_awaited", message).part("by", by).part("db", database).done()
        }
        What::RowsCommitted { database, by, message } => {
            made.about("event.rows_committed", message).part("by", by).part("db", database).done()
        }
        What::RowsRolledBack { database, by, message } => {
            made.about("event.rows_rolled_back", message).part("by", by).part("db", database).done()
        }
        What::Prepared { database, by, message } => {
            made.about("event.prepared", message).part("by", by).part("db", database).done()
        }
        What::InDoubt { database, by, message } => {
            made.about("event.in_doubt", message).part("by", by).part("db", database).done()
        }
        What::Relayed { relay, rows } => {
            made.of("event.relayed").worker(relay).text("rows", rows.to_string()).done()
        }
        What::DiskFull { database } => made.of("event.disk_full").part("db", database).done(),
        What::DiskFreed { database } => made.of("event.disk_freed").part("db", database).done(),
        What::Phantom { by, message } => made.about("event.phantom", message).part("by", by).done(),
        What::Untold { by, message } => made.about("event.untold", message).part("by", by).done(),
        What::Replayed { external, message, .. } => {
            made.about("event.replayed", message).part("external", external).done()
        }
        _ => return None,
    })
}
