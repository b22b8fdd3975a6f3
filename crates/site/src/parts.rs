//! What the scenarios of an exhibit or a quiz are made of, as far as one would look for it.

use std::collections::BTreeSet;

use course::evidence::Stage;
use scenario::Kind;
use serde_json::Value;

/// The parts that one may look for, in the order in which they are offered. Sources, workers and
/// services are in nearly all scenarios, and tell none from another.
pub const PARTS: [&str; 8] =
    ["queue", "topic", "log", "database", "relay", "scheduler", "saga", "external"];

/// The parts of an exhibit's scenario, by its file.
#[must_use]
pub fn of_document(document: &Value) -> Vec<&'static str> {
    let components = document.pointer("/scenario/components").and_then(Value::as_object);
    let named = components.into_iter().flat_map(|all| all.values());
    in_order(named.filter_map(|component| match component["is"].as_str()? {
        "orchestrator" => Some("saga"),
        "change-data-capture" => Some("relay"),
        name => PARTS.into_iter().find(|part| *part == name),
    }))
}

/// The parts of the scenarios that the runs of a quiz are of.
#[must_use]
pub fn of_stages(stages: &[Stage]) -> Vec<&'static str> {
    let components = stages.iter().flat_map(|stage| &stage.exhibit.scenario.components);
    in_order(components.filter_map(|component| match component.kind {
        Kind::Queue(_) => Some("queue"),
        Kind::Topic(_) => Some("topic"),
        Kind::Log(_) => Some("log"),
        Kind::Database(_) => Some("database"),
        Kind::Relay(_) => Some("relay"),
        Kind::Scheduler(_) => Some("scheduler"),
        Kind::Orchestrator(_) => Some("saga"),
        Kind::External(_) => Some("external"),
        Kind::Source(_) | Kind::Service(_) | Kind::Workers(_) => None,
    }))
}

fn in_order(found: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let found: BTreeSet<&str> = found.collect();
    PARTS.into_iter().filter(|part| found.contains(part)).collect()
}

#[cfg(test)]
mod tests {
    use super::of_document;

    #[test]
    fn parts_are_those_that_one_would_look_for() {
        let document = serde_json::json!({ "scenario": { "components": {
            "a": { "is": "source" }, "b": { "is": "orchestrator" }, "c": { "is": "queue" },
            "d": { "is": "change-data-capture" }, "e": { "is": "queue" } } } });
        assert_eq!(of_document(&document), ["queue", "relay", "saga"]);
        assert!(of_document(&serde_json::json!({})).is_empty());
    }
}
