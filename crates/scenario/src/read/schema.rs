//! Schemas, and the lines that are about them.

use patterns::events::schema::{Compatibility, DefaultValue, FieldType, Schema};

use sim::{SimDuration, Times};

use super::time::{optional, times};
use super::{Names, database};
use crate::wire::{Reader, RecordReader, Value};
use crate::{Act, Admission, NamedSchema, SchemaId, limits};

const TYPES: [(&str, FieldType); 5] = [
    ("int", FieldType::Int),
    ("long", FieldType::Long),
    ("double", FieldType::Double),
    ("text", FieldType::Text),
    ("boolean", FieldType::Boolean),
];

const MODES: [(&str, Compatibility); 7] = [
    ("none", Compatibility::None),
    ("backward", Compatibility::Backward),
    ("backward-transitive", Compatibility::BackwardTransitive),
    ("forward", Compatibility::Forward),
    ("forward-transitive", Compatibility::ForwardTransitive),
    ("full", Compatibility::Full),
    ("full-transitive", Compatibility::FullTransitive),
];

/// Reads the schemas of a scenario: `{ "v1": { "usd": "double" } }`.
#[inline(never)]
pub(super) fn schemas(reader: &Reader<'_>) -> Option<Vec<NamedSchema>> {
    let mut record = reader.record()?;
    let entries = record.entries(limits::SCHEMAS);
    record.finish();
    // Fields go by number in a schema, and by the same number in each version.
    let mut names: Vec<&str> = Vec::new();
    let mut all = Vec::new();
    for (name, reader) in &entries {
        let mut record = reader.record()?;
        let fields = record.entries(limits::FIELDS);
        record.finish();
        let mut read = Vec::new();
        for (field, reader) in &fields {
            let known = names.iter().position(|name| name == field);
            let number = known.unwrap_or_else(|| {
                names.push(field);
                names.len() - 1
            });
            let (kind, default) = field_type(reader)?;
            read.push((u32::try_from(number).ok()?, kind, default));
        }
        all.push(NamedSchema { name: (*name).to_owned(), schema: Schema::new(&read) });
    }
    Some(all)
}

/// Reads a type, or a type with what a reader puts there when the data has nothing.
fn field_type(reader: &Reader<'_>) -> Option<(FieldType, DefaultValue)> {
    if matches!(reader.value(), Value::Text(_)) {
        return reader.choice(&TYPES).map(|kind| (kind, DefaultValue::None));
    }
    let mut record = reader.record()?;
    let kind = record.required("type").and_then(|r| r.choice(&TYPES));
    let default = optional(&mut record, "default", database::operand);
    record.finish();
    let default = default?.map_or(DefaultValue::None, |_| DefaultValue::Given);
    Some((kind?, default))
}

/// Reads a line that decodes, or asks for a version to be admitted.
#[inline(never)]
pub(super) fn line(word: &str, record: &mut RecordReader<'_>, names: &Names<'_>) -> Option<Act> {
    let takes = optional(record, "takes", times);
    let takes = takes.map(|takes| takes.unwrap_or(Times::constant(SimDuration::ZERO)));
    if word == "decode" {
        let schema = record.required("as").and_then(|r| names.schema(&r));
        return Some(Act::Decode { schema: schema?, takes: takes? });
    }
    let admission = admission(record, names).map(Box::new);
    Some(Act::Admit { admission: admission?, takes: takes? })
}

/// Reads what a registry asks of a new version.
fn admission(record: &mut RecordReader<'_>, names: &Names<'_>) -> Option<Admission> {
    let schema = record.required("schema").and_then(|r| names.schema(&r));
    let after = record.required("after").and_then(|r| match r.value() {
        Value::List(_) => r.each(limits::SCHEMAS, |r| names.schema(r)),
        _ => names.schema(&r).map(|one| vec![one]),
    });
    let mode = record.required("mode").and_then(|r| r.choice(&MODES));
    Some(Admission { schema: schema?, after: after?, mode: mode? })
}

impl Names<'_> {
    /// Reads a reference to a schema.
    pub(super) fn schema(&self, reader: &Reader<'_>) -> Option<SchemaId> {
        let name = reader.name()?;
        let found = self.schemas.iter().position(|known| *known == name);
        if self.schemas.is_empty() {
            reader.error(
                format!("“{name}” is not a schema of this scenario"),
                "name one under \"schemas\" first",
            );
        } else if found.is_none() {
            reader.unknown("a schema of this scenario", name, &self.schemas);
        }
        found.and_then(|at| u16::try_from(at).ok()).map(SchemaId)
    }
}
