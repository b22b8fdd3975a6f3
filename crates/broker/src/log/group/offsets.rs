//! Committed offsets: where a group goes on reading.

use sim::short::OrderedMap;

use crate::log::{Offset, TopicPartition};

/// What a group has committed. An offset is that of the next record to read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Offsets {
    committed: OrderedMap<TopicPartition, Offset>,
}

impl Offsets {
    /// Where to go on in a partition; `None` if nothing was committed.
    #[must_use]
    pub fn get(&self, partition: TopicPartition) -> Option<Offset> {
        self.committed.get(&partition).copied()
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = (TopicPartition, Offset)> {
        self.committed.iter().map(|(partition, offset)| (*partition, *offset))
    }

    /// An offset may also go back: what lies after it is read again.
    pub(super) fn set(&mut self, partition: TopicPartition, offset: Offset) {
        self.committed.insert(partition, offset);
    }

    pub(super) fn clear(&mut self) {
        self.committed.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.committed.is_empty()
    }
}
