//! What the passing of time does to a queue: delays end, visibility timeouts run out, messages
//! expire.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use sim::{SimDuration, SimTime};

use super::line::{SLACK, Ticket};
use super::slots::{Place, Slots};
use super::{Lapse, Queue};

/// When hidden messages come on offer, the next one first. A message that left or was hidden anew
/// leaves an outdated entry behind, which is dropped when it comes up.
#[derive(Clone, Debug, Default)]
pub(super) struct Deadlines {
    heap: BinaryHeap<Reverse<Deadline>>,
}

/// Of one instant, the message that was first sent comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Deadline {
    until: SimTime,
    ticket: Ticket,
}

impl Deadline {
    fn stands(self, slots: &Slots) -> bool {
        slots.get(self.ticket).is_some_and(|stored| match stored.place {
            Place::Delayed { until } | Place::InFlight { until } => until == self.until,
            Place::Available => false,
        })
    }
}

impl Deadlines {
    pub fn push(&mut self, until: SimTime, ticket: Ticket) {
        self.heap.push(Reverse(Deadline { until, ticket }));
    }

    /// Drops outdated entries from the front, and all of them once they outnumber the `hidden`
    /// messages.
    pub fn prune(&mut self, slots: &Slots, hidden: u32) {
        while self.heap.peek().is_some_and(|Reverse(next)| !next.stands(slots)) {
            self.heap.pop();
        }
        if self.heap.len() > 2 * hidden as usize + SLACK {
            self.heap.retain(|Reverse(deadline)| deadline.stands(slots));
        }
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    pub fn clear(&mut self) {
        self.heap.clear();
    }

    fn next(&self) -> Option<Deadline> {
        self.heap.peek().map(|Reverse(next)| *next)
    }
}

impl Queue {
    /// Lets time pass: appends all that fell due by `now`, in order of time; within an instant,
    /// what expires comes before what comes on offer, and older messages before younger.
    ///
    /// A caller that is late loses nothing: every other request first settles what is due, and what
    /// came of it is told here.
    pub fn advance(&mut self, now: SimTime, lapses: &mut Vec<Lapse>) {
        self.settle(now);
        lapses.append(&mut self.late);
    }

    /// When [`Queue::advance`] will next have something to tell, if nothing else happens.
    #[must_use]
    pub fn next_deadline(&self) -> Option<SimTime> {
        let visible = self.deadlines.next().map(|next| next.until);
        let expires = self.stored.front().map(|oldest| oldest.sent_at + self.settings.retention);
        match (visible, expires) {
            (Some(visible), Some(expires)) => Some(visible.min(expires)),
            (visible, expires) => visible.or(expires),
        }
    }

    /// Carries out all that is due by `now`.
    pub(super) fn settle(&mut self, now: SimTime) {
        while self.next_deadline().is_some_and(|due| due <= now) {
            let lapse = match (self.deadlines.next(), self.stored.front()) {
                (Some(next), Some(oldest))
                    if next.until < oldest.sent_at + self.settings.retention =>
                {
                    self.come_on_offer(next.ticket)
                }
                (_, Some(oldest)) => self.expire(oldest),
                (_, None) => unreachable!("what has a deadline is stored"),
            };
            self.late.push(lapse);
            self.tidy();
        }
    }

    /// Carries out all that was due before `now`, and leaves what is due at this very instant: a
    /// request that comes in at its deadline is still in time. A FIFO queue leaves nothing: there, a
    /// delete after exactly its timeout was recorded to fail
    /// (`test_fifo_delete_after_visibility_timeout`).
    pub(super) fn settle_before(&mut self, now: SimTime) {
        if self.order.fifo().is_some() {
            return self.settle(now);
        }
        if let Some(before) = now.checked_sub(SimDuration::from_micros(1)) {
            self.settle(before);
        }
    }

    /// Gives what is delayed the delay that the settings have now.
    pub(super) fn delay_anew(&mut self) {
        let delay = self.settings.delay;
        let delayed: Vec<u32> = self
            .slots
            .iter()
            .filter(|(_, stored)| matches!(stored.place, Place::Delayed { .. }))
            .map(|(slot, _)| slot)
            .collect();
        for slot in delayed {
            let stored = self.slots.at(slot);
            let until = stored.sent_at + delay;
            stored.place = Place::Delayed { until };
            self.deadlines.push(until, stored.ticket(slot));
        }
        self.tidy();
    }

    fn come_on_offer(&mut self, ticket: Ticket) -> Lapse {
        let place = self.slots.at(ticket.slot).place;
        self.move_to(ticket.slot, Place::Available);
        let stored = self.slots.at(ticket.slot);
        match place {
            Place::Delayed { .. } => Lapse::DelayOver { message: stored.message },
            _ => Lapse::Visible { message: stored.message, count: stored.count },
        }
    }

    fn expire(&mut self, oldest: Ticket) -> Lapse {
        let message = self.slots.at(oldest.slot).message;
        self.take_out(oldest.slot);
        Lapse::Expired { message }
    }
}
