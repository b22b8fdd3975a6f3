//! Which partitions were moved from whom to whom, so that of two moves there and back between the
//! same members, the first is taken back instead.

use sim::short::{OrderedMap, OrderedSet};

use crate::log::{MemberId, TopicId, TopicPartition};

type Pair = (MemberId, MemberId);

/// The moves of one rebalance: from the first owner to the latest.
#[derive(Default)]
pub(super) struct Movements {
    moved: OrderedMap<TopicPartition, Pair>,
    by_pair: OrderedMap<(TopicId, Pair), OrderedSet<TopicPartition>>,
}

impl Movements {
    /// The partition to move instead of this one: one of the same topic that came the other way.
    pub fn instead_of(
        &self,
        partition: TopicPartition,
        from: MemberId,
        to: MemberId,
    ) -> TopicPartition {
        let from = self.moved.get(&partition).map_or(from, |(first, _)| *first);
        let back = self.by_pair.get(&(partition.topic, (to, from)));
        back.and_then(OrderedSet::first).copied().unwrap_or(partition)
    }

    /// Notes a move.
    pub fn note(&mut self, partition: TopicPartition, from: MemberId, to: MemberId) {
        let mut first = from;
        if let Some(pair) = self.moved.remove(&partition) {
            first = pair.0;
            let key = (partition.topic, pair);
            if let Some(same) = self.by_pair.get_mut(&key) {
                same.remove(&partition);
            }
        }
        if first != to {
            self.moved.insert(partition, (first, to));
            self.by_pair.entry((partition.topic, (first, to))).or_default().insert(partition);
        }
    }
}
