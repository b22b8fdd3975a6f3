//! Schedulers: what hands runs to workers by the clock. Every rule about hours, overlaps and missed
//! runs is in `patterns::schedule`, every rule about leases in `patterns::lease`.
//!
//! ```text
//!   due ─▶ overlap policy ─▶ ready ─ a worker is idle, the lease is free ─▶ running ─▶ over
//!                              ▲                                              │
//!                              └───────────── the lease has lapsed ───────────┘
//! ```
//!
//! A worker that is frozen does not notice that its lease has lapsed: it goes on beside the next.

use std::collections::VecDeque;

use broker::MessageId;
use patterns::lease::LeaseServer;
use patterns::schedule::UnixTime;
use patterns::schedule::scheduler::{self, Event as Told, Promptness};
use scenario::{ComponentId, Kind, Scenario, limits};
use sim::{Rank, SimTime, Stream};

use crate::parts::{Part, Phase, Process};
use crate::taking::{Delivery, Receipt};
use crate::world::{Context, Event};
use crate::{Message, What, WorkerId, World};

/// A scheduler.
#[derive(Clone, Debug, Hash)]
pub struct SchedulerState {
    /// Its processes, none of which knows of the others.
    pub clerks: Vec<Clerk>,
    /// Runs that are due and not over, the oldest first.
    pub runs: VecDeque<Run>,
    /// Workers that wait for a run.
    pub(crate) waiting: VecDeque<WorkerId>,
    lease: Option<LeaseServer>,
    /// How often a run was handed out, where nobody asks for a lease.
    handed_out: u32,
    timer: Option<SimTime>,
    /// The latest hour that a run was made for.
    last_due: UnixTime,
    /// Runs that ended well.
    pub done: u32,
    /// Runs that did not take place because another was running.
    pub skipped: u32,
    /// Runs that were missed and not made up for.
    pub missed: u32,
}

/// A process of a scheduler.
#[derive(Clone, Debug, Hash)]
pub struct Clerk {
    /// The process.
    pub process: Process,
    machine: scheduler::Scheduler,
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    /// What is handed to a worker.
    pub message: MessageId,
    /// For which hour.
    pub due: UnixTime,
    /// Which process wants it, from 0.
    clerk: usize,
    /// Who has it, and the token of the hand-out.
    pub held: Option<(WorkerId, u32)>,
    /// When its holder's lease lapses, if there is one.
    pub until: Option<SimTime>,
}

impl SchedulerState {
    pub(crate) fn new(spec: &scenario::Scheduler, seed: u64, index: u64) -> Self {
        let clock = spec.clock.ahead_by(spec.skew.seconds());
        let machine = || scheduler::Scheduler::new(spec.cron, clock, spec.overlap, spec.catch_up);
        let clerks = (0..u64::from(spec.count)).map(|instance| Clerk {
            process: Process::new(Stream::new(seed, "scheduler", index << 16 | instance))
                .with_clock(spec.skew),
            machine: machine(),
        });
        Self {
            clerks: clerks.collect(),
            runs: VecDeque::new(),
            waiting: VecDeque::new(),
            lease: spec.lease.map(LeaseServer::new),
            handed_out: 0,
            timer: None,
            last_due: UnixTime(i64::MIN),
            done: 0,
            skipped: 0,
            missed: 0,
        }
    }

    /// When its next run is due.
    #[must_use]
    pub fn next(&self) -> Option<SimTime> {
        let live = self.clerks.iter().filter(|clerk| clerk.process.runs());
        live.filter_map(|clerk| clerk.machine.next_deadline()).min()
    }

    fn next_deadline(&self) -> Option<SimTime> {
        let lapses = self.runs.iter().filter_map(|run| run.until).min();
        self.next().into_iter().chain(lapses).min()
    }

    /// Whether a worker may still say that the run is done.
    #[must_use]
    pub fn honours(&self, token: u32) -> bool {
        self.runs.iter().any(|run| run.held.is_some_and(|(_, held)| held == token))
    }
}

impl World {
    /// Its next deadline is on the calendar, and what is ready will be handed out.
    pub(crate) fn scheduler_settle(&mut self, id: ComponentId) {
        let now = self.now;
        let state = self.scheduler_mut(id);
        let next = state.next_deadline();
        let ready = state.runs.iter().any(|run| run.held.is_none()) && !state.waiting.is_empty();
        if next != state.timer {
            state.timer = next;
            if let Some(at) = next {
                self.schedule(at.max(now), Rank::Timer, Event::Deadline { queue: id });
            }
        }
        if ready {
            self.schedule(now, Rank::Dispatch, Event::HandOut { queue: id });
        }
    }

    /// Runs are due, or leases lapse.
    #[inline(never)]
    pub(crate) fn scheduler_deadline(&mut self, cx: &mut Context, id: ComponentId) {
        let now = self.now;
        if self.scheduler_mut(id).timer == Some(now) {
            self.scheduler_mut(id).timer = None;
        }
        for at in 0..self.scheduler_mut(id).runs.len() {
            let run = &mut self.scheduler_mut(id).runs[at];
            if run.until.is_some_and(|until| until <= now)
                && let Some((_, count)) = run.held.take()
            {
                run.until = None;
                let message = run.message;
                self.emit(cx, What::Lapsed { queue: id, message, count });
            }
        }
        for clerk in 0..self.scheduler_mut(id).clerks.len() {
            self.look_at_clock(cx, id, clerk);
        }
        self.scheduler_settle(id);
    }

    fn look_at_clock(&mut self, cx: &mut Context, id: ComponentId, clerk: usize) {
        let now = self.now;
        let it = &mut self.scheduler_mut(id).clerks[clerk];
        if !it.process.runs() {
            return;
        }
        let mut told = Vec::new();
        it.machine.advance(now, &mut told);
        self.told(cx, id, clerk, told);
    }

    fn told(&mut self, cx: &mut Context, id: ComponentId, clerk: usize, told: Vec<Told>) {
        for event in told {
            match event {
                Told::Start { due, promptness } => self.run_is_due(cx, id, clerk, due, promptness),
                Told::Skipped(runs) => {
                    self.scheduler_mut(id).skipped += runs;
                    self.emit(cx, What::RunsSkipped { scheduler: id, runs });
                }
                Told::Missed(runs) => {
                    self.scheduler_mut(id).missed += runs;
                    self.emit(cx, What::RunsMissed { scheduler: id, runs });
                }
                // No policy on the wire stops a run.
                Told::Stop(_) => {}
            }
        }
    }

    fn run_is_due(
        &mut self,
        cx: &mut Context,
        id: ComponentId,
        clerk: usize,
        due: UnixTime,
        promptness: Promptness,
    ) {
        if self.messages.len() >= limits::MESSAGES.max {
            self.crossed = Some(limits::MESSAGES.name);
            return;
        }
        let now = self.now;
        let state = self.scheduler_mut(id);
        // Processes that share a lease have one run for each hour between them.
        if state.lease.is_some() && due <= state.last_due {
            let mut told = Vec::new();
            state.clerks[clerk].machine.ended(now, &mut told);
            self.told(cx, id, clerk, told);
            return;
        }
        state.last_due = due;
        let key = u16::try_from(self.number_of("")).unwrap_or(u16::MAX);
        let message = self.add_message(Message {
            queue: Some(id),
            stored: true,
            ..Message::new(id, None, key, self.now)
        });
        let run = Run { message, due, clerk, held: None, until: None };
        self.scheduler_mut(id).runs.push_back(run);
        let late = promptness == Promptness::Late;
        self.emit(cx, What::RunDue { scheduler: id, message, late });
    }

    /// Idle workers are handed what is ready.
    #[inline(never)]
    pub(crate) fn scheduler_hand_out(&mut self, cx: &mut Context, id: ComponentId) {
        let now = self.now;
        loop {
            let state = self.scheduler_mut(id);
            let Some(at) = state.runs.iter().position(|run| run.held.is_none()) else { break };
            let Some(&worker) = state.waiting.front() else { break };
            let (count, until) = match &mut state.lease {
                None => {
                    state.handed_out += 1;
                    (state.handed_out, None)
                }
                Some(server) => {
                    let holder = u32::from(worker.instance)
                        | u32::try_from(worker.component.index()).unwrap_or(0) << 16;
                    let Ok(lease) = server.acquire(now, holder) else { break };
                    let token = u32::try_from(lease.token.number()).unwrap_or(u32::MAX);
                    (token, Some(lease.until))
                }
            };
            state.waiting.pop_front();
            let run = &mut state.runs[at];
            (run.held, run.until) = (Some((worker, count)), until);
            let message = run.message;
            self.check_one_runner(cx, id, worker);
            let receipt = Receipt::Run(count);
            self.deliver(cx, worker, &[Delivery { queue: id, message, receipt, count, until }]);
        }
        self.scheduler_settle_lease(id);
    }

    /// A run that nobody could take waits for the lease to lapse, which is a deadline already.
    fn scheduler_settle_lease(&mut self, id: ComponentId) {
        let now = self.now;
        let state = self.scheduler_mut(id);
        let next = state.next_deadline();
        if next != state.timer {
            state.timer = next;
            if let Some(at) = next {
                self.schedule(at.max(now), Rank::Timer, Event::Deadline { queue: id });
            }
        }
    }

    /// Tells if a worker begins while another is at work for the same scheduler.
    fn check_one_runner(&mut self, cx: &mut Context, id: ComponentId, worker: WorkerId) {
        let busy = |part: &Part, component: ComponentId| {
            let Part::Workers(state) = part else { return None };
            let at_work = state.workers.iter().position(|other| {
                let dead = other.process.is_dead();
                !dead && other.hands.as_ref().is_some_and(|hands| hands.delivery.queue == id)
            })?;
            let instance = u16::try_from(at_work).ok()?;
            Some(WorkerId { component, instance })
        };
        let mut all = self.parts.iter().enumerate();
        let other = all.find_map(|(at, part)| busy(part, ComponentId::new(at)));
        if let Some(other) = other.filter(|other| *other != worker) {
            self.emit(cx, What::TwoRunners { scheduler: id, worker, other });
        }
    }

    /// A worker is through with a run. One that is no longer its holder ends nothing.
    #[inline(never)]
    pub(crate) fn run_over(&mut self, cx: &mut Context, id: WorkerId, delivery: Delivery) {
        let now = self.now;
        let (scheduler, token) = (delivery.queue, delivery.count);
        let state = self.scheduler_mut(scheduler);
        let held = state.runs.iter().position(|run| run.held == Some((id, token)));
        let message = delivery.message;
        let Some(at) = held else {
            self.emit(cx, What::RunStale { scheduler, message, worker: id });
            return;
        };
        let Some(run) = state.runs.remove(at) else { return };
        if let Some(server) = &mut state.lease {
            server.release(now, patterns::lease::FencingToken::from_number(u64::from(token)));
        }
        state.done += 1;
        let mut told = Vec::new();
        state.clerks[run.clerk].machine.ended(now, &mut told);
        let entry = &mut self.messages[message];
        (entry.queue, entry.acked, entry.done) = (None, true, true);
        self.emit(cx, What::RunOver { scheduler, message, worker: id });
        self.told(cx, scheduler, run.clerk, told);
        self.scheduler_settle(scheduler);
    }

    /// A worker has died with a run in hand. Where there is a lease, that lapses; else the run is
    /// lost.
    pub(crate) fn runner_gone(&mut self, cx: &mut Context, scheduler: ComponentId, id: WorkerId) {
        let now = self.now;
        let state = self.scheduler_mut(scheduler);
        state.waiting.retain(|&waiting| waiting != id);
        if state.lease.is_some() {
            return;
        }
        let mine = |run: &Run| run.held.is_some_and(|(holder, _)| holder == id);
        while let Some(at) = self.scheduler_mut(scheduler).runs.iter().position(mine) {
            let state = self.scheduler_mut(scheduler);
            let Some(run) = state.runs.remove(at) else { return };
            let mut told = Vec::new();
            state.clerks[run.clerk].machine.ended(now, &mut told);
            self.messages[run.message].queue = None;
            self.told(cx, scheduler, run.clerk, told);
        }
        self.scheduler_settle(scheduler);
    }

    /// A worker that is still at work asks for more time.
    pub(crate) fn run_extend(&mut self, cx: &mut Context, worker: WorkerId, delivery: Delivery) {
        let now = self.now;
        let (queue, message) = (delivery.queue, delivery.message);
        let state = self.scheduler_mut(queue);
        let token = patterns::lease::FencingToken::from_number(u64::from(delivery.count));
        let Some(Ok(lease)) = state.lease.as_mut().map(|server| server.renew(now, token)) else {
            return;
        };
        let until = lease.until;
        for run in &mut state.runs {
            if run.held == Some((worker, delivery.count)) {
                run.until = Some(until);
            }
        }
        self.hears_of_end(worker, queue, message, until);
        self.emit(cx, What::Extended { queue, message, worker, until });
        self.scheduler_settle(queue);
    }

    pub(crate) fn clerk_dies(&mut self, cx: &mut Context, id: WorkerId) {
        self.emit(cx, What::Crashed { worker: id, holding: None });
        self.scheduler_settle(id.component);
    }

    /// A process is back, or goes on: it finds what it missed.
    pub(crate) fn clerk_back(&mut self, cx: &mut Context, id: WorkerId) {
        self.scheduler_mut(id.component).clerks[usize::from(id.instance)].process.phase =
            Phase::Idle;
        self.look_at_clock(cx, id.component, usize::from(id.instance));
        self.scheduler_settle(id.component);
    }

    /// The clock of a process is put forward, or back: it looks what is due by it now.
    pub(crate) fn clerk_looks_anew(&mut self, cx: &mut Context, id: WorkerId, forward: i64) {
        let clerk = usize::from(id.instance);
        self.scheduler_mut(id.component).clerks[clerk].machine.put_forward(forward);
        self.look_at_clock(cx, id.component, clerk);
        self.scheduler_settle(id.component);
    }

    pub(crate) fn scheduler_mut(&mut self, id: ComponentId) -> &mut SchedulerState {
        match &mut self.parts[id.index()] {
            Part::Scheduler(state) => state,
            _ => unreachable!("validation makes it a scheduler"),
        }
    }

    /// The scheduler that a worker takes its runs from, if it does.
    pub(crate) fn scheduler_of(&self, scenario: &Scenario, id: WorkerId) -> Option<ComponentId> {
        let Kind::Workers(spec) = &scenario.component(id.component).kind else { return None };
        let from = spec.from;
        matches!(self.parts[from.index()], Part::Scheduler(_)).then_some(from)
    }

    /// For which hour a run is, in seconds of Unix time.
    pub(crate) fn due_of(&mut self, scheduler: ComponentId, message: MessageId) -> Option<i64> {
        let state = match &self.parts[scheduler.index()] {
            Part::Scheduler(state) => state,
            _ => return None,
        };
        let run = state.runs.iter().find(|run| run.message == message)?;
        Some(run.due.0)
    }
}
