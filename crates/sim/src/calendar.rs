//! The calendar of events: the future event list of discrete-event simulation.
//!
//! What is scheduled comes out in the order (time, [`Rank`], order of scheduling), so that a run
//! has one order of events, whatever the machine. There is no way to take an event back: an owner
//! that changes its mind marks the event as outdated with a number of its own and ignores it when
//! it comes up.
//!
//! Most of what a simulation schedules comes soon, and some of it late, as a second attempt does. A
//! heap asks each event to find its place among all that wait. Here only the next few are in order;
//! what comes later lies in piles, the wider the later, and a pile is looked through when its time
//! has come: the ladder queue of Tang, Goh and Thng, "Ladder queue: An O(1) priority queue structure
//! for large-scale discrete event simulation", *ACM TOMACS* 15 (2005), over the piles of the radix
//! heap of Ahuja, Mehlhorn, Orlin and Tarjan (1990).

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::mem;

use crate::short::sort_unstable_by_key;
use crate::{Rank, SimTime};

/// A pile of at most so many is put in order; a longer one is dealt out first.
const FEW: usize = 24;
/// When so many are in order, finding a place among them takes too long.
const MANY: usize = 64;

/// Events yet to come, the next one first.
///
/// Two calendars are equal, and hash alike, when the same events would come out of them at the
/// same times in the same order, whatever the way in which they got there.
#[derive(Clone, Debug)]
pub struct Calendar<E> {
    /// What comes next, the latest in front. It is empty only if the piles are.
    near: Vec<Key>,
    /// What comes after all that is near, by the highest binary digit in which its time differs from
    /// `origin`: what lies in a pile comes before all that lies in a higher one.
    piles: [Vec<Key>; PILES],
    /// Which piles are not empty, as bits.
    piled: u64,
    /// Not later than anything in the piles.
    origin: SimTime,
    /// Keys that were scheduled in turn, each later than the one before.
    line: VecDeque<Key>,
    /// What keys stand for; what lies in a `free` place is over.
    events: Vec<E>,
    free: Vec<u32>,
    scheduled: u64,
}

/// Where the next key is.
enum From {
    Near,
    Line,
}

/// One for each binary digit of a time.
const PILES: usize = u64::BITS as usize;

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
    #[inline]
    fn new(at: SimTime, rank: Rank, sequence: u64, position: u32) -> Self {
        assert!(sequence >> SEQUENCE_BITS == 0, "a calendar numbers 2^{SEQUENCE_BITS} events");
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

impl<E: Copy> Default for Calendar<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: Copy> Calendar<E> {
    /// An empty calendar.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            near: Vec::new(),
            piles: [const { Vec::new() }; PILES],
            piled: 0,
            origin: SimTime::ZERO,
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
        match self.near.first() {
            Some(latest) if key < *latest => {
                self.place(key);
                if self.near.len() > MANY {
                    self.thin_out();
                }
            }
            Some(_) if self.piled != 0 => self.pile(key),
            Some(latest) if self.near.len() >= FEW => {
                self.origin = latest.at();
                self.pile(key);
            }
            _ => self.place(key),
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
        self.pop_until(SimTime::MAX)
    }

    /// Takes the next event, unless it is due later than `until`.
    pub fn pop_until(&mut self, until: SimTime) -> Option<(SimTime, E)> {
        let (next, from) = self.next()?;
        if next.at() > until {
            return None;
        }
        match from {
            From::Line => drop(self.line.pop_front()),
            From::Near => {
                self.near.pop();
                if self.near.is_empty() {
                    self.fetch();
                }
            }
        }
        let position = next.position();
        self.free.push(position as u32);
        Some((next.at(), self.events[position]))
    }

    /// When the next event is due.
    #[must_use]
    pub fn peek_time(&self) -> Option<SimTime> {
        self.next().map(|(key, _)| key.at())
    }

    /// The next key, and where it is.
    fn next(&self) -> Option<(Key, From)> {
        match (self.near.last(), self.line.front()) {
            (Some(near), Some(waiting)) if waiting < near => Some((*waiting, From::Line)),
            (None, Some(waiting)) => Some((*waiting, From::Line)),
            (near, _) => near.map(|near| (*near, From::Near)),
        }
    }

    /// How many events are yet to come.
    #[must_use]
    pub fn len(&self) -> usize {
        self.events.len() - self.free.len()
    }

    /// Whether nothing is left to happen.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Drops everything that is yet to come.
    pub fn clear(&mut self) {
        *self = Self { scheduled: self.scheduled, ..Self::new() };
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
                self.events[position as usize] = event;
                position
            }
            None => {
                let position = self.events.len();
                assert!(
                    position >> POSITION_BITS == 0,
                    "a calendar holds 2^{POSITION_BITS} events"
                );
                self.events.push(event);
                position as u32
            }
        }
    }

    /// Puts a key where it belongs among those that are near.
    fn place(&mut self, key: Key) {
        let mut place = self.near.len();
        self.near.push(key);
        let near = &mut self.near[..];
        while place > 0 && near[place - 1] < key {
            near[place] = near[place - 1];
            place -= 1;
        }
        near[place] = key;
    }

    /// Puts a key on its pile.
    fn pile(&mut self, key: Key) {
        let pile = pile_of(key.at(), self.origin);
        self.piles[pile].push(key);
        self.piled |= 1 << pile;
    }

    /// Takes the lowest pile as soon as nothing is near. What is too much to put in order is dealt
    /// out to lower piles, and then the lowest of these is taken.
    fn fetch(&mut self) {
        while self.near.is_empty() && self.piled != 0 {
            let lowest = self.piled.trailing_zeros() as usize;
            self.piled &= self.piled - 1;
            let mut pile = mem::take(&mut self.piles[lowest]);
            if pile.len() <= FEW {
                // From the end: what has come in order is then in its place at once.
                for key in pile.iter().rev() {
                    self.place(*key);
                }
            } else if lowest == 0 {
                // Two instants at most, which piles do not tell apart any more.
                self.near.extend(pile.iter().rev());
                sort_unstable_by_key(&mut self.near, |key| Reverse(*key));
            } else {
                self.origin = SimTime::from_micros(pile[0].at().as_micros() >> lowest << lowest);
                for key in &pile {
                    self.pile(*key);
                }
            }
            pile.clear();
            self.piles[lowest] = pile;
        }
    }

    /// Puts the later half of what is near on piles.
    fn thin_out(&mut self) {
        let mut near = mem::take(&mut self.near);
        let half = near.len() / 2;
        let origin = near[half].at();
        if origin < self.origin {
            // Seen from there, what lies in piles below that of the old origin lies all in that one.
            let common = pile_of(self.origin, origin);
            self.origin = origin;
            for pile in 0..common {
                for key in mem::take(&mut self.piles[pile]) {
                    self.pile(key);
                }
            }
        }
        for key in near.drain(..half).rev() {
            self.pile(key);
        }
        self.near = near;
    }

    /// Keys in the order in which they will come out.
    fn in_order(&self) -> Vec<Key> {
        let mut keys: Vec<Key> = self.near.iter().chain(&self.line).copied().collect();
        keys.extend(self.piles.iter().flatten());
        keys.sort_unstable();
        keys
    }
}

/// The pile of what is due at a time: the highest digit in which that differs from the origin.
fn pile_of(at: SimTime, origin: SimTime) -> usize {
    let differs = at.as_micros() ^ origin.as_micros();
    (differs | 1).ilog2() as usize
}

impl<E: Copy + PartialEq> PartialEq for Calendar<E> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self.in_order().into_iter().zip(other.in_order()).all(|(a, b)| {
                (a.at(), a.rank()) == (b.at(), b.rank())
                    && self.events[a.position()] == other.events[b.position()]
            })
    }
}

impl<E: Copy + Eq> Eq for Calendar<E> {}

impl<E: Copy + Hash> Hash for Calendar<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len().hash(state);
        for key in self.in_order() {
            (key.at(), key.rank()).hash(state);
            self.events[key.position()].hash(state);
        }
    }
}
