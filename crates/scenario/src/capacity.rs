//! How much an external service can do at once, and what becomes of who comes beyond that.

use patterns::overload::Saturation;
use sim::{PerSecond, SimDuration};

/// The capacity of an external service.
#[derive(Clone, Debug, PartialEq)]
pub struct Capacity {
    /// How much it can do.
    pub limit: Throughput,
    /// How many calls may wait for their turn.
    pub waiting: u32,
    /// What a call hears that finds no room to wait.
    pub when_full: WhenFull,
    /// Which share of its servers and their waiting room, in hundredths, may be taken for each class
    /// of calls to be let in ([`crate::Service::shed_at_percent`]). Empty for other forms.
    pub shed_at_percent: Vec<u32>,
}

/// How much an external service can do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Throughput {
    /// So many calls at once; each takes the service's latency.
    Servers(u32),
    /// So many calls a second, of which `burst` may come at once.
    Rate {
        /// The rate.
        per_second: PerSecond,
        /// How many may come at once.
        burst: u32,
    },
    /// Calls are taken in slices of time, and the more are asked for in a slice beyond what can be
    /// done, the less is done ([`patterns::overload::saturation`]). What is done and what is
    /// turned down is known at the end of the slice.
    Slices {
        /// How long a slice is.
        slice: SimDuration,
        /// How much is done in one.
        saturation: Saturation,
    },
}

/// What a call hears that finds no room to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WhenFull {
    /// An error, at once (503).
    Refuse,
    /// An error, at once, with the time at which there will be room, where that is known (429 with a
    /// Retry-After).
    RefuseUntil,
}
