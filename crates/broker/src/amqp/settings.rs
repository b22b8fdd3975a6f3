//! What a queue and a broker may be set to, and the profiles of RabbitMQ.
//!
//! The arguments and their ranges are those of <https://www.rabbitmq.com/docs/queues>, `/ttl`,
//! `/maxlength`, `/dlx`, `/priority` and `/quorum-queues`; a setting that the broker would refuse
//! with `PRECONDITION_FAILED` is refused by [`Settings::validate`].

mod validate;

use std::fmt;

use sim::SimDuration;

pub use validate::SettingsError;

use super::{Release, ShortString};

/// The highest `x-max-priority`.
pub const MAX_PRIORITY_MAX: u32 = 255;
/// The priority of a message that has none, in a classic queue that orders by it.
pub const CLASSIC_PRIORITY_DEFAULT: u8 = 0;
/// The window of a consumer of a quorum queue that sets none, or a larger one.
pub const QUORUM_PREFETCH_MAX: u32 = 2_000;
/// The priority of a message that has none, in a quorum queue that orders by it.
pub const QUORUM_PRIORITY_DEFAULT: u8 = 4;
/// The highest priority in a quorum queue; a higher one counts as this.
pub const QUORUM_PRIORITY_MAX: u8 = 31;

/// The two kinds of queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QueueKind {
    /// On one node, ordered by when a message was published.
    Classic,
    /// Replicated by Raft; what comes back is served in the order of coming back.
    Quorum,
}

/// Whether a queue outlives a restart of the broker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Durability {
    /// It does.
    Durable,
    /// It does not.
    Transient,
}

/// Whether a queue stays when its consumers leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lifetime {
    /// It stays.
    Lasting,
    /// It is deleted when its last consumer leaves, whatever it holds.
    AutoDelete,
}

/// How a queue spreads its messages over its consumers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sharing {
    /// They take turns.
    Competing,
    /// One gets all, the others wait to take its place.
    SingleActive,
}

/// What a queue at its limit does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overflow {
    /// It drops or dead-letters from its head.
    DropHead,
    /// It refuses what is published.
    RejectPublish,
    /// It refuses what is published and dead-letters it. Classic queues only.
    RejectPublishDeadLetter,
}

/// How sure dead-lettering is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeadLetterStrategy {
    /// A message is gone from its queue whether or not another takes it.
    AtMostOnce,
    /// It is kept aside until every target has taken it. Quorum queues that reject publishes only.
    AtLeastOnce,
}

/// What comes back late, and how late.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DelayedRetry {
    /// Nothing.
    Off,
    /// Some returns are held back: `min` for the first failed delivery, twice that for the second,
    /// and so on up to `max`. Quorum queues since 4.3.
    Linear {
        /// Which returns.
        which: Delayed,
        /// The delay after one failed delivery, or none.
        min: SimDuration,
        /// The longest delay.
        max: SimDuration,
    },
}

/// Which returns are held back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Delayed {
    /// All.
    All,
    /// Those that count as a failed delivery.
    Failed,
    /// Those that do not.
    Returned,
}

/// The settings of a queue.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// Classic or quorum.
    pub kind: QueueKind,
    /// Whether it outlives a restart. A quorum queue does.
    pub durability: Durability,
    /// Whether it stays when its consumers leave.
    pub lifetime: Lifetime,
    /// How messages are spread over consumers.
    pub sharing: Sharing,
    /// How long a message may wait, if limited: 0 ms to 2³² − 1 ms.
    pub message_ttl: Option<SimDuration>,
    /// How long the queue may go unused before it is deleted, if limited: 1 ms to 2³² − 1 ms.
    pub expires: Option<SimDuration>,
    /// How many messages may be ready, if limited.
    pub max_length: Option<u32>,
    /// How many bytes may be ready, if limited.
    pub max_length_bytes: Option<u64>,
    /// What happens at these limits.
    pub overflow: Overflow,
    /// The highest priority of a classic queue, if it has priorities: 0 to 255.
    pub max_priority: Option<u32>,
    /// How often a message may come back to a quorum queue, if limited.
    pub delivery_limit: Option<u32>,
    /// Where messages go that die here, if anywhere.
    pub dead_letter_exchange: Option<ShortString>,
    /// The key that they then get. `None`: they keep theirs.
    pub dead_letter_routing_key: Option<ShortString>,
    /// How sure dead-lettering is.
    pub dead_letter_strategy: DeadLetterStrategy,
    /// Which returns are held back, and how long.
    pub delayed_retry: DelayedRetry,
    /// How long a delivery may go without an ack, if the queue has its own limit. Since 4.3.
    pub consumer_timeout: Option<SimDuration>,
}

/// The settings of a broker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Server {
    /// Whose rules it follows.
    pub release: Release,
    /// How long a delivery may go without an ack, if limited.
    pub consumer_timeout: Option<SimDuration>,
    /// How often a channel is checked for that.
    pub timeout_check: SimDuration,
    /// How long an at-least-once dead letter waits before it is published again.
    pub dead_letter_retry: SimDuration,
    /// How often a quorum queue looks whether it has expired.
    pub quorum_tick: SimDuration,
}

impl Settings {
    /// The profile `rabbitmq-classic`: a durable classic queue without arguments, as
    /// `queue.declare` makes it.
    #[must_use]
    pub fn rabbitmq_classic() -> Self {
        Self {
            kind: QueueKind::Classic,
            durability: Durability::Durable,
            lifetime: Lifetime::Lasting,
            sharing: Sharing::Competing,
            message_ttl: None,
            expires: None,
            max_length: None,
            max_length_bytes: None,
            overflow: Overflow::DropHead,
            max_priority: None,
            delivery_limit: None,
            dead_letter_exchange: None,
            dead_letter_routing_key: None,
            dead_letter_strategy: DeadLetterStrategy::AtMostOnce,
            delayed_retry: DelayedRetry::Off,
            consumer_timeout: None,
        }
    }

    /// The profile `rabbitmq-quorum`: a quorum queue without arguments, with the delivery limit of
    /// the release: none in 3.10, 20 since 4.0.
    #[must_use]
    pub fn rabbitmq_quorum(release: Release) -> Self {
        Self {
            kind: QueueKind::Quorum,
            delivery_limit: release.default_delivery_limit(),
            ..Self::rabbitmq_classic()
        }
    }
}

impl Server {
    /// A broker as it is installed: consumers time out after 30 min, checked every minute.
    #[must_use]
    pub const fn new(release: Release) -> Self {
        Self {
            release,
            consumer_timeout: Some(SimDuration::from_secs(30 * 60)),
            timeout_check: SimDuration::from_secs(60),
            dead_letter_retry: SimDuration::from_secs(3 * 60),
            quorum_tick: SimDuration::from_secs(5),
        }
    }
}

impl fmt::Display for QueueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Classic => "classic",
            Self::Quorum => "quorum",
        })
    }
}
