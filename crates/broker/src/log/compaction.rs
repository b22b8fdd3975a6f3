//! Compaction: of each key, only the latest record is kept.
//!
//! | rule | source in Apache Kafka |
//! | --- | --- |
//! | the active segment, what is not stable and what is too young stay out | `LogCleanerManager.cleanableOffsets` |
//! | a log is due when more than the set share of it is dirty, or something waited too long | `grabFilthiestCompactedLog` |
//! | a record stays if it is the latest of its key; offsets never change | `LogCleaner.shouldRetainRecord` |
//! | a tombstone is stamped by the first cleaning, and removed by a later one after its horizon | `MemoryRecords.filterTo`, `RecordBatch.deleteHorizonMs` |
//! | records of aborted transactions go at once, markers like tombstones once those are gone | `LogCleaner.shouldDiscardBatch` |
//!
//! A reader that is slower than `delete.retention.ms` may see a key's old value and miss that it
//! was deleted. What the product keeps of empty batches, to know a producer's last numbers, is kept
//! here in the partition's memory instead.

use sim::short::{OrderedSet, sort_unstable_by_key};
use sim::{SimDuration, SimTime};

use super::record::{Body, Entry, Marker, Stored};
use super::segment::{Kept, Segment};
use super::{KeyId, Offset, Partition, ProducerId};
use crate::MessageId;

/// How much of a log could be cleaned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dirt {
    /// From where on it was not cleaned yet.
    pub from: Offset,
    /// Up to where it could be.
    pub to: Offset,
    /// The bytes that were.
    pub clean_bytes: u64,
    /// The bytes in between.
    pub dirty_bytes: u64,
    /// Whether a cleaner would take it up now.
    pub due: Due,
}

/// Whether a cleaner would take a log up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Due {
    /// Too little of it is dirty.
    No,
    /// More of it is dirty than the set share.
    ByShare,
    /// Something in it has waited for as long as is allowed.
    ByLag,
}

/// What a cleaning did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cleaned {
    /// The messages that were removed.
    pub removed: Vec<MessageId>,
    /// How many tombstones were stamped: from their horizon on, a further cleaning removes them.
    pub stamped: u32,
    /// Up to where the log is clean now.
    pub to: Offset,
}

impl Partition {
    /// How much of the log could be cleaned, and whether that is enough.
    #[must_use]
    pub fn dirt(&self, now: SimTime) -> Dirt {
        let from = self.cleaned_to.max(self.start);
        let to = self.uncleanable(now, from);
        let bytes = |from, to| -> u64 {
            let range = self.entries(from).take_while(|stored| stored.offset < to);
            range.map(|stored| u64::from(stored.bytes())).sum()
        };
        let (clean_bytes, dirty_bytes) = (bytes(self.start, from), bytes(from, to));
        let share = u64::from(self.settings.min_dirty_percent);
        let due = if dirty_bytes > 0 && self.waited_too_long(now, from) {
            Due::ByLag
        } else if dirty_bytes * 100 > share * (clean_bytes + dirty_bytes) {
            Due::ByShare
        } else {
            Due::No
        };
        Dirt { from, to, clean_bytes, dirty_bytes, due }
    }

    /// Cleans the log up to where it can be. Tombstones and markers that were stamped before are
    /// removed if their time has come; those that are found for the first time are stamped.
    pub fn clean(&mut self, now: SimTime) -> Cleaned {
        let Dirt { from, to, .. } = self.dirt(now);
        let mut round = Round {
            now,
            horizon: now + self.settings.delete_retention,
            latest: self.latest_of_keys(from, to),
            committed: OrderedSet::new(),
            aborted: OrderedSet::new(),
            cleaned: Cleaned { to, ..Cleaned::default() },
        };
        let transactions = self.transactions.clone();
        let is_aborted = |producer: ProducerId, at: Offset| transactions.is_aborted(producer, at);
        let inactive = self.segments.len() - 1;
        for segment in self.segments.iter_mut().take(inactive) {
            segment.rewrite(|stored| {
                if stored.offset >= to { Kept::Yes } else { round.decide(stored, is_aborted) }
            });
        }
        let last = self.segments.len() - 1;
        let mut place = 0;
        self.segments.retain(|segment| {
            place += 1;
            place > last || !segment.entries().is_empty()
        });
        self.cleaned_to = self.cleaned_to.max(to);
        round.cleaned
    }

    fn uncleanable(&self, now: SimTime, from: Offset) -> Offset {
        let lag = self.settings.min_compaction_lag;
        let active = self.active().base();
        let young = |segment: &&Segment| {
            let latest = segment.largest_timestamp();
            segment.base() >= from && latest.is_some_and(|latest| latest + lag > now)
        };
        let young = self.segments.iter().filter(|_| lag > SimDuration::ZERO).find(young);
        let first_young = young.map_or(active, Segment::base);
        active.min(first_young).min(self.last_stable()).max(from)
    }

    fn waited_too_long(&self, now: SimTime, from: Offset) -> bool {
        let Some(lag) = self.settings.max_compaction_lag else { return false };
        let first = self.entries(from).next();
        first.is_some_and(|stored| now.saturating_since(stored.timestamp) > lag)
    }

    /// Where each key in a range was written, without what does not count. There may be very many
    /// keys in any order, so that they are put in order all at once.
    fn latest_of_keys(&self, from: Offset, to: Offset) -> LatestOfKeys {
        let mut written = Vec::new();
        for stored in self.entries(from).take_while(|stored| stored.offset < to) {
            if let Entry::Record(record) = stored.entry
                && let Some(key) = record.key
                && !self.is_aborted(stored)
            {
                written.push((key, stored.offset));
            }
        }
        sort_unstable_by_key(&mut written, |written| *written);
        LatestOfKeys { written }
    }
}

/// What was written under which key, by key and offset.
struct LatestOfKeys {
    written: Vec<(KeyId, Offset)>,
}

impl LatestOfKeys {
    fn get(&self, key: KeyId) -> Option<Offset> {
        let after = self.written.partition_point(|(other, _)| *other <= key);
        let (last, latest) = *self.written[..after].last()?;
        (last == key).then_some(latest)
    }
}

/// One pass over the log.
struct Round {
    now: SimTime,
    horizon: SimTime,
    latest: LatestOfKeys,
    /// Producers of which a committed record was seen since their last marker.
    committed: OrderedSet<ProducerId>,
    /// The same for aborted records.
    aborted: OrderedSet<ProducerId>,
    cleaned: Cleaned,
}

impl Round {
    fn decide(
        &mut self,
        stored: &mut Stored,
        is_aborted: impl Fn(ProducerId, Offset) -> bool,
    ) -> Kept {
        let record = match stored.entry {
            Entry::Marker(marker) => return self.decide_marker(marker, stored),
            Entry::Record(record) => record,
        };
        let transaction = stored.writer.filter(|(_, scope)| *scope == super::Scope::Transactional);
        if let Some((producer, _)) = transaction {
            if is_aborted(producer, stored.offset) {
                self.aborted.insert(producer);
                self.cleaned.removed.push(record.message);
                return Kept::No;
            }
            self.committed.insert(producer);
        }
        let latest = record.key.map(|key| self.latest.get(key).unwrap_or(Offset::ZERO));
        let is_latest = latest.is_some_and(|latest| stored.offset >= latest);
        if is_latest && (record.body == Body::Value || self.outlives(stored) == Kept::Yes) {
            return Kept::Yes;
        }
        self.cleaned.removed.push(record.message);
        Kept::No
    }

    /// A marker stays as long as records of its transaction were there, and then like a tombstone.
    fn decide_marker(&mut self, marker: Marker, stored: &mut Stored) -> Kept {
        let Some((producer, _)) = stored.writer else { return Kept::Yes };
        let had_records = match marker {
            Marker::Commit => self.committed.remove(&producer),
            Marker::Abort => self.aborted.remove(&producer),
        };
        if had_records { Kept::Yes } else { self.outlives(stored) }
    }

    /// Whether a tombstone or marker stays for now: stamped if it was not yet.
    fn outlives(&mut self, stored: &mut Stored) -> Kept {
        match stored.horizon {
            None => {
                stored.horizon = Some(self.horizon);
                self.cleaned.stamped += 1;
                Kept::Yes
            }
            Some(horizon) if self.now < horizon => Kept::Yes,
            Some(_) => Kept::No,
        }
    }
}
