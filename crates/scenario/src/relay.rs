//! Relays: what publishes the events of an outbox.

use patterns::outbox::Cursor;
use sim::{SimDuration, Times};

use crate::{ComponentId, TableRef};

/// Publishes the events of an outbox.
#[derive(Clone, Debug, PartialEq)]
pub struct Relay {
    /// The outbox.
    pub outbox: TableRef,
    /// The queue, topic or log that the events go to.
    pub to: ComponentId,
    /// How it learns of events.
    pub reads: Reads,
    /// How many processes.
    pub count: u16,
    /// How long a publish takes.
    pub publish_takes: Times,
    /// How long a dead process takes to be back. `None`: it stays dead.
    pub restart_after: Option<SimDuration>,
}

/// How a relay learns of events.
#[derive(Clone, Debug, PartialEq)]
pub enum Reads {
    /// It asks the table, by the clock.
    Table(Rounds),
    /// It reads the write-ahead log through a slot: change data capture.
    Log {
        /// How long it takes to hear of a commit.
        lag: SimDuration,
        /// How often it lets the slot move on when there is nothing for it to read. `None`: never.
        heartbeat: Option<SimDuration>,
    },
}

/// How a relay asks the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounds {
    /// The time from one poll to the next.
    pub every: SimDuration,
    /// How many rows one poll takes.
    pub batch: u32,
    /// What it asks for.
    pub cursor: Cursor,
    /// Whether each process has the rows of its own keys.
    pub sharing: Sharing,
    /// How long the lease of the one process lasts that polls. `None`: all poll.
    pub lease: Option<SimDuration>,
}

/// How processes share the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sharing {
    /// Each takes any.
    Any,
    /// Each takes those of its own keys.
    ByKey,
}
