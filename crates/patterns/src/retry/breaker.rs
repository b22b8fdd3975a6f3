//! A circuit breaker: who does not answer is not asked for a while.
//!
//! ```text
//!            failure rate ≥ threshold
//!   ┌────────┐ ─────────────────────▶ ┌──────┐
//!   │ closed │                        │ open │ ◀──────────┐
//!   └────────┘                        └──┬───┘            │
//!        ▲                               │ a call, after  │ rate ≥ threshold
//!        │ rate below                    ▼ the wait       │
//!        │                        ┌───────────┐           │
//!        └─────────────────────── │ half open │ ──────────┘
//!          trial calls done       └───────────┘  trial calls done
//! ```
//!
//! The rules are those of resilience4j (`resilience4j/resilience4j`, `CircuitBreakerStateMachine`
//! and `CircuitBreakerMetrics`; <https://resilience4j.readme.io/docs/circuitbreaker>):
//!
//! - Rates are looked at once the window holds `minimum_calls` (or the window, if that is smaller).
//! - It turns half open lazily, at the first call *strictly after* the wait, unless
//!   [`HalfOpening::ByTimer`].
//! - Half open, so many calls are let through and the rest is refused; it decides when enough of
//!   them are recorded. A call that never comes back holds its place for ever.
//! - What comes back is recorded in the state of that moment, whenever the call was let through;
//!   results that arrive while it is open change nothing.

mod window;

use sim::{SimDuration, SimTime};

pub use window::Window;
use window::{Measures, Sample};

/// The settings of a circuit breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// It opens when so many percent of the calls failed.
    pub failure_rate_percent: u32,
    /// It opens when so many percent of the calls were slow.
    pub slow_call_rate_percent: u32,
    /// A call is slow if it took longer than this.
    pub slow_call: SimDuration,
    /// How long it stays open.
    pub wait_open: SimDuration,
    /// How many trial calls are let through half open.
    pub permitted_half_open: u32,
    /// Fewer calls than this say nothing.
    pub minimum_calls: u32,
    /// Which calls count.
    pub window: Window,
    /// What turns it half open.
    pub half_opening: HalfOpening,
}

/// What turns an open breaker half open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HalfOpening {
    /// The first call after the wait.
    ByCall,
    /// The end of the wait itself (`automaticTransitionFromOpenToHalfOpenEnabled`).
    ByTimer,
}

/// The state of a circuit breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// Calls go through and are counted.
    Closed,
    /// Calls are refused.
    Open {
        /// The end of the wait.
        until: SimTime,
    },
    /// A few calls go through to see how it goes.
    HalfOpen {
        /// How many more are let through.
        permits: u32,
    },
}

/// What a call is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Permission {
    /// Go ahead.
    Permitted,
    /// Fail at once: the breaker is open, or half open with all trial calls out.
    Refused,
}

/// How a call came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It worked.
    Success,
    /// It failed.
    Failure,
}

/// A circuit breaker.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Breaker {
    settings: Settings,
    state: State,
    measures: Measures,
    refused: u64,
}

impl Settings {
    /// The product's defaults.
    #[must_use]
    pub const fn resilience4j() -> Self {
        Self {
            failure_rate_percent: 50,
            slow_call_rate_percent: 100,
            slow_call: SimDuration::from_secs(60),
            wait_open: SimDuration::from_secs(60),
            permitted_half_open: 10,
            minimum_calls: 100,
            window: Window::Calls(100),
            half_opening: HalfOpening::ByCall,
        }
    }
}

impl Breaker {
    /// A closed breaker that has seen nothing.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let measures = Measures::new(settings.window);
        Self { settings, state: State::Closed, measures, refused: 0 }
    }

    /// The state as of the last call, record or [`Breaker::advance`].
    #[must_use]
    pub const fn state(&self) -> State {
        self.state
    }

    /// How many calls were refused.
    #[must_use]
    pub const fn refused(&self) -> u64 {
        self.refused
    }

    /// A call asks to go through.
    pub fn acquire(&mut self, now: SimTime) -> Permission {
        if let State::Open { until } = self.state
            && now > until
        {
            self.half_open();
        }
        match &mut self.state {
            State::Closed => return Permission::Permitted,
            State::HalfOpen { permits } if *permits > 0 => {
                *permits -= 1;
                return Permission::Permitted;
            }
            State::Open { .. } | State::HalfOpen { .. } => {}
        }
        self.refused += 1;
        Permission::Refused
    }

    /// A call came back after so much time.
    pub fn record(&mut self, now: SimTime, outcome: Outcome, took: SimDuration) {
        if matches!(self.state, State::Open { .. }) {
            return;
        }
        let failed = outcome == Outcome::Failure;
        self.measures.record(now, Sample { failed, slow: took > self.settings.slow_call });
        let Some(verdict) = self.judge(now) else { return };
        match (self.state, verdict) {
            (_, Verdict::Exceeded) => {
                self.state = State::Open { until: now + self.settings.wait_open };
                self.measures = Measures::new(self.settings.window);
            }
            (State::HalfOpen { .. }, Verdict::Below) => {
                self.state = State::Closed;
                self.measures = Measures::new(self.settings.window);
            }
            (_, Verdict::Below) => {}
        }
    }

    /// A call that was let through is given up before it was made: its place is free again.
    pub const fn release(&mut self) {
        if let State::HalfOpen { permits } = &mut self.state {
            *permits += 1;
        }
    }

    /// Lets time pass: with [`HalfOpening::ByTimer`], the end of the wait turns it half open.
    pub fn advance(&mut self, now: SimTime) {
        if self.next_deadline().is_some_and(|due| due <= now) {
            self.half_open();
        }
    }

    /// When [`Breaker::advance`] has something to do.
    #[must_use]
    pub const fn next_deadline(&self) -> Option<SimTime> {
        match (self.state, self.settings.half_opening) {
            (State::Open { until }, HalfOpening::ByTimer) => Some(until),
            _ => None,
        }
    }

    fn half_open(&mut self) {
        let permits = self.settings.permitted_half_open;
        self.state = State::HalfOpen { permits };
        self.measures = Measures::new(Window::Calls(permits));
    }

    /// What the rates say, or nothing while there are too few calls.
    fn judge(&mut self, now: SimTime) -> Option<Verdict> {
        let counts = self.measures.counts(now);
        let minimum = match self.measures.window() {
            Window::Calls(size) => self.settings.minimum_calls.min(size),
            Window::Time(_) => self.settings.minimum_calls,
        };
        if counts.calls == 0 || counts.calls < minimum {
            return None;
        }
        let reaches = |part: u32, percent: u32| {
            u64::from(part) * 100 >= u64::from(counts.calls) * u64::from(percent)
        };
        let exceeded = reaches(counts.failed, self.settings.failure_rate_percent)
            || reaches(counts.slow, self.settings.slow_call_rate_percent);
        Some(if exceeded { Verdict::Exceeded } else { Verdict::Below })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Exceeded,
    Below,
}
