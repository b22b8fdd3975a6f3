//! How hard the pages of the course are to read.

use course::Reading;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use scenario::wire::Value;

/// How hard a paper is to read: its paragraphs and items, without headings, tables and what a
/// program prints. `None` if it says nothing.
#[must_use]
pub fn of_paper(text: &str) -> Option<Reading> {
    let body = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    let body = body.map_or(text, |(_, body)| body);
    let options = Options::ENABLE_TABLES | Options::ENABLE_DEFINITION_LIST;
    let (mut said, mut silent) = (String::new(), 0);
    for event in Parser::new_ext(body, options) {
        match event {
            Event::Start(Tag::Heading { .. } | Tag::Table(_) | Tag::CodeBlock(_)) => silent += 1,
            Event::End(TagEnd::Heading(_) | TagEnd::Table | TagEnd::CodeBlock) => silent -= 1,
            Event::Text(text) | Event::Code(text) if silent == 0 => said.push_str(&text),
            Event::SoftBreak => said.push(' '),
            Event::End(
                TagEnd::Paragraph
                | TagEnd::Item
                | TagEnd::DefinitionListTitle
                | TagEnd::DefinitionListDefinition,
            ) => said.push('\n'),
            _ => {}
        }
    }
    Reading::of(&said)
}

/// The fields of a unit's file that hold sentences, or lists of them.
const SENTENCES: [&str; 17] = [
    "lesson", "summary", "model", "say", "do", "see", "review", "note", "ask", "hints", "why",
    "points", "keeps", "help", "because", "advise", "says",
];

/// How hard a unit is to read: every text in its file that is a sentence or more.
#[must_use]
pub fn of_unit(document: &Value) -> Option<Reading> {
    let mut said = String::new();
    gather(document, "", &mut said);
    Reading::of(&said)
}

fn gather(value: &Value, field: &str, said: &mut String) {
    match value {
        Value::Text(text) if SENTENCES.contains(&field) => {
            said.push_str(text);
            said.push('\n');
        }
        Value::List(entries) => entries.iter().for_each(|entry| gather(entry, field, said)),
        Value::Record(fields) => fields.iter().for_each(|(name, value)| gather(value, name, said)),
        _ => {}
    }
}

/// A line for a report.
#[must_use]
pub fn line(reading: Reading) -> String {
    format!("reads at grade {:.1}, {} words", reading.grade, reading.words)
}
