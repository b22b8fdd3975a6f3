//! What a request, or time alone, brings about.

use std::fmt;
use std::sync::Arc;

use super::{Envelope, Reason, Refusal, ReturnCause, ShortString};
use crate::MessageId;

/// A channel, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChannelId(pub(super) u32);

/// A connection, by a number that its owner chooses. Its channels close with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId(pub u32);

/// A consumer, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConsumerId(pub(super) u32);

/// A delivery on a channel, numbered from 1 on each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeliveryTag(pub u64);

/// Whether a consumer says when it is done with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Acknowledgement {
    /// It does: until then the message is the queue's, and counts for the window.
    Manual,
    /// It does not: a message sent is a message gone, and the window does not apply.
    Automatic,
}

/// Which deliveries of a channel are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tags {
    /// One.
    One(DeliveryTag),
    /// One, and all earlier ones that are still out: `multiple`.
    UpTo(DeliveryTag),
    /// All that are still out: `multiple` with tag 0.
    All,
}

/// Whether a consumer wants a queue for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// It shares.
    Shared,
    /// It does not: it is refused if there are others, and others are refused beside it.
    Exclusive,
}

/// What a new consumer asks for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Subscription {
    /// The queue.
    pub queue: ShortString,
    /// Whether it acks.
    pub acknowledgement: Acknowledgement,
    /// Its priority, `x-priority`: lower ones are served when all higher ones are full.
    pub priority: i32,
    /// Whether it shares the queue.
    pub access: Access,
}

/// A message handed to a consumer, or taken by a get.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Delivery {
    /// The channel that it came on.
    pub channel: ChannelId,
    /// The consumer. `None`: it was taken by a get.
    pub consumer: Option<ConsumerId>,
    /// What it is acked with.
    pub tag: DeliveryTag,
    /// The queue that it comes from.
    pub queue: ShortString,
    /// The message.
    pub envelope: Arc<Envelope>,
    /// Whether it was delivered before.
    pub redelivered: bool,
    /// The header `x-delivery-count`, if there is one: quorum queues count failed deliveries, and
    /// leave the header off a consumer's first.
    pub delivery_count: Option<u32>,
}

/// A message taken by a get.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Got {
    /// The message.
    pub delivery: Delivery,
    /// How many are ready after it, as the queue tells.
    pub remaining: u32,
}

/// The answer to a message published on a channel that asked for confirms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Confirm {
    /// Taken or not.
    pub verdict: Verdict,
    /// When the broker can say so.
    pub stage: ConfirmStage,
}

/// Whether a publish was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Every queue that it was routed to has it, or there was none.
    Ack,
    /// A queue refused it.
    Nack,
}

/// When a publish can be confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConfirmStage {
    /// As soon as it has come in.
    OnArrival,
    /// When it is on disk, or on a majority of the replicas: later than any that needs neither.
    OnceStored,
}

/// An answer to one of several messages published at once, in the order of the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// It comes back: no queue takes it.
    Returned(MessageId),
    /// It is confirmed.
    Confirmed(MessageId, Verdict),
}

/// What became of a message that left its queue without an ack.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fate {
    /// It was published again, and these queues took it.
    DeadLettered {
        /// The queues.
        to: Vec<ShortString>,
    },
    /// It is kept aside until its targets take it.
    KeptAside,
    /// It is gone: the queue has no dead-letter exchange.
    NoDeadLetterExchange,
    /// It is gone: the dead-letter exchange does not exist.
    ExchangeMissing,
    /// It is gone: the dead-letter exchange has no way for it, or each queue refused it.
    NoRoute,
    /// It is gone: it would have gone round without end.
    Cycle,
}

/// Why the broker ended a consumer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CancelCause {
    /// Its queue was deleted.
    QueueDeleted,
    /// It kept a delivery too long.
    Timeout,
}

/// Why a queue is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeleteCause {
    /// It was deleted.
    Requested,
    /// Its last consumer left.
    LastConsumerLeft,
    /// It was not used for as long as it may go unused.
    Unused,
    /// The broker restarted, and the queue was not durable.
    Restart,
}

/// Something that happened in the broker.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// A mandatory message comes back to its publisher: no queue takes it.
    Returned {
        /// The channel that it was published on.
        channel: ChannelId,
        /// Which message.
        message: MessageId,
    },
    /// A queue has taken a message.
    Stored {
        /// The queue.
        queue: ShortString,
        /// Which message.
        message: MessageId,
    },
    /// A dead letter that goes to several queues is from now on, in this one, another message: see
    /// [`Broker::number_copies`](super::Broker::number_copies).
    Copied {
        /// The message that died.
        of: MessageId,
        /// The number that its copy has.
        copy: MessageId,
        /// Where the copy goes.
        queue: ShortString,
    },
    /// A consumer gets a message.
    Delivered(Delivery),
    /// A message was acked and is gone.
    Acked {
        /// The queue.
        queue: ShortString,
        /// Which message.
        message: MessageId,
    },
    /// A message is back in its queue.
    Requeued {
        /// The queue.
        queue: ShortString,
        /// Which message.
        message: MessageId,
        /// How it came back.
        cause: ReturnCause,
    },
    /// A message left its queue without an ack; or it never came in, because the queue refuses what
    /// is too much and dead-letters it.
    Died {
        /// The queue.
        queue: ShortString,
        /// Which message.
        message: MessageId,
        /// Why.
        reason: Reason,
        /// What became of it.
        fate: Fate,
    },
    /// A message was lost in a restart: it was transient, or its queue was.
    Lost {
        /// The queue.
        queue: ShortString,
        /// Which message.
        message: MessageId,
    },
    /// A consumer of a queue with a single active one is now that one.
    Activated {
        /// The queue.
        queue: ShortString,
        /// The consumer.
        consumer: ConsumerId,
    },
    /// The broker ended a consumer.
    ConsumerCancelled {
        /// The consumer.
        consumer: ConsumerId,
        /// Why.
        cause: CancelCause,
    },
    /// The broker closed a channel.
    ChannelClosed {
        /// The channel.
        channel: ChannelId,
        /// Why.
        refusal: Refusal,
    },
    /// A queue is gone, with all that it held.
    QueueDeleted {
        /// The queue.
        queue: ShortString,
        /// Why.
        cause: DeleteCause,
    },
}

impl ChannelId {
    /// Its number, from 1.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }
}

impl ConsumerId {
    /// Its number, from 1, in the order of subscribing.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Display for DeliveryTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
