//! A work queue with the rules of an Amazon SQS standard queue.

mod answers;
mod error;
mod receipt;
mod settings;

use sim::{SimDuration, SimTime};

pub use answers::{
    Counts, DeadLetter, Delayed, Deleted, Delivery, Entry, InFlight, Lapse, Received, Sent,
};
pub use error::{ChangeError, DeleteError, PurgeError, ReceiveError, SendError};
pub use receipt::ReceiptHandle;
pub use settings::{
    DELAY_MAX, IN_FLIGHT_MAX, MESSAGE_BYTES_MAX, MESSAGE_BYTES_MIN, PURGE_INTERVAL,
    RECEIVE_COUNT_MAX, RECEIVE_MAX, RETENTION_MAX, RETENTION_MIN, Receipts, Settings,
    SettingsError, VISIBILITY_MAX, WAIT_MAX,
};

use crate::MessageId;

/// A work queue.
#[derive(Clone, Debug, Hash)]
pub struct Queue {
    settings: Settings,
}

#[expect(unused_variables, clippy::unimplemented, reason = "signatures first")]
#[allow(missing_docs, clippy::missing_errors_doc)]
impl Queue {
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings }
    }
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
    }
    pub fn send(&mut self, now: SimTime, entry: Entry) -> Result<Sent, SendError> {
        unimplemented!()
    }
    pub fn accept_dead_letter(&mut self, now: SimTime, dead: DeadLetter) {
        unimplemented!()
    }
    /// Polls as the queue's `receive_wait` says: short (an error at the cap) if zero, else long.
    pub fn receive(
        &mut self,
        now: SimTime,
        max: u32,
        visibility: Option<SimDuration>,
        received: &mut Received,
    ) -> Result<(), ReceiveError> {
        unimplemented!()
    }
    /// The same with the receive's own wait. The queue never waits itself: on an empty answer it
    /// is the caller who asks again when something becomes available.
    pub fn receive_waiting(
        &mut self,
        now: SimTime,
        max: u32,
        visibility: Option<SimDuration>,
        wait: SimDuration,
        received: &mut Received,
    ) -> Result<(), ReceiveError> {
        unimplemented!()
    }
    /// Answers with the time at which the message is on offer again.
    pub fn change_visibility(
        &mut self,
        now: SimTime,
        receipt: ReceiptHandle,
        timeout: SimDuration,
    ) -> Result<SimTime, ChangeError> {
        unimplemented!()
    }
    pub fn delete(&mut self, now: SimTime, receipt: ReceiptHandle) -> Result<Deleted, DeleteError> {
        unimplemented!()
    }
    /// Empties the queue; answers with how many messages went.
    pub fn purge(&mut self, now: SimTime) -> Result<u32, PurgeError> {
        unimplemented!()
    }
    /// Everything due by `now`, in order, is appended to `lapses`.
    pub fn advance(&mut self, now: SimTime, lapses: &mut Vec<Lapse>) {
        unimplemented!()
    }
    #[must_use]
    pub fn next_deadline(&self) -> Option<SimTime> {
        unimplemented!()
    }
    /// On offer, in the order of delivery.
    pub fn available(&self) -> impl Iterator<Item = MessageId> {
        std::iter::empty()
    }
    pub fn in_flight(&self) -> impl Iterator<Item = InFlight> {
        std::iter::empty()
    }
    pub fn delayed(&self) -> impl Iterator<Item = Delayed> {
        std::iter::empty()
    }
    #[must_use]
    pub fn counts(&self) -> Counts {
        unimplemented!()
    }
    /// When the oldest message on offer was first sent.
    #[must_use]
    pub fn oldest_sent(&self) -> Option<SimTime> {
        unimplemented!()
    }
}
