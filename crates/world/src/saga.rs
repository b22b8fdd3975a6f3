//! Orchestrators: a conductor that keeps every saga on disk, asks services step by step, and makes
//! up for what was done. Every rule about the order of commands is in `patterns::saga`.
//!
//! A conductor that dies hears no answers and fires no timers; when it is back it finds each saga
//! where it stood, and asks again.

use broker::MessageId;
use patterns::retry::Failure;
use patterns::saga::orchestrator::Heard;
use patterns::saga::{Command, Orchestrator, Progress, Reply, StepKind};
use scenario::{ComponentId, Kind, Target};
use sim::{Rank, SimDuration, Stream};

use crate::parts::{Part, Phase, Process};
use crate::request::Origin;
use crate::world::{Context, Event};
use crate::{What, WorkerId, World};

/// A conductor and its sagas.
#[derive(Clone, Debug, Hash)]
pub struct OrchestratorState {
    /// Its process.
    pub process: Process,
    /// Every saga so far, in the order of their beginning.
    pub sagas: Vec<Saga>,
}

/// One saga.
#[derive(Clone, Debug, Hash)]
pub struct Saga {
    /// The message that it is about.
    pub message: MessageId,
    machine: Orchestrator,
    /// What each step has come to at its participant, whether or not the conductor has heard of it.
    pub standing: Vec<Standing>,
    /// It has been told that it does not fit together.
    incoherent: bool,
    ticket: u32,
}

/// What a step has come to at its participant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// It has not been done.
    Not,
    /// It is done.
    Done,
    /// It was made up for, or its compensation came first.
    Undone,
}

/// Which way a command goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// To do a step.
    Act,
    /// To make up for it.
    Compensate,
}

/// How a saga ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SagaEnd {
    /// All steps are done.
    Completed,
    /// All that was done is made up for.
    Compensated,
    /// A compensation gave up.
    Stuck,
}

impl Saga {
    /// How far it has come.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.machine.progress()
    }

    /// How it ended, once it has.
    #[must_use]
    pub fn end(&self) -> Option<SagaEnd> {
        match self.machine.progress() {
            Progress::Completed => Some(SagaEnd::Completed),
            Progress::Compensated => Some(SagaEnd::Compensated),
            Progress::Stuck { .. } => Some(SagaEnd::Stuck),
            Progress::Running { .. } | Progress::Compensating { .. } => None,
        }
    }

    /// Whether what has come of its steps is what its end says.
    fn is_coherent(&self, spec: &scenario::Orchestrator) -> bool {
        let steps = spec.definition.steps().iter().zip(&self.standing);
        match self.end() {
            None => true,
            Some(SagaEnd::Completed) => {
                steps.into_iter().all(|(_, standing)| *standing == Standing::Done)
            }
            Some(SagaEnd::Compensated) => steps.into_iter().all(|(step, standing)| {
                *standing != Standing::Done || !matches!(step.kind, StepKind::Compensable(_))
            }),
            Some(SagaEnd::Stuck) => false,
        }
    }
}

impl OrchestratorState {
    pub(crate) fn new(seed: u64, index: u64) -> Self {
        let process = Process::new(Stream::new(seed, "orchestrator", index));
        Self { process, sagas: Vec::new() }
    }

    /// How many sagas came to this end; with `None`, how many are under way.
    #[must_use]
    pub fn count(&self, end: Option<SagaEnd>) -> usize {
        self.sagas.iter().filter(|saga| saga.end() == end).count()
    }

    pub(crate) fn at_rest(&self) -> bool {
        let dead = matches!(self.process.phase, Phase::Down { until: None, .. });
        dead || self.count(None) == 0
    }
}

impl World {
    /// A request for a saga: it is on disk from here on. Whether the conductor takes it.
    #[inline(never)]
    pub(crate) fn saga_begins(&mut self, cx: &mut Context, id: ComponentId, number: u32) {
        let now = self.now;
        let Some(request) = self.requests.remove(number) else { return };
        let (source, message) = (request.source, request.message);
        let spec = orchestrator_spec(cx, id);
        let state = self.orchestrator_mut(id);
        let taken = !state.process.is_dead();
        let status = if taken { 202 } else { 503 };
        self.emit(cx, What::Responded { service: id, source, message, status });
        self.answer_leaves(cx, &request, status, None);
        if !taken {
            return;
        }
        let (machine, command) =
            Orchestrator::start(now, spec.definition.clone(), spec.compensations);
        let standing = vec![Standing::Not; spec.steps.len()];
        let saga = Saga { message, machine, standing, incoherent: false, ticket: 0 };
        let state = self.orchestrator_mut(id);
        state.sagas.push(saga);
        let at = u32::try_from(state.sagas.len() - 1).unwrap_or(u32::MAX);
        self.emit(cx, What::SagaBegan { orchestrator: id, message });
        self.saga_goes_on(cx, id, at, Some(command));
    }

    /// A command leaves, if there is one; and the time of the next thing is on the calendar.
    fn saga_goes_on(
        &mut self,
        cx: &mut Context,
        id: ComponentId,
        at: u32,
        command: Option<Command>,
    ) {
        let spec = orchestrator_spec(cx, id);
        let ticket = self.ticket();
        let saga = self.saga_mut(id, at);
        let message = saga.message;
        saga.ticket = ticket;
        if let Some(deadline) = saga.machine.next_deadline() {
            let event = Event::Saga { orchestrator: id, saga: at, ticket };
            self.schedule(deadline, Rank::Timer, event);
        }
        if let Some(command) = command {
            let (step, attempt, direction) = parts(command);
            let step_spec = &spec.steps[step];
            let asked = match direction {
                Direction::Act => Some(step_spec.act),
                Direction::Compensate => step_spec.compensate,
            };
            let step = u16::try_from(step).unwrap_or(u16::MAX);
            self.emit(cx, What::SagaAsked { orchestrator: id, message, step, direction, attempt });
            if let Some((service, handler)) = asked {
                self.emit(cx, What::Requested { source: id, service, message });
                let origin = Origin::Saga { saga: at, step, direction, attempt };
                let target = Target::Service(service, handler);
                self.request_leaves(id, origin, target, message, SimDuration::ZERO);
            }
        } else if let Some(end) = self.saga_mut(id, at).end() {
            self.emit(cx, What::SagaEnded { orchestrator: id, message, end });
        }
        self.check_coherent(cx, id, at);
    }

    /// A participant has answered. What it has done it has done, whoever hears of it.
    pub(crate) fn participant_answers(
        &mut self,
        cx: &mut Context,
        orchestrator: ComponentId,
        origin: Origin,
        status: u16,
    ) {
        let Origin::Saga { saga, step, direction, .. } = origin else { return };
        if Failure::of_status(status).is_none() {
            let standing = &mut self.saga_mut(orchestrator, saga).standing[usize::from(step)];
            *standing = match direction {
                Direction::Act => Standing::Done,
                Direction::Compensate => Standing::Undone,
            };
            self.check_coherent(cx, orchestrator, saga);
        }
        let event = Event::SagaHears { orchestrator, origin, status };
        self.schedule(self.now, Rank::Finish, event);
    }

    /// The conductor hears an answer.
    pub(crate) fn saga_hears(
        &mut self,
        cx: &mut Context,
        id: ComponentId,
        origin: Origin,
        status: u16,
    ) {
        let Origin::Saga { saga: at, step, direction, attempt } = origin else { return };
        match self.orchestrator_mut(id).process.phase {
            Phase::Down { .. } => return,
            Phase::Paused { until, .. } => {
                let event = Event::SagaHears { orchestrator: id, origin, status };
                self.schedule(until, Rank::Arrival, event);
                return;
            }
            Phase::Idle | Phase::Working => {}
        }
        let command = match direction {
            Direction::Act => Command::Act { step: usize::from(step), attempt },
            Direction::Compensate => Command::Compensate { step: usize::from(step), attempt },
        };
        let reply = match Failure::of_status(status) {
            None => Reply::Done,
            Some(failure) => Reply::Failed(failure.class()),
        };
        let now = self.now;
        let state = self.orchestrator_mut(id);
        let saga = &mut state.sagas[at as usize];
        let message = saga.message;
        let (heard, next) = saga.machine.answer(now, command, reply, &mut state.process.stream);
        match heard {
            Heard::InTime => self.saga_goes_on(cx, id, at, next),
            Heard::Late => {
                self.emit(cx, What::SagaHeardLate { orchestrator: id, message, step });
            }
        }
    }

    /// A step has waited long enough, or is to be tried again.
    pub(crate) fn saga_due(&mut self, cx: &mut Context, id: ComponentId, at: u32, ticket: u32) {
        let now = self.now;
        let state = self.orchestrator_mut(id);
        let saga = &mut state.sagas[at as usize];
        if saga.ticket != ticket {
            return;
        }
        match state.process.phase {
            Phase::Down { .. } => {}
            Phase::Paused { until, .. } => {
                let event = Event::Saga { orchestrator: id, saga: at, ticket };
                self.schedule(until, Rank::Arrival, event);
            }
            Phase::Idle | Phase::Working => {
                let next = saga.machine.advance(now, &mut state.process.stream);
                self.saga_goes_on(cx, id, at, next);
            }
        }
    }

    /// The conductor is back, and finds every saga where it stood.
    pub(crate) fn orchestrator_back(&mut self, cx: &mut Context, id: ComponentId) {
        let now = self.now;
        let count = u32::try_from(self.orchestrator_mut(id).sagas.len()).unwrap_or(u32::MAX);
        for at in 0..count {
            let state = self.orchestrator_mut(id);
            let saga = &mut state.sagas[at as usize];
            let command = if saga.machine.next_deadline().is_some_and(|due| due <= now) {
                saga.machine.advance(now, &mut state.process.stream)
            } else {
                match saga.machine.progress() {
                    Progress::Running { step } => Some(Command::Act { step, attempt: 1 }),
                    Progress::Compensating { step } => {
                        Some(Command::Compensate { step, attempt: 1 })
                    }
                    _ => None,
                }
            };
            if saga.end().is_none() {
                self.saga_goes_on(cx, id, at, command);
            }
        }
    }

    fn check_coherent(&mut self, cx: &mut Context, id: ComponentId, at: u32) {
        let spec = orchestrator_spec(cx, id);
        let saga = self.saga_mut(id, at);
        if !saga.incoherent && !saga.is_coherent(spec) {
            saga.incoherent = true;
            let message = saga.message;
            self.emit(cx, What::Incoherent { orchestrator: id, message });
        }
    }

    fn saga_mut(&mut self, id: ComponentId, at: u32) -> &mut Saga {
        &mut self.orchestrator_mut(id).sagas[at as usize]
    }

    pub(crate) fn orchestrator_mut(&mut self, id: ComponentId) -> &mut OrchestratorState {
        match &mut self.parts[id.index()] {
            Part::Orchestrator(state) => state,
            _ => unreachable!("validation makes it an orchestrator"),
        }
    }

    pub(crate) fn orchestrator_dies(&mut self, cx: &mut Context, id: WorkerId) {
        self.emit(cx, What::Crashed { worker: id, holding: None });
    }
}

fn parts(command: Command) -> (usize, u32, Direction) {
    match command {
        Command::Act { step, attempt } => (step, attempt, Direction::Act),
        Command::Compensate { step, attempt } => (step, attempt, Direction::Compensate),
    }
}

fn orchestrator_spec<'a>(cx: &Context<'a>, id: ComponentId) -> &'a scenario::Orchestrator {
    match &cx.scenario.component(id).kind {
        Kind::Orchestrator(spec) => spec,
        _ => unreachable!("validation makes it an orchestrator"),
    }
}
