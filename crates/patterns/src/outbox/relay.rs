//! A polling relay: it reads events from the outbox and publishes them.
//!
//! The cursor decides what it can lose, and the claim what two relays do to each other:
//!
//! | cursor | what it asks for | what goes wrong |
//! | --- | --- | --- |
//! | [`Cursor::IdAboveLast`] | `id > last` | an id that commits after a higher one was read is never sent |
//! | [`Cursor::Unpublished`] | `published_at IS NULL` | nothing is lost; every row is written twice |
//! | [`Cursor::BelowOldestOpen`] | `tx < pg_snapshot_xmin(…)` by (tx, id) | nothing is lost; the oldest open transaction holds up all |
//!
//! With several relays on unpublished rows, [`Claim::None`] publishes everything as often as there
//! are relays, and [`Claim::SkipLocked`] once, but not in order: the second relay can overtake the
//! first. One relay for each key ([`Relay::share`]), or one in all, keeps the order of a key.
//! Held to a recording of PostgreSQL 15 (`outbox_postgres.json`).

use sim::SimTime;

use super::table::{Entry, Outbox};
use crate::database::{
    Answer, Database, Field, Filter, Is, Lock, Order, Outcome, Resumed, Select, Statement,
    TransactionId, Value,
};

/// What a relay asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cursor {
    /// Rows with a higher id than the last one it published.
    IdAboveLast,
    /// Rows that nobody has marked.
    Unpublished {
        /// What it does about other relays.
        claim: Claim,
        /// What it does with a row that it has published.
        after: After,
    },
    /// Rows of transactions that can no longer be overtaken, after the last one it published.
    BelowOldestOpen,
}

/// What a relay does about rows that another may be publishing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Claim {
    /// Nothing.
    None,
    /// It waits for the other to end (`FOR UPDATE`).
    Wait,
    /// It passes over them (`FOR UPDATE SKIP LOCKED`).
    SkipLocked,
}

/// What becomes of a published row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum After {
    /// It is marked, and purged some day.
    Mark,
    /// It is deleted at once.
    Delete,
}

/// What a poll came to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Poll {
    /// These are to be published, in this order; then call [`Relay::published`].
    Batch(Vec<Entry>),
    /// There is nothing.
    Empty,
    /// It waits for another relay's rows: hand what it is told to [`Relay::resumed`].
    Waits,
}

/// A polling relay. What it remembers across a crash is its cursor, which it keeps in the database.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Relay {
    outbox: Outbox,
    cursor: Cursor,
    batch: u32,
    share: Option<(u32, u32)>,
    /// The last row that it has published for good: transaction, then id.
    last: (u32, i64),
    work: Work,
}

/// What a relay is about; lost in a crash.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Work {
    Idle,
    Waiting(TransactionId),
    Publishing(TransactionId, Vec<Entry>),
}

impl Relay {
    /// A relay that takes so many rows at a time.
    #[must_use]
    pub const fn new(outbox: Outbox, cursor: Cursor, batch: u32) -> Self {
        Self { outbox, cursor, batch, share: None, last: (0, 0), work: Work::Idle }
    }

    /// The same, for those rows only whose aggregate falls to relay `index` of `of`.
    #[must_use]
    pub const fn share(mut self, index: u32, of: u32) -> Self {
        self.share = Some((index, of));
        self
    }

    /// Whether it is between a poll and its end.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        !matches!(self.work, Work::Idle)
    }

    /// The transaction that it is in.
    #[must_use]
    pub const fn transaction(&self) -> Option<TransactionId> {
        match &self.work {
            Work::Idle => None,
            Work::Waiting(id) | Work::Publishing(id, _) => Some(*id),
        }
    }

    /// The highest id that it has published for good.
    #[must_use]
    pub const fn last_id(&self) -> i64 {
        self.last.1
    }

    /// Looks for rows to publish.
    ///
    /// # Panics
    /// If it is busy: publish what it found first.
    pub fn poll(&mut self, now: SimTime, database: &mut Database) -> Poll {
        assert!(!self.is_busy(), "the last batch is not done with");
        let transaction = database.begin();
        let statement = Statement::Select(self.select());
        self.work = Work::Waiting(transaction);
        let answer = database.execute(now, transaction, statement);
        self.answered(now, database, answer)
    }

    /// The database has told what came of a poll that waited.
    pub fn resumed(&mut self, now: SimTime, database: &mut Database, answer: Answer) -> Poll {
        self.answered(now, database, answer)
    }

    /// All rows of the batch are published: marks them, commits, moves the cursor on. Tells which of
    /// the waiting transactions could go on.
    pub fn published(&mut self, now: SimTime, database: &mut Database, resumed: &mut Vec<Resumed>) {
        let Work::Publishing(transaction, entries) = std::mem::replace(&mut self.work, Work::Idle)
        else {
            return;
        };
        for entry in &entries {
            if let Cursor::Unpublished { after, .. } = self.cursor {
                let statement = match after {
                    After::Mark => self.outbox.mark(now, entry.id),
                    After::Delete => self.outbox.delete(entry.id),
                };
                // Without a claim another relay may be marking the same row. It can then only mark
                // it as well, so nothing is lost by leaving it to that one.
                if let Answer::Waits { .. } = database.execute(now, transaction, statement) {
                    let _ = database.rollback(now, transaction, resumed);
                    return;
                }
            }
            self.last = self.last.max(self.position(entry));
        }
        let _ = database.commit(now, transaction, resumed);
    }

    /// The relay dies: its transaction rolls back, and it begins again where its cursor stands.
    pub fn crash(&mut self, now: SimTime, database: &mut Database, resumed: &mut Vec<Resumed>) {
        if let Some(transaction) = self.transaction() {
            let _ = database.rollback(now, transaction, resumed);
        }
        self.work = Work::Idle;
    }

    fn select(&self) -> Select {
        let (filter, order, lock) = match self.cursor {
            Cursor::IdAboveLast => {
                let above = Is::Above(Value::Number(self.last.1));
                (Filter::all().and(Field::Key, above), Order::Key, Lock::None)
            }
            Cursor::Unpublished { claim, .. } => {
                let lock = match claim {
                    Claim::None => Lock::None,
                    Claim::Wait => Lock::ForUpdate,
                    Claim::SkipLocked => Lock::ForUpdateSkipLocked,
                };
                (self.outbox.unpublished(), Order::Key, lock)
            }
            Cursor::BelowOldestOpen => {
                // The pairs above (tx, id) are not one condition, so the rows of the last
                // transaction come once more and are passed over below.
                let from = Is::AtLeast(Value::Number(i64::from(self.last.0)));
                let filter = Filter::all()
                    .and(Field::InsertedBy, Is::BelowOldestOpen)
                    .and(Field::InsertedBy, from);
                (filter, Order::InsertedByThenKey, Lock::None)
            }
        };
        let filter = match self.share {
            Some((index, of)) => Outbox::share(filter, index, of),
            None => filter,
        };
        let limit = match self.cursor {
            Cursor::BelowOldestOpen => None,
            _ => Some(self.batch),
        };
        Select { table: self.outbox.table(), filter, order, limit, lock }
    }

    fn answered(&mut self, now: SimTime, database: &mut Database, answer: Answer) -> Poll {
        let Work::Waiting(transaction) = self.work else { return Poll::Empty };
        let rows = match answer {
            Answer::Waits { .. } => return Poll::Waits,
            Answer::Done(Outcome::Read(rows)) => rows,
            Answer::Done(_) | Answer::Refused(_) => Vec::new(),
        };
        let mut entries: Vec<_> = rows.iter().map(Entry::of).collect();
        entries.retain(|entry| match self.cursor {
            Cursor::BelowOldestOpen => self.position(entry) > self.last,
            _ => true,
        });
        entries.truncate(self.batch as usize);
        if entries.is_empty() {
            let _ = database.rollback(now, transaction, &mut Vec::new());
            self.work = Work::Idle;
            return Poll::Empty;
        }
        self.work = Work::Publishing(transaction, entries.clone());
        Poll::Batch(entries)
    }

    /// Where an entry stands in the order of the cursor.
    const fn position(&self, entry: &Entry) -> (u32, i64) {
        match self.cursor {
            Cursor::BelowOldestOpen => (entry.inserted_by, entry.id),
            _ => (0, entry.id),
        }
    }
}
