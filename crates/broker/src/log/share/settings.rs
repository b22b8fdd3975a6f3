//! What can be set on a share group, with the defaults and ranges of Apache Kafka
//! (`ShareGroupConfig`).

use sim::SimDuration;

use crate::log::Isolation;
use crate::log::settings::{SettingsError, duration, number};

/// The settings of a share group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// How often a record is handed out at most (`group.share.delivery.count.limit`).
    pub delivery_count_limit: u32,
    /// How long a member has for a record (`group.share.record.lock.duration.ms`).
    pub lock: SimDuration,
    /// How many records a partition may have between its start offset and the last one acquired
    /// (`group.share.partition.max.record.locks`).
    pub max_record_locks: u32,
    /// How much its members see (`share.isolation.level`).
    pub isolation: Isolation,
}

/// The least deliveries that can be set.
pub const DELIVERY_COUNT_MIN: u32 = 2;
/// The most deliveries that can be set.
pub const DELIVERY_COUNT_MAX: u32 = 10;
/// The shortest lock (`group.share.min.record.lock.duration.ms`).
pub const LOCK_MIN: SimDuration = SimDuration::from_secs(15);
/// The longest lock (`group.share.max.record.lock.duration.ms`).
pub const LOCK_MAX: SimDuration = SimDuration::from_secs(60);
/// The least record locks that can be set.
pub const RECORD_LOCKS_MIN: u32 = 100;
/// The most record locks that can be set.
pub const RECORD_LOCKS_MAX: u32 = 10_000;

impl Settings {
    /// A share group as Apache Kafka makes it.
    #[must_use]
    pub const fn kafka() -> Self {
        Self {
            delivery_count_limit: 5,
            lock: SimDuration::from_secs(30),
            max_record_locks: 200,
            isolation: Isolation::ReadUncommitted,
        }
    }

    /// Holds every setting to its range.
    ///
    /// # Errors
    /// The first setting that is outside, in the order of the fields.
    pub fn validate(&self) -> Result<(), SettingsError> {
        let (min, max) = (DELIVERY_COUNT_MIN, DELIVERY_COUNT_MAX);
        number("delivery_count_limit", self.delivery_count_limit, min, max)?;
        duration("lock", self.lock, LOCK_MIN, LOCK_MAX)?;
        let (min, max) = (RECORD_LOCKS_MIN, RECORD_LOCKS_MAX);
        number("max_record_locks", self.max_record_locks, min, max)
    }
}
