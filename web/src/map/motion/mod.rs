//! What moves between two trace events, as plain data.
//!
//! A frame is true until the next event and holds the ends of what is under way. From it and the
//! plan follow all motions, each linear in virtual time and each the change of one attribute (or
//! text) of one element. A still picture evaluates them at the frame's own moment; a [`Painter`]
//! evaluates them again for every frame of animation. Nothing moves that is not in this list.
//!
//! [`Painter`]: super::painter::Painter

mod gather;

use std::rc::Rc;

use broker::MessageId;
use player::{TravelKind, fraction};
use scenario::ComponentId;
use sim::{SimDuration, SimTime};
use world::WorkerId;

use super::crowd::Crowd;
use super::layout::{Point, Track, num, put_point, translate};
use crate::token::ring_dash;
use crate::words::{Words, seconds};

pub use gather::{bar_width, edge_of, motions, standing, worker};

/// What an element of the map is, for whoever moves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A message on a line.
    Travel(MessageId, TravelKind, Option<WorkerId>),
    /// The ring of time left around a hidden message.
    Ring(MessageId),
    /// The words beside that ring.
    Left(MessageId),
    /// The copy in a worker's hands.
    Held(WorkerId),
    /// The part of a worker's rail that lies behind it.
    Behind(WorkerId),
    /// The bar of a worker's progress.
    Bar(WorkerId),
    /// The words beside that bar.
    Spent(WorkerId),
    /// What a worker's head says of the time until it goes on.
    Back(WorkerId),
    /// What a platform says of those that wait.
    Waiting(ComponentId),
    /// What an external service says of the time until it answers again.
    Outage(ComponentId),
}

impl Part {
    /// Its name in the drawing (`data-m`).
    #[must_use]
    pub fn name(self) -> String {
        let (letter, first, second) = match self {
            Self::Travel(message, kind, worker) => {
                let letter = match kind {
                    TravelKind::Request => "q",
                    TravelKind::Publish => "p",
                    TravelKind::Delivery => "d",
                    TravelKind::Call => "c",
                    TravelKind::Ack => "a",
                };
                let who = worker.map(|w| w.component.index() * 100_000 + usize::from(w.instance));
                (letter, message.index(), who)
            }
            Self::Ring(message) => ("r", message.index(), None),
            Self::Left(message) => ("l", message.index(), None),
            Self::Held(worker) => ("h", worker.component.index(), Some(worker.instance.into())),
            Self::Behind(worker) => ("b", worker.component.index(), Some(worker.instance.into())),
            Self::Bar(worker) => ("g", worker.component.index(), Some(worker.instance.into())),
            Self::Spent(worker) => ("s", worker.component.index(), Some(worker.instance.into())),
            Self::Back(worker) => ("k", worker.component.index(), Some(worker.instance.into())),
            Self::Waiting(queue) => ("w", queue.index(), None),
            Self::Outage(external) => ("o", external.index(), None),
        };
        let mut name = [letter, &first.to_string()].concat();
        if let Some(second) = second {
            name.push('-');
            name.push_str(&second.to_string());
        }
        name
    }
}

/// One thing that moves, and until when.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// When it began.
    pub from: SimTime,
    /// When it ends. It stays as it then is.
    pub until: SimTime,
    /// What changes.
    pub change: Change,
}

/// What a motion changes.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// The place, along a line.
    Along(Track),
    /// The place, along a line for the first half of the time and back for the second.
    ThereAndBack(Track),
    /// The place, between two points.
    Between(Point, Point),
    /// The share of a ring, which runs out.
    Ring,
    /// A width, which grows up to this many pixels.
    Width(f64),
    /// A line from the first point, whose end goes from the second to the third.
    Reach(Point, Point, Point),
    /// A text with a time in it.
    Text(Text),
}

/// A text with a time in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// What stands before the time.
    pub before: String,
    /// What stands after it.
    pub after: String,
    /// Which time.
    pub clock: Clock,
}

/// Which time a text tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Until the motion ends.
    Left,
    /// Since it began.
    Since,
    /// Since it began, without its unit where the whole has the same.
    SinceOf(SimDuration),
}

impl Change {
    /// The attribute it changes; `None` for the text itself.
    #[must_use]
    pub fn attribute(&self) -> Option<&'static str> {
        match self {
            Self::Along(_) | Self::ThereAndBack(_) | Self::Between(..) => Some("transform"),
            Self::Ring => Some("stroke-dasharray"),
            Self::Width(_) => Some("width"),
            Self::Reach(..) => Some("d"),
            Self::Text(_) => None,
        }
    }
}

impl Motion {
    /// The value of what it changes at a time.
    #[must_use]
    pub fn value(&self, now: SimTime) -> String {
        let share = fraction(now, self.from, self.until);
        match &self.change {
            Change::Along(track) => translate(track.point_at(share)),
            Change::ThereAndBack(track) => {
                translate(track.point_at(1.0 - (2.0 * share - 1.0).abs()))
            }
            Change::Between(from, to) => translate(from.toward(*to, share)),
            Change::Ring => ring_dash(1.0 - share),
            Change::Width(full) => num(full * share),
            Change::Reach(start, from, to) => reach(*start, from.toward(*to, share)),
            Change::Text(text) => text.at(self, now),
        }
    }
}

/// A straight line as the `d` of a path.
#[must_use]
pub fn reach(from: Point, to: Point) -> String {
    let mut d = String::with_capacity(28);
    put_point(&mut d, 'M', from);
    put_point(&mut d, 'L', to);
    d
}

impl Text {
    /// The text of a catalogue's key, in which `{time}` is the time that moves.
    fn of(words: &Words, key: &str, names: &[(&str, &str)], clock: Clock) -> Text {
        const MARK: &str = "\u{1}";
        let mut all = vec![("time", MARK)];
        all.extend_from_slice(names);
        let said = words.say(key, &all);
        let (before, after) = said.split_once(MARK).unwrap_or((&said, ""));
        Text { before: before.to_owned(), after: after.to_owned(), clock }
    }

    fn at(&self, motion: &Motion, now: SimTime) -> String {
        let since = now.min(motion.until).saturating_since(motion.from);
        let time = match self.clock {
            Clock::Left => seconds(motion.until.saturating_since(now.max(motion.from))),
            Clock::Since => seconds(since),
            Clock::SinceOf(whole) => without_unit(seconds(since), &seconds(whole)),
        };
        [&self.before, &time, &self.after].map(String::as_str).concat()
    }
}

/// `3.7 s` beside `6.0 s` is said as `3.7`.
fn without_unit(part: String, whole: &str) -> String {
    let unit = |text: &str| text.rfind(' ').map(|space| text[space..].to_owned());
    match unit(&part) {
        Some(own) if unit(whole).as_ref() == Some(&own) => {
            part[..part.len() - own.len()].to_owned()
        }
        _ => part,
    }
}

/// Everything that moves in a frame, with the name of what it moves. A map shows some dozens, and up
/// to some hundreds before what is on its way becomes a crowd.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Motions {
    all: Vec<(String, Motion)>,
    /// A number for each name, so that few names are compared.
    marks: Vec<u32>,
    /// What is drawn as dots, if there is too much for signs.
    pub crowd: Option<Rc<Crowd>>,
}

impl Motions {
    /// The motion of a part, with the name of that part.
    #[must_use]
    pub fn of(&self, part: Part) -> Option<(String, &Motion)> {
        let name = part.name();
        self.named(&name).map(|motion| (name, motion))
    }

    /// The motion of the part with this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Motion> {
        let own = mark(name);
        let alike = self.marks.iter().zip(&self.all).filter(|(mark, _)| **mark == own);
        alike.map(|(_, found)| found).find(|(other, _)| other == name).map(|(_, motion)| motion)
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &(String, Motion)> {
        self.all.iter()
    }

    fn add(&mut self, part: Part, from: SimTime, until: SimTime, change: Change) {
        let name = part.name();
        self.marks.push(mark(&name));
        self.all.push((name, Motion { from, until, change }));
    }
}

/// A number for a name (Fowler, Noll and Vo's hash, FNV-1a).
fn mark(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |mark, byte| (mark ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
