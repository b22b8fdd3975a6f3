//! The table of rules: every test that it names is there.

use std::fs;
use std::path::{Path, PathBuf};

use course::{FAMILIES, Family, TestName, lint_fidelity};

const CONTENT: &str = "crates/course/content/fidelity";

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
