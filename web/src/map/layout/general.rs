//! The wide map of any scenario: layers from left to right, lines in the channels between them.

use super::geometry::{Point, Rect, at};
use super::layers::{Layers, Node, layer};
use super::lettering::{Face, width};
use super::links::{Link, links};
use super::net::{Net, Role};
use super::places::{self, BRANCH, RING};
use super::plan::{Edge, EdgeKind, End, Label, Plan, Shape, Zone};
use super::rails::{self, CLEAR, PITCH, Slot};
use super::sheet::{Bridge, Note, Says, Sheet};
use super::spine;
use super::track::Track;

/// The radius of a corner.
const CORNER: f64 = 14.0;
/// Around the map.
const MARGIN: f64 = 10.0;
/// What a binding may take of a line at most.
const NOTE: f64 = 104.0;
/// The room for the words over what is not ours.
const TITLE: f64 = 24.0;
/// The width that a small map is spread to.
const SPREAD: f64 = 880.0;
/// The width that a map is spread to which is too broad for anything to stand beside it.
const BROAD: f64 = 1180.0;
/// The width up to which a map has room beside a transcript; its lettering would be too small there.
pub const ROOM: f64 = 968.0;
/// The width beyond which the lettering of a map would be too small in a page.
const WIDEST: f64 = 1280.0;

/// Where everything stands in a wide map.
struct Board {
    layers: Layers,
    slots: Vec<Vec<Slot>>,
    /// The left edge of each layer, and its width.
    columns: Vec<(f64, f64)>,
    /// The room for words at the right of each channel.
    notes: Vec<f64>,
    left: f64,
    right: f64,
    /// Above everything: room for the words over what is not ours.
    head: f64,
}

/// Lays out a net from left to right.
#[must_use]
#[inline(never)]
pub fn arrange(net: Net) -> Plan {
    let links = links(&net);
    let board = Board::of(&net, &links);
    if board.right + MARGIN > WIDEST {
        return spine::arrange(net, Shape::Wide);
    }
    let mut plan = Plan::blank(
        net,
        Shape::Wide,
        board.right + MARGIN,
        board.head + board.layers.bottom() + MARGIN,
    );
    let mut sheet = Sheet::default();
    for node in &board.layers.nodes {
        if let Some(id) = node.part {
            places::put(&mut plan, &mut sheet, id, board.area(node));
        }
    }
    zone(&mut plan, &board);
    lines(&mut plan, &mut sheet, &board, &links);
    plan.sheet = Some(Box::new(sheet));
    plan
}

impl Board {
    fn of(net: &Net, links: &[Link]) -> Board {
        let (places, _) = layer(net, links);
        let nodes = net.ids().zip(&places).map(|((id, _), &layer)| {
            let size = places::size(net, id, Shape::Wide, 0.0);
            let places::Size { w, h, entry } = size;
            match net.is_beside(id) {
                // It stands on the ground of its queue, and needs none of its own.
                true => {
                    Node { part: None, layer, w: 0.0, h: 0.0, entry: 0.0, top: 0.0, back: true }
                }
                false => Node { part: Some(id), layer, w, h, entry, top: 0.0, back: false },
            }
        });
        let layers = Layers::of(nodes.collect(), links, &nets(net, links));
        let slots = rails::slots(&layers);
        let mut board = Board {
            layers,
            slots,
            columns: Vec::new(),
            notes: Vec::new(),
            left: MARGIN,
            right: 0.0,
            head: MARGIN,
        };
        let outside = |node: &&Node| {
            node.part.is_some_and(|id| matches!(net.part(id).role, Role::External { .. }))
        };
        let tops = board.layers.nodes.iter().filter(outside).map(|node| node.top);
        board.head += (TITLE - tops.fold(TITLE, f64::min)).max(0.0);
        board.spread(links, 0.0);
        let spread = if board.right + MARGIN > ROOM { BROAD } else { SPREAD };
        let spare = spread - board.right;
        if spare > 0.0 {
            // Longer lines first, and the rest on both sides.
            let between = floor(board.order().len().saturating_sub(1));
            let more = (spare / between.max(1.0)).min(64.0);
            board.left += ((spare - more * between) / 2.0).floor();
            board.spread(links, more);
            board.right = board.right.max(spread);
        }
        board
    }

    /// Gives every layer and channel its width.
    fn spread(&mut self, links: &[Link], more: f64) {
        let mut x = self.left;
        (self.columns, self.notes) = (Vec::new(), Vec::new());
        for channel in 0..=self.order().len() {
            let slots = self.slots[channel].len();
            let note = self.layers.wires.iter().filter(|wire| {
                // Words stand in the channel after the component that sends.
                wire.hops.first().is_some_and(|hop| hop.channel == channel)
            });
            let note = note.map(|wire| words(links[wire.link].says.as_ref())).fold(0.0, f64::max);
            self.notes.push(note);
            let outer = channel == 0 || channel == self.order().len();
            if !outer || slots > 0 {
                let uprights = PITCH * floor(slots.saturating_sub(1));
                x += 2.0 * CLEAR + uprights + if note > 0.0 { note + 10.0 } else { 0.0 };
            }
            if !outer {
                x += more;
            }
            if let Some(order) = self.order().get(channel) {
                let wide = order.iter().map(|&node| self.layers.nodes[node].w).fold(0.0, f64::max);
                self.columns.push((x, wide));
                x += wide;
            }
        }
        self.right = x;
    }

    fn order(&self) -> &[Vec<usize>] {
        &self.layers.order
    }

    /// Where a component stands.
    fn area(&self, node: &Node) -> Rect {
        let (left, wide) = self.columns[node.layer];
        Rect::new(left + (wide - node.w) / 2.0, self.head + node.top, node.w, node.h)
    }

    /// Where the upright line of a net stands in a channel.
    fn upright(&self, channel: usize, net: usize) -> f64 {
        let left = match channel.checked_sub(1).and_then(|before| self.columns.get(before)) {
            Some((left, wide)) => left + wide,
            None => self.left,
        };
        let slot = self.slots[channel].iter().position(|slot| slot.net == net);
        left + CLEAR + PITCH * floor(slot.unwrap_or(0))
    }

    /// The corners of a link's line between its two ends.
    fn corners(&self, wire: usize) -> Vec<Point> {
        let wire = &self.layers.wires[wire];
        let mut all = rails::corners(&self.layers, wire, |channel, net| self.upright(channel, net));
        all.iter_mut().for_each(|corner| corner.y += self.head);
        all
    }
}

/// What the words of a line take of it.
fn words(says: Option<&Says>) -> f64 {
    match says {
        // Turns stand beside the plate of the queue.
        None | Some(Says::Turn(_) | Says::Weight(_)) => 0.0,
        Some(Says::Text(text)) => (width(text, Face::Sub) + 4.0).min(NOTE),
        Some(Says::Otherwise) => 70.0,
    }
}

/// The line that each link is part of, and how far below the entry of its component it leaves:
/// what leaves at one place and is drawn in one way is one line that branches.
#[must_use]
pub fn nets(net: &Net, links: &[Link]) -> Vec<(usize, f64)> {
    let exits: Vec<_> =
        links.iter().map(|link| places::exit(net, link.from, link.kind, link.to)).collect();
    let same = |i: usize, j: usize| {
        let calls = |k: usize| links[k].kind == EdgeKind::Call;
        links[i].from == links[j].from && calls(i) == calls(j) && (exits[i] - exits[j]).abs() < 0.1
    };
    let first = |i: usize| (0..i).find(|&j| same(i, j)).unwrap_or(i);
    (0..links.len()).map(|i| (first(i), exits[i])).collect()
}

#[allow(clippy::cast_precision_loss, reason = "a map has few of anything")]
fn floor(count: usize) -> f64 {
    count as f64
}

/// The ground under what is not ours.
fn zone(plan: &mut Plan, board: &Board) {
    let mut outside = plan.net.ids().filter(|(_, part)| matches!(part.role, Role::External { .. }));
    let Some((first, _)) = outside.next() else { return };
    let (left, wide) = board.columns[board.layers.nodes[first.index()].layer];
    let all = board.layers.nodes.iter().filter(|node| {
        node.part.is_some_and(|id| matches!(plan.net.part(id).role, Role::External { .. }))
    });
    let tops = all.map(|node| (board.area(node).y, board.area(node).bottom()));
    let (top, bottom) = tops.fold((f64::MAX, 0.0), |a, b| (b.0.min(a.0), b.1.max(a.1)));
    let top = top - TITLE;
    let area = Rect::new(left - 6.0, top, wide + 12.0, bottom - top + 4.0);
    plan.width = plan.width.max(area.right() + 2.0);
    let note = Label::around(at(area.centre().x, area.y + 16.0), wide);
    plan.zone = Some(Zone { area, note: Some(note) });
}

/// Every line, with what stands on it, and where it goes over others.
fn lines(plan: &mut Plan, sheet: &mut Sheet, board: &Board, links: &[Link]) {
    let mut drawn: Vec<(usize, Vec<Point>)> = Vec::new();
    for (i, link) in links.iter().enumerate() {
        let wire = &board.layers.wires[i];
        let inner = board.corners(i);
        for (from, start) in starts(plan, board, link) {
            for (to, end) in doors(plan, board, link) {
                let mut points = start.clone();
                points.extend_from_slice(&inner);
                points.extend_from_slice(&end);
                drawn.push((wire.net, points.clone()));
                add(plan, link.kind, (from, to), &points);
            }
        }
        if let Some(says) = &link.says {
            let place = beside(sheet, link).unwrap_or_else(|| note(board, i));
            sheet.notes.push(Note { place, says: says.clone() });
        }
    }
    sheet.bridges.extend(
        rails::bridges(&drawn)
            .into_iter()
            .map(|(at, edge)| Bridge { at, edge: edge_of(plan, edge) }),
    );
}

/// The position of the nth line that is drawn: acks ride on the lines of deliveries.
fn edge_of(plan: &Plan, nth: usize) -> usize {
    let drawn = plan.edges.iter().enumerate().filter(|(_, edge)| edge.kind != EdgeKind::Ack);
    drawn.map(|(i, _)| i).nth(nth).unwrap_or(0)
}

/// Where a link leaves its component, and the corners up to its column's edge.
fn starts(plan: &Plan, board: &Board, link: &Link) -> Vec<(End, Vec<Point>)> {
    let node = &board.layers.nodes[link.from.index()];
    let area = board.area(node);
    let down = places::exit(&plan.net, link.from, link.kind, link.to);
    let y = area.y + node.entry + down;
    let from = |(end, berth): (End, Option<usize>)| match berth {
        None => (end, vec![at(exit_x(plan, board, link), y)]),
        Some(berth) => {
            let berth = &plan.berths[berth];
            let own = places::train_exit(&plan.net, berth, link.kind, link.to);
            let x = area.right() - if link.kind == EdgeKind::Call { 14.0 } else { 8.0 };
            (end, vec![at(berth.frame.right(), own), at(x, own), at(x, y)])
        }
    };
    let all = places::ends(plan, link.from);
    if all.is_empty() {
        return vec![(End::Component(link.from), vec![at(area.right(), y)])];
    }
    all.into_iter().map(from).collect()
}

/// Where a line leaves what is not a train: the middle of a ring, or the edge of a platform.
fn exit_x(plan: &Plan, board: &Board, link: &Link) -> f64 {
    let area = board.area(&board.layers.nodes[link.from.index()]);
    match plan.net.part(link.from).role {
        Role::Queue { .. } | Role::Log { .. } | Role::Workers { .. } | Role::Database { .. } => {
            area.right()
        }
        _ => area.centre().x,
    }
}

/// Where a link comes into its component, with the corners after its column's edge.
fn doors(plan: &Plan, board: &Board, link: &Link) -> Vec<(End, Vec<Point>)> {
    let node = &board.layers.nodes[link.to.index()];
    let area = board.area(node);
    let y = area.y + node.entry;
    let into = |(end, berth): (End, Option<usize>)| match berth {
        None => {
            let x = match plan.net.part(link.to).role {
                Role::Queue { .. } | Role::Log { .. } | Role::Database { .. } => area.x,
                _ => area.centre().x - RING,
            };
            (end, vec![at(x, y)])
        }
        Some(berth) => {
            let berth = &plan.berths[berth];
            let (x, own) = (area.x + BRANCH / 2.0, berth.stops[0].y);
            (end, vec![at(x, y), at(x, own), at(berth.frame.x, own)])
        }
    };
    let all = places::ends(plan, link.to);
    if all.is_empty() {
        return vec![(End::Component(link.to), vec![at(area.x + BRANCH, y)])];
    }
    all.into_iter().map(into).collect()
}

/// Adds a line, and the way back of the acks of its deliveries.
pub fn add(plan: &mut Plan, kind: EdgeKind, (from, to): (End, End), points: &[Point]) {
    let track = Track::through(points, CORNER);
    let mut inner = points.to_vec();
    // A delivery begins where its message stood on the platform, or at the ring of a scheduler.
    let ring = plan.stations.iter().any(|station| End::Component(station.id) == from);
    shorten(&mut inner, kind, ring || kind != EdgeKind::Delivery, matches!(to, End::Worker(_)));
    let mut ride = Track::through(&inner, CORNER);
    if let End::Worker(worker) = to
        && let Some(berth) = plan.berth(worker)
    {
        let stops = [berth.stops.first(), berth.stops.get(1)];
        for stop in stops.into_iter().flatten() {
            ride = ride.on_to(*stop);
        }
    }
    if kind == EdgeKind::Delivery {
        inner.reverse();
        let ride = Track::through(&inner, CORNER);
        plan.edges.push(Edge {
            kind: EdgeKind::Ack,
            from: to,
            to: from,
            track: Track::default(),
            ride,
        });
    }
    plan.edges.push(Edge { kind, from, to, track, ride });
}

/// What travels keeps clear of the rings and platforms at the ends of its line.
fn shorten(points: &mut [Point], kind: EdgeKind, clear: bool, door: bool) {
    let toward = |from: Point, to: Point, pixels: f64| {
        let whole = from.distance(to);
        from.toward(to, if whole > pixels { pixels / whole } else { 0.0 })
    };
    if kind == EdgeKind::Call || points.len() < 2 {
        return;
    }
    let last = points.len() - 1;
    if clear {
        points[0] = toward(points[0], points[1], 30.0);
    }
    if !door {
        points[last] = toward(points[last], points[last - 1], 13.0);
    }
}

/// Words over the level piece with which a line ends its first channel.
fn note(board: &Board, wire: usize) -> Label {
    let hop = board.layers.wires[wire].hops[0];
    let y = board.head + board.layers.height(hop.to);
    let right = board.columns[hop.channel].0 - 6.0;
    Label::until(at(right, y - 8.0), board.notes[hop.channel].max(20.0))
}

/// Beside the plate of a queue: in which turn it is served.
#[must_use]
pub fn beside(sheet: &Sheet, link: &Link) -> Option<Label> {
    let turn = matches!(link.says, Some(Says::Turn(_) | Says::Weight(_)));
    let yard = sheet.yards.iter().find(|yard| turn && yard.id == link.from)?;
    let right = yard.offer.right() - 2.0;
    Some(Label::until(at(right, yard.plate.y + 17.0), right - yard.plate.right() - 8.0))
}
