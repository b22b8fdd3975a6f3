//! The ready messages of a queue, in the order in which they are served.
//!
//! A classic queue keeps the order of publishing, within each level of priority, and what comes
//! back takes its old place. A quorum queue serves what came back first, in the order of coming
//! back, and then the rest (`take_next_msg` in `rabbit_fifo.erl`); of two lanes it takes two of the
//! upper for each of the lower, unless the lower one is younger (`rabbit_fifo_q.erl`).

use std::collections::VecDeque;
use std::sync::Arc;

use sim::SimTime;
use sim::short::OrderedMap;

use super::super::settings::{
    CLASSIC_PRIORITY_DEFAULT, QUORUM_PRIORITY_DEFAULT, QUORUM_PRIORITY_MAX,
};
use super::super::{Envelope, QueueKind, QuorumPriority, Release, Settings};

/// A message in a queue.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in super::super) struct Held {
    pub envelope: Arc<Envelope>,
    pub arrived: SimTime,
    pub expires_at: Option<SimTime>,
    /// How often it came back.
    pub acquired: u32,
    /// How often it came back in a way that counts for the delivery limit.
    pub failed: u32,
    /// Its number in the order of publishing, within its level.
    place: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Levels {
    /// All messages are equal.
    One,
    /// From the highest priority down; a message without one has `default`.
    Many { highest: u8, default: u8 },
    /// Above 4, and up to 4.
    TwoLanes,
}

/// Which lane of two gave how many.
const UPPER_IN_A_ROW: u8 = 2;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in super::super) struct Line {
    levels: Levels,
    /// By level, the first one first, and by place. A level is appended to, and what comes back was
    /// near its head, so that little moves however many wait. No level is empty.
    messages: OrderedMap<u8, OrderedMap<u64, Held>>,
    /// What came back to a quorum queue.
    returns: VecDeque<Held>,
    last_place: u64,
    served_in_a_row: u8,
    bytes: u64,
}

impl Held {
    pub fn new(now: SimTime, envelope: Arc<Envelope>, expires_at: Option<SimTime>) -> Self {
        Self { envelope, arrived: now, expires_at, acquired: 0, failed: 0, place: 0 }
    }
}

impl Line {
    pub fn new(settings: &Settings, release: Release) -> Self {
        let levels = match (settings.kind, release.quorum_priority()) {
            (QueueKind::Classic, _) => {
                settings.max_priority.map_or(Levels::One, |highest| Levels::Many {
                    highest: u8::try_from(highest).unwrap_or(u8::MAX),
                    default: CLASSIC_PRIORITY_DEFAULT,
                })
            }
            (QueueKind::Quorum, QuorumPriority::Ignored) => Levels::One,
            (QueueKind::Quorum, QuorumPriority::TwoLanes) => Levels::TwoLanes,
            (QueueKind::Quorum, QuorumPriority::Strict) => {
                Levels::Many { highest: QUORUM_PRIORITY_MAX, default: QUORUM_PRIORITY_DEFAULT }
            }
        };
        let (messages, returns) = (OrderedMap::new(), VecDeque::new());
        Self { levels, messages, returns, last_place: 0, served_in_a_row: 0, bytes: 0 }
    }

    pub fn len(&self) -> usize {
        self.messages.values().map(OrderedMap::len).sum::<usize>() + self.returns.len()
    }

    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// In the order of service; of two lanes, the upper first.
    pub fn iter(&self) -> impl Iterator<Item = &Held> {
        self.returns.iter().chain(self.messages.values().flat_map(OrderedMap::values))
    }

    /// Puts a message at the tail of its level.
    pub fn append(&mut self, mut held: Held) {
        self.last_place += 1;
        held.place = self.last_place;
        self.put_back(held);
    }

    /// Puts a message back to the place that it had.
    pub fn put_back(&mut self, held: Held) {
        self.bytes += u64::from(held.envelope.bytes);
        let level = self.level(&held.envelope);
        self.messages.entry(level).or_default().insert(held.place, held);
    }

    /// Puts a message behind what came back before, and before all else.
    pub fn put_with_returns(&mut self, held: Held) {
        self.bytes += u64::from(held.envelope.bytes);
        self.returns.push_back(held);
    }

    /// What is served next.
    pub fn head(&self) -> Option<&Held> {
        self.returns.front().or_else(|| self.messages.get(&self.next_level()?)?.values().next())
    }

    pub fn take_head(&mut self) -> Option<Held> {
        let held = match self.returns.pop_front() {
            Some(held) => held,
            None => {
                let level = self.next_level()?;
                self.served_in_a_row = (self.served_in_a_row + 1) % (UPPER_IN_A_ROW + 1);
                let waiting = self.messages.get_mut(&level)?;
                let (_, held) = waiting.pop_first()?;
                if waiting.is_empty() {
                    self.messages.remove(&level);
                }
                held
            }
        };
        self.bytes -= u64::from(held.envelope.bytes);
        Some(held)
    }

    pub fn clear(&mut self) {
        self.messages.clear();
        self.returns.clear();
        self.bytes = 0;
    }

    /// Takes out what a restart does not leave.
    pub fn retain(&mut self, keep: impl Fn(&Held) -> bool, mut lost: impl FnMut(&Held)) {
        let bytes = &mut self.bytes;
        self.messages.retain(|_, waiting| {
            waiting.retain(|_, held| {
                let kept = keep(held);
                if !kept {
                    *bytes -= u64::from(held.envelope.bytes);
                    lost(held);
                }
                kept
            });
            !waiting.is_empty()
        });
    }

    fn next_level(&self) -> Option<u8> {
        let (first, upper) = self.messages.first_key_value()?;
        if self.levels == Levels::TwoLanes
            && self.served_in_a_row == UPPER_IN_A_ROW
            && let Some((second, lower)) = self.messages.iter().nth(1)
            && lower.keys().next() < upper.keys().next()
        {
            return Some(*second);
        }
        Some(*first)
    }

    fn level(&self, envelope: &Envelope) -> u8 {
        match self.levels {
            Levels::One => 0,
            Levels::Many { highest, default } => {
                highest - envelope.priority.unwrap_or(default).min(highest)
            }
            Levels::TwoLanes => {
                let priority = envelope.priority.unwrap_or(QUORUM_PRIORITY_DEFAULT);
                u8::from(priority <= QUORUM_PRIORITY_DEFAULT)
            }
        }
    }
}
