//! What can be set on a topic, with the defaults and ranges of Apache Kafka
//! (<https://kafka.apache.org/documentation/#topicconfigs>, `#brokerconfigs`).

use std::fmt;

use sim::SimDuration;

/// The settings of a topic and of the broker that keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// How many partitions it starts with, from 1 to [`PARTITIONS_MAX`] (`num.partitions`).
    pub partitions: u32,
    /// Whose timestamp a record carries (`message.timestamp.type`).
    pub timestamps: Timestamps,
    /// When followers have what the leader has.
    pub replication: Replication,
    /// What becomes of old records (`cleanup.policy`).
    pub cleanup: Cleanup,
    /// How large a segment grows, in bytes (`segment.bytes`).
    pub segment_bytes: u32,
    /// How long a segment grows, by the timestamps of its records (`segment.ms`).
    pub segment_time: SimDuration,
    /// How long a record is kept at least, by timestamp; `None` for ever (`retention.ms`).
    pub retention: Option<SimDuration>,
    /// How much of a partition is kept at least, in bytes; `None` for all (`retention.bytes`).
    pub retention_bytes: Option<u64>,
    /// How often the broker looks for segments to delete (`log.retention.check.interval.ms`).
    pub retention_check: SimDuration,
    /// How long a tombstone stays after its first cleaning (`delete.retention.ms`).
    pub delete_retention: SimDuration,
    /// A log is cleaned once more than this share of it, in percent, has come since the last
    /// cleaning (`min.cleanable.dirty.ratio`).
    pub min_dirty_percent: u32,
    /// How long a record stays out of cleaning (`min.compaction.lag.ms`).
    pub min_compaction_lag: SimDuration,
    /// After how long it is cleaned in any case (`max.compaction.lag.ms`).
    pub max_compaction_lag: Option<SimDuration>,
    /// How often the cleaner looks for a log to clean (`log.cleaner.backoff.ms`).
    pub cleaner_backoff: SimDuration,
    /// How large a batch may be, in bytes (`max.message.bytes`).
    pub max_message_bytes: u32,
    /// How long a silent producer is remembered (`producer.id.expiration.ms`).
    pub producer_expiry: SimDuration,
}

/// Whose timestamp a record carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Timestamps {
    /// The producer's (`CreateTime`).
    Create,
    /// The broker's (`LogAppendTime`).
    Append,
}

/// When followers have what the leader has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Replication {
    /// At once: the high watermark is the end of the log.
    Immediate,
    /// When the caller says so, with [`super::Partition::replicated`].
    Reported,
}

/// What becomes of old records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cleanup {
    /// Whole segments are deleted by age and size.
    Delete,
    /// Only the latest record of each key is kept.
    Compact,
    /// Both.
    CompactAndDelete,
}

impl Cleanup {
    /// Whether only the latest record of a key is kept.
    #[must_use]
    pub const fn compacts(self) -> bool {
        matches!(self, Self::Compact | Self::CompactAndDelete)
    }

    /// Whether old segments are deleted.
    #[must_use]
    pub const fn deletes(self) -> bool {
        matches!(self, Self::Delete | Self::CompactAndDelete)
    }
}

/// The most partitions of a topic here. The product has no such limit; its operators do.
pub const PARTITIONS_MAX: u32 = 10_000;
/// The smallest segment, in bytes, before Kafka 4.0 raised it to 1 MiB.
pub const SEGMENT_BYTES_MIN: u32 = 14;
/// The largest segment, in bytes.
pub const SEGMENT_BYTES_MAX: u32 = i32::MAX as u32;

const MILLISECOND: SimDuration = SimDuration::from_millis(1);
const DAY: SimDuration = SimDuration::from_secs(24 * 60 * 60);
/// As long as the product's longest, within a microsecond clock.
const LONGEST: SimDuration = SimDuration::from_micros(u64::MAX);

impl Settings {
    /// A topic as Apache Kafka creates it: profile `kafka`.
    #[must_use]
    pub const fn kafka() -> Self {
        Self {
            partitions: 1,
            timestamps: Timestamps::Create,
            replication: Replication::Immediate,
            cleanup: Cleanup::Delete,
            segment_bytes: 1 << 30,
            segment_time: SimDuration::from_secs(7 * 24 * 60 * 60),
            retention: Some(SimDuration::from_secs(7 * 24 * 60 * 60)),
            retention_bytes: None,
            retention_check: SimDuration::from_secs(300),
            delete_retention: DAY,
            min_dirty_percent: 50,
            min_compaction_lag: SimDuration::ZERO,
            max_compaction_lag: None,
            cleaner_backoff: SimDuration::from_secs(15),
            max_message_bytes: 1_048_588,
            producer_expiry: DAY,
        }
    }

    /// Holds every setting to its range.
    ///
    /// # Errors
    /// The first setting that is outside, in the order of the fields.
    pub fn validate(&self) -> Result<(), SettingsError> {
        let zero = SimDuration::ZERO;
        number("partitions", self.partitions, 1, PARTITIONS_MAX)?;
        number("segment_bytes", self.segment_bytes, SEGMENT_BYTES_MIN, SEGMENT_BYTES_MAX)?;
        duration("segment_time", self.segment_time, MILLISECOND, LONGEST)?;
        duration("retention_check", self.retention_check, MILLISECOND, LONGEST)?;
        duration("delete_retention", self.delete_retention, zero, LONGEST)?;
        number("min_dirty_percent", self.min_dirty_percent, 0, 100)?;
        if let Some(lag) = self.max_compaction_lag {
            let least = self.min_compaction_lag.max(MILLISECOND);
            duration("max_compaction_lag", lag, least, LONGEST)?;
        }
        // The product allows no pause at all; a cleaner that never waits would hang a run.
        duration("cleaner_backoff", self.cleaner_backoff, MILLISECOND, LONGEST)?;
        number("max_message_bytes", self.max_message_bytes, 0, i32::MAX as u32)?;
        duration("producer_expiry", self.producer_expiry, MILLISECOND, LONGEST)
    }
}

/// A setting outside of its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SettingsError {
    /// A length of time outside of its range.
    Duration {
        /// The field of the settings.
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
        /// The field of the settings.
        field: &'static str,
        /// What was given.
        given: u32,
        /// The least allowed.
        min: u32,
        /// The most allowed.
        max: u32,
    },
    /// A list that must name something, or must not name that.
    Choice {
        /// The field of the settings.
        field: &'static str,
        /// What to choose instead.
        repair: &'static str,
    },
}

pub(super) fn duration(
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

pub(super) fn number(
    field: &'static str,
    given: u32,
    min: u32,
    max: u32,
) -> Result<(), SettingsError> {
    if (min..=max).contains(&given) {
        return Ok(());
    }
    Err(SettingsError::Number { field, given, min, max })
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duration { field, given, min, max: LONGEST } => {
                write!(f, "{field} is {given}: it must be at least {min}")
            }
            Self::Duration { field, given, min, max } => {
                write!(f, "{field} is {given}: it must be from {min} to {max}")
            }
            Self::Number { field, given, min, max } => {
                write!(f, "{field} is {given}: it must be from {min} to {max}")
            }
            Self::Choice { field, repair } => write!(f, "{field}: {repair}"),
        }
    }
}

impl std::error::Error for SettingsError {}
