//! What changed from one release of RabbitMQ to the next.
//!
//! The recorded scripts are from 3.10.8. The later rules are those of the release notes of 4.0 and
//! 4.3 and of the guide to quorum queues (<https://www.rabbitmq.com/docs/quorum-queues>).
//!
//! | rule | 3.10 | 4.0 | 4.3 |
//! | --- | --- | --- | --- |
//! | delivery limit of a quorum queue, unless set | none | 20 | 20 |
//! | what counts for it | every return | every return | rejects and lost channels |
//! | priorities in a quorum queue | none | two lanes, 2:1 | 32 strict levels |
//! | death history, behind its latest entry | turned round at each death | newest first | newest first |
//! | next active consumer of a quorum queue | by age | by priority, and a higher one takes over | likewise |
//! | a delivery not acked in time | closes the channel | closes the channel | cancels the consumer, quorum only |
//! | `#` in a topic pattern | any number | any number | at most two |
//! | prefetch shared by a channel | classic | classic | refused |

use super::{HistoryOrder, QueueKind};

/// A release whose rules a broker follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Release {
    /// 3.10, of 2022: the one that the vectors were recorded on.
    V3_10,
    /// 4.0, of 2024, up to 4.2.
    V4_0,
    /// 4.3, of 2026.
    V4_3,
}

/// How a quorum queue orders its messages by priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuorumPriority {
    /// Not at all.
    Ignored,
    /// Two lanes, above 4 and up to 4; two of the upper lane for each of the lower.
    TwoLanes,
    /// 32 levels, the highest first; without a priority a message has 4.
    Strict,
}

/// What happens to a consumer that keeps a delivery too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimeoutRule {
    /// At the next check the channel is closed, and all that it holds goes back.
    ClosesChannel,
    /// In a quorum queue the consumer is cancelled, and what it holds of that queue goes back. In
    /// a classic queue, nothing.
    CancelsConsumer,
}

/// How the next active consumer is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Succession {
    /// The one that has waited longest.
    ByAge,
    /// The one of the highest priority, of these the one that has waited longest.
    ByPriority,
    /// Likewise, and one of higher priority than the active one takes over from it as soon as
    /// that one holds nothing.
    Preemptive,
}

/// How a message came back to its queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReturnCause {
    /// `basic.nack` with requeue; also `basic.recover`.
    Nack,
    /// `basic.reject` with requeue.
    Reject,
    /// The channel closed, or its connection was lost.
    ChannelLost,
    /// The consumer kept it too long.
    ConsumerTimeout,
    /// The consumer's node could not be reached.
    NodeSuspected,
    /// AMQP 1.0 `released`, or `modified` without `delivery-failed`.
    Released,
    /// AMQP 1.0 `rejected`, or `modified` with `delivery-failed`.
    Failed,
}

impl Release {
    /// The delivery limit of a quorum queue that does not set one.
    #[must_use]
    pub const fn default_delivery_limit(self) -> Option<u32> {
        match self {
            Self::V3_10 => None,
            Self::V4_0 | Self::V4_3 => Some(20),
        }
    }

    /// Does coming back so count for the delivery limit?
    ///
    /// Being delivered and coming back always counts as acquired; whether it counts as a failed
    /// delivery is a matter of the release.
    #[must_use]
    pub const fn counts_as_failed(self, cause: ReturnCause) -> bool {
        let failed =
            matches!(cause, ReturnCause::Reject | ReturnCause::ChannelLost | ReturnCause::Failed);
        match self {
            Self::V3_10 | Self::V4_0 => true,
            Self::V4_3 => failed,
        }
    }

    /// How a quorum queue orders its messages by priority.
    #[must_use]
    pub const fn quorum_priority(self) -> QuorumPriority {
        match self {
            Self::V3_10 => QuorumPriority::Ignored,
            Self::V4_0 => QuorumPriority::TwoLanes,
            Self::V4_3 => QuorumPriority::Strict,
        }
    }

    /// The order of a death history.
    #[must_use]
    pub const fn history_order(self) -> HistoryOrder {
        match self {
            Self::V3_10 => HistoryOrder::RestReversed,
            Self::V4_0 | Self::V4_3 => HistoryOrder::NewestFirst,
        }
    }

    /// What happens to a consumer that keeps a delivery too long.
    #[must_use]
    pub const fn timeout_rule(self) -> TimeoutRule {
        match self {
            Self::V3_10 | Self::V4_0 => TimeoutRule::ClosesChannel,
            Self::V4_3 => TimeoutRule::CancelsConsumer,
        }
    }

    /// How a queue with a single active consumer chooses the next one.
    #[must_use]
    pub const fn succession(self, kind: QueueKind) -> Succession {
        match (self, kind) {
            (_, QueueKind::Classic) => Succession::ByPriority,
            (Self::V3_10, QueueKind::Quorum) => Succession::ByAge,
            (Self::V4_0 | Self::V4_3, QueueKind::Quorum) => Succession::Preemptive,
        }
    }
}
