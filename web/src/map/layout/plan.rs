//! A plan: where everything on a map is. It holds places, never words or states.

use scenario::ComponentId;
use world::WorkerId;

use super::geometry::{Point, Rect};
use super::net::Net;
use super::sheet::Sheet;
use super::track::Track;

/// The two ways to lay out a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// From left to right, about 900 pixels wide.
    Wide,
    /// From top to bottom, 328 pixels wide, with lettering of the same size.
    Tall,
}

/// Where everything on a map is.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Which of the two ways it is laid out.
    pub shape: Shape,
    /// The view box: its width, in pixels.
    pub width: f64,
    /// The view box: its height, in pixels.
    pub height: f64,
    /// What it is the map of.
    pub net: Net,
    /// The ground of what is not ours.
    pub zone: Option<Zone>,
    /// Sources, services and external services.
    pub stations: Vec<Station>,
    /// Queues with a platform.
    pub queues: Vec<QueuePlace>,
    /// Workers with a berth of their own.
    pub berths: Vec<Berth>,
    /// Workers beyond those, counted.
    pub crews: Vec<Crew>,
    /// Every line along which something travels.
    pub edges: Vec<Edge>,
    /// What only maps of other shapes than a pipeline have.
    pub sheet: Option<Box<Sheet>>,
}

impl Plan {
    /// A map of this size with nothing on it.
    #[must_use]
    pub fn blank(net: Net, shape: Shape, width: f64, height: f64) -> Plan {
        Plan {
            shape,
            width,
            height,
            net,
            zone: None,
            stations: Vec::new(),
            queues: Vec::new(),
            berths: Vec::new(),
            crews: Vec::new(),
            edges: Vec::new(),
            sheet: None,
        }
    }
}

/// The ground of what is not ours.
#[derive(Clone, Debug, PartialEq)]
pub struct Zone {
    /// Its ground.
    pub area: Rect,
    /// Where it says so.
    pub note: Option<Label>,
}

/// Where a text stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Label {
    /// The point on its baseline that `anchor` names.
    pub at: Point,
    /// Which end of the text that point is.
    pub anchor: Anchor,
    /// How much room the text has, in pixels.
    pub room: f64,
}

/// Which end of a text is its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

impl Label {
    /// A text that begins here.
    #[must_use]
    pub const fn from(at: Point, room: f64) -> Label {
        Label { at, anchor: Anchor::Start, room }
    }

    /// A text around here.
    #[must_use]
    pub const fn around(at: Point, room: f64) -> Label {
        Label { at, anchor: Anchor::Middle, room }
    }

    /// A text that ends here.
    #[must_use]
    pub const fn until(at: Point, room: f64) -> Label {
        Label { at, anchor: Anchor::End, room }
    }

    /// The area that a text of 12 pixels takes here at most.
    #[must_use]
    pub fn area(&self) -> Rect {
        let left = match self.anchor {
            Anchor::Start => self.at.x,
            Anchor::Middle => self.at.x - self.room / 2.0,
            Anchor::End => self.at.x - self.room,
        };
        Rect::new(left, self.at.y - 10.0, self.room, 13.0)
    }
}

/// A source, a service or somebody else's service.
#[derive(Clone, Debug, PartialEq)]
pub struct Station {
    /// Which.
    pub id: ComponentId,
    /// The middle of its ring.
    pub at: Point,
    /// The radius of its ring.
    pub radius: f64,
    /// Where its name stands.
    pub name: Label,
    /// Where the line under its name stands, if there is room for one.
    pub sub: Option<Label>,
}

/// Places in a row, for messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The first place.
    pub first: Point,
    /// How far to the right the next one is; negative when the row grows to the left.
    pub step: f64,
    /// How many places there are.
    pub places: usize,
}

impl Row {
    /// The place at this position of the row.
    #[must_use]
    pub fn place(&self, position: usize) -> Point {
        #[allow(clippy::cast_precision_loss, reason = "rows have about ten places")]
        let steps = position as f64;
        self.first.moved(self.step * steps, 0.0)
    }
}

/// A queue: what is on offer, what is hidden, what is done, what is set aside.
#[derive(Clone, Debug, PartialEq)]
pub struct QueuePlace {
    /// Which.
    pub id: ComponentId,
    /// Its name plate.
    pub plate: Rect,
    /// Where its settings are said, if there is room.
    pub settings: Option<Label>,
    /// The platform of messages on offer.
    pub offer: Rect,
    /// The name of that platform.
    pub offer_title: Label,
    /// Where it is said how many wait.
    pub waiting: Label,
    /// Where it is said what is delayed.
    pub delayed: Label,
    /// Under the message that is taken next.
    pub next: Label,
    /// The line through the platform.
    pub rail: Track,
    /// The places on it, the next message to be taken first.
    pub row: Row,
    /// The platform of hidden messages.
    pub hidden: Rect,
    /// The name of that platform.
    pub hidden_title: Label,
    /// What it means.
    pub hidden_note: Label,
    /// Places for hidden messages with what is known of each.
    pub bays: Vec<Bay>,
    /// The same for a few more, closer together; may be empty.
    pub tight_bays: Vec<Bay>,
    /// Places for more hidden messages than there are bays.
    pub crowd: Row,
    /// From hidden back to on offer.
    pub back: Arrow,
    /// What that arrow means, if there is room.
    pub back_note: Option<Label>,
    /// From hidden to done.
    pub done: Arrow,
    /// Where acked messages are.
    pub acked: Row,
    /// How many those are.
    pub acked_note: Label,
    /// The siding of its dead letters.
    pub siding: Option<Siding>,
}

/// A place for a hidden message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bay {
    /// The middle of its ring.
    pub at: Point,
    /// Where it is said how long it stays hidden.
    pub left: Label,
    /// Where it is said who holds it.
    pub holder: Label,
}

/// An arrow that goes straight up, down, left or right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrow {
    /// Where its shaft begins.
    pub from: Point,
    /// Where its tip is.
    pub tip: Point,
}

/// A siding with a buffer stop.
#[derive(Clone, Debug, PartialEq)]
pub struct Siding {
    /// The dead-letter queue.
    pub id: ComponentId,
    /// Its name plate, if there is room for one; else the note names it.
    pub plate: Option<Rect>,
    /// From the hidden platform to the buffer stop.
    pub track: Track,
    /// The middle of the buffer stop's first bar.
    pub stop: Point,
    /// Places for dead letters, the first one nearest to the stop.
    pub row: Row,
    /// What is known of them.
    pub note: Label,
}

/// A worker: a train at its place, with the lines of its handler as stops.
#[derive(Clone, Debug, PartialEq)]
pub struct Berth {
    /// Which worker.
    pub worker: WorkerId,
    /// Its outline.
    pub frame: Rect,
    /// How much of it is drawn.
    pub form: Form,
    /// The receive, then each line of the handler.
    pub stops: Vec<Point>,
}

/// How much of a worker is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Every line with its name, one under the other.
    Full,
    /// The stops side by side, and the name of the current line.
    Compact,
}

/// Workers that are only counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Crew {
    /// The workers component.
    pub id: ComponentId,
    /// The first instance that has no berth.
    pub from: u16,
    /// Where it is said how many there are.
    pub frame: Rect,
}

/// One end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A component.
    Component(ComponentId),
    /// A worker process.
    Worker(WorkerId),
}

/// A line along which something travels.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// What travels on it.
    pub kind: EdgeKind,
    /// Where it begins.
    pub from: End,
    /// Where it ends.
    pub to: End,
    /// The line as it is drawn.
    pub track: Track,
    /// The way that something on it takes, which may begin and end inside what it joins.
    pub ride: Track,
}

/// What travels on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// Requests.
    Request,
    /// Messages on their way into a queue.
    Publish,
    /// Deliveries.
    Delivery,
    /// Calls and their replies.
    Call,
    /// Acks.
    Ack,
    /// Messages that a queue has given up.
    Aside,
}

impl Plan {
    /// The line on which something travels from one end to the other.
    #[must_use]
    pub fn edge(&self, kind: EdgeKind, from: End, to: End) -> Option<&Edge> {
        self.edges.iter().find(|edge| edge.kind == kind && edge.from == from && edge.to == to)
    }

    /// The berth of a worker, if it has one.
    #[must_use]
    pub fn berth(&self, worker: WorkerId) -> Option<&Berth> {
        self.berths.iter().find(|berth| berth.worker == worker)
    }
}
