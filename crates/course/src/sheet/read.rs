//! Reading a sheet.

use scenario::limits::{self, Limit};
use scenario::wire::{Reader, RecordReader};

use super::{
    Check, Entry, Figure, FigureKind, Formula, Graph, Input, Line, Numbers, Output, Over, Sheet,
    SheetFact, Side, Template, Value,
};
use crate::FORMAT;
use crate::context::{all, maybe, text};

/// Numbers that may be entered.
const NUMBERS: std::ops::RangeInclusive<f64> = -1e12..=1e12;

/// The names that formulas and sentences know so far: inputs first.
struct Names(Vec<String>);

impl Names {
    fn all(&self) -> Vec<&str> {
        self.0.iter().map(String::as_str).collect()
    }

    /// Reads a name that no other has.
    fn fresh(&mut self, reader: &Reader<'_>) -> Option<String> {
        let name = reader.name()?.to_owned();
        let first = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
        if !first || name.contains('-') {
            reader.error(
                format!("“{name}” would be read as more than a name in a formula"),
                "begin with a letter, and use _ for -",
            );
            return None;
        }
        if self.0.contains(&name) {
            reader.error(format!("the name “{name}” is taken"), "choose another");
            return None;
        }
        self.0.push(name.clone());
        Some(name)
    }
}

pub(super) fn sheet(reader: &Reader<'_>) -> Option<Sheet> {
    let mut record = reader.record()?;
    let format = record.required("format").and_then(|r| r.integer::<u32>(FORMAT..=FORMAT));
    let kind = record.required("kind").and_then(|r| r.choice(&[("sheet", ())]));
    let title = text(&mut record, "title", limits::LABEL);
    let lesson = text(&mut record, "lesson", limits::SENTENCE);
    let module = text(&mut record, "module", limits::NAME);
    let summary = text(&mut record, "summary", limits::PARAGRAPH);
    let inventory =
        all(record.optional("inventory"), limits::PIECES, |r| r.name().map(str::to_owned));
    let model = all(record.optional("model"), limits::PIECES, |r| owned(r, limits::PARAGRAPH));
    let mut names = Names(Vec::new());
    let inputs = record
        .required("inputs")
        .and_then(|list| list.each(limits::PIECES, |r| input(r, &mut names)));
    let values = record
        .required("values")
        .and_then(|list| list.each(limits::PIECES, |r| value(r, &mut names)));
    let charts = record.optional("charts");
    let card = record.optional("card");
    let facts = record.optional("facts");
    record.finish();
    let (inputs, values) = (inputs?, values?);
    let graphs = all(charts, limits::PIECES, |r| graph(r, &names, inputs.len()));
    let card = all(card, limits::PIECES, |r| Template::read(r, limits::PARAGRAPH, &names.all()));
    format?;
    kind?;
    let mut sheet = Sheet {
        title: title?,
        lesson: lesson?,
        module: module?,
        inventory: inventory?,
        summary: summary?,
        inputs,
        values,
        graphs: graphs?,
        card: card?,
        model: model?,
        facts: Vec::new(),
    };
    // Tests hold a sheet to its facts; a page shows none of them, and need not read them.
    if !cfg!(target_arch = "wasm32") {
        sheet.facts = all(facts, limits::PIECES, |r| SheetFact::read(r, &sheet))?;
    }
    Some(sheet)
}

fn input(reader: &Reader<'_>, names: &mut Names) -> Option<Input> {
    let mut record = reader.record()?;
    let id = record.required("id").and_then(|r| names.fresh(&r));
    let label = text(&mut record, "label", limits::LABEL);
    let note = maybe(record.optional("note"), |r| owned(r, limits::SENTENCE));
    let entry = match record.optional("choices") {
        Some(choices) => choice(&mut record, &choices),
        None => number(&mut record, reader),
    };
    record.finish();
    Some(Input { id: id?, label: label?, note: note?.unwrap_or_default(), entry: entry? })
}

fn number(record: &mut RecordReader<'_>, reader: &Reader<'_>) -> Option<Entry> {
    let mut one = |name: &str| record.required(name).and_then(|r| r.number(NUMBERS));
    let (is, from, to) = (one("is"), one("from"), one("to"));
    let whole = maybe(record.optional("whole"), Reader::flag);
    let unit = maybe(record.optional("unit"), |r| owned(r, limits::LABEL));
    let of = if whole? == Some(true) { Numbers::Whole } else { Numbers::Any };
    let (is, range) = (is?, (from?, to?));
    let entry = Entry::Number { is, range, of, unit: unit?.unwrap_or_default() };
    let probe = |entry: &Entry, number| {
        let none = String::new;
        let input = Input { id: none(), label: none(), note: none(), entry: entry.clone() };
        input.takes(number)
    };
    if !probe(&entry, is) {
        reader.error(
            "“is” cannot be entered itself",
            "put it within “from” and “to”, or make it whole",
        );
        return None;
    }
    Some(entry)
}

fn choice(record: &mut RecordReader<'_>, list: &Reader<'_>) -> Option<Entry> {
    let choices = list.each(limits::PIECES, |r| {
        let mut record = r.record()?;
        let label = text(&mut record, "label", limits::LABEL);
        let value = record.required("value").and_then(|r| r.number(NUMBERS));
        record.finish();
        Some((label?, value?))
    });
    let is = record.required("is").and_then(|r| {
        let number = r.number(NUMBERS)?;
        let found = choices.as_ref()?.iter().position(|(_, value)| *value == number);
        if found.is_none() {
            r.error("none of the choices has this value", "write the value of the first choice");
        }
        found
    });
    Some(Entry::Choice { is: is?, choices: choices? })
}

fn value(reader: &Reader<'_>, names: &mut Names) -> Option<Value> {
    let mut record = reader.record()?;
    let before = names.0.clone();
    let before: Vec<&str> = before.iter().map(String::as_str).collect();
    let id = record.required("id").and_then(|r| names.fresh(&r));
    let formula = record.required("formula").and_then(|r| Formula::read(&r, &before));
    let needs = maybe(record.optional("needs"), |r| {
        let mut record = r.record()?;
        let that = record.required("that").and_then(|r| Formula::read(&r, &before));
        let otherwise =
            record.required("else").and_then(|r| Template::read(&r, limits::SENTENCE, &before));
        record.finish();
        Some((that?, otherwise?))
    });
    let output = match record.optional("label") {
        None => Some(None),
        Some(label) => {
            let label = owned(&label, limits::LABEL);
            let figure = figure(&mut record);
            let says = text(&mut record, "says", limits::SENTENCE);
            let check = maybe(record.optional("check"), |r| check(r, &names.all()));
            let whole =
                || Some(Output { label: label?, figure: figure?, says: says?, check: check? });
            whole().map(Some)
        }
    };
    record.finish();
    Some(Value { id: id?, formula: formula?, needs: needs?, output: output? })
}

/// How a number is written: `as`, `digits` and `unit`.
fn figure(record: &mut RecordReader<'_>) -> Option<Figure> {
    let kind = maybe(record.optional("as"), |r| {
        r.choice(&[
            ("number", FigureKind::Number),
            ("percent", FigureKind::Percent),
            ("time", FigureKind::Time),
        ])
    });
    let digits = maybe(record.optional("digits"), |r| r.integer::<u8>(0..=9));
    let unit = maybe(record.optional("unit"), |r| owned(r, limits::LABEL));
    Some(Figure {
        kind: kind?.unwrap_or(FigureKind::Number),
        digits: digits?.unwrap_or(1),
        unit: unit?.unwrap_or_default(),
    })
}

fn check(reader: &Reader<'_>, names: &[&str]) -> Option<Check> {
    let mut record = reader.record()?;
    let bound = record.one_of(&["at_most", "at_least", "is"]).and_then(|(side, r)| {
        let side = match side {
            "at_most" => Side::AtMost,
            "at_least" => Side::AtLeast,
            _ => Side::Equal,
        };
        Some((side, Formula::read(&r, names)?))
    });
    let mut say = |name: &str| {
        record.required(name).and_then(|r| Template::read(&r, limits::SENTENCE, names))
    };
    let (holds, fails) = (say("holds"), say("fails"));
    record.finish();
    let (side, bound) = bound?;
    Some(Check { side, bound, holds: holds?, fails: fails? })
}

fn graph(reader: &Reader<'_>, names: &Names, inputs: usize) -> Option<Graph> {
    let mut record = reader.record()?;
    let known = names.all();
    let label = text(&mut record, "label", limits::LABEL);
    let mut own = None;
    let over = record.required("over").and_then(|r| over(&r, &known, inputs, &mut own));
    let figure = figure(&mut record);
    let mut inner = known.clone();
    inner.extend(own.as_deref());
    let lines = record.required("lines").and_then(|list| {
        list.each(crate::SERIES_MAX, |r| {
            let mut record = r.record()?;
            let label = text(&mut record, "label", limits::LABEL);
            let formula = record.required("formula").and_then(|r| Formula::read(&r, &inner));
            record.finish();
            Some(Line { label: label?, formula: formula? })
        })
    });
    let bound = maybe(record.optional("bound"), |r| {
        let mut record = r.record()?;
        let formula = record.required("formula").and_then(|r| Formula::read(&r, &known));
        let label = text(&mut record, "label", limits::LABEL);
        record.finish();
        Some((formula?, label?))
    });
    record.finish();
    Some(Graph { label: label?, over: over?, figure: figure?, lines: lines?, bound: bound? })
}

fn over(
    reader: &Reader<'_>,
    names: &[&str],
    inputs: usize,
    own: &mut Option<String>,
) -> Option<Over> {
    let mut record = reader.record()?;
    let id = record.required("id").and_then(|r| r.name().map(str::to_owned).map(|name| (name, r)));
    let label = text(&mut record, "label", limits::LABEL);
    let figure = figure(&mut record);
    let from = record.required("from").and_then(|r| Formula::read(&r, names));
    let to = record.required("to").and_then(|r| Formula::read(&r, names));
    let whole = maybe(record.optional("whole"), Reader::flag);
    let through = all(record.optional("through"), limits::PIECES, |r| Formula::read(r, names));
    record.finish();
    let (id, place) = id?;
    let input = names.iter().position(|name| *name == id);
    if input.is_some_and(|at| at >= inputs) {
        place.error(format!("“{id}” is a value"), "name an input, or choose a name of its own");
        return None;
    }
    if input.is_none() {
        *own = Some(id);
    }
    let of = if whole? == Some(true) { Numbers::Whole } else { Numbers::Any };
    let (figure, through) = (figure?, through?);
    Some(Over { input, label: label?, figure, from: from?, to: to?, of, through })
}

fn owned(reader: &Reader<'_>, limit: Limit) -> Option<String> {
    reader.text(limit).map(str::to_owned)
}
