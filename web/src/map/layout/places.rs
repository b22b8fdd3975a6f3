//! Components at their places on a general map: how much room each takes, where lines come in and
//! leave, and where its parts are.

use scenario::ComponentId;

use super::berths::{self, Ground};
use super::geometry::{Rect, at};
use super::lettering::{Face, width};
use super::net::{LineKind, Net, Role};
use super::plan::{Berth, EdgeKind, End, Form, Label, Plan, Row, Shape, Siding, Station};
use super::platforms::plate_width;
use super::sheet::{Base, Bench, Hidden, Lane, LogPlace, Mark, Sheet, Yard};
use super::track::Track;

/// The radius of a station's ring.
pub const RING: f64 = 17.0;
/// The width of a train.
pub const TRAIN: f64 = 216.0;
/// Beside the trains, where lines branch to the second and further ones.
pub const BRANCH: f64 = 24.0;
/// The width of a queue's platform in a wide map.
const YARD: f64 = 190.0;
/// The width of a log in a wide map.
const LOG: f64 = 390.0;
/// The least width of a database.
const BASE: f64 = 150.0;
/// The most tables that are named.
const TABLES: usize = 5;
/// The most partitions that have a lane of their own.
const LANES: usize = 6;
/// The grid on which lines run, so that two are either on one height or well apart.
pub const GRID: f64 = 8.0;
/// From a platform's plate to its rail.
const RAIL: f64 = 72.0;
/// From a platform's rail to that of what is hidden.
const UNDER: f64 = 56.0;
/// From a lane's upper edge to its track, below the marks that stand over it.
const OVER: f64 = 28.0;

/// The room that a component takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Its width.
    pub w: f64,
    /// Its height.
    pub h: f64,
    /// How far below its upper edge lines come in.
    pub entry: f64,
}

/// The room that a component takes on a map of this shape; on a tall one all are as wide as the map
/// allows.
#[must_use]
pub fn size(net: &Net, id: ComponentId, shape: Shape, room: f64) -> Size {
    let part = net.part(id);
    let wide = |w: f64| if shape == Shape::Wide { w } else { room };
    match &part.role {
        Role::Queue { .. } => Size { w: wide(YARD), h: yard_height(net, id), entry: RAIL },
        Role::Log { partitions, groups } => {
            let lanes = (*partitions).clamp(1, LANES);
            let more = if *partitions > LANES { 18.0 } else { 0.0 };
            let h = 30.0 + lane_height(*groups) * floor(lanes) + more;
            Size { w: wide(LOG), h, entry: 30.0 + track_depth(*groups) }
        }
        Role::Workers { .. } => {
            let column = crew(net, id, 0.0, 0.0);
            let form = column.berths.first().map_or(Form::Compact, |berth| berth.form);
            let w = if shape == Shape::Wide { TRAIN + 2.0 * BRANCH } else { room };
            Size { w, h: column.bottom.max(40.0), entry: berths::entry_depth(form) }
        }
        Role::Database { tables } => {
            let name = plate_width(&part.label).max(BASE);
            Size { w: wide(name), h: 54.0 + 20.0 * floor((*tables).min(TABLES)), entry: 40.0 }
        }
        Role::Source { .. }
        | Role::Service { .. }
        | Role::Topic { .. }
        | Role::Relay { .. }
        | Role::Orchestrator { .. }
        | Role::Scheduler
        | Role::External { .. } => {
            let bench = if benched(&part.role) { 58.0 } else { 0.0 };
            match shape {
                Shape::Wide => {
                    let name = width(&part.label, Face::Name).max(76.0) + 6.0;
                    let w = if bench > 0.0 { name.max(124.0) } else { name };
                    Size { w, h: 80.0 + bench, entry: 22.0 }
                }
                Shape::Tall => Size { w: room, h: 44.0 + bench, entry: 22.0 },
            }
        }
    }
}

/// How far below the entry of a component a link leaves it. A multiple of the grid.
#[must_use]
pub fn exit(net: &Net, id: ComponentId, kind: EdgeKind, to: ComponentId) -> f64 {
    match &net.part(id).role {
        Role::Queue { .. } if kind == EdgeKind::Aside && taken(net, id) => UNDER,
        Role::Workers { lines, .. } => {
            let full = crew(net, id, 0.0, 0.0).berths.first().map(|b| b.form) == Some(Form::Full);
            let makes = |line: &super::net::Line| match (kind, line.kind) {
                (EdgeKind::Call, LineKind::Call(called)) => called == to,
                (EdgeKind::Publish, LineKind::Put(put)) => put == to,
                _ => false,
            };
            match (lines.iter().position(makes), kind) {
                (Some(line), _) if full => 24.0 * floor(line + 1),
                (None, EdgeKind::Publish) if full => 24.0 * floor(lines.len() + 1),
                (_, EdgeKind::Publish) => 16.0,
                _ => 0.0,
            }
        }
        _ => 0.0,
    }
}

/// Where a link leaves one of the trains; the first has its exit where the whole component has.
#[must_use]
pub fn train_exit(net: &Net, berth: &Berth, kind: EdgeKind, to: ComponentId) -> f64 {
    let first = berth.stops.first().map_or(berth.frame.y, |stop| stop.y);
    first + exit(net, berth.worker.component, kind, to)
}

/// Puts a component onto a map, with its upper left corner here.
pub fn put(plan: &mut Plan, sheet: &mut Sheet, id: ComponentId, area: Rect) {
    match &plan.net.part(id).role {
        Role::Queue { .. } => sheet.yards.push(yard(&plan.net, id, area, plan.shape)),
        Role::Log { partitions, groups } => {
            sheet.logs.push(log(&plan.net, id, area, (*partitions, *groups)));
        }
        Role::Database { tables } => sheet.bases.push(base(&plan.net, id, area, *tables)),
        Role::Workers { .. } => {
            let left = area.x + if plan.shape == Shape::Wide { BRANCH } else { 0.0 };
            let column = crew(&plan.net, id, left, area.y);
            plan.berths.extend(column.berths);
            plan.crews.extend(column.crews);
        }
        role => {
            let benched = benched(role);
            // What a scheduler hands out runs down the left side.
            let left = matches!(role, Role::Scheduler);
            let (mut station, bench) = station(id, area, plan.shape);
            if left && plan.shape == Shape::Tall {
                turn(&mut station, area);
            }
            plan.stations.push(station);
            sheet.benches.extend(Some(bench).filter(|_| benched));
        }
    }
}

/// Which end of a line a component is: a worker process or the whole.
#[must_use]
pub fn ends(plan: &Plan, id: ComponentId) -> Vec<(End, Option<usize>)> {
    match plan.net.part(id).role {
        Role::Workers { .. } => {
            let own = |(i, berth): (usize, &Berth)| {
                (berth.worker.component == id).then_some((End::Worker(berth.worker), Some(i)))
            };
            plan.berths.iter().enumerate().filter_map(own).collect()
        }
        _ => vec![(End::Component(id), None)],
    }
}

fn benched(role: &Role) -> bool {
    matches!(role, Role::Service { room: Some(_), .. } | Role::External { room: Some(_) })
}

fn taken(net: &Net, queue: ComponentId) -> bool {
    net.parts.iter().any(|part| match &part.role {
        Role::Workers { from, others, .. } => *from == queue || others.contains(&queue),
        _ => false,
    })
}

/// The trains of a component, one full if it is alone and its handler short, all others compact.
fn crew(net: &Net, id: ComponentId, left: f64, top: f64) -> berths::Column {
    berths::squad(net, id, Ground { left, top, width: TRAIN, height: 0.0 })
}

fn station(id: ComponentId, area: Rect, shape: Shape) -> (Station, Bench) {
    let (ring, name, sub) = match shape {
        Shape::Wide => {
            let ring = at(area.centre().x, area.y + 22.0);
            let under = |down: f64| Label::around(ring.moved(0.0, down), area.w);
            (ring, under(35.0), under(50.0))
        }
        Shape::Tall => {
            let ring = at(area.right() - RING - 2.0, area.y + 22.0);
            let left = |down: f64| Label::until(ring.moved(-28.0, down), area.w - 50.0);
            (ring, left(-2.0), left(13.0))
        }
    };
    let (left, wide) = match shape {
        Shape::Wide => (area.x + 4.0, area.w - 8.0),
        Shape::Tall => (area.x + 8.0, area.w - 34.0),
    };
    let top = sub.at.y + 10.0;
    let bench = Bench {
        id,
        seats: Rect::new(left, top, wide, 10.0),
        busy: Label::from(at(left, top + 22.0), wide),
        room: Rect::new(left, top + 30.0, wide, 7.0),
        waiting: Label::from(at(left, top + 49.0), wide),
    };
    (Station { id, at: ring, radius: RING, name, sub: Some(sub) }, bench)
}

/// A station of a tall map with its ring on the left and its name on the right of it.
fn turn(station: &mut Station, area: Rect) {
    station.at.x = area.x + RING + 2.0;
    let from = station.at.x + 28.0;
    for label in [Some(&mut station.name), station.sub.as_mut()].into_iter().flatten() {
        *label = Label::from(at(from, label.at.y), label.room);
    }
}

fn yard_height(net: &Net, id: ComponentId) -> f64 {
    let hidden = if taken(net, id) { 60.0 } else { 0.0 };
    let siding = if net.own_siding(id).is_some() { 72.0 } else { 0.0 };
    94.0 + hidden + 20.0 + siding
}

fn yard(net: &Net, id: ComponentId, area: Rect, shape: Shape) -> Yard {
    let (x, y, right) = (area.x, area.y, area.right());
    let rail = y + RAIL;
    let offer = Rect::new(x, y + 30.0, area.w, 64.0);
    // In a wide map the next to be taken stands on the right, where it will leave.
    let places = fitting(area.w - 24.0, 27.0);
    let row = match shape {
        Shape::Wide => Row { first: at(right - 18.0, rail), step: -27.0, places },
        Shape::Tall => Row { first: at(x + 18.0, rail), step: 27.0, places },
    };
    let under = rail + UNDER;
    let hidden = taken(net, id).then(|| {
        let area = Rect::new(x, offer.bottom() + 6.0, area.w, 54.0);
        let row = Row {
            first: at(right - 24.0, under),
            step: -37.0,
            places: fitting(area.w - 98.0, 37.0),
        };
        Hidden {
            area,
            title: Label::from(at(x + 10.0, under - 3.0), 70.0),
            count: Label::from(at(x + 10.0, under + 13.0), 70.0),
            row,
        }
    });
    let bottom = hidden.map_or(offer.bottom(), |hidden| hidden.area.bottom());
    Yard {
        id,
        plate: Rect::new(x, y, plate_width(&net.part(id).label).min(area.w), 24.0),
        offer,
        waiting: Label::from(at(x + 10.0, y + 47.0), area.w - 20.0),
        row,
        hidden,
        done: Label::until(at(right - 2.0, bottom + 15.0), area.w - 40.0),
        siding: net.own_siding(id).map(|siding| yard_siding(siding, area, bottom)),
    }
}

fn yard_siding(id: ComponentId, area: Rect, bottom: f64) -> Siding {
    let (left, y) = (area.x + 16.0, bottom + 50.0);
    let stop = at(area.right() - 10.0, y);
    let line = [at(left, bottom + 4.0), at(left, y), stop.moved(-6.0, 0.0)];
    Siding {
        id,
        plate: None,
        track: Track::through(&line, 14.0),
        stop,
        row: Row { first: stop.moved(-26.0, 0.0), step: -34.0, places: 3 },
        note: Label::until(at(area.right() - 2.0, y + 29.0), area.w - 20.0),
    }
}

fn base(net: &Net, id: ComponentId, area: Rect, tables: usize) -> Base {
    let frame = Rect::new(area.x, area.y + 24.0, area.w, area.h - 24.0);
    let row = |i: usize| {
        Label::from(at(frame.x + 12.0, frame.y + 20.0 + 20.0 * floor(i)), frame.w - 24.0)
    };
    let tables = tables.min(TABLES);
    Base {
        id,
        plate: Rect::new(area.x, area.y, plate_width(&net.part(id).label).min(area.w), 24.0),
        frame,
        tables: (0..tables).map(row).collect(),
        open: row(tables),
    }
}

fn track_depth(groups: usize) -> f64 {
    // The second group's marks stand over the track, the first's under it.
    if groups > 1 { OVER } else { 14.0 }
}

fn lane_height(groups: usize) -> f64 {
    track_depth(groups) + 20.0 + 20.0 * floor(groups.saturating_sub(1).max(1)) + 2.0
}

fn log(net: &Net, id: ComponentId, area: Rect, (partitions, groups): (usize, usize)) -> LogPlace {
    let plate = Rect::new(area.x, area.y, plate_width(&net.part(id).label).min(area.w), 24.0);
    let shown = partitions.clamp(1, LANES);
    let lane = |i: usize| {
        let top = area.y + 30.0 + lane_height(groups) * floor(i);
        let y = top + track_depth(groups);
        let first = area.x + 64.0;
        let row = Row {
            first: at(first, y),
            step: 25.0,
            places: fitting(area.right() - first - 16.0, 25.0),
        };
        let mark = |group: usize| {
            let y = match group {
                0 => y + 24.0,
                1 => y - 22.0,
                _ => y + 24.0 + 20.0 * floor(group - 1),
            };
            Mark { y, lag: Label::until(at(area.right() - 14.0, y + 4.2), 90.0) }
        };
        Lane {
            from: at(area.x + 8.0, y),
            to: at(area.right() - 8.0, y),
            sign: Rect::new(area.x + 18.0, y - 9.0, 28.0, 18.0),
            row,
            marks: (0..groups).map(mark).collect(),
        }
    };
    LogPlace {
        id,
        plate,
        count: Label::until(at(area.right() - 2.0, area.y + 17.0), area.w - plate.w - 10.0),
        lanes: (0..shown).map(lane).collect(),
        more: (partitions > shown).then(|| {
            let label = Label::from(at(area.x + 18.0, area.bottom() - 4.0), area.w - 30.0);
            (partitions - shown, label)
        }),
    }
}

/// How many places of this step fit into a width, three at least.
fn fitting(width: f64, step: f64) -> usize {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a map is a few hundred pixels wide"
    )]
    let places = (width / step).floor().max(3.0) as usize;
    places
}

#[allow(clippy::cast_precision_loss, reason = "a map has few of anything")]
fn floor(count: usize) -> f64 {
    count as f64
}
