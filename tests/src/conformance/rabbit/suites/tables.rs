//! The tables: what counts as a delivery, which headers match, what is set by default.

use broker::amqp::{
    HeadersMatch, MAX_PRIORITY_MAX, MatchRule, QUORUM_PREFETCH_MAX, QUORUM_PRIORITY_DEFAULT,
    QUORUM_PRIORITY_MAX, Release, ReturnCause, Server, Settings, Tags, Value,
};
use serde_json::{Value as Json, json};
use sim::SimDuration;

use super::super::super::json::Node;
use super::super::super::{Case, Problem};
use super::super::NotRun;
use super::super::script::headers as read_headers;
use super::compare;
use super::desk::Desk;

/// Each row played on a quorum queue of 4.3.
pub(super) fn delivery_counts(root: &Node<'_>) -> Result<Vec<Case>, Problem> {
    let table = root.need("delivery_count_table", "write the table")?;
    let mut cases = Vec::new();
    for row in table.need("rows", "write rows")?.items()? {
        let items = row.items()?;
        let [trigger, acquired, delivery] = &items[..] else {
            return Err(row.problem("not three items", "write a trigger and two truths"));
        };
        let name = trigger.text()?;
        let cause = cause(name).ok_or_else(|| trigger.problem("no trigger", "see the guide"))?;
        let mut desk = Desk::new(Release::V4_3, Settings::rabbitmq_quorum(Release::V4_3));
        desk.publish("a", None);
        desk.consume(1);
        if cause == ReturnCause::ChannelLost {
            desk.crash();
            desk.consume(1);
        } else {
            desk.requeue(Tags::One(desk.tag("a")), cause);
        }
        let counted = (delivery.truth()?).then_some(1);
        let verdict = compare(&json!([acquired.truth()?, counted]), &desk.latest());
        cases.push(Case { name: format!("counts: {name}"), verdict });
    }
    Ok(cases)
}

fn cause(trigger: &str) -> Option<ReturnCause> {
    Some(match trigger {
        "amqp1 released" | "amqp1 modified delivery-failed=false" => ReturnCause::Released,
        "amqp1 rejected" | "amqp1 modified delivery-failed=true" => ReturnCause::Failed,
        "0.9.1 basic.nack(requeue)" => ReturnCause::Nack,
        "0.9.1 basic.reject(requeue)" => ReturnCause::Reject,
        "client crash / connection loss" => ReturnCause::ChannelLost,
        "intra-cluster partition" => ReturnCause::NodeSuspected,
        "consumer timeout" => ReturnCause::ConsumerTimeout,
        _ => return None,
    })
}

pub(super) fn headers(root: &Node<'_>) -> Result<Vec<Case>, Problem> {
    let Some(rows) = root.get("headers") else { return Ok(Vec::new()) };
    let mut cases = Vec::new();
    for (number, row) in rows.items()?.iter().enumerate() {
        let rule = row.need("match", "write the x-match")?;
        let parsed = MatchRule::parse(rule.text()?);
        let parsed = parsed.map_err(|error| rule.problem(&error.to_string(), "write one"))?;
        let mut wanted = read_headers(&row.need("args", "write the wanted headers")?)?;
        for value in wanted.values_mut() {
            if *value == Value::Text("<void>".into()) {
                *value = Value::Void;
            }
        }
        let given = read_headers(&row.need("headers", "write the message's headers")?)?;
        let got = HeadersMatch { rule: parsed, wanted }.matches(&given);
        let expected = row.need("r", "write the answer")?.truth()?;
        let name = format!("headers {number}: {}", rule.text()?);
        cases.push(Case { name, verdict: compare(&json!(expected), &json!(got)) });
    }
    Ok(cases)
}

pub(super) fn defaults(root: &Node<'_>) -> Result<Vec<Case>, Problem> {
    let Some(table) = root.get("defaults") else { return Ok(Vec::new()) };
    let mut cases = Vec::new();
    for (key, expected) in table.members()? {
        let verdict = match default(key) {
            Some(got) => compare(expected.value(), &got),
            None => NotRun::OutOfScope("links between the nodes of a cluster").into(),
        };
        cases.push(Case { name: format!("default: {key}"), verdict });
    }
    Ok(cases)
}

fn default(key: &str) -> Option<Json> {
    let server = Server::new(Release::V4_0);
    let seconds = |duration: SimDuration| duration.as_micros() / 1_000_000;
    Some(match key {
        "consumer_timeout_ms" => json!(server.consumer_timeout.map(|it| seconds(it) * 1_000)),
        "timeout_check_interval_s" => json!(seconds(server.timeout_check)),
        "delivery_limit_4_x" => json!(Settings::rabbitmq_quorum(Release::V4_0).delivery_limit),
        "quorum_prefetch_cap" => json!(QUORUM_PREFETCH_MAX),
        "priority_classic_max" => json!(MAX_PRIORITY_MAX),
        "priority_default_classic" => json!(broker::amqp::CLASSIC_PRIORITY_DEFAULT),
        "priority_default_quorum" => json!(QUORUM_PRIORITY_DEFAULT),
        "priority_quorum_range" => json!([0, QUORUM_PRIORITY_MAX]),
        _ => return None,
    })
}
