//! Every quiz and every decision tree of the course is read and linted: each right answer is judged right, each wrong one
//! wrong, by the runs wherever a run can judge, and every run that is named shows what it is to.

use std::borrow::Cow;

use course::evidence::Library;
use course::quiz::{Asks, Quiz, lint_quiz};
use course::tree::{Tree, lint_tree};
use scenario::wire::{Diagnostic, Value};
use tests::documents::{of_course, read_all};

/// The quizzes of the course, by id.
fn quizzes() -> Vec<(String, Quiz)> {
    read_studies("quizzes", Quiz::read)
}

/// The decision trees of the course, by id.
fn trees() -> Vec<(String, Tree)> {
    read_studies("trees", Tree::read)
}

/// Everything in a folder whose runs are of exhibits.
fn read_studies<T>(
    folder: &str,
    read: impl Fn(&Value, &Library<'_>) -> Result<T, Vec<Diagnostic>>,
) -> Vec<(String, T)> {
    let exhibits = of_course("exhibits");
    let library = |id: &str| {
        let found = exhibits.iter().find(|(name, _)| name == id);
        found.map(|(_, document)| Cow::Borrowed(document))
    };
    read_all(folder, |document| read(document, &library))
}

#[test]
fn every_quiz_passes_the_linter() {
    let mut lines = Vec::new();
    for (id, quiz) in quizzes() {
        lines.extend(lint_quiz(&quiz).iter().map(|one| format!("{id}: {one}")));
    }
    assert!(lines.is_empty(), "{}", lines.join("\n"));
}

#[test]
fn every_tree_passes_the_linter() {
    let mut lines = Vec::new();
    for (id, tree) in trees() {
        lines.extend(lint_tree(&tree).iter().map(|one| format!("{id}: {one}")));
    }
    assert!(lines.is_empty(), "{}", lines.join("\n"));
}

#[test]
fn ids_are_those_of_no_exhibit_and_fit_links() {
    let exhibits = of_course("exhibits");
    for (id, _) in of_course("quizzes").into_iter().chain(of_course("trees")) {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(id.chars().all(plain), "{id}: use small letters, digits and hyphens");
        assert!(!exhibits.iter().any(|(name, _)| *name == id), "{id} is an exhibit too");
    }
}

#[test]
fn every_number_that_is_asked_for_has_a_run_or_a_formula_behind_it() {
    for (id, quiz) in quizzes() {
        for question in &quiz.questions {
            if matches!(question.asks, Asks::Number { .. }) {
                let place = format!("{id}, {}", question.id);
                assert!(question.run.is_some() || question.why.is_some(), "{place}");
            }
        }
    }
}
