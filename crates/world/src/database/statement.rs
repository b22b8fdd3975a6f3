//! Statements: what they say, what they come to, and how those go on that had to wait.

use broker::MessageId;
use patterns::database::{
    Answer, Assignment, DatabaseError, Field, Filter, Insert, Is, Lock, OnConflict, Order,
    Outcome as Came, Resumed, Select, Statement as Sql, TransactionId, Update, Value,
};
use patterns::retry::FailureClass;
use scenario::{
    Act, Change, Commit, Comparison, ComponentId, Condition, Does, Kind, NewRow, Place, RowLock,
    Statement, StepIndex, limits,
};
use sim::{Rank, SimDuration, SimTime, Times};

use super::User;
use crate::activity::Progress;
use crate::parts::Caller;
use crate::trace::{Did, Scope};
use crate::world::{Context, Event};
use crate::{Outcome, What, World};

const NO_TIME: &Times = &Times::Constant(SimDuration::ZERO);

impl World {
    /// How long a line takes that is about rows.
    #[inline(never)]
    pub(crate) fn rows_take<'a>(
        &mut self,
        cx: &Context<'a>,
        runner: Caller,
        act: &'a Act,
    ) -> &'a Times {
        let database = match act {
            Act::Begin { takes, .. }
            | Act::Rollback { takes }
            | Act::Commit { takes: Some(takes), .. } => return takes,
            Act::Statement(statement) if statement.takes.is_none() => statement.table.database,
            Act::Statement(statement) => return statement.takes.as_ref().unwrap_or(NO_TIME),
            _ => {
                let session = self.session_mut(runner);
                match session.and_then(|session| session.open.first()) {
                    Some(open) => open.database,
                    None => return NO_TIME,
                }
            }
        };
        match &cx.scenario.component(database).kind {
            Kind::Database(spec) => &spec.latency,
            _ => NO_TIME,
        }
    }

    /// A line that is about rows comes to its end; `None`: not yet.
    #[inline(never)]
    pub(crate) fn rows_due(
        &mut self,
        cx: &mut Context,
        runner: Caller,
        step: StepIndex,
        act: &Act,
    ) -> Option<Outcome> {
        match act {
            Act::Begin { database, .. } => {
                self.transaction(runner, step, *database, Scope::Begun);
                Some(Outcome::Ok)
            }
            Act::Statement(statement) => self.execute(cx, runner, step, statement),
            Act::Commit { how: Commit::Each, takes } => {
                self.commit_next(cx, runner, takes.as_ref())
            }
            Act::Commit { how: Commit::TwoPhase, takes } => {
                self.two_phase_next(cx, runner, takes.as_ref())
            }
            _ => {
                self.roll_all_back(cx, runner);
                Some(Outcome::Ok)
            }
        }
    }

    fn execute(
        &mut self,
        cx: &mut Context,
        runner: Caller,
        step: StepIndex,
        statement: &Statement,
    ) -> Option<Outcome> {
        let database = statement.table.database;
        let message = self.activity_mut(runner)?.message;
        if self.database_mut(database).full_since.is_some() && statement.does.writes() {
            return Some(Outcome::Error(FailureClass::Transient));
        }
        self.rows_expire(cx, database);
        let sql = self.sql(cx, runner, message, statement);
        let id = self.transaction(runner, step, database, Scope::Statement)?;
        let now = self.now;
        match self.database_mut(database).engine.execute(now, id, sql) {
            Answer::Waits { .. } => {
                if let Some(activity) = self.activity_mut(runner) {
                    activity.progress = Progress::Row;
                }
                let by = self.process_of(runner)?.component;
                self.emit(cx, What::RowAwaited { database, by, message });
                self.database_settle(database);
                None
            }
            answer => {
                let mut resumed = Vec::new();
                let outcome =
                    self.statement_over(cx, runner, step, statement, (id, answer), &mut resumed);
                self.rows_resumed(cx, database, resumed);
                Some(outcome)
            }
        }
    }

    /// A statement has its answer. One that was a transaction of its own commits.
    fn statement_over(
        &mut self,
        cx: &mut Context,
        runner: Caller,
        step: StepIndex,
        statement: &Statement,
        (id, answer): (TransactionId, Answer),
        resumed: &mut Vec<Resumed>,
    ) -> Outcome {
        let (database, table) = (statement.table.database, statement.table.table);
        let (did, outcome, rows) = came_out(&statement.does, &answer);
        let Some(message) = self.activity_mut(runner).map(|activity| activity.message) else {
            return outcome;
        };
        let Some(by) = self.process_of(runner).map(|process| process.component) else {
            return outcome;
        };
        if let Answer::Done(came) = &answer {
            if let Came::Inserted(key) = came {
                let state = self.database_mut(database);
                state.tables[usize::from(table)].note_inserted(*key);
                state.inserted += 1;
                if state.inserted > limits::ROWS.max {
                    self.crossed = Some(limits::ROWS.name);
                }
            }
            if let (Came::Read(read), Some(session)) = (came, self.session_mut(runner)) {
                session.row = read.first().map(|row| (statement.table, row.clone()));
            }
        }
        let Some(session) = self.session_mut(runner) else { return outcome };
        let Some(at) =
            session.open.iter().position(|open| open.id == id && open.database == database)
        else {
            return outcome;
        };
        let scope = session.open[at].scope;
        self.emit(cx, What::Executed { database, table, by, message, did, rows, scope });
        let Some(session) = self.session_mut(runner) else { return outcome };
        if rows > 0 && statement.does.writes() {
            session.open[at].lines.push(step);
        }
        if scope == Scope::Statement {
            let open = session.open.remove(at);
            if matches!(answer, Answer::Done(_)) {
                self.commit_one(cx, runner, message, &open, resumed);
            } else {
                self.roll_back_into(&open, resumed);
            }
        }
        outcome
    }

    /// Others have let go of rows: those who waited for them go on.
    pub(crate) fn rows_resumed(
        &mut self,
        cx: &mut Context,
        database: ComponentId,
        mut resumed: Vec<Resumed>,
    ) {
        let mut at = 0;
        while at < resumed.len() {
            let Resumed { transaction, answer } = resumed[at].clone();
            at += 1;
            match self.database_mut(database).user(transaction) {
                Some(User::Runner(runner, step)) => {
                    let line = self.program(cx.scenario, runner).and_then(|all| all.step(step));
                    let Some(Act::Statement(statement)) = line.map(|line| &line.act) else {
                        continue;
                    };
                    let answer = (transaction, answer);
                    let outcome =
                        self.statement_over(cx, runner, step, statement, answer, &mut resumed);
                    let runs = self.runs(runner);
                    let Some(activity) = self.activity_mut(runner) else { continue };
                    activity.progress = Progress::Answered(outcome);
                    if runs {
                        self.schedule_step(runner, self.now);
                    }
                }
                Some(User::Relay(worker)) => {
                    self.poll_resumed(cx, worker, Resumed { transaction, answer });
                }
                None => {}
            }
        }
        self.database_settle(database);
    }

    /// After any change: the time at which somebody has waited too long is on the calendar.
    pub(crate) fn database_settle(&mut self, id: ComponentId) {
        let now = self.now;
        let state = self.database_mut(id);
        let ends = [state.engine.next_deadline(), state.engine.next_expiry()];
        let next = ends.into_iter().flatten().min().map(|at| at.max(now));
        if next != state.timer {
            state.timer = next;
            if let Some(at) = next {
                self.schedule(at, Rank::Timer, Event::Deadline { queue: id });
            }
        }
    }

    /// Somebody has waited long enough for a row.
    pub(crate) fn database_deadline(&mut self, cx: &mut Context, id: ComponentId) {
        let now = self.now;
        if self.database_mut(id).fills_at == Some(now) {
            self.check_disk(cx, id);
        }
        let state = self.database_mut(id);
        if state.timer != Some(now) {
            return;
        }
        state.timer = None;
        self.rows_expire(cx, id);
        let state = self.database_mut(id);
        let mut resumed = Vec::new();
        state.engine.advance(now, &mut resumed);
        self.rows_resumed(cx, id, resumed);
    }

    /// A statement with its values.
    fn sql(
        &mut self,
        cx: &Context,
        runner: Caller,
        message: MessageId,
        statement: &Statement,
    ) -> Sql {
        let state = self.database_mut(statement.table.database);
        let table = &state.tables[usize::from(statement.table.table)];
        let (table, outbox) = (table.id, table.outbox);
        match &statement.does {
            Does::Insert(row) | Does::InsertOrSkip(row) => {
                if let Some(outbox) = outbox {
                    let aggregate = row.columns.iter().find(|(at, _)| *at == 0);
                    let aggregate = match aggregate {
                        Some((_, operand)) => self.operand(cx, runner, message, operand),
                        None => Value::Word(u32::from(self.messages[message].key)),
                    };
                    let event = i64::from(self.messages.event(message).number());
                    return outbox.write(self.now, aggregate, event);
                }
                let on_conflict = match &statement.does {
                    Does::Insert(_) => OnConflict::Error,
                    _ => OnConflict::DoNothing,
                };
                let (key, columns) = self.new_row(cx, runner, message, row);
                Sql::Insert(Insert { table, key, columns, on_conflict })
            }
            Does::UpdateWhere { rows, set } => {
                let filter = self.filter(cx, runner, message, rows);
                let set = set.iter().map(|(at, change)| {
                    let assignment = match change {
                        Change::To(to) => Assignment::To(self.operand(cx, runner, message, to)),
                        Change::Add(more) => Assignment::Add(*more),
                    };
                    (*at, assignment)
                });
                let set = set.collect();
                Sql::Update(Update { table, filter, set })
            }
            Does::Delete { rows } => {
                let filter = self.filter(cx, runner, message, rows);
                Sql::Delete { table, filter }
            }
            Does::Read { rows, lock } => {
                let filter = self.filter(cx, runner, message, rows);
                let lock = match lock {
                    RowLock::None => Lock::None,
                    RowLock::ForUpdate => Lock::ForUpdate,
                    RowLock::SkipLocked => Lock::ForUpdateSkipLocked,
                };
                Sql::Select(Select { table, filter, order: Order::Key, limit: Some(1), lock })
            }
        }
    }

    fn new_row(
        &mut self,
        cx: &Context,
        runner: Caller,
        message: MessageId,
        row: &NewRow,
    ) -> (Option<patterns::database::Key>, Vec<Value>) {
        let mut key = row.key.iter().map(|part| self.operand(cx, runner, message, part));
        let first = key.next();
        let second = key.next().unwrap_or(Value::Null);
        let key = first.map(|first| patterns::database::Key { first, second });
        let mut columns = Vec::new();
        for (at, operand) in &row.columns {
            let at = usize::from(*at);
            if columns.len() <= at {
                columns.resize(at + 1, Value::Null);
            }
            columns[at] = self.operand(cx, runner, message, operand);
        }
        (key, columns)
    }

    fn filter(
        &mut self,
        cx: &Context,
        runner: Caller,
        message: MessageId,
        rows: &[Condition],
    ) -> Filter {
        let mut filter = Filter::all();
        for condition in rows {
            let field = match condition.place {
                Place::Key => Field::Key,
                Place::SecondKey => Field::SecondKey,
                Place::Column(at) => Field::Column(at),
            };
            let with = self.operand(cx, runner, message, &condition.with);
            let is = match (condition.is, with) {
                (Comparison::Is, Value::Null) => Is::Null,
                (Comparison::IsNot, Value::Null) => Is::NotNull,
                (Comparison::Is, _) => Is::Equal(with),
                (Comparison::IsNot, _) => Is::NotEqual(with),
                (Comparison::Below, _) => Is::Below(with),
                (Comparison::AtMost, _) => Is::AtMost(with),
                (Comparison::Above, _) => Is::Above(with),
                (Comparison::AtLeast, _) => Is::AtLeast(with),
            };
            filter = filter.and(field, is);
        }
        filter
    }

    /// The next part of a line takes its time.
    pub(super) fn rows_go_on(
        &mut self,
        cx: &Context,
        runner: Caller,
        takes: Option<&Times>,
        database: ComponentId,
    ) -> Option<Outcome> {
        let times = takes.unwrap_or(match &cx.scenario.component(database).kind {
            Kind::Database(spec) => &spec.latency,
            _ => NO_TIME,
        });
        let now = self.now;
        let process = self.process_of(runner)?;
        let process = self.process_mut(process);
        let takes = times.sample(&mut process.stream);
        let ends: SimTime = now + process.scaled(now, takes);
        if let Some(activity) = self.activity_mut(runner) {
            activity.step_ends = ends;
        }
        self.schedule_step(runner, ends);
        None
    }
}

/// What a statement did, how its line comes out, and how many rows that is.
fn came_out(does: &Does, answer: &Answer) -> (Did, Outcome, u32) {
    let did = match does {
        Does::Insert(_) | Does::InsertOrSkip(_) => Did::Insert,
        Does::UpdateWhere { .. } => Did::Update,
        Does::Delete { .. } => Did::Delete,
        Does::Read { .. } => Did::Read,
    };
    let (outcome, rows) = match answer {
        Answer::Done(came) => {
            let none = match did {
                Did::Insert => Outcome::Conflict,
                _ => Outcome::ZeroRows,
            };
            let rows = came.count();
            (if rows == 0 { none } else { Outcome::Ok }, rows)
        }
        Answer::Refused(DatabaseError::UniqueViolation(_)) => (Outcome::Conflict, 0),
        Answer::Refused(DatabaseError::TransactionFailed) => {
            (Outcome::Error(FailureClass::Permanent), 0)
        }
        Answer::Refused(_) | Answer::Waits { .. } => (Outcome::Error(FailureClass::Transient), 0),
    };
    (did, outcome, rows)
}
