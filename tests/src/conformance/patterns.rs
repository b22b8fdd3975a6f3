//! Vectors of the patterns: retry, backoff, schedules, trace context, an outbox, locks and queues of
//! Redis.
//!
//! | format | recognised by | checked against |
//! | --- | --- | --- |
//! | [`retry`] | `aws_backoff`, `botocore_standard`, `grpc_A6` or `finagle` | `patterns::retry` |
//! | [`backoff`] | `rows`, objects with `clients` and `algorithm` | `patterns::retry::backoff`, by simulation |
//! | [`scheduling`] | `columns` with `spec`, or `temporal_overlap` | `patterns::schedule` |
//! | [`tracing`] | `accept_continue_trace_id` or `reject_new_trace` | `patterns::tracing` |
//! | [`outbox`] | `id_gt_last_relay`, `skip_locked` or `xmin_guard` | `patterns::database`, `patterns::outbox` |
//! | [`redis`] | `legend`, `scenarios`, and a `broker` that is a `redis` | `patterns::redis` |
//!
//! Sentences in the files (`rule`, `rules`, `note`, `semantics`, `source`) explain the cases and are
//! not cases themselves; the crate's own tests hold them.

mod backoff;
mod outbox;
mod redis;
mod retry;
mod scheduling;
mod tracing;

use std::fmt::Debug;

use super::json::Node;
use super::{Case, Problem, Verdict};

pub(super) fn recognises(root: &Node<'_>) -> bool {
    replayer(root).is_some()
}

pub(super) fn replay(root: &Node<'_>) -> Result<Vec<Case>, Problem> {
    match replayer(root) {
        Some(replay) => replay(root),
        None => Ok(Vec::new()),
    }
}

type Recognise = fn(&Node<'_>) -> bool;
type Replay = fn(&Node<'_>) -> Result<Vec<Case>, Problem>;

fn replayer(root: &Node<'_>) -> Option<Replay> {
    let formats: [(Recognise, Replay); 6] = [
        (retry::recognises, retry::replay),
        (backoff::recognises, backoff::replay),
        (scheduling::recognises, scheduling::replay),
        (tracing::recognises, tracing::replay),
        (outbox::recognises, outbox::replay),
        (redis::recognises, redis::replay),
    ];
    formats.into_iter().find(|(recognises, _)| recognises(root)).map(|(_, replay)| replay)
}

/// Runs one case; what cannot be read spoils only this one.
fn case(name: impl Into<String>, run: impl FnOnce() -> Result<Differences, Problem>) -> Case {
    let verdict = match run() {
        Ok(differences) if differences.0.is_empty() => Verdict::Pass,
        Ok(differences) => Verdict::Fail(differences.0.join("; ")),
        Err(problem) => Verdict::Unreadable(problem),
    };
    Case { name: name.into(), verdict }
}

/// What differs between what is written and what came out.
#[derive(Clone, Debug, Default)]
struct Differences(Vec<String>);

impl Differences {
    fn compare<T: PartialEq + Debug>(&mut self, what: &str, expected: &T, actual: &T) {
        if expected != actual {
            self.0.push(format!("{what}: expected {expected:?}, came out as {actual:?}"));
        }
    }

    fn near(&mut self, what: &str, expected: f64, actual: f64, tolerance: f64) {
        if (expected - actual).abs() > tolerance {
            self.0.push(format!(
                "{what}: expected {expected} within {tolerance}, came out as {actual}"
            ));
        }
    }
}

/// The whole numbers of a list.
fn numbers(node: &Node<'_>) -> Result<Vec<i64>, Problem> {
    node.items()?.iter().map(|item| Ok(item.number()? as i64)).collect()
}

fn has_any(root: &Node<'_>, keys: &[&str]) -> bool {
    keys.iter().any(|key| root.get(key).is_some())
}
