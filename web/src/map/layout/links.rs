//! Who sends to whom, for maps of any shape.

use scenario::ComponentId;

use super::net::{Net, Role};
use super::plan::EdgeKind;
use super::sheet::Says;

/// That a component sends to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Who sends.
    pub from: ComponentId,
    /// To whom.
    pub to: ComponentId,
    /// What goes there.
    pub kind: EdgeKind,
    /// What stands on the line.
    pub says: Option<Says>,
}

/// Every link of a net, each once, in the order of the components that send.
#[must_use]
pub fn links(net: &Net) -> Vec<Link> {
    let mut all = Vec::new();
    for (from, part) in net.ids() {
        of(net, from, &part.role, &mut all);
    }
    all
}

fn of(net: &Net, id: ComponentId, role: &Role, all: &mut Vec<Link>) {
    let mut add = |from, to, kind, says| {
        if !all.iter().any(|link: &Link| (link.from, link.to, link.kind) == (from, to, kind)) {
            all.push(Link { from, to, kind, says });
        }
    };
    match role {
        Role::Source { to, .. } => add(id, *to, into(net, *to), None),
        Role::Service { to, calls, .. } => {
            to.iter().for_each(|&to| add(id, to, EdgeKind::Publish, None));
            calls.iter().for_each(|&to| add(id, to, EdgeKind::Call, None));
        }
        Role::Queue { dead_letter_to, .. } => {
            let own = net.own_siding(id);
            if let Some(to) = dead_letter_to.filter(|_| own.is_none()) {
                add(id, to, EdgeKind::Aside, None);
            }
        }
        Role::Topic { ways } => {
            for way in ways {
                let says = match (way.otherwise, way.asks.is_empty()) {
                    (true, _) => Some(Says::Otherwise),
                    (false, true) => None,
                    (false, false) => Some(Says::Text(way.asks.clone())),
                };
                add(id, way.to, EdgeKind::Publish, says);
            }
        }
        Role::Workers { from, others, weights, to, calls, .. } => {
            for (turn, &queue) in (1..).zip(std::iter::once(from).chain(others)) {
                let says = match weights.get(turn as usize - 1) {
                    Some(&weight) => Says::Weight(weight),
                    None => Says::Turn(turn),
                };
                let says = Some(says).filter(|_| !others.is_empty());
                add(queue, id, EdgeKind::Delivery, says);
            }
            calls.iter().for_each(|&to| add(id, to, EdgeKind::Call, None));
            to.iter().for_each(|&to| add(id, to, EdgeKind::Publish, None));
        }
        Role::Relay { outbox, to } => {
            add(*outbox, id, EdgeKind::Request, None);
            add(id, *to, EdgeKind::Publish, None);
        }
        Role::Orchestrator { asks, .. } => {
            asks.iter().for_each(|&to| add(id, to, EdgeKind::Call, None));
        }
        Role::Log { .. } | Role::Scheduler | Role::Database { .. } | Role::External { .. } => {}
    }
}

/// What a source sends to a component.
fn into(net: &Net, to: ComponentId) -> EdgeKind {
    match net.part(to).role {
        Role::Service { .. } | Role::Orchestrator { .. } => EdgeKind::Request,
        _ => EdgeKind::Publish,
    }
}

impl Net {
    /// Whether everything goes one way through one queue and no service is short of room: then the
    /// map is the pipeline's, with room for everything that can be said of each message.
    #[must_use]
    pub fn is_pipeline(&self) -> bool {
        let plain = |part: &super::net::Part| match &part.role {
            Role::Service { calls, room, .. } => calls.is_empty() && room.is_none(),
            Role::Workers { others, to, .. } => others.is_empty() && to.is_empty(),
            Role::External { room } => room.is_none(),
            Role::Log { .. }
            | Role::Topic { .. }
            | Role::Database { .. }
            | Role::Relay { .. }
            | Role::Orchestrator { .. }
            | Role::Scheduler => false,
            Role::Source { .. } | Role::Queue { .. } => true,
        };
        let calls_ours = |part: &super::net::Part| match &part.role {
            Role::Workers { calls, .. } => {
                calls.iter().any(|&to| !matches!(self.part(to).role, Role::External { .. }))
            }
            _ => false,
        };
        self.queues().len() <= 1
            && self.parts.iter().all(plain)
            && !self.parts.iter().any(calls_ours)
    }

    /// The queue that takes this queue's dead letters, if it takes nobody else's and is a siding.
    #[must_use]
    pub fn own_siding(&self, queue: ComponentId) -> Option<ComponentId> {
        let siding = self.siding_of(queue)?;
        let feeds = |part: &&super::net::Part| match part.role {
            Role::Queue { dead_letter_to, .. } => dead_letter_to == Some(siding),
            _ => false,
        };
        (self.parts.iter().filter(feeds).count() == 1).then_some(siding)
    }

    /// Whether a queue is drawn as the siding of another.
    #[must_use]
    pub fn is_beside(&self, queue: ComponentId) -> bool {
        self.ids().any(|(id, _)| {
            matches!(self.part(id).role, Role::Queue { .. }) && self.own_siding(id) == Some(queue)
        })
    }
}
