//! The motions of a frame: travels, rings, workers' progress, and every time that is told.

use broker::MessageId;
use player::{
    ComponentFrame, Frame, Holding, QueueFrame, Travel, TravelKind, WorkerFrame, WorkerState,
};
use scenario::ComponentId;
use sim::{SimDuration, SimTime};
use world::WorkerId;

use super::{Change, Clock, Motions, Part, Text};
use crate::map::crowd::Crowd;
use crate::map::layout::{
    Berth, EdgeKind, End, Form, Line, Plan, Point, Shape, Sheet, at, stop_of,
};
use crate::words::{Words, seconds};

/// Everything that moves in a frame.
#[must_use]
pub fn motions(frame: &Frame, plan: &Plan, words: &Words, followed: Option<MessageId>) -> Motions {
    let mut motions = Motions { crowd: Crowd::of(frame, plan, followed), ..Motions::default() };
    let has_sign = |of: MessageId| motions.crowd.is_none() || Some(of) == followed;
    let signs: Vec<_> = frame.travels.iter().filter(|travel| has_sign(travel.message)).collect();
    for travel in signs {
        if let Some(change) = travelled(plan, travel) {
            let part = Part::Travel(travel.message, travel.kind, travel.worker);
            motions.add(part, travel.departed, travel.arrives, change);
        }
    }
    for queue in &plan.queues {
        if let Some(ComponentFrame::Queue(state)) = frame.components.get(queue.id.index()) {
            // Where hidden messages stand close together there is room for the time alone.
            let roomy =
                plan.shape == Shape::Wide && state.in_flight_total as usize <= queue.bays.len();
            let left = if roomy { "map.left" } else { "map.left.short" };
            queue_motions(&mut motions, queue.id, state, (words, left));
        }
    }
    if let Some(sheet) = &plan.sheet {
        yard_motions(&mut motions, frame, sheet, words);
    }
    for berth in &plan.berths {
        if let Some(state) = worker(frame, berth.worker) {
            worker_motions(&mut motions, plan, berth, state, words);
        }
    }
    for (i, component) in frame.components.iter().enumerate() {
        if let ComponentFrame::External(external) = component
            && let Some(until) = external.outage_until
        {
            let text = Text::of(words, "map.outage", &[], Clock::Left);
            let part = Part::Outage(ComponentId::new(i));
            motions.add(part, frame.now, until, Change::Text(text));
        }
    }
    motions
}

/// What moves in the queues of a general map: rings where they are drawn, and waiting times.
#[inline(never)]
fn yard_motions(motions: &mut Motions, frame: &Frame, sheet: &Sheet, words: &Words) {
    for yard in &sheet.yards {
        let Some(ComponentFrame::Queue(state)) = frame.components.get(yard.id.index()) else {
            continue;
        };
        waiting_motion(motions, yard.id, state, words);
        let total = state.in_flight_total as usize;
        let places = yard.hidden.map_or(0, |hidden| hidden.row.places);
        let shown = if total > places { places.saturating_sub(1) } else { total };
        for hidden in state.in_flight.iter().take(shown) {
            if let Some(until) = hidden.until {
                motions.add(Part::Ring(hidden.message), hidden.since, until, Change::Ring);
            }
        }
    }
}

/// The state of a worker in a frame.
#[must_use]
pub fn worker(frame: &Frame, id: WorkerId) -> Option<&WorkerFrame> {
    match frame.components.get(id.component.index()) {
        Some(ComponentFrame::Workers(workers)) => workers.instances.get(usize::from(id.instance)),
        _ => None,
    }
}

/// The place in the plan of the line that something travels on.
#[must_use]
pub fn edge_of(plan: &Plan, travel: &Travel) -> Option<usize> {
    let end = |id: ComponentId| match travel.worker {
        Some(worker) if worker.component == id => End::Worker(worker),
        _ => End::Component(id),
    };
    let kind = match travel.kind {
        TravelKind::Request => EdgeKind::Request,
        TravelKind::Publish => EdgeKind::Publish,
        TravelKind::Delivery => EdgeKind::Delivery,
        TravelKind::Call => EdgeKind::Call,
        TravelKind::Ack => EdgeKind::Ack,
    };
    let (from, to) = (end(travel.from), end(travel.to));
    plan.edges.iter().position(|edge| edge.kind == kind && edge.from == from && edge.to == to)
}

fn travelled(plan: &Plan, travel: &Travel) -> Option<Change> {
    let edge = &plan.edges[edge_of(plan, travel)?];
    let ride = edge.ride.clone();
    let returns = edge.kind == EdgeKind::Call;
    Some(if returns { Change::ThereAndBack(ride) } else { Change::Along(ride) })
}

fn queue_motions(
    motions: &mut Motions,
    id: ComponentId,
    state: &QueueFrame,
    (words, left): (&Words, &str),
) {
    for hidden in &state.in_flight {
        let Some(until) = hidden.until else { continue };
        motions.add(Part::Ring(hidden.message), hidden.since, until, Change::Ring);
        let text = Text::of(words, left, &[], Clock::Left);
        motions.add(Part::Left(hidden.message), hidden.since, until, Change::Text(text));
    }
    waiting_motion(motions, id, state, words);
}

fn waiting_motion(motions: &mut Motions, id: ComponentId, state: &QueueFrame, words: &Words) {
    if let Some(since) = state.oldest_since {
        let n = words.number(u64::from(state.available_total));
        let text = Text::of(words, "map.waiting", &[("n", &n)], Clock::Since);
        motions.add(Part::Waiting(id), since, SimTime::MAX, Change::Text(text));
    }
}

fn worker_motions(
    motions: &mut Motions,
    plan: &Plan,
    berth: &Berth,
    state: &WorkerFrame,
    words: &Words,
) {
    let id = berth.worker;
    let mut back = |key: &str, from: SimTime, until: SimTime| {
        let text = Text::of(words, key, &[], Clock::Left);
        motions.add(Part::Back(id), from, until, Change::Text(text));
    };
    match state.state {
        WorkerState::Down { since, until: Some(until) } => back("map.worker.back", since, until),
        WorkerState::Paused { until } => back("map.worker.paused", SimTime::ZERO, until),
        _ => {}
    }
    // What has stopped stands at the stop of its line: how far it had come is not in the frame.
    let (Some(holding), WorkerState::Working) = (&state.holding, state.state) else { return };
    let Some(step) = holding.step else { return };
    let (here, next) = (stop_of(berth, step.index()), stop_of(berth, step.index() + 1));
    let first = berth.stops.first().copied().unwrap_or(here);
    let (from, until) = (holding.step_started, holding.step_ends);
    motions.add(Part::Held(id), from, until, Change::Between(here, next));
    motions.add(Part::Behind(id), from, until, Change::Reach(first, here, next));
    progress(motions, plan, berth, holding, words);
}

/// The bar and its words: the time since the delivery began, of all that it should take.
fn progress(motions: &mut Motions, plan: &Plan, berth: &Berth, holding: &Holding, words: &Words) {
    // Nobody knows when a request will be answered: there is no whole to be a part of.
    if holding.step_ends == SimTime::MAX {
        return;
    }
    let whole = expected(plan.net.lines(berth.worker.component), holding);
    let until = holding.started + whole;
    let full = bar_width(berth);
    if berth.form == Form::Full {
        motions.add(Part::Bar(berth.worker), holding.started, until, Change::Width(full));
    }
    let total = seconds(whole);
    let clock = Clock::SinceOf(whole);
    let text = Text::of(words, "map.spent", &[("total", &total)], clock);
    motions.add(Part::Spent(berth.worker), holding.started, until, Change::Text(text));
}

/// How wide the bar of a worker's progress is.
#[must_use]
pub fn bar_width(berth: &Berth) -> f64 {
    berth.frame.w - if berth.form == Form::Full { 110.0 } else { 0.0 }
}

/// What a delivery takes in all, as far as that is known: what has passed, the line under way, and
/// the mean of each line after it that is for its message.
fn expected(lines: &[Line], holding: &Holding) -> SimDuration {
    let mut whole = holding.step_ends.saturating_since(holding.started);
    let after = holding.step.map_or(0, |step| step.index() + 1);
    for (at, line) in lines.iter().enumerate().skip(after) {
        if holding.passed_by >> at & 1 == 0 {
            whole += line.takes.unwrap_or(SimDuration::ZERO);
        }
    }
    whole
}

/// Where the copy in a worker's hands stands when it does not move.
#[must_use]
pub fn standing(berth: &Berth, holding: &Holding) -> Point {
    match holding.step {
        Some(step) => stop_of(berth, step.index()),
        None => berth.stops.first().copied().unwrap_or(at(berth.frame.x, berth.frame.y)),
    }
}
