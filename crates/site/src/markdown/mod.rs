//! Papers: the course in Markdown, read once into pieces of HTML with exhibits between them.
//!
//! A paper has a [`Front`], sections (`##`), links to other files of the project, sources as
//! footnotes, and exhibits, each as a paragraph `<in-flight exhibit="id"></in-flight>`. Comments
//! (`<!-- F-… -->`) name the facts that a passage holds up and are not shown. Any other markup is
//! refused, and so is what leads nowhere, with file and line.
//!
//! Beside its markup a paper keeps its text, section by section and term by term, for the search
//! and for the time that reading takes.

mod address;
mod front;
mod render;
mod sources;
mod text;

pub use front::Front;
pub use text::{Section, Term};

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
    /// The parts of its sections, in order.
    pub parts: Vec<Section>,
    /// The terms it defines, in order.
    pub terms: Vec<Term>,
    /// What it cites, as HTML, in the order of the first mention.
    pub sources: Vec<String>,
}

/// A stretch of a paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A heading.
    Heading(Heading),
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

/// A heading in a paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// 2 for a section, 3 within one.
    pub level: u8,
    /// Its anchor.
    pub id: String,
    /// Its title, as text.
    pub title: String,
    /// The whole heading, as HTML.
    pub html: String,
}

impl Paper {
    /// Reads the paper at `path`, whose text is `text`; links are written for the page that
    /// is made of it.
    ///
    /// # Errors
    /// Names the file, the line and what to write there instead.
    pub fn read(path: &str, text: &str) -> Result<Paper, String> {
        let named = |error: String| format!("{path}:{error}");
        let (front, body) = Front::read(text).map_err(named)?;
        sources::check(text, body).map_err(named)?;
        let rendered = render::body(path, text, body).map_err(named)?;
        let render::Rendered { pieces, sections, parts, terms, sources } = rendered;
        Ok(Paper { path: path.to_owned(), front, pieces, sections, parts, terms, sources })
    }

    /// How many words there are to read.
    #[must_use]
    pub fn words(&self) -> usize {
        let sections = self.sections.iter().chain(&self.parts);
        sections.map(|section| section.text.split_whitespace().count()).sum()
    }

    /// The exhibits it shows, each once.
    #[must_use]
    pub fn exhibits(&self) -> Vec<&str> {
        let mut ids = Vec::new();
        for embed in self.pieces.iter().filter_map(Piece::embed) {
            if !ids.contains(&embed.id.as_str()) {
                ids.push(embed.id.as_str());
            }
        }
        ids
    }

    /// Checks that every exhibit it shows is among `known`, and stands there once.
    ///
    /// # Errors
    /// Names the place, and the exhibits that there are or where it stands already.
    pub fn check_exhibits(&self, known: &[&str]) -> Result<(), String> {
        let shown: Vec<&Embed> = self.pieces.iter().filter_map(Piece::embed).collect();
        for (at, Embed { id, line }) in shown.iter().enumerate() {
            let place = format!("{}:{line}", self.path);
            if !known.contains(&id.as_str()) {
                let all = known.join(", ");
                return Err(format!("{place}: there is no exhibit `{id}`; there are: {all}"));
            }
            if let Some(first) = shown[..at].iter().find(|first| first.id == *id) {
                let first = first.line;
                return Err(format!("{place}: `{id}` stands on line {first} already: keep one"));
            }
        }
        Ok(())
    }
}

impl Piece {
    fn embed(&self) -> Option<&Embed> {
        match self {
            Piece::Exhibit(embed) => Some(embed),
            Piece::Heading(_) | Piece::Prose(_) => None,
        }
    }
}

/// The pieces in stretches, each of which begins with a heading of `level` or one above it; what
/// stands before the first has none.
#[must_use]
pub fn stretches(pieces: &[Piece], level: u8) -> Vec<&[Piece]> {
    let opens = |piece: &Piece| matches!(piece, Piece::Heading(head) if head.level <= level);
    let mut starts: Vec<usize> =
        pieces.iter().enumerate().filter(|(_, piece)| opens(piece)).map(|(at, _)| at).collect();
    if starts.first() != Some(&0) && !pieces.is_empty() {
        starts.insert(0, 0);
    }
    let ends = starts.iter().skip(1).copied().chain([pieces.len()]);
    starts.iter().zip(ends).map(|(&start, end)| &pieces[start..end]).collect()
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
