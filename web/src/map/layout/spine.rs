//! The tall map of any scenario: components one under the other, deliveries run down the left side,
//! everything else the right side.

use super::general::{add, beside, nets};
use super::geometry::{Point, Rect, at};
use super::layers::layer;
use super::links::{Link, links};
use super::net::{Net, Role};
use super::places::{self, RING};
use super::plan::{EdgeKind, End, Label, Plan, Shape, Zone};
use super::rails;
use super::sheet::{Bridge, Note, Sheet};
use super::tall::WIDTH;

/// Between two lines of one side.
const PITCH: f64 = 13.0;
/// Between a box and the nearest line.
const CLEAR: f64 = 16.0;
/// Between the outermost line and the edge.
const EDGE: f64 = 5.0;
/// Between two components.
const APART: f64 = 22.0;

/// The width where a map of layers would be too wide.
const BROAD: f64 = 720.0;

/// A line that runs down one side.
#[derive(Clone, Debug)]
struct Side {
    net: usize,
    left: bool,
    /// Where it begins and ends.
    span: (f64, f64),
    /// How far out, from 0.
    lane: usize,
}

/// Lays out a net from top to bottom.
#[must_use]
#[inline(never)]
pub fn arrange(net: Net, shape: Shape) -> Plan {
    let links = links(&net);
    let width = if shape == Shape::Wide { BROAD } else { WIDTH };
    let order = order(&net, &links);
    let nets = nets(&net, &links);
    // The room beside the boxes depends on the lines, whose spans depend on heights alone.
    let tops = tops(&net, &order);
    let mut sides = sides(&net, &links, &nets, &tops);
    let (left, right) = lanes(&mut sides);
    let gutter = |lanes: usize| match lanes {
        0 => 2.0,
        n => CLEAR + EDGE + PITCH * floor(n - 1),
    };
    let area = |id: usize| {
        let (top, h) = tops[id];
        Rect::new(gutter(left), top, width - gutter(left) - gutter(right), h)
    };
    let mut plan = Plan::blank(
        net,
        Shape::Tall,
        width,
        tops.iter().map(|(top, h)| top + h).fold(60.0, f64::max) + 8.0,
    );
    let mut sheet = Sheet::default();
    for &id in &order {
        places::put(&mut plan, &mut sheet, scenario::ComponentId::new(id), area(id));
    }
    zone(&mut plan, &tops);
    lines(&mut plan, &mut sheet, (&links, &nets), &sides, &area);
    plan.sheet = Some(Box::new(sheet));
    plan.shape = shape;
    plan
}

/// The components from above: each after those that send to it, and what it sends to right after it
/// where that is possible. What is not ours comes last.
fn order(net: &Net, links: &[Link]) -> Vec<usize> {
    let count = net.parts.len();
    let (layers, back) = layer(net, links);
    let outside = |id: usize| matches!(net.parts[id].role, Role::External { .. });
    let waits = |id: usize, placed: &[usize]| {
        links.iter().zip(&back).any(|(link, back)| {
            !back && link.to.index() == id && !placed.contains(&link.from.index())
        })
    };
    let mut placed: Vec<usize> = Vec::with_capacity(count);
    let beside = |id: usize| net.is_beside(scenario::ComponentId::new(id));
    while placed.len() < count {
        let free = |id: &usize| !beside(*id) && !placed.contains(id) && !waits(*id, &placed);
        let ready: Vec<usize> = (0..count).filter(free).collect();
        let follows = |id: &&usize| {
            let own = |link: &&Link| link.to.index() == **id;
            links
                .iter()
                .filter(own)
                .filter_map(|link| placed.iter().position(|p| *p == link.from.index()))
                .max()
        };
        let ours = ready.iter().filter(|id| !outside(**id));
        let next = ours.max_by_key(|id| {
            (follows(id).map_or(0, |p| p + 1), usize::MAX - layers[**id], usize::MAX - **id)
        });
        let Some(&next) = next.or_else(|| ready.first()) else { break };
        placed.push(next);
    }
    placed
}

/// The upper edge and the height of every component.
fn tops(net: &Net, order: &[usize]) -> Vec<(f64, f64)> {
    let mut tops = vec![(0.0, 0.0); net.parts.len()];
    let mut y = 4.0;
    let mut outside = false;
    for &id in order {
        if !outside && matches!(net.parts[id].role, Role::External { .. }) {
            // The ground of what is not ours has a title.
            y += 24.0;
            outside = true;
        }
        let size = places::size(net, scenario::ComponentId::new(id), Shape::Tall, WIDTH);
        tops[id] = (y, size.h);
        y += size.h + APART;
    }
    tops
}

/// How high a link leaves and comes in, on every train.
fn heights(net: &Net, link: &Link, tops: &[(f64, f64)]) -> (f64, f64) {
    let entry = |id: scenario::ComponentId| {
        tops[id.index()].0 + places::size(net, id, Shape::Tall, WIDTH).entry
    };
    (entry(link.from) + places::exit(net, link.from, link.kind, link.to), entry(link.to))
}

/// The lines of both sides, each as far as it reaches. A component with several trains is as long.
fn sides(net: &Net, links: &[Link], nets: &[(usize, f64)], tops: &[(f64, f64)]) -> Vec<Side> {
    let mut all: Vec<Side> = Vec::new();
    for (link, &(own, _)) in links.iter().zip(nets) {
        let (from, to) = heights(net, link, tops);
        let trains = |id: scenario::ComponentId| match net.part(id).role {
            Role::Workers { .. } => tops[id.index()].0 + tops[id.index()].1,
            _ => 0.0,
        };
        let low = from.min(to);
        let high = from.max(to).max(trains(link.to)).max(trains(link.from));
        let left = link.kind == EdgeKind::Delivery;
        match all.iter_mut().find(|side| side.net == own && side.left == left) {
            Some(side) => side.span = (side.span.0.min(low), side.span.1.max(high)),
            None => all.push(Side { net: own, left, span: (low, high), lane: 0 }),
        }
    }
    all
}

/// Gives every line the innermost lane that is free where it runs, short lines first.
fn lanes(sides: &mut [Side]) -> (usize, usize) {
    #[allow(clippy::cast_possible_truncation, reason = "a map is a few thousand pixels high")]
    sim::short::sort_by_key(sides, |side| (side.span.1 - side.span.0) as i64);
    let mut counts = [0, 0];
    for i in 0..sides.len() {
        let (before, own) = sides.split_at_mut(i);
        let own = &mut own[0];
        // A line may begin where another ends: there it stops, and goes on.
        let meets = |other: &&Side| {
            other.left == own.left
                && other.span.0 < own.span.1 - 1.0
                && own.span.0 < other.span.1 - 1.0
        };
        let taken: Vec<usize> = before.iter().filter(meets).map(|other| other.lane).collect();
        own.lane = (0..).find(|lane| !taken.contains(lane)).unwrap_or(0);
        let count = &mut counts[usize::from(!own.left)];
        *count = (*count).max(own.lane + 1);
    }
    (counts[0], counts[1])
}

/// The ground under what is not ours.
fn zone(plan: &mut Plan, tops: &[(f64, f64)]) {
    let outside = plan.net.ids().filter(|(_, part)| matches!(part.role, Role::External { .. }));
    let spans = outside.map(|(id, _)| tops[id.index()]);
    let Some((top, bottom)) =
        spans.map(|(top, h)| (top, top + h)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    else {
        return;
    };
    let area = Rect::new(0.0, top - 24.0, plan.width, bottom - top + 26.0);
    plan.height = plan.height.max(area.bottom() + 2.0);
    plan.zone = Some(Zone { area, note: Some(Label::from(at(8.0, top - 8.0), 90.0)) });
}

fn lines(
    plan: &mut Plan,
    sheet: &mut Sheet,
    (links, nets): (&[Link], &[(usize, f64)]),
    sides: &[Side],
    area: &impl Fn(usize) -> Rect,
) {
    let mut drawn: Vec<(usize, Vec<Point>)> = Vec::new();
    let mut positions = Vec::new();
    for (link, &(own, _)) in links.iter().zip(nets) {
        let left = link.kind == EdgeKind::Delivery;
        let Some(side) = sides.iter().find(|side| side.net == own && side.left == left) else {
            continue;
        };
        let out = CLEAR + PITCH * floor(side.lane);
        let here = area(link.from.index());
        let x = if left { here.x - out } else { here.right() + out };
        for (from, start) in ports(plan, link, link.from, &here, left, true) {
            for (to, end) in ports(plan, link, link.to, &area(link.to.index()), left, false) {
                let points = [start, at(x, start.y), at(x, end.y), end];
                drawn.push((own, points.to_vec()));
                add(plan, link.kind, (from, to), &points);
                positions.push(plan.edges.len() - 1);
            }
        }
        if let Some(says) = &link.says {
            let place = beside(sheet, link)
                .unwrap_or_else(|| note(plan, link, area(link.to.index()), sheet));
            sheet.notes.push(Note { place, says: says.clone() });
        }
    }
    let bridges = rails::bridges(&drawn).into_iter();
    sheet.bridges.extend(bridges.map(|(at, line)| Bridge { at, edge: positions[line] }));
}

/// Where a link leaves or comes into a component, once for every train.
fn ports(
    plan: &Plan,
    link: &Link,
    id: scenario::ComponentId,
    area: &Rect,
    left: bool,
    leaves: bool,
) -> Vec<(End, Point)> {
    let size = places::size(&plan.net, id, Shape::Tall, area.w);
    let down = if leaves { places::exit(&plan.net, id, link.kind, link.to) } else { 0.0 };
    let x = match (&plan.net.part(id).role, left) {
        (Role::Scheduler, true) => area.x + RING + 2.0,
        (_, true) => area.x,
        (
            Role::Queue { .. } | Role::Log { .. } | Role::Workers { .. } | Role::Database { .. },
            false,
        ) => area.right(),
        (_, false) if leaves => area.right() - RING - 2.0,
        (_, false) => area.right() - 2.0,
    };
    let all = places::ends(plan, id);
    if all.is_empty() {
        return vec![(End::Component(id), at(x, area.y + size.entry + down))];
    }
    let port = |(end, berth): (End, Option<usize>)| match berth {
        None => (end, at(x, area.y + size.entry + down)),
        Some(berth) => {
            let berth = &plan.berths[berth];
            let x = if left { berth.frame.x } else { berth.frame.right() };
            let own = if leaves {
                places::train_exit(&plan.net, berth, link.kind, link.to)
            } else {
                berth.stops[0].y
            };
            (end, at(x, own))
        }
    };
    all.into_iter().map(port).collect()
}

/// Beside the name of where a line leads: further down for each that stands there already.
fn note(plan: &Plan, link: &Link, area: Rect, sheet: &Sheet) -> Label {
    let name = match plan.net.part(link.to).role {
        Role::Queue { .. } => {
            sheet.yards.iter().find(|yard| yard.id == link.to).map(|yard| yard.plate.right())
        }
        _ => None,
    };
    match name {
        Some(name) => {
            Label::until(at(area.right() - 2.0, area.y + 17.0), area.right() - name - 10.0)
        }
        None => Label::from(at(area.x + 2.0, area.y - 6.0), area.w - 60.0),
    }
}

#[allow(clippy::cast_precision_loss, reason = "a map has few of anything")]
fn floor(count: usize) -> f64 {
    count as f64
}
