//! What a database of a run is made of.

use std::collections::VecDeque;

use patterns::database::{
    Database, Expired, Insert, Key, OnConflict, RowRead, Settings, Statement, TableId,
    TransactionId, Value,
};
use patterns::outbox::Outbox;
use scenario::{ComponentId, Layout, StepIndex, Table};
use sim::{SimDuration, SimTime};

use crate::parts::{Caller, Effects, Part};
use crate::world::Context;
use crate::{What, WorkerId, World};

/// A database.
#[derive(Clone, Debug, Hash)]
pub struct DatabaseState {
    pub(crate) engine: Database,
    /// Its tables, in the scenario's order.
    pub tables: Vec<TableState>,
    /// Whose each open transaction is.
    pub(crate) users: Vec<(TransactionId, User)>,
    pub(crate) timer: Option<SimTime>,
    pub(crate) effects: Effects,
    /// Transactions committed, those of a single statement included.
    pub commits: u32,
    /// Transactions rolled back.
    pub rollbacks: u32,
    /// Up to when the writes of others are in the write-ahead log.
    pub(crate) others_until: SimTime,
    /// When the writes of others will have filled the disk.
    pub(crate) fills_at: Option<SimTime>,
    /// The write-ahead log has filled the disk, since then.
    pub full_since: Option<SimTime>,
    /// Rows inserted so far, for the limit.
    pub(crate) inserted: usize,
}

/// A table.
#[derive(Clone, Debug, Hash)]
pub struct TableState {
    pub(crate) id: TableId,
    pub(crate) outbox: Option<Outbox>,
    /// The keys of the rows that were inserted last, the latest last.
    recent: VecDeque<Key>,
}

/// Whose a transaction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum User {
    /// A handler's, which may wait for a row at this line.
    Runner(Caller, StepIndex),
    /// A relay's process.
    Relay(WorkerId),
}

/// How many of the latest rows of a table are remembered.
const RECENT: usize = 6;

impl DatabaseState {
    pub(crate) fn new(spec: &scenario::Database) -> Self {
        let mut engine = Database::new(Settings {
            lock_timeout: spec.lock_timeout,
            change_bytes: spec.change_bytes,
            ..Settings::default()
        });
        let tables = spec.tables.iter().map(|table| TableState::new(&mut engine, table));
        let tables = tables.collect();
        Self {
            engine,
            tables,
            users: Vec::new(),
            timer: None,
            effects: Effects::default(),
            commits: 0,
            rollbacks: 0,
            others_until: SimTime::ZERO,
            fills_at: None,
            full_since: None,
            inserted: 0,
        }
    }

    /// The state of the rows, locks and the write-ahead log.
    #[must_use]
    pub fn engine(&self) -> &Database {
        &self.engine
    }

    /// How many committed rows a table has.
    #[must_use]
    pub fn rows(&self, table: usize) -> usize {
        self.engine.len(self.tables[table].id)
    }

    /// The committed rows of a table that were inserted last, the latest first.
    pub fn newest(&self, table: usize) -> impl Iterator<Item = RowRead<'_>> {
        let table = &self.tables[table];
        table.recent.iter().rev().filter_map(|key| self.engine.row(table.id, *key))
    }

    /// How many events of an outbox are not published, and since when the oldest of them waits.
    #[must_use]
    pub fn unsent(&self, table: usize) -> Option<(usize, Option<SimTime>)> {
        self.tables[table].outbox.map(|outbox| outbox.unsent(&self.engine))
    }

    /// Bytes of the write-ahead log that slots hold back at a time.
    pub(crate) fn retained(&self, now: SimTime, spec: &scenario::Database) -> u64 {
        let wal = self.engine.wal();
        let Some(held) = wal.retained_bytes() else { return 0 };
        held + others_bytes(spec, now.saturating_since(self.others_until))
    }

    /// Whether an outbox has events that are not marked as published.
    pub(crate) fn has_work(&self, table: usize) -> bool {
        self.unsent(table).is_some_and(|(count, _)| count > 0)
    }

    pub(crate) fn user(&self, transaction: TransactionId) -> Option<User> {
        let mut users = self.users.iter();
        users.find(|(id, _)| *id == transaction).map(|(_, user)| *user)
    }

    pub(crate) fn forget(&mut self, transaction: TransactionId) {
        self.users.retain(|(id, _)| *id != transaction);
    }
}

/// What others write into the log in a time.
pub(crate) fn others_bytes(spec: &scenario::Database, time: SimDuration) -> u64 {
    let bytes = u128::from(spec.other_bytes_per_second) * u128::from(time.as_micros()) / 1_000_000;
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

impl TableState {
    fn new(engine: &mut Database, table: &Table) -> Self {
        let (id, outbox) = match &table.layout {
            Layout::Outbox => {
                let outbox = Outbox::create(engine);
                (outbox.table(), Some(outbox))
            }
            Layout::Rows { columns, .. } => {
                #[allow(clippy::cast_possible_truncation, reason = "limits::COLUMNS is far below")]
                let columns = columns.len() as u8;
                let id = match table.rows_last {
                    Some(lasts) => engine.create_passing_table(columns, lasts),
                    None => engine.create_table(columns),
                };
                (id, None)
            }
        };
        Self { id, outbox, recent: VecDeque::new() }
    }

    pub(crate) fn note_inserted(&mut self, key: Key) {
        self.recent.retain(|known| *known != key);
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(key);
    }
}

impl World {
    /// Puts the rows into a database that are there from the start.
    pub(crate) fn fill(&mut self, id: ComponentId, spec: &scenario::Database) {
        for (at, table) in spec.tables.iter().enumerate() {
            let keys = match &table.layout {
                Layout::Rows { key, .. } => key.len(),
                Layout::Outbox => 0,
            };
            for row in &table.rows {
                let values: Vec<Value> = row.iter().map(|field| self.value_of(field)).collect();
                let key = (keys > 0).then(|| {
                    let second = if keys > 1 { values[1] } else { Value::Null };
                    Key { first: values[0], second }
                });
                let now = self.now;
                let state = self.database_mut(id);
                let table = state.tables[at].id;
                let columns = values[keys..].to_vec();
                let on_conflict = OnConflict::DoNothing;
                let insert = Statement::Insert(Insert { table, key, columns, on_conflict });
                let transaction = state.engine.begin();
                let answer = state.engine.execute(now, transaction, insert);
                let _ = state.engine.commit(now, transaction, &mut Vec::new());
                if let patterns::database::Answer::Done(outcome) = answer {
                    outcome.keys().into_iter().for_each(|key| state.tables[at].note_inserted(key));
                }
            }
        }
        self.database_settle(id);
    }

    /// Takes out the rows whose time is over.
    #[inline(never)]
    pub(super) fn rows_expire(&mut self, cx: &mut Context, id: ComponentId) {
        let now = self.now;
        let mut expired = Vec::new();
        let state = self.database_mut(id);
        state.engine.expire(now, &mut expired);
        for Expired { table, rows } in expired {
            let tables = &self.database_mut(id).tables;
            let Some(at) = tables.iter().position(|it| it.id == table) else { continue };
            #[allow(clippy::cast_possible_truncation, reason = "limits::TABLES is far below")]
            self.emit(cx, What::RowsExpired { database: id, table: at as u16, rows });
        }
    }

    pub(crate) fn database_mut(&mut self, id: ComponentId) -> &mut DatabaseState {
        match &mut self.parts[id.index()] {
            Part::Database(state) => state,
            _ => unreachable!("validation makes it a database"),
        }
    }
}
