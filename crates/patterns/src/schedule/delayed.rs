//! Work at a moment: a table of jobs with a time to run at, and a poller.
//!
//! The delay belongs to the job, not to a sleeping worker, which would hold a place and lose the job
//! at the next deploy. A poller that takes 50 rows a second is exact to about a second. The job looks
//! at the state of things when it runs: what was to be cancelled may have been paid.

use std::collections::BTreeSet;

use sim::{SimDuration, SimTime};

/// A job by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub u64);

/// The settings of the poller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// The time between two looks.
    pub period: SimDuration,
    /// How many jobs one look takes.
    pub limit: usize,
}

/// Jobs that wait for their time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DelayedJobs {
    settings: Settings,
    /// By time, then by number.
    waiting: BTreeSet<(SimTime, JobId)>,
    next_look: SimTime,
}

impl DelayedJobs {
    /// No jobs; the first look is at `start`.
    #[must_use]
    pub const fn new(settings: Settings, start: SimTime) -> Self {
        Self { settings, waiting: BTreeSet::new(), next_look: start }
    }

    /// Adds a job.
    pub fn schedule(&mut self, run_at: SimTime, job: JobId) {
        self.waiting.insert((run_at, job));
    }

    /// Takes a job out. Tells whether it was still waiting.
    pub fn cancel(&mut self, run_at: SimTime, job: JobId) -> bool {
        self.waiting.remove(&(run_at, job))
    }

    /// Looks, if it is time to: appends the jobs whose time has come, the oldest first.
    pub fn advance(&mut self, now: SimTime, due: &mut Vec<JobId>) {
        if now < self.next_look {
            return;
        }
        self.next_look = now + self.settings.period;
        for _ in 0..self.settings.limit {
            match self.waiting.first().copied() {
                Some((run_at, job)) if run_at <= now => {
                    self.waiting.pop_first();
                    due.push(job);
                }
                _ => break,
            }
        }
    }

    /// When it looks next: there is no need to before the first job's time.
    #[must_use]
    pub fn next_deadline(&self) -> Option<SimTime> {
        let (run_at, _) = self.waiting.first()?;
        if *run_at <= self.next_look {
            return Some(self.next_look);
        }
        // Looks come at whole periods.
        let period = self.settings.period.as_micros().max(1);
        let ahead = run_at.saturating_since(self.next_look).as_micros().div_ceil(period);
        Some(self.next_look + SimDuration::from_micros(ahead * period))
    }

    /// How many jobs wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether none does.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}
