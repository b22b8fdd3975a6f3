//! How far a number of attempts reaches: the sum of the waits between them, and the chance that the
//! last attempt comes after an outage.
//!
//! A wait with jitter is a certain part and a part drawn evenly, so a sum of waits is a certain part
//! and a sum of uniform draws of different widths. Its distribution is known in closed form (Feller,
//! *An Introduction to Probability Theory and Its Applications*, volume 2 (1971), I.9, theorem 1a):
//!
//! ```text
//! P(U₁ + … + Uₙ ≤ t) = Σ over subsets S of (−1)^|S| · max(0, t − w(S))ⁿ / (n! · w₁ · … · wₙ)
//! ```

use sim::SimDuration;

use super::backoff::{Backoff, Jitter};

/// More retries have more subsets than are worth adding up.
pub const RETRIES_MAX: u32 = 13;

/// How long after the first attempt the last one starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reach {
    /// If every draw is the least.
    pub least: SimDuration,
    /// On average.
    pub mean: SimDuration,
    /// If every draw is the most.
    pub most: SimDuration,
}

impl Backoff {
    /// The least and the most that the wait before `retry` may be. `None` for decorrelated jitter,
    /// whose waits depend on what was drawn before.
    #[must_use]
    pub fn bounds(&self, retry: u32) -> Option<(SimDuration, SimDuration)> {
        let ceiling = self.ceiling(retry);
        match self.jitter {
            Jitter::None => Some((ceiling, ceiling)),
            Jitter::Equal => Some((ceiling / 2, ceiling)),
            Jitter::Full => Some((SimDuration::ZERO, ceiling)),
            Jitter::Proportional { percent } => {
                let percent = percent.min(100);
                Some((ceiling.mul_percent(100 - percent), ceiling.mul_percent(100 + percent)))
            }
            Jitter::Decorrelated => None,
        }
    }

    /// How far so many attempts reach. `None` for decorrelated jitter.
    #[must_use]
    pub fn reach(&self, attempts: u32) -> Option<Reach> {
        let (mut least, mut most) = (SimDuration::ZERO, SimDuration::ZERO);
        for retry in 1..attempts {
            let (low, high) = self.bounds(retry)?;
            (least, most) = (least + low, most + high);
        }
        // Every draw is even, so the mean lies in the middle.
        let mean = least + most.saturating_sub(least) / 2;
        Some(Reach { least, mean, most })
    }

    /// The chance that the last of so many attempts starts later than `outage` after the first.
    /// `None` for decorrelated jitter, and for more than [`RETRIES_MAX`] retries with jitter.
    #[must_use]
    pub fn outlasts(&self, outage: SimDuration, attempts: u32) -> Option<f64> {
        let reach = self.reach(attempts)?;
        if outage < reach.least {
            return Some(1.0);
        }
        if outage >= reach.most {
            return Some(0.0);
        }
        if attempts.saturating_sub(1) > RETRIES_MAX {
            return None;
        }
        let mut widths = Vec::new();
        for retry in 1..attempts {
            let (low, high) = self.bounds(retry)?;
            let width = seconds(high.saturating_sub(low));
            if width > 0.0 {
                widths.push(width);
            }
        }
        let (drawn, whole) = (seconds(outage - reach.least), widths.iter().sum::<f64>());
        // The sum lies evenly around its middle; near zero the alternating terms stay small.
        let within = if drawn <= whole / 2.0 {
            at_most(drawn, &widths)
        } else {
            1.0 - at_most(whole - drawn, &widths)
        };
        Some((1.0 - within).clamp(0.0, 1.0))
    }
}

fn seconds(wait: SimDuration) -> f64 {
    wait.as_secs_f64()
}

/// The chance that even draws from zero to these widths come to no more than `sum`.
fn at_most(sum: f64, widths: &[f64]) -> f64 {
    let mut total = 0.0;
    for subset in 0..1_u32 << widths.len() {
        let mut left = sum;
        for (place, width) in widths.iter().enumerate() {
            if subset >> place & 1 == 1 {
                left -= width;
            }
        }
        if left <= 0.0 {
            continue;
        }
        // leftⁿ / (n! · w₁ · … · wₙ), factor by factor, so that no part of it grows large.
        let term: f64 = widths.iter().zip(1_u32..).map(|(w, n)| left / w / f64::from(n)).product();
        total += if subset.count_ones() % 2 == 0 { term } else { -term };
    }
    total
}
