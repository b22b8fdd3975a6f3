//! Assignors: who reads which partitions.
//!
//! | assignor | rule |
//! | --- | --- |
//! | range | topic by topic, each member gets a run of neighbouring partitions |
//! | round-robin | all partitions in one row, dealt out in turn |
//! | sticky | as even as possible, and of those, as little moved as possible |
//! | cooperative-sticky | the same, but what changes hands is given up first and handed out in a second round |
//! | uniform | the server-side one of KIP-848: even quotas in the order of members, the rest stays |
//!
//! The rules are those of Apache Kafka's `RangeAssignor`, `RoundRobinAssignor`,
//! `AbstractStickyAssignor`, `CooperativeStickyAssignor` and `UniformAssignor`, without racks.

mod balance;
mod cooperative;
mod even;
mod java;
mod movements;
mod order;
mod range;
mod round_robin;
mod sticky;
mod uneven;
mod uniform;

use sim::short::OrderedMap;

use crate::log::{Generation, InstanceId, MemberId, PartitionId, TopicId, TopicPartition};

pub use java::hash_order;

/// The topics that exist, and how many partitions each has.
pub type Topics = OrderedMap<TopicId, u32>;

/// Who gets what, each in the assignor's own order.
pub type Assignment = OrderedMap<MemberId, Vec<TopicPartition>>;

/// How a group's partitions are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Assignor {
    /// Topic by topic, in runs of neighbours.
    Range,
    /// All partitions in one row, dealt out in turn.
    RoundRobin,
    /// Even, with as little moved as possible.
    Sticky,
    /// The same in two rounds, with nothing taken from a member that is still working on it.
    CooperativeSticky,
    /// Even by quota, worked out by the broker.
    Uniform,
}

/// What a member says of itself when it joins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Subscription {
    /// Its identity in the group.
    pub member: MemberId,
    /// Its own name, if it is a static member.
    pub instance: Option<InstanceId>,
    /// What it wants to read.
    pub topics: Vec<TopicId>,
    /// What it reads now.
    pub owned: Vec<TopicPartition>,
    /// The generation in which it was given that.
    pub generation: Option<Generation>,
}

impl Assignor {
    /// Divides the partitions of `topics` among members.
    ///
    /// The members come in the order in which the leader looks at them. That decides which of
    /// several equals keeps a partition too many: Java walks a hash map there, see [`hash_order`].
    #[must_use]
    pub fn assign(self, topics: &Topics, members: &[Subscription]) -> Assignment {
        match self {
            Self::Range => range::assign(topics, members),
            Self::RoundRobin => round_robin::assign(topics, members),
            Self::Sticky => sticky::assign(topics, members).assignment,
            Self::CooperativeSticky => cooperative::assign(topics, members),
            Self::Uniform => uniform::assign(topics, members),
        }
    }

    /// Whether members may go on working while they wait for a rebalance.
    #[must_use]
    pub const fn is_cooperative(self) -> bool {
        matches!(self, Self::CooperativeSticky | Self::Uniform)
    }
}

/// All partitions of a topic.
fn partitions_of(topics: &Topics, topic: TopicId) -> impl Iterator<Item = TopicPartition> {
    let count = topics.get(&topic).copied().unwrap_or(0);
    (0..count).map(move |index| TopicPartition::new(topic, PartitionId::from_index(index)))
}

/// Nothing yet for anybody.
fn empty(members: &[Subscription]) -> Assignment {
    members.iter().map(|subscription| (subscription.member, Vec::new())).collect()
}
