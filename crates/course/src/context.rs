//! What the parts of an exhibit refer to while they are read: the scenario's components and the
//! document that controls point into.

use broker::MessageId;
use scenario::wire::{Pointer, Reader, RecordReader, Value};
use scenario::{ComponentId, Scenario, limits};

use crate::FORMAT;

/// The scenario of the exhibit being read. It is absent when the scenario itself could not be
/// read; what refers to it is then left unread, because the scenario has been complained about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub document: &'a Value,
    pub scenario: Option<&'a Scenario>,
}

impl Context<'_> {
    /// Reads the name of a component.
    pub fn component(&self, reader: &Reader<'_>) -> Option<ComponentId> {
        let name = reader.name()?;
        let scenario = self.scenario?;
        let found = scenario.find(name);
        if found.is_none() {
            let known: Vec<&str> = scenario.components.iter().map(|c| c.name.as_str()).collect();
            reader.unknown("a component of the scenario", name, &known);
        }
        found
    }

    /// Reads a JSON pointer to a value that the scenario's document has.
    pub fn place(&self, reader: &Reader<'_>) -> Option<Pointer> {
        let text = reader.text(limits::SENTENCE)?;
        let place = match Pointer::parse(text) {
            Ok(place) => place,
            Err(why) => {
                reader.error(why.problem, why.repair);
                return None;
            }
        };
        if self.document.at(&place).is_none() {
            reader.error(
                format!("the scenario has nothing at {place}"),
                "write the value in the scenario, or point at one it has",
            );
            return None;
        }
        Some(place)
    }
}

/// The version of the format that a file is written in. What names its schema is for the editor.
pub(crate) fn format_of(record: &mut RecordReader<'_>) -> Option<u32> {
    record.optional("$schema");
    record.required("format").and_then(|r| r.integer(FORMAT..=FORMAT))
}

/// Reads a message by its number from 1.
pub(crate) fn message(reader: &Reader<'_>) -> Option<MessageId> {
    let most = u32::try_from(limits::MESSAGES.max).unwrap_or(u32::MAX);
    Some(MessageId::from_index(reader.integer::<u32>(1..=most)? - 1))
}

/// Reads an optional field: `Some(None)` when it is absent, `None` when it is wrong.
#[allow(clippy::option_option, reason = "absent and wrong are different answers")]
pub(crate) fn maybe<'a, T>(
    field: Option<Reader<'a>>,
    read: impl FnOnce(&Reader<'a>) -> Option<T>,
) -> Option<Option<T>> {
    match field {
        None => Some(None),
        Some(field) => read(&field).map(Some),
    }
}

/// Reads a list, absent meaning empty; `None` when an entry is wrong, after all have been read.
pub(crate) fn all<'a, T>(
    field: Option<Reader<'a>>,
    limit: limits::Limit,
    read: impl FnMut(&Reader<'a>) -> Option<T>,
) -> Option<Vec<T>> {
    let Some(field) = field else { return Some(Vec::new()) };
    field.each(limit, read)
}

/// Reads a required text of a record.
pub(crate) fn text(
    record: &mut RecordReader<'_>,
    name: &str,
    limit: limits::Limit,
) -> Option<String> {
    record.required(name).and_then(|r| r.text(limit)).map(str::to_owned)
}

/// Reads a name.
pub(crate) fn name(reader: &Reader<'_>) -> Option<String> {
    reader.name().map(str::to_owned)
}

/// Reads a sentence.
pub(crate) fn sentence(reader: &Reader<'_>) -> Option<String> {
    reader.text(limits::SENTENCE).map(str::to_owned)
}

/// Reads a paragraph.
pub(crate) fn paragraph(reader: &Reader<'_>) -> Option<String> {
    reader.text(limits::PARAGRAPH).map(str::to_owned)
}
