//! Transactions, as a partition sees them: which are open, how far a committed reader may go, and
//! which records do not count.
//!
//! The last stable offset is the first offset of the oldest transaction that is open, or whose
//! marker is not replicated yet (`ProducerStateManager.firstUnstableOffset`). One transaction that
//! nobody ends holds up every committed reader of the partition.

use sim::short::OrderedMap;

use super::record::Marker;
use super::{Offset, ProducerId};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Transactions {
    /// By producer, where its transaction starts.
    open: OrderedMap<ProducerId, Offset>,
    /// By where they start, transactions that are open or were just ended by this marker.
    unstable: OrderedMap<Offset, Option<Offset>>,
    /// By producer and marker, where an aborted transaction starts.
    aborted: OrderedMap<(ProducerId, Offset), Offset>,
}

impl Transactions {
    pub fn is_open(&self, producer: ProducerId) -> bool {
        self.open.contains_key(&producer)
    }

    /// A producer's open transaction, and where it starts here.
    pub fn open(&self) -> impl Iterator<Item = (ProducerId, Offset)> {
        self.open.iter().map(|(producer, first)| (*producer, *first))
    }

    /// A transactional batch is written.
    pub fn wrote(&mut self, producer: ProducerId, at: Offset) {
        self.open.entry(producer).or_insert_with(|| {
            self.unstable.insert(at, None);
            at
        });
    }

    /// A marker is written. It may stand for a transaction that wrote nothing here.
    pub fn ended(&mut self, producer: ProducerId, marker: Marker, at: Offset) {
        let Some(first) = self.open.remove(&producer) else { return };
        self.unstable.insert(first, Some(at));
        if marker == Marker::Abort {
            self.aborted.insert((producer, at), first);
        }
    }

    /// Everything below the high watermark is replicated.
    pub fn replicated(&mut self, high_watermark: Offset) {
        self.unstable.retain(|_, marker| marker.is_none_or(|marker| marker >= high_watermark));
    }

    pub fn last_stable(&self, high_watermark: Offset) -> Offset {
        let first = self.unstable.first_key_value().map(|(first, _)| *first);
        first.map_or(high_watermark, |first| first.min(high_watermark))
    }

    /// Whether a transactional record belongs to an aborted transaction.
    pub fn is_aborted(&self, producer: ProducerId, at: Offset) -> bool {
        let mut ended_after = self.aborted.range((producer, at)..);
        ended_after.next().is_some_and(|((writer, _), first)| *writer == producer && *first <= at)
    }

    /// Forgets transactions that ended before the start of the log.
    pub fn start_at(&mut self, start: Offset) {
        self.aborted.retain(|(_, marker), _| *marker >= start);
    }

    /// Where transactions start that are open, or whose marker is not replicated.
    pub fn starts(&self) -> impl Iterator<Item = Offset> {
        self.unstable.keys().copied()
    }

    /// The log was cut back to this end: what began beyond it did not, and what ended beyond it is
    /// open again, by these writers.
    pub fn cut(&mut self, end: Offset, writers: &[(Offset, ProducerId)]) {
        self.aborted.retain(|(_, marker), _| *marker < end);
        self.open.retain(|_, first| *first < end);
        self.unstable.retain(|first, _| *first < end);
        for (first, producer) in writers.iter().filter(|(first, _)| *first < end) {
            if let Some(marker) =
                self.unstable.get_mut(first).filter(|marker| **marker >= Some(end))
            {
                *marker = None;
                self.open.insert(*producer, *first);
            }
        }
    }
}
