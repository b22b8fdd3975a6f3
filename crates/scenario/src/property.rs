//! What must hold in every run.

use sim::{SimDuration, SimTime};

use crate::limits;
use crate::wire::{Reader, format_duration, format_time, parse_duration};

/// A promise that a run keeps or breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// A message that was stored is acked after its work was done, or is still in a queue or in
    /// somebody's hands, or was moved aside.
    NoMessageLost,
    /// No call of a handler has its effect more than once for one message.
    NoEffectTwice,
    /// Messages with the same key have their first effects in the order in which they were sent,
    /// as far as the same queue or group is concerned.
    OrderByKey,
    /// Nobody is told of a failure of something that was stored all the same.
    NoPhantom,
    /// What a service's handler has published it has also saved, by the end of the handler.
    NoEventWithoutChange,
    /// What a service's handler has saved it has also published, by the end of the handler.
    NoChangeWithoutEvent,
    /// Every saga that is over is done in full, or made up for in full, at its participants.
    SagaCoherent,
    /// No worker begins a run of a scheduler while another is at work on one.
    OneRunner,
    /// Queues that somebody takes from are empty at this time, with nothing in hand.
    DrainedBy(SimTime),
    /// No message is on offer in a queue that somebody takes from for longer than this.
    OldestUnder(SimDuration),
    /// Attempts beyond the first are at most so many hundredths of the first ones, over the run.
    RetriesUnder(u32),
}

/// The promises that hold nothing but their name.
const PLAIN: [(&str, Property); 8] = [
    ("no message lost", Property::NoMessageLost),
    ("no effect twice", Property::NoEffectTwice),
    ("order by key", Property::OrderByKey),
    ("no phantom", Property::NoPhantom),
    ("no event without its change", Property::NoEventWithoutChange),
    ("no change without its event", Property::NoChangeWithoutEvent),
    ("saga coherent", Property::SagaCoherent),
    ("one runner", Property::OneRunner),
];

/// How promises that hold a number begin, and one of each.
const DRAINED: &str = "drained by ";
const OLDEST: &str = "oldest message under ";
const RETRIES: &str = "retries under ";

impl Property {
    /// Reads a promise in words: “no message lost”, “oldest message under 60s”.
    #[must_use]
    pub fn read(reader: &Reader<'_>) -> Option<Self> {
        let text = reader.text(limits::LABEL)?;
        if let Some((_, property)) = PLAIN.iter().find(|(words, _)| *words == text) {
            return Some(*property);
        }
        let zero = SimTime::ZERO;
        let read = if let Some(time) = text.strip_prefix(DRAINED) {
            parse_duration(time).ok().map(|after| Self::DrainedBy(zero + after))
        } else if let Some(age) = text.strip_prefix(OLDEST) {
            parse_duration(age).ok().map(Self::OldestUnder)
        } else if let Some(share) = text.strip_prefix(RETRIES) {
            share.strip_suffix('%').and_then(|p| p.parse().ok()).map(Self::RetriesUnder)
        } else {
            None
        };
        if read.is_none() {
            let mut known: Vec<&str> = PLAIN.iter().map(|(words, _)| *words).collect();
            known.extend(["drained by 90s", "oldest message under 60s", "retries under 10%"]);
            reader.unknown("one of the choices", text, &known);
        }
        read
    }

    /// Its words on the wire.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::DrainedBy(at) => [DRAINED, &format_time(at)].concat(),
            Self::OldestUnder(age) => [OLDEST, &format_duration(age)].concat(),
            Self::RetriesUnder(percent) => [RETRIES, &percent.to_string(), "%"].concat(),
            plain => {
                let found = PLAIN.iter().find(|(_, property)| *property == plain);
                found.map(|(words, _)| (*words).to_owned()).unwrap_or_default()
            }
        }
    }
}
