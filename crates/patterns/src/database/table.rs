//! A table: rows by key, each with its committed version, and what one open transaction makes of
//! it.

use std::collections::BTreeMap;

use sim::{SimDuration, SimTime};

use super::identity::TransactionId;
use super::statement::RowRead;
use super::value::{Key, Value};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Table {
    pub columns: u8,
    pub slots: BTreeMap<Key, Slot>,
    /// The last number that the sequence gave out. It never goes back.
    pub sequence: i64,
    /// How long a row lasts after it was last written. `None`: until it is deleted.
    pub lasts: Option<SimDuration>,
}

/// All that is known of one key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Slot {
    /// What every new statement sees.
    pub committed: Option<Version>,
    /// The open transaction that holds the row, and what it has made of it.
    pub held: Option<Held>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Version {
    pub columns: Vec<Value>,
    pub inserted_by: u32,
    /// When it expires, if it does.
    pub until: Option<SimTime>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Held {
    pub by: TransactionId,
    pub change: Pending,
}

/// What an open transaction has made of a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Pending {
    /// Nothing yet: it has only locked it.
    Locked,
    /// This.
    Written(Version),
    /// It is gone.
    Deleted,
}

impl Table {
    pub fn new(columns: u8) -> Self {
        Self { columns, slots: BTreeMap::new(), sequence: 0, lasts: None }
    }

    pub fn committed(&self) -> impl Iterator<Item = RowRead<'_>> {
        let rows = self.slots.iter();
        rows.filter_map(|(key, slot)| Some(slot.committed.as_ref()?.read(*key)))
    }

    /// What a transaction sees of a key.
    pub fn seen_by(&self, transaction: TransactionId, key: Key) -> Option<RowRead<'_>> {
        let slot = self.slots.get(&key)?;
        slot.seen_by(transaction).map(|version| version.read(key))
    }

    pub fn next_number(&mut self) -> i64 {
        self.sequence += 1;
        self.sequence
    }

    /// Ends what a transaction did to a row. Tells whether the row's committed state changed.
    pub fn settle(&mut self, now: SimTime, key: Key, ending: Ending) {
        let until = self.lasts.map(|lasts| now + lasts);
        let Some(slot) = self.slots.get_mut(&key) else { return };
        if let (Some(held), Ending::Commit) = (slot.held.take(), ending) {
            match held.change {
                Pending::Locked => {}
                Pending::Written(version) => slot.committed = Some(Version { until, ..version }),
                Pending::Deleted => slot.committed = None,
            }
        }
        if slot.committed.is_none() {
            self.slots.remove(&key);
        }
    }
}

/// How a transaction ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Commit,
    Rollback,
}

impl Slot {
    pub fn seen_by(&self, transaction: TransactionId) -> Option<&Version> {
        match &self.held {
            Some(Held { by, change: Pending::Written(version) }) if *by == transaction => {
                Some(version)
            }
            Some(Held { by, change: Pending::Deleted }) if *by == transaction => None,
            _ => self.committed.as_ref(),
        }
    }

    /// The other transaction that holds the row.
    pub fn held_by_other(&self, transaction: TransactionId) -> Option<TransactionId> {
        self.held.as_ref().map(|held| held.by).filter(|by| *by != transaction)
    }
}

impl Version {
    pub fn read(&self, key: Key) -> RowRead<'_> {
        RowRead { key, inserted_by: self.inserted_by, columns: &self.columns }
    }
}
