//! Looking into a queue without touching it.

use std::hash::{Hash, Hasher};

use sim::SimTime;
use sim::short::sort_unstable_by_key;

use super::fair::Tenants;
use super::line::Ticket;
use super::order::Order;
use super::slots::{Place, Stored};
use super::{Counts, Delayed, GroupId, InFlight, Queue, ReceiptHandle};
use crate::MessageId;

impl Queue {
    /// How many messages are in which state, in constant time.
    #[must_use]
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// When the oldest message on offer was first sent, in constant time.
    #[must_use]
    pub fn oldest_sent(&self) -> Option<SimTime> {
        self.ready.front().map(|ticket| ticket.sent_at)
    }

    /// What is on offer, in the order of delivery, and then what is [`Queue::blocked`]. Sorts: for
    /// views, not for every event.
    pub fn available(&self) -> impl Iterator<Item = MessageId> {
        let slots: Vec<u32> = match &self.order {
            Order::FirstSent => {
                let available = |stored: &Stored| stored.place == Place::Available;
                self.sorted(|slot, stored| available(stored).then_some(slot)).collect()
            }
            Order::Fair(tenants) => tenants.deliverable().map(|ticket| ticket.slot).collect(),
            Order::Fifo(fifo) => {
                let groups = &fifo.groups;
                groups.deliverable().chain(groups.blocked()).collect()
            }
        };
        slots.into_iter().filter_map(|slot| self.slots.peek(slot)).map(|stored| stored.message)
    }

    /// What is visible and yet not on offer: in a FIFO queue, what stands behind a hidden message of
    /// its own group, by group.
    pub fn blocked(&self) -> impl Iterator<Item = MessageId> {
        let blocked = self.order.fifo().into_iter().flat_map(|fifo| fifo.groups.blocked());
        blocked.filter_map(|slot| self.slots.peek(slot)).map(|stored| stored.message)
    }

    /// The tenants that a fair queue took for noisy at its last receive.
    pub fn noisy(&self) -> impl Iterator<Item = GroupId> {
        self.order.fair().into_iter().flat_map(Tenants::noisy)
    }

    /// The slot of what a receive would take first.
    pub(super) fn next_slot(&self) -> Option<u32> {
        match &self.order {
            Order::FirstSent => self.ready.front().map(|ticket| ticket.slot),
            Order::Fair(tenants) => tenants.deliverable().next().map(|ticket| ticket.slot),
            Order::Fifo(fifo) => fifo.groups.deliverable().next(),
        }
    }

    /// What is received, hidden and not deleted, hidden longest first. Sorts, as above.
    pub fn in_flight(&self) -> impl Iterator<Item = InFlight> {
        let mut hidden: Vec<_> = self
            .slots
            .iter()
            .filter_map(|(slot, stored)| match stored.place {
                Place::InFlight { until } => {
                    let receipt = ReceiptHandle { issue: stored.latest, slot };
                    let (message, since) = (stored.message, stored.since);
                    Some(InFlight { message, receipt, since, until })
                }
                Place::Available | Place::Delayed { .. } => None,
            })
            .collect();
        sort_unstable_by_key(&mut hidden, |hidden| (hidden.since, hidden.receipt));
        hidden.into_iter()
    }

    /// What is stored and not on offer yet, in the order of sending. Sorts, as above.
    pub fn delayed(&self) -> impl Iterator<Item = Delayed> {
        self.sorted(|_, stored| match stored.place {
            Place::Delayed { until } => Some(Delayed { message: stored.message, until }),
            Place::Available | Place::InFlight { .. } => None,
        })
    }

    fn sorted<T>(&self, view: impl Fn(u32, &Stored) -> Option<T>) -> impl Iterator<Item = T> {
        let mut views: Vec<(Ticket, T)> = self
            .slots
            .iter()
            .filter_map(|(slot, stored)| view(slot, stored).map(|view| (stored.ticket(slot), view)))
            .collect();
        sort_unstable_by_key(&mut views, |(ticket, _)| *ticket);
        views.into_iter().map(|(_, view)| view)
    }
}

/// Queues hash alike when they hold the same and will answer alike, whatever is left over in their
/// memory from messages that have gone.
impl Hash for Queue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.settings.hash(state);
        self.purged_at.hash(state);
        self.late.hash(state);
        self.slots.receipts().hash(state);
        self.counts.hash(state);
        self.name.hash(state);
        self.order.hash(state);
        if self.order.fifo().is_some() {
            // What its sequence numbers will go on from.
            self.slots.arrived().hash(state);
        }
        let stored = self.sorted(|_, stored| Some(*stored));
        for stored in stored {
            let Stored { message, sent_at, count, place, .. } = stored;
            (message, sent_at, count, place).hash(state);
            let Stored { receipts_before, latest, received_at, since, .. } = stored;
            (receipts_before, latest, received_at, since).hash(state);
            (stored.group, stored.source).hash(state);
        }
    }
}
