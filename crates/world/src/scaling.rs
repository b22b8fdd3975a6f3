//! How many processes run: scaling by hand and by a rule, and rolling restarts.
//!
//! A component's `count` is the most that it can have; those that do not run are down until they are
//! started. One that is stopped finishes what it has in hand.

use patterns::autoscale::{Change, Load};
use scenario::{Act, ComponentId, Kind, Replacing, Workers};
use sim::{Rank, SimDuration, SimTime};

use crate::fault::Found;
use crate::parts::{Deploy, Part, Phase, Retiring};
use crate::worker::workers;
use crate::world::{Context, Event};
use crate::{What, WorkerId, World};

impl World {
    fn processes(&self, component: ComponentId) -> u16 {
        let count = match &self.parts[component.index()] {
            Part::Workers(state) => state.workers.len(),
            Part::Service(state) => state.instances.len(),
            _ => 0,
        };
        u16::try_from(count).unwrap_or(u16::MAX)
    }

    /// Whether a process runs, or will without further ado.
    fn is_wanted(&mut self, id: WorkerId) -> bool {
        let process = self.process_mut(id);
        let stops = process.retiring.is_some_and(|retiring| retiring.back_after.is_none());
        !stops && !matches!(process.phase, Phase::Down { until: None, .. })
    }

    /// Starts or stops processes until so many are wanted.
    pub(crate) fn scale(
        &mut self,
        cx: &mut Context,
        component: ComponentId,
        to: u16,
        start_up: SimDuration,
    ) -> Found {
        let all = self.processes(component);
        let ids = || (0..all).map(|instance| WorkerId { component, instance });
        let wanted: Vec<WorkerId> = ids().filter(|&id| self.is_wanted(id)).collect();
        let have = u16::try_from(wanted.len()).unwrap_or(u16::MAX);
        if have == to {
            return Found::Nothing;
        }
        self.emit(cx, What::Scaled { component, from: have, to });
        if to > have {
            let idle: Vec<WorkerId> = ids().filter(|&id| !self.is_wanted(id)).collect();
            for id in idle.into_iter().take(usize::from(to - have)) {
                self.start_process(id, start_up);
            }
        } else {
            for id in wanted.into_iter().rev().take(usize::from(have - to)) {
                self.retire(cx, id, None);
            }
        }
        Found::Something
    }

    fn start_process(&mut self, id: WorkerId, start_up: SimDuration) {
        let now = self.now;
        let process = self.process_mut(id);
        if process.retiring.take().is_some() && !process.is_dead() {
            return;
        }
        let since = match process.phase {
            Phase::Down { since, .. } => since,
            _ => now,
        };
        process.phase = Phase::Down { since, until: Some(now + start_up) };
        self.schedule(now + start_up, Rank::Timer, Event::Wake { worker: id });
    }

    /// A process stops once it has nothing in hand.
    fn retire(&mut self, cx: &mut Context, id: WorkerId, back_after: Option<SimDuration>) {
        let process = self.process_mut(id);
        process.retiring = Some(Retiring { back_after });
        match process.phase {
            Phase::Down { since, .. } => {
                process.retiring = None;
                process.phase = Phase::Down { since, until: None };
                process.stopped = true;
            }
            Phase::Idle => {
                self.stops(cx, id);
            }
            Phase::Working | Phase::Paused { .. } => {
                if matches!(self.parts[id.component.index()], Part::Workers(_)) {
                    self.consumer_finishes(cx, id);
                }
            }
        }
    }

    /// A process has nothing in hand: if it is to stop, it does now.
    pub(crate) fn stops(&mut self, cx: &mut Context, id: WorkerId) -> bool {
        let now = self.now;
        let process = self.process_mut(id);
        let Some(Retiring { back_after }) = process.retiring.take() else { return false };
        let until = back_after.map(|after| now + after);
        process.phase = Phase::Down { since: now, until };
        process.stopped = true;
        process.slowed = None;
        if matches!(self.parts[id.component.index()], Part::Workers(_)) {
            self.consumer_leaves(cx, id);
        }
        self.emit(cx, What::Stopped { worker: id });
        if let Some(at) = until {
            self.schedule(at, Rank::Timer, Event::Wake { worker: id });
        }
        true
    }

    /// Every process is replaced, one after another.
    pub(crate) fn deploy(
        &mut self,
        cx: &mut Context,
        component: ComponentId,
        takes: SimDuration,
        how: Replacing,
    ) -> Found {
        if self.deploys.iter().any(|deploy| deploy.component == component) {
            return Found::Nothing;
        }
        self.deploys.push(Deploy { component, next: 0, awaited: None, takes, how });
        self.emit(cx, What::DeployBegan { component });
        self.deploy_goes_on(cx, component);
        Found::Something
    }

    /// A process is back, or is known not to come back: the next one is replaced.
    pub(crate) fn deploy_hears(&mut self, cx: &mut Context, id: WorkerId) {
        let awaited = |deploy: &&mut Deploy| {
            deploy.component == id.component && deploy.awaited == Some(id.instance)
        };
        if self.deploys.iter_mut().find(awaited).is_some() {
            self.deploy_goes_on(cx, id.component);
        }
    }

    fn deploy_goes_on(&mut self, cx: &mut Context, component: ComponentId) {
        let all = self.processes(component);
        let Some(at) = self.deploys.iter().position(|d| d.component == component) else { return };
        loop {
            let Deploy { next: instance, takes, how, .. } = self.deploys[at];
            if instance >= all {
                self.deploys.remove(at);
                self.emit(cx, What::DeployEnded { component });
                return;
            }
            self.deploys[at].next += 1;
            let id = WorkerId { component, instance };
            if self.process_mut(id).is_dead() {
                continue;
            }
            self.deploys[at].awaited = Some(instance);
            match how {
                Replacing::Killed => {
                    self.crash(cx, id, Some(takes));
                }
                Replacing::Drained => self.retire(cx, id, Some(takes)),
            }
            return;
        }
    }

    /// A rule looks at the load of a group of workers.
    pub(crate) fn scaler_looks(&mut self, cx: &mut Context, component: ComponentId) {
        let now = self.now;
        let Kind::Workers(spec) = &cx.scenario.component(component).kind else { return };
        let Some(settings) = &spec.autoscale else { return };
        let (depth, since, came) = match &self.parts[spec.from.index()] {
            Part::Queue(queue) => {
                let counts = self.queue_counts(spec.from);
                let came = u64::from(queue.acked)
                    + u64::from(queue.dead_lettered)
                    + u64::from(queue.expired)
                    + u64::from(counts.stored());
                (u64::from(counts.available), self.queue_oldest(spec.from), came)
            }
            Part::Log(state) => state.load_of(WorkerId { component, instance: 0 }),
            _ => return,
        };
        let age = since.map_or(SimDuration::ZERO, |since| now - since);
        let Part::Workers(state) = &mut self.parts[component.index()] else { return };
        let Some(watch) = &mut state.scaler else { return };
        let load = Load {
            depth,
            age,
            arrived: came.saturating_sub(watch.came),
            each_handles: settings.period.as_micros() / mean(cx, spec).as_micros().max(1),
        };
        watch.came = came;
        let mut changes = Vec::new();
        watch.scaler.advance(now, load, &mut changes);
        let (wanted, next) = (watch.scaler.wanted(), watch.scaler.next_deadline());
        if changes.iter().any(|change| !matches!(change, Change::Started(_))) {
            let to = u16::try_from(wanted).unwrap_or(u16::MAX);
            self.scale(cx, component, to, settings.start_up);
        }
        self.schedule(next.max(now), Rank::Timer, Event::Scaler { component });
    }

    /// A link between two components is cut for a while.
    pub(crate) fn cut(
        &mut self,
        cx: &mut Context,
        from: ComponentId,
        to: ComponentId,
        lasts: SimDuration,
    ) -> Found {
        let until = self.now + lasts;
        self.cuts.push((from, to, until));
        self.schedule(until, Rank::Timer, Event::CutEnds { from, to, until });
        self.emit(cx, What::CutBegan { from, to, until });
        for id in self.takers(cx, from, to) {
            if self.is_cut_off(cx, id) {
                self.consumer_cut_off(cx, id);
            } else {
                self.leaves_line(id, if id.component == from { to } else { from });
            }
        }
        Found::Something
    }

    /// The end of a cut, unless another goes on.
    pub(crate) fn cut_ends(
        &mut self,
        cx: &mut Context,
        from: ComponentId,
        to: ComponentId,
        until: SimTime,
    ) {
        self.cuts.retain(|cut| *cut != (from, to, until));
        if self.is_cut(from, to) {
            return;
        }
        self.emit(cx, What::CutEnded { from, to });
        for id in self.takers(cx, from, to) {
            if self.process_mut(id).phase == Phase::Idle {
                // It may wait at other lanes, and is to wait at each once.
                if workers(cx, id).queues().len() > 1 {
                    self.consumer_rests(cx, id);
                }
                self.go_on(cx, id);
            }
            self.consumer_awake(cx, id);
        }
    }

    /// Whether the link between two components is cut.
    pub(crate) fn is_cut(&self, one: ComponentId, other: ComponentId) -> bool {
        self.cuts
            .iter()
            .any(|&(from, to, _)| (from, to) == (one, other) || (to, from) == (one, other))
    }

    /// Whether a worker cannot reach anything that it takes from.
    pub(crate) fn is_cut_off(&self, cx: &Context, id: WorkerId) -> bool {
        let Kind::Workers(spec) = &cx.scenario.component(id.component).kind else { return false };
        spec.queues().iter().all(|queue| self.is_cut(id.component, *queue))
    }

    /// The workers at one end of a link that take from the other.
    fn takers(&self, cx: &Context, from: ComponentId, to: ComponentId) -> Vec<WorkerId> {
        let mut all = Vec::new();
        for (component, other) in [(from, to), (to, from)] {
            if let Kind::Workers(spec) = &cx.scenario.component(component).kind
                && spec.queues().contains(&other)
            {
                let each = 0..self.processes(component);
                all.extend(each.map(|instance| WorkerId { component, instance }));
            }
        }
        all
    }
}

/// How long one message takes a worker on average, if nothing goes wrong.
fn mean(cx: &Context, spec: &Workers) -> SimDuration {
    let mut mean = spec.receive_takes.mean();
    for step in &spec.on_message.steps[..spec.on_message.main] {
        mean += match &step.act {
            Act::Wait { time } => time.mean(),
            Act::Call { to, .. } => match &cx.scenario.component(*to).kind {
                Kind::External(external) => external.latency.mean(),
                _ => SimDuration::ZERO,
            },
            Act::Ack { takes }
            | Act::Drop { takes }
            | Act::CheckLease { takes }
            | Act::Nack { takes, .. }
            | Act::Extend { takes, .. }
            | Act::Publish { takes, .. }
            | Act::DeadLetter { takes, .. }
            | Act::Decode { takes, .. }
            | Act::Admit { takes, .. }
            | Act::Crash { takes } => takes.mean(),
            _ => SimDuration::ZERO,
        };
    }
    mean
}
