//! Backoff and jitter: how long to wait before a retry.
//!
//! Growth without jitter thins out one client and keeps a crowd in step; jitter spreads the crowd.
//! The jitters *equal*, *full* and *decorrelated* are those of Brooker's article of 2015
//! (<https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/>), as in its simulator
//! (`aws-samples/aws-arch-backoff-simulator:src/backoff_simulator.py`); *proportional* is the ±20 %
//! of gRPC (`grpc/proposal:A6-client-retries.md`).
//!
//! ```text
//! ceiling(n)     = min(cap, base · factor^(n−1))          for retry n = 1, 2, …
//! none           = ceiling
//! equal          = ceiling / 2 + uniform(0, ceiling / 2)
//! full           = uniform(0, ceiling)
//! proportional p = ceiling · uniform(1 − p, 1 + p)
//! decorrelated   = min(cap, uniform(base, 3 · previous)), at first previous = base
//! ```
//!
//! Decorrelated jitter ignores n and how the rest grows. The simulator counts n from 0 and asks for
//! n = 1 first, so its "base 5 ms" is a base of 10 ms here, except for decorrelated jitter.

use std::fmt;

use sim::{SimDuration, Stream};

/// How the ceiling grows from retry to retry, before cap and jitter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Growth {
    /// No wait: the next attempt follows at once.
    None,
    /// The same wait each time.
    Fixed {
        /// The wait.
        delay: SimDuration,
    },
    /// `base`, then one `step` more each time.
    Linear {
        /// The first wait.
        base: SimDuration,
        /// What each further one adds.
        step: SimDuration,
    },
    /// `base`, then `factor_percent` hundredths of the one before.
    Exponential {
        /// The first wait.
        base: SimDuration,
        /// 200 doubles; at least 100.
        factor_percent: u32,
    },
    /// One wait after another, as they are written; the last one for all that follow.
    Ladder(Ladder),
}

/// Up to eight waits, written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ladder {
    /// What is not used repeats the last wait.
    rungs: [SimDuration; Ladder::MAX],
}

impl Ladder {
    /// How many waits there may be.
    pub const MAX: usize = 8;

    /// These waits.
    ///
    /// # Errors
    /// If there is none, or more than [`Ladder::MAX`].
    pub fn new(waits: &[SimDuration]) -> Result<Self, BackoffError> {
        let given = waits.len();
        let last = *waits.last().ok_or(BackoffError::Rungs { given })?;
        if given > Self::MAX {
            return Err(BackoffError::Rungs { given });
        }
        let mut rungs = [last; Self::MAX];
        rungs[..given].copy_from_slice(waits);
        Ok(Self { rungs })
    }

    const fn rung(self, retry: u32) -> SimDuration {
        let place = retry.saturating_sub(1) as usize;
        self.rungs[if place < Self::MAX { place } else { Self::MAX - 1 }]
    }
}

/// How chance changes the ceiling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Jitter {
    /// Not at all.
    None,
    /// Half of it is certain, the other half drawn.
    Equal,
    /// All of it is drawn.
    Full,
    /// Drawn between the base and three times the wait before.
    Decorrelated,
    /// Drawn within so many percent around it: 0 to 100.
    Proportional {
        /// 20 for gRPC.
        percent: u32,
    },
}

/// How long to wait before a retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Backoff {
    /// How the ceiling grows.
    pub growth: Growth,
    /// The most that a wait comes to. `None` lets it grow without end.
    pub cap: Option<SimDuration>,
    /// How chance changes it.
    pub jitter: Jitter,
}

/// Why a backoff was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BackoffError {
    /// An exponential backoff with a factor below one shrinks: give 100 or more.
    Shrinks {
        /// What was given.
        factor_percent: u32,
    },
    /// A jitter of more than 100 % would ask for negative waits.
    JitterTooWide {
        /// What was given.
        percent: u32,
    },
    /// A ladder has 1 to [`Ladder::MAX`] waits.
    Rungs {
        /// How many were given.
        given: usize,
    },
    /// Decorrelated jitter needs a base to draw above: give it an exponential or a fixed growth.
    NoBase,
}

impl Backoff {
    /// No wait at all.
    pub const NONE: Self = Self { growth: Growth::None, cap: None, jitter: Jitter::None };

    /// Doubling waits from `base`, at most `cap`.
    #[must_use]
    pub const fn doubling(base: SimDuration, cap: SimDuration, jitter: Jitter) -> Self {
        let growth = Growth::Exponential { base, factor_percent: 200 };
        Self { growth, cap: Some(cap), jitter }
    }

    /// Checks what the types cannot.
    ///
    /// # Errors
    /// The first setting that makes no sense.
    pub fn validate(&self) -> Result<(), BackoffError> {
        if let Growth::Exponential { factor_percent, .. } = self.growth
            && factor_percent < 100
        {
            return Err(BackoffError::Shrinks { factor_percent });
        }
        match self.jitter {
            Jitter::Proportional { percent } if percent > 100 => {
                Err(BackoffError::JitterTooWide { percent })
            }
            Jitter::Decorrelated if self.base().is_zero() => Err(BackoffError::NoBase),
            _ => Ok(()),
        }
    }

    /// The wait before retry `retry`, from 1, capped and without jitter.
    #[must_use]
    pub fn ceiling(&self, retry: u32) -> SimDuration {
        let before = retry.saturating_sub(1);
        let cap = self.cap.unwrap_or(SimDuration::MAX);
        let grown = match self.growth {
            Growth::None => SimDuration::ZERO,
            Growth::Fixed { delay } => delay,
            Growth::Linear { base, step } => base + step * before,
            Growth::Ladder(ladder) => ladder.rung(retry),
            Growth::Exponential { base, factor_percent } => {
                let mut wait = base;
                // Stops at the cap: a factor of one, or a base of zero, never gets there.
                for _ in 0..before {
                    let next = wait.mul_percent(factor_percent);
                    if wait >= cap || next == wait {
                        break;
                    }
                    wait = next;
                }
                wait
            }
        };
        grown.min(cap)
    }

    /// The first wait, before jitter.
    #[must_use]
    pub const fn base(&self) -> SimDuration {
        match self.growth {
            Growth::None => SimDuration::ZERO,
            Growth::Ladder(ladder) => ladder.rung(1),
            Growth::Fixed { delay: base }
            | Growth::Linear { base, .. }
            | Growth::Exponential { base, .. } => base,
        }
    }

    /// The wait before retry `retry`, from 1, drawn; `previous` is that before the last one.
    fn draw(&self, retry: u32, previous: SimDuration, stream: &mut Stream) -> SimDuration {
        let ceiling = self.ceiling(retry);
        match self.jitter {
            Jitter::None => ceiling,
            Jitter::Equal => {
                let half = ceiling / 2;
                half + uniform(SimDuration::ZERO, ceiling - half, stream)
            }
            Jitter::Full => uniform(SimDuration::ZERO, ceiling, stream),
            Jitter::Decorrelated => {
                let drawn = uniform(self.base(), previous * 3, stream);
                drawn.min(self.cap.unwrap_or(SimDuration::MAX))
            }
            Jitter::Proportional { percent } => {
                let least = ceiling.mul_percent(100 - percent.min(100));
                uniform(least, ceiling.mul_percent(100 + percent.min(100)), stream)
            }
        }
    }

    /// The waits of one request, one retry after another.
    #[must_use]
    pub const fn delays(self) -> Delays {
        Delays { backoff: self, grown: Grown::from(&self) }
    }

    /// The waits of a request after so many retries, the last of which came after `previous`: for
    /// whoever keeps no more than these two between attempts, as a worker does that gives its
    /// message back.
    #[must_use]
    pub const fn delays_after(self, retries: u32, previous: SimDuration) -> Delays {
        let previous = if retries == 0 { self.base() } else { previous };
        Delays { backoff: self, grown: Grown { retries, previous } }
    }
}

/// The waits of one request: the numbers of its retries, and for decorrelated jitter the wait
/// before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Delays {
    backoff: Backoff,
    grown: Grown,
}

/// How far the waits of a request have grown, for whoever has the backoff elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Grown {
    retries: u32,
    /// The wait before the last retry.
    previous: SimDuration,
}

impl Grown {
    /// Not at all.
    pub(super) const fn from(backoff: &Backoff) -> Self {
        Self { retries: 0, previous: backoff.base() }
    }

    /// The wait before the next retry.
    pub(super) fn next(&mut self, backoff: &Backoff, stream: &mut Stream) -> SimDuration {
        self.retries = self.retries.saturating_add(1);
        self.previous = backoff.draw(self.retries, self.previous, stream);
        self.previous
    }
}

impl Delays {
    /// The wait before the next retry.
    pub fn next(&mut self, stream: &mut Stream) -> SimDuration {
        self.grown.next(&self.backoff, stream)
    }

    /// How many waits were asked for.
    #[must_use]
    pub const fn retries(&self) -> u32 {
        self.grown.retries
    }

    /// Starts the growth anew, as a server's push-back does in gRPC.
    pub const fn restart(&mut self) {
        *self = self.backoff.delays();
    }
}

/// A length drawn evenly between two, to the microsecond.
fn uniform(least: SimDuration, most: SimDuration, stream: &mut Stream) -> SimDuration {
    let width = most.saturating_sub(least).as_micros();
    // One draw whatever the width, so that a change of the cap leaves what follows alone.
    let drawn = stream.unit() * (width as f64 + 1.0);
    least + SimDuration::from_micros((drawn as u64).min(width))
}

impl fmt::Display for BackoffError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shrinks { factor_percent } => {
                write!(f, "a factor of {factor_percent} % makes waits shrink: give 100 % or more")
            }
            Self::JitterTooWide { percent } => {
                write!(f, "a jitter of {percent} % asks for negative waits: give 100 % or less")
            }
            Self::Rungs { given } => {
                write!(f, "a ladder of {given} waits: give 1 to {}", Ladder::MAX)
            }
            Self::NoBase => {
                write!(f, "decorrelated jitter draws above a base: give a first wait above zero")
            }
        }
    }
}

impl std::error::Error for BackoffError {}
