//! Change data capture: a relay that reads the write-ahead log through a slot instead of asking the
//! table.
//!
//! It sees events in the order of commits, as soon as they commit, and never misses one. It takes
//! inserts into the outbox table and nothing else, so that a row can be deleted by the very
//! transaction that inserts it: the table stays empty and the log has told all. Debezium's outbox
//! event router (<https://debezium.io/documentation/reference/stable/transformations/outbox-event-router.html>)
//! and its PostgreSQL connector. At least once: after a crash it reads again from what it confirmed.

use sim::SimTime;

use super::table::{Entry, Outbox};
use crate::database::{Database, Lsn, Operation, SlotId, Wal};

/// A connector that publishes an outbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Capture {
    outbox: Outbox,
    slot: SlotId,
    /// How far it has read; lost in a crash.
    read: Lsn,
}

/// The events of one transaction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Captured {
    /// When it committed.
    pub committed_at: SimTime,
    /// What it wrote into the outbox, in order.
    pub entries: Vec<Entry>,
    /// What to confirm when they are published.
    pub end: Lsn,
}

impl Capture {
    /// A connector with a slot of its own. It tells of what commits from now on.
    pub fn create(outbox: Outbox, database: &mut Database) -> Self {
        let slot = database.wal_mut().create_slot();
        let read = database.wal().current();
        Self { outbox, slot, read }
    }

    /// Its slot.
    #[must_use]
    pub const fn slot(&self) -> SlotId {
        self.slot
    }

    /// The next transaction that wrote into the outbox; those that did not are passed over.
    pub fn next(&mut self, wal: &Wal) -> Option<Captured> {
        loop {
            let (end, committed_at, entries) = {
                let committed = wal.after(self.read).next()?;
                let inserts = committed.changes.iter().filter(|change| {
                    change.table == self.outbox.table() && change.operation == Operation::Insert
                });
                let entries: Vec<_> = inserts
                    .map(|change| Entry::of_change(change.key, committed.writer, &change.columns))
                    .collect();
                (committed.end, committed.at, entries)
            };
            self.read = end;
            if !entries.is_empty() {
                return Some(Captured { committed_at, entries, end });
            }
        }
    }

    /// Everything up to here is published.
    pub fn confirm(&self, wal: &mut Wal, end: Lsn) {
        wal.confirm(self.slot, end);
    }

    /// Lets the slot move on over what others wrote, if there is nothing of its own to read. Without
    /// it an idle outbox holds the whole log back.
    pub fn heartbeat(&mut self, wal: &mut Wal) {
        if wal.after(self.read).next().is_none() {
            self.read = wal.current();
            wal.confirm(self.slot, self.read);
        }
    }

    /// The connector dies and starts again from what it confirmed last.
    pub fn crash(&mut self, wal: &Wal) {
        if let Some(slot) = wal.slot(self.slot) {
            self.read = slot.confirmed;
        }
    }
}
