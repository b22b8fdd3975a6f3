//! Faults and interventions: one vocabulary for what breaks on its own and what somebody does.

use broker::MessageId;
use sim::{SimDuration, SimTime};

use crate::{ComponentId, Skew};

/// Something done to a run at a time. Those of one instant happen after everything else of it, in
/// their order, because whoever acts has seen that instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Intervention {
    /// When.
    pub at: SimTime,
    /// What.
    pub action: Action,
}

/// What can be done to a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A process dies, and what it held is forgotten. Whether what it asked of others goes
    /// on is theirs to say ([`crate::IfCallerDies`]).
    Crash {
        /// The workers or the service.
        component: ComponentId,
        /// Which process, from 0. `None`: all of them.
        instance: Option<u16>,
        /// How long until it is back; the component's own `restart_after` if `None`.
        restart_after: Option<SimDuration>,
        /// The border between two lines at which it dies; at once if `None`.
        border: Option<Border>,
    },
    /// A process makes no progress for a while.
    Pause {
        /// The workers or the service.
        component: ComponentId,
        /// Which process, from 0. `None`: all of them.
        instance: Option<u16>,
        /// For how long.
        lasts: SimDuration,
    },
    /// A process takes longer for what it does.
    Slow {
        /// The workers or the service.
        component: ComponentId,
        /// Which process, from 0. `None`: all of them.
        instance: Option<u16>,
        /// Its times become this many hundredths of what they were; 100 changes nothing.
        percent: u32,
        /// For how long.
        lasts: SimDuration,
    },
    /// A process's clock is set wrong, or right again.
    Skew {
        /// The workers, the service or the scheduler.
        component: ComponentId,
        /// Which process, from 0. `None`: all of them.
        instance: Option<u16>,
        /// How far it is off from then on.
        clock: Skew,
    },
    /// An external service is down: calls that would finish meanwhile fail.
    Outage {
        /// The external service.
        component: ComponentId,
        /// For how long.
        lasts: SimDuration,
    },
    /// Part of an external service's capacity is gone, or its calls take longer.
    Brownout {
        /// The external service.
        component: ComponentId,
        /// How much of its capacity is left, in hundredths.
        capacity_percent: u32,
        /// How long calls that begin meanwhile take, in hundredths.
        latency_percent: u32,
        /// For how long.
        lasts: SimDuration,
    },
    /// Processes are started or stopped until so many run. Who stops finishes what it has in hand.
    Scale {
        /// The workers or the service.
        component: ComponentId,
        /// How many shall run, at most the component's `count`.
        to: u16,
        /// How long a process takes to start.
        start_up: SimDuration,
    },
    /// Every process is replaced, one after another.
    Deploy {
        /// The workers or the service.
        component: ComponentId,
        /// How long one is away.
        takes: SimDuration,
        /// What becomes of what it has in hand.
        how: Replacing,
    },
    /// The link between two components is cut: what is sent over it meanwhile is lost.
    Cut {
        /// One end.
        component: ComponentId,
        /// The other.
        to: ComponentId,
        /// For how long.
        lasts: SimDuration,
    },
    /// A source's schedule goes by faster for a while, or slower.
    Spike {
        /// The source.
        component: ComponentId,
        /// How fast, in hundredths.
        percent: u32,
        /// For how long.
        lasts: SimDuration,
    },
    /// The next ack of a worker process is lost on its way.
    LoseAck {
        /// The workers component.
        component: ComponentId,
        /// Which process, from 0. `None`: each of them loses one.
        instance: Option<u16>,
    },
    /// The answer to the next receive of a worker process is lost on its way.
    LoseReceive {
        /// The workers component.
        component: ComponentId,
        /// Which process, from 0. `None`: each of them loses one.
        instance: Option<u16>,
    },
    /// The next confirm of a queue is lost on its way.
    LoseConfirm {
        /// The queue.
        component: ComponentId,
    },
    /// A setting of a component is another one from then on.
    Patch {
        /// The component.
        component: ComponentId,
        /// The setting, and what it is from then on.
        patch: Patch,
    },
    /// A message becomes one that can never succeed.
    Poison {
        /// Which message. It may not exist yet.
        message: MessageId,
    },
    /// The broker loses the message of a queue that would be delivered first.
    LoseMessage {
        /// The queue.
        component: ComponentId,
    },
    /// The next delivery of a queue without order happens twice.
    Duplicate {
        /// The queue.
        component: ComponentId,
    },
    /// An operator takes the messages of a queue back to where they came from, or elsewhere.
    Redrive {
        /// The queue, as a rule one of dead letters.
        component: ComponentId,
        /// Where they go. `None`: to the first queue whose dead letters come here.
        to: Option<ComponentId>,
        /// Messages a second. `None`: all at once.
        per_second: Option<u32>,
    },
    /// An operator empties a queue.
    Purge {
        /// The queue.
        component: ComponentId,
    },
    /// A log is given more partitions. What is there stays; keys go elsewhere from now on.
    AddPartitions {
        /// The log.
        component: ComponentId,
        /// How many it has then.
        partitions: u32,
    },
    /// A worker that reads a log shuts down in order: it finishes what its last poll brought, and
    /// leaves its group.
    Leave {
        /// The workers component.
        component: ComponentId,
        /// Which process, from 0. `None`: all of them.
        instance: Option<u16>,
        /// How long until it is back. `None`: it stays away.
        back_after: Option<SimDuration>,
    },
    /// The leaders of a log's partitions die, and followers take over with what they have.
    FailOver {
        /// The log.
        component: ComponentId,
    },
    /// A group goes on reading its log elsewhere.
    Rewind {
        /// The workers component, which stands for its whole group.
        component: ComponentId,
        /// Where it goes on.
        to: RewindTo,
    },
}

/// A border between two lines of a handler. Whoever comes to it next dies there, however little
/// time the lines take; where a moment would do, lines that take none could not be told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Border {
    /// Which handler of a service, in document order; workers have one.
    pub handler: u16,
    /// The line after which it lies, by its number from 1; 0 before the first. How the line came
    /// out does not matter.
    pub after_line: u16,
    /// The message that it has to be about. `None`: whichever comes first.
    pub message: Option<MessageId>,
}

/// What becomes of what a process has in hand when it is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Replacing {
    /// It is finished first.
    Drained,
    /// It is forgotten, as in a crash.
    Killed,
}

/// Where a group goes on reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RewindTo {
    /// At the first record there is.
    Earliest,
    /// Behind the last.
    Latest,
    /// At the first record that is at least as young as this.
    Time(SimTime),
}

/// A setting that can be changed while a run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Patch {
    /// The visibility timeout of a queue with SQS's rules; receives from then on have it.
    VisibilityTimeout(SimDuration),
    /// After how many receives such a queue moves a message to its dead-letter queue.
    MaxReceiveCount(u32),
    /// The calls of an external service that fail, in a million.
    ErrorsPerMillion(u32),
    /// Workers get a handler that can read what theirs threw on: poison is poison no more for them.
    MendedHandler,
}

impl Action {
    /// The field's word for it, also its key on the wire.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Crash { .. } => "crash",
            Self::Pause { .. } => "pause",
            Self::Slow { .. } => "slow",
            Self::Skew { .. } => "skew",
            Self::Outage { .. } => "outage",
            Self::Brownout { .. } => "brownout",
            Self::Spike { .. } => "spike",
            Self::Scale { .. } => "scale",
            Self::Deploy { .. } => "deploy",
            Self::Cut { .. } => "cut",
            Self::LoseAck { .. }
            | Self::LoseReceive { .. }
            | Self::LoseConfirm { .. }
            | Self::LoseMessage { .. } => "lose",
            Self::Duplicate { .. } => "duplicate",
            Self::Redrive { .. } => "redrive",
            Self::Poison { .. } => "poison",
            Self::Patch { .. } => "patch",
            Self::Purge { .. } => "purge",
            Self::AddPartitions { .. } => "add-partitions",
            Self::Leave { .. } => "leave",
            Self::FailOver { .. } => "fail-over",
            Self::Rewind { .. } => "rewind",
        }
    }

    /// The component it is done to, if it is done to one.
    #[must_use]
    pub fn component(&self) -> Option<ComponentId> {
        match *self {
            Self::Crash { component, .. }
            | Self::Pause { component, .. }
            | Self::Slow { component, .. }
            | Self::Skew { component, .. }
            | Self::Outage { component, .. }
            | Self::Brownout { component, .. }
            | Self::Spike { component, .. }
            | Self::Scale { component, .. }
            | Self::Deploy { component, .. }
            | Self::Cut { component, .. }
            | Self::LoseAck { component, .. }
            | Self::LoseReceive { component, .. }
            | Self::LoseConfirm { component }
            | Self::AddPartitions { component, .. }
            | Self::Leave { component, .. }
            | Self::FailOver { component }
            | Self::Rewind { component, .. }
            | Self::LoseMessage { component }
            | Self::Duplicate { component }
            | Self::Redrive { component, .. }
            | Self::Patch { component, .. }
            | Self::Purge { component } => Some(component),
            Self::Poison { .. } => None,
        }
    }

    /// The worker process it is done to, from 0, if it is done to one only.
    #[must_use]
    pub fn instance(&self) -> Option<u16> {
        match *self {
            Self::Crash { instance, .. }
            | Self::Pause { instance, .. }
            | Self::Slow { instance, .. }
            | Self::Skew { instance, .. }
            | Self::Leave { instance, .. }
            | Self::LoseAck { instance, .. }
            | Self::LoseReceive { instance, .. } => instance,
            _ => None,
        }
    }
}
