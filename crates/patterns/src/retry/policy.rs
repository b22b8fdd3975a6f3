//! When to try again and when to stop: attempts, a deadline, and what the callee asked for.
//!
//! A policy answers one failure at a time. It does not know budgets and breakers: whoever drives it
//! asks those first and tells the policy nothing of a refusal.

use sim::{SimDuration, SimTime, Stream};

use super::backoff::{Backoff, Grown};
use super::failure::FailureClass;

/// How many attempts botocore's standard mode makes (`boto/botocore:botocore/retries/standard.py`,
/// `DEFAULT_MAX_ATTEMPTS`).
pub const BOTOCORE_ATTEMPTS: u32 = 3;

/// The most that gRPC lets a service configuration ask for (`grpc/proposal:A6-client-retries.md`,
/// "maxAttempts").
pub const GRPC_ATTEMPTS_MAX: u32 = 5;

/// The rules for retrying one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Policy {
    /// How long to wait.
    pub backoff: Backoff,
    /// How many attempts there are, the first included. `None`: without end.
    pub attempts: Option<u32>,
    /// How many attempts a failure of unknown class gets, if fewer.
    pub unknown_attempts: Option<u32>,
    /// How long after the first attempt the last may start. `None`: without end.
    pub give_up_after: Option<SimDuration>,
    /// What a callee's wish for a wait counts for.
    pub retry_after: RetryAfter,
}

/// What a `Retry-After` (RFC 9110, §10.2.3) counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RetryAfter {
    /// Nothing.
    Ignored,
    /// The wait is at least as long.
    AtLeast,
    /// The wait is that long, and growth starts anew: gRPC's `grpc-retry-pushback-ms`
    /// (`grpc/proposal:A6-client-retries.md`, "Pushback").
    Replaces,
    /// The wait is at least the drawn one and at most so much longer: 5 s in botocore's standard
    /// mode 2.1, `max(t, min(retry_after, t + 5 s))`.
    Within {
        /// How much longer.
        extra: SimDuration,
    },
}

/// What to do after a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// Try again.
    Retry {
        /// The number of that attempt, from 2.
        attempt: u32,
        /// When.
        at: SimTime,
    },
    /// Stop: dead-letter the message, or fail the request.
    GiveUp(GiveUp),
}

/// Why a request is not tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GiveUp {
    /// It can never succeed.
    Permanent,
    /// It had all its attempts.
    AttemptsSpent,
    /// The next attempt would start too late.
    TooLate,
    /// The callee asked not to be asked again.
    ToldNotTo,
}

/// A callee's wish about the next attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wish {
    /// It said nothing.
    Nothing,
    /// Not before so much time has passed.
    After(SimDuration),
    /// Not again: a negative or unreadable push-back in gRPC.
    Never,
}

/// One request on its way through its attempts. It does not keep its policy, which is that of many
/// thousands of requests: whoever drives it names the same one at each failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Retries {
    started: SimTime,
    attempt: u32,
    grown: Grown,
}

impl Policy {
    /// No retries: one attempt.
    pub const NONE: Self = Self::attempts(1, Backoff::NONE);

    /// So many attempts in all, with these waits between them.
    #[must_use]
    pub const fn attempts(attempts: u32, backoff: Backoff) -> Self {
        Self {
            backoff,
            attempts: Some(attempts),
            unknown_attempts: None,
            give_up_after: None,
            retry_after: RetryAfter::Ignored,
        }
    }

    /// A request whose first attempt starts now.
    #[must_use]
    pub const fn start(&self, now: SimTime) -> Retries {
        Retries { started: now, attempt: 1, grown: Grown::from(&self.backoff) }
    }
}

impl Retries {
    /// The number of the current attempt, from 1.
    #[must_use]
    pub const fn attempt(&self) -> u32 {
        self.attempt
    }

    /// The current attempt failed, under the policy that the first one started with.
    pub fn fail(
        &mut self,
        policy: &Policy,
        now: SimTime,
        class: FailureClass,
        wish: Wish,
        stream: &mut Stream,
    ) -> Decision {
        let limit = match (class, policy.unknown_attempts) {
            (FailureClass::Permanent, _) => return Decision::GiveUp(GiveUp::Permanent),
            (FailureClass::Unknown, Some(unknown)) => {
                Some(policy.attempts.map_or(unknown, |all| all.min(unknown)))
            }
            _ => policy.attempts,
        };
        if limit.is_some_and(|limit| self.attempt >= limit) {
            return Decision::GiveUp(GiveUp::AttemptsSpent);
        }
        if wish == Wish::Never && policy.retry_after == RetryAfter::Replaces {
            return Decision::GiveUp(GiveUp::ToldNotTo);
        }
        let at = now + self.wait(policy, wish, stream);
        if policy.give_up_after.is_some_and(|limit| at.saturating_since(self.started) > limit) {
            return Decision::GiveUp(GiveUp::TooLate);
        }
        self.attempt += 1;
        Decision::Retry { attempt: self.attempt, at }
    }

    fn wait(&mut self, policy: &Policy, wish: Wish, stream: &mut Stream) -> SimDuration {
        if let (RetryAfter::Replaces, Wish::After(asked)) = (policy.retry_after, wish) {
            self.grown = Grown::from(&policy.backoff);
            return asked;
        }
        let drawn = self.grown.next(&policy.backoff, stream);
        match (policy.retry_after, wish) {
            (RetryAfter::AtLeast, Wish::After(asked)) => drawn.max(asked),
            (RetryAfter::Within { extra }, Wish::After(asked)) => {
                drawn.max(asked.min(drawn + extra))
            }
            _ => drawn,
        }
    }
}

impl Wish {
    /// Reads a wait in whole milliseconds, as `x-amz-retry-after` and `grpc-retry-pushback-ms` give
    /// it. botocore passes over what it cannot read, and so it is [`Wish::Nothing`] here; a negative
    /// wait asks for less than any drawn one, and comes to the same.
    #[must_use]
    pub fn read_millis(header: &str) -> Self {
        header
            .trim()
            .parse()
            .map_or(Self::Nothing, |millis| Self::After(SimDuration::from_millis(millis)))
    }

    /// Reads the same as gRPC does: what is negative or unreadable means not to try again.
    #[must_use]
    pub fn read_pushback(header: &str) -> Self {
        match Self::read_millis(header) {
            Self::Nothing => Self::Never,
            wish => wish,
        }
    }
}
