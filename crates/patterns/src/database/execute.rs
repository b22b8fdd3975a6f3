//! How a statement goes through its rows, waits, and goes on.

use sim::SimTime;

use super::error::DatabaseError;
use super::identity::{TableId, TransactionId};
use super::statement::{
    Assignment, Insert, Lock, OnConflict, Order, Outcome, Row, RowRead, Statement,
};
use super::table::{Held, Pending, Version};
use super::transaction::{Answer, State, Waiting};
use super::value::{Key, Value};
use super::wal::{Change, Operation};
use super::{Database, Filter};

/// How far a statement has come.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Progress {
    statement: Statement,
    /// The rows that matched when it began, and how many of them are done with.
    candidates: Vec<Key>,
    place: usize,
    /// The oldest open transaction when it began.
    oldest_open: u32,
    count: u32,
    rows: Vec<Row>,
}

/// A step that cannot be taken.
enum Stop {
    Wait(TransactionId),
    Fail(DatabaseError),
}

impl Database {
    /// Carries out a statement, or begins to wait.
    ///
    /// # Panics
    /// If the transaction is not open, is prepared or still waits: that is the caller's mistake, not
    /// the database's answer.
    pub fn execute(&mut self, now: SimTime, id: TransactionId, statement: Statement) -> Answer {
        let transaction = self.find(id).expect("the transaction is open");
        assert!(transaction.waits.is_none(), "one statement at a time: the last one still waits");
        match transaction.state {
            State::Active => {}
            State::Failed => return Answer::Refused(DatabaseError::TransactionFailed),
            State::Prepared => panic!("a prepared transaction takes no statements"),
        }
        let progress = self.prepare_statement(id, statement);
        self.go_on(now, id, progress, None)
    }

    fn prepare_statement(&mut self, id: TransactionId, mut statement: Statement) -> Progress {
        let oldest_open = self.oldest_open();
        let candidates = match &mut statement {
            Statement::Insert(insert) => {
                let key = insert.key.unwrap_or_else(|| {
                    // Taken for good, whatever becomes of the row.
                    Key::number(self.tables[insert.table.index()].next_number())
                });
                insert.key = Some(key);
                vec![key]
            }
            Statement::Update(update) => {
                self.matching(id, update.table, &update.filter, Order::Key, oldest_open)
            }
            Statement::Delete { table, filter } => {
                self.matching(id, *table, filter, Order::Key, oldest_open)
            }
            Statement::Select(select) => {
                self.matching(id, select.table, &select.filter, select.order, oldest_open)
            }
        };
        Progress { statement, candidates, place: 0, oldest_open, count: 0, rows: Vec::new() }
    }

    /// The keys of the rows that match as a transaction sees them now.
    fn matching(
        &self,
        id: TransactionId,
        table: TableId,
        filter: &Filter,
        order: Order,
        oldest_open: u32,
    ) -> Vec<Key> {
        let table = &self.tables[table.index()];
        let mut found: Vec<_> = table
            .slots
            .range(filter.first_key()..)
            .take_while(|(key, _)| filter.may_match(key))
            .filter_map(|(key, slot)| {
                let row = slot.seen_by(id)?.read(*key);
                filter.matches(&row, oldest_open).then(|| {
                    let rank = match order {
                        Order::Key => (false, Value::Null),
                        Order::InsertedByThenKey => {
                            (false, Value::Number(i64::from(row.inserted_by)))
                        }
                        Order::Column(column) => {
                            let value = row.columns[usize::from(column)];
                            (value == Value::Null, value)
                        }
                    };
                    (rank, *key)
                })
            })
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(_, key)| key).collect()
    }

    /// Goes on with a statement until it is done, fails or waits. `waited` keeps its place in the
    /// line if it has waited before.
    pub(super) fn go_on(
        &mut self,
        now: SimTime,
        id: TransactionId,
        mut progress: Progress,
        waited: Option<(SimTime, u64)>,
    ) -> Answer {
        match self.run(id, &mut progress) {
            Ok(outcome) => Answer::Done(outcome),
            Err(Stop::Fail(error)) => self.fail(id, error),
            Err(Stop::Wait(on)) if self.closes_a_circle(id, on) => {
                self.fail(id, DatabaseError::Deadlock { with: on })
            }
            Err(Stop::Wait(on)) => {
                let (since, turn) = waited.unwrap_or_else(|| {
                    self.waited += 1;
                    (now, self.waited)
                });
                if let Some(transaction) = self.find_mut(id) {
                    transaction.waits = Some(Waiting { on, since, turn, progress });
                }
                Answer::Waits { on }
            }
        }
    }

    fn fail(&mut self, id: TransactionId, error: DatabaseError) -> Answer {
        if let Some(transaction) = self.find_mut(id) {
            transaction.state = State::Failed;
        }
        Answer::Refused(error)
    }

    fn closes_a_circle(&self, id: TransactionId, on: TransactionId) -> bool {
        let mut next = Some(on);
        while let Some(other) = next {
            if other == id {
                return true;
            }
            next = self.waits_on(other);
        }
        false
    }

    fn run(&mut self, id: TransactionId, progress: &mut Progress) -> Result<Outcome, Stop> {
        let statement = progress.statement.clone();
        match &statement {
            Statement::Insert(insert) => self.insert(id, insert),
            Statement::Update(update) => {
                while let Some(key) = progress.next_key() {
                    if let Some(row) = self.lock(id, update.table, key, &update.filter, progress)? {
                        let columns = assigned(&row, &update.set);
                        self.write(id, update.table, key, Some(columns));
                        progress.count += 1;
                    }
                    progress.place += 1;
                }
                Ok(Outcome::Rows(progress.count))
            }
            Statement::Delete { table, filter } => {
                while let Some(key) = progress.next_key() {
                    if self.lock(id, *table, key, filter, progress)?.is_some() {
                        self.write(id, *table, key, None);
                        progress.count += 1;
                    }
                    progress.place += 1;
                }
                Ok(Outcome::Rows(progress.count))
            }
            Statement::Select(select) => {
                let limit = select.limit.unwrap_or(u32::MAX) as usize;
                while progress.rows.len() < limit
                    && let Some(key) = progress.next_key()
                {
                    let table = &self.tables[select.table.index()];
                    let other = table.slots.get(&key).and_then(|slot| slot.held_by_other(id));
                    let row = match (select.lock, other) {
                        (Lock::None, _) => table.seen_by(id, key).map(RowRead::to_row),
                        (Lock::ForUpdateSkipLocked, Some(_)) => None,
                        (Lock::ForUpdateNoWait, Some(_)) => {
                            return Err(Stop::Fail(DatabaseError::LockNotAvailable));
                        }
                        _ => self.lock(id, select.table, key, &select.filter, progress)?,
                    };
                    progress.rows.extend(row);
                    progress.place += 1;
                }
                Ok(Outcome::Read(std::mem::take(&mut progress.rows)))
            }
        }
    }

    fn insert(&mut self, id: TransactionId, insert: &Insert) -> Result<Outcome, Stop> {
        let key = insert.key.expect("a key is chosen before the statement runs");
        let table = &self.tables[insert.table.index()];
        if let Some(slot) = table.slots.get(&key) {
            // A lock alone does not put the key in doubt, an open insert or delete does.
            let in_doubt = slot.held.as_ref().is_some_and(|held| {
                held.by != id
                    && (slot.committed.is_none() || matches!(held.change, Pending::Deleted))
            });
            if let (true, Some(other)) = (in_doubt, slot.held_by_other(id)) {
                return Err(Stop::Wait(other));
            }
            if slot.seen_by(id).is_some() {
                return match insert.on_conflict {
                    OnConflict::DoNothing => Ok(Outcome::Rows(0)),
                    OnConflict::Error => Err(Stop::Fail(DatabaseError::UniqueViolation(key))),
                };
            }
        }
        let mut columns = insert.columns.clone();
        columns.resize(usize::from(table.columns), Value::Null);
        self.write(id, insert.table, key, Some(columns));
        Ok(Outcome::Inserted(key))
    }

    /// Takes hold of a row, and reads it as it is then; nothing, if it no longer matches.
    fn lock(
        &mut self,
        id: TransactionId,
        table: TableId,
        key: Key,
        filter: &Filter,
        progress: &Progress,
    ) -> Result<Option<Row>, Stop> {
        let Some(slot) = self.tables[table.index()].slots.get_mut(&key) else { return Ok(None) };
        if let Some(other) = slot.held_by_other(id) {
            return Err(Stop::Wait(other));
        }
        let Some(row) = slot.seen_by(id).map(|version| version.read(key).to_row()) else {
            return Ok(None);
        };
        let read = RowRead { key, inserted_by: row.inserted_by, columns: &row.columns };
        if !filter.matches(&read, progress.oldest_open) {
            return Ok(None);
        }
        if slot.held.is_none() {
            slot.held = Some(Held { by: id, change: Pending::Locked });
            self.hold(id, table, key);
        }
        Ok(Some(row))
    }

    /// Writes a row, or deletes it, in a transaction that may.
    fn write(&mut self, id: TransactionId, table: TableId, key: Key, columns: Option<Vec<Value>>) {
        let writer = self.writer(id);
        let slot = self.tables[table.index()].slots.entry(key).or_default();
        let seen = slot.seen_by(id);
        let operation = match (&seen, &columns) {
            (None, _) => Operation::Insert,
            (Some(_), Some(_)) => Operation::Update,
            (Some(_), None) => Operation::Delete,
        };
        let inserted_by = seen.map_or(writer, |version| version.inserted_by);
        let logged = columns.clone().or_else(|| seen.map(|version| version.columns.clone()));
        let change = columns.map_or(Pending::Deleted, |columns| {
            Pending::Written(Version { columns, inserted_by, until: None })
        });
        if slot.held.is_none() {
            self.hold(id, table, key);
        }
        let slot = self.tables[table.index()].slots.entry(key).or_default();
        slot.held = Some(Held { by: id, change });
        let bytes = self.settings.change_bytes;
        let at = self.wal.append(u64::from(bytes));
        if let Some(transaction) = self.find_mut(id) {
            transaction.first.get_or_insert(at);
            let columns = logged.unwrap_or_default();
            transaction.changes.push(Change { table, key, operation, columns });
        }
        self.note_oldest();
    }

    fn hold(&mut self, id: TransactionId, table: TableId, key: Key) {
        if let Some(transaction) = self.find_mut(id) {
            transaction.holds.push((table, key));
        }
    }

    /// The number of a transaction among those that write, given out with its first write.
    fn writer(&mut self, id: TransactionId) -> u32 {
        let next = self.next_writer;
        let transaction = self.find_mut(id).expect("the transaction is open");
        let writer = *transaction.writer.get_or_insert(next);
        if writer == next {
            self.next_writer += 1;
        }
        writer
    }
}

impl Progress {
    fn next_key(&self) -> Option<Key> {
        self.candidates.get(self.place).copied()
    }
}

fn assigned(row: &Row, set: &[(u8, Assignment)]) -> Vec<Value> {
    let mut columns = row.columns.clone();
    for (column, assignment) in set {
        let column = &mut columns[usize::from(*column)];
        *column = match assignment {
            Assignment::To(value) => *value,
            Assignment::Add(more) => {
                Value::Number(column.as_number().unwrap_or(0).saturating_add(*more))
            }
        };
    }
    columns
}
