//! A handler as a list of steps.
//!
//! One list has four uses: it is what the engine runs, its borders are where a crash can fall, its
//! lines are what a learner drags, and its rows are those of a crash matrix.

use sim::{SimDuration, Times};

use crate::{ComponentId, StepIndex};

/// What a service or a worker does with a message: steps, one after another.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Program {
    /// The lines.
    pub steps: Vec<Step>,
}

impl Program {
    /// The line at a position.
    #[must_use]
    pub fn step(&self, index: StepIndex) -> Option<&Step> {
        self.steps.get(index.index())
    }

    /// The lines that have an effect outside, as bits by position. `limits::STEPS` is at most 64.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.lines()
            .filter(|(_, step)| matches!(step.act, Act::Call { .. }))
            .fold(0, |bits, (index, _)| bits | 1 << index.index())
    }

    /// Every line with its position.
    pub fn lines(&self) -> impl Iterator<Item = (StepIndex, &Step)> {
        self.steps.iter().enumerate().map(|(i, step)| (StepIndex::new(i), step))
    }
}

/// One line of a handler.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What a person calls it.
    pub label: String,
    /// What it does.
    pub act: Act,
}

/// What a line does.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Work inside the process that takes time and touches nothing else.
    Wait {
        /// How long.
        time: Times,
    },
    /// Ask an external service to do something, and wait for its answer. What becomes of it if the
    /// caller dies meanwhile is the service's to say ([`crate::IfCallerDies`]).
    Call {
        /// The external service.
        to: ComponentId,
        /// How long to wait for the answer. `None`: as long as it takes.
        timeout: Option<SimDuration>,
    },
    /// Tell the queue that the message is done.
    Ack {
        /// How long until the queue hears it.
        takes: Times,
    },
    /// Give the message back.
    Nack {
        /// How long until the queue hears it.
        takes: Times,
        /// How long it then stays hidden.
        delay: SimDuration,
    },
    /// Move the end of the hidden time.
    Extend {
        /// How long until the queue hears it.
        takes: Times,
        /// The hidden time from then on.
        to: SimDuration,
    },
    /// Put the message into a queue and wait for the confirm.
    Publish {
        /// The queue.
        to: ComponentId,
        /// How long until the queue has committed it.
        takes: Times,
        /// How long it stays hidden; the queue's own delay if `None`.
        delay: Option<SimDuration>,
    },
    /// Answer the request.
    Respond {
        /// The status code.
        status: u16,
    },
}

impl Act {
    /// Whether this line reads the message, and so fails on one that can never succeed.
    #[must_use]
    pub fn reads_message(&self) -> bool {
        matches!(self, Self::Wait { .. } | Self::Call { .. })
    }

    /// The field's word for the line.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Wait { .. } => "wait",
            Self::Call { .. } => "call",
            Self::Ack { .. } => "ack",
            Self::Nack { .. } => "nack",
            Self::Extend { .. } => "extend",
            Self::Publish { .. } => "publish",
            Self::Respond { .. } => "respond",
        }
    }
}
