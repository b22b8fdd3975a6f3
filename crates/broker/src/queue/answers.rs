//! What goes into a queue and what comes out of it.

use sim::{SimDuration, SimTime};

use super::slots::Place;
use super::{BodyId, DeduplicationId, GroupId, QueueId, ReceiptHandle, SequenceNumber};
use crate::MessageId;

/// A message handed to [`Queue::send`](super::Queue::send).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// Which message.
    pub message: MessageId,
    /// The size of its body and attributes in bytes, at least 1.
    pub bytes: u32,
    /// How long it stays hidden before it is first on offer. `None`: as the queue has it. A value
    /// replaces the queue's own, zero included. In a FIFO queue only the queue's counts, and
    /// nothing but zero may be given.
    pub delay: Option<SimDuration>,
    /// Its group: needed in a FIFO queue, the tenant in a fair one.
    pub group: Option<GroupId>,
    /// What a FIFO queue tells duplicates by; `None` to leave it to the body, where the queue
    /// allows that. Not for a standard queue.
    pub deduplication: Option<DeduplicationId>,
    /// What its body says.
    pub body: BodyId,
}

/// The queue's confirm: the message is stored, or was before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sent {
    /// The message that was stored: of a duplicate, the original.
    pub message: MessageId,
    /// Whether that was now. The product does not tell.
    pub novelty: Novelty,
    /// Its place in the sequence of a FIFO queue; the original's, of a duplicate.
    pub sequence: Option<SequenceNumber>,
    /// When it is on offer, or was first: at once, or after its delay.
    pub visible_at: SimTime,
}

/// Whether a confirmed message is new to the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Novelty {
    /// It was stored.
    Stored,
    /// It was dropped: a FIFO queue had a message with its deduplication id within five minutes.
    Duplicate,
}

/// One message handed to a consumer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Delivery {
    /// Which message.
    pub message: MessageId,
    /// What the consumer acks or extends it with.
    pub receipt: ReceiptHandle,
    /// How often it has been received, this time included, in other queues too.
    pub count: u32,
    /// When it is on offer again if nothing happens.
    pub until: SimTime,
    /// When it was first sent; in a FIFO queue, when it came into this queue.
    pub first_sent: SimTime,
    /// Its group.
    pub group: Option<GroupId>,
    /// Its place in the sequence of a FIFO queue.
    pub sequence: Option<SequenceNumber>,
    /// The queue that it was moved from, in a dead-letter queue.
    pub source: Option<QueueId>,
}

/// A message on its way to a dead-letter queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeadLetter {
    /// Which message.
    pub message: MessageId,
    /// When it was first sent: its retention goes on from there, except in a FIFO queue, where it
    /// starts again.
    pub sent_at: SimTime,
    /// How often it was received: counting goes on from there.
    pub count: u32,
    /// Its group.
    pub group: Option<GroupId>,
    /// The queue that it leaves, if that has a name: see [`Queue::named`](super::Queue::named).
    pub source: Option<QueueId>,
}

/// What a receive came back with. Keep one and hand it in again: its memory is used again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Received {
    /// What the consumer gets, in order.
    pub deliveries: Vec<Delivery>,
    /// What had been received too often: it has left this queue and belongs into the dead-letter
    /// queue, by [`Queue::accept_dead_letter`](super::Queue::accept_dead_letter).
    pub dead: Vec<DeadLetter>,
}

/// What a delete did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Deleted {
    /// The message has left the queue for good.
    Removed(MessageId),
    /// It had left before, deleted, expired, purged or moved. That is no error.
    AlreadyGone,
}

/// Something that a deadline brought about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lapse {
    /// The visibility timeout ran out: the message is on offer again.
    Visible {
        /// Which message.
        message: MessageId,
        /// How often it has been received.
        count: u32,
    },
    /// The delay is over: the message is on offer for the first time.
    DelayOver {
        /// Which message.
        message: MessageId,
    },
    /// Retention ran out: the message is gone.
    Expired {
        /// Which message.
        message: MessageId,
    },
}

/// A message that is hidden after a receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InFlight {
    /// Which message.
    pub message: MessageId,
    /// The receipt of its latest receive.
    pub receipt: ReceiptHandle,
    /// When it was received, or its hidden time last changed.
    pub since: SimTime,
    /// When it is on offer again if nothing happens.
    pub until: SimTime,
}

/// A message that is stored but not on offer yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Delayed {
    /// Which message.
    pub message: MessageId,
    /// When it is on offer.
    pub until: SimTime,
}

/// How many messages are in which state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Counts {
    /// On offer; in a FIFO queue also what stands behind a hidden message of its own group.
    pub available: u32,
    /// Stored and not on offer yet.
    pub delayed: u32,
    /// Received, hidden, and not deleted.
    pub in_flight: u32,
}

impl Counts {
    /// All that the queue holds.
    #[must_use]
    pub const fn stored(self) -> u32 {
        self.available + self.delayed + self.in_flight
    }

    pub(super) const fn of(&mut self, place: Place) -> &mut u32 {
        match place {
            Place::Delayed { .. } => &mut self.delayed,
            Place::Available => &mut self.available,
            Place::InFlight { .. } => &mut self.in_flight,
        }
    }
}
