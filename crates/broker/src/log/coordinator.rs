//! The transaction coordinator: who may write under a transactional name, and how its transaction
//! ends in all partitions alike.
//!
//! ```text
//!  ┌───────┐ add partitions ┌─────────┐ end, timeout, or a new life ┌───────┐
//!  │ empty ├───────────────▶│ ongoing ├────────────────────────────▶│ ended │
//!  └───────┘                └─────────┘                             └───┬───┘
//!                                ▲             add partitions           │
//!                                └──────────────────────────────────────┘
//! ```
//!
//! | rule | source |
//! | --- | --- |
//! | a producer that starts under a name fences the one before, and aborts its transaction | Apache Kafka, `TransactionCoordinator.handleInitProducerId` |
//! | a transaction that is open for too long is aborted, and its producer fenced | `transaction.timeout.ms`, `abortTimedOutTransactions` |
//! | offsets sent with a transaction count when it commits | `sendOffsetsToTransaction`, KIP-98 |
//!
//! The coordinator says where markers go; the caller has them appended
//! ([`super::Partition::append_marker`]). Until then, committed readers of those partitions wait.

use std::fmt;

use sim::short::{OrderedMap, OrderedSet};
use sim::{SimDuration, SimTime};

use super::settings::{SettingsError, duration};
use super::{Marker, Offset, ProducerEpoch, ProducerId, TopicPartition, TransactionalId};

/// How long a transaction may stay open, if its producer does not say (`transaction.timeout.ms`).
pub const TRANSACTION_TIMEOUT: SimDuration = SimDuration::from_secs(60);
/// The longest that a broker allows (`transaction.max.timeout.ms`).
pub const TRANSACTION_TIMEOUT_MAX: SimDuration = SimDuration::from_secs(15 * 60);

/// The coordinator of all transactions of a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Coordinator {
    names: OrderedMap<TransactionalId, Named>,
    /// Identities given out so far.
    given_out: u32,
    told_late: Vec<Ended>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Named {
    producer: ProducerId,
    epoch: ProducerEpoch,
    timeout: SimDuration,
    ongoing: Option<Ongoing>,
    /// How the last one ended, so that a repeated request is answered alike.
    ended: Option<Marker>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Ongoing {
    since: SimTime,
    partitions: OrderedSet<TopicPartition>,
    offsets: OrderedMap<TopicPartition, Offset>,
}

/// A transaction that has ended: what is to be written where.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ended {
    /// Under which name.
    pub name: TransactionalId,
    /// Whose it was.
    pub producer: ProducerId,
    /// The epoch to put on the markers.
    pub epoch: ProducerEpoch,
    /// How it ended.
    pub marker: Marker,
    /// Where it wrote: a marker goes to each.
    pub partitions: Vec<TopicPartition>,
    /// The offsets to commit for its group, if it committed.
    pub offsets: Vec<(TopicPartition, Offset)>,
}

/// Why a coordinator refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransactionError {
    /// Nobody started under this name.
    UnknownName,
    /// A younger producer has the name, or the transaction was taken for dead.
    Fenced {
        /// The epoch that counts.
        current: ProducerEpoch,
    },
    /// There is no transaction to end.
    NotOngoing,
}

impl Coordinator {
    /// A producer starts under a name. Answers with its identity and epoch, and with the
    /// transaction of its predecessor, if one was open: that is aborted.
    ///
    /// # Errors
    /// If the timeout is out of range.
    pub fn start(
        &mut self,
        now: SimTime,
        name: TransactionalId,
        timeout: SimDuration,
    ) -> Result<(ProducerId, ProducerEpoch, Option<Ended>), SettingsError> {
        let least = SimDuration::from_millis(1);
        duration("transaction_timeout", timeout, least, TRANSACTION_TIMEOUT_MAX)?;
        self.settle(now);
        let Some(named) = self.names.get_mut(&name) else {
            let producer = ProducerId::from_index(self.given_out);
            self.given_out += 1;
            let epoch = ProducerEpoch::default();
            let named = Named { producer, epoch, timeout, ongoing: None, ended: None };
            self.names.insert(name, named);
            return Ok((producer, epoch, None));
        };
        named.timeout = timeout;
        let aborted = named.abort(name);
        named.epoch = named.epoch.next();
        named.ended = None;
        Ok((named.producer, named.epoch, aborted))
    }

    /// Gives out an identity to an idempotent producer without a name.
    pub fn identify(&mut self) -> ProducerId {
        let producer = ProducerId::from_index(self.given_out);
        self.given_out += 1;
        producer
    }

    /// A transaction is about to write to a partition; the first of these begins it.
    ///
    /// # Errors
    /// [`TransactionError`]: the producer must not write.
    pub fn add(
        &mut self,
        now: SimTime,
        name: TransactionalId,
        epoch: ProducerEpoch,
        partition: TopicPartition,
    ) -> Result<(), TransactionError> {
        self.ongoing(now, name, epoch)?.partitions.insert(partition);
        Ok(())
    }

    /// A transaction takes along how far its group has read.
    ///
    /// # Errors
    /// [`TransactionError`]: the offset will not be committed.
    pub fn add_offset(
        &mut self,
        now: SimTime,
        name: TransactionalId,
        epoch: ProducerEpoch,
        partition: TopicPartition,
        offset: Offset,
    ) -> Result<(), TransactionError> {
        self.ongoing(now, name, epoch)?.offsets.insert(partition, offset);
        Ok(())
    }

    /// A producer ends its transaction. The same request again is answered with nothing to do.
    ///
    /// # Errors
    /// [`TransactionError`]: it did not end this way.
    pub fn end(
        &mut self,
        now: SimTime,
        name: TransactionalId,
        epoch: ProducerEpoch,
        marker: Marker,
    ) -> Result<Ended, TransactionError> {
        self.settle(now);
        let named = self.named(name, epoch)?;
        if named.ongoing.is_none() && named.ended != Some(marker) {
            return Err(TransactionError::NotOngoing);
        }
        named.ended = Some(marker);
        Ok(named.close(name, marker))
    }

    /// When the next transaction is open for too long.
    #[must_use]
    pub fn next_deadline(&self) -> Option<SimTime> {
        self.first_timeout().map(|(due, _)| due)
    }

    /// Lets time pass, and appends the transactions that were aborted for their age. Their
    /// producers are fenced. (The product looks every 10 s.)
    pub fn advance(&mut self, now: SimTime, aborted: &mut Vec<Ended>) {
        self.settle(now);
        aborted.append(&mut self.told_late);
    }

    fn settle(&mut self, now: SimTime) {
        while let Some((_, name)) = self.first_timeout().filter(|(due, _)| *due <= now) {
            let aborted = self.names.get_mut(&name).and_then(|named| named.abort(name));
            self.told_late.extend(aborted);
        }
    }

    fn first_timeout(&self) -> Option<(SimTime, TransactionalId)> {
        let due = |(name, named): (&TransactionalId, &Named)| {
            named.ongoing.as_ref().map(|ongoing| (ongoing.since + named.timeout, *name))
        };
        self.names.iter().filter_map(due).min()
    }

    fn named(
        &mut self,
        name: TransactionalId,
        epoch: ProducerEpoch,
    ) -> Result<&mut Named, TransactionError> {
        let named = self.names.get_mut(&name).ok_or(TransactionError::UnknownName)?;
        if epoch == named.epoch {
            return Ok(named);
        }
        Err(TransactionError::Fenced { current: named.epoch })
    }

    fn ongoing(
        &mut self,
        now: SimTime,
        name: TransactionalId,
        epoch: ProducerEpoch,
    ) -> Result<&mut Ongoing, TransactionError> {
        self.settle(now);
        let named = self.named(name, epoch)?;
        let (partitions, offsets) = (OrderedSet::new(), OrderedMap::new());
        Ok(named.ongoing.get_or_insert(Ongoing { since: now, partitions, offsets }))
    }
}

impl Named {
    /// Aborts what is open, under an epoch that fences the producer.
    fn abort(&mut self, name: TransactionalId) -> Option<Ended> {
        self.ongoing.as_ref()?;
        self.epoch = self.epoch.next();
        self.ended = Some(Marker::Abort);
        Some(self.close(name, Marker::Abort))
    }

    fn close(&mut self, name: TransactionalId, marker: Marker) -> Ended {
        let (mut partitions, mut offsets) = (Vec::new(), Vec::new());
        if let Some(ongoing) = self.ongoing.take() {
            partitions.extend(ongoing.partitions);
            if marker == Marker::Commit {
                offsets.extend(ongoing.offsets);
            }
        }
        let Self { producer, epoch, .. } = *self;
        Ended { name, producer, epoch, marker, partitions, offsets }
    }
}

impl fmt::Display for TransactionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownName => write!(f, "nobody started under this name: start first"),
            Self::Fenced { current } => {
                write!(f, "the epoch is {current}: stop, another took over or it took too long")
            }
            Self::NotOngoing => write!(f, "no transaction is open: write something first"),
        }
    }
}

impl std::error::Error for TransactionError {}
