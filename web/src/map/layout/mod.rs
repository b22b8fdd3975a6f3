//! The layout of a map: from the components of a scenario to places on a plane.
//!
//! Everything here is a pure function of the scenario and the [`Shape`], so a plan is made once a
//! scenario and shape and then only read. Lines run horizontally, vertically or at 45 degrees, and
//! their corners are true arcs. Positions set by hand in an exhibit would replace [`arrange`] for
//! that map: a [`Plan`] is all that drawing and motion know.
//!
//! A pipeline of one queue is laid out by `wide` and `tall`, every other graph by `general` (layers
//! and the channels between them) and `spine` (one under the other, lines on both sides).

mod berths;
mod general;
mod geometry;
mod layers;
mod lettering;
mod links;
mod net;
mod places;
mod plan;
mod platforms;
mod rails;
mod sheet;
mod spine;
mod tall;
mod track;
mod wide;

#[cfg(test)]
mod general_tests;
#[cfg(test)]
mod tests;

pub use berths::{HEAD, LINE, stop_of};
pub use general::ROOM;
pub use geometry::{Point, Rect, at, num, put, put_point, translate};
pub use lettering::{Face, fit, width};
pub use net::{Line, LineKind, Net, Pace, Part, Role, Room, Way, ways};
pub use plan::{
    Anchor, Arrow, Bay, Berth, Crew, Edge, EdgeKind, End, Form, Label, Plan, QueuePlace, Row,
    Shape, Siding, Station, Zone,
};
pub use platforms::plate_width;
pub use sheet::{Base, Bench, Bridge, Hidden, Lane, LogPlace, Mark, Note, Says, Sheet, Yard};
pub use track::{Piece, Track, Turn};

use scenario::Scenario;

/// The plan of a scenario.
#[must_use]
pub fn plan(scenario: &Scenario, shape: Shape) -> Plan {
    arrange(Net::of(scenario), shape)
}

/// The plan of a net.
#[must_use]
pub fn arrange(net: Net, shape: Shape) -> Plan {
    match (net.is_pipeline(), shape) {
        (true, Shape::Wide) => wide::arrange(net),
        (true, Shape::Tall) => tall::arrange(net),
        (false, Shape::Wide) => general::arrange(net),
        (false, Shape::Tall) => spine::arrange(net, shape),
    }
}
