//! What can be set on a consumer, with the defaults and ranges of Apache Kafka
//! (<https://kafka.apache.org/documentation/#consumerconfigs>).

use sim::SimDuration;

use crate::log::settings::{SettingsError, number};
use crate::log::{Isolation, Offset, Partition};

/// The settings of a consumer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// How many records a poll returns at most (`max.poll.records`).
    pub max_poll_records: u32,
    /// Whether it commits by itself (`enable.auto.commit`, `auto.commit.interval.ms`).
    pub auto_commit: AutoCommit,
    /// What it does with its work when a partition is revoked.
    pub on_revoke: OnRevoke,
    /// Where it starts without a committed offset (`auto.offset.reset`).
    pub reset: Reset,
    /// How much it sees (`isolation.level`).
    pub isolation: Isolation,
}

/// Whether a consumer commits by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AutoCommit {
    /// In the first poll after each interval, up to what earlier polls returned.
    Every(SimDuration),
    /// Only when its caller says so.
    Off,
}

/// What a consumer that does not commit by itself does when a partition is revoked
/// (`ConsumerRebalanceListener.onPartitionsRevoked`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnRevoke {
    /// It commits what is finished.
    CommitFinished,
    /// Nothing: what is not committed is done again.
    LetGo,
}

/// Where a consumer starts without a committed offset, or with one that is out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reset {
    /// At the first record there is.
    Earliest,
    /// Behind the last: what was there before is passed over.
    Latest,
    /// Nowhere: it is an error.
    None,
}

impl Reset {
    pub(super) fn offset(self, log: &Partition, isolation: Isolation) -> Option<Offset> {
        match self {
            Self::Earliest => Some(log.start()),
            Self::Latest => Some(log.readable(isolation)),
            Self::None => None,
        }
    }
}

impl Settings {
    /// A consumer as Apache Kafka's clients make it: profile `kafka`.
    #[must_use]
    pub const fn kafka() -> Self {
        Self {
            max_poll_records: 500,
            auto_commit: AutoCommit::Every(SimDuration::from_secs(5)),
            on_revoke: OnRevoke::LetGo,
            reset: Reset::Latest,
            isolation: Isolation::ReadUncommitted,
        }
    }

    /// Holds every setting to its range.
    ///
    /// # Errors
    /// The first setting that is outside.
    pub fn validate(&self) -> Result<(), SettingsError> {
        number("max_poll_records", self.max_poll_records, 1, i32::MAX as u32)
    }
}
