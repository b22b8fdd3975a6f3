//! What a log holds: records, and the markers that end transactions.

use sim::SimTime;

use super::{KeyId, Offset, ProducerEpoch, ProducerId, Sequence};
use crate::MessageId;

/// A record, as a producer sends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// Which message it carries.
    pub message: MessageId,
    /// Its key, if it has one.
    pub key: Option<KeyId>,
    /// Whether there is anything in it.
    pub body: Body,
    /// Its size, key and all.
    pub bytes: u32,
    /// When its producer made it.
    pub timestamp: SimTime,
}

/// Whether there is anything in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Body {
    /// A value.
    Value,
    /// Nothing: in a compacted log, the key is to be deleted.
    Tombstone,
}

/// How a transaction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Marker {
    /// Its records count.
    Commit,
    /// They do not.
    Abort,
}

/// Records to be appended together.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The records, in order.
    pub records: &'a [Record],
    /// Who sends them, if it wants a retry to be recognised.
    pub stamp: Option<Stamp>,
}

/// What an idempotent producer puts on a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// Which producer.
    pub producer: ProducerId,
    /// Its life.
    pub epoch: ProducerEpoch,
    /// The number of the first record.
    pub first: Sequence,
    /// Whether it belongs to a transaction.
    pub scope: Scope,
}

/// Whether a batch belongs to a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// It stands for itself.
    Plain,
    /// It counts when the producer's transaction commits.
    Transactional,
}

/// How much a reader sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Isolation {
    /// All that is replicated, whatever becomes of its transaction.
    ReadUncommitted,
    /// Nothing of aborted transactions, and nothing past the first open one.
    ReadCommitted,
}

/// A record, and where it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fetched {
    /// Its place.
    pub offset: Offset,
    /// The record, with the timestamp that the log gave it.
    pub record: Record,
}

/// What stands at an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stored {
    /// The place.
    pub offset: Offset,
    /// What is there.
    pub entry: Entry,
    /// By whose clock, says the topic.
    pub timestamp: SimTime,
    /// Which producer wrote it, if that is known, and whether in a transaction.
    pub writer: Option<(ProducerId, Scope)>,
    /// From when cleaning may remove it, for a tombstone or marker that was cleaned once.
    pub horizon: Option<SimTime>,
}

/// A record or a marker. Both take up one offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// A record.
    Record(Record),
    /// The end of a transaction. Readers do not see it.
    Marker(Marker),
}

/// The size of a marker with its batch, in bytes.
const MARKER_BYTES: u32 = 78;

impl Stored {
    /// Its size, in bytes.
    #[must_use]
    pub const fn bytes(&self) -> u32 {
        match self.entry {
            Entry::Record(record) => record.bytes,
            Entry::Marker(_) => MARKER_BYTES,
        }
    }
}
