//! A partitioned log with the rules of Apache Kafka: topics, producers, consumer groups,
//! transactions, share groups.
//!
//! | module | what it is | rules from |
//! | --- | --- | --- |
//! | [`Topic`], [`Partition`] | records, offsets, high watermark, segments | `UnifiedLog` |
//! | retention | old segments are deleted whole | `UnifiedLog.deletableSegments` |
//! | compaction | of each key, only the latest stays | `LogCleaner` |
//! | idempotence | a retry is recognised by its numbers | `ProducerAppendInfo`, KIP-98 |
//! | isolation | the last stable offset, aborted records, markers | `ProducerStateManager`, KIP-98 |
//! | [`partitioner`] | which partition a key goes to | `BuiltInPartitioner`, KIP-794 |
//! | [`producer`] | settings, and the numbers on batches | `TransactionManager` |
//! | [`Coordinator`] | transactions over partitions, fencing | `TransactionCoordinator` |
//! | [`group`] | members, shares, generations, commits | `ClassicGroup`, KIP-429, KIP-848 |
//! | [`consumer`] | poll, positions, auto-commit, what a rebalance does to work in flight | `ConsumerCoordinator` |
//! | [`share`] | single records under a lock | `SharePartition`, KIP-932 |
//!
//! The classes are those of Apache Kafka (<https://github.com/apache/kafka>) in autumn 2024, the
//! proposals those of its wiki. What the real ones do in threads and over the network happens here
//! between two calls; the caller adds the delays.
//!
//! ```text
//!  start           last stable    high watermark      end
//!    │                  │               │              │
//!    ▼                  ▼               ▼              ▼
//!    ├── deleted ──┬── committed ──┬── open, or ──┬── not replicated
//!    │  below here │   readers     │  undecided:  │   yet: nobody
//!    │             │   see this    │  plain       │   sees this
//!    │             │               │  readers see │
//! ```
//!
//! # Left out
//!
//! Racks, quotas, log truncation by leader epoch, tiered storage, compression, and the bytes on the
//! wire.

mod compaction;
pub mod consumer;
mod coordinator;
mod error;
pub mod group;
mod idempotence;
mod identity;
mod partition;
pub mod partitioner;
pub mod producer;
mod record;
mod retention;
mod segment;
mod settings;
pub mod share;
mod topic;
mod transactions;
mod views;

pub use compaction::{Cleaned, Dirt, Due};
pub use coordinator::{
    Coordinator, Ended, TRANSACTION_TIMEOUT, TRANSACTION_TIMEOUT_MAX, TransactionError,
};
pub use error::{AppendError, PartitionsError, ReadError};
pub use idempotence::BATCHES_KEPT;
pub use identity::{
    Generation, InstanceId, KeyId, MemberEpoch, MemberId, Offset, PartitionId, ProducerEpoch,
    ProducerId, Sequence, TopicId, TopicPartition, TransactionalId,
};
pub use partition::{Appended, Lost, Outcome, Partition};
pub use record::{Batch, Body, Entry, Fetched, Isolation, Marker, Record, Scope, Stamp, Stored};
pub use retention::Deleted;
pub use segment::Segment;
pub use settings::{
    Cleanup, PARTITIONS_MAX, Replication, SEGMENT_BYTES_MAX, SEGMENT_BYTES_MIN, Settings,
    SettingsError, Timestamps,
};
pub use topic::{Topic, Upkeep};
