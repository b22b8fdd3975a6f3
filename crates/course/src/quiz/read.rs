//! Reading a quiz.

use scenario::limits;
use scenario::wire::{Reader, RecordReader};

use super::{
    Asks, Bin, Card, Choice, Design, Fill, Many, Part, Promise, Question, Quiz, Slip, Spot, Step,
    Stop, Timing, Trap,
};
use crate::Claim;
use crate::context::{Context, all, format_of, maybe, name, paragraph, sentence, text};
use crate::evidence::{Library, Stages, read_runs};
use crate::fact::read_with;

/// Numbers that a question may ask for.
const NUMBERS: std::ops::RangeInclusive<f64> = -1e12..=1e12;

pub(super) fn quiz(reader: &Reader<'_>, library: &Library<'_>) -> Option<Quiz> {
    let mut record = reader.record()?;
    let format = format_of(&mut record);
    let kind = record.required("kind").and_then(|r| r.choice(&[("quiz", ())]));
    let title = text(&mut record, "title", limits::LABEL);
    let lesson = text(&mut record, "lesson", limits::SENTENCE);
    let module = text(&mut record, "module", limits::NAME);
    let inventory = all(record.optional("inventory"), limits::PIECES, name);
    let draw = maybe(record.optional("draw"), |r| r.integer::<usize>(1..=limits::PIECES.max));
    let runs = record.optional("runs").map(|runs| read_runs(&runs));
    let mut stages = Stages { library, all: runs.unwrap_or(Some(Vec::new()))? };
    let questions = record.required("questions").and_then(|questions| {
        let mut ids = Vec::new();
        questions.each(limits::PIECES, |r| question(r, &mut stages, &mut ids))
    });
    record.finish();
    format?;
    kind?;
    Some(Quiz {
        title: title?,
        lesson: lesson?,
        module: module?,
        inventory: inventory?,
        draw: draw?,
        questions: questions?,
        stages: stages.all,
    })
}

/// Reads a question that stands alone and names no runs.
#[inline(never)]
pub(crate) fn lone_question(reader: &Reader<'_>) -> Option<Question> {
    let mut stages = Stages { library: &|_| None, all: Vec::new() };
    question(reader, &mut stages, &mut Vec::new())
}

/// What sort of answer a question wants, before it is read.
#[derive(Clone, Copy)]
enum Kind {
    Choice,
    Number,
    Order,
    Sort,
    Fill,
    Spot,
    Recall,
    Design,
}

impl Kind {
    fn read(reader: &Reader<'_>) -> Option<Self> {
        reader.choice(&[
            ("choice", Self::Choice),
            ("number", Self::Number),
            ("order", Self::Order),
            ("sort", Self::Sort),
            ("fill", Self::Fill),
            ("spot", Self::Spot),
            ("recall", Self::Recall),
            ("design", Self::Design),
        ])
    }
}

fn question(
    reader: &Reader<'_>,
    stages: &mut Stages<'_, '_>,
    ids: &mut Vec<String>,
) -> Option<Question> {
    let mut record = reader.record()?;
    let id = record.required("id").and_then(|r| fresh_name(&r, ids));
    let ask = text(&mut record, "ask", limits::PARAGRAPH);
    let hints = all(record.optional("hints"), limits::PIECES, sentence);
    let why = maybe(record.optional("why"), paragraph);
    let facts = all(record.optional("facts"), limits::PIECES, name);
    let run = maybe(record.optional("run"), |r| stages.evidence(r));
    let predict = maybe(record.optional("predict"), Reader::flag);
    let kind = record.required("is").and_then(|r| Kind::read(&r));
    let asks = match kind? {
        Kind::Choice => choice(&mut record, stages),
        Kind::Number => number(&mut record),
        Kind::Order => order(&mut record, stages),
        Kind::Sort => sorter(&mut record, stages),
        Kind::Fill => fill(&mut record, stages).map(|fill| Asks::Fill(Box::new(fill))),
        Kind::Spot => {
            let run = run.as_ref().and_then(Option::as_ref);
            Spot::read(&mut record, run, stages).map(|spot| Asks::Spot(Box::new(spot)))
        }
        Kind::Recall => recall(&mut record),
        Kind::Design => {
            Design::read(&mut record, stages).map(|design| Asks::Design(Box::new(design)))
        }
    };
    record.finish();
    let timing = if predict? == Some(true) { Timing::Predict } else { Timing::Any };
    let run = run?;
    if timing == Timing::Predict && run.is_none() {
        reader.error("a prediction has no run", "name the run under “run”");
        return None;
    }
    Some(Question {
        id: id?,
        ask: ask?,
        hints: hints?,
        why: why?,
        facts: facts?,
        run,
        timing,
        asks: asks?,
    })
}

fn choice(record: &mut RecordReader<'_>, stages: &mut Stages<'_, '_>) -> Option<Asks> {
    let many = maybe(record.optional("many"), Reader::flag);
    let list = record.required("options")?;
    let options = list.each(limits::PIECES, |r| {
        let mut record = r.record()?;
        let say = text(&mut record, "say", limits::SENTENCE);
        let right = maybe(record.optional("right"), Reader::flag);
        let why = text(&mut record, "why", limits::PARAGRAPH);
        let run = maybe(record.optional("run"), |r| stages.evidence(r));
        record.finish();
        Some(Choice { say: say?, right: right? == Some(true), why: why?, run: run? })
    })?;
    let many = if many? == Some(true) { Many::Yes } else { Many::No };
    let right = options.iter().filter(|option| option.right).count();
    if right != 1 && many == Many::No {
        let repair = "say “right”: true of one option, or “many”: true of the question";
        list.error(format!("{right} of the options are right"), repair);
        return None;
    }
    if options.len() < 2 {
        list.error("there is nothing to choose", "write two options or more");
        return None;
    }
    Some(Asks::Choice { options, many })
}

fn number(record: &mut RecordReader<'_>) -> Option<Asks> {
    let answer = record.required("answer").and_then(|r| r.number(NUMBERS));
    let within = maybe(record.optional("within"), |r| r.number(0.0..=1e12));
    let unit = maybe(record.optional("unit"), |r| r.text(limits::NAME).map(str::to_owned));
    let traps = all(record.optional("traps"), limits::PIECES, |r| {
        let mut record = r.record()?;
        let value = record.required("value").and_then(|r| r.number(NUMBERS));
        let why = text(&mut record, "why", limits::PARAGRAPH);
        record.finish();
        Some(Trap { value: value?, why: why? })
    });
    Some(Asks::Number {
        answer: answer?,
        within: within?.unwrap_or(0.0),
        unit: unit?.unwrap_or_default(),
        traps: traps?,
    })
}

fn order(record: &mut RecordReader<'_>, stages: &mut Stages<'_, '_>) -> Option<Asks> {
    let slips = record.optional("slips");
    let mut next = 0;
    let steps = record.required("steps").and_then(|list| {
        list.each(limits::PIECES, |r| {
            let mut record = r.record()?;
            let say = text(&mut record, "say", limits::SENTENCE);
            let why = text(&mut record, "why", limits::PARAGRAPH);
            let place = maybe(record.optional("place"), |r| r.integer::<u32>(0..=1_000));
            record.finish();
            let place = place?.unwrap_or(next);
            next = place + 1;
            Some(Step { say: say?, why: why?, place })
        })
    })?;
    let step = |r: &Reader<'_>| {
        let last = steps.len().saturating_sub(1);
        r.integer::<usize>(1..=last + 1).map(|at| at - 1)
    };
    let slips = all(slips, limits::PIECES, |r| {
        let mut record = r.record()?;
        let early = record.required("step").and_then(|r| step(&r));
        let late = record.required("before").and_then(|r| step(&r));
        let why = text(&mut record, "why", limits::PARAGRAPH);
        let run = maybe(record.optional("run"), |r| stages.evidence(r));
        record.finish();
        Some(Slip { early: early?, late: late?, why: why?, run: run? })
    });
    Some(Asks::Order { slips: slips?, steps })
}

fn sorter(record: &mut RecordReader<'_>, stages: &mut Stages<'_, '_>) -> Option<Asks> {
    let mut ids = Vec::new();
    let bins = record.required("bins").and_then(|list| {
        list.each(limits::PIECES, |r| {
            let mut record = r.record()?;
            let id = record.required("id").and_then(|r| fresh_name(&r, &mut ids));
            let say = text(&mut record, "say", limits::LABEL);
            let note = maybe(record.optional("note"), sentence);
            record.finish();
            id?;
            Some(Bin { say: say?, note: note? })
        })
    });
    let bin = |r: &Reader<'_>| {
        let name = r.name()?;
        let found = ids.iter().position(|id| id == name);
        if found.is_none() {
            let known: Vec<&str> = ids.iter().map(String::as_str).collect();
            r.unknown("a bin", name, &known);
        }
        found
    };
    let cards = record.required("cards").and_then(|list| {
        list.each(limits::PIECES, |r| {
            let mut record = r.record()?;
            let say = text(&mut record, "say", limits::SENTENCE);
            let bins = match record.one_of(&["bin", "bins"]) {
                Some(("bin", one)) => bin(&one).map(|at| vec![at]),
                Some((_, several)) => several.each(limits::PIECES, bin),
                None => None,
            };
            let why = text(&mut record, "why", limits::PARAGRAPH);
            let run = maybe(record.optional("run"), |r| stages.evidence(r));
            record.finish();
            Some(Card { say: say?, bins: bins?, why: why?, run: run? })
        })
    });
    Some(Asks::Sort { bins: bins?, cards: cards? })
}

fn recall(record: &mut RecordReader<'_>) -> Option<Asks> {
    let say = text(record, "say", limits::PARAGRAPH);
    let list = record.required("points")?;
    let points = list.each(limits::PIECES, sentence)?;
    if points.len() < 2 {
        list.error("one point cannot be partly named", "write two points or more");
        return None;
    }
    Some(Asks::Recall { say: say?, points })
}

fn fill(record: &mut RecordReader<'_>, stages: &mut Stages<'_, '_>) -> Option<Fill> {
    let route = record.required("route");
    let stage = stages.named(record);
    let seeds = record
        .required("seeds")
        .and_then(|list| list.each(limits::PIECES, |r| r.integer::<u64>(0..=u64::MAX)));
    let promises = record.required("promises");
    let parts = record.required("parts");
    let route = route.and_then(|list| {
        let stops = list.each(limits::PIECES, |r| {
            let said = r.text(limits::LABEL)?;
            Some(if said == "?" { Stop::Empty } else { Stop::There(said.to_owned()) })
        })?;
        if stops.iter().filter(|stop| **stop == Stop::Empty).count() == 1 {
            return Some(stops);
        }
        list.error("the line has not one empty place", "write one stop as “?”");
        None
    });
    let (stage, promises, parts) = (stage?, promises?, parts?);
    let mut ids = Vec::new();
    let said = promises.each(limits::PIECES, |r| {
        let mut record = r.record()?;
        let id = record.required("id").and_then(|r| fresh_name(&r, &mut ids));
        let say = text(&mut record, "say", limits::SENTENCE);
        Some(Promise { id: id?, say: say? })
    })?;
    let parts = parts.each(limits::PIECES, |r| part(r, stages, stage, &promises, &ids));
    Some(Fill { route: route?, stage, seeds: seeds?, promises: said, parts: parts? })
}

fn part(
    reader: &Reader<'_>,
    stages: &Stages<'_, '_>,
    stage: usize,
    promises: &Reader<'_>,
    ids: &[String],
) -> Option<Part> {
    let mut record = reader.record()?;
    let say = text(&mut record, "say", limits::LABEL);
    let right = maybe(record.optional("right"), Reader::flag);
    let why = text(&mut record, "why", limits::PARAGRAPH);
    let breaks = all(record.optional("breaks"), limits::PIECES, |r| {
        let name = r.name()?;
        let found = ids.iter().position(|id| id == name);
        if found.is_none() {
            let known: Vec<&str> = ids.iter().map(String::as_str).collect();
            r.unknown("a promise", name, &known);
        }
        found
    });
    let with = read_with(record.optional("with"), &stages.all[stage].exhibit.document);
    record.finish();
    let with = with?;
    let (document, scenario) = stages.changed(stage, &with, reader)?;
    let context = Context { document: &document, scenario: Some(&scenario) };
    let claims = promises.each(limits::PIECES, |r| {
        let mut record = r.record()?;
        // Read by whoever reads the promises.
        let _ = (record.required("id"), record.required("say"));
        let claim = Claim::read(&mut record, &context);
        record.finish();
        claim
    });
    Some(Part {
        say: say?,
        right: right? == Some(true),
        why: why?,
        breaks: breaks?,
        with,
        claims: claims?,
        scenario,
    })
}

/// A name that no other has.
pub(super) fn fresh_name(reader: &Reader<'_>, taken: &mut Vec<String>) -> Option<String> {
    let name = reader.name()?.to_owned();
    if taken.contains(&name) {
        reader.error(format!("the name “{name}” is taken"), "choose another");
        return None;
    }
    taken.push(name.clone());
    Some(name)
}
