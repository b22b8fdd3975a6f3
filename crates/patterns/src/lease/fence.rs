//! A resource behind a fence: it remembers the highest token that it has seen and refuses lower
//! ones.

use super::grant::FencingToken;

/// Whether a resource looks at tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fence {
    /// It takes every write.
    None,
    /// It refuses a write with a token below the highest it has seen.
    Checked,
}

/// What a write was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WriteAnswer {
    /// It is in.
    Written,
    /// Someone with a higher token has been here: stop being the holder.
    Stale {
        /// The highest token so far.
        highest: FencingToken,
    },
}

/// A resource that several might write to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FencedResource {
    fence: Fence,
    highest: FencingToken,
    /// How often a write came with a lower token than one before it: with a fence they were
    /// refused, without one they went in.
    stale: u32,
    written: u32,
}

impl FencedResource {
    /// A resource that nobody has written to.
    #[must_use]
    pub fn new(fence: Fence) -> Self {
        Self { fence, highest: FencingToken::default(), stale: 0, written: 0 }
    }

    /// A write by the holder of a token.
    pub fn write(&mut self, token: FencingToken) -> WriteAnswer {
        if token < self.highest {
            self.stale += 1;
            if self.fence == Fence::Checked {
                return WriteAnswer::Stale { highest: self.highest };
            }
        }
        self.highest = self.highest.max(token);
        self.written += 1;
        WriteAnswer::Written
    }

    /// How many writes went in.
    #[must_use]
    pub const fn written(&self) -> u32 {
        self.written
    }

    /// How many writes came too late, refused or not.
    #[must_use]
    pub const fn stale(&self) -> u32 {
        self.stale
    }
}
