//! A relational database, as far as messaging needs one: transactions at READ COMMITTED, row locks
//! that others wait for, unique keys, sequences with gaps, and a write-ahead log to read changes
//! from.
//!
//! The rules are PostgreSQL's, checked against version 15:
//! <https://www.postgresql.org/docs/15/transaction-iso.html> (§13.2.1, Read Committed),
//! <https://www.postgresql.org/docs/15/explicit-locking.html> (row locks),
//! <https://www.postgresql.org/docs/15/sql-insert.html> (ON CONFLICT),
//! <https://www.postgresql.org/docs/15/sql-select.html> (FOR UPDATE, SKIP LOCKED, NOWAIT),
//! <https://www.postgresql.org/docs/15/functions-sequence.html> (nextval is never undone).
//!
//! # A statement
//!
//! ```text
//!             ┌──────────────── a row it needs is held by another transaction
//!             ▼                                      │
//!        ┌─────────┐  that one ends   ┌─────────┐    │
//!        │ waiting │ ───────────────▶ │ looking │ ───┤
//!        └────┬────┘  (looks again)   └─────────┘    │
//!             │                          ▲           └──▶ done: rows, a count, or a conflict
//!             │ timeout                  │
//!             └──▶ refused            execute
//! ```
//!
//! - A statement sees what was committed when it began, and what its own transaction did.
//! - A write or a lock on a row that another open transaction wrote or locked waits for that one to
//!   end; then it looks at the newest committed version of the row, and passes over it if it no
//!   longer matches. Of several that wait, the one that waits longest goes first.
//! - An insert of a key that an open transaction has inserted waits as well: it goes in if that one
//!   rolls back and is a conflict if it commits.
//! - A statement that would close a circle of waiting transactions is refused at once. PostgreSQL
//!   looks for that only after a second (`deadlock_timeout`).
//! - After an error other than a lock not granted by `NOWAIT` being asked for again, the transaction
//!   is failed and can only roll back.
//!
//! [`Database::commit`] and [`Database::rollback`] answer with the statements that could go on.

mod error;
mod execute;
mod expiry;
mod filter;
mod identity;
mod statement;
mod table;
mod transaction;
mod value;
mod wal;

use sim::{SimDuration, SimTime};

pub use error::{DatabaseError, TransactionError};
pub use expiry::Expired;
pub use filter::{Condition, Field, Filter, Is};
pub use identity::{Lsn, SlotId, TableId, TransactionId};
pub use statement::{
    Assignment, Insert, Lock, OnConflict, Order, Outcome, Row, RowRead, Select, Statement, Update,
};
pub use transaction::{Answer, Resumed, State};
pub use value::{Key, Value};
pub use wal::{Change, Committed, Operation, SlotView, Wal};

use table::Table;
use transaction::Transaction;

/// The settings of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// How long a statement waits for a lock before it is refused (`lock_timeout`). `None`: for ever.
    pub lock_timeout: Option<SimDuration>,
    /// What one row change weighs in the write-ahead log, in bytes.
    pub change_bytes: u32,
    /// What a commit or a rollback weighs in the write-ahead log, in bytes.
    pub commit_bytes: u32,
}

/// A database.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Database {
    settings: Settings,
    tables: Vec<Table>,
    /// The open transactions, oldest first.
    transactions: Vec<Transaction>,
    /// How many transactions there have been.
    begun: u32,
    /// How many transactions have written something: the next number to give out.
    next_writer: u32,
    /// How many statements have begun to wait.
    waited: u64,
    wal: Wal,
}

impl Default for Settings {
    fn default() -> Self {
        Self { lock_timeout: None, change_bytes: 128, commit_bytes: 48 }
    }
}

impl Database {
    /// A database without tables.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            tables: Vec::new(),
            transactions: Vec::new(),
            begun: 0,
            next_writer: 1,
            waited: 0,
            wal: Wal::default(),
        }
    }

    /// Adds a table with so many columns beside its key. Rows without a key of their own get the
    /// next number of its sequence, from 1.
    pub fn create_table(&mut self, columns: u8) -> TableId {
        self.tables.push(Table::new(columns));
        TableId::from_index(self.tables.len() as u32 - 1)
    }

    /// The committed rows of a table, in the order of keys.
    pub fn rows(&self, table: TableId) -> impl Iterator<Item = RowRead<'_>> {
        self.tables[table.index()].committed()
    }

    /// How many rows of a table are committed.
    #[must_use]
    pub fn len(&self, table: TableId) -> usize {
        self.rows(table).count()
    }

    /// Whether a table has no committed rows.
    #[must_use]
    pub fn is_empty(&self, table: TableId) -> bool {
        self.len(table) == 0
    }

    /// One committed row.
    #[must_use]
    pub fn row(&self, table: TableId, key: Key) -> Option<RowRead<'_>> {
        let slot = self.tables[table.index()].slots.get(&key)?;
        slot.committed.as_ref().map(|version| version.read(key))
    }

    /// The write-ahead log.
    #[must_use]
    pub const fn wal(&self) -> &Wal {
        &self.wal
    }

    /// The write-ahead log, to make slots and read from them.
    pub const fn wal_mut(&mut self) -> &mut Wal {
        &mut self.wal
    }

    /// The number below which every writing transaction has ended
    /// (`pg_snapshot_xmin(pg_current_snapshot())`).
    #[must_use]
    pub fn oldest_open(&self) -> u32 {
        let open = self.transactions.iter().filter_map(|transaction| transaction.writer);
        open.min().unwrap_or(self.next_writer)
    }

    /// When a waiting statement runs out of time.
    #[must_use]
    pub fn next_deadline(&self) -> Option<SimTime> {
        let limit = self.settings.lock_timeout?;
        let waits = self.transactions.iter().filter_map(|transaction| transaction.waits.as_ref());
        waits.map(|waiting| waiting.since + limit).min()
    }

    /// Lets time pass: statements that have waited for too long are refused.
    pub fn advance(&mut self, now: SimTime, resumed: &mut Vec<Resumed>) {
        while let Some(due) = self.next_deadline().filter(|due| *due <= now) {
            let limit = self.settings.lock_timeout.unwrap_or(SimDuration::MAX);
            let late = self.transactions.iter_mut().find(|transaction| {
                transaction.waits.as_ref().is_some_and(|waiting| waiting.since + limit == due)
            });
            let Some(transaction) = late else { return };
            transaction.waits = None;
            transaction.state = State::Failed;
            let answer = Answer::Refused(DatabaseError::LockTimeout);
            resumed.push(Resumed { transaction: transaction.id, answer });
        }
    }
}
