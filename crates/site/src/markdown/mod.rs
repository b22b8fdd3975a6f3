//! Papers: the course in Markdown, read once into pieces of HTML with exhibits between them.
//!
//! A paper has a [`Front`], sections (`##`), links to other files of the project, sources as
//! footnotes, and exhibits, each as a paragraph `<in-flight exhibit="id"></in-flight>`. Comments
//! (`<!-- F-… -->`) name the facts that a passage holds up and are not shown. Any other markup is
//! refused, and so is what leads nowhere, with file and line.

mod address;
mod front;
mod render;
mod sources;

pub use front::Front;

/// A paper, read.
#[derive(Clone, Debug)]
pub struct Paper {
    /// Its file, from the root of the project.
    pub path: String,
    /// Its head.
    pub front: Front,
    /// Its body, from top to bottom.
    pub pieces: Vec<Piece>,
    /// Its sections, in order.
    pub sections: Vec<Section>,
    /// What it cites, as HTML, in the order of the first mention.
    pub sources: Vec<String>,
}

/// A stretch of a paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Prose, as HTML.
    Prose(String),
    /// An exhibit.
    Exhibit(Embed),
}

/// An exhibit in a paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embed {
    /// The exhibit's id.
    pub id: String,
    /// The line of the paper that names it.
    pub line: usize,
}

/// A section of a paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its anchor.
    pub id: String,
    /// Its title, as text.
    pub title: String,
}

impl Paper {
    /// Reads the paper at `path`, whose text is `text`; links are written for a page one folder
    /// below the root of the site.
    ///
    /// # Errors
    /// Names the file, the line and what to write there instead.
    pub fn read(path: &str, text: &str) -> Result<Paper, String> {
        let named = |error: String| format!("{path}:{error}");
        let (front, body) = Front::read(text).map_err(named)?;
        sources::check(text, body).map_err(named)?;
        let rendered = render::body(path, text, body).map_err(named)?;
        let render::Rendered { pieces, sections, sources } = rendered;
        Ok(Paper { path: path.to_owned(), front, pieces, sections, sources })
    }

    /// Checks that every exhibit it shows is among `known`, and shown once.
    ///
    /// # Errors
    /// Names the place and the exhibits that there are.
    pub fn check_exhibits(&self, known: &[&str]) -> Result<(), String> {
        let mut shown: Vec<&str> = Vec::new();
        for embed in self.pieces.iter().filter_map(Piece::embed) {
            if shown.contains(&embed.id.as_str()) {
                let Embed { id, line } = embed;
                return Err(format!("{}:{line}: `{id}` is shown above already", self.path));
            }
            shown.push(&embed.id);
            if !known.contains(&embed.id.as_str()) {
                return Err(format!(
                    "{}:{}: there is no exhibit `{}`; there are: {}",
                    self.path,
                    embed.line,
                    embed.id,
                    known.join(", ")
                ));
            }
        }
        Ok(())
    }
}

impl Piece {
    fn embed(&self) -> Option<&Embed> {
        match self {
            Piece::Exhibit(embed) => Some(embed),
            Piece::Prose(_) => None,
        }
    }
}

/// An anchor made of a title: small letters, digits, hyphens.
#[must_use]
pub fn slug(title: &str) -> String {
    let words = title.to_lowercase().replace(['’', '\''], "");
    let words = words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// The line, from 1, on which byte `at` of `text` stands.
fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

#[cfg(test)]
mod tests;
