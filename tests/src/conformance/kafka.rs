//! Partitioned logs: vectors made by running Apache Kafka's own classes, or transcribed from its
//! source.
//!
//! | format | recognised by | a case is |
//! | --- | --- | --- |
//! | [`hashes`] | `columns` with `murmur2_i32` | a key: its hash, and its partition for five topic sizes |
//! | [`clients`] | `cases`, objects with `java_murmur2` | a key, and where clients of three kinds send it |
//! | [`assignors`] | `cases`, objects with `members` and `topics` | a group and one assignor, or one cooperative round |
//! | [`rules`] | `idempotent_producer`, `retention` or `share_group` | a case of a rule; `defaults` one case a setting |
//!
//! Sentences in the files (`rules`, `rule`, `note`, …) explain the cases and are not cases
//! themselves; the engine's own tests hold them.

mod assignors;
mod clients;
mod hashes;
mod rules;

use super::json::Node;
use super::{Case, Problem, Verdict};

pub(super) fn recognises(root: &Node<'_>) -> bool {
    hashes::recognises(root)
        || clients::recognises(root)
        || assignors::recognises(root)
        || rules::recognises(root)
}

pub(super) fn replay(root: &Node<'_>) -> Result<Vec<Case>, Problem> {
    if hashes::recognises(root) {
        hashes::replay(root)
    } else if clients::recognises(root) {
        clients::replay(root)
    } else if assignors::recognises(root) {
        assignors::replay(root)
    } else {
        rules::replay(root)
    }
}

/// Runs one case; what cannot be read spoils only this one.
fn case(name: String, run: impl FnOnce() -> Result<Vec<String>, Problem>) -> Case {
    let verdict = match run() {
        Ok(differences) if differences.is_empty() => Verdict::Pass,
        Ok(differences) => Verdict::Fail(differences.join("; ")),
        Err(problem) => Verdict::Unreadable(problem),
    };
    Case { name, verdict }
}

/// Notes a difference between what is written and what came out.
fn compare<T: PartialEq + std::fmt::Debug + ?Sized>(
    differences: &mut Vec<String>,
    what: &str,
    expected: &T,
    actual: &T,
) {
    if expected != actual {
        differences.push(format!("{what}: expected {expected:?}, came out as {actual:?}"));
    }
}

/// The first of a list, if it is an object with this key.
fn first_has(root: &Node<'_>, list: &str, key: &str) -> bool {
    let items = root.get(list).and_then(|list| list.items().ok());
    items.and_then(|items| items.first()?.get(key)).is_some()
}
