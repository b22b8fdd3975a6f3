//! What breaks, and what somebody does: one vocabulary, applied at its time.

use broker::MessageId;
use scenario::{Action, ComponentId, Intervention, Patch, Scenario};
use sim::{Rank, SimDuration};

use crate::armed::Armed;
use crate::world::{Context, Event};
use crate::{Part, What, World};

/// Everything that is done to a run, in order of time: the scenario's faults, then interventions.
/// Those of one instant keep that order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan(Vec<Intervention>);

impl Plan {
    /// The faults of a scenario and these interventions.
    #[must_use]
    pub fn new(faults: &[Intervention], interventions: &[Intervention]) -> Self {
        let mut all = [faults, interventions].concat();
        sim::short::sort_by_key(&mut all, |i| i.at);
        Self(all)
    }

    /// The plan that a scenario comes with.
    #[must_use]
    pub fn of(scenario: &Scenario) -> Self {
        Self::new(&scenario.faults, &scenario.interventions)
    }

    /// The one at a position.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&Intervention> {
        self.0.get(index)
    }
}

/// Whether an action found something to act on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    Something,
    Nothing,
}

impl Found {
    fn of(found: bool) -> Self {
        if found { Self::Something } else { Self::Nothing }
    }
}

impl World {
    pub(crate) fn intervene(&mut self, cx: &mut Context, index: usize, action: &Action) {
        let found = match *action {
            Action::Crash { component, instance, restart_after, border: Some(border) } => {
                self.arm_crash(cx, Armed { component, instance, restart_after, border });
                Found::Something
            }
            Action::Crash { component, instance, restart_after, border: None } => {
                self.each(component, instance, |world, worker| {
                    world.crash(cx, worker, restart_after)
                })
            }
            Action::Pause { component, instance, lasts } => {
                self.each(component, instance, |world, worker| world.pause(cx, worker, lasts))
            }
            Action::Slow { component, instance, percent, lasts } => {
                self.each(component, instance, |world, worker| {
                    world.slow(cx, worker, percent, lasts)
                })
            }
            Action::Skew { component, instance, clock } => {
                self.each(component, instance, |world, worker| world.skew(cx, worker, clock))
            }
            Action::LoseAck { .. } | Action::LoseReceive { .. } | Action::LoseConfirm { .. } => {
                self.arm_loss(cx, action)
            }
            Action::Outage { component, lasts } => self.outage(cx, component, lasts),
            Action::Brownout { component, capacity_percent, latency_percent, lasts } => {
                self.brownout(cx, component, capacity_percent, latency_percent, lasts)
            }
            Action::Scale { component, to, start_up } => self.scale(cx, component, to, start_up),
            Action::Deploy { component, takes, how } => self.deploy(cx, component, takes, how),
            Action::Cut { component, to, lasts } => self.cut(cx, component, to, lasts),
            Action::Spike { component, percent, lasts } => {
                self.spike(cx, component, percent, lasts)
            }
            Action::Poison { message } => self.poison(cx, message),
            Action::Patch { component, patch } => self.patch(cx, component, patch),
            Action::LoseMessage { component } => Found::of(self.lose_message(cx, component)),
            Action::Duplicate { component } => Found::of(self.duplicate(cx, component)),
            Action::Redrive { component, to, per_second } => {
                Found::of(self.redrive(cx, component, to, per_second))
            }
            Action::Purge { component } => self.purge(cx, component),
            Action::AddPartitions { component, partitions } => {
                Found::of(self.add_partitions(cx, component, partitions))
            }
            Action::Leave { component, instance, back_after } => {
                self.each(component, instance, |world, worker| {
                    Found::of(world.leave(cx, worker, back_after))
                })
            }
            Action::FailOver { component } => Found::of(self.fail_over(cx, component)),
            Action::Rewind { component, to } => Found::of(self.rewind(cx, component, to)),
        };
        if found == Found::Nothing {
            let intervention = u16::try_from(index).unwrap_or(u16::MAX);
            self.emit(cx, What::Ignored { intervention });
        }
    }

    /// The next ack, answer to a receive, or confirm is lost on its way.
    fn arm_loss(&mut self, cx: &mut Context, action: &Action) -> Found {
        match *action {
            Action::LoseAck { component, instance } => {
                self.each(component, instance, |world, worker| {
                    world.worker_mut(worker).ack_loss_armed = true;
                    world.emit(cx, What::AckLossArmed { worker });
                    Found::Something
                })
            }
            Action::LoseReceive { component, instance } => {
                self.each(component, instance, |world, worker| {
                    world.worker_mut(worker).receive_loss_armed = true;
                    world.emit(cx, What::ReceiveLossArmed { worker });
                    Found::Something
                })
            }
            Action::LoseConfirm { component } => {
                *self.confirm_loss(component) = true;
                self.emit(cx, What::ConfirmLossArmed { queue: component });
                Found::Something
            }
            _ => Found::Nothing,
        }
    }

    #[inline(never)]
    fn outage(&mut self, cx: &mut Context, external: ComponentId, lasts: SimDuration) -> Found {
        let until = self.now + lasts;
        let state = self.external_mut(external);
        if state.outage_until.is_some_and(|already| already >= until) {
            return Found::Nothing;
        }
        state.outage_until = Some(until);
        self.schedule(until, Rank::Timer, Event::OutageEnds { external, until });
        self.emit(cx, What::OutageBegan { external, until });
        Found::Something
    }

    /// A setting is another one from now on. What is under way keeps what it began with.
    #[inline(never)]
    fn patch(&mut self, cx: &mut Context, component: ComponentId, patch: Patch) -> Found {
        let found = match (&mut self.parts[component.index()], patch) {
            (Part::Queue(state), Patch::VisibilityTimeout(_) | Patch::MaxReceiveCount(_)) => {
                state.patch(patch)
            }
            (Part::External(state), Patch::ErrorsPerMillion(errors)) => {
                state.errors_per_million = Some(errors);
                true
            }
            (Part::Workers(state), Patch::MendedHandler) => {
                !std::mem::replace(&mut state.mended, true)
            }
            _ => false,
        };
        if found {
            self.emit(cx, What::Patched { component, patch });
        }
        Found::of(found)
    }

    #[inline(never)]
    fn poison(&mut self, cx: &mut Context, id: MessageId) -> Found {
        if id.index() < self.messages.len() {
            let message = &mut self.messages[id];
            if message.poison || message.acked {
                return Found::Nothing;
            }
            message.poison = true;
        } else if let Err(position) = self.poison_later.binary_search(&id) {
            self.poison_later.insert(position, id);
        } else {
            return Found::Nothing;
        }
        self.emit(cx, What::Poisoned { message: id });
        Found::Something
    }

    #[inline(never)]
    fn purge(&mut self, cx: &mut Context, id: ComponentId) -> Found {
        match self.queue_purge(cx, id) {
            Some(()) => Found::Something,
            None => Found::Nothing,
        }
    }
}
