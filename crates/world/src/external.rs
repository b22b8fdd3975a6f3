//! External services: somebody else's, with their own latency, errors and outages. What they did
//! stays done, whether or not whoever asked is still there to hear of it.

use broker::MessageId;
use patterns::database::Value;
use patterns::inbox::idempotency::{self, Reply};
use patterns::inbox::{IdempotencyKeys, Turn};
use patterns::retry::FailureClass;
use scenario::{ComponentId, IfCallerDies, Kind, Operand, StepIndex, Target};
use sim::{SimDuration, SimTime};

use crate::parts::{Call, Caller, Fate, Part, Work};
use crate::request::Origin;
use crate::worker::workers;
use crate::world::Context;
use crate::{LineId, Outcome, What, World};

/// The keys that a service knows, each for so long. A call under way holds its key until it ends.
pub(crate) fn keys(retention: SimDuration) -> Box<IdempotencyKeys> {
    let lock_timeout = SimDuration::MAX;
    Box::new(IdempotencyKeys::new(idempotency::Settings { lock_timeout, retention }))
}

impl World {
    /// A call leaves. Says its number and when the service will have come to an end with it, as far
    /// as that is known.
    pub(crate) fn begin_call(
        &mut self,
        cx: &mut Context,
        external: ComponentId,
        handler: usize,
        caller: Caller,
        message: MessageId,
        step: StepIndex,
    ) -> (u32, SimTime) {
        let now = self.now;
        self.messages[message].calls += 1;
        let (departed, ends) = (now, SimTime::MAX);
        let (fate, keyed) = (Fate::Waiting, None);
        let line =
            self.line_of(caller, step).unwrap_or(LineId { component: external, handler: 0, step });
        let number = self.calls.insert(Call {
            external,
            caller,
            message,
            line,
            departed,
            ends,
            fate,
            keyed,
        });
        let Kind::External(spec) = &cx.scenario.component(external).kind else {
            let source = self.process_of(caller).map_or(external, |process| process.component);
            let target = Target::Service(external, handler);
            self.emit(cx, What::Requested { source, service: external, message });
            let origin = Origin::Call { call: number };
            self.request_leaves(source, origin, target, message, SimDuration::ZERO);
            return (number, ends);
        };
        let ends = self.call_comes(cx, external, spec, number, message);
        (number, ends)
    }

    /// A call is lost on its way: nobody will answer it.
    pub(crate) fn call_is_lost(
        &mut self,
        cx: &mut Context,
        to: ComponentId,
        caller: Caller,
        message: MessageId,
        step: StepIndex,
    ) -> (u32, SimTime) {
        let (departed, ends) = (self.now, SimTime::MAX);
        let (fate, keyed) = (Fate::Lost, None);
        let line = self.line_of(caller, step).unwrap_or(LineId { component: to, handler: 0, step });
        let call = Call { external: to, caller, message, line, departed, ends, fate, keyed };
        let from = self.process_of(caller).map_or(to, |process| process.component);
        self.emit(cx, What::LostOnTheWay { from, to, message });
        (self.calls.insert(call), ends)
    }

    /// Nobody waits any longer for the answer to a call that was lost.
    pub(crate) fn forget_lost(&mut self, number: u32) {
        if self.calls.get_mut(number).is_some_and(|call| call.fate == Fate::Lost) {
            self.calls.remove(number);
        }
    }

    /// The service comes to the end of a call: the effect, or an error.
    pub(crate) fn call_ends(&mut self, cx: &mut Context, number: u32) {
        // A call that broke off has left its number to another one, which ends at its own time.
        if self.calls.get_mut(number).is_none_or(|call| call.ends != self.now) {
            return;
        }
        let Some(call) = self.calls.remove(number) else { return };
        let Kind::External(spec) = &cx.scenario.component(call.external).kind else { return };
        self.messages[call.message].calls -= 1;
        let state = self.external_mut(call.external);
        state.busy -= 1;
        let mut wish = None;
        let failed = match call.fate {
            Fate::Refused { wish: told } => {
                wish = told;
                true
            }
            Fate::Waiting | Fate::Carried | Fate::Lost => {
                state.serving = state.serving.saturating_sub(1);
                let changed = state.errors_per_million.map(|errors| f64::from(errors) / 1e6);
                let rate = changed.unwrap_or(spec.error_rate);
                state.errors.unit() < rate || state.outage_until.is_some()
            }
        };
        self.server_is_free(cx, call.external);
        if let Some((key, turn)) = call.keyed
            && let Some(outcome) = self.answer_by_key(cx, &call, key, turn, failed)
        {
            self.answered(cx, number, &call, outcome);
            return;
        }
        let (external, message) = (call.external, call.message);
        if failed {
            let (caller, line) = (call.caller, call.line);
            self.emit(cx, What::CallFailed { external, message, caller, line });
            self.check_lost(cx, message);
        } else {
            let (caller, line) = (call.caller, call.line);
            let work = self.work_of(cx, caller, line, external);
            let event = self.messages.event(message);
            let state = self.external_mut(external);
            state.effects += 1;
            let nth = state.by_message.note(work, event);
            self.messages[message].effects += 1;
            self.note_effect(cx, caller, message, line.step);
            self.emit(cx, What::Effected { external, message, caller, line, nth });
        }
        let outcome = match (failed, call.fate) {
            (false, _) => Outcome::Ok,
            // There will be room later.
            (true, Fate::Refused { .. }) => Outcome::Error(FailureClass::Transient),
            (true, _) => Outcome::Error(spec.error_class),
        };
        let from = self.process_of(call.caller).map_or(external, |process| process.component);
        if self.is_cut(from, external) {
            // The answer is lost, and whoever asked goes on waiting.
            let (departed, ends) = (self.now, SimTime::MAX);
            self.emit(cx, What::LostOnTheWay { from: external, to: from, message });
            let again = self.calls.insert(Call { departed, ends, fate: Fate::Lost, ..call });
            self.asks_again(call.caller, number, again);
            return;
        }
        self.wishes(call.caller, number, wish);
        self.answered(cx, number, &call, outcome);
    }

    /// A call goes with an idempotency key. Work on different lines has different keys, whatever
    /// they are made from.
    #[inline(never)]
    pub(crate) fn call_has_key(
        &mut self,
        cx: &Context,
        number: u32,
        runner: Caller,
        message: MessageId,
        key: &Operand,
    ) {
        let now = self.now;
        let value = match self.operand(cx, runner, message, key) {
            Value::Number(number) => number.unsigned_abs(),
            Value::Word(word) => u64::from(word) | 1 << 39,
            Value::Null => return,
        };
        let Some(&Call { external, line, .. }) = self.calls.get_mut(number).map(|call| &*call)
        else {
            return;
        };
        let Part::External(_) = &self.parts[external.index()] else { return };
        let work = self.work_of(cx, runner, line, external);
        let line = u64::from(work.handler) << 56 | (work.step.index() as u64) << 40;
        let key = line | (work.of.index() as u64) << 48 | value;
        let Some(keys) = &mut self.external_mut(external).keys else { return };
        let turn = keys.ask(now, key, 0);
        if let Some(call) = self.calls.get_mut(number) {
            call.keyed = Some((key, turn));
        }
    }

    /// What a service says that knows the key of a call; `None`: it does what it is asked.
    #[inline(never)]
    fn answer_by_key(
        &mut self,
        cx: &mut Context,
        call: &Call,
        key: u64,
        turn: Turn,
        failed: bool,
    ) -> Option<Outcome> {
        let Call { external, message, caller, line, .. } = *call;
        let keys = self.external_mut(external).keys.as_mut()?;
        match turn {
            Turn::Begin | Turn::Resume(_) => {
                if failed {
                    keys.release(key);
                } else {
                    keys.finish(key, Reply(0));
                }
                None
            }
            _ if failed => None,
            Turn::Replay(_) => {
                self.emit(cx, What::Replayed { external, message, caller });
                self.note_effect(cx, caller, message, line.step);
                Some(Outcome::Ok)
            }
            Turn::InProgress | Turn::Mismatch => {
                self.emit(cx, What::CallFailed { external, message, caller, line });
                self.check_lost(cx, message);
                Some(Outcome::Error(FailureClass::Transient))
            }
        }
    }

    /// What a call's effect is counted under.
    pub(crate) fn work_of(
        &mut self,
        cx: &Context,
        caller: Caller,
        line: LineId,
        otherwise: ComponentId,
    ) -> Work {
        let of = match caller {
            Caller::Request(number) => {
                let request = self.requests.get_mut(number);
                request.map_or(otherwise, |request| request.target.component())
            }
            Caller::Worker(worker) => {
                let from = workers(cx, worker).from;
                self.group_of(worker).map_or(from, |group| group.reader)
            }
        };
        Work { of, handler: line.handler, step: line.step }
    }

    /// A line of the handler that somebody runs.
    pub(crate) fn line_of(&mut self, runner: Caller, step: StepIndex) -> Option<LineId> {
        let component = self.process_of(runner)?.component;
        let handler = u16::try_from(self.handler_of(runner)).unwrap_or(u16::MAX);
        Some(LineId { component, handler, step })
    }

    /// Whoever asked has died: a dialogue that only acts at its end breaks off.
    pub(crate) fn caller_died(&mut self, cx: &Context, number: u32) {
        let Some(&mut call) = self.calls.get_mut(number) else { return };
        if call.fate == Fate::Lost {
            self.calls.remove(number);
            return;
        }
        let Kind::External(spec) = &cx.scenario.component(call.external).kind else { return };
        if spec.if_caller_dies == IfCallerDies::Stops {
            self.calls.remove(number);
            self.messages[call.message].calls -= 1;
            let state = self.external_mut(call.external);
            state.busy -= 1;
            if let (Some(keys), Some((key, Turn::Begin | Turn::Resume(_)))) =
                (&mut state.keys, call.keyed)
            {
                keys.release(key);
            }
            match call.fate {
                Fate::Waiting => state.waiting.retain(|&waiting| waiting != number),
                Fate::Carried => state.serving = state.serving.saturating_sub(1),
                Fate::Refused { .. } | Fate::Lost => {}
            }
            self.server_is_free(cx, call.external);
        }
    }

    /// A message's work is done once every main line of its workers' handler that has an effect has
    /// had it.
    pub(crate) fn note_effect(
        &mut self,
        cx: &Context,
        caller: Caller,
        message: MessageId,
        step: StepIndex,
    ) {
        let Caller::Worker(worker) = caller else { return };
        let Kind::Workers(spec) = &cx.scenario.component(worker.component).kind else { return };
        let wanted = self.work_on(cx.scenario, &spec.on_message, message);
        self.log_effect(worker, spec.from, message, step, wanted);
        if spec.on_message.steps.iter().any(|step| step.act.is_about_rows()) {
            let event = self.messages.event(message);
            let state = self.workers_mut(worker.component);
            let at = state.worked.binary_search_by_key(&event, |(event, _)| *event);
            let at = at.unwrap_or_else(|at| {
                state.worked.insert(at, (event, 0));
                at
            });
            state.worked[at].1 |= 1 << step.index();
        }
        let entry = &mut self.messages[message];
        entry.note_effect(step);
        entry.done |= entry.effects_done & wanted == wanted;
    }

    /// The end of an outage, unless it has been prolonged meanwhile.
    pub(crate) fn outage_ends(&mut self, cx: &mut Context, external: ComponentId, until: SimTime) {
        let state = self.external_mut(external);
        if state.outage_until == Some(until) {
            state.outage_until = None;
            self.emit(cx, What::OutageEnded { external });
        }
    }
}
