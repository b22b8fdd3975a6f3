//! The route of the followed message: the lines it took to where it is. One route is lit at a time.

use broker::MessageId;
use player::{ComponentFrame, Frame, MessageFrame, MessageState, QueueFrame, TravelKind};
use scenario::ComponentId;

use crate::map::layout::{EdgeKind, End, Plan, Sheet, Yard};

/// What of the map is lit.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Route {
    /// Positions in the plan's edges.
    pub edges: Vec<usize>,
    /// The queue whose platform line is lit.
    pub platform: Option<ComponentId>,
    /// The dead-letter queue whose siding is lit.
    pub siding: Option<ComponentId>,
}

/// The route of a message up to now. Empty when nobody is followed or the message is not there yet.
#[must_use]
pub fn route(plan: &Plan, frame: &Frame, followed: Option<MessageId>) -> Route {
    let mut route = Route::default();
    let Some(message) = followed.and_then(|id| frame.message(id)) else { return route };
    if message.state == MessageState::Published {
        for travel in frame.travels.iter().filter(|travel| travel.message == message.id) {
            let kind = match travel.kind {
                TravelKind::Request => EdgeKind::Request,
                TravelKind::Publish => EdgeKind::Publish,
                _ => continue,
            };
            let ends = (End::Component(travel.from), End::Component(travel.to));
            route.add(plan, kind, ends);
            route.upstream(plan, travel.from);
        }
        return route;
    }
    if let Some(sheet) = &plan.sheet {
        route.through(plan, frame, sheet, message);
        return route;
    }
    let of = |queue: &QueueFrame| queue.acked.contains(&message.id);
    let home = plan.queues.iter().find(|place| {
        let siding = place.siding.as_ref().map(|siding| siding.id);
        match (message.queue, frame.components.get(place.id.index())) {
            (Some(queue), _) => queue == place.id || siding == Some(queue),
            (None, Some(ComponentFrame::Queue(queue))) => of(queue),
            _ => false,
        }
    });
    let Some(home) = home else { return route };
    route.platform = Some(home.id);
    route.upstream(plan, home.id);
    if message.queue != Some(home.id) {
        route.siding = message.queue;
    }
    if let (MessageState::InFlight, Some(ComponentFrame::Queue(queue))) =
        (message.state, frame.components.get(home.id.index()))
    {
        for hidden in queue.in_flight.iter().filter(|hidden| hidden.message == message.id) {
            let ends = (End::Component(home.id), End::Worker(hidden.taken_by));
            route.add(plan, EdgeKind::Delivery, ends);
        }
    }
    route
}

impl Route {
    /// The route on a general map: the way to the queue it is in, and to who has taken it.
    #[inline(never)]
    fn through(&mut self, plan: &Plan, frame: &Frame, sheet: &Sheet, message: &MessageFrame) {
        let Some(home) = message.queue else { return };
        let beside = |yard: &&Yard| yard.siding.as_ref().is_some_and(|siding| siding.id == home);
        if let Some(yard) = sheet.yards.iter().find(beside) {
            self.siding = Some(home);
            self.platform = Some(yard.id);
            self.upstream(plan, yard.id);
            return;
        }
        self.platform = Some(home);
        self.upstream(plan, home);
        if let Some(ComponentFrame::Queue(queue)) = frame.components.get(home.index()) {
            for hidden in queue.in_flight.iter().filter(|hidden| hidden.message == message.id) {
                let ends = (End::Component(home), End::Worker(hidden.taken_by));
                self.add(plan, EdgeKind::Delivery, ends);
            }
        }
    }

    fn add(&mut self, plan: &Plan, kind: EdgeKind, (from, to): (End, End)) {
        let same = |edge: &crate::map::layout::Edge| {
            edge.kind == kind && edge.from == from && edge.to == to
        };
        self.edges.extend(plan.edges.iter().position(same));
    }

    /// Lights the lines that lead to a component, as long as there is only one way to have come.
    fn upstream(&mut self, plan: &Plan, to: ComponentId) {
        let mut here = End::Component(to);
        // As many steps as a way from a source to a queue can have.
        for _ in 0..4 {
            let mut into = plan.edges.iter().enumerate().filter(|(_, edge)| {
                edge.to == here && matches!(edge.kind, EdgeKind::Request | EdgeKind::Publish)
            });
            let (Some((i, edge)), None) = (into.next(), into.next()) else { return };
            self.edges.push(i);
            here = edge.from;
        }
    }
}
