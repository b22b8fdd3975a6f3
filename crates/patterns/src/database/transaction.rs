//! Transactions: how they begin, wait, and end.

use sim::SimTime;

use super::Database;
use super::error::{DatabaseError, TransactionError};
use super::execute::Progress;
use super::identity::{Lsn, TableId, TransactionId};
use super::statement::Outcome;
use super::table::Ending;
use super::value::Key;
use super::wal::Change;

/// The state of an open transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// It can do things.
    Active,
    /// It can only roll back.
    Failed,
    /// It has promised to be able to commit, keeps its locks, and outlives a crash: the first phase
    /// of two-phase commit (`PREPARE TRANSACTION`).
    Prepared,
}

/// What a statement got.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// It is done.
    Done(Outcome),
    /// It waits for another transaction to end; the answer comes with that one's end, or with
    /// [`Database::advance`].
    Waits {
        /// Whom it waits for.
        on: TransactionId,
    },
    /// It failed.
    Refused(DatabaseError),
}

/// A statement that went on after it had waited.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Resumed {
    /// Whose statement.
    pub transaction: TransactionId,
    /// What it got: never [`Answer::Waits`].
    pub answer: Answer,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Transaction {
    pub id: TransactionId,
    pub state: State,
    /// Its number among those that write, from its first write on.
    pub writer: Option<u32>,
    /// Where in the log its first change stands.
    pub first: Option<Lsn>,
    /// The rows that it holds.
    pub holds: Vec<(TableId, Key)>,
    /// What it changed, in order, for the log.
    pub changes: Vec<Change>,
    pub waits: Option<Waiting>,
}

/// A statement that waits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Waiting {
    pub on: TransactionId,
    pub since: SimTime,
    /// Its number among all that ever waited.
    pub turn: u64,
    pub progress: Progress,
}

impl Database {
    /// Begins a transaction.
    pub fn begin(&mut self) -> TransactionId {
        let id = TransactionId::from_index(self.begun);
        self.begun += 1;
        self.transactions.push(Transaction {
            id,
            state: State::Active,
            writer: None,
            first: None,
            holds: Vec::new(),
            changes: Vec::new(),
            waits: None,
        });
        id
    }

    /// The state of an open transaction; `None` once it has ended.
    #[must_use]
    pub fn state(&self, id: TransactionId) -> Option<State> {
        self.find(id).map(|transaction| transaction.state)
    }

    /// Whom a transaction waits for, if its statement waits.
    #[must_use]
    pub fn waits_on(&self, id: TransactionId) -> Option<TransactionId> {
        Some(self.find(id)?.waits.as_ref()?.on)
    }

    /// The open transactions, oldest first.
    pub fn open(&self) -> impl Iterator<Item = TransactionId> {
        self.transactions.iter().map(|transaction| transaction.id)
    }

    /// How many rows a transaction holds against others.
    #[must_use]
    pub fn held_rows(&self, id: TransactionId) -> usize {
        self.find(id).map_or(0, |transaction| transaction.holds.len())
    }

    /// Commits: others see what it did, and those who waited for it go on.
    ///
    /// # Errors
    /// If it is not open and active. A failed transaction is rolled back instead, as PostgreSQL does
    /// with the COMMIT of one, and the caller is told.
    pub fn commit(
        &mut self,
        now: SimTime,
        id: TransactionId,
        resumed: &mut Vec<Resumed>,
    ) -> Result<(), TransactionError> {
        let transaction = self.find(id).ok_or(TransactionError::NotOpen)?;
        if transaction.waits.is_some() {
            return Err(TransactionError::Waiting);
        }
        match transaction.state {
            State::Active => self.end(now, id, Ending::Commit, resumed),
            State::Prepared => return Err(TransactionError::Prepared),
            State::Failed => {
                self.end(now, id, Ending::Rollback, resumed);
                return Err(TransactionError::Failed);
            }
        }
        Ok(())
    }

    /// Rolls back: nothing of it remains but the numbers that it took from sequences. A statement of
    /// it that waits is given up.
    ///
    /// # Errors
    /// If it is not open, or prepared.
    pub fn rollback(
        &mut self,
        now: SimTime,
        id: TransactionId,
        resumed: &mut Vec<Resumed>,
    ) -> Result<(), TransactionError> {
        match self.state(id) {
            None => Err(TransactionError::NotOpen),
            Some(State::Prepared) => Err(TransactionError::Prepared),
            Some(State::Active | State::Failed) => {
                self.end(now, id, Ending::Rollback, resumed);
                Ok(())
            }
        }
    }

    /// The first phase of two-phase commit: from here on the transaction can commit whatever
    /// happens, and holds its rows until it is told.
    ///
    /// # Errors
    /// If it is not open and active, or waits.
    pub fn prepare(&mut self, id: TransactionId) -> Result<(), TransactionError> {
        let transaction = self.find_mut(id).ok_or(TransactionError::NotOpen)?;
        if transaction.waits.is_some() {
            return Err(TransactionError::Waiting);
        }
        match transaction.state {
            State::Active => transaction.state = State::Prepared,
            State::Prepared => return Err(TransactionError::Prepared),
            State::Failed => return Err(TransactionError::Failed),
        }
        Ok(())
    }

    /// The second phase: `COMMIT PREPARED`.
    ///
    /// # Errors
    /// If it is not prepared.
    pub fn commit_prepared(
        &mut self,
        now: SimTime,
        id: TransactionId,
        resumed: &mut Vec<Resumed>,
    ) -> Result<(), TransactionError> {
        self.need_prepared(id)?;
        self.end(now, id, Ending::Commit, resumed);
        Ok(())
    }

    /// The second phase: `ROLLBACK PREPARED`.
    ///
    /// # Errors
    /// If it is not prepared.
    pub fn rollback_prepared(
        &mut self,
        now: SimTime,
        id: TransactionId,
        resumed: &mut Vec<Resumed>,
    ) -> Result<(), TransactionError> {
        self.need_prepared(id)?;
        self.end(now, id, Ending::Rollback, resumed);
        Ok(())
    }

    /// The server stops and starts again: open transactions are gone with their locks; what is
    /// committed stays, and so does what is prepared, locks and all.
    pub fn crash(&mut self, now: SimTime) {
        // Nobody is left to be told what the others' statements came to.
        let lost: Vec<_> = self
            .transactions
            .iter()
            .filter(|transaction| transaction.state != State::Prepared)
            .map(|transaction| transaction.id)
            .collect();
        for transaction in &mut self.transactions {
            transaction.waits = None;
        }
        for id in lost {
            self.end(now, id, Ending::Rollback, &mut Vec::new());
        }
    }

    fn need_prepared(&self, id: TransactionId) -> Result<(), TransactionError> {
        match self.state(id) {
            None => Err(TransactionError::NotOpen),
            Some(State::Prepared) => Ok(()),
            Some(State::Active | State::Failed) => Err(TransactionError::NotPrepared),
        }
    }

    fn end(&mut self, now: SimTime, id: TransactionId, ending: Ending, resumed: &mut Vec<Resumed>) {
        let Some(place) = self.transactions.iter().position(|open| open.id == id) else { return };
        let transaction = self.transactions.remove(place);
        for (table, key) in &transaction.holds {
            self.tables[table.index()].settle(now, *key, ending);
        }
        if let (Some(writer), Some(first)) = (transaction.writer, transaction.first) {
            let changes = if ending == Ending::Commit { transaction.changes } else { Vec::new() };
            self.wal.end(writer, first, changes, self.settings.commit_bytes, now);
        }
        self.resume(now, id, resumed);
        self.note_oldest();
    }

    /// Lets those go on that waited for a transaction that has ended, in the order in which they
    /// began to wait.
    fn resume(&mut self, now: SimTime, ended: TransactionId, resumed: &mut Vec<Resumed>) {
        let mut ready: Vec<_> = self
            .transactions
            .iter()
            .filter_map(|transaction| {
                let waiting = transaction.waits.as_ref()?;
                (waiting.on == ended).then_some((waiting.turn, transaction.id))
            })
            .collect();
        ready.sort_unstable();
        for (_, id) in ready {
            let Some(waiting) = self.find_mut(id).and_then(|open| open.waits.take()) else {
                continue;
            };
            let since = waiting.since;
            match self.go_on(now, id, waiting.progress, Some((since, waiting.turn))) {
                Answer::Waits { .. } => {}
                answer => resumed.push(Resumed { transaction: id, answer }),
            }
        }
    }

    pub(super) fn find(&self, id: TransactionId) -> Option<&Transaction> {
        self.transactions.iter().find(|transaction| transaction.id == id)
    }

    pub(super) fn find_mut(&mut self, id: TransactionId) -> Option<&mut Transaction> {
        self.transactions.iter_mut().find(|transaction| transaction.id == id)
    }

    /// Tells the log how far back a slot must be able to read.
    pub(super) fn note_oldest(&mut self) {
        let first = self.transactions.iter().filter_map(|transaction| transaction.first).min();
        self.wal.set_oldest_open(first);
    }
}
