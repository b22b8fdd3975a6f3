//! When things arrive: arrival processes.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::{SimDuration, SimTime, Stream, exponential};

/// An arrival process: at which times something comes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Arrivals {
    /// At these times. They should not go back; one that does is taken as a time equal to the
    /// one before it.
    Schedule(Vec<SimTime>),
    /// The first at `first`, then one every `interval`.
    Every {
        /// The time of the first one.
        first: SimTime,
        /// The time between two.
        interval: SimDuration,
        /// How many come in all, or without end.
        count: Option<u32>,
    },
    /// So many at once, and as many again every `interval`.
    Bursts {
        /// The time of the first burst.
        first: SimTime,
        /// The time between two bursts.
        interval: SimDuration,
        /// How many come at once; at least 1.
        size: u32,
        /// How many come in all, or without end.
        count: Option<u32>,
    },
    /// At a constant rate: number k, from 0, at `from` + k / rate, to the nearest microsecond, so
    /// that rounding does not add up.
    Constant {
        /// The rate.
        per_second: PerSecond,
        /// The time of the first one.
        from: SimTime,
        /// None comes at this time or later.
        until: Option<SimTime>,
        /// How many come in all, or without end.
        count: Option<u32>,
    },
    /// Independently of one another at this rate on average: gaps are exponential, and so is the
    /// wait from `from` to the first one.
    Poisson {
        /// The mean rate.
        per_second: PerSecond,
        /// Where the process begins.
        from: SimTime,
        /// None comes at this time or later.
        until: Option<SimTime>,
        /// How many come in all, or without end.
        count: Option<u32>,
    },
}

/// A rate: so many a second, above zero and at most a million.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct PerSecond(f64);

/// Why a rate was refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RateError {
    /// Not a number, zero or below: leave the source out instead.
    NotPositive(f64),
    /// More than one every microsecond, which is the clock's step.
    TooFast(f64),
}

/// An arrival process under way: hands out one arrival after the other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ArrivalClock {
    arrivals: Arrivals,
    drawn: u32,
    last: SimTime,
}

impl PerSecond {
    /// The highest rate: one every microsecond.
    pub const MAX: Self = Self(1e6);

    /// A rate of `per_second` a second.
    ///
    /// # Errors
    /// [`RateError`] unless it is above zero and at most a million.
    pub fn new(per_second: f64) -> Result<Self, RateError> {
        if per_second.is_nan() || per_second <= 0.0 {
            Err(RateError::NotPositive(per_second))
        } else if per_second > Self::MAX.0 {
            Err(RateError::TooFast(per_second))
        } else {
            Ok(Self(per_second))
        }
    }

    /// The number a second.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// The mean time between two.
    #[must_use]
    pub const fn interval(self) -> SimDuration {
        SimDuration::from_micros_f64(1e6 / self.0)
    }
}

// A rate is never not-a-number and never minus zero: equal rates have equal bits.
impl Eq for PerSecond {}

impl Hash for PerSecond {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

impl ArrivalClock {
    /// The process from its beginning.
    #[must_use]
    pub const fn new(arrivals: Arrivals) -> Self {
        Self { arrivals, drawn: 0, last: SimTime::ZERO }
    }

    /// The time of the next arrival, or `None` when there is none left. Only
    /// [`Arrivals::Poisson`] draws from the stream.
    pub fn next(&mut self, stream: &mut Stream) -> Option<SimTime> {
        let at = self.time_of_next(stream)?;
        self.drawn = self.drawn.saturating_add(1);
        self.last = at;
        Some(at)
    }

    /// How many arrivals were handed out.
    #[must_use]
    pub const fn drawn(&self) -> u32 {
        self.drawn
    }

    /// How many come in all, if that is known beforehand.
    #[must_use]
    pub fn total(&self) -> Option<u32> {
        match &self.arrivals {
            Arrivals::Schedule(times) => u32::try_from(times.len()).ok(),
            Arrivals::Every { count, .. }
            | Arrivals::Bursts { count, .. }
            | Arrivals::Constant { until: None, count, .. }
            | Arrivals::Poisson { until: None, count, .. } => *count,
            Arrivals::Constant { .. } | Arrivals::Poisson { .. } => None,
        }
    }

    fn time_of_next(&self, stream: &mut Stream) -> Option<SimTime> {
        let k = self.drawn;
        let within = |count: Option<u32>| count.is_none_or(|count| k < count);
        let before = |until: Option<SimTime>, at| until.is_none_or(|until| at < until);
        match &self.arrivals {
            Arrivals::Schedule(times) => times.get(k as usize).map(|at| self.last.max(*at)),
            Arrivals::Every { first, interval, count } => {
                within(*count).then(|| if k == 0 { *first } else { self.last + *interval })
            }
            Arrivals::Bursts { first, interval, size, count } => {
                within(*count).then(|| *first + *interval * (k / (*size).max(1)))
            }
            Arrivals::Constant { per_second, from, until, count } => {
                let offset = SimDuration::from_micros_f64(f64::from(k) * 1e6 / per_second.get());
                let at = *from + offset;
                (within(*count) && before(*until, at)).then_some(at)
            }
            Arrivals::Poisson { per_second, from, until, count } => {
                if !within(*count) {
                    return None;
                }
                let gap = exponential::sample(stream) * 1e6 / per_second.get();
                let start = if k == 0 { *from } else { self.last };
                let at = start + SimDuration::from_micros_f64(gap);
                before(*until, at).then_some(at)
            }
        }
    }
}

impl fmt::Display for RateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotPositive(rate) => write!(f, "a rate must be above 0 a second, not {rate}"),
            Self::TooFast(rate) => {
                write!(f, "a rate must be at most 1000000 a second, not {rate}")
            }
        }
    }
}

impl std::error::Error for RateError {}
