//! Rows that last for a time: those of a key-value store, whose keys have a time to live.
//!
//! A row's time begins anew with each write to it and ends at the microsecond at which it is over,
//! as with Redis's `SET key value PX milliseconds`
//! (<https://redis.io/docs/latest/commands/expire/>, "How Redis expires keys", "Expire accuracy").
//! A row that an open transaction holds is left to that one until it ends. What has expired is not
//! in the write-ahead log.

use sim::{SimDuration, SimTime};

use super::identity::TableId;
use super::table::Table;
use super::{Database, table};

/// Rows of a table whose time was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Expired {
    /// Of which table.
    pub table: TableId,
    /// How many.
    pub rows: u32,
}

impl Database {
    /// Adds a table whose rows last for a time from their last write.
    pub fn create_passing_table(&mut self, columns: u8, lasts: SimDuration) -> TableId {
        self.tables.push(Table { lasts: Some(lasts), ..Table::new(columns) });
        TableId::from_index(self.tables.len() as u32 - 1)
    }

    /// When the next row expires. It may be past, if its holder has only just let go of it.
    #[must_use]
    pub fn next_expiry(&self) -> Option<SimTime> {
        let passing = self.tables.iter().filter(|table| table.lasts.is_some());
        passing.flat_map(|table| table.slots.values()).filter_map(ends).min()
    }

    /// Takes out the rows whose time is over. Tells of which tables.
    pub fn expire(&mut self, now: SimTime, expired: &mut Vec<Expired>) {
        for (at, table) in self.tables.iter_mut().enumerate() {
            if table.lasts.is_none() {
                continue;
            }
            let before = table.slots.len();
            table.slots.retain(|_, slot| ends(slot).is_none_or(|end| end > now));
            let rows = (before - table.slots.len()) as u32;
            if rows > 0 {
                expired.push(Expired { table: TableId::from_index(at as u32), rows });
            }
        }
    }
}

/// When a row expires that nobody holds.
fn ends(slot: &table::Slot) -> Option<SimTime> {
    match &slot.held {
        None => slot.committed.as_ref()?.until,
        Some(_) => None,
    }
}
