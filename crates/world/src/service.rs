//! Services: a request runs its handler, line by line, beside any number of others.

use scenario::{Act, ComponentId, Kind, Program, Scenario, StepIndex, Target};
use sim::{Rank, SimTime};

use crate::parts::{Caller, Request, RequestPhase};
use crate::world::{Context, Event};
use crate::{Outcome, What, World};

/// Answered when the handler ends without a `respond`, as web frameworks do.
const NO_CONTENT: u16 = 204;
/// Answered when a line of the handler fails.
const UNAVAILABLE: u16 = 503;

impl World {
    /// A request arrives, or a line of its handler ends.
    pub(crate) fn request_due(&mut self, cx: &mut Context, number: u32) {
        let Some(&mut request) = self.requests.get_mut(number) else { return };
        match (request.phase, request.target) {
            (RequestPhase::Travelling, Target::Queue(queue)) => {
                self.requests.remove(number);
                self.store(cx, request.source, queue, request.message, None);
            }
            (RequestPhase::Travelling, Target::Service(service, _)) => {
                self.service_mut(service).busy += 1;
                self.begin_line(cx, number, StepIndex::FIRST);
            }
            (RequestPhase::At(step), Target::Service(service, _)) => {
                self.end_line(cx, number, request, service, step);
            }
            (RequestPhase::At(_), Target::Queue(_)) => {
                unreachable!("a request to a queue runs no handler")
            }
        }
    }

    fn begin_line(&mut self, cx: &mut Context, number: u32, step: StepIndex) {
        let Some(&mut request) = self.requests.get_mut(number) else { return };
        let Target::Service(service, _) = request.target else { return };
        let Some(line) = program(cx.scenario, request.target).step(step) else {
            self.respond(cx, number, request, NO_CONTENT);
            return;
        };
        let until = match &line.act {
            Act::Wait { time } => self.now + time.sample(&mut self.service_mut(service).stream),
            Act::Publish { to, takes, .. } => {
                let until = self.now + takes.sample(&mut self.service_mut(service).stream);
                self.emit(
                    cx,
                    What::Published { by: service, queue: *to, message: request.message },
                );
                until
            }
            Act::Respond { status } => {
                self.respond(cx, number, request, *status);
                return;
            }
            Act::Call { to, .. } => {
                let caller = Caller::Request(number);
                self.begin_call(cx, *to, caller, request.message, step);
                self.put_at(number, step, SimTime::MAX);
                return;
            }
            Act::Ack { .. } | Act::Nack { .. } | Act::Extend { .. } => {
                unreachable!("validation keeps deliveries' lines out of services' handlers")
            }
        };
        self.put_at(number, step, until);
        self.schedule(until, Rank::Arrival, Event::Request { request: number });
    }

    fn put_at(&mut self, number: u32, step: StepIndex, until: SimTime) {
        let now = self.now;
        if let Some(request) = self.requests.get_mut(number) {
            request.phase = RequestPhase::At(step);
            request.since = now;
            request.until = until;
        }
    }

    fn end_line(
        &mut self,
        cx: &mut Context,
        number: u32,
        request: Request,
        service: ComponentId,
        step: StepIndex,
    ) {
        let act = program(cx.scenario, request.target).step(step).map(|line| &line.act);
        let outcome = match act {
            Some(Act::Publish { to, delay, .. }) => {
                self.store(cx, service, *to, request.message, *delay)
            }
            _ => Outcome::Ok,
        };
        self.after_line(cx, number, outcome);
    }

    /// The answer to a request's call is there.
    pub(crate) fn request_answered(&mut self, cx: &mut Context, number: u32, outcome: Outcome) {
        self.after_line(cx, number, outcome);
    }

    fn after_line(&mut self, cx: &mut Context, number: u32, outcome: Outcome) {
        let Some(&mut request) = self.requests.get_mut(number) else { return };
        let RequestPhase::At(step) = request.phase else { return };
        if outcome == Outcome::Ok {
            self.begin_line(cx, number, step.next());
        } else {
            self.respond(cx, number, request, UNAVAILABLE);
        }
    }

    /// Answers. What stands after a `respond` is not run: the request is over.
    fn respond(&mut self, cx: &mut Context, number: u32, request: Request, status: u16) {
        let Target::Service(service, _) = request.target else { return };
        self.requests.remove(number);
        let state = self.service_mut(service);
        state.busy -= 1;
        state.answered += 1;
        let (source, message) = (request.source, request.message);
        self.emit(cx, What::Responded { service, source, message, status });
    }
}

fn program(scenario: &Scenario, target: Target) -> &Program {
    match target {
        Target::Service(service, handler) => match &scenario.component(service).kind {
            Kind::Service(spec) => &spec.handles[handler].1,
            _ => unreachable!("validation sends requests to services"),
        },
        Target::Queue(_) => unreachable!("a request to a queue runs no handler"),
    }
}
