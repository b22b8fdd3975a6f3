//! Retry budgets: how much of the traffic retries may be.
//!
//! A cap on attempts bounds one request; a budget bounds the crowd, and so keeps a callee that is
//! down from being asked several times as often as when it is well.
//!
//! | budget | whose | rule |
//! | --- | --- | --- |
//! | [`GrpcThrottle`] | gRPC clients | failures cost a token, successes give back a part of one, retries need half |
//! | [`FinagleBudget`] | Finagle | a share of recent requests, and so many a second on top |
//! | [`RetryQuota`] | botocore | 500 tokens; a retry takes some, a success gives them back |
//! | [`Share`] | Envoy-like | retries under way are at most a share of requests under way |

mod botocore;
mod finagle;
mod grpc;
mod share;

pub use botocore::{Loan, RetryQuota};
pub use finagle::{FinagleBudget, FinagleError};
pub use grpc::{GrpcThrottle, ThrottleError};
pub use share::Share;

/// What a budget says to a retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ruling {
    /// It may go ahead.
    Allowed,
    /// The budget is spent: fail without a retry.
    Denied,
}
