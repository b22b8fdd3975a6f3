//! What happens to runs that fell into a time when nobody looked.
//!
//! Plain cron forgets them. Temporal makes up for what lies within a window, a year by default
//! (`temporalio/temporal` pull request 4332; a minute before). Kubernetes starts the latest one,
//! if it is no older than `startingDeadlineSeconds`, and gives up when more than 100 were missed
//! without such a deadline (<https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/>).

use sim::SimDuration;

use super::civil::UnixTime;

/// What is made up for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CatchUp {
    /// Nothing.
    Forget,
    /// All that is no older than this.
    All {
        /// How old a run may be.
        within: SimDuration,
    },
    /// The latest, if it is no older than this. `None`: however old, unless more than
    /// [`MISSED_MAX`] were missed.
    Latest {
        /// How old it may be.
        within: Option<SimDuration>,
    },
}

/// How many missed runs Kubernetes puts up with when there is no deadline.
pub const MISSED_MAX: usize = 100;

/// Temporal's window: a year.
pub const TEMPORAL_WINDOW: SimDuration = SimDuration::from_secs(365 * 24 * 60 * 60);

impl CatchUp {
    /// Which of the times that have passed, the last one included, are to be run now.
    #[must_use]
    pub fn choose(self, missed: &[UnixTime], now: UnixTime) -> Vec<UnixTime> {
        let old = |at: &UnixTime| SimDuration::from_secs(now.0.saturating_sub(at.0).max(0) as u64);
        match self {
            Self::Forget => missed.iter().copied().filter(|at| *at == now).collect(),
            Self::All { within } => missed.iter().copied().filter(|at| old(at) <= within).collect(),
            Self::Latest { within } => {
                let latest = missed.last().copied().into_iter();
                latest
                    .filter(|at| match within {
                        Some(within) => old(at) <= within,
                        None => missed.len() <= MISSED_MAX,
                    })
                    .collect()
            }
        }
    }
}
