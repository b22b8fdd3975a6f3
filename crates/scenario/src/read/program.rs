//! Handlers.

use sim::{SimDuration, Times};

use super::Names;
use super::time::{duration, optional, positive, times};
use crate::wire::Reader;
use crate::{Act, Program, Step, limits};

/// Who runs a handler, which decides the lines it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Runner {
    /// A service, on a request.
    Service,
    /// A worker, on a delivery.
    Worker,
}

impl Runner {
    fn lines(self) -> &'static [&'static str] {
        match self {
            Self::Service => &["wait", "call", "publish", "respond"],
            Self::Worker => &["wait", "call", "ack", "nack", "extend"],
        }
    }
}

pub(super) fn read(reader: &Reader<'_>, names: &Names<'_>, runner: Runner) -> Option<Program> {
    let steps = reader.each(limits::STEPS, |line| read_step(line, names, runner))?;
    if steps.is_empty() {
        reader.error("this handler has no line", "write at least one, such as \"ack\"");
        return None;
    }
    Some(Program { steps })
}

fn read_step(reader: &Reader<'_>, names: &Names<'_>, runner: Runner) -> Option<Step> {
    let (word, inner) = reader.variant(runner.lines())?;
    if word == "respond" {
        let status = inner.integer(100..=599)?;
        return Some(Step { label: format!("respond {status}"), act: Act::Respond { status } });
    }
    let mut record = inner.record()?;
    let label = optional(&mut record, "label", |r| r.text(limits::LABEL).map(str::to_owned));
    let takes = |record: &mut _| {
        let takes = optional(record, "takes", times);
        takes.map(|t| t.unwrap_or(Times::constant(SimDuration::ZERO)))
    };
    let act = match word {
        "wait" => record.required("for").and_then(|r| times(&r)).map(|time| Act::Wait { time }),
        "call" => {
            let to = record.required("to").and_then(|r| names.reference(&r, &["external"]));
            let timeout = optional(&mut record, "timeout", positive);
            to.zip(timeout).map(|(to, timeout)| Act::Call { to, timeout })
        }
        "ack" => takes(&mut record).map(|takes| Act::Ack { takes }),
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
        _ => {
            let takes = takes(&mut record);
            let to = record.required("to").and_then(|r| names.reference(&r, &["queue"]));
            let delay = optional(&mut record, "delay", |r| {
                r.duration(SimDuration::ZERO..=broker::queue::DELAY_MAX)
            });
            takes.zip(to).zip(delay).map(|((takes, to), delay)| Act::Publish { to, takes, delay })
        }
    };
    record.finish();
    let label = label?.unwrap_or_else(|| word.to_owned());
    Some(Step { label, act: act? })
}

/// A hidden time, within what a visibility timeout may be.
pub(super) fn hidden(reader: &Reader<'_>) -> Option<SimDuration> {
    duration(reader)?;
    reader.duration(SimDuration::ZERO..=broker::queue::VISIBILITY_MAX)
}
