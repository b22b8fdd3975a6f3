//! Retry: trying again what failed, without making it worse.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`failure`] | could the same request ever succeed: transient, permanent, unknown |
//! | [`backoff`] | how long to wait: growth, cap, jitter |
//! | [`policy`] | when to stop: attempts, deadline, what a server asked for |
//! | [`budget`] | how much of the traffic retries may be: gRPC, Finagle, botocore, a plain share |
//! | [`breaker`] | a circuit breaker: stop asking who does not answer |
//! | [`reach`] | how far a number of attempts reaches, and the chance to outlast an outage |
//! | [`layers`] | what retries at several layers come to: they multiply |
//!
//! An *attempt* is a try, the first included; a *retry* is an attempt after the first. Five attempts
//! are four retries with four waits between them. Retries are numbered from 1.

pub mod backoff;
pub mod breaker;
pub mod budget;
pub mod failure;
pub mod layers;
pub mod policy;
pub mod reach;

pub use backoff::{Backoff, Delays, Growth, Jitter, Ladder};
pub use failure::{Failure, FailureClass};
pub use policy::{Decision, GiveUp, Policy, Retries};
pub use reach::Reach;
