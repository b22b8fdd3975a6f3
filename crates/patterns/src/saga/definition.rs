//! What a saga is made of.

use std::fmt;

use sim::SimDuration;

use crate::retry::Policy;

/// A saga: its steps in order, and what holds for all of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Definition {
    steps: Vec<Step>,
}

/// A step of a saga: a local transaction at one participant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// Where it stands to the point of no return.
    pub kind: StepKind,
    /// How long an answer may take; then the step counts as failed, and may have happened all the
    /// same. `None`: for ever.
    pub timeout: Option<SimDuration>,
    /// How often it is tried before it counts as failed. A retriable step goes on for ever,
    /// whatever is said here.
    pub retries: Policy,
}

/// What a step is to the saga.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepKind {
    /// It can be made up for.
    Compensable(Compensation),
    /// The point of no return: if it succeeds, the saga goes on to its end.
    Pivot,
    /// After the point of no return: it must succeed in the end.
    Retriable,
}

/// How well a step can be made up for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compensation {
    /// As if it had never been: a reservation is released.
    Reversible,
    /// Something remains: a refund, with the charge on the statement for a day.
    WithResidue,
    /// Nothing undoes it; a correction is sent: a mail.
    None,
}

/// Steps that do not make a saga.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DefinitionError {
    /// A saga has at least one step.
    Empty,
    /// A compensable step after the pivot, or after a retriable one: it could never be needed.
    CompensableTooLate {
        /// Which step, from 0.
        step: usize,
    },
    /// A pivot after another pivot or a retriable step: there is one point of no return.
    PivotTooLate {
        /// Which step, from 0.
        step: usize,
    },
}

impl Definition {
    /// A saga of these steps.
    ///
    /// # Errors
    /// The first step that stands in the wrong place.
    pub fn new(steps: &[Step]) -> Result<Self, DefinitionError> {
        if steps.is_empty() {
            return Err(DefinitionError::Empty);
        }
        let mut past_pivot = false;
        for (place, step) in steps.iter().enumerate() {
            match step.kind {
                StepKind::Compensable(_) if past_pivot => {
                    return Err(DefinitionError::CompensableTooLate { step: place });
                }
                StepKind::Pivot if past_pivot => {
                    return Err(DefinitionError::PivotTooLate { step: place });
                }
                StepKind::Compensable(_) => {}
                StepKind::Pivot | StepKind::Retriable => past_pivot = true,
            }
        }
        Ok(Self { steps: steps.to_vec() })
    }

    /// The steps, in order.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// What is left behind when step `failed`, from 0, fails for good: of each step before it, in
    /// the order in which they are made up for, how well that goes.
    pub fn undone(&self, failed: usize) -> impl Iterator<Item = (usize, Compensation)> {
        let before = self.steps[..failed].iter().enumerate().rev();
        before.filter_map(|(place, step)| match step.kind {
            StepKind::Compensable(compensation) => Some((place, compensation)),
            StepKind::Pivot | StepKind::Retriable => None,
        })
    }

    /// How likely it is that all steps succeed, each with this probability.
    #[must_use]
    pub fn success_odds(&self, each: f64) -> f64 {
        self.steps.iter().fold(1.0, |odds, _| odds * each)
    }
}

impl Step {
    /// A compensable step without timeout or retries.
    #[must_use]
    pub const fn compensable(compensation: Compensation) -> Self {
        Self { kind: StepKind::Compensable(compensation), timeout: None, retries: Policy::NONE }
    }

    /// A pivot without timeout or retries.
    #[must_use]
    pub const fn pivot() -> Self {
        Self { kind: StepKind::Pivot, timeout: None, retries: Policy::NONE }
    }

    /// A retriable step that is tried again in this way.
    #[must_use]
    pub const fn retriable(retries: Policy) -> Self {
        Self { kind: StepKind::Retriable, timeout: None, retries }
    }
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "a saga has at least one step"),
            Self::CompensableTooLate { step } => {
                write!(f, "step {step} can be compensated, but stands past the pivot")
            }
            Self::PivotTooLate { step } => {
                write!(f, "step {step} is a pivot, but the point of no return is behind it")
            }
        }
    }
}

impl std::error::Error for DefinitionError {}
