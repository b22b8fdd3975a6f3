//! Standard, fair or FIFO: in which order a queue serves, and what it asks of a message.

use sim::SimDuration;

/// The share of all messages in flight above which a tenant is noisy, in percent.
pub const FAIR_SHARE_PERCENT: u32 = 10;
/// The fewest messages in flight with which a tenant can be noisy.
pub const FAIR_IN_FLIGHT: u32 = 30;
/// How long a tenant sends nothing before it counts as quiet again.
pub const FAIR_CALM: SimDuration = SimDuration::from_secs(5 * 60);
/// How long a FIFO queue remembers a deduplication id since the message was first sent.
pub const DEDUPLICATION_WINDOW: SimDuration = SimDuration::from_secs(5 * 60);
/// How long a receive can be repeated.
pub const ATTEMPT_WINDOW: SimDuration = SimDuration::from_secs(5 * 60);

/// The type of a queue. It is decided when the queue is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Best-effort order; a group is taken note of, and changes nothing.
    Standard,
    /// A standard queue that serves quiet tenants before noisy ones.
    ///
    /// The product does so in every standard queue whose messages carry groups; here it is a kind of
    /// its own, so that a run can be compared with and without.
    Fair(Fairness),
    /// Order within each group, and no duplicates within five minutes.
    Fifo(Fifo),
}

/// When a tenant is noisy: when more than `share_percent` of the messages in flight are its own,
/// and at least `in_flight` of them. It is quiet again when it has nothing on offer, or has sent
/// nothing for `calm`.
///
/// The figures are the product's own description of what it does approximately (developer guide,
/// "How Amazon SQS fair queues work"). Its second measure, the share of recent processing time, has
/// no documented window, and is not modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fairness {
    /// 1 to 100.
    pub share_percent: u32,
    /// 1 to [`IN_FLIGHT_MAX`](super::IN_FLIGHT_MAX).
    pub in_flight: u32,
    /// From 1 µs to [`RETENTION_MAX`](super::RETENTION_MAX).
    pub calm: SimDuration,
}

/// What is particular to a FIFO queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fifo {
    /// Within what a deduplication id must differ. Decided when the queue is made: a change is
    /// shown by [`Queue::settings`](super::Queue::settings), and has no effect.
    pub scope: Scope,
    /// Where the deduplication id comes from.
    pub deduplicate: Deduplicate,
}

/// Within what two messages with one deduplication id are duplicates (`DeduplicationScope`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// In the whole queue, also across groups.
    Queue,
    /// Within one group.
    MessageGroup,
}

/// Where a deduplication id comes from (`ContentBasedDeduplication`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Deduplicate {
    /// From the sender, with every message.
    ById,
    /// From the sender, or else from the body.
    ByContent,
}

impl Fairness {
    /// The thresholds that the product describes.
    #[must_use]
    pub const fn sqs() -> Self {
        Self { share_percent: FAIR_SHARE_PERCENT, in_flight: FAIR_IN_FLIGHT, calm: FAIR_CALM }
    }
}

impl Kind {
    /// What becomes of the kind of a queue when its settings are changed: the type stays.
    pub(super) const fn changed_to(self, other: Self) -> Self {
        match (self, other) {
            (Self::Fair(_), Self::Fair(_)) | (Self::Fifo(_), Self::Fifo(_)) => other,
            _ => self,
        }
    }
}
