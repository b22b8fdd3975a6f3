//! Texts that name the cast of an event: `{worker} takes {message}` becomes “Worker 1 takes 5”.
//!
//! | in braces | stands for |
//! | --- | --- |
//! | `message` | the message's number, from 1 |
//! | `worker` | the label of the group and the number of the process |
//! | `queue`, `to`, `external`, `service`, `source` | the label of the component in that part |
//! | `count` | the receive count |
//! | `nth` | which effect it is for the message |
//!
//! A value at the beginning of a sentence gets a capital letter.

use scenario::limits::Limit;
use scenario::wire::Reader;
use scenario::{ComponentId, Kind, Scenario};
use world::{TraceEvent, WorkerId};

use crate::Cast;

const WORDS: [&str; 9] =
    ["message", "worker", "queue", "to", "external", "service", "source", "count", "nth"];

/// A text with the cast of an event in it. A word that the event has nobody for stays as it is,
/// in its braces; the linter reports it.
#[must_use]
pub fn narrate(text: &str, event: &TraceEvent, scenario: &Scenario) -> String {
    let cast = Cast::of(&event.what);
    fill(text, |word| value(word, &cast, scenario))
}

/// Fills the braces of a text with what `value` gives for each word.
pub(crate) fn fill(text: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, word, after)) = next_word(rest) {
        filled.push_str(before);
        let begins = filled.is_empty() || filled.ends_with(". ");
        match value(word) {
            Some(value) if begins => filled.push_str(&capitalized(&value)),
            Some(value) => filled.push_str(&value),
            None => {
                filled.push('{');
                filled.push_str(word);
                filled.push('}');
            }
        }
        rest = after;
    }
    filled + rest
}

/// The words in braces of a text.
pub(crate) fn words(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some((_, word, after)) = next_word(rest) {
        all.push(word);
        rest = after;
    }
    all
}

/// The label and number of a worker process.
#[must_use]
pub fn worker_label(worker: WorkerId, scenario: &Scenario) -> String {
    let component = scenario.component(worker.component);
    match &component.kind {
        Kind::Workers(workers) if workers.count == 1 => component.label.clone(),
        _ => format!("{} {}", component.label, worker.instance + 1),
    }
}

fn value(word: &str, cast: &Cast, scenario: &Scenario) -> Option<String> {
    let label = |id: Option<ComponentId>| id.map(|id| scenario.component(id).label.clone());
    match word {
        "message" => cast.message.map(|message| message.number().to_string()),
        "worker" => cast.worker.map(|worker| worker_label(worker, scenario)),
        "queue" => label(cast.queue),
        "to" => label(cast.to),
        "external" => label(cast.external),
        "service" => label(cast.service),
        "source" => label(cast.source),
        "count" => cast.count.map(|count| count.to_string()),
        "nth" => cast.nth.map(|nth| nth.to_string()),
        _ => None,
    }
}

/// What stands before the next braces, in them and after them.
fn next_word(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('{')?;
    let (word, after) = rest.split_once('}')?;
    Some((before, word, after))
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    // Beyond ASCII the tables of case alone weigh nine kilobytes.
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Reads a text whose braces hold known words only.
pub(crate) fn read(reader: &Reader<'_>, limit: Limit) -> Option<String> {
    let text = reader.text(limit)?;
    let mut good = true;
    for word in words(text) {
        if !WORDS.contains(&word) {
            reader.unknown("a word that can stand in braces", word, &WORDS);
            good = false;
        }
    }
    good.then(|| text.to_owned())
}
