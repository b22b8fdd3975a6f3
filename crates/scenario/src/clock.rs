//! The clocks of processes, which may be wrong.

use sim::{SimDuration, SimTime};

/// How far a process's clock is from the time of the run.
///
/// It stays that far: a clock that drifts is one that is set wrong now and then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Skew(i64);

impl Skew {
    /// A clock that tells the time of the run.
    pub const NONE: Self = Self(0);

    /// A clock that is ahead by so much.
    #[must_use]
    pub fn ahead(by: SimDuration) -> Self {
        Self(i64::try_from(by.as_micros()).unwrap_or(i64::MAX))
    }

    /// A clock that is behind by so much.
    #[must_use]
    pub fn behind(by: SimDuration) -> Self {
        Self(-Self::ahead(by).0)
    }

    /// What it shows at a time of the run: microseconds since the start, which may be before it.
    #[must_use]
    pub fn shows(self, at: SimTime) -> i64 {
        i64::try_from(at.as_micros()).unwrap_or(i64::MAX).saturating_add(self.0)
    }

    /// By how much it is ahead, in whole seconds; below zero if it is behind.
    #[must_use]
    pub fn seconds(self) -> i64 {
        self.0 / 1_000_000
    }

    /// Whether it is off by whole seconds.
    #[must_use]
    pub fn is_whole(self) -> bool {
        self.0 % 1_000_000 == 0
    }

    /// How far it is off, and on which side.
    #[must_use]
    pub fn side(self) -> (Side, SimDuration) {
        let side = match self.0 {
            0 => Side::Right,
            1.. => Side::Ahead,
            _ => Side::Behind,
        };
        (side, SimDuration::from_micros(self.0.unsigned_abs()))
    }
}

/// On which side of the time of the run a clock is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// It is right.
    Right,
    /// It is ahead.
    Ahead,
    /// It is behind.
    Behind,
}
