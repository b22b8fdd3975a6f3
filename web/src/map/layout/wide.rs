//! The wide map: stations on the left, platforms in the middle, trains on the right, and on the far
//! right what is not ours.

use scenario::ComponentId;
use world::WorkerId;

use super::berths::{self, Column, Ground};
use super::geometry::{Point, Rect, at};
use super::lettering::{Face, width};
use super::net::{Net, Role};
use super::plan::{Berth, Edge, EdgeKind, End, Label, Plan, QueuePlace, Shape, Station, Zone};
use super::platforms;
use super::track::Track;

/// Where the line of the first queue runs.
const LINE_Y: f64 = 118.0;
/// From one station down to the next.
const STATIONS: f64 = 96.0;
/// The radius of a station's ring.
const RING: f64 = 17.0;
/// Around the map.
const MARGIN: f64 = 8.0;

/// Lays out a net from left to right.
#[must_use]
pub fn arrange(net: Net) -> Plan {
    let columns = stations(&net);
    let left = columns.right + columns.clear;
    let mut plan = Plan::blank(net, Shape::Wide, 0.0, 0.0);
    plan.stations = columns.stations;
    let mut line = LINE_Y;
    let mut bottom: f64 = plan.stations.iter().map(|s| s.at.y + 52.0).fold(0.0, f64::max);
    for id in plan.net.queues() {
        let workers = plan.net.workers_of(id);
        let ground = Ground {
            left: left + platforms::WIDE + 74.0,
            top: line - berths::entry_depth(super::plan::Form::Full),
            width: 216.0,
            height: 460.0,
        };
        let column = berths::column(&plan.net, &workers, ground);
        let queue = platforms::wide(&plan.net, id, at(left, line), column.berths.len());
        let floor = floor(&queue).max(column.bottom);
        bottom = bottom.max(floor);
        line = floor + 40.0 + LINE_Y;
        join(&mut plan, &queue, column);
        plan.queues.push(queue);
    }
    upstream(&mut plan, left);
    let berths_right = left + platforms::WIDE + 74.0 + 216.0;
    let used = if plan.berths.is_empty() { left + platforms::WIDE } else { berths_right };
    plan.width = used + MARGIN;
    plan.height = bottom + MARGIN;
    outside(&mut plan, berths_right);
    plan
}

/// Where the parts of a queue end.
fn floor(queue: &QueuePlace) -> f64 {
    queue.siding.as_ref().map_or(queue.acked_note.at.y + 6.0, |siding| siding.note.at.y + 6.0)
}

struct Columns {
    stations: Vec<Station>,
    right: f64,
    /// From the last column to the platforms.
    clear: f64,
}

/// Sources in one column, services in the next, far enough apart for their names.
fn stations(net: &Net) -> Columns {
    let names = |of: fn(&Role) -> bool| -> Vec<(ComponentId, f64)> {
        let chosen = net.ids().filter(|(_, part)| of(&part.role));
        chosen.map(|(id, part)| (id, width(&part.label, Face::Name).max(78.0))).collect()
    };
    let sources = names(|role| matches!(role, Role::Source { .. }));
    let services = names(|role| matches!(role, Role::Service { .. }));
    let widest = |of: &[(ComponentId, f64)]| of.iter().map(|(_, w)| *w).fold(0.0, f64::max);
    let mut columns = Columns { stations: Vec::new(), right: 0.0, clear: 72.0 };
    let mut x = 0.0;
    let mut before = 0.0;
    for column in [sources, services] {
        let wide = widest(&column);
        if column.is_empty() {
            continue;
        }
        x = if x == 0.0 {
            (wide / 2.0).max(40.0)
        } else {
            x + (before / 2.0 + wide / 2.0 + 16.0).max(94.0)
        };
        before = wide;
        // Lines that join turn at the platforms' side of the names, and not through them.
        columns.clear = if column.len() > 1 { (wide / 2.0 + 40.0).max(72.0) } else { 72.0 };
        let mut y = LINE_Y;
        for (id, _) in column {
            columns.stations.push(station(id, at(x, y), wide + 12.0));
            y += STATIONS;
        }
        columns.right = x;
    }
    columns
}

fn station(id: ComponentId, middle: Point, room: f64) -> Station {
    Station {
        id,
        at: middle,
        radius: RING,
        name: Label::around(middle.moved(0.0, 35.0), room),
        sub: Some(Label::around(middle.moved(0.0, 50.0), room)),
    }
}

/// The lines from sources to services and on to the platforms, which begin at `left`.
fn upstream(plan: &mut Plan, left: f64) {
    let place = |id: ComponentId| plan.stations.iter().find(|s| s.id == id).map(|s| s.at);
    let entry = |id: ComponentId| {
        plan.queues.iter().find(|q| q.id == id).map(|q| at(q.offer.x, q.row.first.y))
    };
    let mut edges = Vec::new();
    for (id, part) in plan.net.ids() {
        let targets: Vec<ComponentId> = match &part.role {
            Role::Source { to, .. } => vec![*to],
            Role::Service { to, .. } => to.clone(),
            _ => Vec::new(),
        };
        for to in targets {
            let Some(from_at) = place(id) else { continue };
            let (to_at, turn, kind) = match (place(to), entry(to)) {
                (Some(station), _) => (station, (from_at.x + station.x) / 2.0, EdgeKind::Request),
                (None, Some(entry)) => (entry, left - 30.0, EdgeKind::Publish),
                (None, None) => continue,
            };
            edges.push(upstream_edge(kind, (id, from_at), (to, to_at), turn));
        }
    }
    plan.edges.extend(edges);
}

fn upstream_edge(
    kind: EdgeKind,
    (from, from_at): (ComponentId, Point),
    (to, to_at): (ComponentId, Point),
    turn: f64,
) -> Edge {
    let way = |start: f64, end: f64| {
        let (a, b) = (at(start, from_at.y), at(end, to_at.y));
        Track::through(&[a, at(turn, a.y), at(turn, b.y), b], 16.0)
    };
    // A message leaves from the edge of a ring and stops before the next ring or platform.
    let short = if kind == EdgeKind::Request { RING + 12.0 } else { 13.0 };
    Edge {
        kind,
        from: End::Component(from),
        to: End::Component(to),
        track: way(from_at.x, to_at.x),
        ride: way(from_at.x + RING + 12.0, to_at.x - short),
    }
}

/// The lines between a queue and its workers.
fn join(plan: &mut Plan, queue: &QueuePlace, column: Column) {
    for berth in &column.berths {
        plan.edges.push(delivery(queue, berth));
        plan.edges.push(ack(queue, berth));
    }
    plan.berths.extend(column.berths);
    plan.crews.extend(column.crews);
}

fn delivery(queue: &QueuePlace, berth: &Berth) -> Edge {
    let (line, x) = (queue.row.first.y, berth.frame.x - 36.0);
    let door = at(berth.frame.x, berth.stops[0].y);
    let way = |from: f64, to: Point| {
        Track::through(&[at(from, line), at(x, line), at(x, door.y), to], 16.0)
    };
    let mut ride = way(queue.row.first.x, berth.stops[0]);
    if let Some(&first_line) = berth.stops.get(1) {
        ride = ride.on_to(first_line);
    }
    Edge {
        kind: EdgeKind::Delivery,
        from: End::Component(queue.id),
        to: End::Worker(berth.worker),
        track: way(queue.offer.right(), door),
        ride,
    }
}

/// An ack leaves its train under the delivery line when it has to go down, above it when it has to
/// go up, so that the two do not cross at the door.
fn ack(queue: &QueuePlace, berth: &Berth) -> Edge {
    let level = queue.hidden.y + 44.0;
    let (entry, frame) = (berth.stops[0].y, berth.frame);
    let wanted = if entry < level {
        let last = berth.stops.last().map_or(entry, |stop| stop.y);
        if last > entry { last } else { entry + 19.0 }
    } else {
        frame.y + berths::HEAD + 6.0
    };
    let y = if (wanted - level).abs() >= 20.0 {
        wanted
    } else if level > entry + 14.0 && level < frame.bottom() - 8.0 {
        level
    } else if wanted < level {
        level - 20.0
    } else {
        level + 20.0
    };
    let x = frame.x - 18.0;
    let line = [at(frame.x, y), at(x, y), at(x, level), at(queue.hidden.right() + 9.0, level)];
    let track = Track::through(&line, 10.0);
    Edge {
        kind: EdgeKind::Ack,
        from: End::Worker(berth.worker),
        to: End::Component(queue.id),
        ride: track.clone(),
        track,
    }
}

/// External services in their zone, and the double rails that lead there.
fn outside(plan: &mut Plan, berths_right: f64) {
    let externals: Vec<(ComponentId, f64)> = plan
        .net
        .ids()
        .filter(|(_, part)| matches!(part.role, Role::External { .. }))
        .map(|(id, part)| (id, width(&part.label, Face::Name)))
        .collect();
    if externals.is_empty() {
        return;
    }
    let wide = externals.iter().map(|(_, w)| *w + 14.0).fold(82.0, f64::max);
    let x = berths_right + 40.0 + wide / 2.0;
    let ys = heights(plan, &externals);
    for (&(id, _), &y) in externals.iter().zip(&ys) {
        plan.stations.push(station(id, at(x, y), wide - 4.0));
        plan.height = plan.height.max(y + 60.0 + MARGIN);
    }
    let mut edges = Vec::new();
    for berth in &plan.berths {
        for (&(id, _), &y) in externals.iter().zip(&ys) {
            if plan.net.calls_of(berth.worker.component).contains(&id) {
                edges.push(call(&plan.net, berth, id, at(x - RING, y)));
            }
        }
    }
    plan.edges.extend(edges);
    let area = Rect::new(x - wide / 2.0, MARGIN, wide, plan.height - 2.0 * MARGIN);
    let note = Label::around(at(x, area.y + 22.0), wide);
    plan.zone = Some(Zone { area, note: Some(note) });
    plan.width = area.right();
}

/// As high as the calls to them leave their trains, on average, and far enough apart.
#[allow(clippy::cast_precision_loss, reason = "a map has few stations")]
fn heights(plan: &Plan, externals: &[(ComponentId, f64)]) -> Vec<f64> {
    let apart = 92.0;
    let mut ys: Vec<f64> = Vec::new();
    for &(id, _) in externals {
        let exits: Vec<f64> = (plan.berths.iter())
            .filter(|b| plan.net.calls_of(b.worker.component).contains(&id))
            .map(|b| berths::call_exit(b, plan.net.lines(b.worker.component), id).y)
            .collect();
        let mean = exits.iter().sum::<f64>() / exits.len().max(1) as f64;
        let free = ys.last().map_or(64.0, |last| last + apart);
        ys.push(mean.max(free));
    }
    // Several are spread around the middle of what they serve rather than hung below it.
    if let (Some(&first), true) = (ys.first(), ys.len() > 1) {
        let lift = (apart * (ys.len() - 1) as f64 / 2.0).min(first - 64.0).max(0.0);
        ys.iter_mut().for_each(|y| *y -= lift);
    }
    ys
}

fn call(net: &Net, berth: &Berth, external: ComponentId, door: Point) -> Edge {
    let worker: WorkerId = berth.worker;
    let mut exit = berths::call_exit(berth, net.lines(worker.component), external);
    let near = (exit.y - door.y).abs() < 22.0;
    if near && door.y > berth.frame.y + berths::HEAD && door.y < berth.frame.bottom() - 10.0 {
        exit.y = door.y;
    }
    let x = berth.frame.right() + 22.0;
    let line = [exit, at(x, exit.y), at(x, door.y), door];
    let track = Track::through(&line, 11.0);
    Edge {
        kind: EdgeKind::Call,
        from: End::Worker(worker),
        to: End::Component(external),
        ride: track.clone(),
        track,
    }
}
