//! Retention: old segments are deleted whole, the oldest first.
//!
//! A segment goes once its *latest* timestamp is older than the retention time, or once the log is
//! still large enough without it. The first one that stays ends the round, whatever lies behind it.
//! Nothing above the high watermark goes; the active segment goes too, if it is due. (Apache Kafka,
//! `UnifiedLog.deletableSegments` and its callers.)

use sim::SimTime;

use super::record::Entry;
use super::segment::Segment;
use super::{Offset, Partition};
use crate::MessageId;

/// What retention took.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Deleted {
    /// How many segments.
    pub segments: u32,
    /// Where the log starts now.
    pub start: Offset,
    /// The messages in them.
    pub messages: Vec<MessageId>,
}

impl Partition {
    /// Deletes what is past its time or beyond the size to keep, and forgets silent producers.
    pub fn retain(&mut self, now: SimTime) -> Deleted {
        let mut deleted = Deleted::default();
        if self.settings.cleanup.deletes() {
            self.retain_size(&mut deleted);
            self.retain_time(now, &mut deleted);
        }
        let transactions = &self.transactions;
        let expiry = self.settings.producer_expiry;
        self.producers.forget(now, expiry, |producer| transactions.is_open(producer));
        deleted.start = self.start;
        deleted
    }

    /// Deletes whatever lies below an offset, as an administrator does (`DeleteRecords`). Segments
    /// go that lie below it whole; in the one that it falls into, records are only hidden.
    ///
    /// Producers with no record left are forgotten, so that their next batch may start anywhere.
    pub fn delete_below(&mut self, offset: Offset) -> Deleted {
        let mut deleted = Deleted::default();
        self.start = self.start.max(offset.min(self.high_watermark));
        while self.segments.len() > 1 && self.segments[1].base() <= self.start {
            self.drop_first(&mut deleted);
        }
        if self.start == self.end {
            self.producers.clear();
        }
        self.transactions.start_at(self.start);
        deleted.start = self.start;
        deleted
    }

    fn retain_size(&mut self, deleted: &mut Deleted) {
        let Some(kept) = self.settings.retention_bytes else { return };
        while let Some(excess) = self.bytes().checked_sub(kept)
            && self.first_is_deletable(|first| first.bytes() <= excess)
        {
            self.delete_first(deleted);
        }
    }

    fn retain_time(&mut self, now: SimTime, deleted: &mut Deleted) {
        let Some(retention) = self.settings.retention else { return };
        let is_due = |first: &Segment| {
            let latest = first.largest_timestamp();
            latest.is_some_and(|latest| now.saturating_since(latest) > retention)
        };
        while self.first_is_deletable(is_due) {
            self.delete_first(deleted);
        }
    }

    fn first_is_deletable(&self, is_due: impl Fn(&Segment) -> bool) -> bool {
        let Some(first) = self.segments.front() else { return false };
        let is_empty_active = self.segments.len() == 1 && first.entries().is_empty();
        let end = self.segments.get(1).map_or(self.end, Segment::base);
        self.high_watermark >= end && !is_empty_active && is_due(first)
    }

    fn delete_first(&mut self, deleted: &mut Deleted) {
        if self.segments.len() == 1 {
            self.roll();
        }
        self.drop_first(deleted);
        self.start = self.start.max(self.segments[0].base());
        self.cleaned_to = self.cleaned_to.max(self.start);
        self.transactions.start_at(self.start);
    }

    fn drop_first(&mut self, deleted: &mut Deleted) {
        let Some(first) = self.segments.pop_front() else { return };
        deleted.segments += 1;
        for stored in first.entries() {
            if let Entry::Record(record) = stored.entry {
                deleted.messages.push(record.message);
            }
        }
    }
}
