//! Cards: a section of a paper as an opening and a row of parts, each with a heading of its own.

use crate::markdown::{Heading, Piece, stretches};

/// A section, taken apart.
pub struct Section<'a> {
    /// Its heading; what stands before the first section has none.
    pub head: Option<&'a Heading>,
    /// What is said before the first card.
    pub opening: &'a [Piece],
    /// The cards.
    pub cards: Vec<Card<'a>>,
}

/// A part of a section.
pub struct Card<'a> {
    /// Its heading.
    pub head: &'a Heading,
    /// What it says.
    pub pieces: &'a [Piece],
}

impl Card<'_> {
    /// What it says, as HTML. Exhibits have pages of their own and do not stand in cards.
    pub fn html(&self) -> String {
        let said = |piece: &Piece| match piece {
            Piece::Prose(html) => html.clone(),
            Piece::Heading(_) | Piece::Exhibit(_) => String::new(),
        };
        self.pieces.iter().map(said).collect()
    }
}

/// The sections of a paper, each with its cards.
pub fn sections(pieces: &[Piece]) -> Vec<Section<'_>> {
    stretches(pieces, 2).into_iter().map(section).collect()
}

fn section(pieces: &[Piece]) -> Section<'_> {
    let (head, rest) = headed(pieces);
    let mut parts = stretches(rest, 3);
    let opening = match parts.first() {
        Some(first) if headed(first).0.is_none() => parts.remove(0),
        _ => &[],
    };
    let card = |part| match headed(part) {
        (Some(head), pieces) => Some(Card { head, pieces }),
        (None, _) => None,
    };
    Section { head, opening, cards: parts.into_iter().filter_map(card).collect() }
}

/// A stretch as its heading and the rest.
fn headed(pieces: &[Piece]) -> (Option<&Heading>, &[Piece]) {
    match pieces.split_first() {
        Some((Piece::Heading(head), rest)) => (Some(head), rest),
        _ => (None, pieces),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::Paper;

    #[test]
    fn a_section_is_an_opening_and_cards() {
        let text = "---\ntitle: T\nlead: L.\n---\na\n\n## S\n\nb\n\n### C\n\nc\n\n## E\n";
        let paper = Paper::read("crates/course/content/x.md", text).expect("a paper");
        let sections = sections(&paper.pieces);
        let heads: Vec<_> = sections.iter().map(|s| s.head.map(|h| h.title.as_str())).collect();
        assert_eq!(heads, [None, Some("S"), Some("E")]);
        assert_eq!(sections[0].opening, [Piece::Prose("<p>a</p>\n".into())]);
        assert_eq!(sections[1].opening, [Piece::Prose("<p>b</p>\n".into())]);
        assert_eq!(sections[1].cards[0].head.title, "C");
        assert_eq!(sections[1].cards[0].html(), "<p>c</p>\n");
        assert!(sections[2].cards.is_empty());
    }
}
