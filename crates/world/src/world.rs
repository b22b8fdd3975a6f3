//! The state of a run and the loop that advances it.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use broker::MessageId;
use broker::log::{Coordinator, Offset, PartitionId};
use scenario::{ComponentId, Kind, Scenario, limits};
use sim::{Calendar, Rank, SimTime};

use crate::armed::Armed;
use crate::build::new_part;
use crate::database::InDoubt;
use crate::parts::{Call, Caller, Deploy, Instance, Part, Phase};
use crate::queue::rabbit::Rabbit;
use crate::request::{Ask, Origin, Request};
use crate::retry::{Guards, guards};
use crate::slab::Slab;
use crate::spare::Spare;
use crate::{Activity, Ending, GroupId, MemberState, Messages, Plan, Trace, What, WorkerId};

/// The state of a run between two events. Clone it to try something; hash it to compare.
#[derive(Clone, Debug, Hash)]
pub struct World {
    scenario: Shared,
    pub(crate) now: SimTime,
    pub(crate) calendar: Calendar<Event>,
    pub(crate) parts: Vec<Part>,
    /// The broker of RabbitMQ, if any queue is on one.
    pub(crate) rabbit: Option<Box<Rabbit>>,
    pub(crate) messages: Messages,
    pub(crate) requests: Slab<Request>,
    pub(crate) calls: Slab<Call>,
    /// Requests whose sources wait for an answer.
    pub(crate) asks: Slab<Ask>,
    /// Boxes of handlers that are over.
    pub(crate) spare: Spare<Activity>,
    /// Budgets and circuit breakers of lines.
    pub(crate) guards: Guards,
    /// Rolling restarts on their way.
    pub(crate) deploys: Vec<Deploy>,
    /// Links that are cut, with when that is over.
    pub(crate) cuts: Vec<(ComponentId, ComponentId, SimTime)>,
    /// Crashes that wait for a process to come to a border.
    pub(crate) armed: Vec<Armed>,
    /// Messages to be poisoned as soon as they exist, in order of number.
    pub(crate) poison_later: Vec<MessageId>,
    /// Who writes to logs in transactions, and what is open.
    pub(crate) transactions: Coordinator,
    /// Ordering keys seen so far; a message's key is a position here.
    pub(crate) keys: Vec<String>,
    /// Prepared transactions whose coordinators have died.
    pub(crate) in_doubt: Vec<InDoubt>,
    /// The number of the last ticket handed out.
    tickets: u32,
    /// A limit that has been crossed: the run is over.
    pub(crate) crossed: Option<&'static str>,
    planned: usize,
    /// When something last happened that the trace tells of.
    last: SimTime,
    /// Events handled in this instant.
    in_instant: u32,
    handled: u64,
    ended: Option<Ending>,
}

/// The scenario of a run, shared by its copies. Two worlds are only ever compared within one
/// scenario, so it does not count for their hash.
#[derive(Clone, Debug)]
struct Shared(Arc<Scenario>);

impl Hash for Shared {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// What handlers of calendar events are given beside the world.
pub(crate) struct Context<'a> {
    pub(crate) scenario: &'a Scenario,
    pub(crate) trace: &'a mut Trace,
}

/// What can come due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Event {
    /// A source sends.
    Departure { source: ComponentId, ticket: u32 },
    /// A source is back to its own pace.
    SpikeEnds { source: ComponentId, until: SimTime },
    /// A request reaches its target.
    Request { request: u32 },
    /// A queue's own deadline: a visibility timeout, a delay, a retention.
    Deadline { queue: ComponentId },
    /// Idle workers are handed what is on offer.
    HandOut { queue: ComponentId },
    /// A line of a handler ends, or its delivery arrives, or its answer is looked at.
    Step { runner: Caller, ticket: u32 },
    /// A handler has waited long enough for the answer to a call.
    Timeout { runner: Caller, ticket: u32 },
    /// A source has waited long enough for an answer, or between two attempts.
    Ask { ask: u32, ticket: u32 },
    /// A service of our own answers a call.
    CallAnswered { call: u32, status: u16, departed: SimTime },
    /// What a relay's process is at comes to its end.
    Courier { worker: WorkerId, ticket: u32 },
    /// A step of a saga has waited long enough, or is to be tried again.
    Saga { orchestrator: ComponentId, saga: u32, ticket: u32 },
    /// A conductor hears the answer of a participant.
    SagaHears { orchestrator: ComponentId, origin: Origin, status: u16 },
    /// An external service comes to the end of a call.
    CallEnds { call: u32 },
    /// A short poll leaves, or a long one is over.
    Poll { worker: WorkerId, ticket: u32 },
    /// The next message of a redrive moves.
    Redrive { queue: ComponentId },
    /// A worker connects to the broker that it takes from.
    Connect { worker: WorkerId },
    /// A worker says "still at it".
    Heartbeat { worker: WorkerId, delivery: u32 },
    /// Followers have what a log's leader had when it was this old.
    Replicated { log: ComponentId, partition: PartitionId, to: Offset, reign: u32 },
    /// The client beside a worker's handler has a heartbeat to send, or gives up on the handler.
    Member { worker: WorkerId },
    /// A dead process is back, or a paused one goes on.
    Wake { worker: WorkerId },
    /// A slowed process is back to its pace.
    Restore { worker: WorkerId, until: SimTime },
    /// An external service answers again.
    OutageEnds { external: ComponentId, until: SimTime },
    /// An external service has its whole capacity again.
    BrownoutEnds { external: ComponentId, until: SimTime },
    /// A rule looks at how many workers there should be.
    Scaler { component: ComponentId },
    /// A link is whole again.
    CutEnds { from: ComponentId, to: ComponentId, until: SimTime },
    /// An external service has come to the end of a slice of time.
    SliceEnds { external: ComponentId },
}

impl World {
    /// The world of a scenario at time zero.
    #[must_use]
    pub fn new(scenario: &Arc<Scenario>) -> Self {
        let mut world = Self {
            now: SimTime::ZERO,
            calendar: Calendar::new(),
            parts: scenario.ids().map(|(id, c)| new_part(scenario, id, &c.kind)).collect(),
            rabbit: Rabbit::of(scenario),
            messages: Messages::default(),
            requests: Slab::default(),
            calls: Slab::default(),
            asks: Slab::default(),
            spare: Spare::default(),
            guards: guards(scenario),
            deploys: Vec::new(),
            cuts: Vec::new(),
            armed: Vec::new(),
            poison_later: Vec::new(),
            keys: Vec::new(),
            transactions: Coordinator::default(),
            in_doubt: Vec::new(),
            tickets: 0,
            crossed: None,
            planned: 0,
            last: SimTime::ZERO,
            in_instant: 0,
            handled: 0,
            ended: None,
            scenario: Shared(Arc::clone(scenario)),
        };
        for (id, component) in scenario.ids() {
            match &component.kind {
                Kind::Source(_) => world.schedule_departure(id),
                Kind::Workers(workers) => {
                    if let Some(settings) = &workers.autoscale {
                        let look = SimTime::ZERO + settings.period;
                        world.schedule(look, Rank::Timer, Event::Scaler { component: id });
                    }
                    for instance in 0..workers.running {
                        world.consumer_waits(scenario, WorkerId { component: id, instance });
                    }
                }
                Kind::Log(_) => world.log_settle(id),
                Kind::Scheduler(_) => world.scheduler_settle(id),
                Kind::Database(database) => world.fill(id, database),
                Kind::Orchestrator(_)
                | Kind::Relay(_)
                | Kind::Service(_)
                | Kind::Queue(_)
                | Kind::Topic(_)
                | Kind::External(_) => {}
            }
        }
        for (id, component) in scenario.ids() {
            if let Kind::Relay(relay) = &component.kind {
                world.start_relay(id, relay, scenario.seed);
            }
        }
        for (id, component) in scenario.ids() {
            if let Kind::Database(database) = &component.kind {
                world.plan_disk(id, database);
            }
        }
        world
    }

    /// The scenario it runs.
    #[must_use]
    pub fn scenario(&self) -> &Arc<Scenario> {
        &self.scenario.0
    }

    /// The time of the last event.
    #[must_use]
    pub fn now(&self) -> SimTime {
        self.now
    }

    /// Why the run is over, once it is.
    #[must_use]
    pub fn ended(&self) -> Option<Ending> {
        self.ended
    }

    /// How many events of the calendar, and interventions, have been handled.
    #[must_use]
    pub fn handled(&self) -> u64 {
        self.handled
    }

    /// The messages so far.
    #[must_use]
    pub fn messages(&self) -> &Messages {
        &self.messages
    }

    /// The ordering keys in order of first appearance.
    #[must_use]
    pub fn keys(&self) -> &[String] {
        &self.keys
    }

    /// The state of each component, in the scenario's order.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The group that a worker process reads a log with, if it does.
    #[must_use]
    pub fn group_of(&self, worker: WorkerId) -> Option<GroupId> {
        let Kind::Workers(spec) = &self.scenario().component(worker.component).kind else {
            return None;
        };
        let Part::Log(state) = &self.parts[spec.from.index()] else { return None };
        state.seat(worker).map(|(group, _)| state.groups[group].id)
    }

    /// A worker process's place in the group that it reads a log with, if it does.
    #[must_use]
    pub fn member(&self, worker: WorkerId) -> Option<&MemberState> {
        let Kind::Workers(spec) = &self.scenario().component(worker.component).kind else {
            return None;
        };
        let Part::Log(state) = &self.parts[spec.from.index()] else { return None };
        let (group, member) = state.seat(worker)?;
        Some(&state.groups[group].members[member])
    }

    /// Requests under way.
    pub fn requests(&self) -> impl Iterator<Item = &Request> {
        self.requests.iter()
    }

    /// Calls under way.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.calls.iter()
    }

    /// When the next thing happens under this plan, if anything will within the run.
    #[must_use]
    pub fn next_time(&self, plan: &Plan) -> Option<SimTime> {
        if self.ended.is_some() {
            return None;
        }
        let planned = plan.get(self.planned).map(|intervention| intervention.at);
        let next = planned.into_iter().chain(self.calendar.peek_time()).min()?;
        (next <= self.scenario().until).then_some(next)
    }

    /// Handles one calendar event or one intervention, and records what happened.
    /// Returns false once the run is over.
    pub fn step(&mut self, trace: &mut Trace, plan: &Plan) -> bool {
        self.advance(trace, plan, 1, usize::MAX)
    }

    /// Handles calendar events and interventions, at most so many, and stops earlier when the trace
    /// is so long. Returns false once the run is over.
    pub fn advance(
        &mut self,
        trace: &mut Trace,
        plan: &Plan,
        most: usize,
        trace_len: usize,
    ) -> bool {
        if self.ended.is_some() {
            return false;
        }
        let scenario = Arc::clone(self.scenario());
        let mut cx = Context { scenario: &scenario, trace };
        for _ in 0..most {
            if let Err(why) = self.handle_next(&mut cx, plan) {
                self.end(cx.trace, why);
                return false;
            }
            if cx.trace.len() >= trace_len {
                break;
            }
        }
        true
    }

    /// What happens next under this plan, unless that is the end of the run.
    fn handle_next(&mut self, cx: &mut Context, plan: &Plan) -> Result<(), Ending> {
        if cx.trace.is_full() {
            return Err(Ending::Limit(limits::TRACE_EVENTS.name));
        }
        if let Some(limit) = self.crossed {
            return Err(Ending::Limit(limit));
        }
        // What is planned comes after everything of its moment.
        let until = cx.scenario.until;
        let planned = plan.get(self.planned).filter(|intervention| intervention.at <= until);
        let limit = planned.map_or(until, |intervention| intervention.at);
        if let Some((at, event)) = self.calendar.pop_until(limit) {
            self.comes_to(at)?;
            self.handle(cx, event);
        } else if let Some(intervention) = planned {
            self.comes_to(intervention.at)?;
            self.planned += 1;
            self.intervene(cx, self.planned - 1, &intervention.action);
        } else {
            return Err(if self.is_quiet(plan) { Ending::Quiet } else { Ending::Until });
        }
        Ok(())
    }

    /// The time of what happens next has come.
    fn comes_to(&mut self, at: SimTime) -> Result<(), Ending> {
        self.in_instant = if at == self.now { self.in_instant + 1 } else { 0 };
        if self.in_instant as usize > limits::SAME_INSTANT.max {
            return Err(Ending::Limit(limits::SAME_INSTANT.name));
        }
        self.now = at;
        self.handled += 1;
        Ok(())
    }

    /// Whether nothing is left that could happen. The calendar alone does not tell: it may hold
    /// deadlines of messages that are gone.
    fn is_quiet(&self, plan: &Plan) -> bool {
        let is_settled = |instance: &Instance| {
            matches!(instance.process.phase, Phase::Idle | Phase::Down { until: None, .. })
        };
        let at_rest = |part: &Part| match part {
            Part::Source(state) => state.next.is_none(),
            Part::Service(state) => state.busy == 0 && state.instances.iter().all(is_settled),
            Part::Queue(state) => state.engine.next_deadline().is_none() && state.redrive.is_none(),
            Part::Log(state) => state.is_at_rest(|id| self.phase_of(id), self.scenario().until),
            Part::Topic(_) => true,
            Part::Database(state) => state.timer.is_none(),
            Part::Relay(state) => state.at_rest(),
            Part::Orchestrator(state) => state.at_rest(),
            Part::Scheduler(state) => state.next().is_none() && state.runs.is_empty(),
            Part::Workers(state) => state.workers.iter().all(|worker| {
                matches!(worker.process.phase, Phase::Idle | Phase::Down { until: None, .. })
            }),
            Part::External(state) => state.busy == 0 && state.outage_until.is_none(),
        };
        let on_the_way = self.requests.iter().next().is_some()
            || self.asks.iter().next().is_some()
            || self.rabbit.as_ref().is_some_and(|it| it.broker.next_deadline().is_some());
        plan.get(self.planned).is_none()
            && self.transactions.next_deadline().is_none()
            && !on_the_way
            && self.parts.iter().all(at_rest)
    }

    fn end(&mut self, trace: &mut Trace, why: Ending) {
        self.now = match why {
            Ending::Until => self.scenario().until,
            Ending::Quiet => self.last,
            Ending::Limit(_) => self.now,
        };
        self.ended = Some(why);
        trace.push(self.now, What::Ended { why });
    }

    fn handle(&mut self, cx: &mut Context, event: Event) {
        match event {
            Event::Departure { source, ticket } => self.depart(cx, source, ticket),
            Event::SpikeEnds { source, until } => self.spike_ends(cx, source, until),
            Event::Request { request } => self.request_due(cx, request),
            Event::Deadline { queue } => self.deadline(cx, queue),
            Event::HandOut { queue } => self.hand_out(cx, queue),
            Event::Step { runner, ticket } => self.step_due(cx, runner, ticket),
            Event::Timeout { runner, ticket } => self.call_times_out(cx, runner, ticket),
            Event::Ask { ask, ticket } => self.ask_due(cx, ask, ticket),
            Event::CallAnswered { call, status, departed } => {
                self.call_answered(cx, call, status, departed);
            }
            Event::Courier { worker, ticket } => self.courier_due(cx, worker, ticket),
            Event::Saga { orchestrator, saga, ticket } => {
                self.saga_due(cx, orchestrator, saga, ticket);
            }
            Event::SagaHears { orchestrator, origin, status } => {
                self.saga_hears(cx, orchestrator, origin, status);
            }
            Event::CallEnds { call } => self.call_ends(cx, call),
            Event::Poll { worker, ticket } => self.poll_due(cx, worker, ticket),
            Event::Redrive { queue } => self.redrive_due(cx, queue),
            Event::Connect { worker } => self.connect(cx, worker),
            Event::Heartbeat { worker, delivery } => self.heartbeat(cx, worker, delivery),
            Event::Member { worker } => self.member_due(cx, worker),
            Event::Replicated { log, partition, to, reign } => {
                self.replicated(log, partition, to, reign);
            }
            Event::Wake { worker } => self.wake(cx, worker),
            Event::Restore { worker, until } => self.restore(cx, worker, until),
            Event::OutageEnds { external, until } => self.outage_ends(cx, external, until),
            Event::BrownoutEnds { external, until } => self.brownout_ends(cx, external, until),
            Event::Scaler { component } => self.scaler_looks(cx, component),
            Event::CutEnds { from, to, until } => self.cut_ends(cx, from, to, until),
            Event::SliceEnds { external } => self.slice_ends(cx, external),
        }
    }

    pub(crate) fn emit(&mut self, cx: &mut Context, what: What) {
        self.last = self.now;
        cx.trace.push(self.now, what);
    }

    /// Breaks `no message lost` if this message has just been abandoned.
    pub(crate) fn check_lost(&mut self, cx: &mut Context, id: MessageId) {
        let message = &mut self.messages[id];
        if message.is_abandoned() && !message.lost {
            message.lost = true;
            self.emit(cx, What::Lost { message: id });
        }
        self.check_lost_to_groups(cx, id);
    }

    pub(crate) fn schedule(&mut self, at: SimTime, rank: Rank, event: Event) {
        self.calendar.schedule(at, rank, event);
    }

    /// As [`World::schedule`], for what its owner schedules at ever later times.
    pub(crate) fn schedule_in_turn(&mut self, at: SimTime, rank: Rank, event: Event) {
        self.calendar.schedule_in_turn(at, rank, event);
    }

    /// A number that no calendar event has had yet.
    pub(crate) fn ticket(&mut self) -> u32 {
        self.tickets = self.tickets.wrapping_add(1);
        self.tickets
    }
}
