//! A level that changes by steps, averaged over time.

use crate::{SimDuration, SimTime};

/// The area under a step curve, such as the depth of a queue, and the mean that follows from it.
///
/// The area is a whole number of level-microseconds and therefore exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeWeighted {
    since: SimTime,
    changed: SimTime,
    level: u32,
    max: u32,
    area: u128,
}

impl TimeWeighted {
    /// A curve that starts at this level.
    #[must_use]
    pub const fn new(since: SimTime, level: u32) -> Self {
        Self { since, changed: since, level, max: level, area: 0 }
    }

    /// The level is `level` from `now` on.
    ///
    /// # Panics
    /// If `now` is before the last change.
    pub fn set(&mut self, now: SimTime, level: u32) {
        self.area += area(now - self.changed, self.level);
        self.changed = now;
        self.level = level;
        self.max = self.max.max(level);
    }

    /// The level now.
    #[must_use]
    pub const fn level(&self) -> u32 {
        self.level
    }

    /// The highest level so far.
    #[must_use]
    pub const fn max(&self) -> u32 {
        self.max
    }

    /// Level times time from the start until `now`, in level-microseconds.
    ///
    /// # Panics
    /// If `now` is before the last change.
    #[must_use]
    pub fn area(&self, now: SimTime) -> u128 {
        self.area + area(now - self.changed, self.level)
    }

    /// The mean level from the start until `now`; the level itself if no time has passed.
    ///
    /// # Panics
    /// If `now` is before the last change.
    #[must_use]
    pub fn mean(&self, now: SimTime) -> f64 {
        let elapsed = now - self.since;
        if elapsed.is_zero() {
            return f64::from(self.level);
        }
        self.area(now) as f64 / elapsed.as_micros() as f64
    }
}

/// By halves: WebAssembly has no wide product, and this runs on every event.
fn area(time: SimDuration, level: u32) -> u128 {
    let (micros, level) = (time.as_micros(), u64::from(level));
    let low = (micros & u64::from(u32::MAX)) * level;
    let high = (micros >> u32::BITS) * level;
    u128::from(low) + (u128::from(high) << u32::BITS)
}
