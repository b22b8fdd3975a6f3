//! How workers take from queues that are asked: which first, how often, and how they settle what
//! one receive brought.

use patterns::fairness::Priority;
use sim::SimDuration;

use crate::{ComponentId, Workers};

/// How workers take from queues that are asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Taking {
    /// Several queues to take from, if there are several.
    pub lanes: Option<Lanes>,
    /// How they ask. `None`: a long poll that is repeated at once, without being told of.
    pub polling: Option<Polling>,
    /// How they settle what one receive brought.
    pub batch: Batch,
    /// Whether a receive says which try it is.
    pub attempts: Attempts,
}

/// Whether a receive from a FIFO queue says which try it is (`ReceiveRequestAttemptId`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Attempts {
    /// It does not: what an answer brought that got lost stays hidden for its time, and its groups
    /// stand still.
    #[default]
    Anonymous,
    /// It does, and is repeated under the same id until it is answered: it gets the same again.
    Named,
}

/// Several queues, and which is served next.
#[derive(Clone, Debug, PartialEq)]
pub struct Lanes {
    /// The queues, the most urgent first.
    pub queues: Vec<ComponentId>,
    /// How the next one is chosen.
    pub priority: Priority,
    /// The weight of each.
    pub weights: Vec<u32>,
}

/// A worker with empty hands asks, and may get nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Polling {
    /// How long a request waits for a message; zero is a short poll.
    pub wait: SimDuration,
    /// How long after an empty answer to a short poll the next one leaves.
    pub every: SimDuration,
    /// Of how many servers a short poll asks how many; all of them if `None`.
    pub sample: Option<(u32, u32)>,
}

/// How workers settle what one receive brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Batch {
    /// Each message by itself, by lines of the handler.
    #[default]
    Each,
    /// At the end, all together, whatever has failed.
    AckAll,
    /// At the end, all together, unless one has failed: then none.
    AllOrNothing,
    /// At the end, those that have not failed.
    ByItem,
}

impl Workers {
    /// The queues that they take from, the most urgent first.
    #[must_use]
    pub fn queues(&self) -> &[ComponentId] {
        match &self.taking.lanes {
            Some(lanes) => &lanes.queues,
            None => std::slice::from_ref(&self.from),
        }
    }
}
