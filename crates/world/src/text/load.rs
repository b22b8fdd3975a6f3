//! The lines of attempts, of loads, and of how many processes there are.

use std::fmt::{self, Write};

use scenario::Side;
use sim::SimTime;

use super::Line;
use crate::What;

impl<W: Write> Line<'_, W> {
    /// The events of attempts.
    pub(super) fn attempt(&mut self, what: What) -> fmt::Result {
        match what {
            What::BrownoutBegan { external, percent, until } => {
                self.words("brownout-began", &[&external, &percent, &"until", &until])
            }
            What::BrownoutEnded { external } => self.words("brownout-ended", &[&external]),
            What::SpikeBegan { source, percent, until } => {
                self.words("spike-began", &[&source, &percent, &"until", &until])
            }
            What::SpikeEnded { source } => self.words("spike-ended", &[&source]),
            What::TimedOut { source, message, attempt } => {
                self.words("timed-out", &[&source, &message, &"attempt", &attempt])
            }
            What::Answered { source, message, attempt } => {
                self.words("answered", &[&source, &message, &"attempt", &attempt])
            }
            What::AnsweredLate { source, message, attempt } => {
                self.words("answered-late", &[&source, &message, &"attempt", &attempt])
            }
            What::Retrying { by, message, attempt, at } => {
                self.words("retrying", &[&by, &message, &"attempt", &attempt, &"at", &at])
            }
            What::RetryDenied { by, message } => self.words("retry-denied", &[&by, &message]),
            What::GaveUp { by, message, attempts } => {
                self.words("gave-up", &[&by, &message, &"after", &attempts])
            }
            What::CallRefused { external, message, caller } => {
                self.words("call-refused", &[&external, &message, &caller])
            }
            What::Shed { at, message, class } => {
                self.words("shed", &[&at, &message, &"class", &u32::from(class)])
            }
            What::BreakerTurned { by, state } => self.words("breaker", &[&by, &state]),
            other => self.change(other),
        }
    }

    /// The events of processes that come and go, and of links.
    fn change(&mut self, what: What) -> fmt::Result {
        match what {
            What::Scaled { component, from, to } => {
                self.words("scaled", &[&component, &"from", &from, &"to", &to])
            }
            What::Skewed { worker, clock } => {
                let (side, by) = clock.side();
                let side = match side {
                    Side::Right => "right",
                    Side::Ahead => "ahead",
                    Side::Behind => "behind",
                };
                self.words("skewed", &[&worker, &side, &(SimTime::ZERO + by)])
            }
            What::Stopped { worker } => self.words("stopped", &[&worker]),
            What::DeployBegan { component } => self.words("deploy-began", &[&component]),
            What::DeployEnded { component } => self.words("deploy-ended", &[&component]),
            What::CutBegan { from, to, until } => {
                self.words("cut-began", &[&from, &to, &"until", &until])
            }
            What::CutEnded { from, to } => self.words("cut-ended", &[&from, &to]),
            What::LostOnTheWay { from, to, message } => {
                self.words("lost-on-the-way", &[&from, &to, &message])
            }
            other => self.worker(other),
        }
    }
}
