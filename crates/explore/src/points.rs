//! The points of a run at which a process can be made to die.

use broker::MessageId;
use player::Player;
use scenario::{Act, Action, Border, ComponentId, Intervention, Kind, StepIndex, Target};
use sim::short::OrderedMap as Map;
use sim::{SimDuration, SimTime};
use world::{Activity, Part, Plan, RequestPhase, Trace, TraceEvent, What, WorkerId, World};

use crate::{Bounds, Row, Spot};

/// How many moments while a line is under way are tried for one message.
const MOMENTS: u32 = 8;

/// A point at which a process can be made to die, and how that is brought about.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) row: Row,
    pub(crate) message: MessageId,
    pub(crate) stroke: Intervention,
}

/// The points of a run that lie after a moment, at most as many messages as the bounds say. The run
/// is computed to its end.
pub(crate) fn points(player: &Player, bounds: &Bounds, after: Option<SimTime>) -> Vec<Point> {
    let mut search = Search {
        player,
        bounds,
        after,
        points: Vec::new(),
        moments: Map::default(),
        requests: Map::default(),
    };
    search.borders_of_workers();
    search.walk();
    search.borders_of_services();
    let mut points = search.points;
    let mut handled: Vec<MessageId> = points.iter().map(|point| point.message).collect();
    sim::short::sort_by_key(&mut handled, |message| *message);
    handled.dedup();
    handled.truncate(bounds.messages);
    points.retain(|point| handled.contains(&point.message));
    points
}

struct Search<'a> {
    player: &'a Player,
    bounds: &'a Bounds,
    after: Option<SimTime>,
    points: Vec<Point>,
    /// How many moments there are of a line and a message.
    moments: Map<(ComponentId, u16, u16, MessageId), u32>,
    /// The requests about a message that a handler of a service has had: when first and last.
    requests: Map<(ComponentId, u16, MessageId, SimTime), (SimTime, SimTime)>,
}

impl Search<'_> {
    /// The borders that workers come to, which the trace tells.
    fn borders_of_workers(&mut self) {
        let mut at_work: Vec<(WorkerId, MessageId)> = Vec::new();
        let trace = self.player.trace();
        for (index, event) in trace.iter().enumerate() {
            match event.what {
                What::Received { worker, message, .. } | What::Fetched { worker, message, .. } => {
                    at_work.retain(|known| *known != (worker, message));
                }
                What::StepStarted { worker, message, .. }
                    if !at_work.contains(&(worker, message)) =>
                {
                    at_work.retain(|(known, _)| *known != worker);
                    at_work.push((worker, message));
                    self.border(index, worker, message, 0);
                }
                What::StepEnded { worker, message, step, .. } => {
                    self.border(index, worker, message, number(step));
                }
                _ => {}
            }
        }
    }

    /// A worker comes to a border, as the event at `index` tells.
    fn border(&mut self, index: usize, worker: WorkerId, message: MessageId, after_line: u16) {
        let trace = self.player.trace();
        let at = trace[index].at;
        if self.after.is_some_and(|after| at < after) {
            return;
        }
        let row = Row { component: worker.component, handler: 0, spot: Spot::After(after_line) };
        let stroke = if at == SimTime::ZERO {
            // Nothing can be done before: it has to be found there when the instant is over.
            if !stays(trace, index, worker) {
                return;
            }
            self.now(at, worker)
        } else {
            self.armed(before(trace, at), row, message)
        };
        self.points.push(Point { row, message, stroke });
    }

    /// Goes through the run once more, for what the trace does not tell: requests, and what is under
    /// way at the end of each instant.
    fn walk(&mut self) {
        let scenario = self.player.scenario();
        let plan = Plan::new(&scenario.faults, self.player.interventions());
        let mut world = World::new(scenario);
        let mut trace = Trace::counting();
        let mut told = 0;
        while world.step(&mut trace, &plan) {
            let now = world.now();
            for request in world.requests() {
                let Target::Service(service, handler) = request.target else { continue };
                let handler = u16::try_from(handler).unwrap_or(u16::MAX);
                let request = (service, handler, request.message, request.since);
                self.requests.entry(request).or_insert((now, now)).1 = now;
            }
            let is_over = world.next_time(&plan) != Some(now);
            if is_over && trace.len() > told && self.after.is_none_or(|after| now > after) {
                self.under_way(&world);
            }
            if is_over {
                told = trace.len();
            }
        }
    }

    /// Calls and publishes that handlers wait for at the end of an instant.
    fn under_way(&mut self, world: &World) {
        for (component, part) in self.player.scenario().ids().map(|(id, _)| id).zip(world.parts()) {
            let Part::Workers(state) = part else { continue };
            for (instance, worker) in state.workers.iter().enumerate() {
                let Some(hands) = worker.hands.as_ref().filter(|_| worker.process.runs()) else {
                    continue;
                };
                let instance = u16::try_from(instance).unwrap_or(u16::MAX);
                let process = WorkerId { component, instance };
                self.moment(world.now(), process, 0, &hands.activity);
            }
        }
        for request in world.requests() {
            if let (
                Target::Service(component, handler),
                RequestPhase::Handled { instance, activity, .. },
            ) = (request.target, &request.phase)
            {
                let process = WorkerId { component, instance: *instance };
                let handler = u16::try_from(handler).unwrap_or(u16::MAX);
                self.moment(world.now(), process, handler, activity);
            }
        }
    }

    /// A handler has something under way that a crash may leave so.
    fn moment(&mut self, now: SimTime, process: WorkerId, handler: u16, activity: &Activity) {
        let Some(step) = activity.step else { return };
        let scenario = self.player.scenario();
        let program = match &scenario.component(process.component).kind {
            Kind::Workers(workers) => Some(&workers.on_message),
            Kind::Service(service) => {
                service.handles.get(usize::from(handler)).map(|(_, program)| program)
            }
            _ => None,
        };
        let act = program.and_then(|program| program.step(step)).map(|step| &step.act);
        if !matches!(act, Some(Act::Call { .. } | Act::Publish { .. })) {
            return;
        }
        let (line, message) = (number(step), activity.message);
        let count = self.moments.entry((process.component, handler, line, message)).or_default();
        if *count >= MOMENTS {
            return;
        }
        *count += 1;
        let row = Row { component: process.component, handler, spot: Spot::During(line) };
        self.points.push(Point { row, message, stroke: self.now(now, process) });
    }

    /// The borders of services. Which of their lines a request comes to is found by trying.
    fn borders_of_services(&mut self) {
        let scenario = self.player.scenario();
        let found = std::mem::take(&mut self.requests);
        for (&(component, handler, message, _), &(first, last)) in &found {
            if self.after.is_some_and(|after| last < after) {
                continue;
            }
            let Kind::Service(service) = &scenario.component(component).kind else { continue };
            let Some((_, program)) = service.handles.get(usize::from(handler)) else { continue };
            let from = before(self.player.trace(), first);
            let from = self.after.map_or(from, |after| from.max(after));
            let lines = u16::try_from(program.steps.len()).unwrap_or(u16::MAX);
            for line in 0..=lines {
                let row = Row { component, handler, spot: Spot::After(line) };
                self.points.push(Point { row, message, stroke: self.armed(from, row, message) });
            }
        }
    }

    fn armed(&self, at: SimTime, row: Row, message: MessageId) -> Intervention {
        let (Spot::After(after_line) | Spot::During(after_line)) = row.spot;
        let border = Border { handler: row.handler, after_line, message: Some(message) };
        let action = Action::Crash {
            component: row.component,
            instance: None,
            restart_after: self.away(row.component),
            border: Some(border),
        };
        Intervention { at, action }
    }

    fn now(&self, at: SimTime, process: WorkerId) -> Intervention {
        let action = Action::Crash {
            component: process.component,
            instance: Some(process.instance),
            restart_after: self.away(process.component),
            border: None,
        };
        Intervention { at, action }
    }

    /// How long a process is away, where its component does not say.
    fn away(&self, component: ComponentId) -> Option<SimDuration> {
        let own = match &self.player.scenario().component(component).kind {
            Kind::Workers(workers) => workers.restart_after,
            Kind::Service(service) => service.restart_after,
            _ => None,
        };
        own.is_none().then_some(self.bounds.restart_after)
    }
}

/// A line's number, from 1.
fn number(step: StepIndex) -> u16 {
    u16::try_from(step.index() + 1).unwrap_or(u16::MAX)
}

/// The last moment before this one at which something happened, or the start.
fn before(trace: &[TraceEvent], at: SimTime) -> SimTime {
    let earlier = trace.partition_point(|event| event.at < at);
    earlier.checked_sub(1).map_or(SimTime::ZERO, |index| trace[index].at)
}

/// Whether a worker is still at the border that it came to by an event when the instant is over: no
/// line of it ends in that instant.
fn stays(trace: &[TraceEvent], index: usize, worker: WorkerId) -> bool {
    let at = trace[index].at;
    let rest = trace[index + 1..].iter().take_while(|event| event.at == at);
    !rest.into_iter().any(|event| {
        matches!(event.what, What::StepEnded { worker: by, .. } | What::Received { worker: by, .. } if by == worker)
    })
}
