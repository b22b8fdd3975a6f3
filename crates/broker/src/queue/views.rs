//! Looking into a queue without touching it.

use std::hash::{Hash, Hasher};

use sim::SimTime;

use super::line::Ticket;
use super::slots::{Place, Stored};
use super::{Counts, Delayed, InFlight, Queue, ReceiptHandle};
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

    /// What is on offer, in the order of delivery. Sorts: for views, not for every event.
    pub fn available(&self) -> impl Iterator<Item = MessageId> {
        self.sorted(|stored| match stored.place {
            Place::Available => Some(stored.message),
            Place::Delayed { .. } | Place::InFlight { .. } => None,
        })
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
        hidden.sort_unstable_by_key(|hidden| (hidden.since, hidden.receipt));
        hidden.into_iter()
    }

    /// What is stored and not on offer yet, in the order of sending. Sorts, as above.
    pub fn delayed(&self) -> impl Iterator<Item = Delayed> {
        self.sorted(|stored| match stored.place {
            Place::Delayed { until } => Some(Delayed { message: stored.message, until }),
            Place::Available | Place::InFlight { .. } => None,
        })
    }

    fn sorted<T>(&self, view: impl Fn(&Stored) -> Option<T>) -> impl Iterator<Item = T> {
        let mut views: Vec<(Ticket, T)> = self
            .slots
            .iter()
            .filter_map(|(slot, stored)| view(stored).map(|view| (stored.ticket(slot), view)))
            .collect();
        views.sort_unstable_by_key(|(ticket, _)| *ticket);
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
        let stored = self.sorted(|stored| Some(*stored));
        for stored in stored {
            let Stored { message, sent_at, count, place, .. } = stored;
            (message, sent_at, count, place).hash(state);
            let Stored { receipts_before, latest, received_at, since, .. } = stored;
            (receipts_before, latest, received_at, since).hash(state);
        }
    }
}
