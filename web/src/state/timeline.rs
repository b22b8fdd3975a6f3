//! The timeline: a bar a message, lined up in time.
//!
//! Bars beside each other show what one life cannot: who waits behind whom, which clocks run out
//! together, how retries come in waves.

mod bar;
#[cfg(test)]
mod tests;

use broker::MessageId;
use player::{Life, MessageState};
use sim::{SimDuration, SimTime};

use super::Session;
use super::strip::{coarse, ticks};
use crate::words::Words;

pub use bar::{Bit, BitLook, Flag};

/// At most so many messages have a bar; the others are counted.
pub const ROWS: u32 = 120;

/// By so many messages the window moves, so that it stands still for most events.
const HOP: u32 = 40;

/// The bars, ready to be drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// The bars, in the order in which the messages were made.
    pub bars: Vec<Bar>,
    /// Where the scale begins and ends.
    pub span: (SimTime, SimTime),
    /// Round moments on it: how far along, in percent, and what they are called.
    pub ticks: Vec<(f64, String)>,
    /// The message that was made last at the playhead.
    pub newest: Option<MessageId>,
    /// The position of the first message that has a bar.
    pub first: u32,
    /// How many messages were made before those that have a bar.
    pub earlier: u32,
    /// How many were made after them.
    pub later: u32,
}

/// A message over the run, or what it was to one group of a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// The message.
    pub message: MessageId,
    /// Its key, from 0.
    pub key: u16,
    /// What it is at the playhead; nothing before it is made.
    pub state: Option<MessageState>,
    /// The group, where several read the log.
    pub group: String,
    /// The pieces of the bar, from the left.
    pub bits: Vec<Bit>,
    /// What happened on the way.
    pub flags: Vec<Flag>,
    /// The whole of it in words.
    pub said: String,
}

/// The timeline around the playhead, or from the message on that was asked for.
#[must_use]
#[inline(never)]
pub fn timeline(session: &mut Session, words: &Words) -> Timeline {
    let total = u32::try_from(session.player.head().messages().len()).unwrap_or(u32::MAX);
    let first = first(session, total);
    let last = total.min(first.saturating_add(ROWS));
    let (names, now) = (session.names.clone(), session.now);
    let lives = session.lives(first..last);
    let Some(span) = span(&lives) else { return Timeline::default() };
    let scale = bar::Scale { words, names: &names, span, now };
    let bars = lives.iter().flat_map(|life| {
        let key = session.key_of(life.message);
        scale.bars(life, key)
    });
    let bars: Vec<Bar> = bars.collect();
    Timeline {
        newest: bars.iter().rev().find(|bar| bar.state.is_some()).map(|bar| bar.message),
        bars,
        span,
        ticks: ticks(span).into_iter().map(|at| (share(at, span), coarse(at))).collect(),
        first,
        earlier: first,
        later: total - last,
    }
}

/// Which message has the first bar: of few, the first of all; else the playhead's newest stands at
/// two thirds.
fn first(session: &Session, total: u32) -> u32 {
    let most = total.saturating_sub(ROWS);
    if let Some(asked) = session.rows_from {
        return asked.min(most);
    }
    let messages = session.player.head().messages();
    let made_by_now = |position: u32| {
        let message = messages.get(MessageId::from_index(position));
        message.is_some_and(|message| message.created <= session.now)
    };
    let (mut made, mut not_made) = (0, total);
    while made < not_made {
        let middle = made + (not_made - made) / 2;
        if made_by_now(middle) { made = middle + 1 } else { not_made = middle }
    }
    (made.saturating_sub(ROWS * 2 / 3) / HOP * HOP).min(most)
}

/// From the first of them to the last that is settled, and a little more.
fn span(lives: &[Life]) -> Option<(SimTime, SimTime)> {
    let begun = lives.iter().filter_map(|life| life.stretches.first());
    let from = begun.map(|stretch| stretch.from).min()?;
    let to = lives.iter().filter_map(bar::over).max()?;
    let long = to.saturating_since(from).as_micros();
    // Where the run's start is near, it is the better edge.
    let from = if from.as_micros() * 10 < to.as_micros() { SimTime::ZERO } else { from };
    Some((from, to + SimDuration::from_micros((long / 40).max(100_000))))
}

/// How far along the scale a moment is, in percent.
#[must_use]
pub fn share(at: SimTime, span: (SimTime, SimTime)) -> f64 {
    let whole = span.1.saturating_since(span.0).as_secs_f64();
    let part = at.saturating_since(span.0).as_secs_f64();
    let share = if whole > 0.0 { (part / whole).min(1.0) } else { 0.0 };
    (share * 10_000.0).round() / 100.0
}
