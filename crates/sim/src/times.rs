//! How long things take: service times, latencies, processing times.

use std::fmt;
use std::sync::Arc;

use crate::{SimDuration, Stream, exponential, normal};

/// A distribution of durations.
///
/// How much of its stream a sample uses up does not depend on the parameters, so that two runs on
/// one seed stay in step when a mean is changed between them.
///
/// Build one with the constructors, which refuse what makes no sense; sampling itself is total and
/// never panics, whatever the fields hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Times {
    /// Always the same. Draws nothing.
    Constant(SimDuration),
    /// Any length from `min` to `max`, each equally likely.
    Uniform {
        /// The shortest.
        min: SimDuration,
        /// The longest.
        max: SimDuration,
    },
    /// Memoryless, with this mean.
    Exponential {
        /// The mean.
        mean: SimDuration,
    },
    /// A long right tail, as latencies have it.
    LogNormal {
        /// Half of the lengths are below.
        median: SimDuration,
        /// One length in a hundred is above.
        p99: SimDuration,
    },
    /// As they were measured: lengths lie evenly between the shortest, the 50th, 90th and 99th
    /// percentile, and the longest.
    Measured([SimDuration; 5]),
    /// One of those that were measured, each place of the list equally likely, and any number of
    /// times: what is not in the list never happens.
    Sample(Arc<[SimDuration]>),
}

/// Why a distribution was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimesError {
    /// `min` is above `max`: swap them.
    MinAboveMax {
        /// The `min` given.
        min: SimDuration,
        /// The `max` given.
        max: SimDuration,
    },
    /// A mean of zero: use a constant time of zero instead.
    MeanZero,
    /// A median of zero: a log-normal time is always above zero, so give its median a length.
    MedianZero,
    /// A list of nothing to draw from.
    EmptySample,
    /// Percentiles that go down: put them in order.
    NotInOrder,
    /// `p99` is below the median: the 99th percentile cannot be.
    P99BelowMedian {
        /// The `median` given.
        median: SimDuration,
        /// The `p99` given.
        p99: SimDuration,
    },
}

/// The 99th percentile of the standard normal distribution.
const Z99: f64 = 2.326_347_874_040_841;

impl Times {
    /// Always `duration`.
    #[must_use]
    pub const fn constant(duration: SimDuration) -> Self {
        Self::Constant(duration)
    }

    /// Any length from `min` to `max`, both included.
    ///
    /// # Errors
    /// [`TimesError::MinAboveMax`].
    pub fn uniform(min: SimDuration, max: SimDuration) -> Result<Self, TimesError> {
        if min > max {
            return Err(TimesError::MinAboveMax { min, max });
        }
        Ok(Self::Uniform { min, max })
    }

    /// Memoryless lengths with this mean.
    ///
    /// # Errors
    /// [`TimesError::MeanZero`].
    pub fn exponential(mean: SimDuration) -> Result<Self, TimesError> {
        if mean.is_zero() {
            return Err(TimesError::MeanZero);
        }
        Ok(Self::Exponential { mean })
    }

    /// Lengths whose logarithm is normal, given by two percentiles, as people measure them.
    ///
    /// # Errors
    /// [`TimesError::MedianZero`], [`TimesError::P99BelowMedian`].
    pub fn log_normal(median: SimDuration, p99: SimDuration) -> Result<Self, TimesError> {
        if median.is_zero() {
            return Err(TimesError::MedianZero);
        }
        if p99 < median {
            return Err(TimesError::P99BelowMedian { median, p99 });
        }
        Ok(Self::LogNormal { median, p99 })
    }

    /// Lengths as they were measured: the shortest, the 50th, 90th and 99th percentile, the longest.
    ///
    /// # Errors
    /// [`TimesError::NotInOrder`].
    pub fn measured(percentiles: [SimDuration; 5]) -> Result<Self, TimesError> {
        if !percentiles.is_sorted() {
            return Err(TimesError::NotInOrder);
        }
        Ok(Self::Measured(percentiles))
    }

    /// One of these lengths, which were measured one by one (the bootstrap of Efron, 1979).
    ///
    /// # Errors
    /// [`TimesError::EmptySample`].
    pub fn sample_of(lengths: &[SimDuration]) -> Result<Self, TimesError> {
        if lengths.is_empty() {
            return Err(TimesError::EmptySample);
        }
        Ok(Self::Sample(lengths.into()))
    }

    /// Draws one length, to the nearest microsecond.
    pub fn sample(&self, stream: &mut Stream) -> SimDuration {
        match self {
            &Self::Constant(duration) => duration,
            &Self::Uniform { min, max } => {
                let span = max.saturating_sub(min).as_micros();
                let above = match span.checked_add(1) {
                    Some(choices) => stream.below(choices),
                    None => stream.bits(),
                };
                min + SimDuration::from_micros(above)
            }
            &Self::Exponential { mean } => {
                let lengths = exponential::sample(stream);
                SimDuration::from_micros_f64(mean.as_micros() as f64 * lengths)
            }
            &Self::LogNormal { median, p99 } => {
                let z = normal::quantile(stream.open_unit());
                let factor = libm::exp(sigma(median, p99) * z);
                SimDuration::from_micros_f64(median.as_micros() as f64 * factor)
            }
            &Self::Measured(percentiles) => measured(percentiles, stream.unit()),
            // One draw whatever the length of the list: lists are far too short for a unit to favour
            // any place by more than one part in 2⁴⁰.
            Self::Sample(lengths) => {
                let place = (stream.unit() * lengths.len() as f64) as usize;
                lengths.get(place).copied().unwrap_or_default()
            }
        }
    }

    /// The mean length.
    #[must_use]
    pub fn mean(&self) -> SimDuration {
        match self {
            &Self::Constant(duration) => duration,
            &Self::Uniform { min, max } => min + max.saturating_sub(min) / 2,
            &Self::Exponential { mean } => mean,
            &Self::LogNormal { median, p99 } => {
                let sigma = sigma(median, p99);
                let factor = libm::exp(sigma * sigma / 2.0);
                SimDuration::from_micros_f64(median.as_micros() as f64 * factor)
            }
            Self::Measured(percentiles) => {
                let mut mean = 0.0;
                for (pair, share) in percentiles.windows(2).zip(SHARES) {
                    let middle = (pair[0].as_micros() as f64 + pair[1].as_micros() as f64) / 2.0;
                    mean += middle * share;
                }
                SimDuration::from_micros_f64(mean)
            }
            Self::Sample(lengths) => {
                let sum: f64 = lengths.iter().map(|length| length.as_micros() as f64).sum();
                SimDuration::from_micros_f64(sum / lengths.len().max(1) as f64)
            }
        }
    }
}

/// Which share of measured lengths lies between one percentile and the next.
const SHARES: [f64; 4] = [0.5, 0.4, 0.09, 0.01];

/// The length at a place from 0 to 1 in the order of measured lengths.
fn measured(percentiles: [SimDuration; 5], place: f64) -> SimDuration {
    let mut below = 0.0;
    for (pair, share) in percentiles.windows(2).zip(SHARES) {
        if place < below + share {
            let width = pair[1].saturating_sub(pair[0]).as_micros() as f64;
            return pair[0] + SimDuration::from_micros_f64(width * (place - below) / share);
        }
        below += share;
    }
    percentiles[4]
}

/// The standard deviation of the logarithm of a log-normal length.
fn sigma(median: SimDuration, p99: SimDuration) -> f64 {
    if median.is_zero() {
        return 0.0;
    }
    libm::log(p99.as_micros() as f64 / median.as_micros() as f64) / Z99
}

impl fmt::Display for TimesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MinAboveMax { min, max } => {
                write!(f, "the shortest time ({min}) is above the longest ({max}): swap them")
            }
            Self::EmptySample => write!(f, "there is no time to draw from: list one"),
            Self::NotInOrder => write!(f, "these percentiles go down: put them in order"),
            Self::MeanZero => write!(f, "an exponential time needs a mean above 0 s"),
            Self::MedianZero => write!(f, "a log-normal time needs a median above 0 s"),
            Self::P99BelowMedian { median, p99 } => {
                write!(f, "the 99th percentile ({p99}) is below the median ({median}): raise it")
            }
        }
    }
}

impl std::error::Error for TimesError {}
