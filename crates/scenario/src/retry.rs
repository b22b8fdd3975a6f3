//! When a call, a request or a message is tried again, and what keeps that within bounds.

use patterns::retry::budget::{FinagleBudget, GrpcThrottle, RetryQuota, Share};
use patterns::retry::{Policy, breaker};
use sim::SimDuration;

/// When a failed call or request is tried again.
#[derive(Clone, Debug, PartialEq)]
pub struct Retry {
    /// How often, and after which waits.
    pub policy: Policy,
    /// How much of the traffic retries may be; full at the start of the run.
    pub budget: Option<Budget>,
}

/// A retry budget, shared by all that one line or one source sends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Budget {
    /// gRPC's: failures cost a token, successes give back a part of one.
    Grpc(GrpcThrottle),
    /// Finagle's: a share of recent requests, and so many a second.
    Finagle(FinagleBudget),
    /// Envoy's: a share of what is under way.
    Share(Share),
    /// botocore's token bucket.
    Quota(RetryQuota),
}

/// A circuit breaker before a call, shared by all processes of its component.
pub type BreakerSettings = breaker::Settings;

/// How a worker tries a message again.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkerRetry {
    /// How often, and after which waits.
    pub policy: Policy,
    /// Where the message waits.
    pub waits: Waits,
    /// What becomes of a message that can never succeed.
    pub permanent: Permanent,
    /// What becomes of a message that had all its attempts.
    pub then: Then,
}

/// Where a message waits for its next attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Waits {
    /// In its queue: it is given back with a delay, and whoever is free takes it then. Receives are
    /// the attempts.
    InQueue,
    /// In the worker's hands, while the worker does nothing else and its hidden time runs.
    InProcess,
}

/// What becomes of a message that can never succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Permanent {
    /// It is tried like any other.
    Retried,
    /// It is put aside at once.
    DeadLettered,
}

/// What becomes of a message that had all its attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Then {
    /// It is put aside.
    DeadLetter,
    /// It is acked, and its work is never done.
    Drop,
    /// Nothing: its visibility timeout will bring it back.
    Leave,
}

/// How a source waits for answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Caller {
    /// How long it waits for the answer of one attempt. `None`: as long as it takes.
    pub timeout: Option<SimDuration>,
    /// When it tries again.
    pub retry: Option<Retry>,
    /// Which answers count.
    pub answers: Answers,
}

/// Which answers a source listens to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answers {
    /// That of the attempt under way: one that timed out has closed its connection.
    Latest,
    /// That of any attempt, as with a reply queue.
    Any,
}
