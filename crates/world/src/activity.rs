//! Activities: a handler on its way through a message, in a worker's hands or for a request.
//!
//! Whoever runs it, a handler's lines begin, take their time, do what they do at their end, and
//! come out in some way, which decides what follows. A process believes what it is told and knows
//! nothing else: after a pause, a lost ack or a lapsed visibility timeout it goes on as if the
//! message were still its own.

use broker::MessageId;
use scenario::{Act, Kind, Program, Scenario, StepIndex, Target};
use sim::{Rank, SimDuration, SimTime, Times};

use crate::armed::Passage;
use crate::database::Session;
use crate::decode::admit;
use crate::follow::{Follow, follow};
use crate::parts::{Call, Caller, Process};
use crate::request::RequestPhase;
use crate::retry::Trying;
use crate::taking::Publishing;
use crate::world::{Context, Event};
use crate::{Outcome, What, WorkerId, World};

/// A handler on its way through a message.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Activity {
    /// Which message.
    pub message: MessageId,
    /// When it began: for a worker, when the queue handed the message out.
    pub started: SimTime,
    /// The line under way; `None` before the first.
    pub step: Option<StepIndex>,
    /// When that began.
    pub step_started: SimTime,
    /// When it will end, as far as the process's own clock is concerned.
    pub step_ends: SimTime,
    /// What it waits for.
    pub progress: Progress,
    /// How the finished lines came out, in order.
    pub done: Vec<(StepIndex, Outcome)>,
    /// The message that a `publish` under way carries.
    pub(crate) carries: Option<MessageId>,
    /// What it has open in databases.
    pub(crate) session: Option<Box<Session>>,
    /// The attempts of the call under way, if it may be made again.
    pub(crate) trying: Option<Box<Trying>>,
    /// After which time the one asked wants to be asked again.
    pub(crate) wish: Option<SimDuration>,
    /// The attempts of the whole handler, if they are made in the process.
    pub(crate) whole: Option<Box<Trying>>,
    /// The calendar event it waits for; others that name it are no longer to be believed.
    pub(crate) ticket: u32,
}

/// What an activity waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Progress {
    /// Its own step end.
    Step,
    /// The answer of a call, by its number.
    Call(u32),
    /// Nothing: the answer is there and will be looked at when the process comes round to it.
    Answered(Outcome),
    /// The time to make the call again.
    CallAgain,
    /// The time to run the whole handler again.
    RunAgain,
    /// A row that another transaction holds.
    Row,
}

/// How a handler came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Every line has been run that was to be.
    Finished,
    /// A line failed, and nothing was said of what follows.
    Failed(Outcome),
}

impl Activity {
    /// One whose first line begins after `takes`.
    pub(crate) fn new(message: MessageId, now: SimTime, takes: SimDuration) -> Self {
        Self {
            message,
            started: now,
            step: None,
            step_started: now,
            step_ends: now + takes,
            progress: Progress::Step,
            done: Vec::new(),
            carries: None,
            session: None,
            trying: None,
            wish: None,
            whole: None,
            ticket: 0,
        }
    }

    /// The call whose answer it waits for.
    pub(crate) fn asked(&self) -> Option<u32> {
        match self.progress {
            Progress::Call(number) => Some(number),
            _ => None,
        }
    }
}

impl World {
    /// The activity of a worker or a request, while there is one.
    pub(crate) fn activity_mut(&mut self, runner: Caller) -> Option<&mut Activity> {
        match runner {
            Caller::Worker(id) => Some(&mut self.worker_mut(id).hands.as_mut()?.activity),
            Caller::Request(number) => match &mut self.requests.get_mut(number)?.phase {
                RequestPhase::Handled { activity, .. } => Some(&mut **activity),
                _ => None,
            },
        }
    }

    /// The process that runs it.
    pub(crate) fn process_of(&mut self, runner: Caller) -> Option<WorkerId> {
        let Caller::Request(number) = runner else {
            let Caller::Worker(id) = runner else { return None };
            return Some(id);
        };
        let request = self.requests.get_mut(number)?;
        match (request.target, &request.phase) {
            (Target::Service(component, _), RequestPhase::Handled { instance, .. }) => {
                Some(WorkerId { component, instance: *instance })
            }
            _ => None,
        }
    }

    /// Whether the process that runs it makes progress.
    pub(crate) fn runs(&mut self, runner: Caller) -> bool {
        self.running(runner).is_some_and(|process| process.runs())
    }

    fn running(&mut self, runner: Caller) -> Option<&mut Process> {
        let process = self.process_of(runner)?;
        Some(self.process_mut(process))
    }

    /// Which handler of its component it runs.
    pub(crate) fn handler_of(&mut self, runner: Caller) -> usize {
        let Caller::Request(number) = runner else { return 0 };
        match self.requests.get_mut(number).map(|request| request.target) {
            Some(Target::Service(_, handler)) => handler,
            _ => 0,
        }
    }

    pub(crate) fn program<'a>(
        &mut self,
        scenario: &'a Scenario,
        runner: Caller,
    ) -> Option<&'a Program> {
        match runner {
            Caller::Worker(id) => match &scenario.component(id.component).kind {
                Kind::Workers(spec) => Some(&spec.on_message),
                _ => None,
            },
            Caller::Request(number) => match self.requests.get_mut(number)?.target {
                Target::Service(service, handler) => match &scenario.component(service).kind {
                    Kind::Service(spec) => Some(&spec.handles[handler].1),
                    _ => None,
                },
                Target::Queue(_) => None,
            },
        }
    }

    /// When its own clock will say that what it is at has come to its end.
    pub(crate) fn schedule_step(&mut self, runner: Caller, at: SimTime) {
        let ticket = self.ticket();
        let Some(activity) = self.activity_mut(runner) else { return };
        activity.ticket = ticket;
        let rank = match runner {
            Caller::Worker(_) => Rank::Finish,
            Caller::Request(_) => Rank::Arrival,
        };
        self.schedule(at, rank, Event::Step { runner, ticket });
    }

    /// A process's own clock says that what an activity is at has come to its end.
    pub(crate) fn step_due(&mut self, cx: &mut Context, runner: Caller, ticket: u32) {
        let Some(activity) = self.activity_mut(runner) else { return };
        if activity.ticket != ticket {
            return;
        }
        let Some(step) = activity.step else {
            self.begin_step(cx, runner, StepIndex::FIRST);
            return;
        };
        let progress = activity.progress;
        match progress {
            Progress::Answered(outcome) if self.is_at_statement(cx, runner, step) => {
                self.end_step(cx, runner, step, outcome);
            }
            Progress::Answered(outcome) => self.call_over(cx, runner, step, outcome),
            Progress::CallAgain => self.call(cx, runner, step),
            Progress::RunAgain => self.begin_step(cx, runner, StepIndex::FIRST),
            Progress::Step => self.carry_out(cx, runner, step),
            Progress::Call(_) | Progress::Row => {}
        }
    }

    pub(crate) fn begin_step(&mut self, cx: &mut Context, runner: Caller, from: StepIndex) {
        let Some((step, line)) = self.line_for(cx.scenario, runner, from) else {
            self.end_activity(cx, runner, Ending::Finished);
            return;
        };
        let Some(message) = self.activity_mut(runner).map(|activity| activity.message) else {
            return;
        };
        if self.begins(cx, runner, message) == Passage::Dead {
            return;
        }
        if let Caller::Worker(worker) = runner {
            self.emit(cx, What::StepStarted { worker, message, step });
        }
        let times = match &line.act {
            Act::Wait { time } => time,
            Act::Ack { takes }
            | Act::Drop { takes }
            | Act::CheckLease { takes }
            | Act::Nack { takes, .. }
            | Act::Extend { takes, .. }
            | Act::DeadLetter { takes, .. }
            | Act::Decode { takes, .. }
            | Act::Admit { takes, .. }
            | Act::Crash { takes } => takes,
            Act::Publish { to, takes, schema, kind, .. } => {
                self.publish_leaves(cx, runner, *to, message, (*schema, *kind));
                takes
            }
            // A handler that cannot read the message throws before it has asked anybody.
            Act::Call { .. } if self.throws(runner, message) => &Times::Constant(SimDuration::ZERO),
            Act::Call { retry, .. } => {
                let now = self.now;
                if let (Some(retry), Some(activity)) = (retry, self.activity_mut(runner)) {
                    activity.trying = Some(Box::new(Trying::start(&retry.policy, now)));
                }
                self.call_begins(runner, step);
                self.call(cx, runner, step);
                return;
            }
            Act::Begin { .. } | Act::Statement(_) | Act::Commit { .. } | Act::Rollback { .. } => {
                self.rows_take(cx, runner, &line.act)
            }
            Act::Respond { status } => {
                self.respond(cx, runner, *status);
                if let Some(activity) = self.activity_mut(runner) {
                    activity.step = Some(step);
                }
                self.end_step(cx, runner, step, Outcome::Ok);
                return;
            }
        };
        let now = self.now;
        let Some(process) = self.running(runner) else { return };
        let takes = times.sample(&mut process.stream);
        let ends = now + process.scaled(now, takes);
        self.place(runner, step, ends, Progress::Step);
        self.schedule_step(runner, ends);
    }

    fn place(&mut self, runner: Caller, step: StepIndex, ends: SimTime, progress: Progress) {
        let now = self.now;
        let Some(activity) = self.activity_mut(runner) else { return };
        activity.step = Some(step);
        activity.step_started = now;
        activity.step_ends = ends;
        activity.progress = progress;
    }

    /// A call is made, for the first time or again.
    fn call(&mut self, cx: &mut Context, runner: Caller, step: StepIndex) {
        let line = self.program(cx.scenario, runner).and_then(|program| program.step(step));
        let Some(&Act::Call { to, handler, timeout, ref key, .. }) = line.map(|line| &line.act)
        else {
            return;
        };
        let Some(message) = self.activity_mut(runner).map(|activity| activity.message) else {
            return;
        };
        let now = self.now;
        if !self.breaker_permits(cx, runner, step) {
            self.place(runner, step, now, Progress::Step);
            self.emit(cx, What::CallRefused { external: to, message, caller: runner });
            self.call_comes_out(cx, runner, step, Outcome::Refused);
            return;
        }
        let cut = self.process_of(runner).is_some_and(|process| self.is_cut(process.component, to));
        let (call, ends) = if cut {
            self.call_is_lost(cx, to, runner, message, step)
        } else {
            self.begin_call(cx, to, handler, runner, message, step)
        };
        if let Some(key) = key {
            self.call_has_key(cx, call, runner, message, key);
        }
        let Some(process) = self.running(runner) else { return };
        let seen = if ends == SimTime::MAX { ends } else { now + process.scaled(now, ends - now) };
        self.place(runner, step, seen, Progress::Call(call));
        let ticket = self.ticket();
        if let Some(activity) = self.activity_mut(runner) {
            activity.ticket = ticket;
        }
        if let Some(timeout) = timeout {
            self.schedule(now + timeout, Rank::Timer, Event::Timeout { runner, ticket });
        }
    }

    /// A call that was made has come out, as its caller sees it.
    fn call_over(&mut self, cx: &mut Context, runner: Caller, step: StepIndex, outcome: Outcome) {
        let now = self.now;
        let Some(activity) = self.activity_mut(runner) else { return };
        let took = now.saturating_since(activity.step_started);
        self.breaker_hears(cx, runner, step, outcome, took);
        self.call_comes_out(cx, runner, step, outcome);
    }

    /// A call has come out: it is made again, or that is how its line ends.
    fn call_comes_out(
        &mut self,
        cx: &mut Context,
        runner: Caller,
        step: StepIndex,
        outcome: Outcome,
    ) {
        match self.call_again(cx, runner, step, outcome) {
            Some(at) => self.wait_until(runner, at, Progress::CallAgain),
            None => self.end_step(cx, runner, step, outcome),
        }
    }

    /// The activity waits, to try again.
    pub(crate) fn wait_until(&mut self, runner: Caller, at: SimTime, progress: Progress) {
        if let Some(step) = self.activity_mut(runner).and_then(|activity| activity.step) {
            self.place(runner, step, at, progress);
            self.schedule_step(runner, at);
        }
    }

    /// The answer to a call is there. A process that has died since does not hear it.
    pub(crate) fn answered(
        &mut self,
        cx: &mut Context,
        number: u32,
        call: &Call,
        outcome: Outcome,
    ) {
        let now = self.now;
        let runner = call.caller;
        let Some(process) = self.running(runner) else { return };
        let (runs, dead) = (process.runs(), process.is_dead());
        let waited = now - call.departed;
        let late = process.scaled(now, waited).saturating_sub(waited);
        let Some(activity) = self.activity_mut(runner) else { return };
        if dead || activity.progress != Progress::Call(number) {
            return;
        }
        activity.progress = Progress::Answered(outcome);
        if !runs {
            return;
        }
        if late == SimDuration::ZERO {
            self.call_over(cx, runner, call.line.step, outcome);
        } else {
            activity.step_ends = now + late;
            self.schedule_step(runner, now + late);
        }
    }

    /// Somebody has waited long enough for an answer. What was asked for may happen all the same.
    pub(crate) fn call_times_out(&mut self, cx: &mut Context, runner: Caller, ticket: u32) {
        let runs = self.running(runner).is_some_and(|process| process.runs());
        let Some(activity) = self.activity_mut(runner) else { return };
        if activity.ticket != ticket {
            return;
        }
        let (Progress::Call(_), Some(step)) = (activity.progress, activity.step) else { return };
        let asked = activity.asked();
        activity.progress = Progress::Answered(Outcome::Timeout);
        if let Some(number) = asked {
            self.forget_lost(number);
        }
        if runs {
            self.call_over(cx, runner, step, Outcome::Timeout);
        }
    }

    /// What a line does at its end.
    fn carry_out(&mut self, cx: &mut Context, runner: Caller, step: StepIndex) {
        let Some(line) = self.program(cx.scenario, runner).and_then(|program| program.step(step))
        else {
            return;
        };
        let Some(activity) = self.activity_mut(runner) else { return };
        let (message, carries) = (activity.message, activity.carries.take());
        if line.act.reads_message() && self.throws(runner, message) {
            self.end_step(cx, runner, step, Outcome::Poison);
            return;
        }
        if line.act.is_about_rows() {
            if let Some(outcome) = self.rows_due(cx, runner, step, &line.act) {
                self.end_step(cx, runner, step, outcome);
            }
            return;
        }
        let outcome = match (&line.act, runner, self.process_of(runner)) {
            (Act::Publish { to, delay, .. }, _, Some(process)) => {
                let carried = carries.unwrap_or(message);
                if self.is_cut(process.component, *to) {
                    let (from, to) = (process.component, *to);
                    self.emit(cx, What::LostOnTheWay { from, to, message: carried });
                    self.end_step(cx, runner, step, Outcome::Timeout);
                    return;
                }
                let outcome = match self.publish(cx, process, *to, carried, *delay) {
                    Publishing::Over(outcome) => outcome,
                    Publishing::Again(at) => {
                        if let Some(activity) = self.activity_mut(runner) {
                            (activity.carries, activity.step_ends) = (Some(carried), at);
                        }
                        self.schedule_step(runner, at);
                        return;
                    }
                };
                if outcome == Outcome::Ok {
                    self.note_effect(cx, runner, message, step);
                    self.note_passed_on(cx, runner, message, step);
                }
                outcome
            }
            (Act::Decode { schema, .. }, ..) => self.decode(cx.scenario, message, *schema),
            (Act::Admit { admission, .. }, ..) => admit(cx.scenario, admission),
            (Act::Crash { .. }, Caller::Worker(worker), _) => {
                self.crash(cx, worker, None);
                return;
            }
            (Act::CheckLease { .. }, Caller::Worker(worker), _) => self.believes_to_hold(worker),
            (act, Caller::Worker(worker), _) if act.settles() => {
                self.settle_delivery(cx, worker, act)
            }
            _ => Outcome::Ok,
        };
        self.end_step(cx, runner, step, outcome);
    }

    fn end_step(&mut self, cx: &mut Context, runner: Caller, step: StepIndex, outcome: Outcome) {
        let Some(line) = self.program(cx.scenario, runner).and_then(|program| program.step(step))
        else {
            return;
        };
        let Some(activity) = self.activity_mut(runner) else { return };
        activity.done.push((step, outcome));
        let message = activity.message;
        if let Caller::Worker(worker) = runner {
            self.emit(cx, What::StepEnded { worker, message, step, outcome });
        }
        if self.passes(cx, runner, message, step) == Passage::Dead {
            return;
        }
        match follow(line, outcome) {
            Follow::Line(next) => self.begin_step(cx, runner, next),
            Follow::End(ending) => self.end_activity(cx, runner, ending),
        }
    }

    fn end_activity(&mut self, cx: &mut Context, runner: Caller, ending: Ending) {
        if let Some(program) = self.program(cx.scenario, runner) {
            self.session_over(cx, runner, program);
        }
        match runner {
            Caller::Worker(id) if self.tries_again(cx, id, ending) => {}
            Caller::Worker(id) => self.end_delivery(cx, id, ending),
            Caller::Request(number) => self.end_request(cx, number, ending),
        }
    }
}
