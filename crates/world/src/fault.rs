//! What breaks, and what somebody does: one vocabulary, applied at its time.

use broker::MessageId;
use scenario::{Action, ComponentId, Intervention, Kind, Scenario};
use sim::{Rank, SimDuration, SimTime};

use crate::parts::{Phase, Progress};
use crate::worker::workers;
use crate::world::{Context, Event};
use crate::{What, WorkerId, World};

/// Everything that is done to a run, in order of time: the scenario's faults, then interventions.
/// Those of one instant keep that order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan(Vec<Intervention>);

impl Plan {
    /// The faults of a scenario and these interventions.
    #[must_use]
    pub fn new(faults: &[Intervention], interventions: &[Intervention]) -> Self {
        let mut all: Vec<_> = faults.iter().chain(interventions).cloned().collect();
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
enum Found {
    Something,
    Nothing,
}

impl World {
    pub(crate) fn intervene(&mut self, cx: &mut Context, index: usize, action: &Action) {
        let found = match *action {
            Action::Crash { component, instance, restart_after } => {
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
            Action::LoseAck { component, instance } => {
                self.each(component, instance, |world, worker| {
                    world.worker_mut(worker).ack_loss_armed = true;
                    world.emit(cx, What::AckLossArmed { worker });
                    Found::Something
                })
            }
            Action::LoseConfirm { component } => {
                self.queue_mut(component).confirm_loss_armed = true;
                self.emit(cx, What::ConfirmLossArmed { queue: component });
                Found::Something
            }
            Action::Outage { component, lasts } => self.outage(cx, component, lasts),
            Action::Poison { message } => self.poison(cx, message),
            Action::Purge { component } => self.purge(cx, component),
        };
        if found == Found::Nothing {
            let intervention = u16::try_from(index).unwrap_or(u16::MAX);
            self.emit(cx, What::Ignored { intervention });
        }
    }

    /// Does something to one worker of a group, or to each.
    fn each(
        &mut self,
        component: ComponentId,
        instance: Option<u16>,
        mut act: impl FnMut(&mut Self, WorkerId) -> Found,
    ) -> Found {
        let scenario = std::sync::Arc::clone(self.scenario());
        let Kind::Workers(spec) = &scenario.component(component).kind else {
            return Found::Nothing;
        };
        let mut found = Found::Nothing;
        for number in 0..spec.count {
            if instance.is_none_or(|only| only == number)
                && act(self, WorkerId { component, instance: number }) == Found::Something
            {
                found = Found::Something;
            }
        }
        found
    }

    /// A process dies: what it had in memory is gone. Whether what it has asked of others goes on
    /// is for them to say.
    fn crash(
        &mut self,
        cx: &mut Context,
        id: WorkerId,
        restart_after: Option<SimDuration>,
    ) -> Found {
        let spec = workers(cx, id);
        let now = self.now;
        let worker = self.worker_mut(id);
        if matches!(worker.phase, Phase::Down { .. }) {
            return Found::Nothing;
        }
        let until = restart_after.or(spec.restart_after).map(|after| now + after);
        worker.phase = Phase::Down { since: now, until };
        worker.generation += 1;
        worker.deliveries += 1;
        worker.slowed = None;
        worker.ack_loss_armed = false;
        let asked = worker.hands.as_ref().and_then(|hands| match hands.progress {
            Progress::Call(number) => Some(number),
            Progress::Step | Progress::Answered(_) => None,
        });
        let forgotten: Vec<MessageId> = worker
            .hands
            .iter()
            .map(|hands| hands.delivery.message)
            .chain(worker.pending.drain(..).map(|delivery| delivery.message))
            .collect();
        if let Some(number) = asked {
            self.caller_died(cx, number);
        }
        self.emit(cx, What::Crashed { worker: id, holding: forgotten.first().copied() });
        self.consumer_gone(cx, id);
        for message in forgotten {
            self.messages[message].holders -= 1;
            self.check_lost(cx, message);
        }
        if let Some(at) = until {
            self.schedule(at, Rank::Timer, Event::Wake { worker: id });
        }
        Found::Something
    }

    fn pause(&mut self, cx: &mut Context, id: WorkerId, lasts: SimDuration) -> Found {
        let now = self.now;
        let until = now + lasts;
        let worker = self.worker_mut(id);
        let since = match worker.phase {
            Phase::Paused { since, until: already } if already < until => since,
            Phase::Down { .. } | Phase::Paused { .. } => return Found::Nothing,
            Phase::Idle | Phase::Working => now,
        };
        worker.phase = Phase::Paused { since, until };
        if worker.hands.as_ref().is_some_and(|hands| hands.progress == Progress::Step) {
            worker.generation += 1;
        }
        self.consumer_rests(cx, id);
        self.schedule(until, Rank::Timer, Event::Wake { worker: id });
        self.emit(cx, What::Paused { worker: id, until });
        Found::Something
    }

    /// A dead worker is back with empty hands, or a paused one goes on where it stood.
    pub(crate) fn wake(&mut self, cx: &mut Context, id: WorkerId) {
        let now = self.now;
        let worker = self.worker_mut(id);
        match worker.phase {
            Phase::Down { until, .. } if until != Some(now) => {}
            Phase::Paused { until, .. } if until != now => {}
            Phase::Down { .. } => {
                worker.hands = None;
                worker.phase = Phase::Idle;
                self.emit(cx, What::Restarted { worker: id });
                self.consumer_back(cx, id);
            }
            Phase::Paused { since, .. } => {
                if let Some(hands) = &mut worker.hands {
                    let frozen = now - since;
                    hands.step_started += frozen;
                    hands.step_ends += frozen;
                    let waits = matches!(hands.progress, Progress::Call(_));
                    let ends = match hands.progress {
                        Progress::Answered(_) => now,
                        Progress::Step | Progress::Call(_) => hands.step_ends,
                    };
                    worker.phase = Phase::Working;
                    if !waits {
                        self.schedule_step(id, ends);
                    }
                    self.emit(cx, What::Resumed { worker: id });
                    return;
                }
                self.emit(cx, What::Resumed { worker: id });
                self.go_on(cx, id);
            }
            Phase::Idle | Phase::Working => {}
        }
    }

    /// What is left of the line under way, and every line begun meanwhile, takes longer.
    fn slow(&mut self, cx: &mut Context, id: WorkerId, percent: u32, lasts: SimDuration) -> Found {
        let now = self.now;
        let until = now + lasts;
        let worker = self.worker_mut(id);
        if matches!(worker.phase, Phase::Down { .. }) {
            return Found::Nothing;
        }
        worker.slowed = Some((percent, until));
        let mut reschedule = None;
        if let (Phase::Working, Some(hands)) = (worker.phase, &mut worker.hands) {
            let left = hands.step_ends.saturating_since(now);
            hands.step_ends = now + left.mul_percent(percent);
            if hands.progress == Progress::Step {
                reschedule = Some(hands.step_ends);
            }
        }
        if let Some(at) = reschedule {
            self.schedule_step(id, at);
        }
        self.schedule(until, Rank::Timer, Event::Restore { worker: id, until });
        self.emit(cx, What::Slowed { worker: id, percent, until });
        Found::Something
    }

    /// The end of a slow time, unless it has been prolonged or the worker has died meanwhile.
    pub(crate) fn restore(&mut self, cx: &mut Context, id: WorkerId, until: SimTime) {
        let worker = self.worker_mut(id);
        if worker.slowed.is_some_and(|(_, end)| end == until) {
            worker.slowed = None;
            self.emit(cx, What::Restored { worker: id });
        }
    }

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

    fn purge(&mut self, cx: &mut Context, id: ComponentId) -> Found {
        let now = self.now;
        let queue = &mut self.queue_mut(id).queue;
        let gone: Vec<MessageId> = queue
            .available()
            .chain(queue.in_flight().map(|hidden| hidden.message))
            .chain(queue.delayed().map(|delayed| delayed.message))
            .collect();
        let Ok(messages) = queue.purge(now) else { return Found::Nothing };
        self.queue_mut(id).expired += messages;
        self.emit(cx, What::Purged { queue: id, messages });
        for message in gone {
            self.messages[message].queue = None;
            self.check_lost(cx, message);
        }
        Found::Something
    }
}
