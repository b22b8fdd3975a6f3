//! A topic: partitions under one name, and the housekeeping of the broker that keeps them.

use sim::SimTime;

use super::compaction::{Cleaned, Due};
use super::error::PartitionsError;
use super::retention::Deleted;
use super::settings::PARTITIONS_MAX;
use super::{Partition, PartitionId, Settings};

/// A topic.
///
/// It has no clock: [`Topic::next_deadline`] says when the broker next looks for something to
/// delete or clean, and [`Topic::advance`] lets it look.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Topic {
    settings: Settings,
    partitions: Vec<Partition>,
    next_retention: SimTime,
    next_cleaning: SimTime,
}

/// What housekeeping did to a partition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Upkeep {
    /// Retention deleted segments.
    Deleted(PartitionId, Deleted),
    /// The log was cleaned.
    Cleaned(PartitionId, Cleaned),
}

impl Topic {
    /// A topic whose broker starts now.
    #[must_use]
    pub fn new(now: SimTime, settings: Settings) -> Self {
        Self {
            settings,
            partitions: (0..settings.partitions).map(|_| Partition::new(settings)).collect(),
            next_retention: now + settings.retention_check,
            next_cleaning: now + settings.cleaner_backoff,
        }
    }

    /// The settings, with as many partitions as there are.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings of all partitions. Their number stays; see [`Topic::grow`].
    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = Settings { partitions: self.settings.partitions, ..settings };
        for partition in &mut self.partitions {
            partition.settings = self.settings;
        }
    }

    /// Its partitions, in order.
    #[must_use]
    pub fn partitions(&self) -> &[Partition] {
        &self.partitions
    }

    /// One of its partitions.
    ///
    /// # Errors
    /// [`PartitionsError::Unknown`] if there is none with this number.
    pub fn partition(&self, id: PartitionId) -> Result<&Partition, PartitionsError> {
        self.partitions.get(id.index()).ok_or(PartitionsError::Unknown { partition: id })
    }

    /// The same, to change it.
    ///
    /// # Errors
    /// [`PartitionsError::Unknown`] if there is none with this number.
    pub fn partition_mut(&mut self, id: PartitionId) -> Result<&mut Partition, PartitionsError> {
        self.partitions.get_mut(id.index()).ok_or(PartitionsError::Unknown { partition: id })
    }

    /// Adds partitions until there are so many. What is there stays where it is, while keys are
    /// sent by the new number from now on: the order of a key does not hold across the change.
    ///
    /// # Errors
    /// [`PartitionsError`]: nothing was changed.
    pub fn grow(&mut self, partitions: u32) -> Result<(), PartitionsError> {
        let current = self.settings.partitions;
        if partitions < current {
            return Err(PartitionsError::Fewer { current, given: partitions });
        }
        if partitions > PARTITIONS_MAX {
            return Err(PartitionsError::TooMany { given: partitions, limit: PARTITIONS_MAX });
        }
        self.settings.partitions = partitions;
        self.partitions.resize_with(partitions as usize, || Partition::new(self.settings));
        Ok(())
    }

    /// When the broker next looks after the topic.
    #[must_use]
    pub fn next_deadline(&self) -> SimTime {
        if self.settings.cleanup.compacts() {
            self.next_retention.min(self.next_cleaning)
        } else {
            self.next_retention
        }
    }

    /// Lets the broker look after the topic, if it is time, and appends what it did.
    pub fn advance(&mut self, now: SimTime, upkeep: &mut Vec<Upkeep>) {
        if now >= self.next_retention {
            self.next_retention = now + self.settings.retention_check;
            for (id, partition) in (0..).map(PartitionId::from_index).zip(&mut self.partitions) {
                let deleted = partition.retain(now);
                if deleted.segments > 0 {
                    upkeep.push(Upkeep::Deleted(id, deleted));
                }
            }
        }
        if now >= self.next_cleaning && self.settings.cleanup.compacts() {
            self.next_cleaning = now + self.settings.cleaner_backoff;
            for (id, partition) in (0..).map(PartitionId::from_index).zip(&mut self.partitions) {
                if partition.dirt(now).due != Due::No {
                    upkeep.push(Upkeep::Cleaned(id, partition.clean(now)));
                }
            }
        }
    }
}
