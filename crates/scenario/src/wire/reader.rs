//! Taking typed values out of a document, with every mistake reported at its place.

use std::fmt;
use std::ops::RangeInclusive;

use sim::{SimDuration, SimTime};

use super::number::number_text;
use super::place::{Place, Token};
use super::words::{described, one_of, shown};
use super::{Diagnostic, Diagnostics, Pointer, RecordReader, Value, WholeNumber, excerpt};
use crate::limits::{self, Limit};

/// A value of a document, its place, and where to report what is wrong with it.
///
/// Each method takes the value as one kind of thing. It gives `None` when the value is something
/// else, after having reported so; a caller collects what it can and goes on, so that one reading
/// reports everything.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    value: &'a Value,
    place: Place<'a>,
    sink: &'a Diagnostics,
}

impl<'a> Reader<'a> {
    /// Reads a whole document.
    #[must_use]
    pub fn new(document: &'a Value, sink: &'a Diagnostics) -> Self {
        Self { value: document, place: Place::root(), sink }
    }

    /// The value as it stands.
    #[must_use]
    pub fn value(&self) -> &'a Value {
        self.value
    }

    /// Where it stands.
    #[must_use]
    pub fn pointer(&self) -> Pointer {
        let mut pointer = Pointer::root();
        self.place.tokens(&mut |token| pointer.push(token));
        pointer
    }

    /// Reports something that is wrong with this value.
    pub fn error(&self, problem: impl Into<String>, repair: impl Into<String>) {
        self.sink.push(Diagnostic::new(self.place.to_string(), problem, repair));
    }

    /// Reports that this value is of the wrong kind; `wanted` has its article (“a number”).
    pub fn wrong_kind(&self, wanted: &str, example: &str) {
        self.error(
            format!("this is {}, where {wanted} belongs", described(self.value)),
            format!("write {wanted}, like {example}"),
        );
    }

    /// A record, whose fields are then asked for by name.
    #[must_use]
    pub fn record(&self) -> Option<RecordReader<'a>> {
        if let Value::Record(fields) = self.value {
            return Some(RecordReader::new(self.clone(), fields));
        }
        self.wrong_kind("a record", "{ … }");
        None
    }

    /// A list of no more entries than the bound.
    #[must_use]
    pub fn list(&self, limit: Limit) -> Option<Vec<Reader<'a>>> {
        let Value::List(entries) = self.value else {
            self.wrong_kind("a list", "[ … ]");
            return None;
        };
        if entries.len() > limit.max {
            self.error(
                format!(
                    "this list has {} entries; the bound is {limit}",
                    limits::Thousands(entries.len() as u64)
                ),
                "make it shorter",
            );
            return None;
        }
        let inner = |(at, value)| self.inner(value, Token::Index(at));
        Some(entries.iter().enumerate().map(inner).collect())
    }

    /// The entries of a list, each read. `None` if the list is not one, or any entry is wrong; all
    /// of them are read all the same, so that all that is wrong is reported.
    #[must_use]
    pub fn each<T>(
        &self,
        limit: Limit,
        mut read: impl FnMut(&Reader<'a>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let entries = self.list(limit)?;
        let mut good = Vec::with_capacity(entries.len());
        for entry in &entries {
            good.extend(read(entry));
        }
        (good.len() == entries.len()).then_some(good)
    }

    /// A text that is not empty and has no more characters than the bound.
    #[must_use]
    pub fn text(&self, limit: Limit) -> Option<&'a str> {
        let Value::Text(text) = self.value else {
            self.wrong_kind("a text", "“…”");
            return None;
        };
        if text.trim().is_empty() {
            self.error("this text is empty", "write something here, or leave the field out");
            return None;
        }
        let length = text.chars().count();
        if length > limit.max {
            self.error(
                format!(
                    "this text has {} characters; the bound is {limit}",
                    limits::Thousands(length as u64)
                ),
                "make it shorter",
            );
            return None;
        }
        Some(text)
    }

    /// A name that other places refer to: letters, digits, `-` and `_`.
    #[must_use]
    pub fn name(&self) -> Option<&'a str> {
        self.text(limits::NAME).filter(|name| self.check_name(name))
    }

    pub(super) fn check_name(&self, name: &str) -> bool {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let good = !name.is_empty() && name.len() <= limits::NAME.max && name.chars().all(plain);
        if !good {
            self.error(
                format!("“{}” is not a name", excerpt(name)),
                format!("use letters, digits, - and _, {}", limits::NAME),
            );
        }
        good
    }

    /// True or false.
    #[must_use]
    pub fn flag(&self) -> Option<bool> {
        if let Value::Bool(flag) = self.value {
            return Some(*flag);
        }
        self.wrong_kind("true or false", "true");
        None
    }

    /// A number within a range, both ends included.
    #[must_use]
    pub fn number(&self, range: RangeInclusive<f64>) -> Option<f64> {
        let Value::Number(number) = *self.value else {
            self.wrong_kind("a number", &number_text(*range.start()));
            return None;
        };
        if range.contains(&number) {
            return Some(number);
        }
        let (least, most) = (number_text(*range.start()), number_text(*range.end()));
        self.out_of_range(&shown(number), &least, &most);
        None
    }

    /// A whole number within a range, both ends included.
    #[must_use]
    pub fn integer<T: WholeNumber>(&self, range: RangeInclusive<T>) -> Option<T> {
        let Value::Number(number) = *self.value else {
            self.wrong_kind("a whole number", &range.start().to_string());
            return None;
        };
        if number.is_finite() && number.fract() != 0.0 {
            self.error(
                format!("{} is not a whole number", shown(number)),
                format!("write a whole number from {} to {}", range.start(), range.end()),
            );
            return None;
        }
        match T::from_number(number).filter(|whole| range.contains(whole)) {
            Some(whole) => Some(whole),
            None => {
                self.out_of_range(&shown(number), range.start(), range.end());
                None
            }
        }
    }

    /// A duration within a range, both ends included: `"30s"`, `"600ms"`, `"1h30m"`.
    #[must_use]
    pub fn duration(&self, range: RangeInclusive<SimDuration>) -> Option<SimDuration> {
        let text = match self.value {
            Value::Text(text) => text,
            Value::Number(number) => {
                self.error(
                    format!("{} has no unit", shown(*number)),
                    format!("write \"{}s\" for seconds", shown(*number)),
                );
                return None;
            }
            _ => {
                self.wrong_kind("a duration", "\"30s\"");
                return None;
            }
        };
        match super::parse_duration(text) {
            Ok(duration) if range.contains(&duration) => Some(duration),
            Ok(_) => {
                let end = |at: &SimDuration| format!("\"{}\"", super::format_duration(*at));
                self.out_of_range(&excerpt(text), &end(range.start()), &end(range.end()));
                None
            }
            Err((problem, repair)) => {
                self.error(problem, repair);
                None
            }
        }
    }

    /// A moment of the run, written as the duration since its start, up to [`limits::RUN_DAYS`].
    #[must_use]
    pub fn time(&self) -> Option<SimTime> {
        let longest = SimDuration::from_secs(limits::RUN_DAYS.max as u64 * 86_400);
        let since_start = self.duration(SimDuration::ZERO..=longest)?;
        Some(SimTime::from_micros(since_start.as_micros()))
    }

    /// One of several texts, and what it stands for.
    #[must_use]
    pub fn choice<T: Clone>(&self, choices: &[(&str, T)]) -> Option<T> {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        self.chosen(&names).map(|at| choices[at].1.clone())
    }

    fn chosen(&self, names: &[&str]) -> Option<usize> {
        let Value::Text(text) = self.value else {
            self.wrong_kind("a text", &one_of(names));
            return None;
        };
        let found = names.iter().position(|name| name == text);
        if found.is_none() {
            self.unknown("one of the choices", text, names);
        }
        found
    }

    /// One of several forms, `{ "wait": … }` or, for a form without fields, the bare `"ack"`
    /// (which reads like `{ "ack": {} }`).
    #[must_use]
    pub fn variant<'n>(&self, names: &[&'n str]) -> Option<(&'n str, Reader<'a>)> {
        static NO_FIELDS: Value = Value::Record(Vec::new());
        match self.value {
            Value::Text(text) => match names.iter().find(|name| **name == text) {
                Some(name) => Some((name, Self { value: &NO_FIELDS, ..self.clone() })),
                None => {
                    self.unknown("known here", text, names);
                    None
                }
            },
            Value::Record(_) => {
                let mut record = self.record()?;
                let form = record.one_of(names);
                record.finish();
                form
            }
            _ => {
                self.error(
                    format!("this is {}, where a named form belongs", described(self.value)),
                    format!("write {{ \"{}\": … }}", names.first().unwrap_or(&"name")),
                );
                None
            }
        }
    }

    /// Reports a text that is none of the known ones.
    pub fn unknown(&self, wanted: &str, found: &str, known: &[&str]) {
        let repair = match super::nearest(found, known) {
            Some(meant) => format!("did you mean “{meant}”?"),
            None => format!("use {}", one_of(known)),
        };
        self.error(format!("“{}” is not {wanted}", excerpt(found)), repair);
    }

    fn out_of_range(&self, found: &str, least: &dyn fmt::Display, most: &dyn fmt::Display) {
        self.error(format!("{found} is out of range"), format!("stay from {least} to {most}"));
    }

    pub(super) fn field(&self, name: &'a str, value: &'a Value) -> Self {
        self.inner(value, Token::Name(name))
    }

    fn inner(&self, value: &'a Value, token: Token<'a>) -> Self {
        Self { value, place: self.place.inner(token), sink: self.sink }
    }
}
