//! Sentences with values in them: `The alarm stands at {alarm}.`

use scenario::limits::Limit;
use scenario::wire::Reader;

/// A sentence with values in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Template {
    /// Its parts, in order.
    pub pieces: Vec<Piece>,
}

/// A part of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Words.
    Words(String),
    /// The input or value at this place, as it is shown.
    Shown(usize),
}

impl Template {
    /// Reads a sentence whose names are these.
    pub(super) fn read(reader: &Reader<'_>, limit: Limit, names: &[&str]) -> Option<Template> {
        let text = reader.text(limit)?;
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            let Some(length) = rest[open..].find('}') else {
                reader.error("a brace is not closed", "write } after the name");
                return None;
            };
            let name = &rest[open + 1..open + length];
            let Some(place) = names.iter().position(|other| *other == name) else {
                reader.unknown("the name of an input or a value", name, names);
                return None;
            };
            if open > 0 {
                pieces.push(Piece::Words(rest[..open].to_owned()));
            }
            pieces.push(Piece::Shown(place));
            rest = &rest[open + length + 1..];
        }
        if !rest.is_empty() {
            pieces.push(Piece::Words(rest.to_owned()));
        }
        Some(Template { pieces })
    }

    /// The sentence, with what `shown` gives for each place.
    #[must_use]
    pub fn fill(&self, shown: impl Fn(usize) -> String) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Words(words) => text.push_str(words),
                Piece::Shown(place) => text.push_str(&shown(*place)),
            }
        }
        text
    }
}
