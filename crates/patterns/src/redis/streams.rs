//! Streams with consumer groups: a log from which each entry is handed to one consumer of a group,
//! and stays *pending* with it until it is acked.
//!
//! A crash loses nothing: the entry stays pending, and another consumer claims it when it has been
//! idle for long enough. Nothing moves by itself, and there is no limit on deliveries: who reads a
//! high count must put the entry aside. <https://redis.io/docs/latest/develop/data-types/streams/>.

use std::ops::Bound;

use sim::short::{OrderedMap, OrderedSet};
use sim::{SimDuration, SimTime};

/// The id of an entry: milliseconds and a counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId {
    /// Milliseconds.
    pub millis: u64,
    /// The counter within them.
    pub counter: u64,
}

/// A stream: entries by id, each standing for what the caller keeps of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stream {
    /// New ones are added at the end.
    entries: OrderedMap<EntryId, u32>,
    last: EntryId,
    added: u64,
    /// The highest id that was ever deleted.
    max_deleted: EntryId,
}

/// A consumer group of a stream.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Group {
    last_delivered: EntryId,
    /// How many entries it has read, if that can be told.
    entries_read: Option<u64>,
    /// Handed out in the order of the stream, so that new ones are added at the end.
    pending: OrderedMap<EntryId, Pending>,
    consumers: OrderedSet<u32>,
}

/// An entry that was handed out and not acked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pending {
    /// Who has it.
    pub consumer: u32,
    /// When it was last handed out.
    pub since: SimTime,
    /// How often it was handed out.
    pub delivered: u32,
}

/// What a claim of idle entries came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Claimed {
    /// Where to go on; [`EntryId::default`] at the end.
    pub cursor: EntryId,
    /// What the consumer has now, in order.
    pub entries: Vec<(EntryId, u32)>,
    /// What had been deleted from the stream, and is pending no more.
    pub deleted: Vec<EntryId>,
}

/// Whether a claim counts as a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counting {
    /// It does.
    Delivery,
    /// It does not (`JUSTID`).
    OwnerOnly,
}

impl Stream {
    /// An empty stream.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// XADD with an id. Tells whether it was taken: ids only grow.
    pub fn add(&mut self, id: EntryId, content: u32) -> bool {
        if id <= self.last {
            return false;
        }
        self.entries.insert(id, content);
        self.last = id;
        self.added += 1;
        true
    }

    /// XDEL. Tells whether it was there. Those who have it pending keep it so.
    pub fn delete(&mut self, id: EntryId) -> bool {
        let there = self.entries.remove(&id).is_some();
        if there {
            self.max_deleted = self.max_deleted.max(id);
        }
        there
    }

    /// XTRIM MAXLEN: drops the oldest entries until so many are left. Tells how many.
    pub fn trim(&mut self, length: usize) -> usize {
        let mut dropped = 0;
        while self.entries.len() > length {
            self.entries.pop_first();
            dropped += 1;
        }
        dropped
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What an entry holds, unless it was deleted.
    #[must_use]
    pub fn get(&self, id: EntryId) -> Option<u32> {
        self.entries.get(&id).copied()
    }

    /// The id of the last entry that was added.
    #[must_use]
    pub const fn last_id(&self) -> EntryId {
        self.last
    }

    /// A group that reads what comes after an id: [`EntryId::default`] for all that is there,
    /// [`Stream::last_id`] for what is still to come.
    #[must_use]
    pub fn group(&self, after: EntryId) -> Group {
        Group {
            last_delivered: after,
            entries_read: None,
            pending: OrderedMap::new(),
            consumers: OrderedSet::new(),
        }
    }
}

impl Group {
    /// XREADGROUP with `>`: entries that the group has not been given, at most `count`.
    pub fn read_new(
        &mut self,
        now: SimTime,
        stream: &Stream,
        consumer: u32,
        count: usize,
    ) -> Vec<(EntryId, u32)> {
        self.consumers.insert(consumer);
        let after = (Bound::Excluded(self.last_delivered), Bound::Unbounded);
        let read: Vec<_> =
            stream.entries.range(after).take(count).map(|(id, content)| (*id, *content)).collect();
        for (id, _) in &read {
            self.note_read(stream, *id);
            // After the group was set back, an entry may be pending with another.
            self.pending.insert(*id, Pending { consumer, since: now, delivered: 1 });
        }
        read
    }

    /// XREADGROUP with an id: the consumer's own pending entries after it. This counts as a
    /// delivery. An entry that has left the stream comes without its content.
    pub fn read_own(
        &mut self,
        now: SimTime,
        stream: &Stream,
        consumer: u32,
        after: EntryId,
    ) -> Vec<(EntryId, Option<u32>)> {
        self.consumers.insert(consumer);
        let mut read = Vec::new();
        let range = (Bound::Excluded(after), Bound::Unbounded);
        for (id, pending) in self.pending.range_mut(range) {
            if pending.consumer == consumer {
                let content = stream.get(*id);
                if content.is_some() {
                    pending.since = now;
                    pending.delivered += 1;
                }
                read.push((*id, content));
            }
        }
        read
    }

    /// XACK. Tells whether it was pending.
    pub fn ack(&mut self, id: EntryId) -> bool {
        self.pending.remove(&id).is_some()
    }

    /// XAUTOCLAIM: takes over what has been idle for at least `idle`, from `start` on, at most
    /// `count`.
    pub fn claim(
        &mut self,
        now: SimTime,
        stream: &Stream,
        consumer: u32,
        idle: SimDuration,
        (start, count): (EntryId, usize),
        counting: Counting,
    ) -> Claimed {
        self.consumers.insert(consumer);
        let mut claimed = Claimed::default();
        let ids: Vec<_> = self.pending.range(start..).map(|(id, _)| *id).collect();
        // The product looks at ten times as many as it may hand out.
        for (place, id) in ids.iter().enumerate() {
            if claimed.entries.len() >= count || place >= count.saturating_mul(10) {
                claimed.cursor = *id;
                break;
            }
            let Some(pending) = self.pending.get_mut(id) else { continue };
            let Some(content) = stream.get(*id) else {
                self.pending.remove(id);
                claimed.deleted.push(*id);
                continue;
            };
            if now.saturating_since(pending.since) < idle {
                continue;
            }
            pending.consumer = consumer;
            pending.since = now;
            pending.delivered += u32::from(counting == Counting::Delivery);
            claimed.entries.push((*id, content));
        }
        claimed
    }

    /// XGROUP DELCONSUMER: the group forgets a consumer and what was pending with it, for good.
    /// Tells how many entries that were.
    pub fn delete_consumer(&mut self, consumer: u32) -> usize {
        self.consumers.remove(&consumer);
        let before = self.pending.len();
        self.pending.retain(|_, pending| pending.consumer != consumer);
        before - self.pending.len()
    }

    /// XGROUP SETID: the group goes on after an id, whatever it has read.
    pub fn set_id(&mut self, after: EntryId) {
        self.last_delivered = after;
        self.entries_read = None;
    }

    /// What is pending, in order.
    pub fn pending(&self) -> impl Iterator<Item = (EntryId, Pending)> {
        self.pending.iter().map(|(id, pending)| (*id, *pending))
    }

    /// How many consumers the group has seen and not deleted.
    #[must_use]
    pub fn consumers(&self) -> usize {
        self.consumers.len()
    }

    /// The last entry that it was given.
    #[must_use]
    pub const fn last_delivered(&self) -> EntryId {
        self.last_delivered
    }

    /// How many entries it has read, counting deleted ones, if that can be told.
    #[must_use]
    pub const fn entries_read(&self) -> Option<u64> {
        self.entries_read
    }

    /// How many entries it has yet to read. `None` when a deletion ahead of it makes that unknown.
    #[must_use]
    pub fn lag(&self, stream: &Stream) -> Option<u64> {
        if self.last_delivered >= stream.last {
            return Some(0);
        }
        if self.deletion_ahead(stream) {
            return None;
        }
        let read = self.entries_read.or_else(|| position(stream, self.last_delivered))?;
        Some(stream.added - read)
    }

    fn deletion_ahead(&self, stream: &Stream) -> bool {
        stream.max_deleted > self.last_delivered
    }

    fn note_read(&mut self, stream: &Stream, id: EntryId) {
        let known = self.entries_read.filter(|_| !self.deletion_ahead(stream));
        self.last_delivered = id;
        self.entries_read = known.map(|read| read + 1).or_else(|| position(stream, id));
    }
}

/// The number of an entry among all that were added, if that can be told: at the ends, or when
/// nothing was ever deleted from the middle.
fn position(stream: &Stream, id: EntryId) -> Option<u64> {
    if id >= stream.last {
        return Some(stream.added);
    }
    let first = stream.entries.first_key_value().map(|(first, _)| *first)?;
    let gone = stream.added - stream.entries.len() as u64;
    if id < first {
        return (stream.max_deleted < first).then_some(gone);
    }
    (id == first && stream.max_deleted < first).then_some(gone + 1)
}
