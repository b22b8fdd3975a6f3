//! Playback: screen time becomes virtual time, and nothing of it reaches the run.

use sim::{SimDuration, SimTime};

use super::{Motion, Playing, Response, Session, Speed};

/// In steps, a frame is held for the virtual time to the next event, but at least and at most this
/// many milliseconds: long enough to read, short enough not to wait.
const HELD_MS: (f64, f64) = (350.0, 2_000.0);

/// "As fast as it can" shows the rest of the run in about this many frames.
const FRAMES: usize = 150;

/// What a tick did.
#[derive(Clone, Debug, PartialEq)]
pub enum Ticked {
    /// Virtual time stands.
    Still,
    /// The playhead moved, and no event lies between.
    Moved,
    /// Events passed: the picture must be drawn again.
    Passed(Vec<Response>),
}

impl Session {
    /// Lets `screen_ms` milliseconds of screen time pass.
    pub fn tick(&mut self, screen_ms: f64) -> Ticked {
        if self.playing == Playing::No {
            return Ticked::Still;
        }
        // A tab that was asleep goes on where it stood; it does not jump.
        let screen_ms = screen_ms.min(100.0);
        let Some(to) = self.next_moment(screen_ms) else { return Ticked::Still };
        let before = self.now;
        let ended = to >= self.end();
        if !ended && !self.passes(to) {
            self.now = to;
            return Ticked::Moved;
        }
        self.look(to);
        let mut out = Vec::new();
        self.pass(before, &mut out);
        if ended {
            self.playing = Playing::No;
        }
        Ticked::Passed(out)
    }

    /// Where the playhead goes next. `None`: it is held where it is.
    fn next_moment(&mut self, screen_ms: f64) -> Option<SimTime> {
        let trace = self.player.trace();
        let events = self.frame.events;
        let next = trace.get(events).map_or(self.end(), |event| event.at);
        if self.motion == Motion::Steps {
            let gap = (next - self.now.min(next)).as_secs_f64() * 1e3;
            let held = match self.speed {
                Speed::Times(times) => (gap / times).clamp(HELD_MS.0, HELD_MS.1),
                Speed::AsFastAsItCan => HELD_MS.0,
            };
            self.held_ms += screen_ms;
            return (self.held_ms >= held).then_some(next);
        }
        match self.speed.virtual_time(screen_ms) {
            Some(long) => Some((self.now + long).min(self.end())),
            None => {
                let hop = (trace.len() / FRAMES).max(1);
                let at = trace.get(events + hop - 1).map_or(self.end(), |event| event.at);
                Some(at.max(self.now + SimDuration::from_micros(1)).min(self.end()))
            }
        }
    }

    /// Notes which beats the playhead has come by since `before`, and whether that was the last.
    pub(super) fn pass(&mut self, before: SimTime, out: &mut Vec<Response>) {
        for (position, beat) in self.beats.iter().enumerate() {
            if beat.at > before && beat.at <= self.now
                || before == SimTime::ZERO && beat.at == before
            {
                self.reached = self.reached.max(position + 1);
                out.push(Response::Beat(position));
            }
        }
        if self.now >= self.end() && !self.seen_to_the_end {
            self.seen_to_the_end = true;
            out.push(Response::Ended);
            if self.reached >= self.beats.len() {
                out.push(Response::Complete);
            }
        }
    }
}
