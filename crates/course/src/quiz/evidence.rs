//! Evidence: runs that show what a question or an answer claims.

use std::borrow::Cow;

use scenario::link::RunState;
use scenario::wire::{Diagnostic, Pointer, Reader, Value};
use scenario::{Scenario, limits};
use sim::SimTime;

use crate::context::{Context, all, maybe};
use crate::fact::read_with;
use crate::{Claim, Exhibit, read_scenario};

/// Where exhibits are found by their ids.
pub type Library<'a> = dyn Fn(&str) -> Option<Cow<'a, Value>> + 'a;

/// An exhibit that runs are of, under the name that the quiz knows it by.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// The name.
    pub name: String,
    /// The exhibit.
    pub exhibit: Exhibit,
}

/// A run that shows something.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// What it is a run of, by its position among the quiz's stages.
    pub stage: usize,
    /// Values put into the scenario, by place.
    pub with: Vec<(Pointer, Value)>,
    /// The moment to look at.
    pub at: Option<SimTime>,
    /// What the run must show.
    pub shows: Vec<Claim>,
}

impl Evidence {
    /// The run as a link has it, for the exhibit of its stage.
    #[must_use]
    pub fn state(&self) -> RunState {
        RunState { changes: self.with.clone(), at: self.at, ..RunState::default() }
    }
}

/// The fields of an exhibit that a stage written in a quiz does without.
const GIVEN: [(&str, &str); 6] = [
    ("kind", "simulator"),
    ("title", "Run"),
    ("lesson", "-"),
    ("module", "-"),
    ("number", "-"),
    ("rules", "-"),
];

/// Reads a stage that is written in the quiz: an exhibit without a name of its own.
pub(super) fn stage(name: &str, reader: &Reader<'_>) -> Option<Stage> {
    let Value::Record(fields) = reader.value() else {
        reader.wrong_kind("a record", "{ \"summary\": …, \"scenario\": … }");
        return None;
    };
    // What is not said stays unsaid: the texts are there to be read, and taken out again.
    let said = |key: &str| fields.iter().any(|(name, _)| name == key);
    let mut whole = fields.clone();
    whole.push(("format".to_owned(), Value::Number(f64::from(crate::FORMAT))));
    for (key, value) in GIVEN {
        if !said(key) {
            whole.push((key.to_owned(), Value::Text(value.to_owned())));
        }
    }
    let mut stage = read_stage(name, &Value::Record(whole), reader)?;
    let Exhibit { lesson, number, rules, .. } = &mut stage.exhibit;
    for (key, text) in [("lesson", lesson), ("number", number), ("rules", rules)] {
        if !said(key) {
            text.clear();
        }
    }
    Some(stage)
}

/// Takes a stage from the library.
fn borrowed(name: &str, reader: &Reader<'_>, library: &Library<'_>) -> Option<Stage> {
    match library(name) {
        Some(document) => read_stage(name, &document, reader),
        None => {
            let problem = format!("there is no exhibit “{name}”");
            reader.error(problem, "name an exhibit of the course, or write the run under “runs”");
            None
        }
    }
}

fn read_stage(name: &str, document: &Value, reader: &Reader<'_>) -> Option<Stage> {
    match Exhibit::read(document) {
        Ok(exhibit) => Some(Stage { name: name.to_owned(), exhibit }),
        Err(wrong) => {
            for Diagnostic { path, problem, repair, .. } in wrong {
                reader.error(format!("{path}: {problem}"), repair);
            }
            None
        }
    }
}

/// What evidence is read among.
pub(crate) struct Stages<'a, 'l> {
    pub library: &'a Library<'l>,
    pub all: Vec<Stage>,
}

impl Stages<'_, '_> {
    /// The stage that a record names by `of` or `exhibit`.
    pub fn named(&mut self, record: &mut scenario::wire::RecordReader<'_>) -> Option<usize> {
        let (field, reader) = record.one_of(&["of", "exhibit"])?;
        let name = reader.name()?;
        if let Some(at) = self.all.iter().position(|stage| stage.name == name) {
            return Some(at);
        }
        if field == "of" {
            let known: Vec<&str> = self.all.iter().map(|stage| stage.name.as_str()).collect();
            reader.unknown("a run of this quiz", name, &known);
            return None;
        }
        let stage = borrowed(name, &reader, self.library)?;
        self.all.push(stage);
        Some(self.all.len() - 1)
    }

    /// The scenario of a stage with values put into it, and its document.
    pub fn changed(
        &self,
        stage: usize,
        with: &[(Pointer, Value)],
        reader: &Reader<'_>,
    ) -> Option<(Value, Scenario)> {
        let mut document = self.all[stage].exhibit.document.clone();
        let put = with.iter().try_for_each(|(place, value)| document.set(place, value.clone()));
        let read = put.map_err(|wrong| vec![wrong]).and_then(|()| read_scenario(&document));
        match read {
            Ok(scenario) => Some((document, scenario)),
            Err(wrong) => {
                for Diagnostic { path, problem, repair, .. } in wrong {
                    reader.error(format!("in the run, {path}: {problem}"), repair);
                }
                None
            }
        }
    }

    /// Reads evidence.
    pub fn evidence(&mut self, reader: &Reader<'_>) -> Option<Evidence> {
        let mut record = reader.record()?;
        let stage = self.named(&mut record);
        let place = record.optional("with");
        let at = maybe(record.optional("at"), Reader::time);
        let shows = record.optional("shows");
        record.finish();
        let stage = stage?;
        let document = &self.all[stage].exhibit.document;
        let with = read_with(place, document)?;
        let (document, scenario) = self.changed(stage, &with, reader)?;
        let context = Context { document: &document, scenario: Some(&scenario) };
        let shows = all(shows, limits::PIECES, |claim| read_claim(claim, &context));
        Some(Evidence { stage, with, at: at?, shows: shows? })
    }
}

/// Reads a record that is a claim and nothing else.
fn read_claim(reader: &Reader<'_>, context: &Context<'_>) -> Option<Claim> {
    let mut record = reader.record()?;
    let claim = Claim::read(&mut record, context);
    record.finish();
    claim
}
