//! A decision tree: questions that lead to advice, examples to walk it with, and what would have
//! been built otherwise, as a run.

use scenario::limits;
use scenario::wire::{Diagnostic, Diagnostics, Reader, Value};

use crate::context::{all, format_of, maybe, text};
use crate::evidence::{Evidence, Library, Report, Stage, Stages, play, read_runs};
use crate::prose::flaws;

/// A decision tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// Its title.
    pub title: String,
    /// What a learner takes away, in a sentence.
    pub lesson: String,
    /// The module of the course that it belongs to: `m1` to `m8`.
    pub module: String,
    /// The entries of the inventory that it fulfils.
    pub inventory: Vec<String>,
    /// What its runs are of.
    pub stages: Vec<Stage>,
    /// The questions; the first one is asked first, and each leads to later ones or to advice.
    pub forks: Vec<Fork>,
    /// The advice at the ends.
    pub ends: Vec<End>,
    /// Examples to walk it with.
    pub examples: Vec<Example>,
}

/// A question of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fork {
    /// The question.
    pub ask: String,
    /// How to find the answer.
    pub help: Option<String>,
    /// The answers, each with what it leads to.
    pub answers: Vec<(String, Next)>,
}

/// What an answer leads to, by its position among its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Another question.
    Fork(usize),
    /// Advice.
    End(usize),
}

/// The advice at an end.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// What to do.
    pub advise: String,
    /// Why.
    pub because: String,
    /// The run that shows it.
    pub run: Option<Evidence>,
}

/// An example to walk a tree with.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// What it is.
    pub say: String,
    /// The answers that lead to its end, by their positions.
    pub path: Vec<usize>,
    /// The end that it comes to.
    pub end: usize,
    /// Why it comes there.
    pub why: String,
    /// What comes of building it otherwise.
    pub otherwise: Option<Otherwise>,
}

/// What comes of building something otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Otherwise {
    /// In words.
    pub say: String,
    /// The run that shows it.
    pub run: Option<Evidence>,
}

impl Tree {
    /// Reads a tree. Exhibits that its runs are of come from `library`.
    ///
    /// # Errors
    /// Everything that is wrong with the document, each with its JSON pointer and repair.
    pub fn read(document: &Value, library: &Library<'_>) -> Result<Self, Vec<Diagnostic>> {
        let sink = Diagnostics::new();
        let tree = read(&Reader::new(document, &sink), library);
        match tree {
            Some(tree) if sink.is_empty() => Ok(tree),
            _ => Err(crate::exhibit::complaints(sink)),
        }
    }

    /// Where a path of answers leads; `None` if it leads past an end.
    #[must_use]
    pub fn follow(&self, path: &[usize]) -> Option<Next> {
        path.iter().try_fold(Next::Fork(0), |next, &answer| match next {
            Next::Fork(fork) => self.forks[fork].answers.get(answer).map(|(_, next)| *next),
            Next::End(_) => None,
        })
    }
}

/// What is wrong with a tree beyond its form, each with the JSON pointer and a repair.
#[must_use]
pub fn lint_tree(tree: &Tree) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut report = |path: String, problem: String, repair: &str| {
        found.push(Diagnostic::new(path, problem, repair));
    };
    for (at, id) in tree.inventory.iter().enumerate() {
        if !crate::lint::is_inventory_id(id) {
            let problem = format!("“{id}” is not an entry of the inventory");
            report(format!("/inventory/{at}"), problem, "write one like X-M1-TREE1");
        }
    }
    texts(tree, &mut report);
    let led_to = |next: Next| {
        tree.forks.iter().flat_map(|fork| &fork.answers).any(|(_, other)| *other == next)
    };
    for at in 1..tree.forks.len() {
        if !led_to(Next::Fork(at)) {
            report(format!("/forks/{at}"), "nothing leads here".into(), "lead an answer to it");
        }
    }
    for (at, end) in tree.ends.iter().enumerate() {
        if !led_to(Next::End(at)) {
            report(format!("/ends/{at}"), "nothing leads here".into(), "lead an answer to it");
        }
        if let Some(run) = &end.run {
            play(&tree.stages, run, &format!("/ends/{at}/run"), &mut report);
        }
        if !tree.examples.iter().any(|example| example.end == at) {
            let repair = "write an example that comes to it";
            report(format!("/ends/{at}"), "no example comes here".into(), repair);
        }
    }
    for (at, example) in tree.examples.iter().enumerate() {
        let run = example.otherwise.as_ref().and_then(|otherwise| otherwise.run.as_ref());
        if let Some(run) = run {
            play(&tree.stages, run, &format!("/examples/{at}/otherwise/run"), &mut report);
        }
    }
    found
}

/// House rules for what a learner reads.
fn texts(tree: &Tree, report: &mut Report<'_>) {
    for (path, text) in said(tree) {
        for (problem, repair) in flaws(text) {
            report(path.clone(), problem, repair);
        }
    }
}

/// Every text of a tree, each with its place.
fn said(tree: &Tree) -> Vec<(String, &str)> {
    let mut all: Vec<(String, &str)> =
        vec![("/title".into(), &tree.title), ("/lesson".into(), &tree.lesson)];
    for (at, fork) in tree.forks.iter().enumerate() {
        all.push((format!("/forks/{at}/ask"), &fork.ask));
        all.extend(fork.help.iter().map(|help| (format!("/forks/{at}/help"), help.as_str())));
        let answers = fork.answers.iter().enumerate();
        all.extend(answers.map(|(n, (say, _))| (format!("/forks/{at}/answers/{n}"), say.as_str())));
    }
    for (at, end) in tree.ends.iter().enumerate() {
        all.push((format!("/ends/{at}/advise"), &end.advise));
        all.push((format!("/ends/{at}/because"), &end.because));
    }
    for (at, example) in tree.examples.iter().enumerate() {
        all.push((format!("/examples/{at}/say"), &example.say));
        all.push((format!("/examples/{at}/why"), &example.why));
        let otherwise = example.otherwise.iter();
        all.extend(otherwise.map(|it| (format!("/examples/{at}/otherwise/say"), it.say.as_str())));
    }
    all
}

fn read(reader: &Reader<'_>, library: &Library<'_>) -> Option<Tree> {
    let mut record = reader.record()?;
    let format = format_of(&mut record);
    let kind = record.required("kind").and_then(|r| r.choice(&[("tree", ())]));
    let title = text(&mut record, "title", limits::LABEL);
    let lesson = text(&mut record, "lesson", limits::SENTENCE);
    let module = text(&mut record, "module", limits::NAME);
    let inventory =
        all(record.optional("inventory"), limits::PIECES, |r| r.name().map(str::to_owned));
    let runs = record.optional("runs").map(|runs| read_runs(&runs));
    let mut stages = Stages { library, all: runs.unwrap_or(Some(Vec::new()))? };
    let (forks, ends) = (record.required("forks"), record.required("ends"));
    let examples = record.required("examples");
    record.finish();
    let (forks, ends) = (forks?, ends?);
    let names = Names { forks: ids(&forks), ends: ids(&ends) };
    let mut at = 0;
    let forks = forks.each(limits::PIECES, |r| {
        at += 1;
        fork(r, &names, at - 1)
    });
    let ends = ends.each(limits::PIECES, |r| {
        let mut record = r.record()?;
        record.required("id");
        let advise = text(&mut record, "advise", limits::LABEL);
        let because = text(&mut record, "because", limits::PARAGRAPH);
        let run = maybe(record.optional("run"), |r| stages.evidence(r));
        record.finish();
        Some(End { advise: advise?, because: because?, run: run? })
    });
    let (forks, ends) = (forks?, ends?);
    let examples = examples?.each(limits::PIECES, |r| example(r, &forks, &mut stages));
    format?;
    kind?;
    Some(Tree {
        title: title?,
        lesson: lesson?,
        module: module?,
        inventory: inventory?,
        stages: stages.all,
        examples: examples?,
        forks,
        ends,
    })
}

/// The names that answers lead to.
struct Names {
    forks: Vec<String>,
    ends: Vec<String>,
}

/// The ids of a list of records, before they are read.
fn ids(list: &Reader<'_>) -> Vec<String> {
    let Value::List(entries) = list.value() else { return Vec::new() };
    let id = |entry: &Value| entry.get("id").and_then(Value::as_text).unwrap_or("").to_owned();
    entries.iter().map(id).collect()
}

fn fork(reader: &Reader<'_>, names: &Names, own: usize) -> Option<Fork> {
    let mut record = reader.record()?;
    record.required("id");
    let ask = text(&mut record, "ask", limits::SENTENCE);
    let help = maybe(record.optional("help"), |r| r.text(limits::PARAGRAPH).map(str::to_owned));
    let list = record.required("answers");
    record.finish();
    let answers = list?.each(limits::PIECES, |r| {
        let mut record = r.record()?;
        let say = text(&mut record, "say", limits::LABEL);
        let to = record.required("to").and_then(|r| next(&r, names, own));
        record.finish();
        Some((say?, to?))
    })?;
    if answers.len() < 2 {
        reader.error("a question with one answer decides nothing", "write two answers or more");
        return None;
    }
    Some(Fork { ask: ask?, help: help?, answers })
}

fn next(reader: &Reader<'_>, names: &Names, own: usize) -> Option<Next> {
    let name = reader.name()?;
    if let Some(end) = names.ends.iter().position(|other| other == name) {
        return Some(Next::End(end));
    }
    match names.forks.iter().position(|other| other == name) {
        // Only what stands below can follow, so that every walk ends.
        Some(fork) if fork > own => Some(Next::Fork(fork)),
        Some(_) => {
            reader.error("this leads back", "lead to a question that stands further down");
            None
        }
        None => {
            let known = names.forks.iter().chain(&names.ends).map(String::as_str);
            reader.unknown("a question or an end", name, &known.collect::<Vec<_>>());
            None
        }
    }
}

fn example(reader: &Reader<'_>, forks: &[Fork], stages: &mut Stages<'_, '_>) -> Option<Example> {
    let mut record = reader.record()?;
    let say = text(&mut record, "say", limits::LABEL);
    let answers = record.required("answers");
    let why = text(&mut record, "why", limits::PARAGRAPH);
    let otherwise = maybe(record.optional("otherwise"), |r| {
        let mut record = r.record()?;
        let say = text(&mut record, "say", limits::PARAGRAPH);
        let run = maybe(record.optional("run"), |r| stages.evidence(r));
        record.finish();
        Some(Otherwise { say: say?, run: run? })
    });
    record.finish();
    let list = answers?;
    let mut at = Next::Fork(0);
    let path = list.each(limits::PIECES, |r| {
        let said = r.text(limits::LABEL)?;
        let Next::Fork(fork) = at else {
            r.error("the walk is over before this answer", "take it out");
            return None;
        };
        let answers = &forks.get(fork)?.answers;
        let Some(answer) = answers.iter().position(|(say, _)| say == said) else {
            let known: Vec<&str> = answers.iter().map(|(say, _)| say.as_str()).collect();
            r.unknown("an answer here", said, &known);
            return None;
        };
        at = answers[answer].1;
        Some(answer)
    })?;
    let Next::End(end) = at else {
        list.error("these answers come to no end", "write the answers that are missing");
        return None;
    };
    Some(Example { say: say?, path, end, why: why?, otherwise: otherwise? })
}
