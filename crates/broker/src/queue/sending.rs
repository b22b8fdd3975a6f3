//! Sending: a message is stored, or dropped as a duplicate, or turned down.

use sim::{SimDuration, SimTime};

use super::fifo::deduplication::Original;
use super::slots::Place;
use super::{
    DELAY_MAX, DeadLetter, Deduplicate, DeduplicationId, Entry, Kind, Novelty, Queue, SendError,
    Sent, SequenceNumber,
};

impl Queue {
    /// Stores a message; the answer is the queue's confirm.
    ///
    /// In a standard queue the same message may be sent again: the queue then holds two copies that
    /// know nothing of each other. A FIFO queue confirms a duplicate with the original's identity
    /// and sequence number, and stores nothing.
    ///
    /// # Errors
    /// [`SendError`]: nothing was stored.
    pub fn send(&mut self, now: SimTime, entry: Entry) -> Result<Sent, SendError> {
        let limit = self.settings.max_message_bytes;
        if entry.bytes == 0 {
            return Err(SendError::Empty);
        }
        if entry.bytes > limit {
            return Err(SendError::TooLarge { bytes: entry.bytes, limit });
        }
        let delay = self.delay(&entry)?;
        let id = self.address(&entry)?;
        let Entry { message, group, .. } = entry;
        if let (Some(id), Some(fifo)) = (id, self.order.fifo_mut())
            && let Some(original) = fifo.memory.find(now, group, id)
        {
            let Original { message, sequence, visible_at } = original;
            let (novelty, sequence) = (Novelty::Duplicate, Some(sequence));
            return Ok(Sent { message, novelty, sequence, visible_at });
        }
        let visible_at = now + delay;
        let letter = DeadLetter { message, sent_at: now, count: 0, group, source: None };
        let number = self.store(now, letter, visible_at);
        let mut sequence = None;
        if let (Some(id), Some(fifo)) = (id, self.order.fifo_mut()) {
            fifo.memory.store(now, group, id, Original { message, sequence: number, visible_at });
            sequence = Some(number);
        }
        Ok(Sent { message, novelty: Novelty::Stored, sequence, visible_at })
    }

    /// Takes over a message that another queue moved aside. It is on offer at once.
    ///
    /// In a standard queue its retention, by this queue's settings, has been running since it was
    /// first sent. In a FIFO queue it starts now, and the message's deduplication id is its own id
    /// from now on; a move is never dropped as a duplicate.
    pub fn accept_dead_letter(&mut self, now: SimTime, mut dead: DeadLetter) {
        let message = dead.message;
        let id = DeduplicationId::Message(message);
        if self.order.fifo().is_some() {
            dead.sent_at = now;
        }
        let sequence = self.store(now, dead, now);
        if let Some(fifo) = self.order.fifo_mut() {
            let original = Original { message, sequence, visible_at: now };
            fifo.memory.store(now, dead.group, id, original);
        }
    }

    /// What the queue tells duplicates by, with what the kind of queue asks for; `None` in a standard
    /// queue.
    pub(super) fn address(&self, entry: &Entry) -> Result<Option<DeduplicationId>, SendError> {
        let Kind::Fifo(fifo) = self.settings.kind else {
            let given = entry.deduplication.is_some();
            return if given { Err(SendError::DeduplicationOnStandard) } else { Ok(None) };
        };
        if entry.group.is_none() {
            return Err(SendError::GroupMissing);
        }
        match (entry.deduplication, fifo.deduplicate) {
            (Some(id), _) => Ok(Some(id)),
            (None, Deduplicate::ByContent) => Ok(Some(DeduplicationId::Body(entry.body))),
            (None, Deduplicate::ById) => Err(SendError::DeduplicationMissing),
        }
    }

    fn delay(&self, entry: &Entry) -> Result<SimDuration, SendError> {
        let own = self.settings.delay;
        match entry.delay {
            Some(given) if self.order.fifo().is_some() && !given.is_zero() => {
                Err(SendError::DelayOnFifo { given })
            }
            Some(given) if given > DELAY_MAX => Err(SendError::DelayOutOfRange { given }),
            Some(given) if self.order.fifo().is_none() => Ok(given),
            _ => Ok(own),
        }
    }

    fn store(&mut self, now: SimTime, letter: DeadLetter, visible_at: SimTime) -> SequenceNumber {
        if self.order.fifo().is_some() {
            // What comes on offer now does so before the new message.
            self.settle(now);
        }
        let place = Place::Delayed { until: visible_at };
        let ticket = self.slots.insert(letter, place);
        self.counts.delayed += 1;
        self.stored.push(ticket);
        let stored = self.slots.at(ticket.slot);
        let sequence = stored.sequence();
        if self.order.is_kept() {
            self.order.join(now, stored, ticket.slot);
        }
        if visible_at > now {
            self.deadlines.push(visible_at, ticket);
        } else {
            self.move_to(ticket.slot, Place::Available);
        }
        sequence
    }
}
