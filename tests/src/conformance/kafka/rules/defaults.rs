//! Defaults of the product, a case a setting.

use broker::log::consumer::{AutoCommit, Reset};
use broker::log::group::Protocol;
use broker::log::group::assignor::Assignor;
use broker::log::{Isolation, Settings, consumer, group};
use serde_json::{Value, json};
use sim::SimDuration;

use super::{Case, Node, Problem, case, compare};

pub(super) fn replay(node: &Node<'_>) -> Result<Vec<Case>, Problem> {
    let members = node.members()?;
    let run = |key: &str, expected: &Node<'_>| {
        let actual = default(key, expected)
            .ok_or_else(|| expected.problem("an unknown setting", "name one of the product"))?;
        let mut differences = Vec::new();
        compare(&mut differences, key, expected.value(), &actual);
        Ok(differences)
    };
    let cases =
        members.iter().map(|(key, node)| case(format!("default, {key}"), || run(key, node)));
    Ok(cases.collect())
}

fn default(key: &str, expected: &Node<'_>) -> Option<Value> {
    let topic = Settings::kafka();
    let group = group::Settings::classic();
    let consumer = consumer::Settings::kafka();
    let millis = |time: SimDuration| json!(time.as_micros() / 1000);
    Some(match key {
        "session_timeout_ms" => millis(group.session_timeout),
        "heartbeat_ms" => millis(group.heartbeat_interval),
        "max_poll_interval_ms" => millis(group.max_poll_interval),
        "max_poll_records" => json!(consumer.max_poll_records),
        "auto_commit" => json!(matches!(consumer.auto_commit, AutoCommit::Every(_))),
        "auto_commit_interval_ms" => match consumer.auto_commit {
            AutoCommit::Every(interval) => millis(interval),
            AutoCommit::Off => Value::Null,
        },
        "auto_offset_reset" => json!(match consumer.reset {
            Reset::Earliest => "earliest",
            Reset::Latest => "latest",
            Reset::None => "none",
        }),
        "isolation" => json!(match consumer.isolation {
            Isolation::ReadUncommitted => "read_uncommitted",
            Isolation::ReadCommitted => "read_committed",
        }),
        // A group takes one protocol: what members agree on that all have this list.
        "assignors" => {
            let listed: Option<Vec<Assignor>> =
                expected.items().ok()?.iter().map(|name| assignor(name.text().ok()?)).collect();
            let agreed = Protocol::agreed(&listed?) == Some(group.protocol);
            if agreed { expected.value().clone() } else { Value::Null }
        }
        "segment_bytes" => json!(topic.segment_bytes),
        "segment_ms" => millis(topic.segment_time),
        "retention_ms" => topic.retention.map_or(json!(-1), millis),
        "retention_bytes" => topic.retention_bytes.map_or(json!(-1), |bytes| json!(bytes)),
        "delete_retention_ms" => millis(topic.delete_retention),
        "min_cleanable_dirty_ratio" => json!(f64::from(topic.min_dirty_percent) / 100.0),
        _ => return None,
    })
}

fn assignor(name: &str) -> Option<Assignor> {
    Some(match name {
        "range" => Assignor::Range,
        "roundrobin" => Assignor::RoundRobin,
        "sticky" => Assignor::Sticky,
        "cooperative-sticky" => Assignor::CooperativeSticky,
        _ => return None,
    })
}
