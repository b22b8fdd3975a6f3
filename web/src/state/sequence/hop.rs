//! Which trace events are hops: from where to where, or on which lane.

use broker::MessageId;
use scenario::{Act, ComponentId, Kind, Scenario};
use world::{Caller, TraceEvent, What};

/// So many events are looked back through for what an event does not say itself.
const BACK: usize = 400;

/// What is drawn of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Something travels.
    Arrow {
        /// From this component.
        from: ComponentId,
        /// To this one.
        to: ComponentId,
        /// What it looks like.
        look: Look,
    },
    /// Something happens at a component.
    Note {
        /// The component.
        at: ComponentId,
        /// Whether it breaks something.
        tone: Tone,
    },
}

/// The looks of an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Sent.
    Sent,
    /// An answer.
    Reply,
    /// It does not arrive, or is turned down.
    Broken,
}

/// What a note is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Something broke.
    Fault,
    /// Anything else.
    Plain,
}

impl Shape {
    /// The components that it touches.
    #[must_use]
    pub fn ends(self) -> [ComponentId; 2] {
        match self {
            Shape::Arrow { from, to, .. } => [from, to],
            Shape::Note { at, .. } => [at, at],
        }
    }
}

/// What is drawn of the event at a position; nothing of most.
#[must_use]
pub fn shape(scenario: &Scenario, trace: &[TraceEvent], index: usize) -> Option<Shape> {
    let arrow = |from, to, look| Some(Shape::Arrow { from, to, look });
    let note = |at, tone| Some(Shape::Note { at, tone });
    match trace[index].what {
        What::Requested { source, service, .. } => arrow(source, service, Look::Sent),
        What::Responded { service, source, .. } => arrow(service, source, Look::Reply),
        What::Reset { service, source, .. } => arrow(service, source, Look::Broken),
        What::Published { by, queue, .. } => arrow(by, queue, Look::Sent),
        What::Confirmed { by, queue, .. } => arrow(queue, by, Look::Reply),
        What::ConfirmLost { by, queue, .. } => arrow(queue, by, Look::Broken),
        What::Stored { queue, message, .. } => {
            let from = router(scenario, &trace[..index], queue, message)?;
            arrow(from, queue, Look::Sent)
        }
        What::Received { queue, worker, .. } => arrow(queue, worker.component, Look::Sent),
        What::ReceiveLost { queue, worker, .. } => arrow(queue, worker.component, Look::Broken),
        What::Fetched { group, worker, .. } => arrow(group.log, worker.component, Look::Sent),
        What::Acked { queue, worker, .. } => arrow(worker.component, queue, Look::Reply),
        What::AckRefused { queue, worker, .. } | What::AckLost { queue, worker, .. } => {
            arrow(worker.component, queue, Look::Broken)
        }
        What::Nacked { queue, worker, .. } | What::Extended { queue, worker, .. } => {
            arrow(worker.component, queue, Look::Reply)
        }
        What::Committed { group, worker: Some(worker), .. } => {
            arrow(worker.component, group.log, Look::Reply)
        }
        What::CommitRefused { group, worker } => arrow(worker.component, group.log, Look::Broken),
        What::RunOver { scheduler, worker, .. } => arrow(worker.component, scheduler, Look::Reply),
        What::DeadLettered { from, to, .. } | What::Redriven { from, to, .. } => {
            arrow(from, to, Look::Sent)
        }
        What::LostOnTheWay { from, to, .. } => arrow(from, to, Look::Broken),
        What::Lapsed { queue, .. }
        | What::Requeued { queue, .. }
        | What::Available { queue, .. } => note(queue, Tone::Plain),
        What::Dropped { queue, .. }
        | What::PublishRefused { queue, .. }
        | What::Misplaced { queue, .. }
        | What::Expired { queue, .. } => note(queue, Tone::Fault),
        _ => works(scenario, trace, index),
    }
}

/// What is drawn of calls, statements, and of who goes down and comes back.
fn works(scenario: &Scenario, trace: &[TraceEvent], index: usize) -> Option<Shape> {
    let arrow = |from, to, look| Some(Shape::Arrow { from, to, look });
    let note = |at, tone| Some(Shape::Note { at, tone });
    let outside =
        |id: ComponentId| matches!(scenario.component(id).kind, Kind::External(_)).then_some(id);
    match trace[index].what {
        What::Effected { external, line, .. } => {
            arrow(line.component, outside(external)?, Look::Sent)
        }
        What::CallFailed { external, line, .. } => arrow(line.component, external, Look::Broken),
        What::Replayed { external, message, caller } => {
            let from = caller_of(&trace[..index], caller, message)?;
            arrow(from, outside(external)?, Look::Sent)
        }
        What::CallRefused { message, caller, .. } => {
            note(caller_of(&trace[..index], caller, message)?, Tone::Fault)
        }
        What::StepEnded { worker, step, .. } => {
            let Kind::Workers(workers) = &scenario.component(worker.component).kind else {
                return None;
            };
            match workers.on_message.step(step)?.act {
                Act::Call { to, .. } => arrow(outside(to)?, worker.component, Look::Reply),
                _ => None,
            }
        }
        What::Executed { database, by, .. }
        | What::RowsCommitted { database, by, .. }
        | What::RowsRolledBack { database, by, .. }
        | What::Prepared { database, by, .. } => arrow(by, database, Look::Sent),
        What::RowAwaited { database, .. } => note(database, Tone::Plain),
        What::Relayed { relay, .. } => match &scenario.component(relay.component).kind {
            Kind::Relay(spec) => arrow(relay.component, spec.outbox.database, Look::Sent),
            _ => None,
        },
        What::Crashed { worker, .. }
        | What::Paused { worker, .. }
        | What::Slowed { worker, .. } => note(worker.component, Tone::Fault),
        What::Restarted { worker } | What::Resumed { worker } | What::Restored { worker } => {
            note(worker.component, Tone::Plain)
        }
        What::OutageBegan { external, .. } | What::BrownoutBegan { external, .. } => {
            note(external, Tone::Fault)
        }
        What::OutageEnded { external } | What::BrownoutEnded { external } => {
            note(external, Tone::Plain)
        }
        What::TimedOut { source: at, .. }
        | What::AnsweredLate { source: at, .. }
        | What::GaveUp { by: at, .. } => note(at, Tone::Fault),
        _ => None,
    }
}

/// Who makes a call.
fn caller_of(before: &[TraceEvent], caller: Caller, message: MessageId) -> Option<ComponentId> {
    match caller {
        Caller::Worker(worker) => Some(worker.component),
        Caller::Request(_) => {
            before.iter().rev().take(BACK * 10).find_map(|event| match event.what {
                What::Requested { service, message: of, .. } if of == message => Some(service),
                _ => None,
            })
        }
    }
}

/// The topic that a message has come through on its way to a queue.
fn router(
    scenario: &Scenario,
    before: &[TraceEvent],
    queue: ComponentId,
    message: MessageId,
) -> Option<ComponentId> {
    let is_topic = |id: ComponentId| matches!(scenario.component(id).kind, Kind::Topic(_));
    if !scenario.ids().any(|(id, _)| is_topic(id)) {
        return None;
    }
    let mut of = message;
    for event in before.iter().rev().take(BACK) {
        match event.what {
            What::Copied { original, copy, .. } if copy == of => of = original,
            What::Published { queue: to, message, .. } if message == of => {
                return (to != queue && is_topic(to)).then_some(to);
            }
            _ => {}
        }
    }
    None
}

/// Whose transaction an event belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Transaction {
    pub database: ComponentId,
    by: ComponentId,
    message: MessageId,
}

/// What an event is to its transaction.
pub(super) enum Step {
    Statement,
    End,
}

pub(super) fn transaction(what: &What) -> Option<(Transaction, Step)> {
    Some(match *what {
        What::Executed { database, by, message, .. } => {
            (Transaction { database, by, message }, Step::Statement)
        }
        What::RowsCommitted { database, by, message }
        | What::RowsRolledBack { database, by, message } => {
            (Transaction { database, by, message }, Step::End)
        }
        _ => return None,
    })
}
