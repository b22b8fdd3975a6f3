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

/// The dots of a frame: what they ride on, and which of them are where when.
#[derive(Clone, Debug, PartialEq)]
pub struct Crowd {
    rides: Vec<Ride>,
    dots: Vec<Dot>,
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
        let mut crowd = Crowd { rides: Vec::new(), dots: Vec::with_capacity(frame.travels.len()) };
        let others = frame.travels.iter().filter(|travel| Some(travel.message) != followed);
        for travel in others {
            let Some(ride) = crowd.ride(plan, travel) else { continue };
            let key = frame.message(travel.message).map_or(0, |message| message.key);
            crowd.dots.push(Dot {
                from: travel.departed,
                until: travel.arrives,
                ride,
                key: (usize::from(key) % KEYS) as u8,
            });
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
        self.rides[at].count += 1;
        u16::try_from(at).ok()
    }

    /// The dots of each key at a moment, as the `d` of a path: lines of no length, which round ends
    /// make dots.
    #[must_use]
    pub fn paths(&self, now: SimTime) -> [String; KEYS] {
        let mut paths = [const { String::new() }; KEYS];
        let mut taken: Vec<Vec<bool>> = self
            .rides
            .iter()
            .map(|ride| vec![false; (ride.track.length() / GRAIN) as usize + 1])
            .collect();
        for dot in &self.dots {
            let ride = usize::from(dot.ride);
            let Ride { track, returns, .. } = &self.rides[ride];
            let share = fraction(now, dot.from, dot.until);
            let share = if *returns { 1.0 - (2.0 * share - 1.0).abs() } else { share };
            let place = &mut taken[ride][(share * track.length() / GRAIN) as usize];
            if !std::mem::replace(place, true) {
                let path = &mut paths[usize::from(dot.key)];
                put_point(path, 'M', track.point_at(share));
                path.push_str("h0");
            }
        }
        paths
    }

    /// How many are on each line, and where that is said: over its middle.
    pub fn counts(&self) -> impl Iterator<Item = (usize, Point, u32)> {
        let middle = |ride: &Ride| ride.track.point_at(0.5).moved(0.0, -14.0);
        self.rides.iter().map(move |ride| (ride.edge, middle(ride), ride.count))
    }
}
