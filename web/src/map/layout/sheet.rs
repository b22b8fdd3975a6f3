//! What a general map has beside stations, trains and lines: yards, logs, benches, words on lines
//! and the places where lines cross.

use scenario::ComponentId;

use super::geometry::{Point, Rect};
use super::plan::{Label, Row, Siding};

/// What only a general map has.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Sheet {
    /// Queues.
    pub yards: Vec<Yard>,
    /// Logs.
    pub logs: Vec<LogPlace>,
    /// Databases.
    pub bases: Vec<Base>,
    /// What there is to say of how much a service can do at once.
    pub benches: Vec<Bench>,
    /// Words on lines.
    pub notes: Vec<Note>,
    /// Where one line goes over another.
    pub bridges: Vec<Bridge>,
}

/// A queue: a platform of what is on offer over the dashed one of what is hidden.
#[derive(Clone, Debug, PartialEq)]
pub struct Yard {
    /// Which.
    pub id: ComponentId,
    /// Its name plate.
    pub plate: Rect,
    /// The platform of messages on offer.
    pub offer: Rect,
    /// Where it is said how many wait.
    pub waiting: Label,
    /// The places on it, the next message to be taken first.
    pub row: Row,
    /// What is hidden, if somebody takes from it.
    pub hidden: Option<Hidden>,
    /// What has become of the others.
    pub done: Label,
    /// The siding of its dead letters.
    pub siding: Option<Siding>,
}

/// The platform of hidden messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hidden {
    /// Its ground.
    pub area: Rect,
    /// Its name.
    pub title: Label,
    /// How many are hidden.
    pub count: Label,
    /// The places on it.
    pub row: Row,
}

/// A log: its partitions as lanes.
#[derive(Clone, Debug, PartialEq)]
pub struct LogPlace {
    /// Which.
    pub id: ComponentId,
    /// Its name plate.
    pub plate: Rect,
    /// How many records it has taken in.
    pub count: Label,
    /// Its partitions, in order.
    pub lanes: Vec<Lane>,
    /// How many partitions have no lane, and where that is said.
    pub more: Option<(usize, Label)>,
}

/// A partition: a track with a place for each of the latest offsets, the newest on the right.
#[derive(Clone, Debug, PartialEq)]
pub struct Lane {
    /// Where its track begins.
    pub from: Point,
    /// Where its track ends.
    pub to: Point,
    /// Its sign.
    pub sign: Rect,
    /// The places on it, the oldest first.
    pub row: Row,
    /// Where the marks of each group stand: their height, and which side of the track that is.
    pub marks: Vec<Mark>,
}

/// Where the marks of a group stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// The middle of the row that they stand in.
    pub y: f64,
    /// Where its lag is said.
    pub lag: Label,
}

/// A database: a frame with a line for each table.
#[derive(Clone, Debug, PartialEq)]
pub struct Base {
    /// Which.
    pub id: ComponentId,
    /// Its name plate.
    pub plate: Rect,
    /// Its frame.
    pub frame: Rect,
    /// Its tables, as many as there is room for.
    pub tables: Vec<Label>,
    /// What is under way in it.
    pub open: Label,
}

/// How busy a service is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bench {
    /// Which.
    pub id: ComponentId,
    /// Its places.
    pub seats: Rect,
    /// How many of them are taken.
    pub busy: Label,
    /// The room to wait in.
    pub room: Rect,
    /// How many wait there.
    pub waiting: Label,
}

/// Words on a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Where.
    pub place: Label,
    /// What.
    pub says: Says,
}

/// What stands on a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Says {
    /// What a binding asks for.
    Text(String),
    /// Messages that nothing else takes.
    Otherwise,
    /// This queue is served in this turn, from 1.
    Turn(u32),
    /// This queue is served as often as its weight says.
    Weight(u32),
}

/// A place where an upright line goes over a level one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bridge {
    /// Where.
    pub at: Point,
    /// The line that goes over: its position in the plan's edges.
    pub edge: usize,
}
