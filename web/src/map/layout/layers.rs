//! Layers: which component stands in which column, in which order, and how high.
//!
//! After K. Sugiyama, S. Tagawa and M. Toda, "Methods for visual understanding of hierarchical
//! system structures" (IEEE Transactions on Systems, Man, and Cybernetics 11, 1981): links that lead
//! back are set apart, what is left is layered by its longest way, long links get a place in every
//! layer that they pass, the order in a layer follows the mean of its neighbours.

use scenario::ComponentId;

use super::links::Link;
use super::net::{Net, Role};
use super::places::GRID;

/// Between two boxes in a layer.
const APART: f64 = 26.0;
/// The height that a passing line takes.
const PASSING: f64 = 24.0;

/// Something in a layer: a component, or a line that passes.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Which component; `None` for a line that passes.
    pub part: Option<ComponentId>,
    /// The layer it is in.
    pub layer: usize,
    /// Its width.
    pub w: f64,
    /// Its height.
    pub h: f64,
    /// How far below its upper edge lines come in.
    pub entry: f64,
    /// Its upper edge.
    pub top: f64,
    /// Whether it is a line on its way back, which runs below everything.
    pub back: bool,
}

/// One end of a hop: a node, and how far below its entry.
pub type Port = (usize, f64);

/// A piece of a link that crosses one channel between two layers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hop {
    /// The channel: the one before the layer of the same number.
    pub channel: usize,
    /// Where it comes from.
    pub from: Port,
    /// Where it goes.
    pub to: Port,
}

/// A link as a way through layers.
#[derive(Clone, Debug, PartialEq)]
pub struct Wire {
    /// Which link.
    pub link: usize,
    /// Those that leave a component at one place are one line that branches.
    pub net: usize,
    /// Its pieces.
    pub hops: Vec<Hop>,
}

/// Components in layers, and the links between them.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Layers {
    /// Everything that has a place: first the components, in order.
    pub nodes: Vec<Node>,
    /// The nodes of each layer from above, without those on their way back.
    pub order: Vec<Vec<usize>>,
    /// The links.
    pub wires: Vec<Wire>,
}

/// The layer of each component, and whether each link leads back.
#[must_use]
pub fn layer(net: &Net, links: &[Link]) -> (Vec<usize>, Vec<bool>) {
    let count = net.parts.len();
    let mut back = vec![false; links.len()];
    let mut seen = vec![Seen::Not; count];
    let source = |id: usize| matches!(net.parts[id].role, Role::Source { .. });
    for first in [true, false] {
        for start in (0..count).filter(|&id| source(id) == first) {
            descend(start, links, &mut seen, &mut back);
        }
    }
    let mut layers: Vec<usize> = vec![0; count];
    // As many rounds as the longest way has links.
    for _ in 0..count {
        for (link, _) in links.iter().zip(&back).filter(|(_, back)| !**back) {
            let (from, to) = (link.from.index(), link.to.index());
            layers[to] = layers[to].max(layers[from] + 1);
        }
    }
    // A source stands right before what it sends to.
    for id in (0..count).filter(|&id| source(id)) {
        let next = links.iter().filter(|link| link.from.index() == id);
        let next = next.map(|link| layers[link.to.index()]).min();
        layers[id] = next.unwrap_or(1).saturating_sub(1);
    }
    // What is not ours stands together, behind everything.
    let outside = |id: usize| matches!(net.parts[id].role, Role::External { .. });
    let last = (0..count).filter(|&id| !outside(id)).map(|id| layers[id] + 1).max().unwrap_or(0);
    for id in (0..count).filter(|&id| outside(id)) {
        layers[id] = last;
    }
    (layers, back)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Not,
    OnTheWay,
    Done,
}

fn descend(id: usize, links: &[Link], seen: &mut [Seen], back: &mut [bool]) {
    if seen[id] != Seen::Not {
        return;
    }
    seen[id] = Seen::OnTheWay;
    for (i, link) in links.iter().enumerate().filter(|(_, link)| link.from.index() == id) {
        let to = link.to.index();
        match seen[to] {
            Seen::OnTheWay => back[i] = true,
            Seen::Not => descend(to, links, seen, back),
            Seen::Done => {}
        }
    }
    seen[id] = Seen::Done;
}

/// Links as they go through layers, while they are being laid.
struct Laying {
    layers: Layers,
    /// The line, the layer, whether on the way back, and the node of each line that passes.
    passing: Vec<(usize, usize, bool, usize)>,
}

impl Laying {
    /// The node of a line where it passes a layer.
    fn pass(&mut self, net: usize, layer: usize, back: bool) -> Port {
        let same = |known: &&(usize, usize, bool, usize)| {
            (known.0, known.1, known.2) == (net, layer, back)
        };
        if let Some(known) = self.passing.iter().find(same) {
            return (known.3, 0.0);
        }
        let node = self.layers.nodes.len();
        self.layers.nodes.push(Node {
            part: None,
            layer,
            w: 0.0,
            h: PASSING,
            entry: PASSING / 2.0,
            top: 0.0,
            back,
        });
        self.passing.push((net, layer, back, node));
        (node, 0.0)
    }

    /// The way of a link.
    fn lay(&mut self, net: usize, from: Port, to: Port) -> Vec<Hop> {
        let (low, high) = (self.layers.nodes[from.0].layer, self.layers.nodes[to.0].layer);
        let mut hops = Vec::new();
        let mut here = from;
        let mut hop = |channel: usize, to: Port| {
            hops.push(Hop { channel, from: here, to });
            here = to;
        };
        if low < high {
            for channel in low + 1..high {
                hop(channel, self.pass(net, channel, false));
            }
            hop(high, to);
        } else {
            // Out on the right, back below everything, and in on the left.
            for layer in (high..=low).rev() {
                hop(layer + 1, self.pass(net, layer, true));
            }
            hop(high, to);
        }
        hops
    }
}

impl Layers {
    /// Layers of components, whose nodes are given in order, for these links; each link with the
    /// line it belongs to, and how far below its start's entry it leaves.
    #[must_use]
    pub fn of(nodes: Vec<Node>, links: &[Link], lines: &[(usize, f64)]) -> Layers {
        let mut laying =
            Laying { layers: Layers { nodes, ..Layers::default() }, passing: Vec::new() };
        for (i, (link, &(net, down))) in links.iter().zip(lines).enumerate() {
            let hops = laying.lay(net, (link.from.index(), down), (link.to.index(), 0.0));
            laying.layers.wires.push(Wire { link: i, net, hops });
        }
        let mut layers = laying.layers;
        let last = layers.nodes.iter().map(|node| node.layer).max().unwrap_or(0);
        layers.order = vec![Vec::new(); last + 1];
        for (i, node) in layers.nodes.iter().enumerate().filter(|(_, node)| !node.back) {
            layers.order[node.layer].push(i);
        }
        layers.reduce();
        layers.stack();
        layers
    }

    /// How high a port lies.
    #[must_use]
    pub fn height(&self, (node, down): Port) -> f64 {
        let node = &self.nodes[node];
        node.top + node.entry + down
    }

    fn hops(&self) -> impl Iterator<Item = &Hop> {
        self.wires.iter().flat_map(|wire| &wire.hops)
    }

    /// The neighbours of a node on one side, each as its own port and that of the neighbour.
    fn neighbours(&self, node: usize, side: Side) -> Vec<(Port, Port)> {
        let layer = self.nodes[node].layer;
        let channel = if side == Side::Before { layer } else { layer + 1 };
        let mut all = Vec::new();
        for hop in self.hops().filter(|hop| hop.channel == channel) {
            for (own, other) in [(hop.from, hop.to), (hop.to, hop.from)] {
                let there = &self.nodes[other.0];
                if own.0 == node && there.layer != layer && !there.back {
                    all.push((own, other));
                }
            }
        }
        all
    }

    /// Puts the nodes of each layer into the order in which few links cross.
    #[inline(never)]
    fn reduce(&mut self) {
        let mut best = (self.crossings(), self.order.clone());
        for round in 0..8 {
            let (side, forward) =
                if round % 2 == 0 { (Side::Before, true) } else { (Side::After, false) };
            for step in 0..self.order.len() {
                let layer = if forward { step } else { self.order.len() - 1 - step };
                self.sort(layer, side);
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.order.clone());
            }
        }
        self.order = best.1;
    }

    /// Sorts a layer by the mean position of each node's neighbours on one side.
    fn sort(&mut self, layer: usize, side: Side) {
        let positions = self.positions();
        let mut keyed: Vec<(i64, usize)> = Vec::with_capacity(self.order[layer].len());
        for (own, &node) in self.order[layer].iter().enumerate() {
            let near = self.neighbours(node, side);
            let sum: i64 = near.iter().map(|(_, other)| positions[other.0] + tilt(other)).sum();
            let key = match i64::try_from(near.len()) {
                Ok(n) if n > 0 => sum / n,
                _ => i64::try_from(own).unwrap_or(0) * STEP,
            };
            keyed.push((key, node));
        }
        sim::short::sort_by_key(&mut keyed, |(key, _)| *key);
        self.order[layer] = keyed.into_iter().map(|(_, node)| node).collect();
    }

    fn positions(&self) -> Vec<i64> {
        let mut positions = vec![0; self.nodes.len()];
        for layer in &self.order {
            for (position, &node) in (0_i64..).zip(layer) {
                positions[node] = position * STEP;
            }
        }
        positions
    }

    fn crossings(&self) -> usize {
        let positions = self.positions();
        let ends: Vec<(usize, i64, i64)> = self
            .hops()
            .filter(|hop| {
                let (a, b) = (&self.nodes[hop.from.0], &self.nodes[hop.to.0]);
                !a.back && !b.back && a.layer != b.layer
            })
            .map(|hop| {
                let (from, to) = (positions[hop.from.0], positions[hop.to.0]);
                (hop.channel, from + tilt(&hop.from), to)
            })
            .collect();
        let cross = |a: &(usize, i64, i64), b: &(usize, i64, i64)| {
            a.0 == b.0 && ((a.1 < b.1 && a.2 > b.2) || (a.1 > b.1 && a.2 < b.2))
        };
        ends.iter()
            .enumerate()
            .map(|(i, a)| ends[i + 1..].iter().filter(|b| cross(a, b)).count())
            .sum()
    }

    /// Gives every node its height: as near as can be to what it is linked with, in the order of
    /// its layer, on the grid.
    #[inline(never)]
    fn stack(&mut self) {
        for layer in 0..self.order.len() {
            self.settle(layer, None);
        }
        // At last everything stands where its messages come from, and lines run straight on.
        let rounds = [Side::Before, Side::After, Side::Before, Side::After, Side::Before];
        for side in rounds {
            for step in 0..self.order.len() {
                let layer = if side == Side::After { self.order.len() - 1 - step } else { step };
                self.settle(layer, Some(side));
            }
        }
        let first =
            self.order.iter().flatten().map(|&node| self.nodes[node].top).fold(f64::MAX, f64::min);
        let shift = (first / GRID).floor() * GRID;
        for node in &mut self.nodes {
            node.top -= shift;
        }
        let bottom = self.bottom();
        let (mut lane, mut nets): (f64, Vec<usize>) = (bottom, Vec::new());
        for wire in 0..self.wires.len() {
            let net = self.wires[wire].net;
            let nodes: Vec<usize> = self.wires[wire].hops.iter().map(|hop| hop.to.0).collect();
            let back = |node: &usize| self.nodes[*node].back;
            if !nodes.iter().any(back) || nets.contains(&net) {
                continue;
            }
            nets.push(net);
            lane = (lane / GRID).ceil() * GRID + 2.0 * GRID;
            let same = |other: &&Wire| other.net == net;
            let all: Vec<usize> = self
                .wires
                .iter()
                .filter(same)
                .flat_map(|wire| &wire.hops)
                .map(|hop| hop.to.0)
                .collect();
            for node in all {
                if self.nodes[node].back {
                    self.nodes[node].top = lane - PASSING / 2.0;
                }
            }
        }
    }

    /// Where the lowest node ends.
    #[must_use]
    pub fn bottom(&self) -> f64 {
        self.nodes.iter().map(|node| node.top + node.h).fold(0.0, f64::max)
    }

    /// Moves the nodes of a layer to where their neighbours on a side want them, as near as
    /// the order and the room between them allow: what runs into each other moves together.
    fn settle(&mut self, layer: usize, side: Option<Side>) {
        /// Nodes that touch: where the first wants to be, for each of how many, and their height.
        struct Block {
            wish: f64,
            count: f64,
            height: f64,
            nodes: usize,
        }
        let mut blocks: Vec<Block> = Vec::new();
        for &node in &self.order[layer] {
            let wish = self.wish(node, side);
            let height = self.nodes[node].h + self.apart(node);
            let mut block = Block { wish, count: 1.0, height, nodes: 1 };
            while let Some(before) = blocks.pop() {
                if before.wish + before.height <= block.wish {
                    blocks.push(before);
                    break;
                }
                let count = before.count + block.count;
                let wish = before.wish * before.count + (block.wish - before.height) * block.count;
                block = Block {
                    wish: wish / count,
                    count,
                    height: before.height + block.height,
                    nodes: before.nodes + block.nodes,
                };
            }
            blocks.push(block);
        }
        let mut order = self.order[layer].iter().copied();
        let mut free = f64::MIN;
        for block in blocks {
            let mut top = block.wish;
            for node in order.by_ref().take(block.nodes) {
                let height = self.nodes[node].h + self.apart(node);
                let entry = self.nodes[node].entry;
                let mut own = ((top + entry) / GRID).round() * GRID - entry;
                if own < free {
                    own = ((free + entry) / GRID).ceil() * GRID - entry;
                }
                self.nodes[node].top = own;
                free = own + height - 0.01;
                top += height;
            }
        }
    }

    fn apart(&self, node: usize) -> f64 {
        if self.nodes[node].part.is_some() { APART } else { 0.0 }
    }

    /// Where a node's upper edge would be if it were alone.
    fn wish(&self, node: usize, side: Option<Side>) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for (own, other) in side.map_or(Vec::new(), |side| self.neighbours(node, side)) {
            sum += self.height(other) - own.1 - self.nodes[node].entry;
            count += 1.0;
        }
        if count > 0.0 { sum / count } else { self.nodes[node].top }
    }
}

/// One position in a layer, fine enough for the ports of one node to differ.
const STEP: i64 = 1024;

/// How much the place where a line leaves its node counts beside the node's position.
fn tilt(other: &Port) -> i64 {
    #[allow(clippy::cast_possible_truncation, reason = "a node is a few hundred pixels high")]
    let down = other.1 as i64;
    down
}

/// One side of a layer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}
