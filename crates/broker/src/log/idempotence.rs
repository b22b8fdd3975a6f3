//! The idempotent producer, from the broker's side: what was already written, and what comes out of
//! turn.
//!
//! A partition remembers the epoch and the last five batches of each producer
//! (`ProducerStateEntry`, `ProducerAppendInfo`). A batch with the sequence numbers of one of those
//! is a retry and is acknowledged again; otherwise it must follow on from the last. That is why an
//! idempotent producer may have at most five requests in flight.

use std::collections::VecDeque;

use sim::short::OrderedMap;
use sim::{SimDuration, SimTime};

use super::error::AppendError;
use super::record::Stamp;
use super::{Offset, ProducerEpoch, ProducerId, Sequence};

/// How many batches of a producer are remembered.
pub const BATCHES_KEPT: usize = 5;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Producers {
    known: OrderedMap<ProducerId, Known>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Known {
    epoch: ProducerEpoch,
    batches: VecDeque<Kept>,
    written_at: SimTime,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Kept {
    first: Sequence,
    last: Sequence,
    at: (Offset, Offset),
}

/// What a batch is to what came before.
pub(super) enum Standing {
    /// It comes next.
    New,
    /// It was written before, at these offsets.
    Duplicate(Offset, Offset),
}

impl Producers {
    /// Holds a batch of so many records to what is known of its producer. One of which nothing is
    /// known may start anywhere: its memory may have been deleted with its records.
    pub fn check(&self, stamp: &Stamp, records: u32) -> Result<Standing, AppendError> {
        let Some(known) = self.known.get(&stamp.producer) else { return Ok(Standing::New) };
        let Stamp { epoch, first, .. } = *stamp;
        if epoch == known.epoch {
            let last = first.ahead(records - 1);
            let same = known.batches.iter().find(|kept| kept.first == first && kept.last == last);
            if let Some(Kept { at, .. }) = same {
                return Ok(Standing::Duplicate(at.0, at.1));
            }
        }
        self.check_epoch(stamp.producer, epoch)?;
        let last = known.batches.back().filter(|_| epoch == known.epoch);
        let expected = last.map_or(Sequence::ZERO, |kept| kept.last.ahead(1));
        if first == expected {
            return Ok(Standing::New);
        }
        Err(AppendError::OutOfOrderSequence { expected, given: first })
    }

    /// Refuses a producer that a younger one has fenced.
    pub fn check_epoch(
        &self,
        producer: ProducerId,
        given: ProducerEpoch,
    ) -> Result<(), AppendError> {
        match self.known.get(&producer) {
            Some(known) if given < known.epoch => {
                Err(AppendError::Fenced { current: known.epoch, given })
            }
            _ => Ok(()),
        }
    }

    /// Remembers a batch that was written.
    pub fn wrote(&mut self, now: SimTime, stamp: &Stamp, records: u32, at: (Offset, Offset)) {
        let known = self.known(now, stamp.producer, stamp.epoch);
        if known.batches.len() == BATCHES_KEPT {
            known.batches.pop_front();
        }
        let last = stamp.first.ahead(records - 1);
        known.batches.push_back(Kept { first: stamp.first, last, at });
    }

    /// Takes note of a producer's epoch. A new one starts its numbers again.
    pub fn enter(&mut self, now: SimTime, producer: ProducerId, epoch: ProducerEpoch) {
        self.known(now, producer, epoch);
    }

    /// Forgets producers that have been silent for so long and have no open transaction.
    pub fn forget(
        &mut self,
        now: SimTime,
        silence: SimDuration,
        is_open: impl Fn(ProducerId) -> bool,
    ) {
        self.known.retain(|producer, known| {
            now.saturating_since(known.written_at) < silence || is_open(*producer)
        });
    }

    /// Forgets what was written at or after an offset that the log was cut back to.
    pub fn cut(&mut self, end: Offset) {
        for known in self.known.values_mut() {
            known.batches.retain(|kept| kept.at.1 < end);
        }
    }

    /// Forgets everything, as a broker does that has deleted a producer's records.
    pub fn clear(&mut self) {
        self.known.clear();
    }

    fn known(&mut self, now: SimTime, producer: ProducerId, epoch: ProducerEpoch) -> &mut Known {
        let fresh = Known { epoch, batches: VecDeque::new(), written_at: now };
        let known = self.known.entry(producer).or_insert(fresh);
        if known.epoch != epoch {
            known.epoch = epoch;
            known.batches.clear();
        }
        known.written_at = now;
        known
    }
}
