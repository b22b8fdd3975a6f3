//! Trying again: the attempts of one call or request, and what guards the callee from too many of
//! them: budgets and circuit breakers.

use patterns::retry::breaker::{self, Breaker, Permission};
use patterns::retry::budget::{Loan, Ruling};
use patterns::retry::policy::{Decision, Wish};
use patterns::retry::{Failure, FailureClass, Policy, Retries};
use scenario::{Act, Budget, ComponentId, Kind, Retry, Scenario, StepIndex};
use sim::{SimDuration, SimTime, Stream};

use crate::parts::Caller;
use crate::world::Context;
use crate::{BreakerState, Outcome, Progress, What, World};

/// The attempts of one call or request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Trying {
    pub(crate) retries: Retries,
    loan: Loan,
}

impl Trying {
    /// The first attempt starts now.
    pub(crate) fn start(policy: &Policy, now: SimTime) -> Self {
        Self { retries: policy.start(now), loan: Loan::default() }
    }
}

/// What becomes of a failed attempt.
pub(crate) enum Verdict {
    /// Another one, with this number, at this time.
    Again(u32, SimTime),
    /// No more; the budget's doing, or the policy's.
    Denied,
    /// No more, after so many.
    Spent(u32),
}

/// What stands before the calls of one line, or the requests of one source.
#[derive(Clone, Debug, Default, Hash)]
pub(crate) struct Guard {
    budget: Option<Budget>,
    breaker: Option<Breaker>,
}

/// The guards of every line that has one, by component, handler and line.
pub(crate) type Guards = Vec<((ComponentId, usize, StepIndex), Guard)>;

/// The guards of a scenario's lines.
pub(crate) fn guards(scenario: &Scenario) -> Guards {
    let mut all = Vec::new();
    for (id, component) in scenario.ids() {
        let handlers: Vec<_> = match &component.kind {
            Kind::Workers(workers) => vec![&workers.on_message],
            Kind::Service(service) => service.handles.iter().map(|(_, p)| p).collect(),
            _ => continue,
        };
        for (handler, program) in handlers.into_iter().enumerate() {
            for (at, step) in program.steps.iter().enumerate() {
                let Act::Call { retry, breaker, .. } = &step.act else { continue };
                let guard = Guard {
                    budget: retry.as_ref().and_then(|retry| retry.budget.clone()),
                    breaker: breaker.as_ref().map(|settings| Breaker::new(**settings)),
                };
                if guard.budget.is_some() || guard.breaker.is_some() {
                    all.push(((id, handler, StepIndex::new(at)), guard));
                }
            }
        }
    }
    all
}

impl Guard {
    /// The guard of a source's requests.
    pub(crate) fn of(retry: Option<&Retry>) -> Self {
        Self { budget: retry.and_then(|retry| retry.budget.clone()), breaker: None }
    }

    /// A first attempt leaves.
    pub(crate) fn begin(&mut self, now: SimTime) {
        match &mut self.budget {
            Some(Budget::Finagle(budget)) => budget.deposit(now),
            Some(Budget::Share(share)) => share.begin(),
            _ => {}
        }
    }

    /// An attempt is over.
    fn over(&mut self, attempt: u32) {
        if let Some(Budget::Share(share)) = &mut self.budget {
            if attempt == 1 {
                share.end();
            } else {
                share.end_retry();
            }
        }
    }

    /// An attempt succeeded.
    pub(crate) fn succeeded(&mut self, trying: Option<&Trying>) {
        self.over(trying.map_or(1, |trying| trying.retries.attempt()));
        match &mut self.budget {
            Some(Budget::Grpc(throttle)) => throttle.success(),
            Some(Budget::Quota(quota)) => {
                quota.success(trying.map(|trying| trying.loan).unwrap_or_default());
            }
            _ => {}
        }
    }

    /// An attempt failed: whether there is another is for the policy to say, then for the budget.
    pub(crate) fn failed(
        &mut self,
        trying: &mut Trying,
        policy: &Policy,
        now: SimTime,
        failure: (Failure, FailureClass),
        wish: Wish,
        stream: &mut Stream,
    ) -> Verdict {
        let attempt = trying.retries.attempt();
        self.over(attempt);
        if let Some(Budget::Grpc(throttle)) = &mut self.budget {
            throttle.failure();
        }
        let Decision::Retry { attempt: next, at } =
            trying.retries.fail(policy, now, failure.1, wish, stream)
        else {
            return Verdict::Spent(attempt);
        };
        let ruling = match &mut self.budget {
            None => Ruling::Allowed,
            Some(Budget::Grpc(throttle)) => throttle.ruling(),
            Some(Budget::Finagle(budget)) => budget.withdraw(now),
            Some(Budget::Share(share)) => share.begin_retry(),
            Some(Budget::Quota(quota)) => quota.acquire(failure.0, &mut trying.loan),
        };
        if ruling == Ruling::Allowed { Verdict::Again(next, at) } else { Verdict::Denied }
    }
}

/// What a breaker says before and after a call, if it has anything to say.
impl Guard {
    fn state(&self) -> Option<BreakerState> {
        self.breaker.as_ref().map(|breaker| match breaker.state() {
            breaker::State::Closed => BreakerState::Closed,
            breaker::State::Open { .. } => BreakerState::Open,
            breaker::State::HalfOpen { .. } => BreakerState::HalfOpen,
        })
    }
}

impl World {
    /// The call that an activity waits for goes by another number.
    pub(crate) fn asks_again(&mut self, runner: Caller, number: u32, again: u32) {
        match self.activity_mut(runner) {
            Some(activity) if activity.progress == Progress::Call(number) => {
                activity.progress = Progress::Call(again);
            }
            _ => {
                self.calls.remove(again);
            }
        }
    }

    /// The one asked says after which time it may be asked again.
    pub(crate) fn wishes(&mut self, runner: Caller, number: u32, wish: Option<SimDuration>) {
        if let Some(activity) = self.activity_mut(runner)
            && activity.progress == Progress::Call(number)
        {
            activity.wish = wish;
        }
    }

    fn guard_of(&mut self, runner: Caller, step: StepIndex) -> Option<&mut Guard> {
        if self.guards.is_empty() {
            return None;
        }
        let component = self.process_of(runner)?.component;
        let handler = self.handler_of(runner);
        let key = (component, handler, step);
        self.guards.iter_mut().find(|(of, _)| *of == key).map(|(_, guard)| guard)
    }

    /// A first attempt of a call leaves.
    pub(crate) fn call_begins(&mut self, runner: Caller, step: StepIndex) {
        let now = self.now;
        if let Some(guard) = self.guard_of(runner, step) {
            guard.begin(now);
        }
    }

    /// Whether the circuit breaker before a call lets it through.
    pub(crate) fn breaker_permits(
        &mut self,
        cx: &mut Context,
        runner: Caller,
        step: StepIndex,
    ) -> bool {
        let now = self.now;
        let Some(guard) = self.guard_of(runner, step) else { return true };
        let before = guard.state();
        let permitted =
            guard.breaker.as_mut().is_none_or(|b| b.acquire(now) == Permission::Permitted);
        let after = guard.state();
        self.tell_breaker(cx, runner, before, after);
        permitted
    }

    /// A call came back after so much time.
    pub(crate) fn breaker_hears(
        &mut self,
        cx: &mut Context,
        runner: Caller,
        step: StepIndex,
        outcome: Outcome,
        took: SimDuration,
    ) {
        let now = self.now;
        let Some(guard) = self.guard_of(runner, step) else { return };
        let before = guard.state();
        let heard = match outcome {
            Outcome::Ok => breaker::Outcome::Success,
            _ => breaker::Outcome::Failure,
        };
        if let Some(breaker) = &mut guard.breaker {
            breaker.record(now, heard, took);
        }
        let after = guard.state();
        self.tell_breaker(cx, runner, before, after);
    }

    fn tell_breaker(
        &mut self,
        cx: &mut Context,
        runner: Caller,
        before: Option<BreakerState>,
        after: Option<BreakerState>,
    ) {
        if let (Some(state), Some(process)) =
            (after.filter(|_| before != after), self.process_of(runner))
        {
            self.emit(cx, What::BreakerTurned { by: process.component, state });
        }
    }

    /// How often the call of a line is made.
    fn call_policy<'a>(
        &mut self,
        scenario: &'a Scenario,
        runner: Caller,
        step: StepIndex,
    ) -> &'a Policy {
        let line = self.program(scenario, runner).and_then(|program| program.step(step));
        match line.map(|line| &line.act) {
            Some(Act::Call { retry: Some(retry), .. }) => &retry.policy,
            _ => &Policy::NONE,
        }
    }

    /// A call has come out: whether it is made again. `None`: this is how it came out.
    pub(crate) fn call_again(
        &mut self,
        cx: &mut Context,
        runner: Caller,
        step: StepIndex,
        outcome: Outcome,
    ) -> Option<SimTime> {
        let now = self.now;
        let policy = self.call_policy(cx.scenario, runner, step);
        let activity = self.activity_mut(runner)?;
        let wish = activity.wish.take().map_or(Wish::Nothing, Wish::After);
        let (message, mut trying) = (activity.message, activity.trying.take());
        let process = self.process_of(runner)?;
        let mut guard = self.guard_of(runner, step).map(std::mem::take).unwrap_or_default();
        let verdict = match (&mut trying, failure(outcome)) {
            (trying, None) => {
                guard.succeeded(trying.as_deref());
                None
            }
            (None, Some(_)) => {
                guard.over(1);
                None
            }
            (Some(trying), Some(failure)) => {
                let stream = &mut self.process_mut(process).stream;
                Some(guard.failed(trying, policy, now, failure, wish, stream))
            }
        };
        if let Some(place) = self.guard_of(runner, step) {
            *place = guard;
        }
        let by = process.component;
        match verdict? {
            Verdict::Again(attempt, at) => {
                self.activity_mut(runner)?.trying = trying;
                self.emit(cx, What::Retrying { by, message, attempt, at });
                Some(at)
            }
            Verdict::Denied => {
                self.emit(cx, What::RetryDenied { by, message });
                None
            }
            Verdict::Spent(attempts) => {
                self.emit(cx, What::GaveUp { by, message, attempts });
                None
            }
        }
    }
}

/// The failure that an outcome is, if it is one, with its class.
pub(crate) fn failure(outcome: Outcome) -> Option<(Failure, FailureClass)> {
    let class = outcome.class()?;
    let failure = match outcome {
        Outcome::Timeout => Failure::Timeout,
        Outcome::Refused => Failure::Unavailable,
        Outcome::Error(FailureClass::Transient) => Failure::Internal,
        Outcome::Error(FailureClass::Permanent) | Outcome::Poison | Outcome::Conflict => {
            Failure::Invalid
        }
        _ => Failure::Other,
    };
    Some((failure, class))
}
