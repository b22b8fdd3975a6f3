//! What came of the properties of a run.

use broker::MessageId;
use scenario::{ComponentId, Kind, Property};
use sim::{SimDuration, SimTime};
use world::{Caller, Messages, Part, TraceEvent, What};

use crate::{Gauge, Level, Player, Progress};

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
        let What::Effected { external, message, caller: Caller::Worker(worker), nth: 1, .. } = what
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

    pub(crate) fn judge(&self, property: Property) -> Finding {
        let broken: Vec<usize> = match property {
            Property::DrainedBy(at) => self.not_drained(at),
            Property::OldestUnder(age) => self.too_old(age),
            Property::RetriesUnder(percent) => self.too_many_retries(percent),
            _ => self.broken_by_events(property),
        };
        match (broken.first(), self.progress()) {
            (Some(&witness), _) => Finding::Broken { witness, times: broken.len() },
            (None, Progress::Done) => Finding::Holds,
            (None, Progress::Running) => Finding::Open,
        }
    }

    fn broken_by_events(&self, property: Property) -> Vec<usize> {
        let mut stored: Vec<bool> = Vec::new();
        let mut order = Order::of(self);
        let mut breaks = |event: &TraceEvent| match (property, event.what) {
            (Property::NoMessageLost, What::Lost { .. } | What::LostToGroup { .. })
            | (Property::NoEventWithoutChange, What::Phantom { .. })
            | (Property::NoChangeWithoutEvent, What::Untold { .. })
            | (Property::SagaCoherent, What::Incoherent { .. })
            | (Property::OneRunner, What::TwoRunners { .. }) => true,
            (Property::NoEffectTwice, What::Effected { nth, .. }) => nth > 1,
            (Property::OrderByKey, what) => order.is_broken_by(what),
            (Property::NoPhantom, What::Stored { message, .. }) => {
                if stored.len() <= message.index() {
                    stored.resize(message.index() + 1, false);
                }
                stored[message.index()] = true;
                false
            }
            (Property::NoPhantom, What::Responded { message, status, .. }) => {
                status >= 500 && stored.get(message.index()) == Some(&true)
            }
            _ => false,
        };
        (0..self.trace().len()).filter(|at| breaks(&self.trace()[*at])).collect()
    }

    /// The queues that somebody takes from.
    fn taken_from(&self) -> impl Iterator<Item = ComponentId> {
        let scenario = self.scenario();
        let is_taken = |of: ComponentId| {
            scenario.components.iter().any(|component| match &component.kind {
                Kind::Workers(workers) => workers.queues().contains(&of),
                _ => false,
            })
        };
        scenario
            .ids()
            .filter(|(_, component)| matches!(component.kind, Kind::Queue(_)))
            .map(|(id, _)| id)
            .filter(move |id| is_taken(*id))
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// The first event from a time on, or the last of the run.
    fn event_at(&self, at: SimTime) -> usize {
        let found = self.trace().partition_point(|event| event.at < at);
        found.min(self.trace().len().saturating_sub(1))
    }

    fn not_drained(&self, at: SimTime) -> Vec<usize> {
        if self.end() < at && self.progress() == Progress::Running {
            return Vec::new();
        }
        let holds = |queue| {
            let here = |gauge| self.gauge(gauge).value_at(at) > 0.0;
            here(Gauge::Depth(queue)) || here(Gauge::InFlight(queue))
        };
        self.taken_from().filter(|queue| holds(*queue)).map(|_| self.event_at(at)).collect()
    }

    fn too_old(&self, age: SimDuration) -> Vec<usize> {
        let mut broken = Vec::new();
        for queue in self.taken_from() {
            let series = self.gauge(Gauge::Oldest(queue));
            let ends = series.steps().iter().skip(1).map(|(at, _)| *at).chain([self.end()]);
            for (&(start, level), end) in series.steps().iter().zip(ends) {
                if let Level::Since(Some(since)) = level
                    && since + age < end
                {
                    broken.push(self.event_at((since + age).max(start)));
                }
            }
        }
        sim::short::sort_by_key(&mut broken, |at| *at);
        broken.dedup();
        broken
    }

    /// The retries beyond the share that the first attempts of the whole run allow.
    fn too_many_retries(&self, percent: u32) -> Vec<usize> {
        if self.progress() == Progress::Running {
            return Vec::new();
        }
        let is_retry = |at: &usize| matches!(self.trace()[*at].what, What::Retrying { .. });
        let retries: Vec<usize> = (0..self.trace().len()).filter(is_retry).collect();
        let asked = self.head().parts().iter().map(|part| match part {
            Part::Source(source) => u64::from(source.sent),
            _ => 0,
        });
        let first = asked.sum::<u64>();
        let allowed = usize::try_from(first * u64::from(percent) / 100).unwrap_or(usize::MAX);
        retries.into_iter().skip(allowed).collect()
    }
}
