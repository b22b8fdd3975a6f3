//! The course: the modules in their order, and the papers beside them.

use crate::markdown::Paper;
use crate::source::Source;

const CONTENT: &str = "crates/course/content";

/// Everything there is to read.
#[derive(Clone, Debug)]
pub struct Course {
    /// The modules, the first first.
    pub modules: Vec<Module>,
    /// Papers that belong to no module, in the order in which they are listed.
    pub papers: Vec<(&'static Kind, Paper)>,
}

/// A module of the course.
#[derive(Clone, Debug)]
pub struct Module {
    /// Its id, which is the folder of its page: `m1`.
    pub id: String,
    /// Its number, from 1.
    pub number: usize,
    /// Its text.
    pub paper: Paper,
}

/// A paper outside the modules.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its file's name, which is the folder of its page.
    pub name: &'static str,
    /// How its page is laid out.
    pub form: Form,
}

/// How the page of a paper is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As it is written.
    Text,
    /// As columns of terms.
    Words,
    /// As cards in the sections of modules, of which one can be asked for alone.
    Patterns,
    /// As questions with their answers folded away.
    Questions,
    /// As things to tick, with room for notes.
    Checklist,
    /// For authors: as it is written, with the builder of snippets and the table of attributes.
    Embedding,
    /// For authors: as it is written.
    Manual,
}

/// The papers outside the modules.
static PAPERS: [Kind; 8] = [
    Kind { name: "primer", form: Form::Words },
    Kind { name: "glossary", form: Form::Text },
    Kind { name: "numbers", form: Form::Text },
    Kind { name: "anti-patterns", form: Form::Patterns },
    Kind { name: "interview", form: Form::Questions },
    Kind { name: "gate", form: Form::Checklist },
    Kind { name: "authors", form: Form::Embedding },
    Kind { name: "authors/format", form: Form::Manual },
];

impl Kind {
    /// Whether it is for those who write pages of their own, and not for those who learn.
    #[must_use]
    pub fn is_for_authors(&self) -> bool {
        matches!(self.form, Form::Embedding | Form::Manual)
    }
}

impl Course {
    /// Reads every paper; the exhibits they show must be among `exhibits`.
    ///
    /// # Errors
    /// Names the file and the line.
    pub fn read(source: &Source, exhibits: &[&str]) -> Result<Course, String> {
        let paper = |path: &str| {
            let paper = Paper::read(path, &source.text(path)?)?;
            paper.check_exhibits(exhibits).map(|()| paper)
        };
        let mut modules = Vec::new();
        for file in source.list(&format!("{CONTENT}/modules"), ".md")? {
            let paper = paper(&format!("{CONTENT}/modules/{file}"))?;
            modules.push(Module::of(&file, paper)?);
        }
        modules.sort_by_key(|module| module.number);
        let mut papers = Vec::new();
        for kind in &PAPERS {
            papers.push((kind, paper(&format!("{CONTENT}/{}.md", kind.name))?));
        }
        Ok(Course { modules, papers })
    }

    /// The papers that belong to no module and are for those who learn.
    pub fn beside(&self) -> impl Iterator<Item = &(&'static Kind, Paper)> {
        self.papers.iter().filter(|(kind, _)| !kind.is_for_authors())
    }

    /// The module with this title.
    #[must_use]
    pub fn module_called(&self, title: &str) -> Option<&Module> {
        self.modules.iter().find(|module| module.paper.front.title == title)
    }
}

impl Module {
    fn of(file: &str, paper: Paper) -> Result<Module, String> {
        let id = file.trim_end_matches(".md").to_owned();
        match paper.front.number {
            Some(number) if id == format!("m{number}") => Ok(Module { id, number, paper }),
            _ => Err(format!("{}:1: the number must be that of the file's name", paper.path)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_s_number_is_its_name() {
        let paper = |number: &str| {
            let text = format!("---\ntitle: T\nlead: L.\n{number}---\n");
            Paper::read("m3.md", &text).expect("a paper")
        };
        assert_eq!(Module::of("m3.md", paper("number: 3\n")).map(|m| m.number), Ok(3));
        assert!(Module::of("m3.md", paper("number: 4\n")).is_err());
        assert!(Module::of("m3.md", paper("")).is_err());
    }
}
