//! What the broker refuses to set.

use std::fmt;

use sim::SimDuration;

use super::super::Release;
use super::super::envelope::EXPIRATION_MAX;
use super::{
    DeadLetterStrategy, DelayedRetry, Durability, MAX_PRIORITY_MAX, Overflow, QueueKind, Settings,
};

/// A setting that the broker refuses.
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
    /// A setting that this kind of queue does not have in this release: leave it out.
    NotHere {
        /// The field of [`Settings`].
        field: &'static str,
        /// The kind of queue.
        kind: QueueKind,
    },
    /// A setting that asks for another: set that too.
    Needs {
        /// The field of [`Settings`].
        field: &'static str,
        /// What it asks for.
        needs: &'static str,
    },
}

impl Settings {
    /// Holds every setting to its range, and to what the kind of queue has in a release.
    ///
    /// # Errors
    /// The first setting found that the broker would refuse.
    pub fn validate(&self, release: Release) -> Result<(), SettingsError> {
        let millisecond = SimDuration::from_millis(1);
        self.validate_kind(release)?;
        duration("message_ttl", self.message_ttl, SimDuration::ZERO)?;
        duration("expires", self.expires, millisecond)?;
        if let Some(given) = self.max_priority.filter(|given| *given > MAX_PRIORITY_MAX) {
            let (field, min, max) = ("max_priority", 0, MAX_PRIORITY_MAX);
            return Err(SettingsError::Number { field, given, min, max });
        }
        if let DelayedRetry::Linear { min, max, .. } = self.delayed_retry {
            duration("delayed_retry", Some(min), millisecond)?;
            duration("delayed_retry", Some(max), min)?;
        }
        duration("consumer_timeout", self.consumer_timeout, millisecond)?;
        self.validate_needs()
    }

    /// Refuses what the kind of queue does not have in a release.
    fn validate_kind(&self, release: Release) -> Result<(), SettingsError> {
        let sure = self.dead_letter_strategy == DeadLetterStrategy::AtLeastOnce;
        let to_dead_letters = self.overflow == Overflow::RejectPublishDeadLetter;
        let kind = self.kind;
        let absent: &[(&str, bool)] = match kind {
            QueueKind::Classic => &[
                ("delivery_limit", self.delivery_limit.is_some()),
                ("dead_letter_strategy", sure),
                ("delayed_retry", self.delayed_retry != DelayedRetry::Off),
                ("consumer_timeout", self.consumer_timeout.is_some()),
            ],
            QueueKind::Quorum => &[
                ("durability", self.durability == Durability::Transient),
                ("overflow", to_dead_letters),
                ("max_priority", self.max_priority.is_some()),
                (
                    "delayed_retry",
                    release < Release::V4_3 && self.delayed_retry != DelayedRetry::Off,
                ),
                ("consumer_timeout", release < Release::V4_3 && self.consumer_timeout.is_some()),
            ],
        };
        match absent.iter().find(|(_, set)| *set) {
            Some((field, _)) => Err(SettingsError::NotHere { field, kind }),
            None => Ok(()),
        }
    }

    /// Refuses what asks for another setting that is not there.
    fn validate_needs(&self) -> Result<(), SettingsError> {
        let exchange = self.dead_letter_exchange.is_some();
        let key = self.dead_letter_routing_key.is_some();
        let sure = self.dead_letter_strategy == DeadLetterStrategy::AtLeastOnce;
        let rejects = self.overflow == Overflow::RejectPublish;
        let rows = [
            ("dead_letter_routing_key", key && !exchange, "a dead_letter_exchange"),
            ("dead_letter_strategy", sure && !exchange, "a dead_letter_exchange"),
            ("dead_letter_strategy", sure && !rejects, "overflow to reject publishes"),
        ];
        match rows.into_iter().find(|(_, lacking, _)| *lacking) {
            Some((field, _, needs)) => Err(SettingsError::Needs { field, needs }),
            None => Ok(()),
        }
    }
}

fn duration(
    field: &'static str,
    given: Option<SimDuration>,
    min: SimDuration,
) -> Result<(), SettingsError> {
    let max = EXPIRATION_MAX;
    match given {
        Some(given) if !(min..=max).contains(&given) => {
            Err(SettingsError::Duration { field, given, min, max })
        }
        _ => Ok(()),
    }
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
            Self::NotHere { field, kind } => {
                write!(f, "a {kind} queue has no {field} in this release: leave it out")
            }
            Self::Needs { field, needs } => write!(f, "{field} asks for {needs}"),
        }
    }
}

impl std::error::Error for SettingsError {}
