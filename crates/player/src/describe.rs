//! What a run has to tell, as a tree of plain values for scripts: names in place of ids, messages,
//! processes and steps counted from 1, times in seconds.

mod data;
mod parts;

use broker::MessageId;
use scenario::wire::Value;
use scenario::{ComponentId, Kind, Scenario};
use sim::SimTime;
use world::{GroupId, WorkerId, write_trace};

use crate::{Finding, Frame, Gauge, MessageFrame, MessageState, Player, Travel, TravelKind};

impl Player {
    /// The trace from an event on: a list of `{ at, is, of }`, where `is` is the event's word and
    /// `of` what it is about, in the order of the trace's text form.
    #[must_use]
    pub fn describe_events(&self, from: usize) -> Value {
        let events = self.trace().get(from..).unwrap_or_default();
        let mut text = String::new();
        // A string takes all that is written to it.
        let _ = write_trace(&mut text, self.scenario(), events);
        Value::list(events.iter().zip(text.lines()).map(|(event, line)| {
            let mut words = line.split(' ').skip(1);
            let is = Value::text(words.next().unwrap_or_default());
            Value::record([
                ("at", seconds(event.at)),
                ("is", is),
                ("of", Value::list(words.map(Value::text))),
            ])
        }))
    }

    /// What is there at the playhead: `{ now, components, messages, travels }`.
    #[must_use]
    pub fn describe_frame(&self) -> Value {
        let frame = self.frame();
        let tell = Tell { scenario: self.scenario(), keys: self.head().keys() };
        tell.frame(&frame)
    }

    /// The measures of the run at its growing end, by name.
    #[must_use]
    pub fn measures(&self) -> Vec<(String, f64)> {
        let end = self.head().now();
        let mut measures = Vec::new();
        for (id, component) in self.scenario().ids() {
            for &(said, gauge) in gauges(&component.kind) {
                let name = [component.name.as_str(), " ", said].concat();
                measures.push((name, self.gauge(gauge(id)).value_at(end)));
            }
            let Some((log, reader)) =
                self.scenario().group_of(id).filter(|(_, first)| *first == id)
            else {
                continue;
            };
            for (said, gauge) in GROUP {
                let group = self.scenario().group_name(id).unwrap_or_default();
                let name = ["group ", group, " ", said].concat();
                measures.push((name, self.gauge(gauge(GroupId { log, reader })).value_at(end)));
            }
        }
        measures.push(("lost".to_owned(), self.gauge(Gauge::Lost).value_at(end)));
        measures
    }

    /// What came of each property: `{ property, finding, times }`, where `finding` is `holds`,
    /// `open` or `broken`.
    #[must_use]
    pub fn describe_properties(&self) -> Value {
        Value::list(self.verdicts().into_iter().map(|verdict| {
            let (finding, times) = match verdict.finding {
                Finding::Holds => ("holds", 0),
                Finding::Open => ("open", 0),
                Finding::Broken { times, .. } => ("broken", times),
            };
            Value::record([
                ("property", Value::text(verdict.property.words())),
                ("finding", Value::text(finding)),
                ("times", Value::count(times)),
            ])
        }))
    }
}

/// A gauge of a component, and how it is called.
type Named = (&'static str, fn(ComponentId) -> Gauge);

const QUEUE: [Named; 7] = [
    ("stored", Gauge::Stored),
    ("waiting", Gauge::Depth),
    ("oldest waiting, seconds", Gauge::Oldest),
    ("in flight", Gauge::InFlight),
    ("acked", Gauge::Acked),
    ("redelivered", Gauge::Redelivered),
    ("dead-lettered", Gauge::DeadLettered),
];
const LOG: [Named; 1] = [("appended", Gauge::Appended)];
/// A gauge of a group, and how it is called.
type NamedOfGroup = (&'static str, fn(GroupId) -> Gauge);

const GROUP: [NamedOfGroup; 6] = [
    ("lag", |group| Gauge::Lag(group, None)),
    ("oldest unread, seconds", |group| Gauge::OldestUnread(group, None)),
    ("read", Gauge::Read),
    ("read again", Gauge::ReadAgain),
    ("lost", Gauge::LostToGroup),
    ("rebalances", Gauge::Rebalances),
];
const EXTERNAL: [Named; 1] = [("effects", Gauge::Effects)];

fn gauges(kind: &Kind) -> &'static [Named] {
    match kind {
        Kind::Queue(_) => &QUEUE,
        Kind::Log(_) => &LOG,
        Kind::External(_) | Kind::Database(_) => &EXTERNAL,
        _ => &[],
    }
}

/// Tells with the names of a scenario.
struct Tell<'a> {
    scenario: &'a Scenario,
    keys: &'a [String],
}

impl Tell<'_> {
    fn frame(&self, frame: &Frame) -> Value {
        let each = self.scenario.components.iter().zip(&frame.components);
        let components = each.map(|(component, state)| (component.name.clone(), self.part(state)));
        Value::record([
            ("now", seconds(frame.now)),
            ("events", Value::count(frame.events)),
            ("components", Value::record(components)),
            ("messages", Value::list(frame.messages.iter().map(|m| self.message(m)))),
            ("travels", Value::list(frame.travels.iter().map(|t| self.travel(t)))),
        ])
    }

    fn message(&self, message: &MessageFrame) -> Value {
        let key = self.keys.get(usize::from(message.key)).filter(|key| !key.is_empty());
        Value::record([
            ("message", number(message.id)),
            ("of", Value::or_null(message.of.map(number))),
            ("key", Value::or_null(key.map(Value::text))),
            ("state", Value::text(state(message.state))),
            ("receives", Value::whole(message.receives)),
            ("effects", Value::whole(message.effects)),
            ("in", Value::or_null(message.queue.map(|id| self.name(id)))),
            ("poison", Value::Bool(message.poison)),
            ("lost", Value::Bool(message.lost)),
        ])
    }

    fn travel(&self, travel: &Travel) -> Value {
        let kind = match travel.kind {
            TravelKind::Request => "request",
            TravelKind::Publish => "publish",
            TravelKind::Delivery => "delivery",
            TravelKind::Call => "call",
            TravelKind::Ack => "ack",
        };
        Value::record([
            ("message", number(travel.message)),
            ("is", Value::text(kind)),
            ("from", self.name(travel.from)),
            ("to", self.name(travel.to)),
            ("process", Value::or_null(travel.worker.map(|worker| self.process(worker)))),
            ("departed", seconds(travel.departed)),
            ("arrives", seconds(travel.arrives)),
        ])
    }

    fn name(&self, id: ComponentId) -> Value {
        Value::text(self.scenario.component(id).name.as_str())
    }

    /// `mailers.2`, as in the trace.
    fn process(&self, worker: WorkerId) -> Value {
        let name = &self.scenario.component(worker.component).name;
        Value::text([name.as_str(), ".", &(worker.instance + 1).to_string()].concat())
    }
}

fn state(state: MessageState) -> &'static str {
    match state {
        MessageState::Published => "published",
        MessageState::Available => "available",
        MessageState::InFlight => "in-flight",
        MessageState::Acked => "acked",
        MessageState::Redelivered => "redelivered",
        MessageState::DeadLettered => "dead-lettered",
        MessageState::Expired => "expired",
    }
}

fn seconds(at: SimTime) -> Value {
    Value::Number(at.as_secs_f64())
}

fn number(message: MessageId) -> Value {
    Value::count(message.index() + 1)
}

#[cfg(test)]
mod tests;
