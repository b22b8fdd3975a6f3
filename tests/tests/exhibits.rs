//! Every exhibit of the course is read, linted and held to its facts.

use course::{Exhibit, FactOutcome, check_facts, lint};
use tests::documents::read_all;

/// The exhibits of the course, by id.
fn exhibits() -> Vec<(String, Exhibit)> {
    read_all("exhibits", Exhibit::read)
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
