//! Failure classes: could this very request ever succeed?
//!
//! The names follow Microsoft's *Cloud design patterns*, "Retry pattern" and "Transient fault
//! handling" (<https://learn.microsoft.com/azure/architecture/best-practices/transient-faults>), and
//! the status codes those of RFC 9110, §15, and of botocore's list of transient ones
//! (`boto/botocore:botocore/retries/standard.py`: 500, 502, 503, 504; throttling apart).

/// What kind of failure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FailureClass {
    /// The same request may succeed later: retry it with backoff.
    Transient,
    /// The same request never succeeds: put it aside at once.
    Permanent,
    /// Nobody has classified it: retry it, but only so often, and tell someone.
    Unknown,
}

/// A failure, by its cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Failure {
    /// No answer in time; the work may have been done all the same.
    Timeout,
    /// The connection was refused or reset.
    ConnectionLost,
    /// The callee is down or too busy (502, 503, 504).
    Unavailable,
    /// The callee asks for fewer requests (429).
    Throttled,
    /// The callee failed in a way of its own (500).
    Internal,
    /// Another transaction holds the row.
    LockTimeout,
    /// The transaction was the victim of a deadlock.
    Deadlock,
    /// The message does not read: a field is missing, or of a wrong kind.
    Malformed,
    /// The message reads, and says what cannot be: an unknown id, an amount below zero.
    Invalid,
    /// The caller may not do that (401, 403).
    Forbidden,
    /// What it names is not there (404, 410).
    NotFound,
    /// Anything else.
    Other,
}

impl Failure {
    /// The class of this failure.
    #[must_use]
    pub const fn class(self) -> FailureClass {
        match self {
            Self::Timeout
            | Self::ConnectionLost
            | Self::Unavailable
            | Self::Throttled
            | Self::Internal
            | Self::LockTimeout
            | Self::Deadlock => FailureClass::Transient,
            Self::Malformed | Self::Invalid | Self::Forbidden | Self::NotFound => {
                FailureClass::Permanent
            }
            Self::Other => FailureClass::Unknown,
        }
    }

    /// Whether the callee may have done the work although the caller saw a failure. A retry is then
    /// safe only if the request is idempotent.
    #[must_use]
    pub const fn may_have_taken_effect(self) -> bool {
        matches!(self, Self::Timeout | Self::ConnectionLost | Self::Unavailable | Self::Internal)
    }

    /// Whether the callee is the one in trouble, so that slowing down helps more than this message:
    /// what a circuit breaker should count.
    #[must_use]
    pub const fn is_the_callees(self) -> bool {
        matches!(
            self,
            Self::Timeout
                | Self::ConnectionLost
                | Self::Unavailable
                | Self::Throttled
                | Self::Internal
        )
    }

    /// The failure that an HTTP status tells of, or `None` below 400.
    #[must_use]
    pub const fn of_status(status: u16) -> Option<Self> {
        Some(match status {
            0..400 => return None,
            401 | 403 => Self::Forbidden,
            404 | 410 => Self::NotFound,
            408 => Self::Timeout,
            400 | 415 => Self::Malformed,
            409 | 422 => Self::Invalid,
            429 => Self::Throttled,
            500 => Self::Internal,
            502..=504 => Self::Unavailable,
            _ => Self::Other,
        })
    }
}
