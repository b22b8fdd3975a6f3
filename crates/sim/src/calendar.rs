//! The calendar of events: the future event list of discrete-event simulation.
//!
//! What is scheduled comes out in the order (time, [`Rank`], order of scheduling), so that a run
//! has one order of events, whatever the machine. There is no way to take an event back: an owner
//! that changes its mind marks the event as outdated with a number of its own and ignores it when
//! it comes up, which keeps the calendar a plain heap.

use std::hash::{Hash, Hasher};

use crate::{Rank, SimTime};

/// Bits of the packed order that number the events; the rank stands above them.
const SEQUENCE_BITS: u32 = 56;
/// Children of a node. Four make the heap half as deep as two, and lie in neighbouring memory.
const ARITY: usize = 4;

/// Events yet to come, the next one first.
///
/// Two calendars are equal, and hash alike, when the same events would come out of them at the
/// same times in the same order, whatever the way in which they got there.
#[derive(Clone, Debug)]
pub struct Calendar<E> {
    heap: Vec<Scheduled<E>>,
    scheduled: u64,
}

#[derive(Clone, Debug)]
struct Scheduled<E> {
    key: Key,
    event: E,
}

/// Time, then rank and sequence number packed into one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    at: u64,
    order: u64,
}

impl Key {
    fn rank(self) -> u8 {
        (self.order >> SEQUENCE_BITS) as u8
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
        Self { heap: Vec::new(), scheduled: 0 }
    }

    /// Adds an event at a time. The calendar keeps no clock: it is the caller who does not
    /// schedule into the past.
    pub fn schedule(&mut self, at: SimTime, rank: Rank, event: E) {
        let order = (rank as u64) << SEQUENCE_BITS | self.scheduled;
        self.scheduled += 1;
        self.heap.push(Scheduled { key: Key { at: at.as_micros(), order }, event });
        self.sift_up(self.heap.len() - 1);
    }

    /// Takes the next event.
    pub fn pop(&mut self) -> Option<(SimTime, E)> {
        if self.heap.is_empty() {
            return None;
        }
        let next = self.heap.swap_remove(0);
        if self.heap.len() > 1 {
            self.sift_down(0);
        }
        Some((SimTime::from_micros(next.key.at), next.event))
    }

    /// When the next event is due.
    #[must_use]
    pub fn peek_time(&self) -> Option<SimTime> {
        self.heap.first().map(|next| SimTime::from_micros(next.key.at))
    }

    /// How many events are yet to come.
    #[must_use]
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether nothing is left to happen.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// Drops everything that is yet to come.
    pub fn clear(&mut self) {
        self.heap.clear();
    }

    fn sift_up(&mut self, mut child: usize) {
        while child > 0 {
            let parent = (child - 1) / ARITY;
            if self.heap[parent].key < self.heap[child].key {
                return;
            }
            self.heap.swap(parent, child);
            child = parent;
        }
    }

    fn sift_down(&mut self, mut parent: usize) {
        loop {
            let first = parent * ARITY + 1;
            if first >= self.heap.len() {
                return;
            }
            let end = (first + ARITY).min(self.heap.len());
            let mut least = first;
            for child in first + 1..end {
                if self.heap[child].key < self.heap[least].key {
                    least = child;
                }
            }
            if self.heap[parent].key < self.heap[least].key {
                return;
            }
            self.heap.swap(parent, least);
            parent = least;
        }
    }

    fn in_order(&self) -> Vec<&Scheduled<E>> {
        let mut events: Vec<_> = self.heap.iter().collect();
        events.sort_unstable_by_key(|scheduled| scheduled.key);
        events
    }
}

impl<E: PartialEq> PartialEq for Calendar<E> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self.in_order().into_iter().zip(other.in_order()).all(|(a, b)| {
                a.key.at == b.key.at && a.key.rank() == b.key.rank() && a.event == b.event
            })
    }
}

impl<E: Eq> Eq for Calendar<E> {}

impl<E: Hash> Hash for Calendar<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len().hash(state);
        for scheduled in self.in_order() {
            scheduled.key.at.hash(state);
            scheduled.key.rank().hash(state);
            scheduled.event.hash(state);
        }
    }
}
