//! Queues at their places: a platform for what is on offer, one for what is hidden, a row for what
//! is done and a siding for dead letters.

use super::geometry::{Point, Rect, at};
use super::lettering::{Face, width};
use super::net::Net;
use super::plan::{Arrow, Bay, Label, QueuePlace, Row, Siding};
use super::track::Track;
use scenario::ComponentId;

/// The places of a platform, one message each.
pub const PLACES: usize = 10;

/// The width of a platform in a wide map.
pub const WIDE: f64 = 294.0;

/// Three bays where two have their full words.
const TIGHT: [(f64, f64); 3] = [(26.0, 44.0), (121.0, 44.0), (216.0, 50.0)];

/// The width of a name plate for this name.
#[must_use]
pub fn plate_width(name: &str) -> f64 {
    36.0 + width(name, Face::Plate)
}

/// A queue in a wide map: the line enters the platform on the left, at `entry`.
#[must_use]
pub fn wide(net: &Net, id: ComponentId, entry: Point, crew: usize) -> QueuePlace {
    let (left, right) = (entry.x, entry.x + WIDE);
    let offer = Rect::new(left, entry.y - 64.0, WIDE, 94.0);
    let rows = if crew > 2 { 2 } else { 1 };
    let hidden = Rect::new(left, offer.bottom() + 32.0, WIDE, if rows == 2 { 138.0 } else { 92.0 });
    let name = &net.part(id).label;
    let plate = Rect::new(left, offer.y - 32.0, plate_width(name), 24.0);
    let below = hidden.bottom();
    QueuePlace {
        id,
        plate,
        settings: Some(Label::until(at(right, plate.y + 17.0), WIDE - plate.w - 16.0)),
        offer,
        offer_title: Label::from(at(left + 10.0, offer.y + 17.0), 70.0),
        waiting: Label::until(at(right - 10.0, offer.y + 17.0), 200.0),
        delayed: Label::from(at(left + 10.0, offer.bottom() - 6.0), 220.0),
        next: Label::around(at(right - 20.0, offer.bottom() - 6.0), 26.0),
        rail: Track::through(&[entry, at(right, entry.y)], 16.0),
        row: Row { first: at(right - 20.0, entry.y), step: -28.5, places: PLACES },
        hidden,
        hidden_title: Label::from(at(left + 10.0, hidden.y + 17.0), 70.0),
        hidden_note: Label::until(at(right - 10.0, hidden.y + 17.0), 190.0),
        bays: bays(hidden, &[(40.0, 92.0), (198.0, 68.0)], rows),
        tight_bays: if rows == 2 { Vec::new() } else { bays(hidden, &TIGHT, 1) },
        crowd: Row { first: at(left + 30.0, hidden.y + 44.0), step: 39.0, places: 7 },
        back: Arrow {
            from: at(left + 20.0, hidden.y - 1.0),
            tip: at(left + 20.0, offer.bottom() + 4.5),
        },
        back_note: Some(Label::from(at(left + 34.0, hidden.y - 11.0), 200.0)),
        done: Arrow { from: at(right - 14.0, below + 2.0), tip: at(right - 14.0, below + 34.0) },
        acked: Row { first: at(right - 14.0, below + 52.0), step: -26.0, places: PLACES },
        acked_note: Label::until(at(right - 2.0, below + 80.0), 240.0),
        siding: net.siding_of(id).map(|siding| wide_siding(net, siding, hidden)),
    }
}

/// A queue in a tall map: the line enters the platform from above on the right, and the platform
/// begins at `top`, under the name plate.
#[must_use]
pub fn tall(net: &Net, id: ComponentId, top: f64, crew: usize) -> QueuePlace {
    let offer = Rect::new(0.0, top + 30.0, 328.0, 64.0);
    let rail = offer.y + 30.0;
    let rows = if crew > 2 { 2 } else { 1 };
    let hidden =
        Rect::new(40.0, offer.bottom() + 28.0, 252.0, if rows == 2 { 126.0 } else { 80.0 });
    let plate = Rect::new(0.0, top, plate_width(&net.part(id).label), 24.0);
    let below = hidden.bottom();
    let line = [at(312.0, offer.y), at(312.0, rail), at(14.0, rail), at(14.0, offer.bottom())];
    QueuePlace {
        id,
        plate,
        settings: None,
        offer,
        offer_title: Label::until(at(300.0, offer.bottom() - 8.0), 70.0),
        waiting: Label::until(at(296.0, plate.y + 17.0), 296.0 - plate.w - 8.0),
        delayed: Label::from(at(66.0, offer.bottom() - 8.0), 160.0),
        next: Label::around(at(44.0, offer.bottom() - 8.0), 26.0),
        rail: Track::through(&line, 14.0),
        row: Row { first: at(44.0, rail), step: 25.5, places: PLACES },
        hidden,
        hidden_title: Label::from(at(50.0, hidden.y + 17.0), 60.0),
        hidden_note: Label::until(at(282.0, hidden.y + 17.0), 150.0),
        bays: bays(hidden, &[(27.0, 92.0), (165.0, 58.0)], rows),
        tight_bays: Vec::new(),
        crowd: Row { first: at(64.0, hidden.y + 42.0), step: 40.0, places: 6 },
        back: Arrow { from: at(170.0, hidden.y - 1.0), tip: at(170.0, offer.bottom() + 3.5) },
        back_note: None,
        done: Arrow { from: at(250.0, below + 2.0), tip: at(250.0, below + 24.0) },
        acked: Row { first: at(290.0, below + 42.0), step: -27.0, places: 4 },
        acked_note: Label::until(at(302.0, below + 72.0), 112.0),
        siding: net.siding_of(id).map(|siding| tall_siding(siding, hidden)),
    }
}

/// Bays side by side in one row or two. A column is where its rings are and the room beside them.
fn bays(hidden: Rect, columns: &[(f64, f64)], rows: usize) -> Vec<Bay> {
    let first = if rows == 2 { 48.0 } else { hidden.h - 38.0 };
    let mut bays = Vec::with_capacity(columns.len() * rows);
    for down in [first, first + 46.0].into_iter().take(rows) {
        for &(across, room) in columns {
            let ring = at(hidden.x + across, hidden.y + down);
            bays.push(Bay {
                at: ring,
                left: Label::from(ring.moved(27.0, -3.0), room),
                holder: Label::from(ring.moved(27.0, 13.0), room),
            });
        }
    }
    bays
}

fn wide_siding(net: &Net, id: ComponentId, hidden: Rect) -> Siding {
    let (left, y) = (hidden.x + 20.0, hidden.bottom() + 146.0);
    let stop = at(hidden.right() - 6.0, y);
    let line = [
        at(left, hidden.bottom() + 4.0),
        at(left, y - 16.0),
        at(left + 16.0, y),
        stop.moved(-6.0, 0.0),
    ];
    Siding {
        id,
        plate: Some(Rect::new(left + 50.0, y - 46.0, plate_width(&net.part(id).label), 24.0)),
        track: Track::through(&line, 18.0),
        stop,
        row: Row { first: stop.moved(-32.0, 0.0), step: -38.0, places: 5 },
        note: Label::until(at(hidden.right() - 2.0, y + 28.0), WIDE - 30.0),
    }
}

fn tall_siding(id: ComponentId, hidden: Rect) -> Siding {
    let (left, y) = (hidden.x + 24.0, hidden.bottom() + 42.0);
    let stop = at(166.0, y);
    let line = [at(left, hidden.bottom() + 4.0), at(left, y), stop.moved(-6.0, 0.0)];
    Siding {
        id,
        plate: None,
        track: Track::through(&line, 14.0),
        stop,
        row: Row { first: stop.moved(-26.0, 0.0), step: -34.0, places: 2 },
        note: Label::from(at(48.0, y + 30.0), 138.0),
    }
}
