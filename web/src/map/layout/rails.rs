//! Rails: where lines run in the channels between layers, and where one goes over another.

use super::geometry::{Point, at};
use super::layers::{Layers, Wire};

/// Between two upright lines.
pub const PITCH: f64 = 18.0;
/// Between a box and the nearest upright line.
pub const CLEAR: f64 = 17.0;
/// Heights that are nearer than this are joined by a diagonal.
const DIAGONAL: f64 = 28.0;

/// An upright line in a channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// Whose it is.
    pub net: usize,
    /// Heights at which it is joined from the layer before.
    before: Vec<f64>,
    /// Heights at which it is joined from the layer after.
    after: Vec<f64>,
}

impl Slot {
    fn span(&self) -> (f64, f64) {
        let all = || self.before.iter().chain(&self.after).copied();
        (all().fold(f64::MAX, f64::min), all().fold(f64::MIN, f64::max))
    }
}

/// The upright lines of each channel, from the left, in the order in which few cross.
#[must_use]
#[inline(never)]
pub fn slots(layers: &Layers) -> Vec<Vec<Slot>> {
    let mut channels: Vec<Vec<Slot>> = vec![Vec::new(); layers.order.len() + 1];
    for wire in &layers.wires {
        for hop in &wire.hops {
            let slots = &mut channels[hop.channel];
            let known = slots.iter().position(|slot| slot.net == wire.net);
            let known = known.unwrap_or_else(|| {
                slots.push(Slot { net: wire.net, before: Vec::new(), after: Vec::new() });
                slots.len() - 1
            });
            for port in [hop.from, hop.to] {
                let y = layers.height(port);
                let slot = &mut slots[known];
                let side = if layers.nodes[port.0].layer < hop.channel {
                    &mut slot.before
                } else {
                    &mut slot.after
                };
                if !side.contains(&y) {
                    side.push(y);
                }
            }
        }
    }
    for slots in &mut channels {
        slots.retain(|slot| {
            let (low, high) = slot.span();
            high - low >= DIAGONAL || slot.before.len() + slot.after.len() > 2
        });
        untangle(slots);
    }
    channels
}

/// Exchanges neighbours as long as that helps.
fn untangle(slots: &mut [Slot]) {
    for _ in 0..slots.len() {
        for i in 1..slots.len() {
            if tangle(&slots[i], &slots[i - 1]) < tangle(&slots[i - 1], &slots[i]) {
                slots.swap(i - 1, i);
            }
        }
    }
}

/// What it costs that one upright line stands left of another: crossings, and much more for level
/// lines that would lie on each other.
fn tangle(left: &Slot, right: &Slot) -> usize {
    let within = |y: &f64, slot: &Slot| {
        let (low, high) = slot.span();
        *y > low + 1.0 && *y < high - 1.0
    };
    let crossed = left.after.iter().filter(|y| within(y, right)).count()
        + right.before.iter().filter(|y| within(y, left)).count();
    let meets = |y: &&f64| right.before.iter().any(|other| (*other - **y).abs() < 10.0);
    crossed + 20 * left.after.iter().filter(meets).count()
}

/// The corners of a wire, without its two ends: where its upright lines begin and end. `x` is where
/// the upright line of a net stands in a channel, or the middle of that channel.
#[must_use]
pub fn corners(layers: &Layers, wire: &Wire, x: impl Fn(usize, usize) -> f64) -> Vec<Point> {
    let mut all = Vec::new();
    for hop in &wire.hops {
        let (a, b) = (layers.height(hop.from), layers.height(hop.to));
        let x = x(hop.channel, wire.net);
        let rise = (b - a).abs();
        let side = |node: usize| layers.nodes[node].layer < hop.channel;
        let (before, after) = (side(hop.from.0), side(hop.to.0));
        if rise < 0.01 {
            continue;
        }
        if rise < DIAGONAL && before != after {
            let half = if before { rise / 2.0 } else { -rise / 2.0 };
            all.extend([at(x - half, a), at(x + half, b)]);
        } else {
            all.extend([at(x, a), at(x, b)]);
        }
    }
    all
}

/// Where the upright pieces of some lines go over level pieces of others, each place once, with
/// the position of the line on top. Lines of one net join instead.
#[must_use]
#[inline(never)]
pub fn bridges(lines: &[(usize, Vec<Point>)]) -> Vec<(Point, usize)> {
    let mut all: Vec<(Point, usize)> = Vec::new();
    for (over, (net, upright)) in lines.iter().enumerate() {
        for (_, level) in lines.iter().filter(|(other, _)| other != net) {
            for a in upright.windows(2).filter(|a| (a[0].x - a[1].x).abs() < 0.01) {
                for b in level.windows(2).filter(|b| (b[0].y - b[1].y).abs() < 0.01) {
                    let place = at(a[0].x, b[0].y);
                    let inside =
                        between(place.y, a[0].y, a[1].y) && between(place.x, b[0].x, b[1].x);
                    if inside && !all.iter().any(|(known, _)| known.distance(place) < 1.0) {
                        all.push((place, over));
                    }
                }
            }
        }
    }
    all
}

/// Whether a value lies well between two others.
fn between(value: f64, a: f64, b: f64) -> bool {
    value > a.min(b) + 7.0 && value < a.max(b) - 7.0
}
