//! The settings of a queue, and the ranges that the product allows for them.
//!
//! Ranges and defaults: Amazon SQS API reference, `CreateQueue` and `SetQueueAttributes`; developer
//! guide, "Amazon SQS message quotas"
//! (<https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html>).

use std::fmt;

use sim::SimDuration;

use super::kind::{Deduplicate, Fifo, Kind, Scope};

/// The longest visibility timeout, and the longest a message may stay hidden since its receive.
pub const VISIBILITY_MAX: SimDuration = SimDuration::from_secs(12 * 60 * 60);
/// The longest delay of a queue or a message.
pub const DELAY_MAX: SimDuration = SimDuration::from_secs(15 * 60);
/// The shortest retention.
pub const RETENTION_MIN: SimDuration = SimDuration::from_secs(60);
/// The longest retention.
pub const RETENTION_MAX: SimDuration = SimDuration::from_secs(14 * 24 * 60 * 60);
/// The longest a receive may wait for a message.
pub const WAIT_MAX: SimDuration = SimDuration::from_secs(20);
/// The most messages that one receive returns.
pub const RECEIVE_MAX: u32 = 10;
/// The highest `maxReceiveCount` of a redrive policy.
pub const RECEIVE_COUNT_MAX: u32 = 1_000;
/// The least that a size limit may be set to.
pub const MESSAGE_BYTES_MIN: u32 = 1_024;
/// The most that a message may weigh.
pub const MESSAGE_BYTES_MAX: u32 = 1_048_576;
/// How many messages may be in flight.
pub const IN_FLIGHT_MAX: u32 = 120_000;
/// The time that must pass between two purges.
pub const PURGE_INTERVAL: SimDuration = SimDuration::from_secs(60);

/// What a delete with a superseded receipt does: one from before the latest receive.
///
/// Amazon's documentation leaves it open (`DeleteMessage`: "might not be deleted"), so both are
/// offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Receipts {
    /// It is refused: only the latest receipt deletes.
    Strict,
    /// It deletes, although another consumer is at work on the message.
    Lenient,
}

/// The settings of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// Standard, fair or FIFO. Decided when the queue is made.
    pub kind: Kind,
    /// How long a received message stays hidden: 0 s to 12 h.
    pub visibility_timeout: SimDuration,
    /// How long a sent message is kept back before it is on offer: 0 s to 15 min.
    pub delay: SimDuration,
    /// How long a message is kept since it was first sent: 60 s to 14 d.
    pub retention: SimDuration,
    /// How long a receive waits for a message: 0 s (short polling) to 20 s (long polling).
    pub receive_wait: SimDuration,
    /// How often a message is delivered before the next receive moves it to the dead-letter queue:
    /// 1 to 1000, or `None` without such a queue.
    pub max_receive_count: Option<u32>,
    /// How many messages may be in flight: 1 to 120,000.
    pub max_in_flight: u32,
    /// What a delete with a superseded receipt does.
    pub receipts: Receipts,
    /// The most that a message may weigh: 1,024 to 1,048,576 bytes.
    pub max_message_bytes: u32,
}

/// A setting outside of its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SettingsError {
    /// A length of time outside of its range.
    Duration {
        /// The field of [`Settings`].
        field: &'static str,
        /// What was given.
        given: SimDuration,
        /// The least allowed.
        min: SimDuration,
        /// The most allowed.
        max: SimDuration,
    },
    /// A number outside of its range.
    Number {
        /// The field of [`Settings`].
        field: &'static str,
        /// What was given.
        given: u32,
        /// The least allowed.
        min: u32,
        /// The most allowed.
        max: u32,
    },
}

impl Settings {
    /// A standard queue as Amazon SQS creates it, with strict receipts.
    #[must_use]
    pub const fn sqs_standard() -> Self {
        Self {
            kind: Kind::Standard,
            visibility_timeout: SimDuration::from_secs(30),
            delay: SimDuration::ZERO,
            retention: SimDuration::from_secs(4 * 24 * 60 * 60),
            receive_wait: SimDuration::ZERO,
            max_receive_count: None,
            max_in_flight: IN_FLIGHT_MAX,
            receipts: Receipts::Strict,
            max_message_bytes: MESSAGE_BYTES_MAX,
        }
    }

    /// A FIFO queue as Amazon SQS creates it: deduplication by ids, across all groups.
    #[must_use]
    pub const fn sqs_fifo() -> Self {
        let kind = Kind::Fifo(Fifo { scope: Scope::Queue, deduplicate: Deduplicate::ById });
        Self { kind, ..Self::sqs_standard() }
    }

    /// Holds every setting to its range.
    ///
    /// # Errors
    /// The first setting that is outside, in the order of the fields.
    pub fn validate(&self) -> Result<(), SettingsError> {
        let zero = SimDuration::ZERO;
        if let Kind::Fair(fairness) = self.kind {
            number("share_percent", fairness.share_percent, 1, 100)?;
            number("in_flight", fairness.in_flight, 1, IN_FLIGHT_MAX)?;
            duration("calm", fairness.calm, SimDuration::from_micros(1), RETENTION_MAX)?;
        }
        duration("visibility_timeout", self.visibility_timeout, zero, VISIBILITY_MAX)?;
        duration("delay", self.delay, zero, DELAY_MAX)?;
        duration("retention", self.retention, RETENTION_MIN, RETENTION_MAX)?;
        duration("receive_wait", self.receive_wait, zero, WAIT_MAX)?;
        if let Some(count) = self.max_receive_count {
            number("max_receive_count", count, 1, RECEIVE_COUNT_MAX)?;
        }
        number("max_in_flight", self.max_in_flight, 1, IN_FLIGHT_MAX)?;
        number("max_message_bytes", self.max_message_bytes, MESSAGE_BYTES_MIN, MESSAGE_BYTES_MAX)
    }
}

fn duration(
    field: &'static str,
    given: SimDuration,
    min: SimDuration,
    max: SimDuration,
) -> Result<(), SettingsError> {
    if (min..=max).contains(&given) {
        return Ok(());
    }
    Err(SettingsError::Duration { field, given, min, max })
}

fn number(field: &'static str, given: u32, min: u32, max: u32) -> Result<(), SettingsError> {
    if (min..=max).contains(&given) {
        return Ok(());
    }
    Err(SettingsError::Number { field, given, min, max })
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duration { field, given, min, max } => {
                write!(f, "{field} is {given}: it must be from {min} to {max}")
            }
            Self::Number { field, given, min, max } => {
                write!(f, "{field} is {given}: it must be from {min} to {max}")
            }
        }
    }
}

impl std::error::Error for SettingsError {}
