//! Segments: the files that a partition is made of, and that retention deletes whole.

use sim::{SimDuration, SimTime};

use super::record::Stored;
use super::{Offset, Settings};

/// A run of neighbouring entries.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Segment {
    base: Offset,
    entries: Vec<Stored>,
    bytes: u64,
    /// The timestamp of the first entry, from which its time runs.
    first: Option<SimTime>,
    largest: Option<SimTime>,
}

impl Segment {
    pub(super) const fn new(base: Offset) -> Self {
        Self { base, entries: Vec::new(), bytes: 0, first: None, largest: None }
    }

    /// The offset with which it starts.
    #[must_use]
    pub const fn base(&self) -> Offset {
        self.base
    }

    /// Its size.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The latest timestamp in it, which is not always that of its last entry; `None` if it is
    /// empty.
    #[must_use]
    pub const fn largest_timestamp(&self) -> Option<SimTime> {
        self.largest
    }

    /// The timestamp of the entry that came first.
    #[must_use]
    pub const fn first_timestamp(&self) -> Option<SimTime> {
        self.first
    }

    /// What it holds.
    #[must_use]
    pub fn entries(&self) -> &[Stored] {
        &self.entries
    }

    /// Whether entries of this size and time need a new segment (`LogSegment.shouldRoll`).
    pub(super) fn is_full(&self, settings: &Settings, bytes: u64, latest: SimTime) -> bool {
        let waited = self.first.map_or(SimDuration::ZERO, |first| latest.saturating_since(first));
        let size = self.bytes + bytes > u64::from(settings.segment_bytes);
        !self.entries.is_empty() && (size || waited > settings.segment_time)
    }

    pub(super) fn push(&mut self, stored: Stored) {
        self.bytes += u64::from(stored.bytes());
        self.first = self.first.or(Some(stored.timestamp));
        self.largest = self.largest.max(Some(stored.timestamp));
        self.entries.push(stored);
    }

    /// Cuts off what stands at an offset and beyond.
    pub(super) fn cut(&mut self, end: Offset) {
        self.rewrite(|stored| if stored.offset < end { Kept::Yes } else { Kept::No });
    }

    /// Rewrites it: `decide` may change an entry, and says whether it stays.
    pub(super) fn rewrite(&mut self, mut decide: impl FnMut(&mut Stored) -> Kept) {
        self.entries.retain_mut(|stored| decide(stored) == Kept::Yes);
        self.bytes = self.entries.iter().map(|stored| u64::from(stored.bytes())).sum();
        self.first = self.entries.first().map(|stored| stored.timestamp);
        self.largest = self.entries.iter().map(|stored| stored.timestamp).max();
    }
}

/// Whether an entry stays when its segment is rewritten.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    Yes,
    No,
}
