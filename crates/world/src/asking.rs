//! Sources that wait for answers: each request is asked until it is answered or given up. What is
//! still under way for one that has been given up is done all the same, and is wasted.

use broker::MessageId;
use patterns::retry::policy::Wish;
use patterns::retry::{Failure, Policy};
use scenario::{Answers, Caller as Spec, ComponentId, Kind, Source};
use sim::{Rank, SimDuration, SimTime};

use crate::parts::Part;
use crate::request::{Ask, Asked, Origin, Request, RequestPhase};
use crate::retry::{Trying, Verdict};
use crate::world::{Context, Event};
use crate::{Outcome, What, World};

/// Answered when the process that had the request has died: what a proxy in front of it says.
const BAD_GATEWAY: u16 = 502;

impl World {
    /// A source that waits for answers sends: the first attempt leaves.
    pub(crate) fn ask(
        &mut self,
        cx: &mut Context,
        source: ComponentId,
        spec: &Source,
        waits: &Spec,
        message: MessageId,
    ) {
        let now = self.now;
        let serial = self.ticket();
        let trying = Trying::start(policy(waits), now);
        let ask = self.asks.insert(Ask {
            source,
            message,
            serial,
            trying,
            asked: Asked::Answer,
            ticket: 0,
        });
        let state = self.source_mut(source);
        state.open += 1;
        state.guard.begin(now);
        self.attempt(cx, ask, spec, waits);
    }

    /// An attempt leaves, and with it the clock of its timeout.
    fn attempt(&mut self, cx: &mut Context, number: u32, spec: &Source, waits: &Spec) {
        let now = self.now;
        let ticket = self.ticket();
        let Some(ask) = self.asks.get_mut(number) else { return };
        (ask.asked, ask.ticket) = (Asked::Answer, ticket);
        let (source, message, serial) = (ask.source, ask.message, ask.serial);
        let origin = Origin::Ask { ask: number, serial, attempt: ask.trying.retries.attempt() };
        self.send_request(cx, source, spec, message, origin);
        if let Some(timeout) = waits.timeout {
            // Every attempt waits as long, so that their ends come in the order of their beginnings.
            self.schedule_in_turn(now + timeout, Rank::Timer, Event::Ask { ask: number, ticket });
        }
    }

    /// The time to wait for an answer is over, or that between two attempts.
    pub(crate) fn ask_due(&mut self, cx: &mut Context, number: u32, ticket: u32) {
        let Some(ask) = self.asks.get_mut(number) else { return };
        if ask.ticket != ticket {
            return;
        }
        let (source, message, attempt) = (ask.source, ask.message, ask.trying.retries.attempt());
        let Kind::Source(spec) = &cx.scenario.component(source).kind else { return };
        let Some(waits) = &spec.caller else { return };
        match ask.asked {
            Asked::Again => {
                self.source_mut(source).retries += 1;
                self.attempt(cx, number, spec, waits);
            }
            Asked::Answer => {
                self.source_mut(source).timeouts += 1;
                self.emit(cx, What::TimedOut { source, message, attempt });
                self.attempt_failed(cx, number, Failure::Timeout, Wish::Nothing);
            }
        }
    }

    /// An answer is on its way back to who asked.
    pub(crate) fn answer_leaves(
        &mut self,
        cx: &mut Context,
        request: &Request,
        status: u16,
        retry_after: Option<SimDuration>,
    ) {
        match request.origin {
            Origin::Source => {}
            Origin::Saga { .. } => {
                self.participant_answers(cx, request.source, request.origin, status);
            }
            Origin::Call { call } => {
                let event = Event::CallAnswered { call, status, departed: request.since };
                self.schedule(self.now, Rank::Finish, event);
            }
            Origin::Ask { .. } => {
                let Kind::Source(spec) = &cx.scenario.component(request.source).kind else {
                    return;
                };
                let now = self.now;
                let takes = spec.reply.sample(&mut self.source_mut(request.source).reply);
                let back = Request {
                    phase: RequestPhase::Returning { status, retry_after },
                    since: now,
                    until: now + takes,
                    ..request.outline()
                };
                let request = self.requests.insert(back);
                self.schedule(now + takes, Rank::Finish, Event::Request { request });
            }
        }
    }

    /// The connection of a request breaks.
    pub(crate) fn reset(&mut self, cx: &mut Context, service: ComponentId, request: &Request) {
        let (source, message) = (request.source, request.message);
        self.emit(cx, What::Reset { service, source, message });
        self.answer_leaves(cx, request, BAD_GATEWAY, None);
    }

    /// An answer reaches the source.
    pub(crate) fn answer_arrives(
        &mut self,
        cx: &mut Context,
        request: &Request,
        status: u16,
        retry_after: Option<SimDuration>,
    ) {
        let (source, message) = (request.source, request.message);
        let Origin::Ask { ask: number, serial, attempt } = request.origin else { return };
        let Kind::Source(Source { caller: Some(waits), .. }) = &cx.scenario.component(source).kind
        else {
            return;
        };
        let failure = Failure::of_status(status);
        let ask = self.asks.get_mut(number).filter(|ask| ask.serial == serial);
        let heard = ask.filter(|ask| {
            let latest = ask.asked == Asked::Answer && ask.trying.retries.attempt() == attempt;
            latest || waits.answers == Answers::Any && failure.is_none()
        });
        if heard.is_none() {
            if failure.is_none() {
                self.source_mut(source).late += 1;
                self.emit(cx, What::AnsweredLate { source, message, attempt });
            }
            return;
        }
        let Some(failure) = failure else {
            let Some(Ask { trying, .. }) = self.asks.remove(number) else { return };
            let state = self.source_mut(source);
            state.guard.succeeded(Some(&trying));
            state.open -= 1;
            state.succeeded += 1;
            self.emit(cx, What::Answered { source, message, attempt });
            return;
        };
        let wish = retry_after.map_or(Wish::Nothing, Wish::After);
        self.attempt_failed(cx, number, failure, wish);
    }

    fn attempt_failed(&mut self, cx: &mut Context, number: u32, failure: Failure, wish: Wish) {
        let now = self.now;
        let ticket = self.ticket();
        let Some(ask) = self.asks.get_mut(number) else { return };
        let (source, message) = (ask.source, ask.message);
        let class = failure.class();
        let Kind::Source(Source { caller: Some(waits), .. }) = &cx.scenario.component(source).kind
        else {
            return;
        };
        let Part::Source(state) = &mut self.parts[source.index()] else { return };
        let (trying, stream) = (&mut ask.trying, &mut state.backoff);
        let verdict =
            state.guard.failed(trying, policy(waits), now, (failure, class), wish, stream);
        let by = source;
        let attempts = match verdict {
            Verdict::Again(attempt, at) => {
                (ask.asked, ask.ticket) = (Asked::Again, ticket);
                self.schedule(at, Rank::Arrival, Event::Ask { ask: number, ticket });
                self.emit(cx, What::Retrying { by, message, attempt, at });
                return;
            }
            Verdict::Denied => {
                let attempts = ask.trying.retries.attempt() - 1;
                self.emit(cx, What::RetryDenied { by, message });
                attempts
            }
            Verdict::Spent(attempts) => attempts,
        };
        self.asks.remove(number);
        let state = self.source_mut(source);
        state.open -= 1;
        state.gave_up += 1;
        self.emit(cx, What::GaveUp { by, message, attempts });
    }

    /// A service of our own answers a call.
    pub(crate) fn call_answered(
        &mut self,
        cx: &mut Context,
        number: u32,
        status: u16,
        departed: SimTime,
    ) {
        if self.calls.get_mut(number).is_none_or(|call| call.departed != departed) {
            return;
        }
        let Some(call) = self.calls.remove(number) else { return };
        self.messages[call.message].calls -= 1;
        let outcome = match Failure::of_status(status) {
            None => {
                self.note_effect(cx, call.caller, call.message, call.line.step);
                Outcome::Ok
            }
            Some(failure) => Outcome::Error(failure.class()),
        };
        if outcome != Outcome::Ok {
            self.check_lost(cx, call.message);
        }
        self.answered(cx, number, &call, outcome);
    }
}

/// How often a request of such a source is made.
fn policy(waits: &Spec) -> &Policy {
    waits.retry.as_ref().map_or(&Policy::NONE, |retry| &retry.policy)
}
