//! Little's law, as a check that a run accounts for all of its time.

use crate::{SimDuration, SimTime, statistics::TimeWeighted};

/// Watches arrivals and departures of a system and holds them to Little's law, L = λ W.
///
/// Little, "A Proof for the Queuing Formula: L = λW", *Operations Research* 9 (1961). On a single
/// run the law holds exactly if what is still inside at the end is counted with the time that it
/// has spent so far, the cutoff correction. All sums are whole numbers, so the check is exact: if
/// it fails, time was lost or made up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Littles {
    since: SimTime,
    inside: TimeWeighted,
    arrived: u64,
    departed: u64,
    /// Microseconds spent inside by those that left.
    spent: u128,
}

/// The two sides of Little's law until some moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LittlesCheck {
    /// L: mean number inside over time.
    pub inside: f64,
    /// λ: arrivals a second.
    pub arrivals_per_second: f64,
    /// W with the cutoff correction: mean seconds inside, over all that arrived.
    pub seconds_inside: f64,
    /// W over those that left, in seconds: what one measures without the correction.
    pub seconds_inside_departed: f64,
    /// Whether both sides agree to the microsecond.
    pub holds: bool,
}

impl Littles {
    /// An empty system.
    #[must_use]
    pub const fn new(since: SimTime) -> Self {
        let inside = TimeWeighted::new(since, 0);
        Self { since, inside, arrived: 0, departed: 0, spent: 0 }
    }

    /// One arrives.
    pub fn arrive(&mut self, now: SimTime) {
        self.inside.set(now, self.inside.level() + 1);
        self.arrived += 1;
    }

    /// One that arrived at `arrived` leaves.
    ///
    /// # Panics
    /// If nobody is inside.
    pub fn depart(&mut self, now: SimTime, arrived: SimTime) {
        let level = self.inside.level().checked_sub(1);
        self.inside.set(now, level.expect("nobody is inside who could leave"));
        self.departed += 1;
        self.spent += micros(now - arrived);
    }

    /// How many are inside.
    #[must_use]
    pub const fn inside(&self) -> u32 {
        self.inside.level()
    }

    /// The most that were inside at a time.
    #[must_use]
    pub const fn most_inside(&self) -> u32 {
        self.inside.max()
    }

    /// Both sides of the law from the start until `now`; `still_inside` tells when each of those
    /// that have not left arrived.
    #[must_use]
    pub fn check(
        &self,
        now: SimTime,
        still_inside: impl IntoIterator<Item = SimTime>,
    ) -> LittlesCheck {
        let elapsed = now - self.since;
        let so_far = still_inside.into_iter().map(|arrived| micros(now - arrived));
        let spent = self.spent + so_far.sum::<u128>();
        LittlesCheck {
            inside: self.inside.mean(now),
            arrivals_per_second: self.arrived as f64 / nonzero_seconds(elapsed),
            seconds_inside: mean_seconds(spent, self.arrived),
            seconds_inside_departed: mean_seconds(self.spent, self.departed),
            holds: spent == self.inside.area(now),
        }
    }
}

fn micros(duration: SimDuration) -> u128 {
    u128::from(duration.as_micros())
}

fn mean_seconds(micros: u128, count: u64) -> f64 {
    if count == 0 { 0.0 } else { micros as f64 / count as f64 / 1e6 }
}

fn nonzero_seconds(elapsed: SimDuration) -> f64 {
    elapsed.max(SimDuration::from_micros(1)).as_secs_f64()
}
