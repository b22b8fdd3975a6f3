//! Taking the fields of a record by name, and reporting those that nobody asked for.

use sim::short::sort_unstable_by_key;

use super::{Reader, Value, excerpt};
use crate::limits::{self, Limit};

/// A record whose fields are asked for one by one; [`RecordReader::finish`] then reports the rest.
#[derive(Debug)]
pub struct RecordReader<'a> {
    whole: Reader<'a>,
    fields: &'a [(String, Value)],
    known: Vec<String>,
    all_known: bool,
}

impl<'a> RecordReader<'a> {
    pub(super) fn new(whole: Reader<'a>, fields: &'a [(String, Value)]) -> Self {
        let record = Self { whole, fields, known: Vec::new(), all_known: false };
        record.report_twins();
        record
    }

    /// The record itself, to report what concerns several of its fields.
    #[must_use]
    pub fn whole(&self) -> &Reader<'a> {
        &self.whole
    }

    /// A field that must be there; its absence is reported.
    pub fn required(&mut self, name: &str) -> Option<Reader<'a>> {
        let field = self.optional(name);
        if field.is_none() {
            self.whole.error(
                format!("the field “{name}” is missing"),
                format!("add “{name}” to this record"),
            );
        }
        field
    }

    /// A field that may be left out.
    pub fn optional(&mut self, name: &str) -> Option<Reader<'a>> {
        self.known.push(name.to_owned());
        self.fields
            .iter()
            .find(|(key, _)| key == name)
            .map(|(key, value)| self.whole.field(key, value))
    }

    /// The one field of the record whose name is among these: the form that the record takes.
    /// None, or more than one, is reported.
    pub fn one_of<'n>(&mut self, names: &[&'n str]) -> Option<(&'n str, Reader<'a>)> {
        let found: Vec<_> = names
            .iter()
            .filter_map(|name| self.optional(name).map(|field| (*name, field)))
            .collect();
        match found.as_slice() {
            [_] => found.into_iter().next(),
            [] => {
                let known: Vec<&str> = self.known.iter().map(String::as_str).collect();
                let slip = self
                    .fields
                    .iter()
                    .map(|(key, _)| key.as_str())
                    .find(|key| !self.known.iter().any(|name| name == key));
                match slip {
                    // `finish` will report the unknown field with what it may have meant.
                    Some(key) if super::nearest(key, &known).is_some() => {}
                    _ => self.whole.error(
                        "this record does not say which form it takes",
                        format!("give it one of the fields {}", names.join(", ")),
                    ),
                }
                None
            }
            [first, second, ..] => {
                self.whole.error(
                    format!("“{}” and “{}” stand in one record", first.0, second.0),
                    "keep one of them; write the other as a record of its own",
                );
                None
            }
        }
    }

    /// All fields with their names, for a record that maps names of the author's choosing. Names
    /// that are not letters, digits, `-` and `_` are reported and left out; so is everything when
    /// the record has more fields than the bound.
    pub fn entries(&mut self, limit: Limit) -> Vec<(&'a str, Reader<'a>)> {
        let entries = self.raw_entries(limit);
        entries.into_iter().filter(|(name, field)| field.check_name(name)).collect()
    }

    /// All fields with their names as they stand, for a message body.
    pub fn raw_entries(&mut self, limit: Limit) -> Vec<(&'a str, Reader<'a>)> {
        self.all_known = true;
        if self.fields.len() > limit.max {
            let count = limits::Thousands(self.fields.len() as u64);
            let problem = format!("this record has {count} fields; the bound is {limit}");
            self.whole.error(problem, "make it smaller");
            return Vec::new();
        }
        let field =
            |(key, value): &'a (String, Value)| (key.as_str(), self.whole.field(key, value));
        self.fields.iter().map(field).collect()
    }

    /// Reports every field that has not been asked for, with the known name it may have meant.
    pub fn finish(self) {
        if self.all_known {
            return;
        }
        let known: Vec<&str> = self.known.iter().map(String::as_str).collect();
        let mut unknown = self.fields.iter().filter(|(key, _)| !known.contains(&key.as_str()));
        for (key, value) in unknown.by_ref().take(limits::DIAGNOSTICS.max) {
            let repair = match super::nearest(key, &known) {
                Some(meant) => format!("did you mean “{meant}”?"),
                None if self.known.is_empty() => "take it out; nothing belongs here".to_owned(),
                None => format!("take it out, or use {}", known.join(", ")),
            };
            let field = self.whole.field(key, value);
            field.error(format!("the field “{}” is not known here", excerpt(key)), repair);
        }
        let more = unknown.count();
        if more > 0 {
            self.whole.error(format!("{more} more fields are not known here"), "take them out");
        }
    }

    /// A name that stands twice: only one of its values could count.
    fn report_twins(&self) {
        let key = |at: usize| self.fields[at].0.as_str();
        let mut order: Vec<usize> = (0..self.fields.len()).collect();
        sort_unstable_by_key(&mut order, |at| key(*at));
        let mut last = None;
        for pair in order.windows(2) {
            let twin = key(pair[0]);
            if twin == key(pair[1]) && last.replace(twin) != Some(twin) {
                self.whole.error(
                    format!("the field “{}” stands here more than once", excerpt(twin)),
                    "keep one of them",
                );
            }
        }
    }
}
