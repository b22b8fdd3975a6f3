//! Scripts for an Amazon SQS queue: send, receive, let time pass, change visibility, delete, purge.
//!
//! A file is `{ "scenarios": [ { "name", "fifo", "attrs", "ops": [ … ] } ] }`. A scenario has a
//! queue, with `attrs` as `CreateQueue` names them, and, with `"Redrive": { "maxReceiveCount": n,
//! "dlq": "D" }`, a dead-letter queue of that name and of the same kind; `"D(retention 4d)"` sets its
//! retention. `"Fairness": { "share", "in_flight", "calm" }` makes a standard queue a fair one.
//!
//! | op | its fields, beside `queue`, `expect` and `expect_error` |
//! | --- | --- |
//! | `send` | `body`; `group`; `dedup`, else the message gets an id of its own, if the queue needs one and no `expect_error` says otherwise; `delay` in seconds; `bytes`, if the body is not written out |
//! | `receive` | `max`; `visibility` and `wait` in seconds; `attempt`, the same for a repetition; `save`, a name for the receipts; `expect_receive_count`; `expect_attr`; `expect_receipts`, the name of those that come again |
//! | `advance` | `s` or `ms` |
//! | `change_visibility` | `handle`, as in `"r[0]"`; `timeout` in seconds |
//! | `delete` | `handle` |
//! | `purge` | |
//! | `send_batch`, `delete_batch`, `change_visibility_batch` | `entries`, each with its `id` and the fields of the single request; `expect_failed`, the ids of those that fail |
//! | `redrive` | `per_second`: the dead letters go back to the queue, at that velocity or all at once |
//! | `set_attrs` | `attrs` |
//! | `get_attrs` | `expect`, by attribute |
//!
//! A send expects `"deduplicated"`, and is then held to the identity and sequence number of the
//! original, or `"new message"`. A receive expects a list of bodies, `{ "len": n }` or
//! `{ "any_of": [ list, … ] }`. A standard queue promises no order, so its lists are compared without
//! regard to it; those of a FIFO queue are compared as they are. A handle that is no saved one, such
//! as `"garbage"`, stands for a receipt that the queue never gave out.
//!
//! An error is expected by its code, the first word of `expect_error`; and where the words after
//! the code tell which of several reasons is meant ("does not exist", "Total VisibilityTimeout"),
//! by that reason, not by the very wording.

mod fault;
mod player;
mod script;

use super::json::Node;
use super::{Case, Problem, Verdict};

pub(super) fn recognises(root: &Node<'_>) -> bool {
    let Some(scenarios) = root.get("scenarios").and_then(|list| list.items().ok()) else {
        return false;
    };
    // Recorded scripts of other brokers have steps, tables of rules have neither.
    root.get("legend").is_none() && scenarios.iter().any(|scenario| scenario.get("ops").is_some())
}

pub(super) fn replay(root: &Node<'_>) -> Result<Vec<Case>, Problem> {
    let scenarios = root.need("scenarios", "write a list of scenarios")?.items()?;
    Ok(scenarios.iter().map(case).collect())
}

fn case(scenario: &Node<'_>) -> Case {
    let name = scenario.get("name").and_then(|name| name.text().ok());
    let name = name.unwrap_or(scenario.pointer()).to_owned();
    let verdict = verdict(scenario).unwrap_or_else(Verdict::Unreadable);
    Case { name, verdict }
}

fn verdict(scenario: &Node<'_>) -> Result<Verdict, Problem> {
    let script = script::read(scenario)?;
    Ok(match player::play(&script) {
        Ok(()) => Verdict::Pass,
        Err(difference) => Verdict::Fail(difference),
    })
}
