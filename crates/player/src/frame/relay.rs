//! A relay in a frame.

use broker::MessageId;
use sim::SimTime;

use super::WorkerState;

/// A relay at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct RelayFrame {
    /// One entry a process.
    pub couriers: Vec<CourierFrame>,
    /// Events published and confirmed so far, repetitions included.
    pub published: u32,
    /// Events of its outbox that it has to publish: not marked, or not read from the log.
    pub behind: u32,
    /// When the oldest of them was written.
    pub behind_since: Option<SimTime>,
}

/// A process of a relay at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct CourierFrame {
    /// What the process is doing.
    pub state: WorkerState,
    /// Its times are multiplied by this many hundredths until the time given.
    pub slowed: Option<(u32, SimTime)>,
    /// Where it is in its round.
    pub doing: Errand,
    /// Events that it has got and not marked.
    pub holds: u32,
    /// When it began what it is doing.
    pub since: SimTime,
    /// When it will have done it, or, at rest, begins its next round.
    pub until: Option<SimTime>,
}

/// What a process of a relay is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errand {
    /// It waits for its time, or for something to happen.
    Resting,
    /// It asks for events.
    Asking,
    /// It waits for rows that another holds.
    Waiting,
    /// It publishes an event as this message.
    Publishing(MessageId),
    /// It marks what it has published.
    Marking,
}
