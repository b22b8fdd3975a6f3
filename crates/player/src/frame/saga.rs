//! An orchestrator in a frame.

use broker::MessageId;
use world::{SagaEnd, Standing};

use super::WorkerState;

/// An orchestrator at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct OrchestratorFrame {
    /// What its process is doing.
    pub state: WorkerState,
    /// The latest sagas, the latest first; at most [`super::SHOWN`].
    pub sagas: Vec<SagaFrame>,
    /// Sagas under way.
    pub running: u32,
    /// Sagas whose steps are all done.
    pub completed: u32,
    /// Sagas that were made up for.
    pub compensated: u32,
    /// Sagas that are stuck.
    pub stuck: u32,
}

/// One saga at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct SagaFrame {
    /// The message that it is about.
    pub message: MessageId,
    /// The step that is being done or made up for, from 0.
    pub step: Option<usize>,
    /// Whether it is on its way back.
    pub compensating: bool,
    /// How it ended, once it has.
    pub end: Option<SagaEnd>,
    /// What each step has come to at its participant.
    pub standing: Vec<Standing>,
}
