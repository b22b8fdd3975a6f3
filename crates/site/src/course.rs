//! The course: the modules in their order, and the papers beside them.

use crate::markdown::Paper;
use crate::source::Source;

const CONTENT: &str = "crates/course/content";

/// Everything there is to read.
#[derive(Clone, Debug)]
pub struct Course {
    /// The modules, the first first.
    pub modules: Vec<Module>,
    /// Papers that belong to no module, by the folder of their page.
    pub papers: Vec<(&'static str, Paper)>,
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

/// The papers outside the modules.
const PAPERS: [&str; 2] = ["glossary", "numbers"];

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
        for name in PAPERS {
            papers.push((name, paper(&format!("{CONTENT}/{name}.md"))?));
        }
        Ok(Course { modules, papers })
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
