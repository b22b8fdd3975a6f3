//! A scheduler in a frame.

use broker::MessageId;
use sim::SimTime;
use world::WorkerId;

use super::WorkerState;

/// A scheduler at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct SchedulerFrame {
    /// What each of its processes is doing.
    pub clerks: Vec<WorkerState>,
    /// When the next run is due.
    pub next: Option<SimTime>,
    /// Runs that are due and not over, the oldest first; at most [`super::SHOWN`].
    pub runs: Vec<RunFrame>,
    /// Runs that are over.
    pub done: u32,
    /// Runs that did not take place because another was running.
    pub skipped: u32,
    /// Runs that were missed and not made up for.
    pub missed: u32,
}

/// A run at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct RunFrame {
    /// What is handed to a worker.
    pub message: MessageId,
    /// For which hour it is, in seconds of Unix time.
    pub due: i64,
    /// Who has it, and the token of the hand-out.
    pub held: Option<(WorkerId, u32)>,
    /// When its lease lapses.
    pub until: Option<SimTime>,
}
