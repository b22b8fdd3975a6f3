//! A buffer with an end.

use std::collections::VecDeque;

/// What happens to who comes when it is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WhenFull {
    /// It waits until there is room: the sender is slowed down, as a Kafka producer is by
    /// `buffer.memory` and `max.block.ms`.
    Block,
    /// It is refused, and told when to come again: 429 or 503 with a Retry-After.
    Refuse,
    /// It is dropped, and counted.
    DropNewest,
    /// The oldest is dropped for it, and counted.
    DropOldest,
}

/// What became of one that came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Admission<T> {
    /// It is in.
    Accepted,
    /// It waits outside.
    Blocked,
    /// It was refused.
    Refused,
    /// It was dropped.
    Dropped,
    /// It is in, and this one was dropped for it.
    Replaced(T),
}

/// A buffer for so many.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BoundedBuffer<T> {
    capacity: usize,
    when_full: WhenFull,
    inside: VecDeque<T>,
    outside: VecDeque<T>,
    refused: u64,
    dropped: u64,
}

impl<T> BoundedBuffer<T> {
    /// An empty buffer.
    #[must_use]
    pub const fn new(capacity: usize, when_full: WhenFull) -> Self {
        Self {
            capacity,
            when_full,
            inside: VecDeque::new(),
            outside: VecDeque::new(),
            refused: 0,
            dropped: 0,
        }
    }

    /// One comes.
    pub fn offer(&mut self, item: T) -> Admission<T> {
        if self.inside.len() < self.capacity {
            self.inside.push_back(item);
            return Admission::Accepted;
        }
        match self.when_full {
            WhenFull::Block => {
                self.outside.push_back(item);
                Admission::Blocked
            }
            WhenFull::Refuse => {
                self.refused += 1;
                Admission::Refused
            }
            WhenFull::DropNewest => {
                self.dropped += 1;
                Admission::Dropped
            }
            WhenFull::DropOldest => {
                self.dropped += 1;
                self.inside.push_back(item);
                match self.inside.pop_front() {
                    Some(oldest) => Admission::Replaced(oldest),
                    None => Admission::Dropped,
                }
            }
        }
    }

    /// The oldest leaves; whoever has waited longest outside comes in.
    pub fn take(&mut self) -> Option<T> {
        let item = self.inside.pop_front()?;
        self.inside.extend(self.outside.pop_front());
        Some(item)
    }

    /// How many are inside.
    #[must_use]
    pub fn len(&self) -> usize {
        self.inside.len()
    }

    /// Whether none is inside.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.inside.is_empty()
    }

    /// How many wait outside.
    #[must_use]
    pub fn blocked(&self) -> usize {
        self.outside.len()
    }

    /// How many were refused.
    #[must_use]
    pub const fn refused(&self) -> u64 {
        self.refused
    }

    /// How many were dropped.
    #[must_use]
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }
}
