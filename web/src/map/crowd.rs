//! Many messages on their way at once. Nobody can tell a thousand signs on one line apart, and no
//! browser moves them at the pace of its screen: from so many on each is a dot, all dots of a key are
//! one path, and where they lie closer than a dot shows, one stands for those under it.

use std::rc::Rc;

use broker::MessageId;
use player::{Frame, Travel, fraction};
use sim::SimTime;

use super::layout::{Edge, EdgeKind, Plan, Point, Track, put_point};
use super::motion::edge_of;

/// How many travels are drawn as signs at most.
pub const SIGNS: usize = 160;

/// The colours that keys have.
pub const KEYS: usize = 8;

/// How far along a line two dots are told apart, in pixels: a third of what one covers.
const GRAIN: f64 = 3.0;

/// Dots that move lie over the map. So far from the sign of the message that is followed there is
/// none, in pixels,
const CLEARING: f64 = 15.0;
/// nor where a number stands: so far to each side of its middle, and so far above and below.
const NUMBER: (f64, f64) = (16.0, 10.0);

/// The dots of a frame: what they ride on, and which of them are where when.
#[derive(Clone, Debug, PartialEq)]
pub struct Crowd {
    rides: Vec<Ride>,
    dots: Vec<Dot>,
    /// Those of the message that is followed, which are signs.
    signs: Vec<Dot>,
}

/// A line with dots on it.
#[derive(Clone, Debug, PartialEq)]
struct Ride {
    /// The line's place in the plan.
    edge: usize,
    track: Track,
    /// There and back again, as calls go.
    returns: bool,
    /// How many ride on it.
    count: u32,
}

/// One message on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Dot {
    from: SimTime,
    until: SimTime,
    ride: u16,
    key: u8,
}

impl Crowd {
    /// The crowd of a frame, if it has more on its way than are drawn as signs. The message that is
    /// followed keeps its sign.
    #[must_use]
    #[inline(never)]
    pub fn of(frame: &Frame, plan: &Plan, followed: Option<MessageId>) -> Option<Rc<Crowd>> {
        if frame.travels.len() <= SIGNS {
            return None;
        }
        let mut crowd = Crowd {
            rides: Vec::new(),
            dots: Vec::with_capacity(frame.travels.len()),
            signs: Vec::new(),
        };
        for travel in &frame.travels {
            let Some(ride) = crowd.ride(plan, travel) else { continue };
            let key = frame.message(travel.message).map_or(0, |message| message.key);
            let dot = Dot {
                from: travel.departed,
                until: travel.arrives,
                ride,
                key: (usize::from(key) % KEYS) as u8,
            };
            if Some(travel.message) == followed {
                crowd.signs.push(dot);
            } else {
                crowd.rides[usize::from(ride)].count += 1;
                crowd.dots.push(dot);
            }
        }
        Some(Rc::new(crowd))
    }

    /// The number of the line that something travels on. There are a handful.
    fn ride(&mut self, plan: &Plan, travel: &Travel) -> Option<u16> {
        let edge = edge_of(plan, travel)?;
        let known = self.rides.iter().position(|ride| ride.edge == edge);
        let at = known.unwrap_or_else(|| {
            let Edge { ride, kind, .. } = &plan.edges[edge];
            let returns = *kind == EdgeKind::Call;
            self.rides.push(Ride { edge, track: ride.clone(), returns, count: 0 });
            self.rides.len() - 1
        });
        u16::try_from(at).ok()
    }

    /// The dots at a moment: the key of each, and where it is.
    pub fn each(&self, now: SimTime, mut put: impl FnMut(usize, Point)) {
        let signs: Vec<Point> = self
            .signs
            .iter()
            .map(|sign| self.rides[usize::from(sign.ride)].point_at(sign.share(now)))
            .collect();
        let numbers: Vec<Point> = self.rides.iter().map(Ride::number).collect();
        let is_clear = |point: Point| {
            let hidden =
                |at: &Point| (at.x - point.x).abs() < NUMBER.0 && (at.y - point.y).abs() < NUMBER.1;
            signs.iter().all(|sign| sign.distance(point) > CLEARING) && !numbers.iter().any(hidden)
        };
        let mut taken: Vec<Vec<bool>> = self
            .rides
            .iter()
            .map(|ride| vec![false; (ride.track.length() / GRAIN) as usize + 1])
            .collect();
        for dot in &self.dots {
            let at = usize::from(dot.ride);
            let ride = &self.rides[at];
            let share = ride.way(dot.share(now));
            let place = &mut taken[at][(share * ride.track.length() / GRAIN) as usize];
            if std::mem::replace(place, true) {
                continue;
            }
            let point = ride.track.point_at(share);
            if is_clear(point) {
                put(usize::from(dot.key), point);
            }
        }
    }

    /// The dots of each key at a moment, as the `d` of a path: lines of no length, which round ends
    /// make dots.
    #[must_use]
    pub fn paths(&self, now: SimTime) -> [String; KEYS] {
        let mut paths = [const { String::new() }; KEYS];
        self.each(now, |key, point| {
            put_point(&mut paths[key], 'M', point);
            paths[key].push_str("h0");
        });
        paths
    }

    /// How many are on each line, and where that is said: the middle of the foot of the number.
    pub fn counts(&self) -> impl Iterator<Item = (usize, Point, u32)> {
        self.rides.iter().map(|ride| (ride.edge, ride.number().moved(0.0, 4.0), ride.count))
    }
}

impl Dot {
    /// How much of its way is behind it.
    fn share(&self, now: SimTime) -> f64 {
        fraction(now, self.from, self.until)
    }
}

impl Ride {
    /// How far along the line somebody is who has so much of the way behind them.
    fn way(&self, share: f64) -> f64 {
        if self.returns { 1.0 - (2.0 * share - 1.0).abs() } else { share }
    }

    fn point_at(&self, share: f64) -> Point {
        self.track.point_at(self.way(share))
    }

    /// The middle of the number that says how many there are: halfway, over a line that lies and beside
    /// one that stands.
    fn number(&self) -> Point {
        let [before, middle, after] = [0.48, 0.5, 0.52].map(|share| self.track.point_at(share));
        let stands = (after.y - before.y).abs() > (after.x - before.x).abs();
        if stands { middle.moved(22.0, 0.0) } else { middle.moved(0.0, -18.0) }
    }
}
