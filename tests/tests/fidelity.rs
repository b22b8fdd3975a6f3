//! The table of rules: every test that it names is there, and every test file of the engine is
//! named by a rule or stands below with the reason.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use course::{FAMILIES, Family, TestName, lint_fidelity};

const CONTENT: &str = "crates/course/content/fidelity";

/// Files under `crates/*/tests` that no rule has to name, and why.
const NO_RULES: [(&str, &str); 8] = [
    ("crates/broker/tests/log/diary.rs", "the language in which the tests of logs are written"),
    ("crates/broker/tests/log/main.rs", "the list of the tests of logs"),
    ("crates/broker/tests/log/script.rs", "runs what the tests of logs have written"),
    ("crates/broker/tests/queue/diary.rs", "the language in which the tests of queues are written"),
    ("crates/broker/tests/queue/fifo_model.rs", "the simple queue that a FIFO queue is held to"),
    ("crates/broker/tests/queue/model.rs", "the simple queue that a queue is held to"),
    ("crates/patterns/tests/database/diary.rs", "the language in which the tests are written"),
    ("crates/sim/tests/short.rs", "small maps, held to those of the standard library"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn text(path: &str) -> Result<String, String> {
    fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))
}

fn families() -> Vec<Family> {
    let read = |id: &&str| {
        let file = format!("{CONTENT}/{id}.json");
        let text = text(&file).unwrap_or_else(|why| panic!("{why}"));
        let document = tests::documents::parse(&file, &text).unwrap_or_else(|why| panic!("{why}"));
        Family::read(id, &document).unwrap_or_else(|wrong| {
            let lines: Vec<_> = wrong.iter().map(|one| format!("{file}: {one}")).collect();
            panic!("{}", lines.join("\n"))
        })
    };
    FAMILIES.iter().map(read).collect()
}

/// Whether a text has the function, or the case of that name.
fn holds(text: &str, test: &TestName) -> bool {
    match &test.name {
        None => true,
        Some(name) if test.is_vector() => text.contains(&format!("\"{name}\"")),
        Some(name) => text.contains(&format!("fn {name}(")),
    }
}

/// What is wrong with a test that a rule names.
fn missing(test: &TestName) -> Option<String> {
    let TestName { file, name } = test;
    if test.is_vector() && !file.starts_with("tests/vectors/") {
        return Some(format!("{file} does not stand with the vectors"));
    }
    match text(file) {
        Err(why) => Some(why),
        Ok(text) if holds(&text, test) => None,
        Ok(_) => Some(format!("{file} has no {}", name.as_deref().unwrap_or_default())),
    }
}

#[test]
fn the_table_passes_its_linter() {
    let lines: Vec<_> = lint_fidelity(&families()).iter().map(ToString::to_string).collect();
    assert!(lines.is_empty(), "{}", lines.join("\n"));
}

#[test]
fn no_file_stands_beside_the_known_families() {
    let mut files: Vec<String> = fs::read_dir(root().join(CONTENT))
        .expect("the course has a folder for it")
        .map(|entry| entry.expect("a readable folder").file_name().to_string_lossy().into_owned())
        .collect();
    files.sort();
    let mut known: Vec<String> = FAMILIES.iter().map(|id| format!("{id}.json")).collect();
    known.sort();
    assert_eq!(files, known);
}

#[test]
fn every_test_that_a_rule_names_is_there() {
    let mut wrong = Vec::new();
    for family in families() {
        for rule in &family.rules {
            wrong.extend(
                rule.tests.iter().filter_map(missing).map(|why| format!("{}: {why}", rule.id)),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_test_that_is_not_there_is_noticed() {
    let check = |file: &str, name: &str, there: bool| {
        let test = TestName { file: file.to_owned(), name: Some(name.to_owned()) };
        assert_eq!(missing(&test).is_none(), there, "{file} {name}");
    };
    check("tests/tests/fidelity.rs", "the_table_passes_its_linter", true);
    check("tests/tests/fidelity.rs", "the_table", false);
    check("tests/tests/fidelity.txt", "the_table_passes_its_linter", false);
    check("tests/vectors/sqs_rules.json", "std_receive_takes_one_to_ten", true);
    check("tests/vectors/sqs_rules.json", "std_receive", false);
    check("tests/budgets.json", "std_receive", false);
}

/// A run of a scenario that shows a rule proves that a scenario can.
#[test]
fn what_a_run_shows_is_said_to_be_in_scenarios() {
    let mut wrong = Vec::new();
    for family in families() {
        for rule in family.rules.iter().filter(|rule| !rule.world) {
            let runs = |test: &&TestName| test.file.starts_with("tests/tests/world");
            wrong.extend(rule.tests.iter().find(runs).map(|test| format!("{}: {test:?}", rule.id)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_test_file_of_the_engine_holds_a_rule_or_says_why_not() {
    let families = families();
    let rules = families.iter().flat_map(|family| &family.rules);
    let named: BTreeSet<&str> =
        rules.flat_map(|rule| &rule.tests).map(|test| test.file.as_str()).collect();
    let files = test_files();
    for (file, why) in NO_RULES {
        assert!(files.iter().any(|known| known == file), "{file} is gone");
        assert!(!named.contains(file), "{file} holds a rule, though it is “{why}”");
    }
    let silent: Vec<_> = files
        .iter()
        .filter(|file| !named.contains(file.as_str()))
        .filter(|file| NO_RULES.iter().all(|(other, _)| other != file))
        .collect();
    assert!(silent.is_empty(), "no rule names {silent:?}");
}

/// The Rust files under `crates/*/tests`, from the root of the project.
fn test_files() -> Vec<String> {
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = fs::read_dir(root().join("crates"))
        .expect("the crates")
        .map(|entry| entry.expect("a readable folder").path().join("tests"))
        .filter(|folder| folder.is_dir())
        .collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let inside = path.strip_prefix(root()).expect("a path of the project");
                found.push(inside.to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}
