//! Receipt handles: what a consumer shows when it acks or extends.

use std::fmt;

/// The proof of one receive of one message. Every receive gives out a new one.
///
/// It names a place in the queue's memory and the number of the receive, which is enough to tell a
/// current receipt from one that was superseded, one whose message is gone, and one that was never
/// given out. It means nothing to another queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReceiptHandle {
    /// The number of the receive, from 1 in each queue.
    pub(super) issue: u32,
    pub(super) slot: u32,
}

impl ReceiptHandle {
    /// A receipt that no queue gives out.
    pub const GARBAGE: Self = Self { issue: 0, slot: u32::MAX };
}

/// `r` and the number of the receive: `r17`.
impl fmt::Display for ReceiptHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}", self.issue)
    }
}
