//! Partitioners: which partition a producer sends a record to.
//!
//! | rule | source |
//! | --- | --- |
//! | a key goes to `(murmur2(key) & 0x7fffffff) % partitions` | Apache Kafka, `BuiltInPartitioner.partitionForKey` |
//! | records without a key stay on one partition for a batch, by bytes | KIP-794, `BuiltInPartitioner.updatePartitionInfo` |
//! | the next partition is drawn evenly, or by how short its queue is | the same, `updatePartitionLoadStats` |
//! | librdkafka's default is `crc32(key) % partitions`, at random without a key or with an empty one | librdkafka, `rd_kafka_msg_partitioner_consistent_random` |
//! | its `murmur2_random` agrees with Java, empty keys included | librdkafka#4510 |
//! | `kafkajs` before version 2 hashes with the products of JavaScript | `src/producer/partitioners/legacy` |
//!
//! The number of partitions is part of the formula: adding partitions sends most keys elsewhere,
//! and with that gives up their order across the change.

pub mod hash;

use sim::Stream;

use super::PartitionId;

/// How a client turns a key into a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyHash {
    /// The Java client, and those that follow it.
    Murmur2,
    /// librdkafka's default, `consistent_random`.
    Crc32,
    /// librdkafka's `murmur2_random`.
    Murmur2Random,
    /// `kafkajs` before version 2.
    KafkaJsLegacy,
}

/// The share of keys that go elsewhere when a topic grows `from` so many partitions `to` so many, if
/// hashes are spread evenly. Hashes repeat with the least common multiple of the two; of each such
/// round, as many as the smaller number keep their place. Neither may be 0.
#[must_use]
pub fn moved_share(from: u32, to: u32) -> f64 {
    let (mut a, mut b) = (u64::from(from), u64::from(to));
    let (smaller, product) = (a.min(b), a * b);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    let round = product / a.max(1);
    1.0 - smaller as f64 / round as f64
}

impl KeyHash {
    /// The partition of a key, or `None` where this client draws one instead. `partitions` must not
    /// be 0.
    #[must_use]
    pub fn partition(self, key: Option<&[u8]>, partitions: u32) -> Option<PartitionId> {
        let key = key?;
        let hash = match self {
            Self::Crc32 if key.is_empty() => return None,
            Self::Crc32 => hash::crc32(key),
            Self::Murmur2 | Self::Murmur2Random => hash::to_positive(hash::murmur2(key)),
            Self::KafkaJsLegacy => hash::to_positive(hash::murmur2_kafkajs_legacy(key)),
        };
        Some(PartitionId::from_index(hash % partitions))
    }

    /// How this client spreads what it draws a partition for.
    #[must_use]
    pub const fn spread(self) -> Spread {
        match self {
            Self::Murmur2 => Spread::Sticky,
            Self::Crc32 | Self::Murmur2Random => Spread::Random,
            Self::KafkaJsLegacy => Spread::RoundRobin,
        }
    }
}

/// How records without a key are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spread {
    /// One partition until a batch of bytes has gone there, then another.
    Sticky,
    /// Each drawn anew.
    Random,
    /// One after the other.
    RoundRobin,
}

/// Whether the batch that a record went into is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BatchState {
    /// It can be sent: a switch now leaves no half-filled batch behind.
    Ready,
    /// More fits in, and the linger time is not over.
    Filling,
}

/// A producer's partitioner for one topic.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Partitioner {
    hash: KeyHash,
    batch_bytes: u32,
    current: Option<PartitionId>,
    /// Sent to the current partition so far, keyed records included.
    bytes: u64,
    next: u32,
    load: Option<LoadTable>,
}

impl Partitioner {
    /// A partitioner that hashes in this way and stays on a partition for `batch_bytes`
    /// (`batch.size`).
    #[must_use]
    pub const fn new(hash: KeyHash, batch_bytes: u32) -> Self {
        Self { hash, batch_bytes, current: None, bytes: 0, next: 0, load: None }
    }

    /// The partition for a record of a topic with so many partitions (at least one).
    pub fn choose(
        &mut self,
        key: Option<&[u8]>,
        partitions: u32,
        stream: &mut Stream,
    ) -> PartitionId {
        if let Some(partition) = self.hash.partition(key, partitions) {
            return partition;
        }
        match self.hash.spread() {
            Spread::Random => draw(partitions, stream),
            Spread::RoundRobin => {
                let partition = PartitionId::from_index(self.next % partitions);
                self.next = self.next.wrapping_add(1);
                partition
            }
            Spread::Sticky => match self.current {
                Some(partition) if partition.index() < partitions as usize => partition,
                _ => self.switch(partitions, stream),
            },
        }
    }

    /// Counts a record that went to the sticky partition, and moves on from it once it has had its
    /// batch: at `batch_bytes` if the batch is ready, at twice as many in any case.
    pub fn sent(&mut self, bytes: u32, batch: BatchState, partitions: u32, stream: &mut Stream) {
        self.bytes += u64::from(bytes);
        let full = u64::from(self.batch_bytes);
        if self.bytes >= 2 * full || (self.bytes >= full && batch == BatchState::Ready) {
            self.switch(partitions, stream);
        }
    }

    /// Learns how long each partition's queue is, so that the next switch prefers the short ones
    /// (`partitioner.adaptive.partitioning.enable`).
    pub fn learn_load(&mut self, queued: &[u32]) {
        self.load = LoadTable::new(queued);
    }

    fn switch(&mut self, partitions: u32, stream: &mut Stream) -> PartitionId {
        let partition = match &self.load {
            Some(load) => load.pick(stream.below(load.range()) as u32),
            None => draw(partitions, stream),
        };
        self.current = Some(partition);
        self.bytes = 0;
        partition
    }
}

fn draw(partitions: u32, stream: &mut Stream) -> PartitionId {
    PartitionId::from_index(stream.below(u64::from(partitions)) as u32)
}

/// The weights of partitions by their load, as running sums: a partition weighs one more than what
/// the longest queue is ahead of its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LoadTable {
    sums: Vec<u32>,
}

impl LoadTable {
    /// The table of these queues, or `None` if they tell nothing: fewer than two, or all equal.
    #[must_use]
    pub fn new(queued: &[u32]) -> Option<Self> {
        let (longest, shortest) = (queued.iter().max()?, queued.iter().min()?);
        if queued.len() < 2 || longest == shortest {
            return None;
        }
        let mut sum = 0;
        let weigh = |queue: &u32| {
            sum += longest + 1 - queue;
            sum
        };
        Some(Self { sums: queued.iter().map(weigh).collect() })
    }

    /// The running sums.
    #[must_use]
    pub fn sums(&self) -> &[u32] {
        &self.sums
    }

    /// What to draw below, for [`LoadTable::pick`].
    #[must_use]
    pub fn range(&self) -> u64 {
        self.sums.last().copied().unwrap_or(1).into()
    }

    /// The partition that a number below the range stands for: the first whose sum is greater.
    #[must_use]
    pub fn pick(&self, drawn: u32) -> PartitionId {
        PartitionId::from_index(self.sums.partition_point(|sum| *sum <= drawn) as u32)
    }
}
