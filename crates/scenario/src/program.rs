//! A handler as a list of steps.
//!
//! One list has four uses: it is what the engine runs, its borders are where a crash can fall, its
//! lines are what a learner drags, and its rows are those of a crash matrix.

use patterns::retry::FailureClass;
use sim::{SimDuration, Times};

use crate::{
    Admission, BreakerSettings, Commit, ComponentId, Operand, Retry, SchemaId, Statement,
    StepIndex, TypeId,
};

/// What a service or a worker does with a message: steps, one after another.
///
/// Branches lie in the same flat list: first the main lines, then those that are run only after
/// another outcome than `ok`. A position therefore names a line for good, whatever leads to it.
/// A line may lead back to an earlier one: so a handler works off what it finds in a table, row by
/// row, until there is no more.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Program {
    /// The lines.
    pub steps: Vec<Step>,
    /// How many of them are main lines; the others belong to branches.
    pub main: usize,
}

impl Program {
    /// The line at a position.
    #[must_use]
    #[inline]
    pub fn step(&self, index: StepIndex) -> Option<&Step> {
        self.steps.get(index.index())
    }

    /// The main lines that have an effect outside and are run for a message, as bits by position.
    /// `limits::STEPS` is at most 64.
    #[must_use]
    pub fn effects(&self, is_run: impl Fn(&Step) -> bool) -> u64 {
        self.steps[..self.main]
            .iter()
            .enumerate()
            .filter(|(_, step)| step.act.has_effect() && is_run(step))
            .fold(0, |bits, (index, _)| bits | 1 << index)
    }
}

/// One line of a handler.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What a person calls it.
    pub label: String,
    /// What it does.
    pub act: Act,
    /// The type of message that it is for; the others pass it by. `None`: it is for all.
    pub if_type: Option<TypeId>,
    /// The line after it; `None` at the end of the handler or of a branch.
    pub next: Option<StepIndex>,
    /// What follows other outcomes, in document order.
    pub on: Vec<Branch>,
}

impl Step {
    /// The branch for an outcome, if there is one. The first that fits counts.
    #[must_use]
    pub fn branch(&self, fits: impl Fn(When) -> bool) -> Option<&Branch> {
        self.on.iter().find(|branch| fits(branch.when))
    }
}

/// What follows an outcome other than `ok`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Which outcome.
    pub when: When,
    /// The line to go on with; `None`: the handler is over, and that is no failure.
    pub then: Option<StepIndex>,
}

/// The outcomes that a branch can be for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// A row with that key is there already.
    Conflict,
    /// No row fitted the condition.
    ZeroRows,
    /// A read has found a row.
    Found,
    /// The other side answered with an error, of whatever class.
    Error,
    /// An error of this class only.
    ErrorOf(FailureClass),
    /// No answer in time.
    Timeout,
    /// Turned down without being tried.
    Refused,
    /// The message can never succeed.
    Poison,
}

impl When {
    /// Every outcome with its word on the wire.
    pub const ALL: [(&'static str, Self); 10] = [
        ("conflict", Self::Conflict),
        ("zero-rows", Self::ZeroRows),
        ("found", Self::Found),
        ("error", Self::Error),
        ("transient", Self::ErrorOf(FailureClass::Transient)),
        ("permanent", Self::ErrorOf(FailureClass::Permanent)),
        ("unknown", Self::ErrorOf(FailureClass::Unknown)),
        ("timeout", Self::Timeout),
        ("refused", Self::Refused),
        ("poison", Self::Poison),
    ];
}

/// What a line does.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Work inside the process that takes time and touches nothing else.
    Wait {
        /// How long.
        time: Times,
    },
    /// Ask another service to do something, and wait for its answer. What becomes of it if the
    /// caller dies meanwhile is an external service's to say ([`crate::IfCallerDies`]); one of
    /// our own goes on.
    Call {
        /// The service.
        to: ComponentId,
        /// Which of its handlers, if it is one of our own.
        handler: usize,
        /// How long to wait for the answer. `None`: as long as it takes.
        timeout: Option<SimDuration>,
        /// When a failed call is made again.
        retry: Option<Box<Retry>>,
        /// The circuit breaker that it goes through.
        breaker: Option<Box<BreakerSettings>>,
        /// The idempotency key that goes with it.
        key: Option<Box<Operand>>,
    },
    /// Tell the queue that the message is done.
    Ack {
        /// How long until the queue hears it.
        takes: Times,
    },
    /// Tell the queue that the message is done, because there is nothing to do about it: it is stale,
    /// or of no interest. Its work is not owed any more, while that of a message which is acked and was
    /// not worked on is lost.
    Drop {
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
    /// Look whether the time is over for which the message is the worker's, by its own clock and the
    /// end that it was told. It is refused if so.
    CheckLease {
        /// How long it takes.
        takes: Times,
    },
    /// Put the message into a queue and wait for the confirm.
    Publish {
        /// The queue.
        to: ComponentId,
        /// How long until the queue has committed it.
        takes: Times,
        /// How long it stays hidden; the queue's own delay if `None`.
        delay: Option<SimDuration>,
        /// The schema that its body is written with; that of the message in hand if `None`.
        schema: Option<SchemaId>,
        /// The type that its body says. What is published is then a message of its own, also where
        /// no broker has the one in hand yet. `None`: it says what the one in hand does.
        kind: Option<TypeId>,
    },
    /// Read the message's body with a schema. It fails for good if the body was written with one that
    /// this one cannot read, or does not say with which.
    Decode {
        /// The reader's schema.
        schema: SchemaId,
        /// How long it takes.
        takes: Times,
    },
    /// Ask whether a new version may follow those before it. It is refused if not.
    Admit {
        /// What is asked.
        admission: Box<Admission>,
        /// How long it takes.
        takes: Times,
    },
    /// Put the message aside: into the dead-letter queue of the one it came from, or another.
    DeadLetter {
        /// How long until that is done.
        takes: Times,
        /// The queue; the dead-letter queue of the one it came from if `None`.
        to: Option<ComponentId>,
    },
    /// The process dies, as of memory that has run out. Its component says when it is back.
    Crash {
        /// How long it holds out.
        takes: Times,
    },
    /// Begin a transaction in a database. Without one, each statement is a transaction of its own.
    /// What is open when the handler is over, or its process dies, is rolled back.
    Begin {
        /// The database.
        database: ComponentId,
        /// How long it takes.
        takes: Times,
    },
    /// Carry out a statement, in the transaction that is open in its database if one is.
    Statement(Box<Statement>),
    /// Commit the transactions that are open.
    Commit {
        /// How long it takes; what the databases say if `None`.
        takes: Option<Times>,
        /// What several databases are asked.
        how: Commit,
    },
    /// Roll back the transactions that are open.
    Rollback {
        /// How long it takes.
        takes: Times,
    },
    /// Answer the request. Lines after it run on, and nobody waits for them.
    Respond {
        /// The status code.
        status: u16,
    },
}

impl Act {
    /// Whether this line reads the message, and so fails on one that can never succeed.
    #[must_use]
    pub fn reads_message(&self) -> bool {
        matches!(
            self,
            Self::Wait { .. } | Self::Call { .. } | Self::Decode { .. } | Self::Statement(_)
        )
    }

    /// Whether this line changes something outside of the process that handles the message.
    #[must_use]
    pub fn has_effect(&self) -> bool {
        match self {
            Self::Call { .. } | Self::Publish { .. } => true,
            Self::Statement(statement) => statement.has_effect(),
            _ => false,
        }
    }

    /// Whether this line reads rows, and so can find some.
    #[must_use]
    pub fn is_read(&self) -> bool {
        matches!(self, Self::Statement(statement) if !statement.does.writes())
    }

    /// Whether a database carries this line out.
    #[must_use]
    pub fn is_about_rows(&self) -> bool {
        matches!(
            self,
            Self::Begin { .. } | Self::Statement(_) | Self::Commit { .. } | Self::Rollback { .. }
        )
    }

    /// Whether this line is the last word about a delivery, and does not only ask for more time.
    #[must_use]
    pub fn ends_delivery(&self) -> bool {
        self.settles() && !matches!(self, Self::Extend { .. })
    }

    /// Whether this line settles a delivery: a broker that turns it down is no failure of the
    /// handler.
    #[must_use]
    pub fn settles(&self) -> bool {
        matches!(
            self,
            Self::Ack { .. }
                | Self::Drop { .. }
                | Self::Nack { .. }
                | Self::Extend { .. }
                | Self::DeadLetter { .. }
        )
    }

    /// Whether this line needs the dead-letter queue of the queue that the message came from.
    #[must_use]
    pub fn needs_dead_letters(&self) -> bool {
        matches!(self, Self::DeadLetter { to: None, .. })
    }

    /// The field's word for the line.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Wait { .. } => "wait",
            Self::Call { .. } => "call",
            Self::Ack { .. } => "ack",
            Self::Drop { .. } => "drop",
            Self::Nack { .. } => "nack",
            Self::Extend { .. } => "extend",
            Self::CheckLease { .. } => "check-lease",
            Self::Publish { .. } => "publish",
            Self::DeadLetter { .. } => "dead-letter",
            Self::Crash { .. } => "crash",
            Self::Decode { .. } => "decode",
            Self::Admit { .. } => "admit",
            Self::Respond { .. } => "respond",
            Self::Begin { .. } => "begin",
            Self::Statement(statement) => statement.does.word(),
            Self::Commit { .. } => "commit",
            Self::Rollback { .. } => "rollback",
        }
    }
}
