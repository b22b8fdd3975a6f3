//! Which message: the identity that it keeps through every queue of a run.

/// A message of a run, by its number.
///
/// It stays the same when the message is delivered again or moved to a dead-letter queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageId(u32);

impl MessageId {
    /// The message at a position, from 0.
    #[must_use]
    pub const fn from_index(index: u32) -> Self {
        Self(index)
    }

    /// Its position, from 0: for tables.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its number, from 1: for people.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0 + 1
    }
}
