//! Reading a scenario: every complaint names its place and what would be right.

pub(super) mod attributes;
mod ops;

use broker::queue::Settings;
use sim::SimDuration;

use crate::conformance::Problem;
use crate::conformance::json::Node;
use attributes::Attribute;

/// A scenario, read.
#[derive(Debug)]
pub(super) struct Script {
    pub settings: Settings,
    pub dead_letters: Option<DeadLetterQueue>,
    /// The refusal that creating the queue should meet.
    pub expect_error: Option<String>,
    pub ops: Vec<Op>,
}

/// The dead-letter queue of a scenario.
#[derive(Debug)]
pub(super) struct DeadLetterQueue {
    pub name: String,
    pub settings: Settings,
}

/// One request and what must come of it.
#[derive(Debug)]
pub(super) struct Op {
    pub pointer: String,
    pub name: String,
    pub queue: Option<String>,
    pub request: Request,
    pub expect_error: Option<String>,
}

#[derive(Debug)]
pub(super) enum Request {
    Send(Send),
    Receive(Receive),
    Advance {
        by: SimDuration,
    },
    ChangeVisibility {
        handle: Handle,
        timeout: SimDuration,
    },
    Delete {
        handle: Handle,
    },
    Purge,
    SetAttributes {
        attributes: Vec<Attribute>,
    },
    GetAttributes {
        expect: Vec<(String, f64)>,
    },
    Batch(Batch),
    /// The messages of the dead-letter queue go back to the queue.
    Redrive {
        per_second: Option<u32>,
    },
}

#[derive(Debug)]
pub(super) struct Send {
    pub body: String,
    pub bytes: u32,
    pub delay: Option<SimDuration>,
    pub group: Option<String>,
    pub dedup: Option<String>,
    pub expect: Option<ExpectSend>,
}

/// What a send must come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExpectSend {
    Stored,
    /// Dropped, and answered with the original's identity and sequence number.
    Duplicate,
}

/// Requests of one kind, each with its id, and the ids of those that must fail.
#[derive(Debug)]
pub(super) struct Batch {
    pub entries: Vec<(String, Request)>,
    pub failed: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Receive {
    pub max: u32,
    pub visibility: Option<SimDuration>,
    pub wait: Option<SimDuration>,
    pub attempt: Option<String>,
    pub save: Option<String>,
    pub expect: Option<Expect>,
    pub expect_counts: Option<Vec<u32>>,
    /// Whether the message must still have its identity and the time of its first send.
    pub expect_same: bool,
    /// Whether the message must say that it comes from the scenario's queue.
    pub expect_source: bool,
    /// The earlier receive whose receipts this one must give out again.
    pub expect_receipts: Option<String>,
}

/// What a receive must come back with.
#[derive(Debug)]
pub(super) enum Expect {
    Bodies(Vec<String>),
    Length(usize),
    AnyOf(Vec<Vec<String>>),
}

#[derive(Debug)]
pub(super) enum Handle {
    Saved { name: String, index: usize },
    Garbage,
}

pub(super) fn read(scenario: &Node<'_>) -> Result<Script, Problem> {
    let fifo = scenario.get("fifo").map_or(Ok(false), |fifo| fifo.truth())?;
    let mut settings = attributes::defaults(fifo);
    let mut dead_letters = None;
    if let Some(attrs) = scenario.get("attrs") {
        for (key, value) in attrs.members()? {
            if key == "Redrive" || key == "RedrivePolicy" {
                let limit = value.need("maxReceiveCount", "write how often it may be received")?;
                settings.max_receive_count = Some(limit.whole()?);
                dead_letters = Some(dead_letter_queue(&value, fifo)?);
            } else {
                attributes::read(key, &value, fifo)?.apply(&mut settings);
            }
        }
    }
    let ops = scenario.need("ops", "write a list of requests")?.items()?;
    for queue in ops.iter().filter_map(|op| op.get("queue")) {
        let known = dead_letters.as_ref().map(|queue: &DeadLetterQueue| queue.name.as_str());
        if Some(queue.text()?) != known {
            return Err(queue.problem(
                "a queue that is not there",
                "name the \"dlq\" of \"Redrive\", or leave \"queue\" out",
            ));
        }
    }
    let ops = ops.iter().map(|op| ops::read(op, fifo)).collect::<Result<_, _>>()?;
    Ok(Script { settings, dead_letters, expect_error: text(scenario, "expect_error")?, ops })
}

/// `"D"`, or `"D(retention 4d)"`.
fn dead_letter_queue(redrive: &Node<'_>, fifo: bool) -> Result<DeadLetterQueue, Problem> {
    let node = redrive.need("dlq", "name the dead-letter queue")?;
    let mut settings = attributes::defaults(fifo);
    let text = node.text()?;
    let Some((name, inside)) = text.split_once('(') else {
        return Ok(DeadLetterQueue { name: text.trim().to_owned(), settings });
    };
    let wrong = || node.problem("not a queue", "write \"D\" or \"D(retention 4d)\"");
    let length =
        inside.trim_end().strip_suffix(')').and_then(|s| s.trim().strip_prefix("retention"));
    settings.retention = length.and_then(|length| duration(length.trim())).ok_or_else(wrong)?;
    Ok(DeadLetterQueue { name: name.trim().to_owned(), settings })
}

/// `4d`, `12h`, `30m`, `60s` or a plain number of seconds.
fn duration(text: &str) -> Option<SimDuration> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == ' ');
    let unit = match text[digits.len()..].trim() {
        "d" => 86_400.0,
        "h" => 3_600.0,
        "m" | "min" => 60.0,
        "s" | "" => 1.0,
        _ => return None,
    };
    let number: f64 = digits.parse().ok()?;
    Some(SimDuration::from_micros_f64(number * unit * 1e6))
}

fn duration_of(node: &Node<'_>) -> Result<SimDuration, Problem> {
    let seconds = node.number()?;
    if seconds < 0.0 {
        return Err(node.problem("a negative time", "write seconds from 0"));
    }
    Ok(SimDuration::from_micros_f64(seconds * 1e6))
}

fn text(node: &Node<'_>, key: &str) -> Result<Option<String>, Problem> {
    node.get(key).map(|node| node.text().map(str::to_owned)).transpose()
}
