//! Looking into a partition without touching it.

use sim::{SimDuration, SimTime};

use super::record::{Entry, Isolation, Stored};
use super::segment::Segment;
use super::{Offset, Partition, ProducerId, Settings};

impl Partition {
    /// The settings of its topic.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The first offset that was not deleted.
    #[must_use]
    pub const fn start(&self) -> Offset {
        self.start
    }

    /// The next offset to be written (the log end offset).
    #[must_use]
    pub const fn end(&self) -> Offset {
        self.end
    }

    /// The offset up to which followers have everything.
    #[must_use]
    pub const fn high_watermark(&self) -> Offset {
        self.high_watermark
    }

    /// The offset up to which every transaction is decided.
    #[must_use]
    pub fn last_stable(&self) -> Offset {
        self.transactions.last_stable(self.high_watermark)
    }

    /// The offset up to which such a reader can read.
    #[must_use]
    pub fn readable(&self, isolation: Isolation) -> Offset {
        match isolation {
            Isolation::ReadUncommitted => self.high_watermark,
            Isolation::ReadCommitted => self.last_stable(),
        }
    }

    /// How many offsets lie between a committed one and what such a reader can read. Markers and
    /// aborted records count too: lag by offsets is not always a number of messages.
    #[must_use]
    pub fn lag(&self, committed: Offset, isolation: Isolation) -> u64 {
        self.readable(isolation).saturating_since(committed.max(self.start))
    }

    /// How many records such a reader has still to get from an offset on. Counts one by one.
    #[must_use]
    pub fn records_from(&self, from: Offset, isolation: Isolation) -> u64 {
        let limit = self.readable(isolation);
        let ahead = self.entries(from).take_while(|stored| stored.offset < limit);
        let counts = |stored: &&Stored| {
            let hidden = isolation == Isolation::ReadCommitted && self.is_aborted(stored);
            matches!(stored.entry, Entry::Record(_)) && !hidden
        };
        ahead.filter(counts).count() as u64
    }

    /// How long the oldest unread record has been waiting, by its timestamp.
    #[must_use]
    pub fn age(&self, now: SimTime, committed: Offset) -> Option<SimDuration> {
        let mut ahead = self.entries(committed.max(self.start));
        let first = ahead.find(|stored| matches!(stored.entry, Entry::Record(_)))?;
        (first.offset < self.high_watermark).then(|| now.saturating_since(first.timestamp))
    }

    /// What the log holds from an offset on, in order, markers and all.
    pub fn entries(&self, from: Offset) -> impl Iterator<Item = &Stored> {
        let after = self.segments.partition_point(|segment| segment.base() <= from);
        let segments = self.segments.range(after.saturating_sub(1)..);
        segments.flat_map(move |segment| {
            let entries = segment.entries();
            &entries[entries.partition_point(|stored| stored.offset < from)..]
        })
    }

    /// Its segments, the active one last.
    pub fn segments(&self) -> impl Iterator<Item = &Segment> {
        self.segments.iter()
    }

    /// Its size.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.segments.iter().map(Segment::bytes).sum()
    }

    /// The producers with an open transaction here, and where each starts.
    pub fn open_transactions(&self) -> impl Iterator<Item = (ProducerId, Offset)> {
        self.transactions.open()
    }

    /// The first offset whose record is at least as young as this, by timestamp
    /// (`offsetsForTimes`).
    #[must_use]
    pub fn offset_at(&self, time: SimTime) -> Option<Offset> {
        let young = |segment: &&Segment| segment.largest_timestamp() >= Some(time);
        let entries = self.segments.iter().filter(young).flat_map(Segment::entries);
        let mut readable = entries.take_while(|stored| stored.offset < self.high_watermark);
        readable.find(|stored| stored.timestamp >= time).map(|stored| stored.offset)
    }
}
