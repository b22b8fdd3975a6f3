//! The ledger of facts against the tests: each fact that a run, a formula or a product’s rule can show
//! is named by a test, or stands with the reason why none can.
//!
//! A test is a fact of an exhibit or of a worksheet, which are held to their runs and formulas, or a
//! test in Rust that says in a comment, or in a row, which fact it is about.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The kinds of facts that can be tested. The others are rules that are told.
const KINDS: [&str; 3] = ["run", "formula", "product"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn json(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

/// The ids in a text: words that begin with “F-”.
fn ids(text: &str) -> BTreeSet<&str> {
    let words = text.split(|it: char| !(it.is_ascii_alphanumeric() || it == '-'));
    words.filter(|word| word.starts_with("F-") && word.len() > 3).collect()
}

/// The files below a folder that end like this.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|it| it == ending) {
            found.push(path);
        }
    }
    found
}

/// The facts that tests name.
fn named() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for folder in ["exhibits", "sheets"] {
        for file in files(&root().join("crates/course/content").join(folder), "json") {
            let document = json(&file);
            let facts = document["facts"].as_array().map_or(&[][..], Vec::as_slice);
            let ids = facts.iter().filter_map(|fact| fact["id"].as_str());
            all.extend(ids.map(str::to_owned));
        }
    }
    let crates = fs::read_dir(root().join("crates")).expect("the crates");
    let mut folders: Vec<PathBuf> =
        crates.map(|entry| entry.expect("a readable folder").path().join("tests")).collect();
    folders.push(root().join("tests/tests"));
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        for file in files(folder, "rs") {
            let text = fs::read_to_string(file).expect("a readable file");
            all.extend(ids(&text).into_iter().map(str::to_owned));
        }
    }
    all
}

fn ledger() -> (BTreeMap<String, &'static str>, BTreeMap<String, String>) {
    let ledger = json(&root().join("tests/ledger.json"));
    let mut facts = BTreeMap::new();
    for kind in KINDS {
        for id in ledger[kind].as_array().expect("a list of ids") {
            let id = id.as_str().expect("an id").to_owned();
            assert!(facts.insert(id.clone(), kind).is_none(), "{id} stands twice");
        }
    }
    let reasons = ledger["not_held"].as_object().expect("ids with reasons");
    let text = |reason: &Value| reason.as_str().expect("a reason").to_owned();
    (facts, reasons.iter().map(|(id, reason)| (id.clone(), text(reason))).collect())
}

#[test]
fn every_fact_that_can_be_tested_is_or_says_why_not() {
    let (facts, reasons) = ledger();
    let named = named();
    let mut wrong = Vec::new();
    for (id, kind) in &facts {
        match (named.contains(id), reasons.get(id)) {
            (false, None) => wrong.push(format!("no test names {id}, a {kind}")),
            (true, Some(_)) => wrong.push(format!("a test names {id}, which needs no reason now")),
            (false, Some(reason)) if reason.split_whitespace().count() < 8 => {
                wrong.push(format!("{id} is not held, and “{reason}” says too little"));
            }
            _ => {}
        }
    }
    for id in reasons.keys().filter(|id| !facts.contains_key(*id)) {
        wrong.push(format!("{id} is not held, and no fact"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_ledger_is_that_of_the_course() {
    let course = json(&root().join("crates/course/content/facts.json"));
    let modules = course.as_object().expect("modules").values();
    let ids: BTreeSet<&str> =
        modules.flat_map(|ids| ids.as_array().expect("ids")).filter_map(Value::as_str).collect();
    let (facts, _) = ledger();
    let strange: Vec<_> = facts.keys().filter(|id| !ids.contains(id.as_str())).collect();
    assert!(strange.is_empty(), "the course does not know {strange:?}");
    assert!(facts.len() > 220, "the ledger has lost facts: {}", facts.len());
}

#[test]
fn a_fact_is_named_as_a_whole_word() {
    let text = "/// F-AA-2, F-BB-1: as (F-CC-10) has it; not F- nor xF-NO-1.";
    assert_eq!(ids(text).into_iter().collect::<Vec<_>>(), ["F-AA-2", "F-BB-1", "F-CC-10"]);
}
