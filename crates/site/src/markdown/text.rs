//! The text of a paper without its markup: what a search finds and what a reader needs time for.

use pulldown_cmark::{Event, TagEnd};

/// A section of a paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its anchor.
    pub id: String,
    /// Its title, as text.
    pub title: String,
    /// What it says, as text, without its title and without its parts.
    pub text: String,
    /// Whether it defines terms.
    pub defines: bool,
}

/// A term that a paper defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its anchor.
    pub id: String,
    /// The word.
    pub word: String,
    /// What it means, as text.
    pub text: String,
}

/// Listens to the events of a paper and keeps what they say.
#[derive(Debug, Default)]
pub struct Teller {
    sections: Vec<Section>,
    parts: Vec<Section>,
    /// Whether what is said now belongs to the last part, and not to the last section.
    in_part: bool,
    terms: Vec<Term>,
    /// Whether what is said now belongs to the last term, too.
    in_term: InTerm,
}

/// Where in a list of terms the teller is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum InTerm {
    #[default]
    No,
    Word,
    Meaning,
}

impl Teller {
    /// A section begins, or a part of one.
    pub fn heading(&mut self, level: u8, id: &str, title: &str) {
        self.in_term = InTerm::No;
        self.in_part = level > 2;
        let (id, title) = (id.to_owned(), title.to_owned());
        let list = if self.in_part { &mut self.parts } else { &mut self.sections };
        list.push(Section { id, title, text: String::new(), defines: false });
    }

    /// A term begins.
    pub fn term(&mut self, id: &str, word: &str) {
        let (id, word) = (id.to_owned(), word.to_owned());
        self.terms.push(Term { id, word, text: String::new() });
        self.in_term = InTerm::Word;
        if let Some(section) = self.sections.last_mut() {
            section.defines = true;
        }
    }

    /// Something is said, or a stretch ends.
    pub fn hear(&mut self, event: &Event) {
        match event {
            Event::Text(text) | Event::Code(text) => self.say(text),
            Event::End(TagEnd::DefinitionListDefinition) => {
                self.say(" ");
                self.in_term = InTerm::No;
            }
            // The word of a term ends in markup of ours, before its meaning begins.
            Event::Start(pulldown_cmark::Tag::DefinitionListDefinition) => {
                self.in_term = InTerm::Meaning;
                self.say(" ");
            }
            Event::SoftBreak
            | Event::HardBreak
            | Event::End(
                TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell | TagEnd::CodeBlock,
            ) => self.say(" "),
            _ => {}
        }
    }

    /// The title of the section under way.
    pub fn section(&self) -> &str {
        self.sections.last().map_or("", |section| &section.title)
    }

    /// Everything that was said, with one blank between words: sections, their parts, terms.
    pub fn told(self) -> (Vec<Section>, Vec<Section>, Vec<Term>) {
        let plain = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let all = |sections: Vec<Section>| -> Vec<Section> {
            let sections = sections.into_iter();
            sections.map(|section| Section { text: plain(section.text), ..section }).collect()
        };
        let terms = self.terms.into_iter().map(|term| Term { text: plain(term.text), ..term });
        (all(self.sections), all(self.parts), terms.collect())
    }

    fn say(&mut self, text: &str) {
        let list = if self.in_part { &mut self.parts } else { &mut self.sections };
        if let Some(section) = list.last_mut() {
            section.text.push_str(text);
        }
        if self.in_term == InTerm::Meaning
            && let Some(term) = self.terms.last_mut()
        {
            term.text.push_str(text);
        }
    }
}
