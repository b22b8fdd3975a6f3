//! Evidence: runs that show what a question, an answer or an advice claims.
//!
//! - [`Stage`] is an exhibit that runs are of, taken from a [`Library`] or written in the file.
//! - [`Evidence`] is a run of a stage and what it must show, which the linter holds it to.

use std::borrow::Cow;

use player::Player;
use scenario::link::RunState;
use scenario::wire::{Diagnostic, Pointer, Reader, Value};
use scenario::{Scenario, limits};
use sim::SimTime;

use crate::context::{Context, all, maybe};
use crate::fact::{cut_short, read_with};
use crate::lint::CUT_SHORT;
use crate::{Claim, Exhibit, FactOutcome, read_scenario};

/// Where exhibits are found by their ids.
pub type Library<'a> = dyn Fn(&str) -> Option<Cow<'a, Value>> + 'a;

/// An exhibit that runs are of, under the name that the file knows it by.
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
    /// What it is a run of, by its position among the file's stages.
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

/// The fields of an exhibit that a stage written in the file does without.
const GIVEN: [(&str, &str); 6] = [
    ("kind", "simulator"),
    ("title", "Run"),
    ("lesson", "-"),
    ("module", "-"),
    ("number", "-"),
    ("rules", "-"),
];

/// Reads a stage that is written in the file: an exhibit without a name of its own.
fn stage(name: &str, reader: &Reader<'_>) -> Option<Stage> {
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
            reader.unknown("a run of this file", name, &known);
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

/// Reads the runs that are written in the file, by their names.
pub(crate) fn read_runs(reader: &Reader<'_>) -> Option<Vec<Stage>> {
    let mut record = reader.record()?;
    let entries = record.entries(limits::PIECES);
    let stages: Vec<_> = entries.iter().map(|(name, reader)| stage(name, reader)).collect();
    stages.into_iter().collect()
}

/// The exhibits that a document takes its runs from, by the names it gives: `exhibit`.
#[must_use]
pub fn exhibits_named(document: &Value) -> Vec<String> {
    let mut names = Vec::new();
    gather(document, &mut names);
    names.sort();
    names.dedup();
    names
}

fn gather(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::List(entries) => entries.iter().for_each(|entry| gather(entry, names)),
        Value::Record(fields) => {
            for (key, value) in fields {
                match value {
                    Value::Text(name) if key == "exhibit" => names.push(name.clone()),
                    value => gather(value, names),
                }
            }
        }
        _ => {}
    }
}

/// Where a linter puts what it finds: the place, the problem and the repair.
pub(crate) type Report<'r> = dyn FnMut(String, String, &str) + 'r;

/// Plays a run and looks for what it is to show.
pub(crate) fn play(stages: &[Stage], evidence: &Evidence, path: &str, report: &mut Report<'_>) {
    if evidence.shows.is_empty() {
        let repair = "write under “shows” what the run must show";
        report(path.to_owned(), "the run is said to show nothing".into(), repair);
    }
    let exhibit = &stages[evidence.stage].exhibit;
    let player: Player = match exhibit.run_with(&evidence.with) {
        Ok(player) => player,
        Err(wrong) => {
            let problem = wrong.first().map(ToString::to_string).unwrap_or_default();
            report(path.to_owned(), format!("there is no such run: {problem}"), "repair “with”");
            return;
        }
    };
    if let Some(limit) = cut_short(&player) {
        let problem = format!("the run is cut short: {limit}");
        report(path.to_owned(), problem, CUT_SHORT);
    }
    for (at, claim) in evidence.shows.iter().enumerate() {
        if let FactOutcome::Differs { claimed, found } = claim.check(&player) {
            let problem = format!("the run shows {found}, not {claimed}");
            report(format!("{path}/shows/{at}"), problem, "correct the claim, or the run");
        }
    }
}
