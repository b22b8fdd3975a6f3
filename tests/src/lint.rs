//! Linting files of one's own: exhibits, quizzes, decision trees and scenarios; and pages, as to how
//! hard they are to read.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use course::Exhibit;
use course::quiz::{Quiz, lint_quiz};
use course::tree::{Tree, lint_tree};
use scenario::wire::{Diagnostic, Value};

use crate::{documents, reading};

/// What the linter has to say about a file.
#[derive(Debug, Default)]
pub struct Report {
    /// What is wrong with it, a line each: the file, the place and the repair.
    pub findings: Vec<String>,
    /// How hard it is to read, if it says anything.
    pub reading: Option<String>,
}

/// Lints the file at `path`. Runs of exhibits that a quiz or a tree names are looked for beside the
/// file and in the course. Of a page in Markdown it is said how hard it is to read.
///
/// # Errors
/// The file cannot be read, or is no JSON.
pub fn lint_file(path: &Path) -> Result<Report, String> {
    let name = path.display().to_string();
    let text = fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    let said = |reading| format!("{name}: {}", reading::line(reading));
    if path.extension().is_some_and(|end| end == "md") {
        let reading = reading::of_paper(&text).map(said);
        return Ok(Report { findings: Vec::new(), reading });
    }
    let document = documents::parse(&name, &text)?;
    let beside = path.parent().map(Path::to_owned).unwrap_or_default();
    let mut wrong = lint(&document, &beside);
    if !is_of_the_course(path) {
        wrong.retain(|wrong| !OF_THE_COURSE.contains(&wrong.path.as_str()));
    }
    let findings = wrong.iter().map(|wrong| format!("{name}: {wrong}")).collect();
    Ok(Report { findings, reading: reading::of_unit(&document).map(said) })
}

/// What is wrong with a document; other exhibits are looked for in `beside` and in the course.
#[must_use]
pub fn lint(document: &Value, beside: &Path) -> Vec<Diagnostic> {
    let folders = [beside.to_owned(), course_folder()];
    let library = |id: &str| find(id, &folders).map(Cow::Owned);
    match document.get("kind").and_then(Value::as_text) {
        Some("simulator") => {
            Exhibit::read(document).map_or_else(|wrong| wrong, |it| course::lint(&it))
        }
        Some("quiz") => {
            Quiz::read(document, &library).map_or_else(|wrong| wrong, |it| lint_quiz(&it))
        }
        Some("tree") => {
            Tree::read(document, &library).map_or_else(|wrong| wrong, |it| lint_tree(&it))
        }
        None if document.get("components").is_some() => {
            course::read_scenario(document).err().unwrap_or_default()
        }
        Some(other) => vec![kind(&format!("“{other}” is not a kind of file"))],
        None => vec![kind("the file does not say what it is")],
    }
}

/// Where the linter says what is asked of the course's own files, and of nobody else's.
const OF_THE_COURSE: [&str; 3] = ["/inventory", "/module", "/number"];

fn is_of_the_course(path: &Path) -> bool {
    let whole = |path: &Path| path.canonicalize().ok();
    let content = whole(&course_folder()).and_then(|folder| folder.parent().map(Path::to_owned));
    whole(path).zip(content).is_some_and(|(path, content)| path.starts_with(content))
}

fn kind(problem: &str) -> Diagnostic {
    Diagnostic::new("/kind", problem, "write “simulator”, “quiz” or “tree”")
}

fn course_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/course/content/exhibits")
}

/// The exhibit `id` in the first of the folders that has it.
fn find(id: &str, folders: &[PathBuf]) -> Option<Value> {
    let name = format!("{id}.json");
    let text = folders.iter().find_map(|folder| fs::read_to_string(folder.join(&name)).ok())?;
    documents::parse(&name, &text).ok()
}
