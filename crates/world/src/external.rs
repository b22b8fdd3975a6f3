//! External services: somebody else's, with their own latency, errors and outages. What they did
//! stays done, whether or not whoever asked is still there to hear of it.

use broker::MessageId;
use patterns::retry::FailureClass;
use scenario::{ComponentId, IfCallerDies, Kind, StepIndex, Target};
use sim::{SimDuration, SimTime};

use crate::parts::{Call, Caller, Fate, Work};
use crate::request::Origin;
use crate::worker::workers;
use crate::world::Context;
use crate::{Outcome, What, World};

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
        let fate = Fate::Waiting;
        let number =
            self.calls.insert(Call { external, caller, message, step, departed, ends, fate });
        let Kind::External(spec) = &cx.scenario.component(external).kind else {
            let source = self.process_of(caller).map_or(external, |process| process.component);
            let target = Target::Service(external, handler);
            self.emit(cx, What::Requested { source, service: external, message });
            let origin = Origin::Call { call: number };
            self.request_leaves(source, origin, target, message, SimDuration::ZERO);
            return (number, ends);
        };
        let ends = self.call_comes(external, spec, number);
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
        let call = Call { external: to, caller, message, step, departed, ends, fate: Fate::Lost };
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
                state.errors.unit() < spec.error_rate || state.outage_until.is_some()
            }
        };
        self.server_is_free(cx, call.external);
        let (external, message) = (call.external, call.message);
        if failed {
            self.emit(cx, What::CallFailed { external, message, caller: call.caller });
            self.check_lost(cx, message);
        } else {
            let work = self.work_of(cx, &call);
            let nth = self.external_mut(external).note_effect(work, message);
            self.messages[message].effects += 1;
            self.note_effect(cx, call.caller, message, call.step);
            self.emit(cx, What::Effected { external, message, caller: call.caller, nth });
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

    /// What a call's effect is counted under.
    fn work_of(&mut self, cx: &Context, call: &Call) -> Work {
        let of = match call.caller {
            Caller::Request(number) => {
                let request = self.requests.get_mut(number);
                request.map_or(call.external, |request| request.target.component())
            }
            Caller::Worker(worker) => {
                let from = workers(cx, worker).from;
                self.group_of(worker).map_or(from, |group| group.reader)
            }
        };
        Work { of, step: call.step }
    }

    /// Whoever asked has died: a dialogue that only acts at its end breaks off.
    pub(crate) fn caller_died(&mut self, cx: &Context, number: u32) {
        let Some(&mut call) = self.calls.get_mut(number) else { return };
        let Kind::External(spec) = &cx.scenario.component(call.external).kind else { return };
        if call.fate == Fate::Lost {
            self.calls.remove(number);
            return;
        }
        if spec.if_caller_dies == IfCallerDies::Stops {
            self.calls.remove(number);
            self.messages[call.message].calls -= 1;
            let state = self.external_mut(call.external);
            state.busy -= 1;
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
        let wanted = spec.on_message.effects();
        self.log_effect(worker, spec.from, message, step, wanted);
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
