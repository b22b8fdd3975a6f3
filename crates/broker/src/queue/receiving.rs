//! Receiving: what is on offer is handed out and hidden, or moved aside.

use sim::{SimDuration, SimTime};

use super::fifo::attempts::Answer;
use super::order::Order;
use super::slots::Place;
use super::{
    AttemptId, Delivery, Queue, RECEIVE_MAX, ReceiveError, Received, Sample, VISIBILITY_MAX,
    WAIT_MAX,
};

/// A receive with all that it can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Poll {
    /// How many messages at most: 1 to [`RECEIVE_MAX`].
    pub max: u32,
    /// How long they are hidden; `None`: as the queue has it.
    pub visibility: Option<SimDuration>,
    /// Zero is a short poll, up to [`WAIT_MAX`] a long one.
    pub wait: SimDuration,
    /// What a repetition of this receive is told by. Other queues than FIFO queues take no notice.
    pub attempt: Option<AttemptId>,
    /// What a short poll sees of the queue; `None`: all. FIFO queues take no notice, nor do long
    /// polls.
    pub sample: Option<Sample>,
}

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
        let poll = Poll { max, visibility, wait, attempt: None, sample: None };
        self.poll(now, poll, received)
    }

    /// The same with all that a receive can say.
    ///
    /// # Errors
    /// [`ReceiveError`]: nothing was received.
    pub fn poll(
        &mut self,
        now: SimTime,
        poll: Poll,
        received: &mut Received,
    ) -> Result<(), ReceiveError> {
        let Poll { max, visibility, wait, attempt, sample } = poll;
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
        let timeout = visibility.unwrap_or(self.settings.visibility_timeout);
        if let Some(attempt) = attempt
            && self.repeat(now, attempt, timeout, received)?
        {
            return Ok(());
        }
        let limit = self.settings.max_in_flight;
        let room = limit.saturating_sub(self.counts.in_flight);
        if room == 0 {
            let told = wait.is_zero() && self.order.fifo().is_none();
            return if told { Err(ReceiveError::OverLimit { limit }) } else { Ok(()) };
        }
        let (wanted, sample) = (max.min(room) as usize, sample.filter(|_| wait.is_zero()));
        match self.order {
            Order::FirstSent => self.take(now, wanted, timeout, sample, received),
            Order::Fair(_) => self.take_fairly(now, wanted, timeout, sample, received),
            Order::Fifo(_) => self.take_in_groups(now, wanted, timeout, received),
        }
        if timeout.is_zero() {
            self.show_again(received);
        }
        if let Some(attempt) = attempt {
            let deliveries = received.deliveries.clone();
            self.remember(attempt, Answer { at: now, deliveries });
        }
        self.tidy();
        Ok(())
    }

    /// Whether a receive would bring something about now: a delivery, or a move aside. In constant
    /// time; what is due and not settled yet is left out of account.
    #[must_use]
    pub fn has_deliverable(&self) -> bool {
        let room = self.counts.in_flight < self.settings.max_in_flight;
        room && match &self.order {
            Order::Fifo(fifo) => fifo.groups.next().is_some(),
            Order::FirstSent | Order::Fair(_) => self.counts.available > 0,
        }
    }

    /// Hands out what is on offer, by first send, until `wanted` messages are delivered.
    fn take(
        &mut self,
        now: SimTime,
        wanted: usize,
        timeout: SimDuration,
        sample: Option<Sample>,
        received: &mut Received,
    ) {
        let mut unseen = Vec::new();
        while received.deliveries.len() < wanted {
            let Some(ticket) = self.ready.pop() else { break };
            let Some(stored) = self.slots.get_mut(ticket) else { continue };
            if sample.is_some_and(|sample| !sample.sees(ticket.order)) {
                unseen.push(ticket);
                continue;
            }
            stored.in_line = false;
            if stored.place != Place::Available {
                // An old receipt hid it while it stood in line.
                continue;
            }
            if !self.move_aside(ticket.slot, received) {
                self.hand_out(ticket.slot, now, timeout, received);
            }
        }
        for ticket in unseen {
            self.ready.push(ticket);
        }
    }

    /// Moves a message to the dead-letter queue if it was received too often. Says whether it did.
    pub(super) fn move_aside(&mut self, slot: u32, received: &mut Received) -> bool {
        let Some(limit) = self.settings.max_receive_count else { return false };
        let stored = self.slots.at(slot);
        if stored.count < limit {
            return false;
        }
        received.dead.push(stored.dead_letter(self.name));
        self.take_out(slot);
        true
    }

    /// Delivers a message and hides it.
    pub(super) fn hand_out(
        &mut self,
        slot: u32,
        now: SimTime,
        timeout: SimDuration,
        received: &mut Received,
    ) {
        let until = now + timeout;
        let stored = self.slots.at(slot);
        stored.count += 1;
        stored.received_at = now;
        stored.since = now;
        let (message, count, first_sent) = (stored.message, stored.count, stored.sent_at);
        let (group, source) = (stored.group, stored.source);
        let sequence = matches!(self.order, Order::Fifo(_)).then(|| stored.sequence());
        let receipt = self.slots.issue(slot);
        received.deliveries.push(Delivery {
            message,
            receipt,
            count,
            until,
            first_sent,
            group,
            sequence,
            source,
        });
        if !timeout.is_zero() {
            self.hide(slot, now, until);
        }
    }

    /// Puts back in line what was delivered without being hidden: not within the same receive.
    fn show_again(&mut self, received: &Received) {
        for delivery in &received.deliveries {
            let slot = delivery.receipt.slot;
            let stored = self.slots.at(slot);
            if !stored.in_line {
                stored.in_line = true;
                self.ready.push(stored.ticket(slot));
            }
            self.order.offer(stored, slot);
        }
    }
}
