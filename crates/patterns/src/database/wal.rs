//! The write-ahead log and its logical slots.
//!
//! Every change is in the log before its transaction commits; a logical slot reads whole
//! transactions, in the order in which they *committed*, and nothing of those that rolled back. A
//! slot holds the log back from being thrown away, from the first change of the oldest transaction
//! that it has not done with: `restart_lsn`. A slot that nobody reads therefore fills the disk,
//! whoever writes, and one whose tables are idle needs a heartbeat to move on.
//!
//! <https://www.postgresql.org/docs/15/logicaldecoding-explanation.html>;
//! <https://debezium.io/documentation/reference/stable/connectors/postgresql.html>, "WAL disk space
//! consumption".

use std::collections::VecDeque;

use sim::SimTime;

use super::identity::{Lsn, SlotId, TableId};
use super::value::{Key, Value};

/// A change of one row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Change {
    /// In which table.
    pub table: TableId,
    /// Of which row.
    pub key: Key,
    /// What happened to it.
    pub operation: Operation,
    /// The row as it is now; as it was, if it was deleted.
    pub columns: Vec<Value>,
}

/// What happened to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// It is new.
    Insert,
    /// It has changed.
    Update,
    /// It is gone.
    Delete,
}

/// A committed transaction as a slot reads it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Committed {
    /// Its number among those that write.
    pub writer: u32,
    /// Where its first change stands.
    pub first: Lsn,
    /// The position just after its commit: what a reader confirms.
    pub end: Lsn,
    /// When it committed.
    pub at: SimTime,
    /// What it changed, in order.
    pub changes: Vec<Change>,
}

/// A slot, looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SlotView {
    /// From where it could still have to read.
    pub restart: Lsn,
    /// What its reader has confirmed.
    pub confirmed: Lsn,
    /// How many bytes of the log it holds back.
    pub retained_bytes: u64,
}

/// The write-ahead log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wal {
    current: Lsn,
    /// Committed transactions that a slot may still read, in the order of their commits.
    committed: VecDeque<Committed>,
    /// Where the first change of the oldest open transaction stands.
    oldest_open: Option<Lsn>,
    /// A dropped slot leaves its place empty.
    slots: Vec<Option<Slot>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Slot {
    confirmed: Lsn,
    restart: Lsn,
}

impl Wal {
    /// The end of the log.
    #[must_use]
    pub const fn current(&self) -> Lsn {
        self.current
    }

    /// Makes a slot that reads what commits from now on.
    pub fn create_slot(&mut self) -> SlotId {
        let restart = self.oldest_open.unwrap_or(self.current);
        self.slots.push(Some(Slot { confirmed: self.current, restart }));
        SlotId::from_index(self.slots.len() as u32 - 1)
    }

    /// Drops a slot: it holds nothing back any more.
    pub fn drop_slot(&mut self, slot: SlotId) {
        self.slots[slot.index()] = None;
        self.forget();
    }

    /// A slot, or `None` if it was dropped.
    #[must_use]
    pub fn slot(&self, slot: SlotId) -> Option<SlotView> {
        let slot = self.slots[slot.index()]?;
        let retained_bytes = self.current.bytes() - slot.restart.bytes();
        Some(SlotView { restart: slot.restart, confirmed: slot.confirmed, retained_bytes })
    }

    /// How many bytes of the log are held back by the slot that is furthest behind; `None`: there is
    /// no slot.
    #[must_use]
    pub fn retained_bytes(&self) -> Option<u64> {
        let restarts = self.slots.iter().flatten().map(|slot| slot.restart);
        Some(self.current.bytes() - restarts.min()?.bytes())
    }

    /// What a slot has to tell after a position: whole transactions in the order of their commits. A
    /// reader that starts anew begins with what it confirmed last, and so reads some of them again.
    pub fn after(&self, position: Lsn) -> impl Iterator<Item = &Committed> {
        self.committed.iter().filter(move |committed| committed.end > position)
    }

    /// The reader of a slot has done with everything before a position. Positions never go back.
    pub fn confirm(&mut self, slot: SlotId, position: Lsn) {
        let open = self.oldest_open;
        let current = self.current;
        let Some(slot) = &mut self.slots[slot.index()] else { return };
        slot.confirmed = slot.confirmed.max(position.min(current));
        let unread = self.committed.iter().filter(|committed| committed.end > slot.confirmed);
        let first_unread = unread.map(|committed| committed.first).min();
        let needed = first_unread.into_iter().chain(open).min().unwrap_or(slot.confirmed);
        slot.restart = slot.restart.max(needed.min(slot.confirmed));
        self.forget();
    }

    /// Writes of others that no slot's reader cares for: tables that are not captured, vacuum,
    /// another database of the server. They fill the log all the same.
    pub fn write_unrelated(&mut self, bytes: u64) {
        self.append(bytes);
    }

    /// Appends so many bytes and answers with where they begin.
    pub(super) fn append(&mut self, bytes: u64) -> Lsn {
        let at = self.current;
        self.current = Lsn::from_bytes(at.bytes().saturating_add(bytes));
        at
    }

    /// A writing transaction ends, with its changes if it commits.
    pub(super) fn end(
        &mut self,
        writer: u32,
        first: Lsn,
        changes: Vec<Change>,
        bytes: u32,
        at: SimTime,
    ) {
        self.append(u64::from(bytes));
        if !changes.is_empty() && self.slots.iter().any(Option::is_some) {
            let end = self.current;
            self.committed.push_back(Committed { writer, first, end, at, changes });
        }
    }

    pub(super) const fn set_oldest_open(&mut self, first: Option<Lsn>) {
        self.oldest_open = first;
    }

    /// Throws away what every slot has done with.
    fn forget(&mut self) {
        let least = self.slots.iter().flatten().map(|slot| slot.confirmed).min();
        let least = least.unwrap_or(self.current);
        while self.committed.front().is_some_and(|committed| committed.end <= least) {
            self.committed.pop_front();
        }
    }
}
