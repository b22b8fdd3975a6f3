//! Reading the requests of a scenario.

use serde_json::Value;
use sim::SimDuration;

use super::{
    Batch, Expect, ExpectSend, Handle, Op, Receive, Request, Send, attributes, duration_of, text,
};
use crate::conformance::Problem;
use crate::conformance::json::Node;

const OPS: &str = "use one of send, receive, advance, change_visibility, delete, purge, set_attrs, \
                   get_attrs, send_batch, delete_batch, change_visibility_batch, redrive";

pub(super) fn read(node: &Node<'_>, fifo: bool) -> Result<Op, Problem> {
    let kind = node.need("op", OPS)?;
    let name = kind.text()?;
    let request = match name {
        "send" => Request::Send(send(node)?),
        "receive" => Request::Receive(receive(node)?),
        "advance" => Request::Advance { by: advance(node)? },
        "change_visibility" => change(node)?,
        "delete" => Request::Delete { handle: handle(node)? },
        "purge" => Request::Purge,
        "set_attrs" => {
            let attrs = node.need("attrs", "write the attributes to set")?;
            let attributes = attrs
                .members()?
                .into_iter()
                .map(|(key, value)| attributes::read(key, &value, fifo));
            Request::SetAttributes { attributes: attributes.collect::<Result<_, _>>()? }
        }
        "get_attrs" => {
            let expect = node.need("expect", "write the attributes to find")?;
            Request::GetAttributes { expect: numbers(&expect)? }
        }
        "send_batch" => batch(node, |entry| send(entry).map(Request::Send))?,
        "delete_batch" => batch(node, |entry| Ok(Request::Delete { handle: handle(entry)? }))?,
        "change_visibility_batch" => batch(node, change)?,
        "redrive" => Request::Redrive {
            per_second: node.get("per_second").map(|rate| rate.whole()).transpose()?,
        },
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

fn send(node: &Node<'_>) -> Result<Send, Problem> {
    let body = text(node, "body")?.unwrap_or_default();
    let bytes = node.get("bytes").map_or(Ok(body.len() as u32), |bytes| bytes.whole())?;
    let expect = match node.get("expect") {
        None => None,
        Some(expect) => Some(match expect.text()? {
            text if text.starts_with("deduplicated") => ExpectSend::Duplicate,
            text if text.starts_with("new") || text == "ok" => ExpectSend::Stored,
            _ => {
                return Err(expect.problem(
                    "not something that a send can come to",
                    "write \"deduplicated\" or \"new message\"",
                ));
            }
        }),
    };
    let (group, dedup) = (text(node, "group")?, text(node, "dedup")?);
    Ok(Send { body, bytes, delay: seconds(node, "delay")?, group, dedup, expect })
}

fn change(node: &Node<'_>) -> Result<Request, Problem> {
    let timeout = duration_of(&node.need("timeout", "write the new timeout in seconds")?)?;
    Ok(Request::ChangeVisibility { handle: handle(node)?, timeout })
}

fn batch(
    node: &Node<'_>,
    request: impl Fn(&Node<'_>) -> Result<Request, Problem>,
) -> Result<Request, Problem> {
    let entries = node.need("entries", "write a list of entries")?.items()?;
    let entry = |entry: &Node<'_>| {
        let id = entry.need("id", "give the entry an id")?.text()?.to_owned();
        Ok((id, request(entry)?))
    };
    let entries = entries.iter().map(entry).collect::<Result<_, Problem>>()?;
    let failed = node.get("expect_failed").map_or(Ok(Vec::new()), |failed| texts(&failed))?;
    Ok(Request::Batch(Batch { entries, failed }))
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
        attempt: text(node, "attempt")?,
        save: text(node, "save")?,
        expect: node.get("expect").map(|expect| expectation(&expect)).transpose()?,
        expect_counts: counts.transpose()?,
        expect_same: attribute.contains("MessageId") || attribute.contains("SentTimestamp"),
        expect_source: attribute.contains("DeadLetterQueueSourceArn"),
        expect_receipts: text(node, "expect_receipts")?,
    })
}

fn expectation(node: &Node<'_>) -> Result<Expect, Problem> {
    if let Some(length) = node.get("len") {
        return Ok(Expect::Length(length.whole()? as usize));
    }
    if let Some(lists) = node.get("any_of") {
        return Ok(Expect::AnyOf(lists.items()?.iter().map(texts).collect::<Result<_, _>>()?));
    }
    if node.value().is_array() {
        return Ok(Expect::Bodies(texts(node)?));
    }
    Err(node.problem(
        "not something that a receive can come back with",
        "write a list of bodies, { \"len\": n } or { \"any_of\": [ list, … ] }",
    ))
}

fn texts(node: &Node<'_>) -> Result<Vec<String>, Problem> {
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

fn seconds(node: &Node<'_>, key: &str) -> Result<Option<SimDuration>, Problem> {
    node.get(key).map(|seconds| duration_of(&seconds)).transpose()
}

/// Numbers; `true` counts as 1.
fn numbers(node: &Node<'_>) -> Result<Vec<(String, f64)>, Problem> {
    let number = |value: &Node<'_>| match value.value() {
        Value::Bool(truth) => Ok(f64::from(u8::from(*truth))),
        _ => value.number(),
    };
    node.members()?.iter().map(|(key, value)| Ok(((*key).to_owned(), number(value)?))).collect()
}
