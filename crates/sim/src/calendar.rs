//! The calendar of events: the future event list of discrete-event simulation.
//!
//! What is scheduled comes out in the order (time, [`Rank`], order of scheduling), so that a run
//! has one order of events, whatever the machine. There is no way to take an event back: an owner
//! that changes its mind marks the event as outdated with a number of its own and ignores it when
//! it comes up, which keeps the calendar a plain heap.

use std::collections::VecDeque;
use std::hash::{Hash, Hasher};

use crate::{Rank, SimTime};

/// Children of a node. Four make the heap half as deep as two, and four keys fill a cache line.
const ARITY: usize = 4;

/// Events yet to come, the next one first.
///
/// Two calendars are equal, and hash alike, when the same events would come out of them at the
/// same times in the same order, whatever the way in which they got there.
#[derive(Clone, Debug)]
pub struct Calendar<E> {
    /// A heap of keys, least in front; what they stand for lies in `events`.
    heap: Vec<Key>,
    /// Whether the key in front is spent: its event was taken, and nothing has filled the gap yet.
    /// What is scheduled next goes there, so that taking one event and scheduling another costs
    /// one walk down the heap and not two.
    gap: bool,
    /// Keys that were scheduled in turn, each later than the one before: they need no heap.
    line: VecDeque<Key>,
    events: Vec<Option<E>>,
    free: Vec<u32>,
    scheduled: u64,
}

/// When an event is due and where it lies, packed into one number that compares as it should: from
/// the top, time (64 bits), rank (3), sequence number (40), position (21). Sequence numbers differ,
/// so positions never decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key(u128);

/// Two million events may be waiting at a time.
const POSITION_BITS: u32 = 21;
/// A million million events may be scheduled in all.
const SEQUENCE_BITS: u32 = 40;

impl Key {
    fn new(at: SimTime, rank: Rank, sequence: u64, position: u32) -> Self {
        assert!(sequence >> SEQUENCE_BITS == 0, "a calendar numbers 2^{SEQUENCE_BITS} events");
        assert!(position >> POSITION_BITS == 0, "a calendar holds 2^{POSITION_BITS} events");
        let ranked = (rank as u64) << SEQUENCE_BITS | sequence;
        let order = ranked << POSITION_BITS | u64::from(position);
        Self(u128::from(at.as_micros()) << 64 | u128::from(order))
    }

    fn at(self) -> SimTime {
        SimTime::from_micros((self.0 >> 64) as u64)
    }

    fn rank(self) -> u64 {
        self.0 as u64 >> (SEQUENCE_BITS + POSITION_BITS)
    }

    fn position(self) -> usize {
        self.0 as usize & ((1 << POSITION_BITS) - 1)
    }
}

impl<E> Default for Calendar<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E> Calendar<E> {
    /// An empty calendar.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            heap: Vec::new(),
            gap: false,
            line: VecDeque::new(),
            events: Vec::new(),
            free: Vec::new(),
            scheduled: 0,
        }
    }

    /// Adds an event at a time. The calendar keeps no clock: it is the caller who does not
    /// schedule into the past.
    ///
    /// # Panics
    /// Past two million events waiting, or a million million scheduled in all.
    pub fn schedule(&mut self, at: SimTime, rank: Rank, event: E) {
        let key = self.enter(at, rank, event);
        if self.gap {
            self.gap = false;
            self.sink(key);
        } else {
            self.heap.push(key);
            self.rise(key);
        }
    }

    /// As [`Calendar::schedule`], for an owner who schedules at ever later times, as timeouts of one
    /// length are: its events wait in line at next to no cost. One that comes out of turn is
    /// scheduled as any other.
    ///
    /// # Panics
    /// As [`Calendar::schedule`].
    pub fn schedule_in_turn(&mut self, at: SimTime, rank: Rank, event: E) {
        let last = self.line.back().map(|key| (key.at(), key.rank()));
        if last.is_some_and(|last| (at, rank as u64) < last) {
            self.schedule(at, rank, event);
        } else {
            let key = self.enter(at, rank, event);
            self.line.push_back(key);
        }
    }

    /// Takes the next event.
    pub fn pop(&mut self) -> Option<(SimTime, E)> {
        let waiting = self.line.front().copied();
        let next = match (self.front(), waiting) {
            (Some(front), Some(waiting)) if waiting < front => self.line.pop_front()?,
            (None, Some(_)) => self.line.pop_front()?,
            (front, _) => {
                let front = front?;
                self.gap = true;
                front
            }
        };
        let position = next.position();
        let event = self.events[position].take()?;
        self.free.push(position as u32);
        Some((next.at(), event))
    }

    /// When the next event is due.
    #[must_use]
    pub fn peek_time(&self) -> Option<SimTime> {
        // Behind a gap, the least key is one of the children of the front.
        let candidates = if self.gap { 1..ARITY + 1 } else { 0..1 };
        let waiting = &self.heap[candidates.start.min(self.heap.len())..];
        let least = waiting.iter().take(candidates.len()).min();
        match (least, self.line.front()) {
            (Some(a), Some(b)) => Some(a.min(b).at()),
            (a, b) => a.or(b).map(|key| key.at()),
        }
    }

    /// How many events are yet to come.
    #[must_use]
    pub fn len(&self) -> usize {
        self.heap.len() - usize::from(self.gap) + self.line.len()
    }

    /// Whether nothing is left to happen.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Drops everything that is yet to come.
    pub fn clear(&mut self) {
        self.heap.clear();
        self.gap = false;
        self.line.clear();
        self.events.clear();
        self.free.clear();
    }

    /// The least key of the heap, once its gap is filled.
    fn front(&mut self) -> Option<Key> {
        if self.gap {
            self.gap = false;
            let last = self.heap.pop()?;
            if !self.heap.is_empty() {
                self.sink(last);
            }
        }
        self.heap.first().copied()
    }

    /// Keeps an event, and makes the key that stands for it.
    fn enter(&mut self, at: SimTime, rank: Rank, event: E) -> Key {
        let position = self.put(event);
        let key = Key::new(at, rank, self.scheduled, position);
        self.scheduled += 1;
        key
    }

    fn put(&mut self, event: E) -> u32 {
        match self.free.pop() {
            Some(position) => {
                self.events[position as usize] = Some(event);
                position
            }
            None => {
                self.events.push(Some(event));
                (self.events.len() - 1) as u32
            }
        }
    }

    /// Walks up from the end to where `key` belongs, and puts it there.
    fn rise(&mut self, key: Key) {
        let mut child = self.heap.len() - 1;
        while child > 0 {
            let parent = (child - 1) / ARITY;
            if self.heap[parent] < key {
                break;
            }
            self.heap[child] = self.heap[parent];
            child = parent;
        }
        self.heap[child] = key;
    }

    /// Walks down from the front to where `key` belongs, and puts it there.
    fn sink(&mut self, key: Key) {
        let heap = &mut self.heap[..];
        let mut parent = 0;
        loop {
            let child = parent * ARITY + 1;
            let least = match heap.get(child..) {
                Some(&[a, b, c, d, ..]) => {
                    // As in a tournament: two games at a time, and no branch to be guessed.
                    earlier(earlier((a, 0), (b, 1)), earlier((c, 2), (d, 3)))
                }
                Some(&[a, b, c]) => earlier(earlier((a, 0), (b, 1)), (c, 2)),
                Some(&[a, b]) => earlier((a, 0), (b, 1)),
                Some(&[a]) => (a, 0),
                _ => break,
            };
            if key < least.0 {
                break;
            }
            heap[parent] = least.0;
            parent = child + least.1;
        }
        heap[parent] = key;
    }

    /// Keys in the order in which they will come out.
    fn in_order(&self) -> Vec<Key> {
        let mut keys = self.heap[usize::from(self.gap)..].to_vec();
        keys.extend(&self.line);
        keys.sort_unstable();
        keys
    }
}

/// The earlier of two keys, each with its place among its siblings.
fn earlier(a: (Key, usize), b: (Key, usize)) -> (Key, usize) {
    if b.0 < a.0 { b } else { a }
}

impl<E: PartialEq> PartialEq for Calendar<E> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self.in_order().into_iter().zip(other.in_order()).all(|(a, b)| {
                (a.at(), a.rank()) == (b.at(), b.rank())
                    && self.events[a.position()] == other.events[b.position()]
            })
    }
}

impl<E: Eq> Eq for Calendar<E> {}

impl<E: Hash> Hash for Calendar<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len().hash(state);
        for key in self.in_order() {
            (key.at(), key.rank()).hash(state);
            self.events[key.position()].hash(state);
        }
    }
}
