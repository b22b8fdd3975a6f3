//! External services: somebody else's, with their own latency, errors and outages. What they did
//! stays done, whether or not whoever asked is still there to hear of it.

use broker::MessageId;
use scenario::{ComponentId, IfCallerDies, Kind, StepIndex, Target};
use sim::{Rank, SimDuration, SimTime};

use crate::parts::{Call, Caller, Origin, Work};
use crate::worker::workers;
use crate::world::{Context, Event};
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
        let mut call = Call { external, caller, message, step, departed: now, ends: SimTime::MAX };
        let Kind::External(spec) = &cx.scenario.component(external).kind else {
            let number = self.calls.insert(call);
            let source = self.process_of(caller).map_or(external, |process| process.component);
            let target = Target::Service(external, handler);
            self.emit(cx, What::Requested { source, service: external, message });
            let origin = Origin::Call { call: number };
            self.request_leaves(source, origin, target, message, SimDuration::ZERO);
            return (number, call.ends);
        };
        let state = self.external_mut(external);
        state.busy += 1;
        call.ends = now + spec.latency.sample(&mut state.latency);
        let number = self.calls.insert(call);
        self.schedule(call.ends, Rank::Finish, Event::CallEnds { call: number });
        (number, call.ends)
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
        let failed = state.errors.unit() < spec.error_rate || state.outage_until.is_some();
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
        let outcome = if failed { Outcome::Error(spec.error_class) } else { Outcome::Ok };
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
        if spec.if_caller_dies == IfCallerDies::Stops {
            self.calls.remove(number);
            self.messages[call.message].calls -= 1;
            self.external_mut(call.external).busy -= 1;
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
