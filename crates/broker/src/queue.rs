//! A work queue with the rules of Amazon SQS: standard, fair or FIFO.
//!
//! The rules are those of the Amazon SQS developer guide and API reference
//! (<https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/>), and where these
//! leave something open, those recorded from the service by the tests of LocalStack
//! (`tests/aws/services/sqs/test_sqs.py`, marked `aws.validated`).
//!
//! | rule | source |
//! | --- | --- |
//! | a receive hides the message for its visibility timeout and gives out a new receipt | guide, "visibility timeout" |
//! | a change sets the timeout anew from now, for this receive only, up to 12 h since the receive | API, `ChangeMessageVisibility` |
//! | an old receipt still changes the timeout, also after a later receive | `test_terminate_visibility_timeout_after_receive` |
//! | a delete is idempotent, and works after the timeout if nobody received the message since | API, `DeleteMessage`, and those tests |
//! | a receive beyond `max_receive_count` moves the message aside and does not return it | guide, "dead-letter queues" |
//! | in the dead-letter queue, identity, sent time and receive count go on | guide, "dead-letter queue retention" |
//! | retention runs from the first send, in flight too | guide, "message quotas" |
//! | a message's own delay replaces the queue's, zero included | API, `SendMessage` |
//! | a purge takes what is visible, hidden and delayed, once in 60 s | API, `PurgeQueue` |
//! | at the cap of messages in flight, a short poll is an error and a long poll is empty | guide, "message quotas" |
//! | a FIFO queue | see `fifo.rs` |
//! | a fair queue serves quiet tenants first | guide, "How Amazon SQS fair queues work" |
//! | a batch has an answer for each entry | see `batch.rs` |
//! | a redrive takes messages back as new ones, at a velocity | see `move_task.rs` |
//! | a body above the limit travels as a reference | see `claim_check.rs` |
//! | a short poll may see a part of the queue | see `sample.rs` |
//!
//! A standard queue promises no order. Here a message is always served in the order in which it was
//! first sent, and one that comes back takes its old place: an order that the product may show, and
//! the one that makes a run repeatable.

mod answers;
mod batch;
mod claim_check;
mod deadlines;
mod error;
mod fair;
mod fifo;
mod identity;
mod kind;
mod line;
#[cfg(test)]
mod memory_tests;
mod move_task;
mod order;
mod receipt;
mod receiving;
mod sample;
mod sending;
mod settings;
mod slots;
mod views;

use sim::{SimDuration, SimTime};

pub use answers::{
    Counts, DeadLetter, Delayed, Deleted, Delivery, Entry, InFlight, Lapse, Novelty, Received, Sent,
};
pub use batch::{Answers, BATCH_MAX, BatchEntry, BatchError, Change};
pub use claim_check::{
    BodyTooLarge, CLAIM_CHECK_MAX, CLAIM_CHECK_THRESHOLD, Carriage, ClaimCheck, Offload,
};
pub use error::{ChangeError, DeleteError, PurgeError, ReceiveError, SendError};
pub use identity::{AttemptId, BodyId, DeduplicationId, GroupId, QueueId, SequenceNumber};
pub use kind::{
    ATTEMPT_WINDOW, DEDUPLICATION_WINDOW, Deduplicate, FAIR_CALM, FAIR_IN_FLIGHT,
    FAIR_SHARE_PERCENT, Fairness, Fifo, Kind, Scope,
};
pub use move_task::{MoveTask, Redriven, TaskStatus, VELOCITY_MAX, Velocity, VelocityError};
pub use receipt::ReceiptHandle;
pub use receiving::Poll;
pub use sample::Sample;
pub use settings::{
    DELAY_MAX, IN_FLIGHT_MAX, MESSAGE_BYTES_MAX, MESSAGE_BYTES_MIN, PURGE_INTERVAL,
    RECEIVE_COUNT_MAX, RECEIVE_MAX, RETENTION_MAX, RETENTION_MIN, Receipts, Settings,
    SettingsError, VISIBILITY_MAX, WAIT_MAX,
};

use deadlines::Deadlines;
use line::Line;
use order::Order;
use slots::{Found, Place, Slots, Stored};

/// A work queue.
///
/// It has no clock: every request says when it comes in, and [`Queue::next_deadline`] says when
/// time alone will change something. Requests must not go back in time. Of one instant, requests
/// about a receipt count before deadlines, and deadlines before a receive. In a FIFO queue, where a
/// receipt expires with its timeout, deadlines come before everything.
#[derive(Clone, Debug)]
pub struct Queue {
    settings: Settings,
    name: Option<QueueId>,
    slots: Slots,
    counts: Counts,
    /// What is on offer.
    ready: Line,
    order: Order,
    /// All that is stored, for retention.
    stored: Line,
    deadlines: Deadlines,
    /// What fell due before anybody called [`Queue::advance`].
    late: Vec<Lapse>,
    purged_at: Option<SimTime>,
}

impl Queue {
    /// An empty queue. Settings are taken as they are, also outside of the product's ranges: to
    /// hold them to those, call [`Settings::validate`] first.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            name: None,
            slots: Slots::default(),
            counts: Counts::default(),
            ready: Line::default(),
            order: Order::new(settings.kind),
            stored: Line::default(),
            deadlines: Deadlines::default(),
            late: Vec::new(),
            purged_at: None,
        }
    }

    /// The same with a name, which its dead letters carry.
    #[must_use]
    pub fn named(settings: Settings, name: QueueId) -> Self {
        Self { name: Some(name), ..Self::new(settings) }
    }

    /// The settings.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings. Retention and limits hold for all messages from now on; delay and
    /// visibility timeout only for those sent and received from now on, except that a FIFO queue
    /// applies a new delay to what is delayed already. The kind stays what it is.
    pub fn set_settings(&mut self, settings: Settings) {
        let kind = self.settings.kind.changed_to(settings.kind);
        let delay = self.settings.delay;
        self.settings = Settings { kind, ..settings };
        if self.order.fifo().is_some() && self.settings.delay != delay {
            self.delay_anew();
        }
    }

    /// Hides a message for `timeout` from now, or shows it at once with a timeout of zero. Answers
    /// with the time at which it is on offer again. Any receipt of the message will do, except in a
    /// FIFO queue: there it must be the one under which the message is hidden.
    ///
    /// # Errors
    /// [`ChangeError`]: nothing was changed.
    pub fn change_visibility(
        &mut self,
        now: SimTime,
        receipt: ReceiptHandle,
        timeout: SimDuration,
    ) -> Result<SimTime, ChangeError> {
        if timeout > VISIBILITY_MAX {
            return Err(ChangeError::OutOfRange { given: timeout });
        }
        self.settle_before(now);
        let slot = match self.slots.find(receipt) {
            Found::Nothing => return Err(ChangeError::UnknownReceipt),
            Found::Gone => return Err(ChangeError::NoSuchMessage),
            Found::Slot(slot) => slot,
        };
        let until = now + timeout;
        if self.expired(slot, receipt) {
            return Err(ChangeError::Expired { message: self.slots.at(slot).message });
        }
        let stored = self.slots.at(slot);
        let total = until - stored.received_at;
        if total > VISIBILITY_MAX && !timeout.is_zero() {
            return Err(ChangeError::TooLong { total });
        }
        stored.since = now;
        self.hide(slot, now, until);
        self.tidy();
        Ok(until)
    }

    /// Deletes a message: the consumer's ack.
    ///
    /// # Errors
    /// [`DeleteError`]: the message stays.
    pub fn delete(&mut self, now: SimTime, receipt: ReceiptHandle) -> Result<Deleted, DeleteError> {
        self.settle_before(now);
        let slot = match self.slots.find(receipt) {
            Found::Nothing => return Err(DeleteError::UnknownReceipt),
            Found::Gone => return Ok(Deleted::AlreadyGone),
            Found::Slot(slot) => slot,
        };
        let &mut Stored { message, latest, .. } = self.slots.at(slot);
        if self.expired(slot, receipt) {
            return Err(DeleteError::Expired { message });
        }
        if latest != receipt.issue && self.settings.receipts == Receipts::Strict {
            return Err(DeleteError::Superseded { message });
        }
        self.take_out(slot);
        self.tidy();
        Ok(Deleted::Removed(message))
    }

    /// Deletes every message, visible, hidden and delayed; a FIFO queue forgets its deduplication
    /// ids, too. Answers with how many there were.
    ///
    /// # Errors
    /// [`PurgeError`]: nothing was deleted.
    pub fn purge(&mut self, now: SimTime) -> Result<u32, PurgeError> {
        if let Some(until) = self.purged_at.map(|last| last + PURGE_INTERVAL)
            && now < until
        {
            return Err(PurgeError::InProgress { until });
        }
        self.settle_before(now);
        let purged = self.counts.stored();
        self.purged_at = Some(now);
        self.counts = Counts::default();
        self.slots.clear();
        self.ready.clear();
        self.order.clear();
        self.stored.clear();
        self.deadlines.clear();
        Ok(purged)
    }

    /// Hides a message until a moment; not at all if that has come.
    fn hide(&mut self, slot: u32, now: SimTime, until: SimTime) {
        if until > now {
            self.move_to(slot, Place::InFlight { until });
            self.deadlines.push(until, self.slots.at(slot).ticket(slot));
        } else {
            self.move_to(slot, Place::Available);
        }
    }

    /// Moves a message from the place where it is to another, and keeps count.
    fn move_to(&mut self, slot: u32, place: Place) {
        let stored = self.slots.at(slot);
        *self.counts.of(stored.place) -= 1;
        *self.counts.of(place) += 1;
        let from = std::mem::replace(&mut stored.place, place);
        if place == Place::Available && !stored.in_line {
            stored.in_line = true;
            self.ready.push(stored.ticket(slot));
        }
        if self.order.is_kept() {
            self.order.moved(stored, slot, from);
        }
    }

    /// Takes a message out for good.
    fn take_out(&mut self, slot: u32) {
        let stored = self.slots.at(slot);
        *self.counts.of(stored.place) -= 1;
        if self.order.is_kept() {
            self.order.leave(stored, slot);
        }
        self.slots.remove(slot);
    }

    /// Whether a receipt of a FIFO queue is good for nothing any more.
    fn expired(&mut self, slot: u32, receipt: ReceiptHandle) -> bool {
        if self.order.fifo().is_none() {
            return false;
        }
        let &mut Stored { latest, place, .. } = self.slots.at(slot);
        !matches!(place, Place::InFlight { .. }) || latest != receipt.issue
    }

    /// Clears away what messages that left or were hidden have left behind, so that the front of
    /// each line and the next deadline are true, and memory stays in proportion to what is stored.
    /// The line of the available needs no sweep if it is what is served from: while its front stays,
    /// nothing is received, and so no more can go stale behind it than was in flight.
    fn tidy(&mut self) {
        while let Some(ticket) = self.ready.front() {
            match self.slots.get_mut(ticket) {
                Some(stored) if stored.place == Place::Available => break,
                Some(hidden) => hidden.in_line = false,
                None => {}
            }
            self.ready.pop();
        }
        if self.order.is_kept() {
            let slots = &mut self.slots;
            self.ready.sweep(self.counts.available as usize, |ticket| {
                let Some(stored) = slots.get_mut(ticket) else { return false };
                stored.in_line = stored.place == Place::Available;
                stored.in_line
            });
        }
        let (slots, stored) = (&self.slots, self.counts.stored() as usize);
        self.stored.prune(|ticket| slots.get(ticket).is_some());
        self.stored.sweep(stored, |ticket| slots.get(ticket).is_some());
        self.deadlines.prune(slots, self.counts.delayed + self.counts.in_flight);
    }
}
