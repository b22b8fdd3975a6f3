//! A station: customers arrive, wait in one line, and are served by c servers (G/G/c/K).

use std::collections::VecDeque;

use crate::statistics::{Histogram, Littles, LittlesCheck, Tally};
use crate::{Calendar, Rank, SimDuration, SimTime, Stream, Times};

/// A station, in Kendall's notation G/G/c/K.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Station {
    /// c: how many servers there are.
    pub servers: u32,
    /// K: how many customers fit, waiting and in service; one that finds no room is turned away.
    pub room: Option<u32>,
}

/// What a run of a station measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Calendar events handled: one an arrival, one a completion.
    pub events: u64,
    /// Customers that came, those turned away included.
    pub arrived: u64,
    /// Customers turned away for want of room.
    pub turned_away: u64,
    /// Customers served.
    pub served: u64,
    /// When the last one left.
    pub ended: SimTime,
    /// Wq: seconds from arrival to start of service.
    pub wait: Tally,
    /// W: seconds from arrival to end of service.
    pub sojourn: Tally,
    /// The distribution of W.
    pub sojourns: Histogram,
    /// ρ: the share of the servers' time that was spent serving.
    pub utilisation: f64,
    /// L, λ and W over the whole run, held to Little's law.
    pub littles: LittlesCheck,
}

/// M/M/1 at λ = 0.9 and μ = 1 a second: the classic benchmark of simulation engines.
#[must_use]
pub fn mm1(customers: u64, seed: u64) -> Report {
    let gap = Times::Exponential { mean: SimDuration::from_micros(1_111_111) };
    let service = Times::Exponential { mean: SimDuration::from_secs(1) };
    Station { servers: 1, room: None }.run(
        customers,
        seed,
        |stream| gap.sample(stream),
        |stream| service.sample(stream),
    )
}

impl Station {
    /// Lets `customers` arrive, serves them all, and reports.
    ///
    /// `gap` draws the time to the next arrival, `service` the time that a customer will take; each
    /// has a stream of its own.
    #[must_use]
    pub fn run(
        self,
        customers: u64,
        seed: u64,
        gap: impl Fn(&mut Stream) -> SimDuration,
        service: impl Fn(&mut Stream) -> SimDuration,
    ) -> Report {
        let _ = (customers, seed, gap, service);
        unimplemented!("follows")
    }
}
#[allow(dead_code)]
fn imports(_: Calendar<()>, _: Rank, _: VecDeque<()>, _: Littles) {}
