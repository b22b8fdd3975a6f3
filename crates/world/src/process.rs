//! What happens to processes: they die and come back, freeze and go on, slow down and recover.

use broker::MessageId;
use scenario::{ComponentId, Kind, Target};
use sim::{Rank, SimDuration, SimTime};

use crate::activity::Progress;
use crate::fault::Found;
use crate::parts::{Caller, Part, Phase};
use crate::request::{Reply, Request, RequestPhase};
use crate::world::{Context, Event};
use crate::{What, WorkerId, World};

impl World {
    /// Does something to one process of a component, or to each.
    pub(crate) fn each(
        &mut self,
        component: ComponentId,
        instance: Option<u16>,
        mut act: impl FnMut(&mut Self, WorkerId) -> Found,
    ) -> Found {
        let count = match &self.parts[component.index()] {
            Part::Workers(state) => state.workers.len(),
            Part::Service(state) => state.instances.len(),
            Part::Relay(state) => state.couriers.len(),
            Part::Orchestrator(_) => 1,
            Part::Scheduler(state) => state.clerks.len(),
            _ => 0,
        };
        let mut found = Found::Nothing;
        for number in 0..u16::try_from(count).unwrap_or(u16::MAX) {
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
    pub(crate) fn crash(
        &mut self,
        cx: &mut Context,
        id: WorkerId,
        restart_after: Option<SimDuration>,
    ) -> Found {
        let now = self.now;
        let process = self.process_mut(id);
        if process.is_dead() {
            return Found::Nothing;
        }
        let own = match &cx.scenario.component(id.component).kind {
            Kind::Workers(spec) => spec.restart_after,
            Kind::Service(spec) => spec.restart_after,
            Kind::Relay(spec) => spec.restart_after,
            Kind::Orchestrator(spec) => spec.restart_after,
            Kind::Scheduler(spec) => spec.restart_after,
            _ => None,
        };
        let until = restart_after.or(own).map(|after| now + after);
        let process = self.process_mut(id);
        process.phase = Phase::Down { since: now, until };
        process.stopped = false;
        process.slowed = None;
        process.retiring = None;
        match &cx.scenario.component(id.component).kind {
            Kind::Workers(_) => self.worker_dies(cx, id),
            Kind::Relay(_) => self.courier_dies(cx, id),
            Kind::Orchestrator(_) => self.orchestrator_dies(cx, id),
            Kind::Scheduler(_) => self.clerk_dies(cx, id),
            _ => self.instance_dies(cx, id),
        }
        if let Some(at) = until {
            self.schedule(at, Rank::Timer, Event::Wake { worker: id });
        } else {
            self.deploy_hears(cx, id);
        }
        Found::Something
    }

    fn worker_dies(&mut self, cx: &mut Context, id: WorkerId) {
        let worker = self.worker_mut(id);
        worker.deliveries += 1;
        worker.ack_loss_armed = false;
        let mut asked = None;
        if let Some(hands) = &mut worker.hands {
            hands.activity.ticket = 0;
            asked = hands.activity.asked();
        }
        let forgotten: Vec<MessageId> = worker
            .hands
            .iter()
            .map(|hands| hands.activity.message)
            .chain(worker.pending.drain(..).map(|delivery| delivery.message))
            .chain(worker.batch.drain(..).map(|item| item.delivery.message))
            .collect();
        if let Some(number) = asked {
            self.caller_died(cx, number);
        }
        self.emit(cx, What::Crashed { worker: id, holding: forgotten.first().copied() });
        self.session_dies(cx, Caller::Worker(id));
        self.consumer_gone(cx, id);
        for message in forgotten {
            self.messages[message].holders -= 1;
            self.check_lost(cx, message);
        }
    }

    /// A handler is gone with its process, and with it its connections to databases.
    #[inline(never)]
    fn session_dies(&mut self, cx: &mut Context, runner: Caller) {
        if let Some(program) = self.program(cx.scenario, runner) {
            self.session_over(cx, runner, program);
        }
    }

    /// The requests that a process was handling are gone with it; those who asked see their
    /// connections break.
    #[inline(never)]
    fn instance_dies(&mut self, cx: &mut Context, id: WorkerId) {
        let service = id.component;
        let mine = self.requests_of(id);
        let state = self.service_mut(service);
        state.busy -= state.instances[usize::from(id.instance)].busy;
        state.instances[usize::from(id.instance)].busy = 0;
        let first = mine.first().and_then(|&number| self.requests.get_mut(number));
        let holding = first.map(|request| request.message);
        self.emit(cx, What::Crashed { worker: id, holding });
        for number in mine {
            if let Some(call) =
                self.activity_mut(Caller::Request(number)).and_then(|activity| activity.asked())
            {
                self.caller_died(cx, call);
            }
            self.session_dies(cx, Caller::Request(number));
            let Some(request) = self.requests.remove(number) else { continue };
            if matches!(request.phase, RequestPhase::Handled { reply: Reply::Owed, .. }) {
                self.reset(cx, service, &request);
            }
        }
        if self.service_mut(service).instances.iter().all(|other| other.process.is_dead()) {
            for number in std::mem::take(&mut self.service_mut(service).waiting) {
                let Some(request) = self.requests.remove(number) else { continue };
                self.reset(cx, service, &request);
            }
        }
        self.let_in(cx, service);
    }

    /// The requests that a process of a service handles, by number.
    fn requests_of(&self, id: WorkerId) -> Vec<u32> {
        let is_mine = |request: &Request| match (request.target, &request.phase) {
            (Target::Service(service, _), RequestPhase::Handled { instance, .. }) => {
                service == id.component && *instance == id.instance
            }
            _ => false,
        };
        self.requests.numbered().filter(|(_, r)| is_mine(r)).map(|(number, _)| number).collect()
    }

    /// Whatever a process runs.
    fn runners(&mut self, id: WorkerId) -> Vec<Caller> {
        match &self.parts[id.component.index()] {
            Part::Relay(_) | Part::Orchestrator(_) | Part::Scheduler(_) => Vec::new(),
            Part::Service(_) => self.requests_of(id).into_iter().map(Caller::Request).collect(),
            _ => self.worker_mut(id).hands.iter().map(|_| Caller::Worker(id)).collect(),
        }
    }

    #[inline(never)]
    pub(crate) fn pause(&mut self, cx: &mut Context, id: WorkerId, lasts: SimDuration) -> Found {
        let now = self.now;
        let until = now + lasts;
        let process = self.process_mut(id);
        let since = match process.phase {
            Phase::Paused { since, until: already } if already < until => since,
            Phase::Down { .. } | Phase::Paused { .. } => return Found::Nothing,
            Phase::Idle | Phase::Working => now,
        };
        process.phase = Phase::Paused { since, until };
        for runner in self.runners(id) {
            if let Some(activity) = self.activity_mut(runner)
                && activity.asked().is_none()
            {
                activity.ticket = 0;
            }
        }
        if matches!(self.parts[id.component.index()], Part::Workers(_)) {
            self.consumer_rests(cx, id);
        }
        self.schedule(until, Rank::Timer, Event::Wake { worker: id });
        self.emit(cx, What::Paused { worker: id, until });
        Found::Something
    }

    /// A dead process is back with empty hands, or a paused one goes on where it stood.
    pub(crate) fn wake(&mut self, cx: &mut Context, id: WorkerId) {
        let now = self.now;
        match self.process_mut(id).phase {
            Phase::Down { until, .. } if until == Some(now) => {
                let process = self.process_mut(id);
                (process.phase, process.stopped) = (Phase::Idle, false);
                if let Part::Workers(state) = &mut self.parts[id.component.index()] {
                    state.workers[usize::from(id.instance)].hands = None;
                }
                self.emit(cx, What::Restarted { worker: id });
                self.resolve_doubts(cx, id);
                self.deploy_hears(cx, id);
                match &self.parts[id.component.index()] {
                    Part::Workers(_) => self.consumer_back(cx, id),
                    Part::Relay(_) => self.courier_back(cx, id),
                    Part::Orchestrator(_) => self.orchestrator_back(cx, id.component),
                    Part::Scheduler(_) => self.clerk_back(cx, id),
                    _ => self.let_in(cx, id.component),
                }
            }
            Phase::Paused { since, until } if until == now => self.resume(cx, id, since),
            _ => {}
        }
    }

    #[inline(never)]
    fn resume(&mut self, cx: &mut Context, id: WorkerId, since: SimTime) {
        let now = self.now;
        let runners = self.runners(id);
        let idle = runners.is_empty();
        self.process_mut(id).phase = if idle { Phase::Idle } else { Phase::Working };
        for runner in runners {
            let Some(activity) = self.activity_mut(runner) else { continue };
            // What came while it was frozen has been frozen since it came.
            let frozen = now - since.max(activity.step_started);
            activity.step_started += frozen;
            activity.step_ends += frozen;
            let ends = match activity.progress {
                Progress::Answered(_) => now,
                Progress::Call(_) | Progress::Row => continue,
                _ => activity.step_ends,
            };
            self.schedule_step(runner, ends);
        }
        self.emit(cx, What::Resumed { worker: id });
        match &self.parts[id.component.index()] {
            Part::Relay(_) => self.courier_awake(cx, id, since),
            Part::Service(_) => self.let_in(cx, id.component),
            Part::Scheduler(_) => self.clerk_back(cx, id),
            // What came meanwhile has been put off to now.
            Part::Orchestrator(_) => {}
            _ if idle => self.go_on(cx, id),
            _ => self.consumer_awake(cx, id),
        }
    }

    /// What is left of each line under way, and every line begun meanwhile, takes longer.
    #[inline(never)]
    pub(crate) fn slow(
        &mut self,
        cx: &mut Context,
        id: WorkerId,
        percent: u32,
        lasts: SimDuration,
    ) -> Found {
        let now = self.now;
        let until = now + lasts;
        let process = self.process_mut(id);
        if process.is_dead() {
            return Found::Nothing;
        }
        process.slowed = Some((percent, until));
        if process.phase == Phase::Working {
            for runner in self.runners(id) {
                let Some(activity) = self.activity_mut(runner) else { continue };
                if !matches!(activity.progress, Progress::Step | Progress::Call(_)) {
                    continue;
                }
                let left = activity.step_ends.saturating_since(now);
                activity.step_ends = now + left.mul_percent(percent);
                let (ends, step) = (activity.step_ends, activity.progress == Progress::Step);
                if step {
                    self.schedule_step(runner, ends);
                }
            }
        }
        self.schedule(until, Rank::Timer, Event::Restore { worker: id, until });
        self.emit(cx, What::Slowed { worker: id, percent, until });
        Found::Something
    }

    /// The end of a slow time, unless it has been prolonged or the process has died meanwhile.
    pub(crate) fn restore(&mut self, cx: &mut Context, id: WorkerId, until: SimTime) {
        let process = self.process_mut(id);
        if process.slowed.is_some_and(|(_, end)| end == until) {
            process.slowed = None;
            self.emit(cx, What::Restored { worker: id });
        }
    }
}
