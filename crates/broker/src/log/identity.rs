//! Who and where: the identities and counters of a partitioned log.

use std::fmt;
use std::ops::{Add, Sub};

macro_rules! identity {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The one with this number, from 0.
            #[must_use]
            pub const fn from_index(index: u32) -> Self {
                Self(index)
            }

            /// Its number, from 0: for tables.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

identity! {
    /// A topic. Topics are put in order by number, as the product does by name.
    TopicId;
    /// A partition of a topic.
    PartitionId;
    /// A member of a group, as its coordinator named it. Members are put in order by number, as the
    /// product does by name.
    MemberId;
    /// A static member's own name (`group.instance.id`), which outlives its restarts.
    InstanceId;
    /// A producer, as the broker named it.
    ProducerId;
    /// A transactional producer's own name (`transactional.id`), which outlives its restarts.
    TransactionalId;
    /// A record key. Equal keys have equal numbers; the bytes stay with the caller.
    KeyId;
    /// How often a classic group has been put together anew.
    Generation;
    /// The version of an incremental group's membership, and how far a member has followed it.
    MemberEpoch;
    /// The life of a producer: a new one fences the one before.
    ProducerEpoch;
}

impl Generation {
    /// The one after it.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl MemberEpoch {
    /// The epoch of a member that joins.
    pub const JOINING: Self = Self(0);

    /// The one after it.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl ProducerEpoch {
    /// The one after it.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// A partition of one topic of several. Ordered by topic, then partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TopicPartition {
    /// Which topic.
    pub topic: TopicId,
    /// Which of its partitions.
    pub partition: PartitionId,
}

impl TopicPartition {
    /// The partition with this number in that topic.
    #[must_use]
    pub const fn new(topic: TopicId, partition: PartitionId) -> Self {
        Self { topic, partition }
    }
}

/// A place in a partition. Offsets are given out once and never change, also when what stood there
/// has been cleaned away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Offset(u64);

impl Offset {
    /// The first offset of a partition.
    pub const ZERO: Self = Self(0);

    /// The place with this number, from 0.
    #[must_use]
    pub const fn new(value: u64) -> Self {
        Self(value)
    }

    /// Its number, from 0.
    #[must_use]
    pub const fn value(self) -> u64 {
        self.0
    }

    /// The place after it.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// How many places lie from `earlier` up to this one; 0 if it is not earlier.
    #[must_use]
    pub const fn saturating_since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<u64> for Offset {
    type Output = Self;

    fn add(self, places: u64) -> Self {
        Self(self.0 + places)
    }
}

impl Sub for Offset {
    type Output = u64;

    /// # Panics
    /// If `earlier` is later.
    fn sub(self, earlier: Self) -> u64 {
        self.0.checked_sub(earlier.0).expect("the earlier offset comes first")
    }
}

impl fmt::Display for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The number of a producer's record in a partition, from 0 to 2³¹ − 1 and then from 0 again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sequence(u32);

impl Sequence {
    /// The first.
    pub const ZERO: Self = Self(0);
    /// The last before it starts again.
    pub const MAX: Self = Self(i32::MAX as u32);

    /// The one with this number; numbers past the last start again.
    #[must_use]
    pub const fn new(value: u32) -> Self {
        Self(value & Self::MAX.0)
    }

    /// Its number.
    #[must_use]
    pub const fn value(self) -> u32 {
        self.0
    }

    /// The one `places` further.
    #[must_use]
    pub const fn ahead(self, places: u32) -> Self {
        Self::new(self.0.wrapping_add(places))
    }
}
