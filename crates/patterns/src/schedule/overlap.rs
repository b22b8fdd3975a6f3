//! What happens when a run is due while another is running.
//!
//! Temporal's six policies (`temporalio/temporal:service/worker/scheduler/buffer.go`), of which
//! Kubernetes' three and robfig's two wrappers are cases:
//!
//! | elsewhere | here |
//! | --- | --- |
//! | Kubernetes `Allow` | [`Overlap::AllowAll`] |
//! | Kubernetes `Forbid`, robfig `SkipIfStillRunning` | [`Overlap::Skip`] |
//! | Kubernetes `Replace` | [`Overlap::TerminateOther`] |
//! | robfig `DelayIfStillRunning` | [`Overlap::BufferAll`] |
//! | a lock with a skip, or with a wait for one | [`Overlap::Skip`], [`Overlap::BufferOne`] |

/// An overlap policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Overlap {
    /// The new run does not take place.
    Skip,
    /// It waits for the other to end; a second one that comes meanwhile does not take place.
    BufferOne,
    /// It waits, and so does every other.
    BufferAll,
    /// The running one is asked to stop, and the newest starts when it has.
    CancelOther,
    /// The running one is stopped, and the newest starts.
    TerminateOther,
    /// All run side by side.
    AllowAll,
}

/// Runs that are due or wait, the oldest first, and what is to be done about them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Actions<R> {
    /// What starts side by side.
    pub overlapping: Vec<R>,
    /// The one that starts alone.
    pub start: Option<R>,
    /// What goes on waiting.
    pub buffer: Vec<R>,
    /// What is done to the run that is running.
    pub stop: Option<Stop>,
    /// How many do not take place.
    pub skipped: u32,
}

/// How a run is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stop {
    /// It is asked to, and may take its time.
    Cancel,
    /// It is cut off.
    Terminate,
}

/// Whether a run is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Busy {
    /// One is.
    Running,
    /// None is.
    Idle,
}

impl Overlap {
    /// Decides about runs that are due or wait.
    #[must_use]
    pub fn decide<R: Clone>(self, due: &[R], busy: Busy) -> Actions<R> {
        let mut actions = Actions {
            overlapping: Vec::new(),
            start: None,
            buffer: Vec::new(),
            stop: None,
            skipped: 0,
        };
        for run in due {
            if self == Self::AllowAll {
                actions.overlapping.push(run.clone());
                continue;
            }
            if busy == Busy::Idle && actions.start.is_none() {
                actions.start = Some(run.clone());
                continue;
            }
            match (self, busy) {
                (Self::Skip, _) => actions.skipped += 1,
                (Self::BufferOne, _) if !actions.buffer.is_empty() => actions.skipped += 1,
                (Self::BufferOne | Self::BufferAll, _) => actions.buffer.push(run.clone()),
                // It was about to start and has not: the newer one takes its place.
                (Self::CancelOther | Self::TerminateOther, Busy::Idle) => {
                    actions.start = Some(run.clone());
                }
                (Self::CancelOther, Busy::Running) => {
                    actions.stop = Some(Stop::Cancel);
                    actions.buffer.push(run.clone());
                }
                (Self::TerminateOther, Busy::Running) => {
                    actions.stop = Some(Stop::Terminate);
                    actions.buffer.push(run.clone());
                }
                (Self::AllowAll, _) => {}
            }
        }
        actions
    }
}
