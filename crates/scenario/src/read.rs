//! From a document to a scenario. Every mistake in it is reported, each at its place.
//!
//! What many scenarios do not have is read out of line, here and in the engine, so that it falls
//! into the part of the WebAssembly module that a first picture does not wait for.

mod action;
mod capacity;
mod clock;
mod component;
mod database;
mod log;
mod program;
mod queue;
mod relay;
mod retry;
mod saga;
mod schedule;
mod schema;
mod taking;
mod time;
mod topic;

pub use action::{ACTIONS, read_action, read_intervention};

use broker::MessageId;
use patterns::tracing::Continuation;

use crate::wire::{Reader, RecordReader, Value, excerpt};
use crate::{Component, ComponentId, Field, Property, Scenario, limits};

/// The format that this build reads and writes.
pub const FORMAT: u32 = 1;

/// The kinds of component, as the document names them.
const KINDS: [&str; 12] = [
    "source",
    "service",
    "queue",
    "topic",
    "log",
    "workers",
    "database",
    "relay",
    "change-data-capture",
    "orchestrator",
    "scheduler",
    "external",
];

/// What a reader of a part needs to know of the others: their names and kinds, in document order.
#[derive(Debug)]
pub struct Names<'a> {
    parts: Vec<Name<'a>>,
    /// The names of the scenario's schemas.
    schemas: Vec<&'a str>,
    /// The types of message that lines of handlers are kept for.
    types: Vec<&'a str>,
}

#[derive(Debug)]
struct Name<'a> {
    name: &'a str,
    kind: Option<&'static str>,
    /// What it answers to, if it is a service; how many it has, if it is a group of workers.
    handles: Vec<&'a str>,
    count: u16,
    /// Its tables, if it is a database.
    tables: Option<&'a [(String, Value)]>,
}

impl Scenario {
    /// Reads a scenario. `None` if anything in it is wrong; the reader's sink then says what.
    #[must_use]
    pub fn read(reader: &Reader<'_>) -> Option<Self> {
        let mut record = reader.record()?;
        let format = record.required("format").and_then(|r| r.integer(1..=FORMAT));
        let name = record.required("name").and_then(|r| r.text(limits::LABEL));
        let seed = record.required("seed").and_then(|r| read_seed(&r));
        let until = record.required("until").and_then(|r| r.time());
        let names = names_of(reader.value());
        let schemas = time::optional(&mut record, "schemas", schema::schemas);
        let parts = record.required("components");
        let parts = parts.and_then(|r| Some(read_components(&mut r.record()?, &names)));
        let mut lists = |name, limit: limits::Limit| {
            let Some(list) = record.optional(name) else { return Some(Vec::new()) };
            list.each(limit, |r| read_intervention(r, &names))
        };
        let faults = lists("faults", limits::FAULTS);
        let interventions = lists("interventions", limits::INTERVENTIONS);
        let properties = match record.optional("properties") {
            Some(list) => list.each(limits::PROPERTIES, Property::read),
            None => Some(Vec::new()),
        };
        let tracing = time::optional(&mut record, "tracing", |r| {
            r.choice(&[
                ("none", Continuation::None),
                ("link", Continuation::Link),
                ("child", Continuation::Child),
            ])
        });
        record.finish();
        format?;
        Some(Self {
            name: name?.to_owned(),
            seed: seed?,
            until: until?,
            components: parts??,
            faults: faults?,
            interventions: interventions?,
            properties: properties?,
            tracing: tracing?.unwrap_or(Continuation::Link),
            schemas: schemas?.unwrap_or_default(),
            types: names.types.iter().map(|&name| Field::Text(name.to_owned())).collect(),
        })
    }
}

/// A seed is a text of digits, because a JavaScript number holds only 53 bits of it.
fn read_seed(reader: &Reader<'_>) -> Option<u64> {
    let text = match reader.value() {
        Value::Number(_) => {
            reader.wrong_kind("a text of digits", "\"42\"");
            return None;
        }
        _ => reader.text(limits::SEED)?,
    };
    let seed = text.parse().ok();
    if seed.is_none() {
        reader.error(
            format!("“{}” is not a seed", excerpt(text)),
            format!("write a whole number from 0 to {} as text, like \"42\"", u64::MAX),
        );
    }
    seed
}

fn read_components(record: &mut RecordReader<'_>, names: &Names<'_>) -> Option<Vec<Component>> {
    let whole = record.whole().clone();
    let entries = record.entries(limits::COMPONENTS);
    if entries.is_empty() {
        whole.error("there is no component", "name at least a source and where it sends to");
        return None;
    }
    let components = each_field(&entries, |name, r| component::read(name, r, names))?;
    component::check_together(&components, &entries)?;
    Some(components)
}

/// The fields of a record of the author's own names, each read; `None` if any is wrong.
fn each_field<'a, T>(
    entries: &[(&'a str, Reader<'a>)],
    read: impl Fn(&'a str, &Reader<'a>) -> Option<T>,
) -> Option<Vec<T>> {
    let mut good = Vec::with_capacity(entries.len());
    for (name, reader) in entries {
        good.extend(read(name, reader));
    }
    (good.len() == entries.len()).then_some(good)
}

/// The names in a document that may be wrong in any way: what cannot be seen is left out.
fn names_of(document: &Value) -> Names<'_> {
    let entries = |name| document.get(name).and_then(Value::as_record).unwrap_or_default();
    Names {
        parts: entries("components").iter().map(|(name, value)| glance(name, value)).collect(),
        schemas: entries("schemas").iter().map(|(name, _)| name.as_str()).collect(),
        types: types_of(entries("components")),
    }
}

/// The types that lines are kept for. They stand in handlers alone, so that sources are not looked
/// through, whose messages may be many.
fn types_of(components: &[(String, Value)]) -> Vec<&str> {
    let mut types = Vec::new();
    for (_, part) in components {
        for field in ["handles", "on_message"] {
            if let Some(handlers) = part.get(field) {
                gather_types(handlers, &mut types);
            }
        }
    }
    types
}

fn gather_types<'a>(value: &'a Value, types: &mut Vec<&'a str>) {
    match value {
        Value::Record(fields) => {
            for (name, value) in fields {
                match value.as_text().filter(|_| name == program::IF_TYPE) {
                    Some(it) if !types.contains(&it) => types.push(it),
                    Some(_) => {}
                    None => gather_types(value, types),
                }
            }
        }
        Value::List(items) => items.iter().for_each(|item| gather_types(item, types)),
        _ => {}
    }
}

fn glance<'a>(name: &'a str, value: &'a Value) -> Name<'a> {
    let is = value.get("is").and_then(Value::as_text);
    let kind = KINDS.into_iter().find(|kind| is == Some(kind));
    let handles = value.get("handles").and_then(Value::as_record).unwrap_or_default();
    let count = value.get("count").and_then(Value::as_number).unwrap_or(1.0);
    Name {
        name,
        kind,
        handles: handles.iter().map(|(request, _)| request.as_str()).collect(),
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
        count: count.clamp(0.0, 1_000.0) as u16,
        tables: value.get("tables").and_then(Value::as_record).filter(|_| kind == Some("database")),
    }
}

impl<'a> Names<'a> {
    /// The names of a scenario that has been read.
    #[must_use]
    pub fn of(document: &'a Value) -> Self {
        names_of(document)
    }

    /// Reads a reference to a component of one of these kinds.
    fn reference(&self, reader: &Reader<'_>, kinds: &[&'static str]) -> Option<ComponentId> {
        let name = reader.name()?;
        let fits = |known: &Name| known.kind.is_some_and(|kind| kinds.contains(&kind));
        match self.parts.iter().position(|known| known.name == name) {
            Some(index) if fits(&self.parts[index]) => Some(ComponentId::new(index)),
            Some(index) => {
                reader.error(
                    format!("“{name}” is of kind {}", self.parts[index].kind.unwrap_or("unknown")),
                    format!("name a component of kind {}", kinds.join(" or ")),
                );
                None
            }
            None => {
                let fitting = self.parts.iter().filter(|known| fits(known));
                let known: Vec<&str> = fitting.map(|known| known.name).collect();
                let wanted = format!("a component of kind {}", kinds.join(" or "));
                reader.unknown(&wanted, name, &known);
                None
            }
        }
    }

    /// Which handler of a service answers a request.
    fn handler(&self, service: ComponentId, reader: &Reader<'_>) -> Option<usize> {
        let request = reader.name()?;
        let handles = &self.parts[service.index()].handles;
        let found = handles.iter().position(|known| *known == request);
        if found.is_none() {
            reader.unknown("a request that this service handles", request, handles);
        }
        found
    }

    fn name(&self, id: ComponentId) -> &'a str {
        self.parts[id.index()].name
    }

    fn kind(&self, id: ComponentId) -> Option<&'static str> {
        self.parts[id.index()].kind
    }

    /// How many processes a component has.
    fn count(&self, id: ComponentId) -> u16 {
        self.parts[id.index()].count.max(1)
    }

    /// Reads the number of a worker process, from 1 on the wire.
    fn instance(&self, group: ComponentId, reader: &Reader<'_>) -> Option<u16> {
        let count = self.parts[group.index()].count.max(1);
        reader.integer(1..=count).map(|number| number - 1)
    }
}

/// Reads the number of a message, from 1 on the wire.
fn read_message(reader: &Reader<'_>) -> Option<MessageId> {
    #[allow(clippy::cast_possible_truncation, reason = "the limit is far below")]
    let most = limits::MESSAGES.max as u32;
    reader.integer(1..=most).map(|number| MessageId::from_index(number - 1))
}
