//! The course against the ledger of facts: each has its place in a module, or a reason why not.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

fn content(path: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../crates/course/content");
    fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn object(path: &str) -> BTreeMap<String, Value> {
    serde_json::from_str(&content(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The ids in the comments of a paper: `<!-- F-ACK-1 F-ACK-2 -->`.
fn named(text: &str) -> BTreeSet<String> {
    let comments = text.split("<!--").skip(1).filter_map(|rest| rest.split("-->").next());
    let words = comments.flat_map(str::split_whitespace);
    let is_id = |word: &&str| ["F-", "AP-", "I-"].iter().any(|start| word.starts_with(start));
    words.filter(is_id).map(str::to_owned).collect()
}

/// The papers beside the modules that name facts, each with the rows of the ledger that are its own:
/// how they begin, and how many there are.
const BESIDE: [(&str, &str, usize); 3] =
    [("anti-patterns.md", "AP-", 45), ("interview.md", "I-", 12), ("gate.md", "", 0)];

/// The facts of the ledger, each with its module.
fn ledger() -> BTreeMap<String, String> {
    let mut facts = BTreeMap::new();
    for (module, ids) in object("facts.json") {
        for id in ids.as_array().expect("a list of ids") {
            let id = id.as_str().expect("an id").to_owned();
            assert!(facts.insert(id.clone(), module.clone()).is_none(), "{id} stands twice");
        }
    }
    facts
}

#[test]
fn every_fact_has_its_place_or_a_reason() {
    let left_out = object("facts-left-out.json");
    let facts = ledger();
    assert!(facts.len() > 350, "the ledger has lost facts: {}", facts.len());
    let mut missing = Vec::new();
    for (id, module) in &facts {
        let there = named(&content(&format!("modules/{module}.md"))).contains(id);
        if there == left_out.contains_key(id) {
            missing.push(format!("{id} of {module} is {}", if there { "both" } else { "neither" }));
        }
    }
    assert!(missing.is_empty(), "neither in its module nor left out, or both:\n{missing:#?}");
    for (id, reason) in &left_out {
        assert!(facts.contains_key(id), "{id} is left out, and no fact");
        let words = reason.as_str().unwrap_or_default().split_whitespace().count();
        assert!(words >= 5, "{id} is left out without a reason");
    }
}

#[test]
fn modules_name_only_facts_that_there_are() {
    let facts = ledger();
    for module in 1..=8 {
        for id in named(&content(&format!("modules/m{module}.md"))) {
            assert!(facts.contains_key(&id), "m{module}.md names {id}");
        }
    }
}

#[test]
fn papers_beside_the_modules_name_their_rows_and_known_facts() {
    let facts = ledger();
    for (paper, own, count) in BESIDE {
        let (facts_named, rows): (BTreeSet<String>, BTreeSet<String>) =
            named(&content(paper)).into_iter().partition(|id| id.starts_with("F-"));
        for id in &facts_named {
            assert!(facts.contains_key(id), "{paper} names {id}");
        }
        assert!(!facts_named.is_empty(), "{paper} names no fact");
        let wanted: BTreeSet<String> = (1..=count).map(|row| format!("{own}{row}")).collect();
        assert_eq!(rows, wanted, "the rows of {paper}");
    }
    let gate = named(&content("gate.md"));
    for id in ["F-GATE-1", "F-GATE-2", "F-DLQ-5", "F-SEC-1", "F-DES-1"] {
        assert!(gate.contains(id), "the gate does not hold {id}");
    }
}

#[test]
fn ids_are_found_in_comments_only() {
    let found = named("F-NO-1 a <!-- F-A-1 AP-2 --> b <!--I-3-->\n<!-- other -->");
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["AP-2", "F-A-1", "I-3"]);
}
