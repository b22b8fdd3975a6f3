//! Vectors of RabbitMQ: recorded scripts, topic patterns, and rules of its test suites.
//!
//! | file | recognised by | module |
//! | --- | --- | --- |
//! | scripts of steps | `legend`, `scenarios`, and a `broker` that is a `rabbitmq` | [`recorded`] |
//! | patterns and keys | `suite` and `generated` | [`topics`] |
//! | rules of the suites and guides | `delivery_count_table` and `scenarios` | [`suites`] |
//!
//! The release whose rules the broker follows is the one that the file or the scenario names.

mod player;
mod recorded;
mod script;
mod shown;
mod suites;
mod topics;

use std::fmt;

use broker::amqp::Release;

use super::json::Node;
use super::{Case, Problem, Verdict};

/// Why a case of these files is not run. There are no other reasons; no case of them is overruled by
/// a better source so far.
#[derive(Clone, Debug, PartialEq, Eq)]
enum NotRun {
    /// It asks for something that the model leaves out.
    OutOfScope(&'static str),
    /// What was recorded is a defect of that version, and not to be imitated.
    Defect(String),
}

impl fmt::Display for NotRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfScope(what) => write!(f, "out of the model's scope: {what}"),
            Self::Defect(what) => write!(f, "a defect of that version: {what}"),
        }
    }
}

impl From<NotRun> for Verdict {
    fn from(why: NotRun) -> Self {
        Self::NotRun(why.to_string())
    }
}

fn has(root: &Node<'_>, keys: [&str; 2]) -> bool {
    keys.iter().all(|key| root.get(key).is_some())
}

pub(super) fn recognises(root: &Node<'_>) -> bool {
    recorded::recognises(root) || topics::recognises(root) || suites::recognises(root)
}

pub(super) fn replay(root: &Node<'_>) -> Result<Vec<Case>, Problem> {
    if recorded::recognises(root) {
        recorded::replay(root)
    } else if topics::recognises(root) {
        topics::replay(root)
    } else {
        suites::replay(root)
    }
}

/// The release that a text such as `rabbitmq 3.10.8 (Debian)` names.
fn release(broker: &Node<'_>) -> Result<Release, Problem> {
    let text = broker.text()?;
    let version = text.split_whitespace().find(|word| word.starts_with(|c: char| c.is_numeric()));
    let mut parts = version.unwrap_or_default().split('.').map(str::parse::<u32>);
    match (parts.next(), parts.next()) {
        (Some(Ok(3)), _) => Ok(Release::V3_10),
        (Some(Ok(4)), Some(Ok(0..=2))) => Ok(Release::V4_0),
        (Some(Ok(4..)), _) => Ok(Release::V4_3),
        _ => Err(broker.problem("names no version", "write for example rabbitmq 4.3.0")),
    }
}
