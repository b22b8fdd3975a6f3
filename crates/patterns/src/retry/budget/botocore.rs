//! botocore's retry quota: `boto/botocore:botocore/retries/quota.py`, and `RetryQuotaChecker` in
//! `standard.py`.
//!
//! A client starts with 500 tokens. Every retry borrows some; a success after a retry gives back
//! what the last retry borrowed, a success at the first try gives one token. When the tokens do not
//! reach, the failure is handed to the caller.

use super::Ruling;
use crate::retry::failure::Failure;

/// The tokens of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RetryQuota {
    capacity: u32,
    available: u32,
    prices: Prices,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Prices {
    retry: u32,
    /// For a timeout in the older mode, a throttled request in the newer.
    other: u32,
    other_is: Failure,
}

/// What a request has borrowed for its last retry; it starts with nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Loan {
    borrowed: Option<u32>,
}

const CAPACITY: u32 = 500;
const SUCCESS: u32 = 1;

impl RetryQuota {
    /// The standard mode until version 2.0: a retry costs 5, after a timeout 10.
    #[must_use]
    pub const fn legacy() -> Self {
        Self::with(Prices { retry: 5, other: 10, other_is: Failure::Timeout })
    }

    /// The standard mode 2.1: a retry costs 14, after throttling 5.
    #[must_use]
    pub const fn standard() -> Self {
        Self::with(Prices { retry: 14, other: 5, other_is: Failure::Throttled })
    }

    const fn with(prices: Prices) -> Self {
        Self { capacity: CAPACITY, available: CAPACITY, prices }
    }

    /// May a request that failed like this be retried?
    pub fn acquire(&mut self, failure: Failure, loan: &mut Loan) -> Ruling {
        let other = failure == self.prices.other_is;
        let price = if other { self.prices.other } else { self.prices.retry };
        if price > self.available {
            return Ruling::Denied;
        }
        self.available -= price;
        loan.borrowed = Some(price);
        Ruling::Allowed
    }

    /// A request succeeded.
    pub fn success(&mut self, loan: Loan) {
        let back = loan.borrowed.unwrap_or(SUCCESS);
        self.available = (self.available + back).min(self.capacity);
    }

    /// The tokens that are left.
    #[must_use]
    pub const fn available(&self) -> u32 {
        self.available
    }
}
