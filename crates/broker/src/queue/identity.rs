//! Names that a FIFO queue, a fair queue or a batch goes by.
//!
//! The broker knows messages by identity, not by content, so what is a text to the product is a
//! number here: its caller gives equal numbers to equal texts.

use std::fmt;

use crate::MessageId;

/// A message group (`MessageGroupId`): what a FIFO queue keeps in order, and what a fair queue takes
/// for a tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub u32);

/// What the body of a message says: equal for equal bodies.
///
/// It stands for the SHA-256 of the body, which the product computes for content-based
/// deduplication. Two bodies are the same if and only if their hashes are, as far as anybody will
/// ever see, so an identity does as well; a hash of the caller's fits in, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub u64);

/// What a FIFO queue tells a duplicate by (`MessageDeduplicationId`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeduplicationId {
    /// Chosen by the sender.
    Chosen(u64),
    /// The hash of the body. A sender may choose the hash of another body, too.
    Body(BodyId),
    /// The message's own id, which a message gets in a dead-letter queue: two messages that share
    /// an id from different times both find room there.
    Message(MessageId),
}

/// Which try of a receive this is (`ReceiveRequestAttemptId`): the same for a request and its
/// repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttemptId(pub u64);

/// Which queue, among those of a run: what a dead letter says it comes from
/// (`DeadLetterQueueSourceArn`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QueueId(pub u16);

/// The place of a message in the sequence of a FIFO queue, from 1. It grows with every message, in
/// all groups together; the product's have gaps and twenty digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SequenceNumber(pub u64);

/// `s` and the number: `s17`.
impl fmt::Display for SequenceNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}
