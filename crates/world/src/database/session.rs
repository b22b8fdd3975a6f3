//! The transactions that a handler has open, and what becomes of them at its end.

use broker::MessageId;
use patterns::database::{Row, TransactionId};
use scenario::{Act, ComponentId, Program, StepIndex, TableRef};

use super::User;
use crate::parts::Caller;
use crate::world::Context;
use crate::{Outcome, Scope, What, World};

/// What a handler has to do with databases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Session {
    /// Its open transactions, in the order in which they began.
    pub open: Vec<Open>,
    /// How many of them are prepared, in a two-phase commit.
    pub prepared: usize,
    /// The row that it read last, and of which table.
    pub row: Option<(TableRef, Row)>,
    /// The lines whose changes are committed, as bits.
    pub saved: u64,
}

/// An open transaction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Open {
    pub database: ComponentId,
    pub id: TransactionId,
    pub scope: Scope,
    /// The lines that have changed something in it.
    pub lines: Vec<StepIndex>,
}

impl World {
    pub(crate) fn session_mut(&mut self, runner: Caller) -> Option<&mut Session> {
        let activity = self.activity_mut(runner)?;
        Some(activity.session.get_or_insert_default())
    }

    /// Whether a handler is at a line that is about rows.
    pub(crate) fn is_at_statement(
        &mut self,
        cx: &Context,
        runner: Caller,
        step: StepIndex,
    ) -> bool {
        let line = self.program(cx.scenario, runner).and_then(|program| program.step(step));
        line.is_some_and(|line| line.act.is_about_rows())
    }

    /// The transaction that a handler has open in a database, or a new one.
    pub(super) fn transaction(
        &mut self,
        runner: Caller,
        step: StepIndex,
        database: ComponentId,
        scope: Scope,
    ) -> Option<TransactionId> {
        let open = self.session_mut(runner)?.open.iter().find(|open| open.database == database);
        let known = open.map(|open| open.id);
        let state = self.database_mut(database);
        let id = known.unwrap_or_else(|| state.engine.begin());
        state.forget(id);
        state.users.push((id, User::Runner(runner, step)));
        if known.is_none() {
            let open = Open { database, id, scope, lines: Vec::new() };
            self.session_mut(runner)?.open.push(open);
        }
        Some(id)
    }

    /// A handler is over, in whatever way, or its process has died: what is open is rolled back, and
    /// what is prepared is in doubt.
    pub(crate) fn session_over(&mut self, cx: &mut Context, runner: Caller, program: &Program) {
        let Some(activity) = self.activity_mut(runner) else { return };
        let message = activity.message;
        let session = activity.session.take();
        if let Some(session) = session {
            let saved = session.saved;
            self.end_session(cx, runner, message, *session);
            self.check_told(cx, runner, program, saved);
        } else {
            self.check_told(cx, runner, program, 0);
        }
    }

    /// Holds what a request's handler has published against what it has saved.
    fn check_told(&mut self, cx: &mut Context, runner: Caller, program: &Program, saved: u64) {
        let Caller::Request(_) = runner else { return };
        let Some(message) = self.activity_mut(runner).map(|activity| activity.message) else {
            return;
        };
        let (mut wanted, mut publishes) = (0_u64, 0_u64);
        for (at, step) in program.steps[..program.main].iter().enumerate() {
            match &step.act {
                _ if !self.is_for(cx.scenario, step, message) => {}
                Act::Statement(statement) if statement.has_effect() => wanted |= 1 << at,
                Act::Publish { .. } => publishes |= 1 << at,
                _ => {}
            }
        }
        if wanted == 0 || publishes == 0 {
            return;
        }
        let Some(by) = self.process_of(runner).map(|process| process.component) else { return };
        let Some(activity) = self.activity_mut(runner) else { return };
        let done = activity.done.iter().filter(|(_, outcome)| *outcome == Outcome::Ok);
        let told = done.fold(0, |bits, (step, _)| bits | 1 << step.index()) & publishes;
        if told != 0 && saved & wanted != wanted {
            self.emit(cx, What::Phantom { by, message });
        } else if told != publishes && saved & wanted == wanted {
            self.emit(cx, What::Untold { by, message });
        }
    }

    /// The transactions of a handler that is gone.
    fn end_session(
        &mut self,
        cx: &mut Context,
        runner: Caller,
        message: MessageId,
        session: Session,
    ) {
        let mut open = session.open;
        let prepared: Vec<Open> = open.drain(..session.prepared.min(open.len())).collect();
        let decided = session.prepared > 0 && open.is_empty();
        for one in open {
            self.roll_back(cx, runner, message, &one);
        }
        if !prepared.is_empty() {
            self.left_in_doubt(cx, runner, message, prepared, decided);
        }
    }
}
