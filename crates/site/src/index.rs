//! The index of the search: every section, term, exhibit and rule with its text. It is fetched by the
//! page of the search and by nothing else.

use ::course::Family;
use serde::Serialize;

use crate::course::Course;
use crate::exhibit::Exhibit;
use crate::markdown::Paper;
use crate::sheet::Worksheet;
use crate::still::Still;
use crate::study::{Study, What};

/// The kinds of things that are found: their names' keys, how much the kind says for a thing, and
/// how much a word says in its title. Who asks for a word wants to know what it means, and then to
/// see it run; a rule has no title but itself.
pub const KINDS: [(&str, u8, u8); 6] = [
    ("term", 8, 12),
    ("exhibit", 5, 12),
    ("page", 4, 12),
    ("section", 3, 12),
    ("quiz", 1, 6),
    ("rule", 0, 2),
];

/// Something that can be found: its kind, its title, the page it is on, its address from the root,
/// and its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry(pub usize, pub String, pub String, pub String, pub String);

/// Everything that can be found.
#[must_use]
pub fn of(
    course: &Course,
    exhibits: &[(Exhibit, Still)],
    studies: &[Study],
    sheets: &[Worksheet],
    families: &[Family],
) -> Vec<Entry> {
    let mut all = Vec::new();
    for module in &course.modules {
        add_paper(&mut all, &module.id, &module.paper, &[&module.paper.front.question]);
    }
    for (kind, paper) in &course.papers {
        add_paper(&mut all, kind.name, paper, &[]);
    }
    all.extend(exhibits.iter().map(|(exhibit, _)| of_exhibit(exhibit)));
    all.extend(studies.iter().map(of_study));
    all.extend(sheets.iter().map(|worksheet| {
        let sheet = &worksheet.sheet;
        let address = format!("exhibits/{}/", worksheet.id);
        entry("exhibit", &sheet.title, "", address, &format!("{} {}", sheet.lesson, sheet.summary))
    }));
    for family in families {
        all.extend(family.rules.iter().map(|rule| {
            let address = format!("fidelity/#{}", rule.id);
            entry("rule", &rule.rule, &family.title, address, &rule.source)
        }));
    }
    all
}

fn entry(kind: &str, title: &str, page: &str, address: String, text: &str) -> Entry {
    let kind = KINDS.iter().position(|(key, ..)| *key == kind).unwrap_or_default();
    Entry(kind, plain(title), page.to_owned(), address, plain(text))
}

/// The papers that are lists of terms; those of the first are found one by one.
const WORDS: [&str; 2] = ["glossary", "primer"];

fn add_paper(all: &mut Vec<Entry>, folder: &str, paper: &Paper, more: &[&str]) {
    let title = &paper.front.title;
    let said = [more, &[paper.front.lead.as_str()]].concat().join(" ");
    all.push(entry("page", title, "", format!("{folder}/"), &said));
    for section in &paper.sections {
        let address = format!("{folder}/#{}", section.id);
        // A section of terms is found by its terms, and one of parts alone by its parts.
        let by_terms = section.defines && WORDS.contains(&folder);
        if !by_terms && !section.text.is_empty() {
            all.push(entry("section", &section.title, title, address, &section.text));
        }
    }
    for part in &paper.parts {
        let address = format!("{folder}/#{}", part.id);
        all.push(entry("section", &part.title, title, address, &part.text));
    }
    // The primer says again, in a breath, what the glossary says.
    if folder == WORDS[0] {
        all.extend(paper.terms.iter().map(|term| {
            let address = format!("{folder}/#{}", term.id);
            entry("term", &term.word, "", address, &term.text)
        }));
    }
}

fn of_exhibit(exhibit: &Exhibit) -> Entry {
    let mut said = vec![exhibit.lesson.clone(), exhibit.summary.clone()];
    said.extend(exhibit.trials.iter().flat_map(|trial| [trial.act.clone(), trial.see.clone()]));
    said.extend(exhibit.model.iter().cloned());
    said.push(exhibit.review.clone());
    let address = format!("exhibits/{}/", exhibit.id);
    entry("exhibit", &exhibit.title, &exhibit.number, address, &said.join(" "))
}

/// A quiz or a tree is found by what it asks, and not by its answers.
fn of_study(study: &Study) -> Entry {
    let asked: Vec<&str> = match &study.what {
        What::Quiz(quiz) => quiz.questions.iter().map(|question| question.ask.as_str()).collect(),
        What::Tree(tree) => tree.forks.iter().map(|fork| fork.ask.as_str()).collect(),
    };
    let said = [&[study.lesson()], asked.as_slice()].concat().join(" ");
    entry("quiz", study.title(), "", format!("exhibits/{}/", study.id), &said)
}

/// A text without the marks of code and stress.
fn plain(text: &str) -> String {
    text.replace(['`', '*'], "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paper_is_found_by_its_sections_or_its_terms() {
        let text = "---\ntitle: T\nlead: L.\n---\n## A\n\nSaid.\n\n## B\n\nAck\n: Done.\n";
        let paper = Paper::read("crates/course/content/x.md", text).expect("a paper");
        let found = |folder: &str| {
            let mut all = Vec::new();
            add_paper(&mut all, folder, &paper, &["Q?"]);
            all.into_iter()
                .map(|Entry(_, title, _, address, text)| (title, address, text))
                .collect::<Vec<_>>()
        };
        let row = |title: &str, address: &str, text: &str| {
            (title.to_owned(), address.to_owned(), text.to_owned())
        };
        let page = row("T", "x/", "Q? L.");
        assert_eq!(found("x"), [page, row("A", "x/#a", "Said."), row("B", "x/#b", "Ack Done.")]);
        assert_eq!(found("primer").len(), 2);
        let term = row("Ack", "glossary/#ack", "Done.");
        assert_eq!(found("glossary").last(), Some(&term));
    }

    #[test]
    fn marks_are_no_part_of_a_text() {
        assert_eq!(entry("rule", "a `b` **c**", "", String::new(), "").1, "a b c");
    }
}
