//! A line of messages in the order in which they were first sent.
//!
//! Most messages join at the end and leave from the front, so a double-ended queue carries them;
//! the few that come back into the middle (a lapsed message, a dead letter) go through a heap.
//! Nothing is taken out of the middle: a ticket whose message is gone stays behind until it comes
//! to the front, or until [`Line::retain`] sweeps.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use sim::SimTime;

/// Stale tickets that are tolerated before a sweep pays, beside as many as there are live ones.
pub(super) const SLACK: usize = 32;

/// A place in a line: when the message was first sent, then when it came into this queue.
///
/// `order` is given out once and so also tells whether the message is still the one in `slot`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Ticket {
    pub sent_at: SimTime,
    pub order: u64,
    pub slot: u32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    /// Ascending.
    fresh: VecDeque<Ticket>,
    returned: BinaryHeap<Reverse<Ticket>>,
}

impl Ticket {
    /// Before every other.
    pub const FIRST: Self = Self { sent_at: SimTime::ZERO, order: 0, slot: 0 };
}

impl Line {
    pub fn push(&mut self, ticket: Ticket) {
        if self.fresh.back().is_none_or(|last| *last <= ticket) {
            self.fresh.push_back(ticket);
        } else {
            self.returned.push(Reverse(ticket));
        }
    }

    #[inline]
    pub fn front(&self) -> Option<Ticket> {
        if self.returned.is_empty() {
            return self.fresh.front().copied();
        }
        match (self.fresh.front(), self.returned.peek()) {
            (Some(fresh), Some(Reverse(returned))) => Some(*fresh.min(returned)),
            (Some(ticket), None) | (None, Some(Reverse(ticket))) => Some(*ticket),
            (None, None) => None,
        }
    }

    pub fn pop(&mut self) -> Option<Ticket> {
        match (self.fresh.front(), self.returned.peek()) {
            (Some(fresh), Some(Reverse(returned))) if returned < fresh => self.pop_returned(),
            (Some(_), _) => self.fresh.pop_front(),
            (None, _) => self.pop_returned(),
        }
    }

    /// Takes tickets from the front until one is `live`.
    pub fn prune(&mut self, live: impl Fn(Ticket) -> bool) {
        while self.front().is_some_and(|ticket| !live(ticket)) {
            self.pop();
        }
    }

    /// Drops tickets that are not `live` once they outnumber the live ones, of which there are
    /// `count`. Costs a constant for each ticket that ever joined.
    pub fn sweep(&mut self, count: usize, mut live: impl FnMut(Ticket) -> bool) {
        if self.fresh.len() + self.returned.len() > 2 * count + SLACK {
            self.fresh.retain(|ticket| live(*ticket));
            self.returned.retain(|Reverse(ticket)| live(*ticket));
        }
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.fresh.len() + self.returned.len()
    }

    pub fn clear(&mut self) {
        self.fresh.clear();
        self.returned.clear();
    }

    fn pop_returned(&mut self) -> Option<Ticket> {
        self.returned.pop().map(|Reverse(ticket)| ticket)
    }
}
