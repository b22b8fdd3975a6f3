//! Schedulers: work at an hour.

use patterns::schedule::{Clock, Cron, Overlap, catch_up::CatchUp};
use sim::SimDuration;

use crate::Skew;

/// Hands a run to a worker at each of its hours.
#[derive(Clone, Debug, PartialEq)]
pub struct Scheduler {
    /// When.
    pub cron: Cron,
    /// Where virtual time begins in the calendar, and by whose clock.
    pub clock: Clock,
    /// How far the clocks of its processes are off, in whole seconds.
    pub skew: Skew,
    /// What happens when a run is due while another is running.
    pub overlap: Overlap,
    /// What happens to runs that were missed.
    pub catch_up: CatchUp,
    /// How many processes, none of which knows of the others.
    pub count: u16,
    /// How long a worker has the job before another may have it. `None`: nobody asks.
    pub lease: Option<SimDuration>,
    /// How long a dead process takes to be back. `None`: it stays dead.
    pub restart_after: Option<SimDuration>,
}
