//! What a run has done for each message that a source sent, and how it differs from another run.

use broker::MessageId;
use player::{Finding, Player};
use scenario::{ComponentId, Kind, Property};
use sim::short::OrderedMap as Map;
use world::{Ending, LineId, Messages, Part, TraceEvent, What, World};

use crate::{Effects, Outcome};

/// A message of a source, told apart from others in every run: which of the source's it is.
pub(crate) type Origin = (ComponentId, u32);

/// A place at which work is done: a line and where it has its effect, or a queue that keeps what is
/// published to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Line(ComponentId, LineId),
    Kept(ComponentId),
}

/// What a run has done.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    tales: Map<Origin, Tale>,
    /// The messages with a key in the order of their first effects, by place and key.
    firsts: Map<(Place, String), Vec<Origin>>,
    broken: Vec<Property>,
    ending: Option<Ending>,
    rest: Rest,
}

/// Whether a run whose time was up had anything left to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rest {
    /// Whatever is not with a broker, on its way or in somebody's hands is nowhere.
    Known,
    /// Rows, records, sagas or sources that ask again may hold work.
    Unknown,
}

/// What a run has done for one message of a source.
#[derive(Clone, Debug, Default, PartialEq)]
struct Tale {
    effects: Map<Place, u32>,
    /// How often the trace has called it lost, to a queue or a group.
    lost: u32,
    /// Messages about it that a queue has at the end.
    kept: u32,
    /// Of these, those that were moved aside.
    aside: u32,
    /// Requests and calls about it that are under way at the end, and workers that have it in hand.
    under_way: u32,
}

/// How a run differs from the undisturbed one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Difference {
    pub(crate) outcome: Outcome,
    pub(crate) broken: Vec<Property>,
    pub(crate) limit: Option<&'static str>,
    /// The messages that it did not leave alone.
    touched: Vec<(Origin, Outcome, Effects)>,
}

/// What came of one message, and of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    pub(crate) outcome: Outcome,
    pub(crate) others: Outcome,
    pub(crate) effects: Effects,
}

impl Account {
    /// The account of a run that is computed to its end.
    pub(crate) fn of(player: &Player) -> Self {
        let world = player.head();
        let origins = Origins::of(world.messages());
        let mut account = Self {
            tales: Map::default(),
            firsts: Map::default(),
            broken: Vec::new(),
            ending: player.ending(),
            rest: rest(player),
        };
        let keeping = keeping(player);
        for event in player.trace() {
            account.follow(player, &origins, &keeping, event);
        }
        for (index, message) in world.messages().iter().enumerate() {
            let tale = account.tale(origins.at(index));
            if message.stored && !message.acked && message.queue.is_some() {
                tale.kept += 1;
                tale.aside += u32::from(message.dead_lettered);
            }
        }
        let asked = world.requests().map(|request| request.message);
        let called = world.calls().map(|call| call.message);
        for message in asked.chain(called).chain(in_hand(world)) {
            account.tale(origins.at(message.index())).under_way += 1;
        }
        let broken = player.verdicts().into_iter();
        let broken = broken.filter(|verdict| matches!(verdict.finding, Finding::Broken { .. }));
        account.broken = broken.map(|verdict| verdict.property).collect();
        account
    }

    fn tale(&mut self, origin: Origin) -> &mut Tale {
        self.tales.entry(origin).or_default()
    }

    fn follow(
        &mut self,
        player: &Player,
        origins: &Origins,
        keeping: &[ComponentId],
        event: &TraceEvent,
    ) {
        let (place, message) = match event.what {
            What::Lost { message } | What::LostToGroup { message, .. } => {
                self.tale(origins.at(message.index())).lost += 1;
                return;
            }
            What::Effected { external, message, line, .. } => {
                (Place::Line(external, line), message)
            }
            What::Stored { queue, message, .. } if keeping.contains(&queue) => {
                (Place::Kept(queue), message)
            }
            What::Appended { log, message, .. } if keeping.contains(&log) => {
                (Place::Kept(log), message)
            }
            _ => return,
        };
        let origin = origins.at(message.index());
        let count = self.tale(origin).effects.entry(place).or_default();
        *count += 1;
        let world = player.head();
        let sent = origins.root(message);
        let key = world.messages().get(sent).map_or(0, |message| message.key);
        let key = world.keys().get(usize::from(key)).filter(|key| !key.is_empty());
        if let (1, Some(key)) = (*count, key) {
            self.firsts.entry((place, key.clone())).or_default().push(origin);
        }
    }

    /// How a run differs from this one, the undisturbed.
    pub(crate) fn compare(&self, run: &Self) -> Difference {
        let nothing = Tale::default();
        let mut difference = Difference {
            outcome: Outcome::Fine,
            broken: run.broken.iter().filter(|it| !self.broken.contains(it)).copied().collect(),
            limit: match run.ending {
                Some(Ending::Limit(name)) => Some(name),
                _ => None,
            },
            touched: Vec::new(),
        };
        let missing = self.tales.keys().filter(|origin| !run.tales.contains_key(*origin));
        for origin in run.tales.keys().chain(missing) {
            let own = self.tales.get(origin).unwrap_or(&nothing);
            let its = run.tales.get(origin).unwrap_or(&nothing);
            let mut outcome = own.compare(its, run);
            if outcome < Outcome::Reordered && self.is_overtaken(run, *origin) {
                outcome = Outcome::Reordered;
            }
            if own != its || outcome != Outcome::Fine {
                difference.outcome = difference.outcome.max(outcome);
                difference.touched.push((*origin, outcome, own.worst_place(its)));
            }
        }
        difference
    }

    /// Whether a run has done the work of a later message with the same key before that of this one,
    /// where this one keeps the order.
    fn is_overtaken(&self, run: &Self, origin: Origin) -> bool {
        let keeps = |at: &(Place, String)| self.firsts.get(at).is_none_or(|all| all.is_sorted());
        run.firsts.iter().any(|(at, all)| {
            let place = all.iter().position(|first| *first == origin);
            let before = place.map_or(&all[..0], |place| &all[..place]);
            before.iter().any(|first| *first > origin) && keeps(at)
        })
    }

    /// What came of one message in a run, and what of the others.
    pub(crate) fn share(&self, origin: Origin, difference: &Difference) -> Share {
        let others = difference.touched.iter().filter(|(touched, ..)| *touched != origin);
        let others = others.map(|(_, outcome, _)| *outcome).max().unwrap_or(Outcome::Fine);
        let own = difference.touched.iter().find(|(touched, ..)| *touched == origin);
        let (outcome, effects) = match own {
            Some((_, outcome, effects)) => (*outcome, *effects),
            None => {
                let tale = self.tales.get(&origin);
                (Outcome::Fine, tale.map_or(Effects::default(), |own| own.worst_place(own)))
            }
        };
        Share { outcome, others, effects }
    }
}

/// Whether anything but brokers, workers and what is on its way can hold work at the end of a run.
fn rest(player: &Player) -> Rest {
    let holds = |part: &Part| match part {
        Part::Source(source) => source.open > 0,
        Part::Log(_) | Part::Relay(_) | Part::Orchestrator(_) | Part::Scheduler(_) => true,
        _ => false,
    };
    let unknown = player.ending() != Some(Ending::Quiet) && player.head().parts().iter().any(holds);
    if unknown { Rest::Unknown } else { Rest::Known }
}

/// What workers have in their hands.
fn in_hand(world: &World) -> impl Iterator<Item = MessageId> {
    let workers = world.parts().iter().filter_map(|part| match part {
        Part::Workers(state) => Some(&state.workers),
        _ => None,
    });
    workers.flatten().filter(|worker| !worker.process.is_dead()).flat_map(|worker| {
        let hands = worker.hands.iter().map(|hands| hands.activity.message);
        hands.chain(worker.pending.iter().map(|delivery| delivery.message))
    })
}

impl Tale {
    fn compare(&self, its: &Self, run: &Account) -> Outcome {
        let count = |of: &Self, place| of.effects.get(place).copied().unwrap_or(0);
        let more = its.effects.iter().any(|(place, now)| *now > count(self, place));
        let fewer = self.effects.iter().any(|(place, own)| *own > count(its, place));
        let stays = its.kept > self.kept;
        let is_nowhere = !stays && its.under_way == 0 && run.rest == Rest::Known;
        if its.lost > self.lost || fewer && is_nowhere {
            // The trace calls lost only what a broker has promised to keep.
            Outcome::Lost
        } else if more {
            Outcome::Duplicated
        } else if its.aside > self.aside || (fewer || stays) && run.ending == Some(Ending::Quiet) {
            Outcome::Stuck
        } else if fewer || stays {
            Outcome::Open
        } else {
            Outcome::Fine
        }
    }

    /// How often the work was done at the place where another run differs most from this.
    fn worst_place(&self, its: &Self) -> Effects {
        let places = self.effects.keys().chain(its.effects.keys());
        let count = |of: &Self, place| of.effects.get(place).copied().unwrap_or(0);
        let effects =
            places.map(|place| Effects { undisturbed: count(self, place), now: count(its, place) });
        effects.max_by_key(|it| (it.undisturbed.abs_diff(it.now), it.now)).unwrap_or_default()
    }
}

/// Queues and logs that keep what comes to them: nobody takes from them, and they are nobody's
/// dead-letter queue.
fn keeping(player: &Player) -> Vec<ComponentId> {
    let scenario = player.scenario();
    let is_left = |id: ComponentId| {
        !scenario.components.iter().any(|component| match &component.kind {
            Kind::Workers(workers) => workers.from == id || workers.queues().contains(&id),
            Kind::Queue(queue) => queue.dead_letter_to == Some(id),
            _ => false,
        })
    };
    let keeps = scenario
        .ids()
        .filter(|(_, component)| matches!(component.kind, Kind::Queue(_) | Kind::Log(_)));
    keeps.map(|(id, _)| id).filter(|id| is_left(*id)).collect()
}

/// From each message of a run to the one that a source sent.
pub(crate) struct Origins {
    roots: Vec<MessageId>,
    origins: Vec<Origin>,
}

impl Origins {
    pub(crate) fn of(messages: &Messages) -> Self {
        let mut found = Self { roots: Vec::new(), origins: Vec::new() };
        let mut sent: Map<ComponentId, u32> = Map::default();
        for (index, message) in messages.iter().enumerate() {
            let id = MessageId::from_index(u32::try_from(index).unwrap_or(u32::MAX));
            let event = messages.event(id);
            let before = if event == id { message.parent } else { Some(event) };
            // What a message comes from has a smaller number.
            let known = before.filter(|before| before.index() < index);
            if let Some(before) = known {
                found.roots.push(found.roots[before.index()]);
                found.origins.push(found.origins[before.index()]);
            } else {
                let nth = sent.entry(message.source).or_default();
                *nth += 1;
                found.roots.push(id);
                found.origins.push((message.source, *nth));
            }
        }
        found
    }

    /// The origin of the message at a position.
    pub(crate) fn at(&self, index: usize) -> Origin {
        self.origins.get(index).copied().unwrap_or((ComponentId::new(0), 0))
    }

    /// The message that its source sent.
    fn root(&self, message: MessageId) -> MessageId {
        self.roots.get(message.index()).copied().unwrap_or(message)
    }
}
