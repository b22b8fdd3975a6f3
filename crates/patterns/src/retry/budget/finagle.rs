//! Finagle's retry budget: `twitter/finagle:finagle-core/…/service/RetryBudget.scala` over
//! `twitter/util`'s leaky token bucket.
//!
//! Each request deposits 1000 tokens that leak away after about `ttl`; a retry withdraws
//! 1000 / share. A reserve of `min_retries_per_second · ttl` retries is always there to begin with,
//! for clients that have just started or ask seldom. Time is cut into ten slices of the `ttl`, and
//! what a slice was given or lost leaves with it.

use std::fmt;

use sim::{SimDuration, SimTime};

use super::Ruling;

const SCALE: i64 = 1_000;
const SLICES: usize = 10;

/// A share of recent requests that may be retried.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FinagleBudget {
    slice: SimDuration,
    deposit: i64,
    withdrawal: i64,
    reserve: i64,
    /// What each of the last slices was given, less what was taken.
    slices: [i64; SLICES],
    /// The number of the newest slice since the start of time.
    newest: u64,
}

/// Why a budget was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FinagleError {
    /// The time to live must be from 1 s to 60 s.
    TimeToLive {
        /// What was given.
        given: SimDuration,
    },
    /// The share must be at most 1000 times the requests.
    Share {
        /// What was given, in thousandths.
        milli: u32,
    },
}

impl FinagleBudget {
    /// The product's default: 20 % of the requests of the last 10 s, and 10 retries a second.
    ///
    /// # Panics
    /// Never: the numbers are in range.
    #[must_use]
    pub fn standard() -> Self {
        Self::new(SimDuration::from_secs(10), 10, 200).expect("the default is in range")
    }

    /// A share of requests, in thousandths, and `min_per_second` retries a second on top.
    ///
    /// # Errors
    /// A number outside of its range.
    pub fn new(ttl: SimDuration, min_per_second: u32, milli: u32) -> Result<Self, FinagleError> {
        let secs = ttl.as_micros() / 1_000_000;
        if !(1..=60).contains(&secs) {
            return Err(FinagleError::TimeToLive { given: ttl });
        }
        if milli > 1_000_000 {
            return Err(FinagleError::Share { milli });
        }
        // Without a share every retry costs one, and requests give nothing.
        let (deposit, withdrawal) =
            if milli == 0 { (0, 1) } else { (SCALE, SCALE * 1_000 / i64::from(milli)) };
        Ok(Self {
            slice: ttl / SLICES as u32,
            deposit,
            withdrawal,
            reserve: i64::from(min_per_second) * secs as i64 * withdrawal,
            slices: [0; SLICES],
            newest: 0,
        })
    }

    /// A request goes out.
    pub fn deposit(&mut self, now: SimTime) {
        self.turn(now);
        *self.current() += self.deposit;
    }

    /// May a retry go out?
    pub fn withdraw(&mut self, now: SimTime) -> Ruling {
        self.turn(now);
        if self.tokens() < self.withdrawal {
            return Ruling::Denied;
        }
        *self.current() -= self.withdrawal;
        Ruling::Allowed
    }

    /// How many retries there are left now.
    pub fn balance(&mut self, now: SimTime) -> u32 {
        self.turn(now);
        (self.tokens().max(0) / self.withdrawal) as u32
    }

    fn tokens(&self) -> i64 {
        self.slices.iter().sum::<i64>() + self.reserve
    }

    fn current(&mut self) -> &mut i64 {
        &mut self.slices[(self.newest % SLICES as u64) as usize]
    }

    /// Empties the slices that time has passed over.
    fn turn(&mut self, now: SimTime) {
        let number = now.as_micros() / self.slice.as_micros();
        let passed = number.saturating_sub(self.newest).min(SLICES as u64);
        for step in 0..passed {
            self.slices[((number - step) % SLICES as u64) as usize] = 0;
        }
        self.newest = self.newest.max(number);
    }
}

impl fmt::Display for FinagleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TimeToLive { given } => {
                write!(f, "the time to live is {given}: it must be from 1 s to 60 s")
            }
            Self::Share { milli } => {
                write!(f, "the share is {milli} thousandths: it must be at most 1000000")
            }
        }
    }
}

impl std::error::Error for FinagleError {}
