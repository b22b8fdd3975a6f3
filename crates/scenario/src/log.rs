//! Partitioned logs, and how workers read them.

use broker::log::{consumer, group, partitioner::KeyHash, producer, share};
use sim::SimDuration;

use crate::ComponentId;

/// A partitioned log.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// Its settings, those of profile `kafka` unless the document says otherwise.
    pub settings: broker::log::Settings,
    /// Those of whoever publishes to it.
    pub producer: producer::Settings,
    /// How long followers take to have what the leader has; `None`: there is one replica, or no delay
    /// worth telling.
    pub replication_lag: Option<SimDuration>,
    /// How they choose a partition.
    pub partitioning: Partitioning,
    /// The keys that the document sets itself; the others come from the profile.
    pub overridden: Vec<&'static str>,
}

/// How a partition is chosen for a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Partitioning {
    /// By the key, as Java clients hash it; without a key, one partition for a batch at a time.
    Murmur2,
    /// By the key, as librdkafka hashes it; without a key, at random.
    Crc32,
    /// Whatever the key: one partition for a batch at a time.
    Sticky,
    /// Whatever the key: one partition after the other.
    RoundRobin,
}

impl Partitioning {
    /// Each with its word on the wire.
    pub const ALL: &'static [(&'static str, Self)] = &[
        ("murmur2", Self::Murmur2),
        ("crc32", Self::Crc32),
        ("sticky", Self::Sticky),
        ("round-robin", Self::RoundRobin),
    ];

    /// Its word on the wire.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Murmur2 => "murmur2",
            Self::Crc32 => "crc32",
            Self::Sticky => "sticky",
            Self::RoundRobin => "round-robin",
        }
    }

    /// The hash of the client that partitions so.
    #[must_use]
    pub fn hash(self) -> KeyHash {
        match self {
            Self::Murmur2 | Self::Sticky => KeyHash::Murmur2,
            Self::Crc32 => KeyHash::Crc32,
            // Java's RoundRobinPartitioner; this client spreads what has no key in the same way.
            Self::RoundRobin => KeyHash::KafkaJsLegacy,
        }
    }

    /// Whether a record's key decides.
    #[must_use]
    pub fn heeds_keys(self) -> bool {
        matches!(self, Self::Murmur2 | Self::Crc32)
    }
}

/// How a component of workers takes part in a group that reads a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Membership {
    /// The group's name; the component's own unless the document says otherwise. Components that
    /// name the same group share its work.
    pub group: String,
    /// Where its handlers put aside what they give up on, for a log has no dead letters of its own.
    pub dead_letter_to: Option<ComponentId>,
    /// What sort of group it is.
    pub reading: Reading,
    /// The keys that the document sets itself.
    pub overridden: Vec<&'static str>,
}

/// The sorts of group that read a log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reading {
    /// Every partition has one reader at a time, who commits how far it is.
    Consumers {
        /// The group's settings.
        group: group::Settings,
        /// Each member's.
        consumer: consumer::Settings,
        /// Whether a member keeps its place while it restarts.
        members: Members,
        /// Whether what a member publishes counts only when its record is committed.
        transactions: Transactions,
    },
    /// Members take single records under a lock, from any partition.
    Share {
        /// The group's settings.
        group: share::Settings,
        /// Where the group starts.
        reset: consumer::Reset,
        /// How many records a member takes at once.
        max_poll_records: u32,
    },
}

impl Reading {
    /// How many records a member is handed at once, at most.
    #[must_use]
    pub fn max_poll_records(&self) -> u32 {
        match self {
            Self::Consumers { consumer, .. } => consumer.max_poll_records,
            Self::Share { max_poll_records, .. } => *max_poll_records,
        }
    }
}

/// Whether a member of a group keeps its place while it restarts (`group.instance.id`, KIP-345).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Members {
    /// It does not: whoever comes back is new.
    Dynamic,
    /// It does, for as long as its session lasts.
    Static,
}

/// Whether what a worker publishes belongs to a transaction (KIP-98).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transactions {
    /// Each record stands for itself.
    None,
    /// What is published to logs while a record is in hand counts when that record is acked, and
    /// the offset is committed with it.
    PerRecord {
        /// How long one may stay open.
        timeout: SimDuration,
    },
}
