//! Requests under way: from a source or a handler to a service or a queue, and back.

use broker::MessageId;
use scenario::ComponentId;
use sim::{SimDuration, SimTime};

use crate::Activity;
use crate::retry::Trying;
use crate::saga::Direction;

/// A request of a source that waits for its answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ask {
    pub(crate) source: ComponentId,
    pub(crate) message: MessageId,
    /// Tells it from others that had its number before.
    pub(crate) serial: u32,
    pub(crate) trying: Trying,
    pub(crate) asked: Asked,
    /// The calendar event it waits for.
    pub(crate) ticket: u32,
}

/// What a source that waits for an answer is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Asked {
    /// It waits for the answer.
    Answer,
    /// It waits to try again.
    Again,
}

/// Who wants to hear the answer to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Nobody: its source only sends.
    Source,
    /// A source that waits.
    Ask {
        /// Which of its requests, by number.
        ask: u32,
        /// Tells it from others that had its number before.
        serial: u32,
        /// Which attempt, from 1.
        attempt: u32,
    },
    /// A line of a handler.
    Call {
        /// The call, by number.
        call: u32,
    },
    /// A conductor, for a step of a saga.
    Saga {
        /// Which saga, by number.
        saga: u32,
        /// Which step, from 0.
        step: u16,
        /// Whether to do it or to make up for it.
        direction: Direction,
        /// Which attempt, from 1.
        attempt: u32,
    },
}

impl Request {
    /// The same without what a handler has made of it.
    pub(crate) fn outline(&self) -> Self {
        Self { phase: RequestPhase::Travelling, ..*self }
    }
}

/// A request on its way to a service or a queue, waiting there, or being handled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    /// The component that sent it.
    pub source: ComponentId,
    /// Who wants to hear the answer.
    pub origin: Origin,
    /// Where it goes.
    pub target: scenario::Target,
    /// What it is about.
    pub message: MessageId,
    /// Where it stands.
    pub phase: RequestPhase,
    /// When it left.
    pub since: SimTime,
    /// When it arrives.
    pub until: SimTime,
}

/// Where a request stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RequestPhase {
    /// On its way.
    Travelling,
    /// Its answer is on its way back.
    Returning {
        /// The status that it was answered with.
        status: u16,
        /// When it may come again, if it was refused.
        retry_after: Option<SimDuration>,
    },
    /// In the waiting room.
    Waiting,
    /// Being handled by this instance of the service.
    Handled {
        /// Which, from 0.
        instance: u16,
        /// The handler on its way. In a box, because most requests of a storm only wait.
        activity: Box<Activity>,
        /// Whether it has been answered.
        reply: Reply,
    },
}

/// Whether a request has been answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reply {
    /// Somebody waits for it.
    Owed,
    /// It has been sent.
    Sent,
}
