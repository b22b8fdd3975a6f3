//! How hard the course is to read: no page and no unit asks for more than it should.

use std::fs;
use std::path::{Path, PathBuf};

use course::Reading;
use tests::documents::of_course;
use tests::reading::{line, of_paper, of_unit};

/// The most years of school that a page may ask for.
const PAGE: f64 = 8.0;

/// The same for a unit, whose sentences are short.
const UNIT: f64 = 6.0;

/// So many words are too few to say how hard they are.
const FEW: usize = 60;

/// The papers of a folder of the course.
fn papers(folder: &str) -> Vec<PathBuf> {
    let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/course/content");
    let entries = fs::read_dir(content.join(folder)).expect("a folder");
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    let mut all: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    all.sort();
    all
}

/// What is harder than it may be, and how many were looked at.
fn too_hard(all: impl Iterator<Item = (String, Option<Reading>)>, most: f64) -> usize {
    let (mut hard, mut count) = (Vec::new(), 0);
    for (name, reading) in all {
        let reading = reading.unwrap_or_else(|| panic!("{name} says nothing"));
        count += 1;
        if reading.words >= FEW && reading.grade > most {
            hard.push(format!("{name} {}", line(reading)));
        }
    }
    assert!(hard.is_empty(), "harder than grade {most}:\n{}", hard.join("\n"));
    count
}

#[test]
fn every_page_can_be_read() {
    let paths = [papers("modules"), papers(""), papers("authors")].concat();
    let pages = paths.iter().map(|path| {
        let text = fs::read_to_string(path).expect("a readable file");
        (path.display().to_string(), of_paper(&text))
    });
    assert!(too_hard(pages, PAGE) >= 15, "pages are missing");
}

#[test]
fn every_unit_can_be_read() {
    for folder in ["exhibits", "quizzes", "trees", "sheets"] {
        let units = of_course(folder);
        let read = units.iter().map(|(id, document)| (format!("{folder}/{id}"), of_unit(document)));
        assert!(too_hard(read, UNIT) > 5, "{folder}");
    }
}

#[test]
fn headings_tables_and_programs_are_not_sentences() {
    let easy = "---\ntitle: T\n---\n# Considerations\n\nIt is so.\n\n| notwithstanding |\n|---|\n                | considerations |\n\n```sh\nnotwithstanding considerations\n```\n";
    let reading = of_paper(easy).expect("a sentence");
    assert_eq!((reading.words, reading.sentences), (3, 1));
}
