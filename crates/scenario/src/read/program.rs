//! Handlers.

use sim::{SimDuration, Times};

use super::time::{duration, optional, positive, times};
use super::{Names, database, retry, schema};
use crate::wire::{Reader, RecordReader, Value, excerpt};
use crate::{Act, Branch, Commit, Program, Step, StepIndex, TypeId, When, limits};

/// The field of a line that says for which type of message it is.
pub(super) const IF_TYPE: &str = "if_type";

/// Who runs a handler, which decides the lines it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Runner {
    /// A service, on a request.
    Service,
    /// A worker, on a delivery.
    Worker,
}

const SERVICE: [&str; 14] = [
    "wait",
    "call",
    "publish",
    "decode",
    "admit",
    "respond",
    "begin",
    "insert",
    "insert-or-skip",
    "update-where",
    "delete",
    "read",
    "commit",
    "rollback",
];

const WORKER: [&str; 20] = [
    "wait",
    "call",
    "decode",
    "admit",
    "ack",
    "drop",
    "nack",
    "extend",
    "check-lease",
    "publish",
    "dead-letter",
    "crash",
    "begin",
    "insert",
    "insert-or-skip",
    "update-where",
    "delete",
    "read",
    "commit",
    "rollback",
];

impl Runner {
    /// The lines that it may have.
    fn lines(self) -> &'static [&'static str] {
        match self {
            Self::Service => &SERVICE,
            Self::Worker => &WORKER,
        }
    }
}

pub(super) fn read(reader: &Reader<'_>, names: &Names<'_>, runner: Runner) -> Option<Program> {
    let mut listing = Listing { names, runner, steps: Vec::new(), backs: Vec::new() };
    let branches = listing.list(reader, None)?;
    if listing.steps.is_empty() {
        reader.error("this handler has no line", "write at least one, such as \"ack\"");
        return None;
    }
    let main = listing.steps.len();
    listing.branches(branches)?;
    if !listing.backs.is_empty() {
        listing.go_back(main)?;
    }
    if listing.steps.len() > limits::STEPS.max {
        reader.error(
            format!("this handler has {} lines with its branches", listing.steps.len()),
            format!("make it shorter: {}", limits::STEPS),
        );
        return None;
    }
    Some(Program { steps: listing.steps, main })
}

/// The branches of a line that are still to be read.
type Branches<'a> = Vec<(usize, Reader<'a>)>;

/// A program being read: main lines first, then the lines of their branches.
struct Listing<'n, 'a> {
    names: &'n Names<'n>,
    runner: Runner,
    steps: Vec<Step>,
    /// The lines that say after which the handler goes on, and where they say so.
    backs: Branches<'a>,
}

/// A line, what follows its other outcomes, and where the handler goes on after it.
type Line<'a> = (Step, Option<Reader<'a>>, Option<Reader<'a>>);

impl<'a> Listing<'_, 'a> {
    /// Reads lines that follow one another, the last of which leads to `after`. Says which of them
    /// have branches.
    fn list(&mut self, reader: &Reader<'a>, after: Option<StepIndex>) -> Option<Branches<'a>> {
        let mut branches = Vec::new();
        let first = self.steps.len();
        let read = reader.each(limits::STEPS, |line| {
            let (step, on, then) = read_step(line, self.names, self.runner)?;
            branches.extend(on.map(|on| (self.steps.len(), on)));
            self.backs.extend(then.map(|then| (self.steps.len(), then)));
            self.steps.push(step);
            let next = StepIndex::new(self.steps.len());
            self.steps.last_mut()?.next = Some(next);
            Some(())
        });
        read?;
        if let Some(last) = self.steps[first..].last_mut() {
            last.next = after;
        }
        Some(branches)
    }

    /// Leads lines back to those that they name: an earlier main line, by its label.
    #[inline(never)]
    fn go_back(&mut self, main: usize) -> Option<()> {
        for (at, then) in std::mem::take(&mut self.backs) {
            let name = then.text(limits::LABEL)?;
            let earlier = &self.steps[..main.min(at + 1)];
            let Some(to) = earlier.iter().position(|step| step.label == name) else {
                let known: Vec<&str> = earlier.iter().map(|step| step.label.as_str()).collect();
                then.unknown("a line of this handler up to this one", name, &known);
                return None;
            };
            self.steps[at].next = Some(StepIndex::new(to));
        }
        Some(())
    }

    fn branches(&mut self, branches: Branches<'a>) -> Option<()> {
        for (at, on) in branches {
            let mut record = on.record()?;
            for (word, when) in When::ALL {
                let Some(lines) = record.optional(word) else { continue };
                if when == When::Found && !self.steps[at].act.is_read() {
                    lines.error("this line looks for nothing", "branch on “found” after a “read”");
                    return None;
                }
                let then = self.branch(at, &lines)?;
                self.steps[at].on.push(Branch { when, then });
            }
            record.finish();
        }
        Some(())
    }

    /// Reads what follows an outcome: lines after which the handler is over, or `"continue"` for
    /// going on as if it had been `ok`.
    fn branch(&mut self, at: usize, reader: &Reader<'a>) -> Option<Option<StepIndex>> {
        if matches!(reader.value(), Value::Text(_)) {
            reader.choice(&[("continue", ())])?;
            return Some(self.steps[at].next);
        }
        if self.steps.len() > limits::STEPS.max {
            reader.error("this handler has too many lines", "make it shorter");
            return None;
        }
        let first = self.steps.len();
        let inner = self.list(reader, None)?;
        let then = (self.steps.len() > first).then(|| StepIndex::new(first));
        self.branches(inner)?;
        Some(then)
    }
}

fn read_step<'a>(reader: &Reader<'a>, names: &Names<'_>, runner: Runner) -> Option<Line<'a>> {
    let (word, inner) = reader.variant(runner.lines())?;
    if word == "respond" {
        let status = inner.integer(100..=599)?;
        let label = format!("respond {status}");
        return Some((
            Step { label, act: Act::Respond { status }, if_type: None, next: None, on: Vec::new() },
            None,
            None,
        ));
    }
    let mut record = inner.record()?;
    let on = record.optional("on");
    let then = record.optional("then");
    let if_type = optional(&mut record, IF_TYPE, |r| names.kind_of_message(r));
    let label = optional(&mut record, "label", |r| r.text(limits::LABEL).map(str::to_owned));
    let takes = |record: &mut _| {
        let takes = optional(record, "takes", times);
        takes.map(|t| t.unwrap_or(Times::constant(SimDuration::ZERO)))
    };
    let act = match word {
        "wait" => record.required("for").and_then(|r| times(&r)).map(|time| Act::Wait { time }),
        "call" => call(&mut record, names),
        "ack" => takes(&mut record).map(|takes| Act::Ack { takes }),
        "drop" => takes(&mut record).map(|takes| Act::Drop { takes }),
        "nack" => {
            let takes = takes(&mut record);
            let delay = optional(&mut record, "delay", hidden);
            takes.zip(delay).map(|(takes, delay)| Act::Nack {
                takes,
                delay: delay.unwrap_or(SimDuration::ZERO),
            })
        }
        "extend" => {
            let takes = takes(&mut record);
            let to = record.required("to").and_then(|r| hidden(&r));
            takes.zip(to).map(|(takes, to)| Act::Extend { takes, to })
        }
        "dead-letter" => {
            let takes = takes(&mut record);
            let to = optional(&mut record, "to", |r| names.reference(r, &["queue", "log"]));
            takes.zip(to).map(|(takes, to)| Act::DeadLetter { takes, to })
        }
        "decode" | "admit" => schema::line(word, &mut record, names),
        "crash" => takes(&mut record).map(|takes| Act::Crash { takes }),
        "check-lease" => takes(&mut record).map(|takes| Act::CheckLease { takes }),
        "begin" | "commit" | "rollback" => transaction(word, &mut record, names),
        "insert" | "insert-or-skip" | "update-where" | "delete" | "read" => {
            database::statement(word, &mut record, names)
        }
        _ => publish(&mut record, names),
    };
    record.finish();
    let (label, if_type) = (label?.unwrap_or_else(|| word.to_owned()), if_type?);
    if let (Some(_), Some(then)) = (if_type, &then) {
        then.error(
            "a line for one type cannot lead back: the others would pass it by",
            "take “if_type” out, or lead back from a line that is for all",
        );
        return None;
    }
    Some((Step { label, act: act?, if_type, next: None, on: Vec::new() }, on, then))
}

/// Reads a line that begins or ends transactions.
#[inline(never)]
fn transaction(word: &str, record: &mut RecordReader<'_>, names: &Names<'_>) -> Option<Act> {
    let takes = optional(record, "takes", times);
    let zero = Times::constant(SimDuration::ZERO);
    match word {
        "begin" => {
            let database = record.required("in").and_then(|r| names.reference(&r, &["database"]));
            Some(Act::Begin { database: database?, takes: takes?.unwrap_or(zero) })
        }
        "commit" => {
            let how = optional(record, "how", |r| {
                r.choice(&[("each", Commit::Each), ("two-phase", Commit::TwoPhase)])
            });
            Some(Act::Commit { takes: takes?, how: how?.unwrap_or(Commit::Each) })
        }
        _ => Some(Act::Rollback { takes: takes?.unwrap_or(zero) }),
    }
}

fn publish(record: &mut RecordReader<'_>, names: &Names<'_>) -> Option<Act> {
    let takes = optional(record, "takes", times);
    let to = record.required("to").and_then(|r| names.reference(&r, &["queue", "topic", "log"]));
    let delay =
        optional(record, "delay", |r| r.duration(SimDuration::ZERO..=broker::queue::DELAY_MAX));
    let schema = optional(record, "schema", |r| names.schema(r));
    let kind = optional(record, "type", |r| names.kind_of_message(r));
    let takes = takes?.unwrap_or(Times::constant(SimDuration::ZERO));
    Some(Act::Publish { to: to?, takes, delay: delay?, schema: schema?, kind: kind? })
}

impl Names<'_> {
    /// Reads a type of message: one that some line of a handler is for.
    fn kind_of_message(&self, reader: &Reader<'_>) -> Option<TypeId> {
        let name = reader.text(limits::LABEL)?;
        let found = self.types.iter().position(|known| *known == name);
        if self.types.is_empty() {
            reader.error(
                format!("no line is for messages of type “{}”", excerpt(name)),
                "name the type in \"if_type\" of a line, or leave it out here",
            );
        } else if found.is_none() {
            reader.unknown("a type that some line is for", name, &self.types);
        }
        found.map(TypeId::new)
    }
}

fn call(record: &mut RecordReader<'_>, names: &Names<'_>) -> Option<Act> {
    let to = record.required("to").and_then(|r| names.reference(&r, &["external", "service"]));
    let handler = match to {
        Some(to) if names.kind(to) == Some("service") => {
            record.required("request").and_then(|r| names.handler(to, &r))
        }
        _ => Some(0),
    };
    let timeout = optional(record, "timeout", positive);
    let again = optional(record, "retry", retry::retry);
    let breaker = optional(record, "breaker", retry::breaker);
    let key = optional(record, "idempotency_key", database::operand);
    Some(Act::Call {
        to: to?,
        handler: handler?,
        timeout: timeout?,
        retry: again?.map(Box::new),
        breaker: breaker?.map(Box::new),
        key: key?.map(Box::new),
    })
}

/// A hidden time, within what a visibility timeout may be.
pub(super) fn hidden(reader: &Reader<'_>) -> Option<SimDuration> {
    duration(reader)?;
    reader.duration(SimDuration::ZERO..=broker::queue::VISIBILITY_MAX)
}
