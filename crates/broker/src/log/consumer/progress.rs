//! How far a consumer is in a partition.

use sim::short::OrderedSet;

use super::change::{Cause, Handover};
use crate::log::{Offset, TopicPartition};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Progress {
    /// Where it reads next.
    pub position: Offset,
    /// What is committed, as far as it knows.
    pub committed: Option<Offset>,
    /// What was returned and is not finished. Bounded by what a poll returns, as long as the
    /// caller finishes its work before it polls again.
    pub unfinished: OrderedSet<Offset>,
}

impl Progress {
    pub fn new(position: Offset, committed: Option<Offset>) -> Self {
        Self { position, committed, unfinished: OrderedSet::new() }
    }

    /// The offset below which everything is finished.
    pub fn finished_to(&self) -> Offset {
        self.unfinished.first().copied().unwrap_or(self.position)
    }

    /// What becomes of the work if the partition goes now, and its group goes on at an offset.
    pub fn hand_over(
        &self,
        partition: TopicPartition,
        cause: Cause,
        resumes_at: Option<Offset>,
    ) -> Handover {
        let again = resumes_at.map_or(0, |at| self.position.saturating_since(at));
        let skipped = resumes_at.map_or(0, |at| {
            self.unfinished.iter().filter(|unfinished| **unfinished < at).count() as u64
        });
        let unfinished = self.unfinished.len() as u64;
        Handover { partition, cause, unfinished, again, skipped, resumes_at }
    }
}
