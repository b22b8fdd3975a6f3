//! Commits: each database for itself or all in two phases; rollbacks; and what is in doubt.
//!
//! Between its vote and the decision a participant of a two-phase commit holds its rows and can
//! decide nothing alone ([`patterns::saga::two_phase`]). A coordinator that dies before all have
//! voted finds no decision when it is back, and aborts (presumed abort); one that dies after that
//! finds it, and commits.

use broker::MessageId;
use patterns::database::Resumed;
use patterns::retry::FailureClass;
use patterns::saga::two_phase::{Coordinator, Decision, Vote};
use scenario::Act;
use sim::Times;

use super::session::Open;
use crate::parts::Caller;
use crate::world::Context;
use crate::{Outcome, Scope, What, WorkerId, World};

/// Transactions that are prepared, and whose coordinator has died.
#[derive(Clone, Debug, Hash)]
pub(crate) struct InDoubt {
    coordinator: WorkerId,
    message: MessageId,
    /// What the coordinator had on disk.
    decision: Coordinator,
    prepared: Vec<Open>,
}

impl World {
    /// One of the open transactions commits; the next takes its own time.
    pub(super) fn commit_next(
        &mut self,
        cx: &mut Context,
        runner: Caller,
        takes: Option<&Times>,
    ) -> Option<Outcome> {
        let message = self.activity_mut(runner)?.message;
        let session = self.session_mut(runner)?;
        if session.open.is_empty() {
            return Some(Outcome::Ok);
        }
        let open = session.open.remove(0);
        let next = session.open.first().map(|open| open.database);
        let mut resumed = Vec::new();
        let outcome = self.commit_one(cx, runner, message, &open, &mut resumed);
        self.rows_resumed(cx, open.database, resumed);
        match next {
            Some(database) if outcome == Outcome::Ok => {
                self.rows_go_on(cx, runner, takes, database)
            }
            _ => Some(outcome),
        }
    }

    /// The next participant votes, or, when all have, is told to commit.
    pub(super) fn two_phase_next(
        &mut self,
        cx: &mut Context,
        runner: Caller,
        takes: Option<&Times>,
    ) -> Option<Outcome> {
        let message = self.activity_mut(runner)?.message;
        let by = self.process_of(runner)?.component;
        let session = self.session_mut(runner)?;
        let Some(open) = session.open.first() else { return Some(Outcome::Ok) };
        // Those that are prepared stand first; once all are, the first is told, and leaves.
        if session.prepared == session.open.len() {
            let database = open.database;
            let open = session.open.remove(0);
            session.prepared -= 1;
            let next = session.open.first().map(|open| open.database);
            self.commit_prepared(cx, runner, message, &open);
            return match next {
                Some(next) => self.rows_go_on(cx, runner, takes, next),
                None => {
                    self.database_settle(database);
                    Some(Outcome::Ok)
                }
            };
        }
        let voter = &session.open[session.prepared];
        let (database, id) = (voter.database, voter.id);
        if self.database_mut(database).engine.prepare(id).is_err() {
            self.roll_all_back(cx, runner);
            return Some(Outcome::Error(FailureClass::Transient));
        }
        self.emit(cx, What::Prepared { database, by, message });
        let session = self.session_mut(runner)?;
        session.prepared += 1;
        let next = if session.prepared == session.open.len() { 0 } else { session.prepared };
        let next = session.open[next].database;
        self.rows_go_on(cx, runner, takes, next)
    }

    /// Commits a transaction that has left its session: its effects count.
    pub(super) fn commit_one(
        &mut self,
        cx: &mut Context,
        runner: Caller,
        message: MessageId,
        open: &Open,
        resumed: &mut Vec<Resumed>,
    ) -> Outcome {
        let now = self.now;
        let state = self.database_mut(open.database);
        state.forget(open.id);
        if state.engine.commit(now, open.id, resumed).is_err() {
            // PostgreSQL makes a rollback of the commit of what has failed, and says so.
            state.rollbacks += 1;
            self.tell_end(cx, runner, message, open, Decision::Abort);
            return Outcome::Error(FailureClass::Permanent);
        }
        self.saved(cx, runner, message, open);
        Outcome::Ok
    }

    fn commit_prepared(
        &mut self,
        cx: &mut Context,
        runner: Caller,
        message: MessageId,
        open: &Open,
    ) {
        let now = self.now;
        let mut resumed = Vec::new();
        let state = self.database_mut(open.database);
        state.forget(open.id);
        let _ = state.engine.commit_prepared(now, open.id, &mut resumed);
        self.saved(cx, runner, message, open);
        self.rows_resumed(cx, open.database, resumed);
    }

    /// What a committed transaction has changed counts from now on.
    fn saved(&mut self, cx: &mut Context, runner: Caller, message: MessageId, open: &Open) {
        self.database_mut(open.database).commits += 1;
        self.tell_end(cx, runner, message, open, Decision::Commit);
        // A line that runs again in the same handling, for the next row, is the same work.
        let mut saved = self.session_mut(runner).map_or(0, |session| session.saved);
        let mut works = false;
        let database = open.database;
        for &step in &open.lines {
            if saved & 1 << step.index() != 0 {
                continue;
            }
            saved |= 1 << step.index();
            let line = self.program(cx.scenario, runner).and_then(|program| program.step(step));
            let Some(Act::Statement(statement)) = line.map(|line| &line.act) else { continue };
            if !statement.has_effect() {
                continue;
            }
            works = true;
            if statement.does.adds_up() {
                let Some(line) = self.line_of(runner, step) else { continue };
                let work = self.work_of(cx, runner, line, database);
                let event = self.messages.event(message);
                let nth = self.database_mut(database).effects.note(work, event);
                self.messages[message].effects += 1;
                self.emit(
                    cx,
                    What::Effected { external: database, message, caller: runner, line, nth },
                );
            }
            self.note_effect(cx, runner, message, step);
        }
        if let Some(session) = self.session_mut(runner) {
            session.saved = saved;
        }
        let step = self.activity_mut(runner).and_then(|activity| activity.step);
        if let (Some(step), true) = (step, works) {
            self.note_passed_on(cx, runner, message, step);
        }
        self.rows_ended(cx, database);
    }

    /// Tells the end of a transaction that was begun by a line. One of a single statement has been
    /// told with it.
    fn tell_end(
        &mut self,
        cx: &mut Context,
        runner: Caller,
        message: MessageId,
        open: &Open,
        decision: Decision,
    ) {
        if open.scope == Scope::Statement {
            return;
        }
        let Some(by) = self.process_of(runner).map(|process| process.component) else { return };
        let database = open.database;
        self.emit(
            cx,
            match decision {
                Decision::Commit => What::RowsCommitted { database, by, message },
                Decision::Abort => What::RowsRolledBack { database, by, message },
            },
        );
    }

    /// Rolls everything back that a handler has open.
    pub(super) fn roll_all_back(&mut self, cx: &mut Context, runner: Caller) {
        let Some(message) = self.activity_mut(runner).map(|activity| activity.message) else {
            return;
        };
        let Some(session) = self.session_mut(runner) else { return };
        let prepared = std::mem::take(&mut session.prepared);
        for (at, one) in std::mem::take(&mut session.open).iter().enumerate() {
            if at < prepared {
                self.abort_prepared(cx, one);
                self.tell_end(cx, runner, message, one, Decision::Abort);
            } else {
                self.roll_back(cx, runner, message, one);
            }
        }
    }

    /// Rolls back a transaction that has left its session.
    pub(super) fn roll_back(
        &mut self,
        cx: &mut Context,
        runner: Caller,
        message: MessageId,
        open: &Open,
    ) {
        let mut resumed = Vec::new();
        self.roll_back_into(open, &mut resumed);
        self.tell_end(cx, runner, message, open, Decision::Abort);
        self.rows_resumed(cx, open.database, resumed);
        self.rows_ended(cx, open.database);
    }

    pub(super) fn roll_back_into(&mut self, open: &Open, resumed: &mut Vec<Resumed>) {
        let now = self.now;
        let state = self.database_mut(open.database);
        state.forget(open.id);
        state.rollbacks += 1;
        let _ = state.engine.rollback(now, open.id, resumed);
    }

    fn abort_prepared(&mut self, cx: &mut Context, open: &Open) {
        let now = self.now;
        let mut resumed = Vec::new();
        let state = self.database_mut(open.database);
        state.forget(open.id);
        state.rollbacks += 1;
        let _ = state.engine.rollback_prepared(now, open.id, &mut resumed);
        self.rows_resumed(cx, open.database, resumed);
    }

    /// A coordinator dies, and leaves participants behind that have voted.
    pub(super) fn left_in_doubt(
        &mut self,
        cx: &mut Context,
        runner: Caller,
        message: MessageId,
        prepared: Vec<Open>,
        decided: bool,
    ) {
        let Some(coordinator) = self.process_of(runner) else { return };
        for open in &prepared {
            let database = open.database;
            self.database_mut(database).forget(open.id);
            self.emit(cx, What::InDoubt { database, by: coordinator.component, message });
        }
        // One that has not voted is missing, unless the decision had been made.
        let voters = prepared.len() + usize::from(!decided);
        let mut decision = Coordinator::start(self.now, voters, None);
        (0..prepared.len()).for_each(|voter| decision.vote(voter, Vote::Yes));
        self.in_doubt.push(InDoubt { coordinator, message, decision, prepared });
    }

    /// A coordinator is back: it tells those in doubt what it finds on its disk.
    pub(crate) fn resolve_doubts(&mut self, cx: &mut Context, id: WorkerId) {
        let (mine, others) =
            std::mem::take(&mut self.in_doubt).into_iter().partition(|it| it.coordinator == id);
        self.in_doubt = others;
        let mine: Vec<InDoubt> = mine;
        for mut doubt in mine {
            doubt.decision.recover();
            let commits = doubt.decision.inquire() == Some(Decision::Commit);
            for open in &doubt.prepared {
                self.end_doubt(cx, &doubt, open, commits);
            }
        }
    }

    fn end_doubt(&mut self, cx: &mut Context, doubt: &InDoubt, open: &Open, commits: bool) {
        let (now, database) = (self.now, open.database);
        let (by, message) = (doubt.coordinator.component, doubt.message);
        let mut resumed = Vec::new();
        let state = self.database_mut(database);
        if commits {
            state.commits += 1;
            let _ = state.engine.commit_prepared(now, open.id, &mut resumed);
            self.emit(cx, What::RowsCommitted { database, by, message });
        } else {
            state.rollbacks += 1;
            let _ = state.engine.rollback_prepared(now, open.id, &mut resumed);
            self.emit(cx, What::RowsRolledBack { database, by, message });
        }
        self.rows_resumed(cx, database, resumed);
        self.rows_ended(cx, database);
    }
}
