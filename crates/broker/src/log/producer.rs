//! A producer, as far as a log has to do with it: its settings, and the numbers that an idempotent
//! producer puts on its batches.
//!
//! | rule | source |
//! | --- | --- |
//! | each partition has numbers of its own, without a gap | Apache Kafka, `TransactionManager` (client) |
//! | a retry carries the numbers of the first try | the same |
//! | at most five requests in flight, as many as a broker remembers | KIP-98, `max.in.flight.requests.per.connection` |
//! | a new epoch starts all numbers at 0 | `TransactionManager.bumpIdempotentProducerEpoch` |

use std::fmt;

use sim::SimDuration;
use sim::short::{OrderedMap, OrderedSet};

use super::idempotence::BATCHES_KEPT;
use super::settings::{SettingsError, duration, number};
use super::{ProducerEpoch, ProducerId, Scope, Sequence, Stamp, TopicPartition};

/// The settings of a producer (<https://kafka.apache.org/documentation/#producerconfigs>).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// When a batch counts as written (`acks`).
    pub acks: Acks,
    /// Whether a broker can tell a retry from something new (`enable.idempotence`).
    pub idempotence: Idempotence,
    /// How large a batch grows, in bytes (`batch.size`).
    pub batch_bytes: u32,
    /// How long a batch waits for more (`linger.ms`): nothing before Kafka 4.0, 5 ms since.
    pub linger: SimDuration,
    /// How many requests may be under way at once (`max.in.flight.requests.per.connection`).
    pub max_in_flight: u32,
    /// How long a producer waits for an answer (`request.timeout.ms`).
    pub request_timeout: SimDuration,
    /// How long it waits before it tries again (`retry.backoff.ms`).
    pub retry_backoff: SimDuration,
    /// After how long it gives a record up (`delivery.timeout.ms`).
    pub delivery_timeout: SimDuration,
    /// How much it keeps that is not acknowledged, in bytes (`buffer.memory`).
    pub buffer_bytes: u32,
    /// How long a send waits for room (`max.block.ms`).
    pub max_block: SimDuration,
}

/// When a batch counts as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Acks {
    /// When it is sent (`acks=0`).
    None,
    /// When the leader has it (`acks=1`): lost if the leader is, before a follower has it.
    Leader,
    /// When the replicas in sync have it (`acks=all`).
    All,
}

/// Whether a broker can tell a retry from something new.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Idempotence {
    /// It can.
    On,
    /// It cannot: a retry whose first try got through is written twice.
    Off,
}

const LONGEST: SimDuration = SimDuration::from_micros(u64::MAX);

impl Settings {
    /// A producer as Apache Kafka's clients make it since 3.0: profile `kafka`.
    #[must_use]
    pub const fn kafka() -> Self {
        Self {
            acks: Acks::All,
            idempotence: Idempotence::On,
            batch_bytes: 16_384,
            linger: SimDuration::ZERO,
            max_in_flight: 5,
            request_timeout: SimDuration::from_secs(30),
            retry_backoff: SimDuration::from_millis(100),
            delivery_timeout: SimDuration::from_secs(120),
            buffer_bytes: 32 << 20,
            max_block: SimDuration::from_secs(60),
        }
    }

    /// Holds every setting to its range, and those that go together to each other.
    ///
    /// # Errors
    /// The first setting that is outside.
    pub fn validate(&self) -> Result<(), SettingsError> {
        number("batch_bytes", self.batch_bytes, 1, i32::MAX as u32)?;
        let mut in_flight_max = i32::MAX as u32;
        if self.idempotence == Idempotence::On {
            in_flight_max = BATCHES_KEPT as u32;
            if self.acks != Acks::All {
                let repair = "an idempotent producer needs acks of all replicas";
                return Err(SettingsError::Choice { field: "acks", repair });
            }
        }
        number("max_in_flight", self.max_in_flight, 1, in_flight_max)?;
        let least = self.linger + self.request_timeout;
        duration("delivery_timeout", self.delivery_timeout, least, LONGEST)
    }
}

/// The numbers of an idempotent producer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Producer {
    id: ProducerId,
    epoch: ProducerEpoch,
    max_in_flight: u32,
    next: OrderedMap<TopicPartition, Sequence>,
    in_flight: OrderedSet<(TopicPartition, Sequence)>,
}

/// Why a producer does not send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SendError {
    /// It waits for as many answers as it may.
    TooManyInFlight {
        /// The limit.
        limit: u32,
    },
}

impl Producer {
    /// A producer with the identity and epoch that the broker gave it.
    #[must_use]
    pub const fn new(id: ProducerId, epoch: ProducerEpoch, max_in_flight: u32) -> Self {
        Self { id, epoch, max_in_flight, next: OrderedMap::new(), in_flight: OrderedSet::new() }
    }

    /// Its identity.
    #[must_use]
    pub const fn id(&self) -> ProducerId {
        self.id
    }

    /// Its life.
    #[must_use]
    pub const fn epoch(&self) -> ProducerEpoch {
        self.epoch
    }

    /// Numbers a batch of so many records. A retry sends the same stamp again.
    ///
    /// # Errors
    /// [`SendError::TooManyInFlight`]: wait for an answer first.
    pub fn stamp(
        &mut self,
        to: TopicPartition,
        records: u32,
        scope: Scope,
    ) -> Result<Stamp, SendError> {
        let limit = self.max_in_flight;
        let under_way = self.in_flight.iter().filter(|(partition, _)| *partition == to).count();
        if under_way >= limit as usize {
            return Err(SendError::TooManyInFlight { limit });
        }
        let next = self.next.entry(to).or_default();
        let first = *next;
        *next = next.ahead(records);
        self.in_flight.insert((to, first));
        Ok(Stamp { producer: self.id, epoch: self.epoch, first, scope })
    }

    /// A batch was acknowledged, as written or as a duplicate.
    pub fn acknowledged(&mut self, to: TopicPartition, stamp: &Stamp) {
        self.in_flight.remove(&(to, stamp.first));
    }

    /// Goes on in a new life: its numbers start again. What was in flight is given up.
    pub fn restart(&mut self, epoch: ProducerEpoch) {
        self.epoch = epoch;
        self.next.clear();
        self.in_flight.clear();
    }
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::TooManyInFlight { limit } = self;
        write!(f, "{limit} batches wait for an answer: send this one after the first has come")
    }
}

impl std::error::Error for SendError {}
