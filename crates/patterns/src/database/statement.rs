//! What a transaction can ask for, and what it gets.

use super::filter::Filter;
use super::identity::TableId;
use super::value::{Key, Value};

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Statement {
    /// INSERT.
    Insert(Insert),
    /// UPDATE … WHERE.
    Update(Update),
    /// DELETE … WHERE.
    Delete {
        /// From which table.
        table: TableId,
        /// Which rows.
        filter: Filter,
    },
    /// SELECT … WHERE.
    Select(Select),
}

/// An insert of one row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Insert {
    /// Into which table.
    pub table: TableId,
    /// Its key, or `None` for the next number of the table's sequence.
    pub key: Option<Key>,
    /// Its columns; those that are missing are null.
    pub columns: Vec<Value>,
    /// What a row with the same key means.
    pub on_conflict: OnConflict,
}

/// What an insert does when the key is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnConflict {
    /// It fails, and the transaction with it (unique violation).
    Error,
    /// It inserts nothing: zero rows (`ON CONFLICT DO NOTHING`).
    DoNothing,
}

/// A change of all rows for which conditions hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Update {
    /// In which table.
    pub table: TableId,
    /// Which rows.
    pub filter: Filter,
    /// What becomes of a column, from 0.
    pub set: Vec<(u8, Assignment)>,
}

/// What a column becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Assignment {
    /// This value: doing it twice is doing it once.
    To(Value),
    /// So much more than it was, from 0 if it was null: doing it twice is not.
    Add(i64),
}

/// A read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Select {
    /// Of which table.
    pub table: TableId,
    /// Which rows.
    pub filter: Filter,
    /// In which order.
    pub order: Order,
    /// At most so many rows.
    pub limit: Option<u32>,
    /// Whether it locks them.
    pub lock: Lock,
}

/// The order of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// By key.
    Key,
    /// By the number of the inserting transaction, then by key.
    InsertedByThenKey,
    /// By a column, then by key; nulls last.
    Column(u8),
}

/// Whether a read locks its rows until the end of its transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lock {
    /// No: it waits for nobody.
    None,
    /// `FOR UPDATE`: it waits for rows that others hold.
    ForUpdate,
    /// `FOR UPDATE SKIP LOCKED`: it passes over rows that others hold.
    ForUpdateSkipLocked,
    /// `FOR UPDATE NOWAIT`: it fails when others hold a row.
    ForUpdateNoWait,
}

/// What came of a statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// An insert: the row is in, under this key.
    Inserted(Key),
    /// So many rows were changed; none, if an insert met a row with its key.
    Rows(u32),
    /// The rows of a read.
    Read(Vec<Row>),
}

/// A row that was read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// Its key.
    pub key: Key,
    /// The number of the transaction that inserted it.
    pub inserted_by: u32,
    /// Its columns.
    pub columns: Vec<Value>,
}

/// A row, looked at in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RowRead<'a> {
    /// Its key.
    pub key: Key,
    /// The number of the transaction that inserted it.
    pub inserted_by: u32,
    /// Its columns.
    pub columns: &'a [Value],
}

impl RowRead<'_> {
    /// A copy.
    #[must_use]
    pub fn to_row(self) -> Row {
        Row { key: self.key, inserted_by: self.inserted_by, columns: self.columns.to_vec() }
    }
}

impl Outcome {
    /// How many rows it is about: PostgreSQL's row count.
    #[must_use]
    pub fn count(&self) -> u32 {
        match self {
            Self::Inserted(_) => 1,
            Self::Rows(count) => *count,
            Self::Read(rows) => rows.len() as u32,
        }
    }

    /// The keys of the rows that were read or inserted.
    #[must_use]
    pub fn keys(&self) -> Vec<Key> {
        match self {
            Self::Inserted(key) => vec![*key],
            Self::Rows(_) => Vec::new(),
            Self::Read(rows) => rows.iter().map(|row| row.key).collect(),
        }
    }
}
