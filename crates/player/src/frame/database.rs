//! A database in a frame.

use sim::SimTime;

/// A database at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct DatabaseFrame {
    /// Its tables, in the scenario's order.
    pub tables: Vec<TableFrame>,
    /// Transactions that are open.
    pub open: u32,
    /// Of these, those whose statement waits for a row that another holds.
    pub waiting: u32,
    /// Of these, those that are prepared.
    pub prepared: u32,
    /// Transactions committed so far, those of a single statement included.
    pub commits: u32,
    /// Transactions rolled back so far.
    pub rollbacks: u32,
    /// Bytes of the write-ahead log that slots hold back.
    pub retained_bytes: u64,
    /// The room for the write-ahead log in bytes, if there is a bound.
    pub disk_bytes: Option<u64>,
    /// Since when the write-ahead log has filled the disk.
    pub full_since: Option<SimTime>,
}

/// A table at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct TableFrame {
    /// What it is called.
    pub name: String,
    /// The names of its columns, those of its key first.
    pub columns: Vec<String>,
    /// How many committed rows it has.
    pub rows: u32,
    /// Those inserted last, the latest first.
    pub newest: Vec<RowFrame>,
    /// The first column beside the key of its only row, if it had that one from the start: what
    /// there is to say of such a table is its state and not its length.
    pub only: Option<String>,
    /// What of an outbox is not published; `None` for other tables.
    pub unsent: Option<Unsent>,
}

/// The events of an outbox that are not published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsent {
    /// How many.
    pub count: u32,
    /// When the oldest of them was written.
    pub since: Option<SimTime>,
}

/// A row: one text a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowFrame {
    /// The values, in the order of the columns; empty where there is none.
    pub values: Vec<String>,
}
