//! Orchestrators: conductors of sagas.

use patterns::retry::Policy;
use patterns::saga::Definition;
use sim::SimDuration;

use crate::ComponentId;

/// Runs a saga for each request: asks services of our own, step by step, and makes up for what was
/// done when a step fails.
#[derive(Clone, Debug, PartialEq)]
pub struct Orchestrator {
    /// The steps, as the rules see them.
    pub definition: Definition,
    /// The same, with whom they ask.
    pub steps: Vec<SagaStep>,
    /// How compensations are tried again.
    pub compensations: Policy,
    /// How long a dead conductor takes to be back. `None`: it stays dead.
    pub restart_after: Option<SimDuration>,
}

/// A step of a saga.
#[derive(Clone, Debug, PartialEq)]
pub struct SagaStep {
    /// What a person calls it.
    pub name: String,
    /// Whom it asks: a service and the position of its handler.
    pub act: (ComponentId, usize),
    /// Whom it asks to make up for it.
    pub compensate: Option<(ComponentId, usize)>,
}
