//! The tall map: the same map from top to bottom, 328 pixels wide, with lettering of the same size.
//! Deliveries run down the left side, calls and acks the right side.

use scenario::ComponentId;

use super::berths::{self, Column, Ground};
use super::geometry::{Point, Rect, at};
use super::net::{LineKind, Net, Role};
use super::plan::{
    Berth, Edge, EdgeKind, End, Form, Label, Plan, QueuePlace, Shape, Station, Zone,
};
use super::platforms;
use super::track::Track;

/// The width of every tall map.
pub const WIDTH: f64 = 328.0;
/// Where the trains stand.
const BERTH: (f64, f64) = (44.0, 240.0);
/// Where deliveries run down.
const DOWN: f64 = 14.0;
/// Where messages come down to a platform.
const INTO: f64 = 312.0;
/// Where calls run down.
const CALLS: f64 = 300.0;
/// Where acks run up.
const ACKS: f64 = 319.0;
/// The height of a station with its name beside it.
const STATION: f64 = 64.0;
/// The room for what stands beside a ring: up to the next ring.
const BESIDE: f64 = 110.0;

/// Lays out a net from top to bottom.
#[must_use]
pub fn arrange(net: Net) -> Plan {
    let (stations, mut top) = stations(&net);
    let mut plan = Plan::blank(net, Shape::Tall, WIDTH, 0.0);
    plan.stations = stations;
    for id in plan.net.queues() {
        let workers = plan.net.workers_of(id);
        let crew = workers.iter().map(|&w| count(&plan.net, w)).sum();
        let queue = platforms::tall(&plan.net, id, top, crew);
        let floor = queue.acked_note.at.y + 8.0;
        let (left, width) = BERTH;
        let ground = Ground { left, top: floor + 16.0, width, height: 560.0 };
        let column = berths::column(&plan.net, &workers, ground);
        top = column.bottom.max(floor) + 40.0;
        join(&mut plan, &queue, column);
        plan.queues.push(queue);
    }
    upstream(&mut plan);
    plan.height = (top - 40.0).max(90.0) + 4.0;
    outside(&mut plan);
    plan
}

fn count(net: &Net, workers: ComponentId) -> usize {
    match net.part(workers).role {
        Role::Workers { count, .. } => usize::from(count),
        _ => 0,
    }
}

fn of_role(net: &Net, of: fn(&Role) -> bool) -> Vec<ComponentId> {
    net.ids().filter(|(_, part)| of(&part.role)).map(|(id, _)| id).collect()
}

/// One source and one service stand on one line, with how often it sends under the source; more of
/// either stand two by two, sources above.
fn stations(net: &Net) -> (Vec<Station>, f64) {
    let sources = of_role(net, |role| matches!(role, Role::Source { .. }));
    let services = of_role(net, |role| matches!(role, Role::Service { .. }));
    if sources.len() <= 1 && services.len() <= 1 {
        let all = sources.into_iter().chain(services).zip([22.0, 136.0]);
        let source = |id| matches!(net.part(id).role, Role::Source { .. });
        let placed = all.map(|(id, x)| Station {
            id,
            at: at(x, 26.0),
            radius: 16.0,
            name: if x < 40.0 {
                Label::from(at(0.0, 60.0), 90.0)
            } else {
                Label::around(at(x, 60.0), 100.0)
            },
            sub: source(id).then(|| Label::from(at(0.0, 75.0), 110.0)),
        });
        let placed: Vec<Station> = placed.collect();
        let height = if placed.iter().any(|s| s.sub.is_some()) { 92.0 } else { 76.0 };
        return (placed, height);
    }
    let mut placed = Vec::new();
    let mut y = 26.0;
    for group in [sources, services] {
        for pair in group.chunks(2) {
            for (&id, x) in pair.iter().zip([22.0, 176.0]) {
                placed.push(Station {
                    id,
                    at: at(x, y),
                    radius: 16.0,
                    name: Label::from(at(x + 24.0, y - 1.0), BESIDE),
                    sub: Some(Label::from(at(x + 24.0, y + 14.0), BESIDE)),
                });
            }
            y += STATION;
        }
    }
    (placed, y)
}

fn upstream(plan: &mut Plan) {
    let mut edges = Vec::new();
    // Names under the rings leave the line free; names beside them do not.
    let on_one_line = plan.stations.iter().all(|s| s.name.at.y > s.at.y + s.radius);
    let turn = plan.stations.iter().map(|s| s.at.y).fold(0.0, f64::max) + 32.0;
    for (id, part) in plan.net.ids() {
        let targets: Vec<ComponentId> = match &part.role {
            Role::Source { to, .. } => vec![*to],
            Role::Service { to, .. } => to.clone(),
            _ => Vec::new(),
        };
        let Some(from) = plan.stations.iter().find(|s| s.id == id).map(|s| s.at) else { continue };
        for to in targets {
            let ends = (End::Component(id), End::Component(to));
            if let Some(station) = plan.stations.iter().find(|s| s.id == to) {
                let corners = request_way(from, station.at);
                edges.push(edge(EdgeKind::Request, ends, &corners, 28.0));
            } else if let Some(q) = plan.queues.iter().position(|q| q.id == to) {
                let door = at(INTO, plan.queues[q].offer.y);
                let corners = match (q, on_one_line) {
                    (0, true) => vec![from, at(INTO, from.y), door],
                    (0, false) => vec![from, at(from.x, turn), at(INTO, turn), door],
                    // Further queues name their producers by a stub of line from above.
                    _ => vec![door.moved(0.0, -48.0), door],
                };
                edges.push(edge(EdgeKind::Publish, ends, &corners, 13.0));
            }
        }
    }
    plan.edges.extend(edges);
}

fn request_way(from: Point, to: Point) -> Vec<Point> {
    if (from.y - to.y).abs() < 0.1 {
        return vec![from, to];
    }
    let turn = to.y - 32.0;
    vec![from, at(from.x, turn), at(to.x, turn), to]
}

/// A line through these corners; what travels on it keeps clear of the ring at its start and stops
/// `short` of its end.
fn edge(kind: EdgeKind, (from, to): (End, End), corners: &[Point], short: f64) -> Edge {
    let mut inner = corners.to_vec();
    let last = inner.len() - 1;
    inner[0] = toward(inner[0], inner[1], 28.0);
    inner[last] = toward(inner[last], inner[last - 1], short);
    Edge {
        kind,
        from,
        to,
        track: Track::through(corners, 14.0),
        ride: Track::through(&inner, 14.0),
    }
}

fn toward(from: Point, to: Point, pixels: f64) -> Point {
    let whole = from.distance(to);
    from.toward(to, if whole > pixels { pixels / whole } else { 0.0 })
}

fn join(plan: &mut Plan, queue: &QueuePlace, column: Column) {
    for berth in &column.berths {
        let lines = plan.net.lines(berth.worker.component);
        plan.edges.push(delivery(queue, berth));
        plan.edges.push(ack(queue, berth, lines.iter().position(|l| l.kind == LineKind::Ack)));
    }
    plan.berths.extend(column.berths);
    plan.crews.extend(column.crews);
}

fn delivery(queue: &QueuePlace, berth: &Berth) -> Edge {
    let (line, door) = (queue.row.first.y, berth.stops[0].y);
    let way = |from: &[Point], to: f64| {
        let mut corners = from.to_vec();
        corners.extend([at(DOWN, door), at(to, door)]);
        Track::through(&corners, 14.0)
    };
    let mut ride = way(&[at(queue.row.first.x, line), at(DOWN, line)], berth.stops[0].x);
    if let Some(&first_line) = berth.stops.get(1) {
        ride = ride.on_to(first_line);
    }
    Edge {
        kind: EdgeKind::Delivery,
        from: End::Component(queue.id),
        to: End::Worker(berth.worker),
        track: way(&[at(DOWN, queue.offer.bottom())], berth.frame.x),
        ride,
    }
}

fn ack(queue: &QueuePlace, berth: &Berth, line: Option<usize>) -> Edge {
    let level = queue.hidden.y + 46.0;
    let y = match (berth.form, line) {
        (Form::Full, Some(line)) => berths::stop_of(berth, line).y,
        (Form::Full, None) => berth.frame.bottom() - 14.0,
        (Form::Compact, _) => berth.stops[0].y + 17.0,
    };
    let line = [
        at(berth.frame.right(), y),
        at(ACKS, y),
        at(ACKS, level),
        at(queue.hidden.right() + 9.0, level),
    ];
    let track = Track::through(&line, 10.0);
    Edge {
        kind: EdgeKind::Ack,
        from: End::Worker(berth.worker),
        to: End::Component(queue.id),
        ride: track.clone(),
        track,
    }
}

fn outside(plan: &mut Plan) {
    let externals = of_role(&plan.net, |role| matches!(role, Role::External { .. }));
    if externals.is_empty() {
        return;
    }
    let top = plan.height + 24.0;
    let mut y = top + 34.0;
    for &id in &externals {
        plan.stations.push(Station {
            id,
            at: at(CALLS, y),
            radius: 17.0,
            name: Label::until(at(CALLS - 28.0, y - 3.0), 130.0),
            sub: Some(Label::until(at(CALLS - 28.0, y + 13.0), 130.0)),
        });
        let mut edges = Vec::new();
        for berth in &plan.berths {
            if plan.net.calls_of(berth.worker.component).contains(&id) {
                let lines = plan.net.lines(berth.worker.component);
                edges.push(call(berth, berths::call_exit(berth, lines, id), (id, y)));
            }
        }
        plan.edges.extend(edges);
        y += 60.0;
    }
    let area = Rect::new(40.0, top, WIDTH - 40.0, y - 60.0 + 34.0 - top);
    plan.zone = Some(Zone { area, note: Some(Label::from(at(52.0, top + 22.0), 90.0)) });
    plan.height = area.bottom() + 4.0;
}

fn call(berth: &Berth, exit: Point, (external, y): (ComponentId, f64)) -> Edge {
    let line = [exit, at(CALLS, exit.y), at(CALLS, y - 17.0)];
    let track = Track::through(&line, 11.0);
    Edge {
        kind: EdgeKind::Call,
        from: End::Worker(berth.worker),
        to: End::Component(external),
        ride: track.clone(),
        track,
    }
}
