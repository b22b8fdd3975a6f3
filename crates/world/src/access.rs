//! The parts of a world by what they are. The scenario's validation makes each what it is asked
//! to be.

use scenario::ComponentId;

use crate::parts::{
    ExternalState, Part, Phase, Process, QueueState, ServiceState, SourceState, Worker,
    WorkersState,
};
use crate::{LogState, WorkerId, World};

impl World {
    pub(crate) fn source_mut(&mut self, id: ComponentId) -> &mut SourceState {
        match &mut self.parts[id.index()] {
            Part::Source(state) => state,
            _ => unreachable!("validation makes it a source"),
        }
    }

    pub(crate) fn service_mut(&mut self, id: ComponentId) -> &mut ServiceState {
        match &mut self.parts[id.index()] {
            Part::Service(state) => state,
            _ => unreachable!("validation makes it a service"),
        }
    }

    pub(crate) fn queue_mut(&mut self, id: ComponentId) -> &mut QueueState {
        match &mut self.parts[id.index()] {
            Part::Queue(state) => state,
            _ => unreachable!("validation makes it a queue"),
        }
    }

    pub(crate) fn process_mut(&mut self, id: WorkerId) -> &mut Process {
        let instance = usize::from(id.instance);
        match &mut self.parts[id.component.index()] {
            Part::Workers(state) => &mut state.workers[instance].process,
            Part::Service(state) => &mut state.instances[instance].process,
            Part::Relay(state) => &mut state.couriers[instance].process,
            Part::Orchestrator(state) => &mut state.process,
            Part::Scheduler(state) => &mut state.clerks[instance].process,
            _ => unreachable!("validation makes it a component with processes"),
        }
    }

    pub(crate) fn log_mut(&mut self, id: ComponentId) -> &mut LogState {
        match &mut self.parts[id.index()] {
            Part::Log(state) => state,
            _ => unreachable!("validation makes it a log"),
        }
    }

    /// What a worker process is doing.
    pub(crate) fn phase_of(&self, id: WorkerId) -> Phase {
        match &self.parts[id.component.index()] {
            Part::Workers(state) => state.workers[usize::from(id.instance)].process.phase,
            _ => unreachable!("validation makes it a worker"),
        }
    }

    pub(crate) fn worker_mut(&mut self, id: WorkerId) -> &mut Worker {
        match &mut self.parts[id.component.index()] {
            Part::Workers(state) => &mut state.workers[usize::from(id.instance)],
            _ => unreachable!("validation makes it a worker"),
        }
    }

    pub(crate) fn workers_mut(&mut self, id: ComponentId) -> &mut WorkersState {
        match &mut self.parts[id.index()] {
            Part::Workers(state) => state,
            _ => unreachable!("validation makes it workers"),
        }
    }

    pub(crate) fn external_mut(&mut self, id: ComponentId) -> &mut ExternalState {
        match &mut self.parts[id.index()] {
            Part::External(state) => state,
            _ => unreachable!("validation makes it external"),
        }
    }
}
