//! Formats that are known but not run: their machines are not built yet, or they hold nothing to
//! replay. Their cases are listed all the same.

use super::json::Node;
use super::{Case, Verdict};

/// A format: the keys that tell it, the key of its list of cases, and why these are not run.
struct Format {
    keys: [&'static str; 2],
    cases: &'static str,
    why: &'static str,
}

const FORMATS: [Format; 7] = [
    Format { keys: ["same", "differs"], cases: "differs", why: EMULATOR },
    Format { keys: ["rule", "cases"], cases: "cases", why: LOG },
    Format { keys: ["source", "cases"], cases: "cases", why: LOG },
    Format { keys: ["idempotent_producer", "lso"], cases: "lso", why: LOG },
    Format { keys: ["legend", "scenarios"], cases: "scenarios", why: EXCHANGES },
    Format { keys: ["delivery_count_table", "scenarios"], cases: "scenarios", why: EXCHANGES },
    Format { keys: ["suite", "generated"], cases: "generated", why: EXCHANGES },
];

const EMULATOR: &str = "the file compares an emulator with the service, and scripts nothing; its rows \
                        are scripted in sqs_scenarios.json and sqs_rules.json";
const LOG: &str = "partitioned logs come with a later release";
const EXCHANGES: &str = "other brokers' scripts come with a later release";

/// The cases of such a file, none of them run, or `None` if the file is of another kind.
pub(super) fn list(root: &Node<'_>) -> Option<Vec<Case>> {
    let format =
        FORMATS.iter().find(|format| format.keys.iter().all(|key| root.get(key).is_some()))?;
    let rows = root.get(format.cases)?;
    let names: Vec<String> = match rows.items() {
        Ok(items) => {
            let named = |item: &Node<'_>| Some(item.get("name")?.text().ok()?.to_owned());
            items.iter().map(|item| named(item).unwrap_or(item.pointer().to_owned())).collect()
        }
        Err(_) => rows.members().ok()?.iter().map(|(key, _)| (*key).to_owned()).collect(),
    };
    let not_run = |name| Case { name, verdict: Verdict::NotRun(format.why.to_owned()) };
    Some(names.into_iter().map(not_run).collect())
}
