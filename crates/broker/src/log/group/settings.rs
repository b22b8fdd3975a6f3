//! What can be set on a group, with the defaults and ranges of Apache Kafka
//! (<https://kafka.apache.org/documentation/#consumerconfigs>, `#brokerconfigs`).

use sim::SimDuration;

use super::assignor::Assignor;
use crate::log::settings::{SettingsError, duration};

/// The settings of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// How members come to agree on who reads what.
    pub protocol: Protocol,
    /// How long a member may be silent before it is taken for dead (`session.timeout.ms`,
    /// `group.consumer.session.timeout.ms`).
    pub session_timeout: SimDuration,
    /// How often a member says that it is alive (`heartbeat.interval.ms`,
    /// `group.consumer.heartbeat.interval.ms`).
    pub heartbeat_interval: SimDuration,
    /// How long a member may work between two polls, and how long a rebalance waits for it
    /// (`max.poll.interval.ms`).
    pub max_poll_interval: SimDuration,
    /// How long a new classic group waits for more members (`group.initial.rebalance.delay.ms`).
    pub initial_delay: SimDuration,
    /// How long the offsets of an empty group are kept (`offsets.retention.minutes`).
    pub offsets_retention: SimDuration,
}

/// How members come to agree on who reads what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// Everybody gives up everything, joins, and is given a new share: the group stands still for
    /// as long as the slowest member takes.
    Eager(Assignor),
    /// Everybody joins with what it has and works on; what changes hands is given up in a first
    /// round and handed out in a second (KIP-429).
    Cooperative(Assignor),
    /// The broker divides, and each member follows in its own time (KIP-848).
    Incremental(Assignor),
}

impl Protocol {
    /// What members agree on that all list these assignors, the preferred first: the first of them,
    /// and cooperatively only if all can be. The default list, range and cooperative-sticky, comes
    /// to an eager range.
    #[must_use]
    pub fn agreed(assignors: &[Assignor]) -> Option<Self> {
        let first = *assignors.first()?;
        let cooperative = assignors.iter().all(|assignor| assignor.is_cooperative());
        Some(if cooperative { Self::Cooperative(first) } else { Self::Eager(first) })
    }

    /// Its assignor.
    #[must_use]
    pub const fn assignor(self) -> Assignor {
        match self {
            Self::Eager(assignor) | Self::Cooperative(assignor) | Self::Incremental(assignor) => {
                assignor
            }
        }
    }
}

/// The shortest session that a broker allows (`group.min.session.timeout.ms`).
pub const SESSION_MIN: SimDuration = SimDuration::from_secs(6);
/// The longest (`group.max.session.timeout.ms`).
pub const SESSION_MAX: SimDuration = SimDuration::from_secs(30 * 60);
/// The shortest session of an incremental group.
pub const INCREMENTAL_SESSION_MIN: SimDuration = SimDuration::from_secs(45);
/// The longest session of an incremental group.
pub const INCREMENTAL_SESSION_MAX: SimDuration = SimDuration::from_secs(60);
/// The shortest heartbeat interval of an incremental group.
pub const INCREMENTAL_HEARTBEAT_MIN: SimDuration = SimDuration::from_secs(5);
/// The longest heartbeat interval of an incremental group.
pub const INCREMENTAL_HEARTBEAT_MAX: SimDuration = SimDuration::from_secs(15);

const MILLISECOND: SimDuration = SimDuration::from_millis(1);
const LONGEST: SimDuration = SimDuration::from_micros(u64::MAX);

impl Settings {
    /// A classic group as Apache Kafka's clients make it: range, eagerly.
    #[must_use]
    pub const fn classic() -> Self {
        Self {
            protocol: Protocol::Eager(Assignor::Range),
            session_timeout: SimDuration::from_secs(45),
            heartbeat_interval: SimDuration::from_secs(3),
            max_poll_interval: SimDuration::from_secs(300),
            initial_delay: SimDuration::from_secs(3),
            offsets_retention: SimDuration::from_secs(7 * 24 * 60 * 60),
        }
    }

    /// A classic group whose members use the cooperative-sticky assignor alone.
    #[must_use]
    pub const fn cooperative() -> Self {
        Self { protocol: Protocol::Cooperative(Assignor::CooperativeSticky), ..Self::classic() }
    }

    /// A group of the consumer protocol (`group.protocol=consumer`), divided by the broker.
    #[must_use]
    pub const fn incremental() -> Self {
        Self {
            protocol: Protocol::Incremental(Assignor::Uniform),
            heartbeat_interval: SimDuration::from_secs(5),
            ..Self::classic()
        }
    }

    /// Holds every setting to its range.
    ///
    /// # Errors
    /// The first setting that is outside, in the order of the fields.
    pub fn validate(&self) -> Result<(), SettingsError> {
        let choose = |repair| Err(SettingsError::Choice { field: "protocol", repair });
        match self.protocol {
            Protocol::Eager(Assignor::Uniform) | Protocol::Cooperative(Assignor::Uniform) => {
                return choose("uniform is the broker's: choose an assignor of clients");
            }
            Protocol::Cooperative(assignor) if !assignor.is_cooperative() => {
                return choose("only cooperative-sticky leaves members at work");
            }
            Protocol::Incremental(assignor) if assignor != Assignor::Uniform => {
                return choose("the broker divides by uniform");
            }
            _ => {}
        }
        let session = self.session_timeout;
        let beat = self.heartbeat_interval;
        if matches!(self.protocol, Protocol::Incremental(_)) {
            let (min, max) = (INCREMENTAL_SESSION_MIN, INCREMENTAL_SESSION_MAX);
            duration("session_timeout", session, min, max)?;
            let (min, max) = (INCREMENTAL_HEARTBEAT_MIN, INCREMENTAL_HEARTBEAT_MAX);
            duration("heartbeat_interval", beat, min, max)?;
        } else {
            duration("session_timeout", session, SESSION_MIN, SESSION_MAX)?;
            duration("heartbeat_interval", beat, MILLISECOND, session)?;
        }
        duration("max_poll_interval", self.max_poll_interval, MILLISECOND, LONGEST)?;
        duration("initial_delay", self.initial_delay, SimDuration::ZERO, LONGEST)?;
        let minute = SimDuration::from_secs(60);
        duration("offsets_retention", self.offsets_retention, minute, LONGEST)
    }
}
