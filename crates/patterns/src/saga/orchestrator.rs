//! An orchestrated saga: one conductor holds the flow.
//!
//! It asks one participant at a time. When a step fails for good, it compensates the steps before
//! it, in reverse. When a step *times out* for good, it compensates that step, too: it may have
//! happened. A pivot that times out cannot be made up for, so it is asked again until it says whether
//! it happened. Compensations are tried until they work; one with a limit that gives up leaves the saga
//! stuck, for people to mend. An answer that comes after its step was given up changes nothing here
//! and is told as late: a participant with a tombstone has refused it already.

use sim::{SimTime, Stream};

use super::definition::{Definition, StepKind};
use crate::retry::policy::Wish;
use crate::retry::{Backoff, Decision, FailureClass, Policy, Retries};

/// What the conductor asks of a participant. The key of a command is (saga, step, direction), so
/// that asking twice is asking once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// Do this step.
    Act {
        /// Which step, from 0.
        step: usize,
        /// Which attempt, from 1.
        attempt: u32,
    },
    /// Make up for this step.
    Compensate {
        /// Which step, from 0.
        step: usize,
        /// Which attempt, from 1.
        attempt: u32,
    },
}

/// What a participant answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reply {
    /// It is done.
    Done,
    /// It is not done, and this is why.
    Failed(FailureClass),
}

/// How far a saga has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Progress {
    /// This step is being done.
    Running {
        /// Which step, from 0.
        step: usize,
    },
    /// This step is being made up for.
    Compensating {
        /// Which step, from 0.
        step: usize,
    },
    /// All steps are done.
    Completed,
    /// All that was done is made up for.
    Compensated,
    /// A compensation gave up.
    Stuck {
        /// Which step is left as it is, from 0.
        step: usize,
    },
}

/// Whether an answer was still wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Heard {
    /// The saga has moved on by it.
    InTime,
    /// The step was given up before: if it was done, its compensation must come to nothing being
    /// left of it.
    Late,
}

/// A running saga.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Orchestrator {
    definition: Definition,
    compensations: Policy,
    progress: Progress,
    retries: Retries,
    /// When the current command counts as unanswered.
    times_out_at: Option<SimTime>,
    /// When the current command is given again.
    again_at: Option<SimTime>,
    /// How many commands were given, by step: acts, compensations.
    commands: Vec<(u32, u32)>,
}

impl Orchestrator {
    /// Starts a saga: answers with it and its first command. Compensations are tried as
    /// `compensations` says; without a limit they are tried until they work.
    #[must_use]
    pub fn start(now: SimTime, definition: Definition, compensations: Policy) -> (Self, Command) {
        let steps = definition.steps().len();
        let retries = definition.steps()[0].retries.start(now);
        let mut saga = Self {
            definition,
            compensations,
            progress: Progress::Running { step: 0 },
            retries,
            times_out_at: None,
            again_at: None,
            commands: vec![(0, 0); steps],
        };
        let command = saga.command(now).expect("a saga has a first step");
        (saga, command)
    }

    /// How far it has come.
    #[must_use]
    pub const fn progress(&self) -> Progress {
        self.progress
    }

    /// Whether it is over, well or not.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        matches!(
            self.progress,
            Progress::Completed | Progress::Compensated | Progress::Stuck { .. }
        )
    }

    /// How many commands were given for a step: to do it, and to make up for it.
    #[must_use]
    pub fn commands(&self, step: usize) -> (u32, u32) {
        self.commands[step]
    }

    /// An answer comes in to a command. Tells whether it was wanted, and what to ask next.
    pub fn answer(
        &mut self,
        now: SimTime,
        command: Command,
        reply: Reply,
        stream: &mut Stream,
    ) -> (Heard, Option<Command>) {
        if !self.awaits(command) {
            return (Heard::Late, None);
        }
        self.times_out_at = None;
        let next = match reply {
            Reply::Done => self.succeed(now),
            Reply::Failed(class) => self.fail(now, class, Unanswered::No, stream),
        };
        (Heard::InTime, next)
    }

    /// Lets time pass: what is unanswered has failed, what waits for another attempt is asked again.
    pub fn advance(&mut self, now: SimTime, stream: &mut Stream) -> Option<Command> {
        if self.again_at.is_some_and(|at| at <= now) {
            self.again_at = None;
            return self.command(now);
        }
        if self.times_out_at.is_some_and(|at| at <= now) {
            self.times_out_at = None;
            return self.fail(now, FailureClass::Transient, Unanswered::Yes, stream);
        }
        None
    }

    /// When [`Orchestrator::advance`] has something to do.
    #[must_use]
    pub fn next_deadline(&self) -> Option<SimTime> {
        self.again_at.or(self.times_out_at)
    }

    /// Whether this is the step and direction that it is at. An answer to an earlier attempt will
    /// do: it is the same work.
    const fn awaits(&self, command: Command) -> bool {
        match (self.progress, command) {
            (Progress::Running { step }, Command::Act { step: asked, .. })
            | (Progress::Compensating { step }, Command::Compensate { step: asked, .. }) => {
                step == asked
            }
            _ => false,
        }
    }

    fn succeed(&mut self, now: SimTime) -> Option<Command> {
        self.again_at = None;
        match self.progress {
            Progress::Running { step } if step + 1 < self.definition.steps().len() => {
                self.progress = Progress::Running { step: step + 1 };
                self.retries = self.policy(step + 1).start(now);
                self.command(now)
            }
            Progress::Running { .. } => {
                self.progress = Progress::Completed;
                None
            }
            Progress::Compensating { step } => self.compensate_below(now, step),
            Progress::Completed | Progress::Compensated | Progress::Stuck { .. } => None,
        }
    }

    fn fail(
        &mut self,
        now: SimTime,
        class: FailureClass,
        unanswered: Unanswered,
        stream: &mut Stream,
    ) -> Option<Command> {
        let must_succeed = match self.progress {
            Progress::Running { step } => self.must_succeed(step),
            _ => self.compensations.attempts.is_none(),
        };
        // What must succeed is tried again even after a failure that looks permanent: there is
        // nowhere else to go.
        let class = if must_succeed { FailureClass::Transient } else { class };
        let policy = match self.progress {
            Progress::Running { step } => self.policy(step),
            _ => self.compensations,
        };
        match self.retries.fail(&policy, now, class, Wish::Nothing, stream) {
            Decision::Retry { at, .. } => {
                self.again_at = Some(at);
                None
            }
            Decision::GiveUp(_) => match self.progress {
                Progress::Running { step }
                    if unanswered == Unanswered::Yes && self.is_pivot(step) =>
                {
                    let backoff = self.policy(step).backoff;
                    self.again_at = Some(now + backoff.ceiling(self.retries.attempt()));
                    None
                }
                Progress::Running { step } => {
                    let from = match unanswered {
                        Unanswered::Yes => step + 1,
                        Unanswered::No => step,
                    };
                    self.compensate_below(now, from)
                }
                Progress::Compensating { step } => {
                    self.progress = Progress::Stuck { step };
                    None
                }
                _ => None,
            },
        }
    }

    /// Makes up for the last compensable step before a place.
    fn compensate_below(&mut self, now: SimTime, place: usize) -> Option<Command> {
        let Some((step, _)) = self.definition.undone(place).next() else {
            self.progress = Progress::Compensated;
            return None;
        };
        self.progress = Progress::Compensating { step };
        self.retries = self.compensations.start(now);
        self.command(now)
    }

    fn command(&mut self, now: SimTime) -> Option<Command> {
        let attempt = self.retries.attempt();
        let (step, command) = match self.progress {
            Progress::Running { step } => {
                self.commands[step].0 += 1;
                (step, Command::Act { step, attempt })
            }
            Progress::Compensating { step } => {
                self.commands[step].1 += 1;
                (step, Command::Compensate { step, attempt })
            }
            _ => return None,
        };
        self.times_out_at = self.definition.steps()[step].timeout.map(|timeout| now + timeout);
        Some(command)
    }

    fn must_succeed(&self, step: usize) -> bool {
        self.definition.steps()[step].kind == StepKind::Retriable
    }

    fn is_pivot(&self, step: usize) -> bool {
        self.definition.steps()[step].kind == StepKind::Pivot
    }

    fn policy(&self, step: usize) -> Policy {
        let policy = self.definition.steps()[step].retries;
        if self.must_succeed(step) {
            Policy { attempts: None, unknown_attempts: None, give_up_after: None, ..policy }
        } else {
            policy
        }
    }
}

/// Whether a failure is the absence of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unanswered {
    Yes,
    No,
}

/// Compensations that are tried until they work, with these waits.
#[must_use]
pub const fn until_they_work(backoff: Backoff) -> Policy {
    let mut policy = Policy::attempts(1, backoff);
    policy.attempts = None;
    policy
}
