//! A projection: a view that is kept by reading events in order, some time after they happened.
//!
//! Who writes and then reads the view may not find their own change. Four ways out, cheapest first:
//! the reply to the write brings the new state; the view shows the change as pending; the author is
//! read from the source for a while; the read waits until the view has come to the version that the
//! write answered with. Replaying from the start repeats whatever handling an event does, so effects
//! must be muted then ([`Mode`]).

use std::collections::VecDeque;

use sim::{SimDuration, SimTime};

/// Whether handling an event may do more than change the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// It may: mails go out.
    Live,
    /// It must not: history is read again.
    Replay,
}

/// Whether a view has what one asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Visible {
    /// It has.
    Yes,
    /// It will have, at the earliest then.
    NotBefore(SimTime),
}

/// How fresh a view is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Freshness {
    /// How many events it has yet to read.
    pub behind: u64,
    /// How old the oldest of them is.
    pub lag: SimDuration,
}

/// The position of a view in the log: it sees each event after its own delay.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Projection {
    delay: SimDuration,
    position: u64,
    /// Events that it has yet to see: position, when it happened, when it is seen.
    coming: VecDeque<(u64, SimTime, SimTime)>,
    /// Up to where it has been before it was rewound: what lies there is a replay.
    replay_to: u64,
}

impl Projection {
    /// A view that sees events so long after they happened.
    #[must_use]
    pub const fn new(delay: SimDuration) -> Self {
        Self { delay, position: 0, coming: VecDeque::new(), replay_to: 0 }
    }

    /// Another delay, from the next event on; the order of events is kept.
    pub const fn set_delay(&mut self, delay: SimDuration) {
        self.delay = delay;
    }

    /// An event has happened.
    pub fn happened(&mut self, now: SimTime, position: u64) {
        let after = self.coming.back().map_or(SimTime::ZERO, |(_, _, seen)| *seen);
        self.coming.push_back((position, now, (now + self.delay).max(after)));
    }

    /// Lets time pass: tells the positions of the events that it sees by now, and whether effects
    /// may come of them.
    pub fn advance(&mut self, now: SimTime, seen: &mut Vec<(u64, Mode)>) {
        while let Some((position, _, at)) = self.coming.front().copied() {
            if at > now {
                break;
            }
            self.coming.pop_front();
            self.position = position;
            let mode = if position <= self.replay_to { Mode::Replay } else { Mode::Live };
            seen.push((position, mode));
        }
    }

    /// When it sees the next event.
    #[must_use]
    pub fn next_deadline(&self) -> Option<SimTime> {
        self.coming.front().map(|(_, _, at)| *at)
    }

    /// The last event that it has seen.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.position
    }

    /// How fresh it is.
    #[must_use]
    pub fn freshness(&self, now: SimTime) -> Freshness {
        let oldest = self.coming.front();
        Freshness {
            behind: self.coming.len() as u64,
            lag: oldest.map_or(SimDuration::ZERO, |(_, at, _)| now.saturating_since(*at)),
        }
    }

    /// Whether it shows the event at a position: what a read that waits for its own write asks.
    #[must_use]
    pub fn shows(&self, position: u64) -> Visible {
        if position <= self.position {
            return Visible::Yes;
        }
        let coming = self.coming.iter().find(|(other, _, _)| *other == position);
        Visible::NotBefore(coming.map_or(SimTime::MAX, |(_, _, at)| *at))
    }

    /// Begins again from the start, reading so many events a second; what it had seen before comes
    /// as a replay. `log` gives the positions and times of all events so far.
    pub fn rewind(
        &mut self,
        now: SimTime,
        per_second: u32,
        log: impl Iterator<Item = (u64, SimTime)>,
    ) {
        self.replay_to = self.replay_to.max(self.position);
        self.position = 0;
        self.coming.clear();
        for (place, (position, at)) in (1_u64..).zip(log) {
            let takes = SimDuration::from_micros(place * 1_000_000 / u64::from(per_second.max(1)));
            self.coming.push_back((position, at, now + takes));
        }
    }
}
