//! The lines of databases.

use std::fmt::{self, Write};

use scenario::{ComponentId, Kind, Scenario};

use super::{Line, Word};
use crate::{Did, What};

impl<W: Write> Line<'_, W> {
    /// The events of databases.
    pub(super) fn rows(&mut self, what: What) -> fmt::Result {
        match what {
            What::Executed { database, table, by, message, did, rows } => {
                self.words(did.verb(), &[&Table(database, table), &by, &message, &"rows", &rows])
            }
            What::RowAwaited { database, by, message } => {
                self.words("row-awaited", &[&database, &by, &message])
            }
            What::RowsCommitted { database, by, message } => {
                self.words("rows-committed", &[&database, &by, &message])
            }
            What::RowsRolledBack { database, by, message } => {
                self.words("rows-rolled-back", &[&database, &by, &message])
            }
            What::Prepared { database, by, message } => {
                self.words("prepared", &[&database, &by, &message])
            }
            What::InDoubt { database, by, message } => {
                self.words("in-doubt", &[&database, &by, &message])
            }
            What::Phantom { by, message } => self.words("phantom", &[&by, &message]),
            What::Untold { by, message } => self.words("untold", &[&by, &message]),
            What::Relayed { relay, rows } => self.words("relayed", &[&relay, &"rows", &rows]),
            What::DiskFull { database } => self.words("disk-full", &[&database]),
            What::DiskFreed { database } => self.words("disk-freed", &[&database]),
            What::Replayed { external, message, caller } => {
                self.words("replayed", &[&external, &message, &caller])
            }
            // Printing it would carry every event's Debug into the module.
            _ => unreachable!("the others are written above"),
        }
    }
}

impl Did {
    fn verb(self) -> &'static str {
        match self {
            Self::Insert => "insert",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Read => "read",
        }
    }
}

/// A table: `db.orders`.
struct Table(ComponentId, u16);

impl Word for Table {
    fn write(&self, scenario: &Scenario, out: &mut dyn Write) -> fmt::Result {
        self.0.write(scenario, out)?;
        match &scenario.component(self.0).kind {
            Kind::Database(spec) => {
                write!(out, ".{}", spec.tables[usize::from(self.1)].name)
            }
            _ => Ok(()),
        }
    }
}
