//! A tally: mean and spread of single observations.

use crate::SimDuration;

/// Count, mean, variance, least and greatest of a sequence of observations, in constant space.
///
/// Welford, "Note on a Method for Calculating Corrected Sums of Squares and Products",
/// *Technometrics* 4 (1962): the running mean keeps the sum of squares free of cancellation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tally {
    count: u64,
    mean: f64,
    squares: f64,
    min: f64,
    max: f64,
}

impl Default for Tally {
    fn default() -> Self {
        Self::new()
    }
}

impl Tally {
    /// No observation yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { count: 0, mean: 0.0, squares: 0.0, min: f64::INFINITY, max: f64::NEG_INFINITY }
    }

    /// Adds one observation.
    pub fn record(&mut self, value: f64) {
        self.count += 1;
        let above = value - self.mean;
        self.mean += above / self.count as f64;
        self.squares += above * (value - self.mean);
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }

    /// Adds one observed length, in microseconds.
    pub fn record_duration(&mut self, duration: SimDuration) {
        self.record(duration.as_micros() as f64);
    }

    /// How many observations there were.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The mean, or zero without an observation.
    #[must_use]
    pub const fn mean(&self) -> f64 {
        self.mean
    }

    /// The sample variance (divided by n - 1), or zero with fewer than two observations.
    #[must_use]
    pub fn variance(&self) -> f64 {
        if self.count < 2 { 0.0 } else { self.squares / (self.count - 1) as f64 }
    }

    /// The sample standard deviation.
    #[must_use]
    pub fn standard_deviation(&self) -> f64 {
        libm::sqrt(self.variance())
    }

    /// The least observation.
    #[must_use]
    pub fn min(&self) -> Option<f64> {
        (self.count > 0).then_some(self.min)
    }

    /// The greatest observation.
    #[must_use]
    pub fn max(&self) -> Option<f64> {
        (self.count > 0).then_some(self.max)
    }
}
