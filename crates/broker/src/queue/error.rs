//! Why a queue turns a request down.

use std::fmt;

use sim::{SimDuration, SimTime};

use super::AttemptId;
use super::settings::{DELAY_MAX, PURGE_INTERVAL, RECEIVE_MAX, VISIBILITY_MAX, WAIT_MAX};
use crate::MessageId;

/// Why a message was not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SendError {
    /// The body is empty: send at least one byte.
    Empty,
    /// The message weighs more than the queue takes: store the body elsewhere and send its address.
    TooLarge {
        /// What it weighs.
        bytes: u32,
        /// What the queue takes.
        limit: u32,
    },
    /// The message's own delay is above [`DELAY_MAX`].
    DelayOutOfRange {
        /// What was asked for.
        given: SimDuration,
    },
    /// A message of a FIFO queue cannot have a delay of its own: set one for the queue.
    DelayOnFifo {
        /// What was asked for.
        given: SimDuration,
    },
    /// A message of a FIFO queue needs a group: give it one, if only its own.
    GroupMissing,
    /// A message of a FIFO queue needs a deduplication id: give it one, or let the queue take it
    /// from the content.
    DeduplicationMissing,
    /// A standard queue knows no deduplication id: leave it out.
    DeduplicationOnStandard,
}

/// Why nothing was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReceiveError {
    /// A receive asks for 1 to [`RECEIVE_MAX`] messages.
    MaxOutOfRange {
        /// What was asked for.
        given: u32,
    },
    /// The receive's own visibility timeout is above [`VISIBILITY_MAX`].
    VisibilityOutOfRange {
        /// What was asked for.
        given: SimDuration,
    },
    /// The receive's own wait is above [`WAIT_MAX`].
    WaitOutOfRange {
        /// What was asked for.
        given: SimDuration,
    },
    /// As many messages are in flight as may be: ack some, or receive again later. Only a short
    /// poll is told; a long poll comes back empty.
    OverLimit {
        /// How many may be.
        limit: u32,
    },
    /// The receive was answered before, and a message of the answer has been deleted or its timeout
    /// changed: receive with another attempt id.
    NotRetryable {
        /// The id.
        attempt: AttemptId,
    },
}

/// Why a visibility timeout was not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeError {
    /// This queue never gave out such a receipt: use one from a receive.
    UnknownReceipt,
    /// The message has left the queue: there is nothing to hide or show any more.
    NoSuchMessage,
    /// The new timeout is above [`VISIBILITY_MAX`].
    OutOfRange {
        /// What was asked for.
        given: SimDuration,
    },
    /// The message would be hidden for more than [`VISIBILITY_MAX`] since its receive. The request
    /// is refused, not cut down: let the message lapse and receive it again.
    TooLong {
        /// The whole hidden time that it would come to.
        total: SimDuration,
    },
    /// The message is not in flight under this receipt any more: its timeout has run out. Only a
    /// FIFO queue refuses.
    Expired {
        /// Which message.
        message: MessageId,
    },
}

/// Why a message was not deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeleteError {
    /// This queue never gave out such a receipt: use one from a receive.
    UnknownReceipt,
    /// The message has been received again since, and the queue is [`Strict`](super::Receipts):
    /// only the latest receipt deletes.
    Superseded {
        /// Which message.
        message: MessageId,
    },
    /// The visibility timeout of the receipt has run out, and the queue is a FIFO queue: the message
    /// will be, or has been, received again. Extend in time.
    Expired {
        /// Which message.
        message: MessageId,
    },
}

/// Why a queue was not purged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PurgeError {
    /// The last purge was less than [`PURGE_INTERVAL`] ago.
    InProgress {
        /// When the next purge is possible.
        until: SimTime,
    },
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "a message needs at least one byte"),
            Self::TooLarge { bytes, limit } => {
                write!(f, "the message has {bytes} bytes, and the queue takes {limit}")
            }
            Self::DelayOutOfRange { given } => {
                write!(f, "the delay is {given}: it must be from 0 s to {DELAY_MAX}")
            }
            Self::DelayOnFifo { given } => {
                write!(f, "the delay is {given}: in a FIFO queue, only the queue has one")
            }
            Self::GroupMissing => write!(f, "a message of a FIFO queue needs a group"),
            Self::DeduplicationMissing => {
                write!(f, "a message of this FIFO queue needs a deduplication id")
            }
            Self::DeduplicationOnStandard => {
                write!(f, "a standard queue takes no deduplication id")
            }
        }
    }
}

impl fmt::Display for ReceiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MaxOutOfRange { given } => {
                write!(f, "a receive of {given} messages: it must be from 1 to {RECEIVE_MAX}")
            }
            Self::VisibilityOutOfRange { given } => {
                write!(f, "the visibility timeout is {given}: it must be from 0 s to ")?;
                write!(f, "{VISIBILITY_MAX}")
            }
            Self::WaitOutOfRange { given } => {
                write!(f, "the wait is {given}: it must be from 0 s to {WAIT_MAX}")
            }
            Self::OverLimit { limit } => {
                write!(f, "{limit} messages are in flight, as many as may be: ack some first")
            }
            Self::NotRetryable { attempt } => {
                write!(f, "receive {} was answered, and the answer is outdated", attempt.0)
            }
        }
    }
}

impl fmt::Display for ChangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownReceipt => write!(f, "this queue never gave out such a receipt"),
            Self::NoSuchMessage => write!(f, "the message has left the queue"),
            Self::OutOfRange { given } => {
                write!(f, "the visibility timeout is {given}: it must be from 0 s to ")?;
                write!(f, "{VISIBILITY_MAX}")
            }
            Self::TooLong { total } => {
                write!(f, "the message would be hidden for {total} since its receive: ")?;
                write!(f, "at most {VISIBILITY_MAX} are allowed")
            }
            Self::Expired { message } => {
                let number = message.number();
                write!(f, "message {number} is not in flight any more: its receipt has expired")
            }
        }
    }
}

impl fmt::Display for DeleteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownReceipt => write!(f, "this queue never gave out such a receipt"),
            Self::Superseded { message } => {
                let number = message.number();
                write!(f, "message {number} has been received again: its receipt is outdated")
            }
            Self::Expired { message } => {
                write!(f, "the receipt of message {} has expired", message.number())
            }
        }
    }
}

impl fmt::Display for PurgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::InProgress { until } = self;
        write!(f, "one purge in {PURGE_INTERVAL}: the next is possible at {until}")
    }
}

impl std::error::Error for SendError {}
impl std::error::Error for ReceiveError {}
impl std::error::Error for ChangeError {}
impl std::error::Error for DeleteError {}
impl std::error::Error for PurgeError {}
