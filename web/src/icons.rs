//! Pictograms: what a thing on the map is, in a box of 24 by 24.

use yew::prelude::*;

use crate::map::layout::{Point, num, translate};
use crate::markup::el;

/// A pictogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pict {
    /// Somebody who asks.
    Source,
    /// A service of ours.
    Service,
    /// Somebody else's service.
    External,
    /// A topic.
    Junction,
    /// A queue.
    Queue,
    /// Somebody who carries what is written down to where it is read.
    Relay,
    /// Somebody who says who does what next.
    Baton,
    /// Somebody who says when.
    Clock,
    /// A database.
    Table,
    /// A dead-letter queue.
    Siding,
    /// A worker.
    Train,
    /// A crash.
    Bolt,
    /// Something that stands still.
    Hold,
    /// Something slow.
    Gauge,
    /// Something lost on its way.
    Cut,
    /// Something that can be taken and moved.
    Grip,
}

/// The parts of a pictogram.
enum Shape {
    /// A stroked path.
    Line(&'static str),
    /// A filled path.
    Fill(&'static str),
    /// A filled dot: where it is, and its radius.
    Dot(&'static str, &'static str, &'static str),
}

use Shape::{Dot, Fill, Line};

impl Pict {
    fn shapes(self) -> &'static [Shape] {
        match self {
            Self::Source => {
                &[Dot("12", "8", "3.6"), Fill("M4.5 20c.6-4.4 3.6-6.6 7.5-6.6s6.9 2.2 7.5 6.6z")]
            }
            Self::Service => &[Line("M9.5 6h5a6 6 0 0 1 0 12h-5a6 6 0 0 1 0-12zM9 12h6")],
            Self::External => &[
                Line(
                    "M19.97 13.95A8.2 8.2 0 0 1 16.6 18.8M13.4 20.1A8.2 8.2 0 0 1 7.6 18.9\
                      M5.2 16.6A8.2 8.2 0 0 1 3.9 10.9M5.2 7.4A8.2 8.2 0 0 1 10 4.05\
                      M13.6 3.95A8.2 8.2 0 0 1 18.5 7M19.9 9.8A8.2 8.2 0 0 1 20.2 12",
                ),
                Line("M9 15l6-6M10.5 9H15v4.5"),
            ],
            Self::Junction => &[
                Line("M3 12h7M10 12l8-7M10 12h9M10 12l8 7"),
                Dot("10", "12", "2.8"),
                Dot("18.5", "5", "1.9"),
                Dot("19.5", "12", "1.9"),
                Dot("18.5", "19", "1.9"),
            ],
            Self::Queue => &[
                Line("M3 18h18"),
                Dot("6.5", "12", "2.6"),
                Dot("12.5", "12", "2.6"),
                Dot("18.5", "12", "2.6"),
            ],
            Self::Relay => {
                &[Line("M3 12h4M17 12h4M9 12h6"), Dot("8", "12", "2.4"), Dot("16", "12", "2.4")]
            }
            Self::Baton => &[Line("M5 20L17 6M13 5h5v5M5 9h5M5 14h3")],
            Self::Clock => {
                &[Line("M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0zM12 7v5.2l3.6 2.2")]
            }
            Self::Table => &[Line("M4 5h16v14H4zM4 10h16M10 10v9")],
            Self::Siding => &[Line("M3 12h11M18.5 5v14M14 9h4.5M14 15h4.5"), Fill("M5 9h6v6H5z")],
            Self::Train => &[
                Line("M4 7h11l5 5v5H4zM8 12h5"),
                Dot("8.5", "19.5", "1.5"),
                Dot("15.5", "19.5", "1.5"),
            ],
            Self::Bolt => &[Fill("M13.5 2.5L5 13.6h5.4L9.4 21.5 19 9.8h-5.8z")],
            Self::Hold => &[Fill("M6 5h4v14H6zM14 5h4v14h-4z")],
            Self::Gauge => &[Line("M4 16a8 8 0 1 1 16 0M12 16L7.2 11.8M3 20h18")],
            Self::Cut => &[Line("M3 12h6M15 12h6M9.5 16.5l5-9M7 18.5h2M15 5.5h2")],
            Self::Grip => &[
                Dot("9", "6", "1.6"),
                Dot("15", "6", "1.6"),
                Dot("9", "12", "1.6"),
                Dot("15", "12", "1.6"),
                Dot("9", "18", "1.6"),
                Dot("15", "18", "1.6"),
            ],
        }
    }
}

/// A pictogram on the map, with its upper left corner here, at a scale of 24 pixels.
pub fn pict(which: Pict, corner: Point, scale: f64) -> Html {
    let place = [&translate(corner), " scale(", &num(scale), ")"].concat();
    let shapes = which.shapes().iter().map(|shape| match *shape {
        Line(d) => el("path", "").set("d", d).html(),
        Fill(d) => el("path", "").class("fill").set("d", d).html(),
        Dot(x, y, r) => el("circle", "").class("fill").set("cx", x).set("cy", y).set("r", r).html(),
    });
    el("g", "").class("pict").set("transform", place).all(shapes).html()
}

/// A pictogram around a point, at a scale of 24 pixels.
pub fn pict_around(which: Pict, middle: Point, scale: f64) -> Html {
    pict(which, middle.moved(-12.0 * scale, -12.0 * scale), scale)
}
