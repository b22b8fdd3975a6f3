//! Reading a scenario: every complaint names its place and what would be right.

use broker::queue::{Receipts, Settings};
use serde_json::Value;
use sim::SimDuration;

use crate::conformance::Problem;
use crate::conformance::json::Node;

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
    Send { body: String, bytes: u32, delay: Option<SimDuration> },
    Receive(Receive),
    Advance { by: SimDuration },
    ChangeVisibility { handle: Handle, timeout: SimDuration },
    Delete { handle: Handle },
    Purge,
    SetAttributes { attributes: Vec<(String, f64)> },
    GetAttributes { expect: Vec<(String, f64)> },
}

#[derive(Debug)]
pub(super) struct Receive {
    pub max: u32,
    pub visibility: Option<SimDuration>,
    pub wait: Option<SimDuration>,
    pub save: Option<String>,
    pub expect: Option<Expect>,
    pub expect_counts: Option<Vec<u32>>,
    /// Whether the message must still have its identity and the time of its first send.
    pub expect_same: bool,
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

const OPS: &str = "use one of send, receive, advance, change_visibility, delete, purge, set_attrs, \
                   get_attrs";

pub(super) fn read(scenario: &Node<'_>) -> Result<Script, Problem> {
    let mut settings = Settings::sqs_standard();
    let mut dead_letters = None;
    if let Some(attrs) = scenario.get("attrs") {
        for (key, value) in attrs.members()? {
            if key == "Redrive" || key == "RedrivePolicy" {
                let limit = value.need("maxReceiveCount", "write how often it may be received")?;
                settings.max_receive_count = Some(limit.whole()?);
                dead_letters = Some(dead_letter_queue(&value)?);
            } else {
                set_attribute(&mut settings, key, &value)?;
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
    let ops = ops.iter().map(op).collect::<Result<_, _>>()?;
    Ok(Script { settings, dead_letters, expect_error: text(scenario, "expect_error")?, ops })
}

/// `"D"`, or `"D(retention 4d)"`.
fn dead_letter_queue(redrive: &Node<'_>) -> Result<DeadLetterQueue, Problem> {
    let node = redrive.need("dlq", "name the dead-letter queue")?;
    let mut settings = Settings::sqs_standard();
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

/// Sets an attribute of `CreateQueue`.
fn set_attribute(settings: &mut Settings, key: &str, value: &Node<'_>) -> Result<(), Problem> {
    if key == "Receipts" {
        settings.receipts = match value.text()? {
            "strict" => Receipts::Strict,
            "lenient" => Receipts::Lenient,
            _ => return Err(value.problem("no such receipts", "write \"strict\" or \"lenient\"")),
        };
        return Ok(());
    }
    if key == "FifoQueue" && value.value() == &Value::Bool(false) {
        return Ok(());
    }
    if apply(settings, key, value.number()?) {
        return Ok(());
    }
    Err(value.problem(
        &format!("a standard queue has no attribute {key}"),
        "use one of VisibilityTimeout, DelaySeconds, MessageRetentionPeriod, \
         ReceiveMessageWaitTimeSeconds, MaximumMessageSize, MaxInFlight, Redrive",
    ))
}

/// Sets a numeric attribute; answers whether there is one of that name.
pub(super) fn apply(settings: &mut Settings, key: &str, number: f64) -> bool {
    let seconds = SimDuration::from_micros_f64(number * 1e6);
    match key {
        "VisibilityTimeout" => settings.visibility_timeout = seconds,
        "DelaySeconds" => settings.delay = seconds,
        "MessageRetentionPeriod" => settings.retention = seconds,
        "ReceiveMessageWaitTimeSeconds" => settings.receive_wait = seconds,
        "MaximumMessageSize" => settings.max_message_bytes = number as u32,
        "MaxInFlight" => settings.max_in_flight = number as u32,
        _ => return false,
    }
    true
}

fn op(node: &Node<'_>) -> Result<Op, Problem> {
    let kind = node.need("op", OPS)?;
    let name = kind.text()?;
    let request = match name {
        "send" => {
            let body = text(node, "body")?.unwrap_or_default();
            let bytes = node.get("bytes").map_or(Ok(body.len() as u32), |bytes| bytes.whole())?;
            Request::Send { body, bytes, delay: seconds(node, "delay")? }
        }
        "receive" => Request::Receive(receive(node)?),
        "advance" => Request::Advance { by: advance(node)? },
        "change_visibility" => Request::ChangeVisibility {
            handle: handle(node)?,
            timeout: duration_of(&node.need("timeout", "write the new timeout in seconds")?)?,
        },
        "delete" => Request::Delete { handle: handle(node)? },
        "purge" => Request::Purge,
        "set_attrs" => {
            let attrs = node.need("attrs", "write the attributes to set")?;
            Request::SetAttributes { attributes: numbers(&attrs)? }
        }
        "get_attrs" => {
            let expect = node.need("expect", "write the attributes to find")?;
            Request::GetAttributes { expect: numbers(&expect)? }
        }
        other => return Err(kind.problem(&format!("no op is called {other}"), OPS)),
    };
    Ok(Op {
        pointer: node.pointer().to_owned(),
        name: name.to_owned(),
        queue: text(node, "queue")?,
        request,
        expect_error: text(node, "expect_error")?,
    })
}

fn receive(node: &Node<'_>) -> Result<Receive, Problem> {
    let counts = node.get("expect_receive_count").map(|counts| {
        counts.items()?.iter().map(Node::whole).collect::<Result<Vec<u32>, Problem>>()
    });
    let attribute = text(node, "expect_attr")?.unwrap_or_default();
    Ok(Receive {
        max: node.get("max").map_or(Ok(1), |max| max.whole())?,
        visibility: seconds(node, "visibility")?,
        wait: seconds(node, "wait")?,
        save: text(node, "save")?,
        expect: node.get("expect").map(|expect| expectation(&expect)).transpose()?,
        expect_counts: counts.transpose()?,
        expect_same: attribute.contains("MessageId") || attribute.contains("SentTimestamp"),
    })
}

fn expectation(node: &Node<'_>) -> Result<Expect, Problem> {
    if let Some(length) = node.get("len") {
        return Ok(Expect::Length(length.whole()? as usize));
    }
    if let Some(lists) = node.get("any_of") {
        return Ok(Expect::AnyOf(lists.items()?.iter().map(bodies).collect::<Result<_, _>>()?));
    }
    if node.value().is_array() {
        return Ok(Expect::Bodies(bodies(node)?));
    }
    Err(node.problem(
        "not something that a receive can come back with",
        "write a list of bodies, { \"len\": n } or { \"any_of\": [ list, … ] }",
    ))
}

fn bodies(node: &Node<'_>) -> Result<Vec<String>, Problem> {
    node.items()?.iter().map(|body| body.text().map(str::to_owned)).collect()
}

/// `r[0]`: the first receipt of the receive that was saved as `r`.
fn handle(node: &Node<'_>) -> Result<Handle, Problem> {
    let text = node.need("handle", "name a receipt, as in \"r[0]\"")?.text()?;
    let saved = text.strip_suffix(']').and_then(|text| {
        let (name, index) = text.split_once('[')?;
        Some(Handle::Saved { name: name.to_owned(), index: index.parse().ok()? })
    });
    Ok(saved.unwrap_or(Handle::Garbage))
}

fn advance(node: &Node<'_>) -> Result<SimDuration, Problem> {
    if let Some(millis) = node.get("ms") {
        return Ok(SimDuration::from_micros_f64(millis.number()? * 1e3));
    }
    duration_of(&node.need("s", "write how many seconds pass, as \"s\", or \"ms\"")?)
}

fn duration_of(node: &Node<'_>) -> Result<SimDuration, Problem> {
    let seconds = node.number()?;
    if seconds < 0.0 {
        return Err(node.problem("a negative time", "write seconds from 0"));
    }
    Ok(SimDuration::from_micros_f64(seconds * 1e6))
}

fn seconds(node: &Node<'_>, key: &str) -> Result<Option<SimDuration>, Problem> {
    node.get(key).map(|seconds| duration_of(&seconds)).transpose()
}

fn numbers(node: &Node<'_>) -> Result<Vec<(String, f64)>, Problem> {
    node.members()?.iter().map(|(key, value)| Ok(((*key).to_owned(), value.number()?))).collect()
}

fn text(node: &Node<'_>, key: &str) -> Result<Option<String>, Problem> {
    node.get(key).map(|node| node.text().map(str::to_owned)).transpose()
}
