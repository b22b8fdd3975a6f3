//! The story of an exhibit: what is said as things happen, bound to trace events and never to
//! seconds, so that it stays true when a learner changes the run.

use scenario::limits;
use scenario::wire::Reader;
use world::TraceEvent;

use crate::Pattern;
use crate::context::{Context, all, maybe};
use crate::narrate;

/// A moment of the story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beat {
    /// Its name, unique in the exhibit.
    pub id: String,
    /// The event that it is told at.
    pub when: Pattern,
    /// The position in the story of the beat that must have happened before.
    pub after: Option<usize>,
    /// Whether it belongs to the run as it comes.
    pub telling: Telling,
    /// What happens, in a few words; may name the cast of its event in braces
    /// ([`crate::narrate`]).
    pub title: String,
    /// What it means; may name the cast, too.
    pub say: String,
}

/// Whether a beat belongs to the run as it comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Telling {
    /// It happens in the run as it comes.
    Main,
    /// It is told when it happens, in runs that a learner makes.
    Aside,
}

/// The beats in the order in which they are meant to be told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Story(pub Vec<Beat>);

impl Story {
    /// The beats that happen in a trace, each with the position of its event, in trace order.
    #[must_use]
    pub fn beats(&self, trace: &[TraceEvent]) -> Vec<(usize, &Beat)> {
        let mut found: Vec<Option<usize>> = Vec::with_capacity(self.0.len());
        for beat in &self.0 {
            let from = match beat.after {
                None => Some(0),
                Some(earlier) => found.get(earlier).copied().flatten().map(|at| at + 1),
            };
            found.push(from.and_then(|from| beat.when.find(trace, from)));
        }
        let happened = found.into_iter().zip(&self.0);
        let mut told: Vec<_> = happened.filter_map(|(at, beat)| Some((at?, beat))).collect();
        sim::short::sort_by_key(&mut told, |(at, _)| *at);
        told
    }

    pub(crate) fn read(field: Option<Reader<'_>>, context: &Context<'_>) -> Option<Self> {
        let mut ids = Vec::new();
        all(field, limits::BEATS, |reader| {
            let beat = read_beat(reader, context, &ids);
            let id = reader.value().get("id").and_then(|id| id.as_text()).unwrap_or_default();
            ids.push(id.to_owned());
            beat
        })
        .map(Self)
    }
}

/// Reads a beat; `earlier` holds the ids of those before it.
fn read_beat(reader: &Reader<'_>, context: &Context<'_>, earlier: &[String]) -> Option<Beat> {
    let mut record = reader.record()?;
    let id = record.required("id").and_then(|r| new_id(&r, earlier));
    let when = record.required("when").and_then(|r| Pattern::read(&r, context));
    let title = record.required("title").and_then(|r| narrate::read(&r, limits::LABEL));
    let say = record.required("say").and_then(|r| narrate::read(&r, limits::PARAGRAPH));
    let telling = maybe(record.optional("aside"), Reader::flag).map(|aside| match aside {
        Some(true) => Telling::Aside,
        _ => Telling::Main,
    });
    record.finish();
    let (when, after) = when?;
    let after = match after {
        None => None,
        Some(after) => {
            let name = after.name()?;
            let found = earlier.iter().position(|id| id == name);
            if found.is_none() {
                let known: Vec<&str> = earlier.iter().map(String::as_str).collect();
                after.unknown("the id of an earlier beat", name, &known);
            }
            Some(found?)
        }
    };
    Some(Beat { id: id?, when, after, telling: telling?, title: title?, say: say? })
}

/// Reads an id that none of its neighbours has.
pub(crate) fn new_id(reader: &Reader<'_>, taken: &[String]) -> Option<String> {
    let id = reader.name()?;
    if taken.iter().any(|other| other == id) {
        reader.error(format!("the id “{id}” is taken"), "give each entry an id of its own");
        return None;
    }
    Some(id.to_owned())
}
