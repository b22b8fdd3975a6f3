//! A token bucket: so many requests a second, with a burst; who comes without a token is told when
//! there will be one.
//!
//! 429 Too Many Requests: RFC 6585, §4; Retry-After, in whole seconds rounded up: RFC 9110, §10.2.3.

use sim::{SimDuration, SimTime};

/// So many tokens in so much time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rate {
    /// How many; at least 1.
    pub tokens: u32,
    /// In how much time; above zero.
    pub per: SimDuration,
}

/// A bucket that fills at a rate, up to its burst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TokenBucket {
    rate: Rate,
    burst: u32,
    /// What is in it, in microseconds of the rate's time: one token is `per` of them, so that no
    /// fraction is lost.
    level: u64,
    filled_at: SimTime,
    refused: u64,
}

/// Too many requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Throttled {
    /// When there will be enough tokens, if nobody else takes them.
    pub retry_at: SimTime,
    /// The same as a header says it: whole seconds from now, at least 1.
    pub retry_after_secs: u64,
}

impl TokenBucket {
    /// A full bucket.
    #[must_use]
    pub const fn new(rate: Rate, burst: u32) -> Self {
        let level = rate.per.as_micros() * burst as u64;
        Self { rate, burst, level, filled_at: SimTime::ZERO, refused: 0 }
    }

    /// Takes a token.
    ///
    /// # Errors
    /// When to come again.
    pub fn take(&mut self, now: SimTime) -> Result<(), Throttled> {
        self.fill(now);
        let price = self.rate.per.as_micros();
        if self.level >= price {
            self.level -= price;
            return Ok(());
        }
        self.refused += 1;
        let micros = (price - self.level).div_ceil(u64::from(self.rate.tokens.max(1)));
        Err(Throttled {
            retry_at: now + SimDuration::from_micros(micros),
            retry_after_secs: micros.div_ceil(1_000_000).max(1),
        })
    }

    /// How many whole tokens are in it.
    pub fn tokens(&mut self, now: SimTime) -> u32 {
        self.fill(now);
        (self.level / self.rate.per.as_micros().max(1)) as u32
    }

    /// How many requests were refused.
    #[must_use]
    pub const fn refused(&self) -> u64 {
        self.refused
    }

    fn fill(&mut self, now: SimTime) {
        let passed = now.saturating_since(self.filled_at).as_micros();
        let full = self.rate.per.as_micros().saturating_mul(u64::from(self.burst));
        let filled = passed.saturating_mul(u64::from(self.rate.tokens));
        self.level = self.level.saturating_add(filled).min(full);
        self.filled_at = self.filled_at.max(now);
    }
}
