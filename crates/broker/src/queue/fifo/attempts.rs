//! Repeating a receive whose answer was lost.
//!
//! A receive may carry a `ReceiveRequestAttemptId`. Repeated with the same id within five minutes and
//! while the messages are still hidden, it is answered with the same messages and the same receipts,
//! and their visibility timeout begins anew. Once one of them was deleted or had its timeout changed,
//! the service refuses ("not valid anymore since the receive call is not retryable"). Once they
//! lapsed, or after the five minutes, it is a receive like any other. (API, `ReceiveMessage`.)

use sim::SimTime;

use crate::queue::kind::ATTEMPT_WINDOW;
use crate::queue::{AttemptId, Delivery};

/// The answers that can still be asked for again.
#[derive(Clone, Debug, Default, Hash)]
pub(in crate::queue) struct Attempts {
    answers: Vec<(AttemptId, Answer)>,
}

/// The answer to a receive.
#[derive(Clone, Debug, Hash)]
pub(in crate::queue) struct Answer {
    /// When it was first given.
    pub at: SimTime,
    pub deliveries: Vec<Delivery>,
}

impl Attempts {
    /// Takes the answer to a receive out, if there is one that still counts.
    pub fn take(&mut self, now: SimTime, attempt: AttemptId) -> Option<Answer> {
        self.answers.retain(|(_, answer)| answer.at + ATTEMPT_WINDOW > now);
        let index = self.answers.iter().position(|(id, _)| *id == attempt)?;
        Some(self.answers.remove(index).1)
    }

    /// Keeps an answer, or puts one back that was taken.
    pub fn keep(&mut self, attempt: AttemptId, answer: Answer) {
        self.answers.push((attempt, answer));
    }
}
