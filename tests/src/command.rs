//! What the programs behind `cargo xtask` share that take a scenario's file.

use std::process::ExitCode;

/// What every one of them may be asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The file.
    pub file: String,
    /// Another seed than the file's.
    pub seed: Option<String>,
    /// In which shape the answer is wanted.
    pub shape: Shape,
}

/// In which shape an answer is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// For a person.
    #[default]
    Text,
    /// For a program.
    Json,
}

impl Asked {
    /// Reads the command line. A word that is not known here is given to `more`, with the words after
    /// it, which says whether it took it.
    ///
    /// # Errors
    /// What is missing or not known, with the usage.
    pub fn read(
        usage: &str,
        mut more: impl FnMut(&str, &mut dyn Iterator<Item = String>) -> Result<bool, String>,
    ) -> Result<Asked, String> {
        let mut asked = Asked::default();
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            match word.as_str() {
                "--seed" => asked.seed = Some(words.next().ok_or("--seed needs a number")?),
                "--json" => asked.shape = Shape::Json,
                _ if more(&word, &mut words)? => {}
                _ if word.starts_with('-') => return Err(format!("{word} is not known; {usage}")),
                _ => asked.file = word,
            }
        }
        if asked.file.is_empty() { Err(usage.to_owned()) } else { Ok(asked) }
    }
}

/// Prints what came of it, and says so to whoever called.
#[must_use]
pub fn answer(text: Result<String, String>) -> ExitCode {
    match text {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(2)
        }
    }
}
