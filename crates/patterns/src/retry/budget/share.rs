//! A plain share: retries under way are at most so many percent of the requests under way, and
//! always a few. Envoy's retry budget
//! (<https://www.envoyproxy.io/docs/envoy/latest/api-v3/config/cluster/v3/circuit_breaker.proto>,
//! `RetryBudget`: 20 % and 3 by default).

use super::Ruling;

/// Retries as a share of what is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Share {
    percent: u32,
    at_least: u32,
    requests: u32,
    retries: u32,
}

impl Share {
    /// At most `percent` hundredths of the requests under way, and always `at_least`.
    #[must_use]
    pub const fn new(percent: u32, at_least: u32) -> Self {
        Self { percent, at_least, requests: 0, retries: 0 }
    }

    /// A request goes out, a first try.
    pub const fn begin(&mut self) {
        self.requests += 1;
    }

    /// May a retry go out? It then counts as under way, too.
    pub fn begin_retry(&mut self) -> Ruling {
        let under_way = u64::from(self.requests + self.retries);
        let share = (under_way * u64::from(self.percent) / 100) as u32;
        if self.retries >= share.max(self.at_least) {
            return Ruling::Denied;
        }
        self.retries += 1;
        Ruling::Allowed
    }

    /// A first try came back.
    pub const fn end(&mut self) {
        self.requests = self.requests.saturating_sub(1);
    }

    /// A retry came back.
    pub const fn end_retry(&mut self) {
        self.retries = self.retries.saturating_sub(1);
    }
}
