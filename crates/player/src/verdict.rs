//! What came of the properties of a run.

use broker::MessageId;
use scenario::{ComponentId, Kind, Property};
use world::{Caller, Messages, TraceEvent, What};

use crate::{Player, Progress};

/// A property and what came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The property.
    pub property: Property,
    /// What came of it.
    pub finding: Finding,
}

/// What came of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It held to the end of the run.
    Holds,
    /// It was broken; the position in the trace of the first event that broke it, and how many did.
    Broken {
        /// The first event that broke it.
        witness: usize,
        /// How many events broke it.
        times: usize,
    },
    /// It has held so far; the run is not computed to its end.
    Open,
}

/// How far the effects of each key have come, in each external service and for each group of
/// readers.
struct Order<'a> {
    messages: &'a Messages,
    keys: &'a [String],
    /// For whom each component works: the first of its group, or the queue that it takes from.
    works_for: Vec<ComponentId>,
    /// The latest message of a key that had its effect, in order of what it is kept under.
    latest: Vec<((ComponentId, ComponentId, u16), MessageId)>,
}

impl<'a> Order<'a> {
    fn of(player: &'a Player) -> Self {
        let scenario = player.scenario();
        let works_for = scenario.ids().map(|(id, component)| match &component.kind {
            Kind::Workers(workers) => {
                scenario.group_of(id).map_or(workers.from, |(_, reader)| reader)
            }
            _ => id,
        });
        let works_for = works_for.collect();
        let world = player.head();
        Self { messages: world.messages(), keys: world.keys(), works_for, latest: Vec::new() }
    }

    /// Whether a first effect comes after that of a later message with its key.
    fn is_broken_by(&mut self, what: What) -> bool {
        let What::Effected { external, message, caller: Caller::Worker(worker), nth: 1 } = what
        else {
            return false;
        };
        let mut sent = message;
        while let Some(parent) = self.messages.get(sent).and_then(|message| message.parent) {
            sent = parent;
        }
        let Some(key) = self.messages.get(sent).map(|message| message.key) else { return false };
        if self.keys.get(usize::from(key)).is_none_or(String::is_empty) {
            return false;
        }
        let of = (external, self.works_for[worker.component.index()], key);
        match self.latest.binary_search_by_key(&of, |(of, _)| *of) {
            Ok(at) if self.latest[at].1 > sent => true,
            Ok(at) => {
                self.latest[at].1 = sent;
                false
            }
            Err(at) => {
                self.latest.insert(at, (of, sent));
                false
            }
        }
    }
}

impl Player {
    /// What came of each property of the scenario.
    #[must_use]
    pub fn verdicts(&self) -> Vec<Verdict> {
        let judge = |&property| Verdict { property, finding: self.judge(property) };
        self.scenario().properties.iter().map(judge).collect()
    }

    fn judge(&self, property: Property) -> Finding {
        let mut order = Order::of(self);
        let mut breaks = |event: &TraceEvent| match (property, event.what) {
            (Property::NoMessageLost, What::Lost { .. } | What::LostToGroup { .. }) => true,
            (Property::NoEffectTwice, What::Effected { nth, .. }) => nth > 1,
            (Property::OrderByKey, what) => order.is_broken_by(what),
            _ => false,
        };
        let broken: Vec<usize> =
            (0..self.trace().len()).filter(|at| breaks(&self.trace()[*at])).collect();
        match (broken.first(), self.progress()) {
            (Some(&witness), _) => Finding::Broken { witness, times: broken.len() },
            (None, Progress::Done) => Finding::Holds,
            (None, Progress::Running) => Finding::Open,
        }
    }
}
