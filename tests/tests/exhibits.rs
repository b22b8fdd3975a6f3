//! Every exhibit of the course is read, linted and held to its facts.

use std::fs;
use std::path::{Path, PathBuf};

use course::{Exhibit, FactOutcome, check_facts, lint};
use scenario::wire::Value;

/// The exhibits of the course, by id.
fn exhibits() -> Vec<(String, Exhibit)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/course/content/exhibits");
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("the course has a folder of exhibits")
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    files.sort();
    files.iter().map(|file| read(file)).collect()
}

fn read(file: &Path) -> (String, Exhibit) {
    let id = file.file_stem().and_then(|stem| stem.to_str()).expect("a name in ASCII").to_owned();
    let text = fs::read_to_string(file).expect("a readable file");
    let document: Value = tests::documents::parse(&id, &text).unwrap_or_else(|why| panic!("{why}"));
    match Exhibit::read(&document) {
        Ok(exhibit) => (id, exhibit),
        Err(wrong) => {
            let lines: Vec<_> = wrong.iter().map(|one| format!("{id}: {one}")).collect();
            panic!("{}", lines.join("\n"))
        }
    }
}

#[test]
fn every_exhibit_passes_the_linter() {
    let mut lines = Vec::new();
    for (id, exhibit) in exhibits() {
        lines.extend(lint(&exhibit).iter().map(|one| format!("{id}: {one}")));
    }
    assert!(lines.is_empty(), "{}", lines.join("\n"));
}

#[test]
fn every_exhibit_has_facts_and_its_run_shows_them() {
    let mut wrong = Vec::new();
    for (id, exhibit) in exhibits() {
        let results = check_facts(&exhibit);
        assert_eq!(results.len(), exhibit.facts.len(), "{id}");
        assert!(!results.is_empty(), "{id} claims nothing");
        let differing = results.into_iter().filter(|result| result.outcome != FactOutcome::Found);
        wrong.extend(differing.map(|result| format!("{id}: {result:?}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn ids_are_file_names_that_links_can_use_and_numbers_are_given_once() {
    let mut numbers = Vec::new();
    for (id, exhibit) in exhibits() {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(id.chars().all(plain), "{id}: use small letters, digits and hyphens");
        numbers.push(exhibit.number);
    }
    let exhibits = numbers.len();
    numbers.sort();
    numbers.dedup();
    assert_eq!(numbers.len(), exhibits, "{numbers:?}");
}
