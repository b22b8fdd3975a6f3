//! The outbox table.

use sim::SimTime;

use crate::database::{
    Assignment, Database, Field, Filter, Insert, Is, Key, OnConflict, Row, RowRead, Statement,
    TableId, Update, Value,
};

/// The outbox of a database: a table with a serial id, the aggregate that an event is about, the
/// event, when it was written and when it was published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outbox {
    table: TableId,
}

/// One event in the outbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// Its serial id: the order in which ids were given out, not that of commits.
    pub id: i64,
    /// The number of the transaction that wrote it.
    pub inserted_by: u32,
    /// What it is about: the ordering key.
    pub aggregate: Value,
    /// The event, numbered by the caller: what consumers take duplicates away by.
    pub event: i64,
    /// When it was written.
    pub written_at: SimTime,
}

/// The columns, in order.
const AGGREGATE: u8 = 0;
const EVENT: u8 = 1;
const WRITTEN_AT: u8 = 2;
const PUBLISHED_AT: u8 = 3;

impl Outbox {
    /// Adds the table to a database.
    pub fn create(database: &mut Database) -> Self {
        Self { table: database.create_table(4) }
    }

    /// Its table.
    #[must_use]
    pub const fn table(self) -> TableId {
        self.table
    }

    /// The insert of an event, to be executed in the transaction of the change.
    #[must_use]
    pub fn write(self, now: SimTime, aggregate: Value, event: i64) -> Statement {
        Statement::Insert(Insert {
            table: self.table,
            key: None,
            columns: vec![aggregate, Value::Number(event), moment(now), Value::Null],
            on_conflict: OnConflict::Error,
        })
    }

    /// The rows that are not published, for the partial index of which
    /// `CREATE INDEX … WHERE published_at IS NULL` is the usual form.
    #[must_use]
    pub fn unpublished(self) -> Filter {
        Filter::all().and(Field::Column(PUBLISHED_AT), Is::Null)
    }

    /// The rows whose aggregate falls to one of several relays.
    #[must_use]
    pub fn share(filter: Filter, index: u32, of: u32) -> Filter {
        filter.and(Field::Column(AGGREGATE), Is::Share { index, of })
    }

    /// The mark on a row that it is published.
    #[must_use]
    pub fn mark(self, now: SimTime, id: i64) -> Statement {
        Statement::Update(Update {
            table: self.table,
            filter: Filter::key(Value::Number(id)),
            set: vec![(PUBLISHED_AT, Assignment::To(moment(now)))],
        })
    }

    /// The deletion of one row.
    #[must_use]
    pub fn delete(self, id: i64) -> Statement {
        Statement::Delete { table: self.table, filter: Filter::key(Value::Number(id)) }
    }

    /// The deletion of what was published before a moment: without it the table and its index grow
    /// without end.
    #[must_use]
    pub fn purge(self, before: SimTime) -> Statement {
        let published = Is::Below(moment(before));
        let filter = Filter::all().and(Field::Column(PUBLISHED_AT), published);
        Statement::Delete { table: self.table, filter }
    }

    /// The deletion of rows up to an id, for relays that keep a cursor and mark nothing.
    #[must_use]
    pub fn purge_through(self, id: i64) -> Statement {
        let filter = Filter::all().and(Field::Key, Is::AtMost(Value::Number(id)));
        Statement::Delete { table: self.table, filter }
    }

    /// How many committed events are not marked as published, and when the oldest of them was
    /// written: what an alarm should look at.
    #[must_use]
    pub fn unsent(self, database: &Database) -> (usize, Option<SimTime>) {
        let mut count = 0;
        let mut oldest = None;
        for row in database.rows(self.table) {
            if row.columns[usize::from(PUBLISHED_AT)] == Value::Null {
                count += 1;
                let written = Entry::read(row).written_at;
                oldest = Some(oldest.map_or(written, |oldest: SimTime| oldest.min(written)));
            }
        }
        (count, oldest)
    }
}

impl Entry {
    /// An entry from its row.
    ///
    /// # Panics
    /// If the row is not from an outbox.
    #[must_use]
    pub fn read(row: RowRead<'_>) -> Self {
        let number = |column: u8| {
            row.columns[usize::from(column)].as_number().expect("an outbox has numbers here")
        };
        Self {
            id: row.key.as_number().expect("an outbox has serial ids"),
            inserted_by: row.inserted_by,
            aggregate: row.columns[usize::from(AGGREGATE)],
            event: number(EVENT),
            written_at: SimTime::from_micros(number(WRITTEN_AT) as u64),
        }
    }

    pub(super) fn of(row: &Row) -> Self {
        let Row { key, inserted_by, columns } = row;
        Self::read(RowRead { key: *key, inserted_by: *inserted_by, columns })
    }

    pub(super) fn of_change(key: Key, inserted_by: u32, columns: &[Value]) -> Self {
        Self::read(RowRead { key, inserted_by, columns })
    }
}

fn moment(at: SimTime) -> Value {
    Value::Number(at.as_micros() as i64)
}
