//! What a partition refuses, and what to do about it.

use std::fmt;

use super::{Offset, PartitionId, ProducerEpoch, Sequence};

/// Why nothing was appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AppendError {
    /// A batch without records.
    Empty,
    /// A batch larger than the topic takes, or than a segment is.
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The limit.
        limit: u32,
    },
    /// A record without a key, in a topic that is compacted by key.
    KeyMissing,
    /// A gap or a jump back in a producer's numbers: something before it is missing.
    OutOfOrderSequence {
        /// The number that comes next.
        expected: Sequence,
        /// The number that came.
        given: Sequence,
    },
    /// A younger life of the producer has written or was announced.
    Fenced {
        /// The epoch that counts.
        current: ProducerEpoch,
        /// The epoch that came.
        given: ProducerEpoch,
    },
    /// A plain batch of a producer whose transaction is open.
    TransactionOpen,
}

/// Why nothing was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReadError {
    /// The offset was deleted, or is not written yet.
    OutOfRange {
        /// The first offset there is.
        start: Offset,
        /// The next offset to be written.
        end: Offset,
    },
}

/// Why a topic has no such partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartitionsError {
    /// Partitions can be added, not taken away.
    Fewer {
        /// How many there are.
        current: u32,
        /// How many were asked for.
        given: u32,
    },
    /// More than a topic may have.
    TooMany {
        /// How many were asked for.
        given: u32,
        /// The limit.
        limit: u32,
    },
    /// No partition has this number.
    Unknown {
        /// The number.
        partition: PartitionId,
    },
}

impl fmt::Display for AppendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "a batch without records: send at least one"),
            Self::TooLarge { bytes, limit } => {
                write!(f, "a batch of {bytes} bytes, the topic takes {limit}: send smaller batches")
            }
            Self::KeyMissing => write!(f, "the topic is compacted by key: give every record one"),
            Self::OutOfOrderSequence { expected, given } => {
                let (expected, given) = (expected.value(), given.value());
                write!(f, "record {given} of the producer, {expected} comes next: send that first")
            }
            Self::Fenced { current, given } => {
                write!(f, "the producer's epoch is {current}, not {given}: stop, another took over")
            }
            Self::TransactionOpen => {
                write!(f, "the producer's transaction is open: end it or write within it")
            }
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::OutOfRange { start, end } = self;
        write!(f, "the log runs from {start} to {end}: read from an offset within that")
    }
}

impl fmt::Display for PartitionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fewer { current, given } => {
                write!(f, "{given} partitions, there are {current}: they can only grow in number")
            }
            Self::TooMany { given, limit } => {
                write!(f, "{given} partitions: a topic has at most {limit}")
            }
            Self::Unknown { partition } => write!(f, "no partition {partition} in the topic"),
        }
    }
}

impl std::error::Error for AppendError {}
impl std::error::Error for ReadError {}
impl std::error::Error for PartitionsError {}
