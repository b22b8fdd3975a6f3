//! A partition: an ordered, append-only run of records.

use std::collections::VecDeque;

use sim::SimTime;

use super::error::{AppendError, ReadError};
use super::idempotence::{Producers, Standing};
use super::record::{Batch, Entry, Fetched, Isolation, Marker, Record, Scope, Stamp, Stored};
use super::segment::Segment;
use super::transactions::Transactions;
use super::{Offset, ProducerEpoch, ProducerId, Replication, Settings, Timestamps};
use crate::MessageId;

/// A partition.
///
/// Offsets are given out at the end and stay. Readers see what lies below the high watermark, the
/// offset up to which followers have everything; committed readers, what lies below the last
/// stable offset.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Partition {
    pub(super) settings: Settings,
    /// Never empty; the last is the active one.
    pub(super) segments: VecDeque<Segment>,
    pub(super) start: Offset,
    pub(super) end: Offset,
    pub(super) high_watermark: Offset,
    pub(super) producers: Producers,
    pub(super) transactions: Transactions,
    /// Up to where the log was cleaned.
    pub(super) cleaned_to: Offset,
}

/// What became of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Appended {
    /// Where its first record stands.
    pub first: Offset,
    /// Where its last record stands.
    pub last: Offset,
    /// Whether that is new.
    pub outcome: Outcome,
}

/// Whether a batch was written now or before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It was written.
    Written,
    /// It was written before: a retry, acknowledged again.
    Duplicate,
}

/// What a new leader does not have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lost {
    /// The end of the log now.
    pub end: Offset,
    /// The messages that stood beyond it.
    pub messages: Vec<MessageId>,
}

impl Partition {
    /// An empty partition. Settings are taken as they are; to hold them to their ranges, call
    /// [`Settings::validate`] first.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            segments: VecDeque::from([Segment::new(Offset::ZERO)]),
            start: Offset::ZERO,
            end: Offset::ZERO,
            high_watermark: Offset::ZERO,
            producers: Producers::default(),
            transactions: Transactions::default(),
            cleaned_to: Offset::ZERO,
        }
    }

    /// Appends a batch: all of it or nothing. The answer is the leader's; a producer that waits for
    /// all replicas (`acks=all`) has its confirm once the high watermark has passed `last`.
    ///
    /// # Errors
    /// [`AppendError`]: nothing was written.
    pub fn append(&mut self, now: SimTime, batch: &Batch<'_>) -> Result<Appended, AppendError> {
        let (bytes, count) = self.check(batch)?;
        if let Some(stamp) = &batch.stamp {
            if let Standing::Duplicate(first, last) = self.producers.check(stamp, count)? {
                return Ok(Appended { first, last, outcome: Outcome::Duplicate });
            }
            if stamp.scope == Scope::Plain && self.transactions.is_open(stamp.producer) {
                return Err(AppendError::TransactionOpen);
            }
        }
        let timestamps = self.settings.timestamps;
        let timestamp = |record: &Record| match timestamps {
            Timestamps::Create => record.timestamp,
            Timestamps::Append => now,
        };
        let latest = batch.records.iter().map(timestamp).max().unwrap_or(now);
        self.make_room(bytes, latest);
        let first = self.end;
        for record in batch.records {
            let timestamp = timestamp(record);
            let entry = Entry::Record(Record { timestamp, ..*record });
            self.push(entry, timestamp, batch.stamp.map(|stamp| (stamp.producer, stamp.scope)));
        }
        let last = Offset::new(self.end.value() - 1);
        if let Some(stamp) = &batch.stamp {
            self.remember(now, stamp, count, (first, last));
        }
        self.follow();
        Ok(Appended { first, last, outcome: Outcome::Written })
    }

    /// Ends a producer's transaction here, as its coordinator asks. The marker takes up an offset.
    ///
    /// # Errors
    /// [`AppendError::Fenced`] if a younger life of the producer is known here.
    pub fn append_marker(
        &mut self,
        now: SimTime,
        producer: ProducerId,
        epoch: ProducerEpoch,
        marker: Marker,
    ) -> Result<Offset, AppendError> {
        self.producers.check_epoch(producer, epoch)?;
        let at = self.end;
        self.make_room(0, now);
        self.push(Entry::Marker(marker), now, Some((producer, Scope::Transactional)));
        self.producers.enter(now, producer, epoch);
        self.transactions.ended(producer, marker, at);
        self.follow();
        Ok(at)
    }

    /// Followers have everything below this offset. Does nothing if they had before.
    pub fn replicated(&mut self, to: Offset) {
        let to = to.min(self.end);
        if to > self.high_watermark {
            self.high_watermark = to;
            self.transactions.replicated(to);
        }
    }

    /// The leader is gone and a follower takes over: what was not replicated is lost, also what the
    /// old leader had acknowledged (`acks=1`).
    pub fn fail_over(&mut self) -> Lost {
        let end = self.high_watermark;
        let mut messages = Vec::new();
        for stored in self.entries(end) {
            if let Entry::Record(record) = stored.entry {
                messages.push(record.message);
            }
        }
        while self.segments.len() > 1 && self.active().base() >= end {
            self.segments.pop_back();
        }
        let writers: Vec<_> =
            self.transactions.starts().filter_map(|first| self.writer_at(first)).collect();
        self.active_mut().cut(end);
        self.end = end;
        self.cleaned_to = self.cleaned_to.min(end);
        self.producers.cut(end);
        self.transactions.cut(end, &writers);
        Lost { end, messages }
    }

    /// Reads up to `max` records from an offset on, appends them to `fetched`, and answers with
    /// where to read next: past what it returned, and past what readers do not see.
    ///
    /// # Errors
    /// [`ReadError::OutOfRange`] if the offset was deleted or is not written yet.
    pub fn read(
        &self,
        from: Offset,
        max: usize,
        isolation: Isolation,
        fetched: &mut Vec<Fetched>,
    ) -> Result<Offset, ReadError> {
        if !(self.start..=self.end).contains(&from) {
            return Err(ReadError::OutOfRange { start: self.start, end: self.end });
        }
        let limit = self.readable(isolation);
        let full = fetched.len() + max;
        let mut position = from;
        for stored in self.entries(from).take_while(|stored| stored.offset < limit) {
            if fetched.len() == full {
                return Ok(position);
            }
            if let Some(record) = self.visible(stored, isolation) {
                fetched.push(Fetched { offset: stored.offset, record });
            }
            position = stored.offset.next();
        }
        Ok(position.max(limit))
    }

    fn visible(&self, stored: &Stored, isolation: Isolation) -> Option<Record> {
        let Entry::Record(record) = stored.entry else { return None };
        let hidden = isolation == Isolation::ReadCommitted && self.is_aborted(stored);
        (!hidden).then_some(record)
    }

    pub(super) fn is_aborted(&self, stored: &Stored) -> bool {
        stored.writer.is_some_and(|(producer, scope)| {
            scope == Scope::Transactional && self.transactions.is_aborted(producer, stored.offset)
        })
    }

    /// Size and number of a batch that can be taken.
    fn check(&self, batch: &Batch<'_>) -> Result<(u64, u32), AppendError> {
        let bytes: u64 = batch.records.iter().map(|record| u64::from(record.bytes)).sum();
        let limit = self.settings.max_message_bytes.min(self.settings.segment_bytes);
        if batch.records.is_empty() {
            return Err(AppendError::Empty);
        }
        if bytes > u64::from(limit) {
            return Err(AppendError::TooLarge { bytes, limit });
        }
        let keyless = batch.records.iter().any(|record| record.key.is_none());
        if keyless && self.settings.cleanup.compacts() {
            return Err(AppendError::KeyMissing);
        }
        Ok((bytes, batch.records.len() as u32))
    }

    fn remember(&mut self, now: SimTime, stamp: &Stamp, count: u32, at: (Offset, Offset)) {
        self.producers.wrote(now, stamp, count, at);
        if stamp.scope == Scope::Transactional {
            self.transactions.wrote(stamp.producer, at.0);
        }
    }

    fn push(&mut self, entry: Entry, timestamp: SimTime, writer: Option<(ProducerId, Scope)>) {
        let stored = Stored { offset: self.end, entry, timestamp, writer, horizon: None };
        self.active_mut().push(stored);
        self.end = self.end.next();
    }

    fn follow(&mut self) {
        if self.settings.replication == Replication::Immediate {
            self.replicated(self.end);
        }
    }

    fn make_room(&mut self, bytes: u64, latest: SimTime) {
        if self.active().is_full(&self.settings, bytes, latest) {
            self.roll();
        }
    }

    pub(super) fn roll(&mut self) {
        self.segments.push_back(Segment::new(self.end));
    }

    pub(super) fn active(&self) -> &Segment {
        self.segments.back().expect("a partition has a segment")
    }

    fn active_mut(&mut self) -> &mut Segment {
        self.segments.back_mut().expect("a partition has a segment")
    }

    fn writer_at(&self, offset: Offset) -> Option<(Offset, ProducerId)> {
        let stored = self.entries(offset).next().filter(|stored| stored.offset == offset)?;
        stored.writer.map(|(producer, _)| (offset, producer))
    }
}
