//! From a world to a frame.

mod database;
mod log;
mod relay;
mod saga;
mod schedule;

use broker::MessageId;
use scenario::{Act, ComponentId, Kind, Scenario, Target, Workers};
use sim::{Arrivals, SimTime};
use world::{
    Caller, Hands, Message, Part, Phase, Process, QueueState, Receipt, RequestPhase, ServiceState,
    Worker, WorkerId, WorkersState, World,
};

use crate::frame::{
    AskedFrame, ComponentFrame, ExternalFrame, Frame, Holding, InFlight, InForce, InstanceFrame,
    MessageFrame, MessageState, QueueFrame, RECENT, SHOWN, ServiceFrame, SourceFrame, TopicFrame,
    Travel, TravelKind, WorkerFrame, WorkerState, WorkersFrame,
};

/// The frame of a world that is at rest until after `now`.
pub(crate) fn frame(world: &World, now: SimTime, events: usize) -> Frame {
    let scenario = world.scenario();
    let components: Vec<_> = scenario
        .ids()
        .map(|(id, component)| match (&world.parts()[id.index()], &component.kind) {
            (Part::Source(state), Kind::Source(source)) => ComponentFrame::Source(SourceFrame {
                sent: state.sent,
                asked: AskedFrame {
                    retries: state.retries,
                    timeouts: state.timeouts,
                    open: state.open,
                    succeeded: state.succeeded,
                    gave_up: state.gave_up,
                    late: state.late,
                },
                total: total(&source.arrivals),
                next: state.next,
            }),
            (Part::Service(state), _) => ComponentFrame::Service(service(state)),
            (Part::Queue(state), _) => ComponentFrame::Queue(queue(world, id, state)),
            (Part::Log(state), _) => ComponentFrame::Log(log::log(state)),
            (Part::Topic(state), _) => ComponentFrame::Topic(TopicFrame {
                published: state.published,
                copies: state.copies,
                unrouted: state.unrouted,
            }),
            (Part::Workers(state), _) => ComponentFrame::Workers(workers(world, id, state)),
            (Part::Database(state), Kind::Database(spec)) => {
                ComponentFrame::Database(database::database(world, state, spec))
            }
            (Part::Relay(state), Kind::Relay(spec)) => {
                ComponentFrame::Relay(relay::relay(world, state, spec))
            }
            (Part::Orchestrator(state), _) => {
                ComponentFrame::Orchestrator(saga::orchestrator(state))
            }
            (Part::Scheduler(state), _) => ComponentFrame::Scheduler(schedule::scheduler(state)),
            (Part::External(state), _) => ComponentFrame::External(ExternalFrame {
                busy: state.busy,
                effects: state.effects,
                outage_until: state.outage_until,
                waiting: u32::try_from(state.waiting()).unwrap_or(u32::MAX),
                refused: state.refused,
                brownout: state.brownout.map(|b| (b.capacity_percent, b.until)),
                errors_per_million: state.errors_per_million,
            }),
            _ => unreachable!("a part has its component's kind"),
        })
        .collect();
    let travels = travels(world, scenario);
    let messages = messages(world, &components, &travels);
    Frame { now, events, components, messages, travels }
}

fn total(arrivals: &Arrivals) -> Option<u32> {
    sim::ArrivalClock::new(arrivals.clone()).total()
}

fn queue(world: &World, id: ComponentId, state: &QueueState) -> QueueFrame {
    let counts = world.queue_counts(id);
    let hidden = world.queue_hidden(id);
    let mut in_flight: Vec<_> = hidden
        .iter()
        .filter_map(|hidden| {
            let taken_by = world.messages()[hidden.message].taken_by?;
            Some(InFlight {
                message: hidden.message,
                since: hidden.since,
                until: hidden.until,
                taken_by,
                held: holds(world, taken_by, hidden.receipt),
            })
        })
        .collect();
    in_flight.truncate(SHOWN);
    sim::short::sort_by_key(&mut in_flight, |hidden| hidden.message);
    QueueFrame {
        in_force: state.settings().map(|settings| InForce {
            visibility: settings.visibility_timeout,
            receives: settings.max_receive_count,
        }),
        available: world.queue_available(id, SHOWN),
        available_total: counts.available,
        delayed: world.queue_delayed(id, SHOWN),
        in_flight,
        in_flight_total: counts.in_flight,
        acked: state.recent_acked.iter().copied().take(RECENT).collect(),
        acked_total: state.acked,
        dead_lettered_total: state.dead_lettered,
        expired_total: state.expired,
        oldest_since: world.queue_oldest(id),
    }
}

/// Whether a worker still works on, or is still about to work on, this very delivery.
fn holds(world: &World, id: WorkerId, receipt: Receipt) -> bool {
    let worker = worker(world, id);
    if worker.process.is_dead() {
        return false;
    }
    let in_hand = worker.hands.as_ref().is_some_and(|hands| hands.delivery.receipt == receipt);
    in_hand
        || worker.pending.iter().any(|delivery| delivery.receipt == receipt)
        || worker.batch.iter().any(|item| item.delivery.receipt == receipt)
}

fn worker(world: &World, id: WorkerId) -> &Worker {
    match &world.parts()[id.component.index()] {
        Part::Workers(state) => &state.workers[usize::from(id.instance)],
        _ => unreachable!("validation makes it a worker"),
    }
}

fn service(state: &ServiceState) -> ServiceFrame {
    let each = state.instances.iter().map(|instance| InstanceFrame {
        state: process(&instance.process),
        slowed: instance.process.slowed,
        busy: instance.busy,
    });
    ServiceFrame {
        busy: state.busy,
        answered: state.answered,
        waiting: u32::try_from(state.waiting()).unwrap_or(u32::MAX),
        refused: state.refused,
        instances: each.collect(),
        last_status: state.last_status,
    }
}

fn process(process: &Process) -> WorkerState {
    match process.phase {
        Phase::Idle => WorkerState::Idle,
        Phase::Working => WorkerState::Working,
        Phase::Paused { until, .. } => WorkerState::Paused { until },
        Phase::Down { until: None, .. } if process.stopped => WorkerState::Stopped,
        Phase::Down { since, until } => WorkerState::Down { since, until },
    }
}

fn workers(world: &World, component: ComponentId, state: &WorkersState) -> WorkersFrame {
    let ids = (0..).map(|instance| WorkerId { component, instance });
    let instances = state
        .workers
        .iter()
        .zip(ids)
        .map(|(worker, id)| WorkerFrame {
            state: process(&worker.process),
            holding: worker.hands.as_ref().map(|hands| holding(world, id, worker, hands)),
            slowed: worker.process.slowed,
            ack_loss_armed: worker.ack_loss_armed,
            partitions: log::partitions(world, id),
        })
        .collect();
    WorkersFrame { instances, mended: state.mended }
}

fn holding(world: &World, id: WorkerId, worker: &Worker, hands: &Hands) -> Holding {
    let receipt_valid = match &world.parts()[hands.delivery.queue.index()] {
        part @ Part::Log(_) => log::honours(part, id),
        Part::Scheduler(state) => state.honours(hands.delivery.count),
        _ => {
            let hidden = world.queue_hidden(hands.delivery.queue);
            let receipt = hands.delivery.receipt;
            // Where nothing is to be settled nothing can be refused.
            receipt == Receipt::Nothing || hidden.iter().any(|hidden| hidden.receipt == receipt)
        }
    };
    let activity = &hands.activity;
    let step_ends = match worker.process.phase {
        Phase::Down { since, .. } => since,
        _ => activity.step_ends,
    };
    Holding {
        message: activity.message,
        attempt: hands.delivery.count,
        started: activity.started,
        step: activity.step,
        step_started: activity.step_started,
        step_ends,
        done: activity.done.clone(),
        passed_by: world.passed_by(id, activity.message),
        receipt_valid,
    }
}

fn travels(world: &World, scenario: &Scenario) -> Vec<Travel> {
    let mut travels = Vec::new();
    for request in world.requests() {
        let (kind, from, to, departed, arrives) = match (&request.phase, request.target) {
            (RequestPhase::Travelling, Target::Service(service, _)) => {
                (TravelKind::Request, request.source, service, request.since, request.until)
            }
            (RequestPhase::Travelling, Target::Queue(queue)) => {
                (TravelKind::Publish, request.source, queue, request.since, request.until)
            }
            (RequestPhase::Handled { activity, .. }, Target::Service(service, handler)) => {
                let step = activity.step;
                let Some(queue) = step.and_then(|s| publishes_to(scenario, service, handler, s))
                else {
                    continue;
                };
                (TravelKind::Publish, service, queue, activity.step_started, activity.step_ends)
            }
            _ => continue,
        };
        let message = request.message;
        travels.push(Travel { message, kind, from, to, worker: None, departed, arrives });
    }
    for call in world.calls() {
        let (from, worker) = match call.caller {
            Caller::Worker(id) if call.ends < SimTime::MAX => (id.component, Some(id)),
            Caller::Worker(_) | Caller::Request(_) => continue,
        };
        travels.push(Travel {
            message: call.message,
            kind: TravelKind::Call,
            from,
            to: call.external,
            worker,
            departed: call.departed,
            arrives: call.ends,
        });
    }
    for (id, component) in scenario.ids() {
        if let (Kind::Workers(spec), Part::Workers(state)) =
            (&component.kind, &world.parts()[id.index()])
        {
            let each = state.workers.iter().enumerate();
            travels.extend(each.filter_map(|(n, worker)| hand_travel(id, n, worker, spec)));
        }
    }
    travels
}

fn publishes_to(
    scenario: &Scenario,
    service: ComponentId,
    handler: usize,
    step: scenario::StepIndex,
) -> Option<ComponentId> {
    let Kind::Service(spec) = &scenario.component(service).kind else { return None };
    match spec.handles[handler].1.step(step)?.act {
        Act::Publish { to, .. } => Some(to),
        _ => None,
    }
}

/// A delivery on its way to a worker, or its ack on its way back.
fn hand_travel(
    component: ComponentId,
    instance: usize,
    worker: &Worker,
    spec: &Workers,
) -> Option<Travel> {
    let hands = worker.hands.as_ref().filter(|_| worker.process.phase == Phase::Working)?;
    let activity = &hands.activity;
    let id = WorkerId { component, instance: u16::try_from(instance).ok()? };
    let (kind, from, to) = match activity.step {
        None => (TravelKind::Delivery, hands.delivery.queue, component),
        Some(step) => match spec.on_message.step(step)?.act {
            Act::Ack { .. } | Act::Drop { .. } => {
                (TravelKind::Ack, component, hands.delivery.queue)
            }
            Act::Publish { to, .. } => (TravelKind::Publish, component, to),
            _ => return None,
        },
    };
    Some(Travel {
        message: activity.message,
        kind,
        from,
        to,
        worker: Some(id),
        departed: activity.step_started,
        arrives: activity.step_ends,
    })
}

/// Every message that something in the frame names, by number.
fn messages(world: &World, components: &[ComponentFrame], travels: &[Travel]) -> Vec<MessageFrame> {
    let mut shown: Vec<MessageId> = travels.iter().map(|travel| travel.message).collect();
    for component in components {
        match component {
            ComponentFrame::Queue(queue) => {
                shown.extend(&queue.available);
                shown.extend(queue.delayed.iter().map(|(id, _)| id));
                shown.extend(queue.in_flight.iter().map(|hidden| hidden.message));
                shown.extend(&queue.acked);
            }
            ComponentFrame::Log(log) => {
                let records = log.lanes.iter().flat_map(|lane| &lane.records);
                shown.extend(records.map(|(_, message)| message));
            }
            ComponentFrame::Workers(workers) => {
                let held = workers.instances.iter().filter_map(|worker| worker.holding.as_ref());
                shown.extend(held.map(|holding| holding.message));
            }
            _ => {}
        }
    }
    // A short run is shown whole, so that any message can be followed.
    shown.extend(
        (0..world.messages().len().min(SHOWN))
            .map(|index| MessageId::from_index(u32::try_from(index).expect("at most SHOWN"))),
    );
    sim::short::sort_by_key(&mut shown, |id| *id);
    shown.dedup();
    let hidden = hidden(world, &shown);
    let each = shown.iter().zip(hidden);
    each.map(|(&id, hidden)| message(world, id, hidden)).collect()
}

/// Which of these messages, in order of number, are taken and hidden in some queue.
fn hidden(world: &World, shown: &[MessageId]) -> Vec<Visibility> {
    let mut found = vec![Visibility::OnOffer; shown.len()];
    let mut hide = |message| {
        if let Ok(at) = shown.binary_search(&message) {
            found[at] = Visibility::Hidden;
        }
    };
    for ((id, _), part) in world.scenario().ids().zip(world.parts()) {
        match part {
            Part::Queue(_) => {
                world.queue_hidden(id).iter().for_each(|hidden| hide(hidden.message));
            }
            // What is read from a log is in hand as long as somebody works on it.
            Part::Workers(state) => {
                let all = state.workers.iter();
                let live = all.filter(|worker| !matches!(worker.process.phase, Phase::Down { .. }));
                for worker in live {
                    let hands = worker.hands.iter().map(|hands| &hands.delivery);
                    let read = hands.chain(&worker.pending);
                    let read = read.filter(|one| matches!(one.receipt, Receipt::Offset(_)));
                    read.for_each(|delivery| hide(delivery.message));
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether a message in a queue may be taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visibility {
    OnOffer,
    Hidden,
}

fn message(world: &World, id: MessageId, visibility: Visibility) -> MessageFrame {
    let message = &world.messages()[id];
    MessageFrame {
        id,
        of: message.of,
        key: message.key,
        state: state(message, visibility),
        receives: message.receives,
        poison: message.poison,
        effects: message.effects,
        queue: message.queue,
        lost: message.lost,
    }
}

fn state(message: &Message, visibility: Visibility) -> MessageState {
    if message.queue.is_none() {
        return match (message.acked, message.stored) {
            (true, _) => MessageState::Acked,
            (false, true) => MessageState::Expired,
            (false, false) => MessageState::Published,
        };
    }
    match visibility {
        Visibility::OnOffer if message.acked => MessageState::Acked,
        _ if message.dead_lettered => MessageState::DeadLettered,
        Visibility::Hidden => MessageState::InFlight,
        Visibility::OnOffer if message.receives > 0 => MessageState::Redelivered,
        Visibility::OnOffer => MessageState::Available,
    }
}
