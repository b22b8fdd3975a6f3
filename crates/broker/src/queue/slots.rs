//! The memory of a queue: one slot a message, used again when the message has left.

use sim::SimTime;

use super::line::Ticket;
use super::{DeadLetter, GroupId, QueueId, ReceiptHandle, SequenceNumber};
use crate::MessageId;

/// A message in the queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stored {
    pub message: MessageId,
    /// When it was first sent, here or in the queue that it was moved from.
    pub sent_at: SimTime,
    /// Its number among all that came into this queue.
    pub order: u64,
    /// How often it was received.
    pub count: u32,
    pub place: Place,
    /// Whether a ticket of it stands in the line of the available.
    pub in_line: bool,
    /// How many receipts the queue had given out when the message came in: those are not its.
    pub receipts_before: u32,
    /// The receipt of the latest receive; 0 before the first.
    pub latest: u32,
    /// When that was.
    pub received_at: SimTime,
    /// When its hidden time last changed.
    pub since: SimTime,
    pub group: Option<GroupId>,
    /// The queue that it was moved from.
    pub source: Option<QueueId>,
}

/// Where a message is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    Delayed { until: SimTime },
    Available,
    InFlight { until: SimTime },
}

impl Stored {
    pub fn ticket(&self, slot: u32) -> Ticket {
        Ticket { sent_at: self.sent_at, order: self.order, slot }
    }

    /// The message on its way out of the queue of that name.
    pub fn dead_letter(&self, source: Option<QueueId>) -> DeadLetter {
        let &Self { message, sent_at, count, group, .. } = self;
        DeadLetter { message, sent_at, count, group, source }
    }

    pub fn sequence(&self) -> SequenceNumber {
        SequenceNumber(self.order + 1)
    }
}

/// What a receipt stands for.
pub(super) enum Found {
    /// The queue never gave it out.
    Nothing,
    /// A message that has left the queue.
    Gone,
    /// The message in this slot.
    Slot(u32),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    slots: Vec<Option<Stored>>,
    free: Vec<u32>,
    /// Receipts given out so far.
    receipts: u32,
    /// Messages that came in so far.
    arrived: u64,
}

impl Slots {
    /// Stores a message and answers with its ticket.
    pub fn insert(&mut self, letter: DeadLetter, place: Place) -> Ticket {
        let stored = Stored {
            message: letter.message,
            sent_at: letter.sent_at,
            order: self.arrived,
            count: letter.count,
            place,
            in_line: false,
            receipts_before: self.receipts,
            latest: 0,
            received_at: SimTime::ZERO,
            since: SimTime::ZERO,
            group: letter.group,
            source: letter.source,
        };
        self.arrived += 1;
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            u32::try_from(self.slots.len() - 1).expect("a run holds fewer than 2^32 messages")
        });
        self.slots[slot as usize] = Some(stored);
        stored.ticket(slot)
    }

    /// Empties an occupied slot.
    pub fn remove(&mut self, slot: u32) {
        self.slots[slot as usize] = None;
        self.free.push(slot);
    }

    pub fn clear(&mut self) {
        self.free.clear();
        self.slots.fill(None);
        self.free.extend((0..self.slots.len() as u32).rev());
    }

    /// The message that a ticket was given to, unless it has left.
    pub fn get(&self, ticket: Ticket) -> Option<&Stored> {
        self.slots[ticket.slot as usize].as_ref().filter(|stored| stored.order == ticket.order)
    }

    /// The same, to change it.
    pub fn get_mut(&mut self, ticket: Ticket) -> Option<&mut Stored> {
        self.slots[ticket.slot as usize].as_mut().filter(|stored| stored.order == ticket.order)
    }

    /// The message in a slot, if there is one.
    pub fn peek(&self, slot: u32) -> Option<&Stored> {
        self.slots.get(slot as usize)?.as_ref()
    }

    /// The message in an occupied slot.
    pub fn at(&mut self, slot: u32) -> &mut Stored {
        self.slots[slot as usize].as_mut().expect("the caller has found a message here")
    }

    /// Gives out a receipt for the message in a slot.
    pub fn issue(&mut self, slot: u32) -> ReceiptHandle {
        self.receipts += 1;
        let issue = self.receipts;
        self.at(slot).latest = issue;
        ReceiptHandle { issue, slot }
    }

    pub fn find(&self, receipt: ReceiptHandle) -> Found {
        let given_out = (1..=self.receipts).contains(&receipt.issue);
        match self.slots.get(receipt.slot as usize) {
            Some(Some(stored)) if given_out && receipt.issue > stored.receipts_before => {
                Found::Slot(receipt.slot)
            }
            Some(_) if given_out => Found::Gone,
            _ => Found::Nothing,
        }
    }

    pub fn receipts(&self) -> u32 {
        self.receipts
    }

    pub fn arrived(&self) -> u64 {
        self.arrived
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Every message with its slot, in the order of slots.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Stored)> {
        self.slots
            .iter()
            .enumerate()
            .filter_map(|(slot, stored)| stored.as_ref().map(|stored| (slot as u32, stored)))
    }
}
