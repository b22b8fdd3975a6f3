//! The clocks of processes: what they show, and what is decided by them.
//!
//! The calendar knows one time. A process knows that of its own clock, which stamps what it writes,
//! says when its schedule is due, and whether it believes that it still holds what it was given for a
//! time. How long things take does not depend on what a clock shows.

use broker::MessageId;
use patterns::database::Value;
use scenario::{ComponentId, Skew};
use sim::SimTime;

use crate::fault::Found;
use crate::parts::{Caller, Part};
use crate::world::Context;
use crate::{Outcome, What, WorkerId, World};

impl World {
    /// A process's clock is off by this from now on.
    pub(crate) fn skew(&mut self, cx: &mut Context, id: WorkerId, clock: Skew) -> Found {
        let process = self.process_mut(id);
        let before = std::mem::replace(&mut process.clock, clock);
        if before == clock {
            return Found::Nothing;
        }
        self.emit(cx, What::Skewed { worker: id, clock });
        if matches!(self.parts[id.component.index()], Part::Scheduler(_)) {
            self.clerk_looks_anew(cx, id, clock.seconds() - before.seconds());
        }
        Found::Something
    }

    /// The present time by the clock of whoever runs a handler.
    pub(crate) fn clock_shows(&mut self, runner: Caller) -> Value {
        let now = self.now;
        let clock = self.process_of(runner).map(|process| self.process_mut(process).clock);
        Value::Number(clock.unwrap_or_default().shows(now))
    }

    /// Whether a worker believes that it still has what is in its hands: it compares the end that it
    /// was told with its own clock.
    pub(crate) fn believes_to_hold(&mut self, worker: WorkerId) -> Outcome {
        let now = self.now;
        let clock = self.process_mut(worker).clock;
        match self.hands_mut(worker).delivery.until {
            Some(until) if Skew::NONE.shows(until) <= clock.shows(now) => Outcome::Refused,
            _ => Outcome::Ok,
        }
    }

    /// A worker hears that it has what is in its hands for longer.
    pub(crate) fn hears_of_end(
        &mut self,
        worker: WorkerId,
        queue: ComponentId,
        message: MessageId,
        until: SimTime,
    ) {
        if let Some(hands) = &mut self.worker_mut(worker).hands
            && (hands.delivery.queue, hands.delivery.message) == (queue, message)
        {
            hands.delivery.until = Some(until);
        }
    }
}
