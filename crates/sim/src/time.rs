//! Virtual time: whole microseconds since the start of a run.
//!
//! Integers, so that equal times are equal, sums do not depend on their order, and a native run
//! and a run in a browser agree to the last digit. A `u64` of microseconds stays exact in a
//! JavaScript number for 285 years.
//!
//! Sums saturate at [`SimTime::MAX`], which therefore means *never*; a difference that would be
//! negative is a mistake of the caller and panics, unless asked for by
//! [`SimTime::saturating_since`].

use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Sub, SubAssign};

const MICROS_PER_MILLI: u64 = 1_000;
const MICROS_PER_SEC: u64 = 1_000_000;

/// A moment of virtual time, in microseconds since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SimTime(u64);

/// A length of virtual time, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SimDuration(u64);

impl SimTime {
    /// The start of a run.
    pub const ZERO: Self = Self(0);
    /// Later than anything that happens: never.
    pub const MAX: Self = Self(u64::MAX);

    /// The moment `micros` microseconds after the start.
    #[must_use]
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// The moment `millis` milliseconds after the start.
    #[must_use]
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis.saturating_mul(MICROS_PER_MILLI))
    }

    /// The moment `secs` seconds after the start.
    #[must_use]
    pub const fn from_secs(secs: u64) -> Self {
        Self(secs.saturating_mul(MICROS_PER_SEC))
    }

    /// Microseconds since the start.
    #[must_use]
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// Seconds since the start, for charts and measures; never for comparing two moments.
    #[must_use]
    pub const fn as_secs_f64(self) -> f64 {
        SimDuration(self.0).as_secs_f64()
    }

    /// The time from `earlier` to `self`, or nothing at all if `earlier` is in fact later.
    #[must_use]
    pub const fn saturating_since(self, earlier: Self) -> SimDuration {
        SimDuration(self.0.saturating_sub(earlier.0))
    }

    /// The time from `earlier` to `self`, or `None` if `earlier` is in fact later.
    #[must_use]
    pub const fn checked_since(self, earlier: Self) -> Option<SimDuration> {
        match self.0.checked_sub(earlier.0) {
            Some(micros) => Some(SimDuration(micros)),
            None => None,
        }
    }

    /// `self + duration`, or `None` past the end of time.
    #[must_use]
    pub const fn checked_add(self, duration: SimDuration) -> Option<Self> {
        match self.0.checked_add(duration.0) {
            Some(micros) => Some(Self(micros)),
            None => None,
        }
    }

    /// `self - duration`, or `None` before the start.
    #[must_use]
    pub const fn checked_sub(self, duration: SimDuration) -> Option<Self> {
        match self.0.checked_sub(duration.0) {
            Some(micros) => Some(Self(micros)),
            None => None,
        }
    }

    /// `self - duration`, or the start if that is reached first.
    #[must_use]
    pub const fn saturating_sub(self, duration: SimDuration) -> Self {
        Self(self.0.saturating_sub(duration.0))
    }
}

impl SimDuration {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// Longer than any run.
    pub const MAX: Self = Self(u64::MAX);

    /// A length of `micros` microseconds.
    #[must_use]
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// A length of `millis` milliseconds.
    #[must_use]
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis.saturating_mul(MICROS_PER_MILLI))
    }

    /// A length of `secs` seconds.
    #[must_use]
    pub const fn from_secs(secs: u64) -> Self {
        Self(secs.saturating_mul(MICROS_PER_SEC))
    }

    /// The length nearest to `micros`, a result of float arithmetic: negative and not-a-number
    /// become [`SimDuration::ZERO`], what is too long becomes [`SimDuration::MAX`].
    #[must_use]
    pub const fn from_micros_f64(micros: f64) -> Self {
        // Signed conversion is the cheap one; a cast saturates and takes not-a-number to zero.
        let whole = (micros + 0.5) as i64;
        match whole {
            i64::MAX => Self::MAX,
            ..=0 => Self::ZERO,
            _ => Self(whole as u64),
        }
    }

    /// The length in microseconds.
    #[must_use]
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// The length in seconds, for charts and measures; never for comparing two lengths.
    #[must_use]
    pub const fn as_secs_f64(self) -> f64 {
        self.0 as f64 / MICROS_PER_SEC as f64
    }

    /// Whether this is no time at all.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// `self - other`, or nothing at all if `other` is longer.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// `self - other`, or `None` if `other` is longer.
    #[must_use]
    pub const fn checked_sub(self, other: Self) -> Option<Self> {
        match self.0.checked_sub(other.0) {
            Some(micros) => Some(Self(micros)),
            None => None,
        }
    }

    /// `self + other`, or `None` if that is more than can be told.
    #[must_use]
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        match self.0.checked_add(other.0) {
            Some(micros) => Some(Self(micros)),
            None => None,
        }
    }

    /// `percent` hundredths of this length, to the nearest microsecond (halves up), saturating.
    #[must_use]
    pub const fn mul_percent(self, percent: u32) -> Self {
        // An hour and less, times whatever, fits in 64 bits, which divide much faster.
        if self.0 >> 32 == 0 {
            return Self((self.0 * percent as u64 + 50) / 100);
        }
        let hundredths = self.0 as u128 * percent as u128;
        let micros = (hundredths + 50) / 100;
        if micros > u64::MAX as u128 { Self::MAX } else { Self(micros as u64) }
    }
}

impl Add<SimDuration> for SimTime {
    type Output = Self;

    fn add(self, duration: SimDuration) -> Self {
        Self(self.0.saturating_add(duration.0))
    }
}

impl AddAssign<SimDuration> for SimTime {
    fn add_assign(&mut self, duration: SimDuration) {
        *self = *self + duration;
    }
}

impl Sub for SimTime {
    type Output = SimDuration;

    /// # Panics
    /// If `earlier` is later than `self`.
    fn sub(self, earlier: Self) -> SimDuration {
        match self.checked_since(earlier) {
            Some(duration) => duration,
            None => panic!("{earlier} is later than {self}: a duration cannot be negative"),
        }
    }
}

impl Add for SimDuration {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for SimDuration {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for SimDuration {
    type Output = Self;

    /// # Panics
    /// If `other` is longer than `self`.
    fn sub(self, other: Self) -> Self {
        match self.checked_sub(other) {
            Some(duration) => duration,
            None => panic!("{other} is longer than {self}: a duration cannot be negative"),
        }
    }
}

impl SubAssign for SimDuration {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Mul<u32> for SimDuration {
    type Output = Self;

    fn mul(self, times: u32) -> Self {
        Self(self.0.saturating_mul(u64::from(times)))
    }
}

impl Div<u32> for SimDuration {
    type Output = Self;

    /// Rounds down.
    ///
    /// # Panics
    /// If `parts` is zero.
    fn div(self, parts: u32) -> Self {
        Self(self.0 / u64::from(parts))
    }
}

impl std::iter::Sum for SimDuration {
    fn sum<I: Iterator<Item = Self>>(durations: I) -> Self {
        durations.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for SimTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        SimDuration(self.0).fmt(f)
    }
}

/// Seconds with up to six decimals and no trailing zeros: `34.2 s`, `30 s`, `0.000001 s`.
impl fmt::Display for SimDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (secs, micros) = (self.0 / MICROS_PER_SEC, self.0 % MICROS_PER_SEC);
        if micros == 0 {
            return f.pad(&format!("{secs} s"));
        }
        let decimals = format!("{micros:06}");
        f.pad(&format!("{secs}.{} s", decimals.trim_end_matches('0')))
    }
}
