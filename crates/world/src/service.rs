//! Services: processes that run a handler for each request, each process as many at once as it may.
//! Who finds no room waits; who finds no room to wait is refused.

use broker::MessageId;
use patterns::overload::shedding::Verdict;
use patterns::overload::{Class, Load};
use scenario::{ComponentId, Kind, Scenario, SchemaId, Service, StepIndex, Target, TypeId};
use sim::{Rank, SimDuration};

use crate::activity::{Activity, Ending};
use crate::parts::{Caller, Instance, Part, Phase};
use crate::request::{Reply, Request, RequestPhase};
use crate::taking::Publishing;
use crate::world::{Context, Event};
use crate::{What, World};

/// Answered when the handler ends without a `respond`, as web frameworks do.
const NO_CONTENT: u16 = 204;
/// Answered when a line of the handler fails, and when no process runs.
const UNAVAILABLE: u16 = 503;

impl World {
    /// A request arrives, or its answer does.
    pub(crate) fn request_due(&mut self, cx: &mut Context, number: u32) {
        let Some(request) = self.requests.get_mut(number) else { return };
        let (source, message) = (request.source, request.message);
        let request_target = request.target.component();
        if self.is_cut(source, request_target) {
            self.requests.remove(number);
            self.emit(cx, What::LostOnTheWay { from: source, to: request_target, message });
            return;
        }
        let Some(request) = self.requests.get_mut(number) else { return };
        if let RequestPhase::Returning { status, retry_after } = request.phase {
            if let Some(request) = self.requests.remove(number) {
                self.answer_arrives(cx, &request, status, retry_after);
            }
            return;
        }
        match request.target {
            Target::Queue(queue) => match self.store(cx, source, queue, message, None) {
                Publishing::Over(_) => drop(self.requests.remove(number)),
                Publishing::Again(at) => {
                    self.schedule(at, Rank::Arrival, Event::Request { request: number });
                }
            },
            Target::Service(service, _) => match &self.parts[service.index()] {
                Part::Orchestrator(_) => self.saga_begins(cx, service, number),
                _ => self.admit(cx, service, number),
            },
        }
    }

    /// A request is handled, or waits, or is refused.
    fn admit(&mut self, cx: &mut Context, service: ComponentId, number: u32) {
        let spec = service_spec(cx, service);
        let state = self.service_mut(service);
        let alive = state.instances.iter().any(|instance| !instance.process.is_dead());
        let shed = alive && self.sheds(cx, service, spec, number);
        let state = self.service_mut(service);
        if let Some(instance) = room(spec, state).filter(|_| !shed) {
            if self.handle_request(service, number, instance) {
                self.begin_step(cx, Caller::Request(number), StepIndex::FIRST);
            }
        } else if alive && !shed && state.waiting.len() < spec.waiting as usize {
            state.waiting.push_back(number);
            if let Some(request) = self.requests.get_mut(number) {
                request.phase = RequestPhase::Waiting;
            }
        } else {
            state.refused += 1;
            let status = if alive { spec.when_full } else { UNAVAILABLE };
            state.last_status = Some(status);
            let Some(request) = self.requests.remove(number) else { return };
            let (source, message) = (request.source, request.message);
            self.emit(cx, What::Responded { service, source, message, status });
            self.answer_leaves(cx, &request, status, spec.retry_after);
        }
    }

    /// Whether the service is too full for what a request is about. Its room is that of the processes
    /// that run, and its waiting room.
    fn sheds(
        &mut self,
        cx: &mut Context,
        service: ComponentId,
        spec: &Service,
        number: u32,
    ) -> bool {
        let (Some(request), Some(each)) = (self.requests.get_mut(number), spec.concurrency) else {
            return false;
        };
        let message = request.message;
        let Some(class) = self.class_of(cx.scenario, message, &spec.shed_at_percent) else {
            return false;
        };
        let state = self.service_mut(service);
        let stays = |instance: &&Instance| {
            !instance.process.is_dead() && instance.process.retiring.is_none()
        };
        let running = count(state.instances.iter().filter(stays).count());
        let load = Load {
            taken: state.busy + count(state.waiting.len()),
            room: each.saturating_mul(running).saturating_add(spec.waiting),
        };
        let verdict = state.shedding.admit(class, load);
        self.is_shed(cx, service, message, class, verdict)
    }

    /// The class of a message where classes are told from others, and its is one that is shed
    /// before there is no room. A message without a priority is of the lowest, as in a broker.
    pub(crate) fn class_of(
        &self,
        scenario: &Scenario,
        message: MessageId,
        shed_at_percent: &[u32],
    ) -> Option<Class> {
        if shed_at_percent.is_empty() {
            return None;
        }
        let class = self.priority_of(scenario, message).unwrap_or(0);
        (usize::from(class) < shed_at_percent.len()).then_some(Class(class))
    }

    /// Tells if a message is shed.
    pub(crate) fn is_shed(
        &mut self,
        cx: &mut Context,
        at: ComponentId,
        message: MessageId,
        class: Class,
        verdict: Verdict,
    ) -> bool {
        let shed = verdict == Verdict::Shed;
        if shed {
            self.emit(cx, What::Shed { at, message, class: class.0 });
        }
        shed
    }

    /// An instance takes a request, and says whether it can begin. One that is frozen begins when
    /// it goes on.
    fn handle_request(&mut self, service: ComponentId, number: u32, instance: u16) -> bool {
        let now = self.now;
        let state = self.service_mut(service);
        state.busy += 1;
        let chosen = &mut state.instances[usize::from(instance)];
        chosen.busy += 1;
        let runs = chosen.process.runs();
        if runs {
            chosen.process.phase = Phase::Working;
        }
        if let Some(request) = self.requests.get_mut(number) {
            let message = request.message;
            let activity = self.spare.fill(|used| Activity {
                done: used.map(|used| std::mem::take(&mut used.done)).unwrap_or_default(),
                ..Activity::new(message, now, SimDuration::ZERO)
            });
            request.phase = RequestPhase::Handled { instance, activity, reply: Reply::Owed };
        }
        runs
    }

    /// Those who wait are handled as far as there is room.
    pub(crate) fn let_in(&mut self, cx: &Context, service: ComponentId) {
        let spec = service_spec(cx, service);
        loop {
            let state = self.service_mut(service);
            let Some(instance) = room(spec, state) else { return };
            let Some(number) = state.waiting.pop_front() else { return };
            if self.handle_request(service, number, instance) {
                self.schedule_step(Caller::Request(number), self.now);
            }
        }
    }

    /// A handler is over: who has not been answered yet is now.
    pub(crate) fn end_request(&mut self, cx: &mut Context, number: u32, ending: Ending) {
        let status = match ending {
            Ending::Finished => NO_CONTENT,
            Ending::Failed(_) => UNAVAILABLE,
        };
        self.respond(cx, Caller::Request(number), status);
        let Some(process) = self.process_of(Caller::Request(number)) else { return };
        if let Some(Request { phase: RequestPhase::Handled { mut activity, .. }, .. }) =
            self.requests.remove(number)
        {
            activity.done.clear();
            self.spare.keep(activity);
        }
        let state = self.service_mut(process.component);
        state.busy -= 1;
        let instance = &mut state.instances[usize::from(process.instance)];
        instance.busy -= 1;
        if instance.busy == 0 && instance.process.runs() {
            instance.process.phase = Phase::Idle;
            self.stops(cx, process);
        }
        self.let_in(cx, process.component);
    }

    /// Answers, unless that has been done. Lines after a `respond` run on.
    pub(crate) fn respond(&mut self, cx: &mut Context, runner: Caller, status: u16) {
        let Caller::Request(number) = runner else { return };
        let Some(request) = self.requests.get_mut(number) else { return };
        let (source, message, target) = (request.source, request.message, request.target);
        let RequestPhase::Handled { reply, .. } = &mut request.phase else { return };
        let Target::Service(service, _) = target else { return };
        if std::mem::replace(reply, Reply::Sent) == Reply::Owed {
            let outline = request.outline();
            let state = self.service_mut(service);
            state.answered += 1;
            state.last_status = Some(status);
            self.emit(cx, What::Responded { service, source, message, status });
            self.answer_leaves(cx, &outline, status, None);
        }
    }

    /// A publish leaves. A message that no broker has yet is sent itself; after that, each publish
    /// makes a message of its own that carries the same, and so does one that says another type.
    pub(crate) fn publish_leaves(
        &mut self,
        cx: &mut Context,
        runner: Caller,
        queue: ComponentId,
        message: MessageId,
        (schema, kind): (Option<SchemaId>, Option<TypeId>),
    ) {
        let Some(process) = self.process_of(runner) else { return };
        let is_another = self.messages[message].stored || kind.is_some();
        let carried = if is_another { self.copy_message(message) } else { message };
        if schema.is_some() {
            self.messages[carried].schema = schema;
        }
        if kind.is_some() {
            self.messages[carried].kind = kind;
        }
        if let Some(activity) = self.activity_mut(runner) {
            activity.carries = Some(carried);
        }
        self.emit(cx, What::Published { by: process.component, queue, message: carried });
    }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// The instance with room and the fewest requests, the first of those.
fn room(spec: &Service, state: &crate::ServiceState) -> Option<u16> {
    let mut best: Option<(u32, usize)> = None;
    for (at, instance) in state.instances.iter().enumerate() {
        let has_room = spec.concurrency.is_none_or(|most| instance.busy < most);
        let fewer = best.is_none_or(|(busy, _)| instance.busy < busy);
        let stays = !instance.process.is_dead() && instance.process.retiring.is_none();
        if has_room && fewer && stays {
            best = Some((instance.busy, at));
        }
    }
    best.and_then(|(_, at)| u16::try_from(at).ok())
}

pub(crate) fn service_spec<'a>(cx: &Context<'a>, id: ComponentId) -> &'a Service {
    match &cx.scenario.component(id).kind {
        Kind::Service(spec) => spec,
        _ => unreachable!("validation makes it a service"),
    }
}
