//! Receiving: what is on offer is handed out and hidden, or moved aside.

use sim::{SimDuration, SimTime};

use super::slots::Place;
use super::{Delivery, Queue, RECEIVE_MAX, ReceiveError, Received, VISIBILITY_MAX, WAIT_MAX};

impl Queue {
    /// Receives up to `max` messages (1 to [`RECEIVE_MAX`]) and hides them for `visibility`, or for
    /// the queue's own visibility timeout. `received` is emptied first.
    ///
    /// Whether this is a short or a long poll is the queue's own `receive_wait`; see
    /// [`Queue::receive_waiting`].
    ///
    /// # Errors
    /// [`ReceiveError`]: nothing was received.
    pub fn receive(
        &mut self,
        now: SimTime,
        max: u32,
        visibility: Option<SimDuration>,
        received: &mut Received,
    ) -> Result<(), ReceiveError> {
        self.receive_waiting(now, max, visibility, self.settings.receive_wait, received)
    }

    /// The same with a wait of the request's own: zero is a short poll, up to [`WAIT_MAX`] a long
    /// one. The queue does not wait itself: when the answer is empty, it is the caller that asks
    /// again as soon as something comes on offer.
    ///
    /// # Errors
    /// [`ReceiveError`]: nothing was received.
    pub fn receive_waiting(
        &mut self,
        now: SimTime,
        max: u32,
        visibility: Option<SimDuration>,
        wait: SimDuration,
        received: &mut Received,
    ) -> Result<(), ReceiveError> {
        received.deliveries.clear();
        received.dead.clear();
        if !(1..=RECEIVE_MAX).contains(&max) {
            return Err(ReceiveError::MaxOutOfRange { given: max });
        }
        if let Some(given) = visibility.filter(|timeout| *timeout > VISIBILITY_MAX) {
            return Err(ReceiveError::VisibilityOutOfRange { given });
        }
        if wait > WAIT_MAX {
            return Err(ReceiveError::WaitOutOfRange { given: wait });
        }
        self.settle(now);
        let limit = self.settings.max_in_flight;
        let room = limit.saturating_sub(self.counts.in_flight);
        if room == 0 {
            let short = wait.is_zero();
            return if short { Err(ReceiveError::OverLimit { limit }) } else { Ok(()) };
        }
        let timeout = visibility.unwrap_or(self.settings.visibility_timeout);
        self.take(now, max.min(room) as usize, timeout, received);
        self.tidy();
        Ok(())
    }

    /// Hands out what is on offer until `wanted` messages are delivered.
    fn take(&mut self, now: SimTime, wanted: usize, timeout: SimDuration, received: &mut Received) {
        let until = now + timeout;
        while received.deliveries.len() < wanted {
            let Some(ticket) = self.ready.pop() else { break };
            let Some(stored) = self.slots.get_mut(ticket) else { continue };
            stored.in_line = false;
            if stored.place != Place::Available {
                // An old receipt hid it while it stood in line.
                continue;
            }
            if self.settings.max_receive_count.is_some_and(|limit| stored.count >= limit) {
                received.dead.push(stored.dead_letter());
                self.take_out(ticket.slot);
                continue;
            }
            stored.count += 1;
            stored.received_at = now;
            stored.since = now;
            let (message, count, first_sent) = (stored.message, stored.count, stored.sent_at);
            let receipt = self.slots.issue(ticket.slot);
            received.deliveries.push(Delivery { message, receipt, count, until, first_sent });
            if !timeout.is_zero() {
                self.hide(ticket.slot, now, until);
            }
        }
        if timeout.is_zero() {
            // Not hidden at all: back in line, but not within the same receive.
            for delivery in &received.deliveries {
                let slot = delivery.receipt.slot;
                let stored = self.slots.at(slot);
                stored.in_line = true;
                self.ready.push(stored.ticket(slot));
            }
        }
    }
}
