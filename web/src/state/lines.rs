//! The transcript near the playhead, in words.

use player::MessageState;
use sim::SimTime;
use world::{TraceEvent, What};

use super::Session;
use super::transcript::{Entry, about, breaks, window};
use crate::components::Glyph;
use crate::words::{Words, seconds, sentence};

/// A line of the transcript.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its event's position in the trace; none for a fold.
    pub index: Option<usize>,
    /// When.
    pub at: SimTime,
    /// The sign beside it.
    pub mark: Option<Glyph>,
    /// What it says, with its marks.
    pub text: String,
    /// Whether it broke something.
    pub fault: bool,
}

/// The lines around the playhead.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines {
    /// Those that have happened, then those that will.
    pub lines: Vec<Line>,
    /// How many of them have happened.
    pub past: usize,
    /// There are earlier ones.
    pub earlier: bool,
    /// There are later ones.
    pub later: bool,
}

/// At most `before` lines that have happened and `after` that will.
#[must_use]
pub fn lines(session: &Session, words: &Words, before: usize, after: usize) -> Lines {
    let trace = session.player.trace();
    let shown = window(trace, session.cursor(), session.filter, before, after);
    let past = shown.past.len();
    let entries = shown.past.iter().chain(&shown.future);
    Lines {
        lines: entries.map(|entry| line(session, words, trace, entry)).collect(),
        past,
        earlier: shown.earlier,
        later: shown.later,
    }
}

fn line(session: &Session, words: &Words, trace: &[TraceEvent], entry: &Entry) -> Line {
    match *entry {
        Entry::Line(index) => {
            let event = &trace[index];
            let glyph =
                |message| Some(Glyph { state: after(&event.what)?, key: session.key_of(message) });
            Line {
                index: Some(index),
                at: event.at,
                mark: about(&event.what).and_then(glyph),
                text: sentence(&session.names, trace, index).say(words),
                fault: breaks(&event.what),
            }
        }
        Entry::Fold { message, receives, long } => {
            let n = words.number(u64::from(message.number()));
            let names = [("message", n.as_str()), ("long", &seconds(long))];
            Line {
                index: None,
                at: SimTime::ZERO,
                mark: None,
                text: words.count("transcript.fold", u64::from(receives), &names),
                fault: false,
            }
        }
    }
}

/// What the playhead's last event says, for the live region.
#[must_use]
pub fn last_said(session: &Session, words: &Words) -> Option<String> {
    let trace = session.player.trace();
    let last = trace[..session.cursor()].len().checked_sub(1)?;
    Some(sentence(&session.names, trace, last).say(words))
}

/// The state that an event leaves its message in.
fn after(what: &What) -> Option<MessageState> {
    Some(match what {
        What::Requested { .. } | What::Published { .. } | What::PublishRefused { .. } => {
            MessageState::Published
        }
        What::Received { .. }
        | What::StepStarted { .. }
        | What::StepEnded { .. }
        | What::Extended { .. }
        | What::AckLost { .. }
        | What::Crashed { .. } => MessageState::InFlight,
        What::Acked { .. } | What::Forgotten { .. } => MessageState::Acked,
        What::Nacked { .. } | What::Lapsed { .. } | What::Requeued { .. } => {
            MessageState::Redelivered
        }
        What::DeadLettered { .. } => MessageState::DeadLettered,
        What::Expired { .. } | What::Dropped { .. } => MessageState::Expired,
        What::Stored { .. }
        | What::Confirmed { .. }
        | What::ConfirmLost { .. }
        | What::Responded { .. }
        | What::Available { .. }
        | What::Effected { .. } => MessageState::Available,
        _ => return None,
    })
}
