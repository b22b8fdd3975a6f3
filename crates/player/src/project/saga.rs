//! An orchestrator in a frame.

use patterns::saga::Progress;
use world::{OrchestratorState, Saga, SagaEnd};

use super::process;
use crate::frame::{OrchestratorFrame, SHOWN, SagaFrame};

#[inline(never)]
pub(super) fn orchestrator(state: &OrchestratorState) -> OrchestratorFrame {
    let count = |end| u32::try_from(state.count(end)).unwrap_or(u32::MAX);
    OrchestratorFrame {
        state: process(&state.process),
        sagas: state.sagas.iter().rev().take(SHOWN).map(saga).collect(),
        running: count(None),
        completed: count(Some(SagaEnd::Completed)),
        compensated: count(Some(SagaEnd::Compensated)),
        stuck: count(Some(SagaEnd::Stuck)),
    }
}

fn saga(saga: &Saga) -> SagaFrame {
    let (step, compensating) = match saga.progress() {
        Progress::Running { step } => (Some(step), false),
        Progress::Compensating { step } | Progress::Stuck { step } => (Some(step), true),
        Progress::Completed => (None, false),
        Progress::Compensated => (None, true),
    };
    SagaFrame {
        message: saga.message,
        step,
        compensating,
        end: saga.end(),
        standing: saga.standing.clone(),
    }
}
