//! Share groups (KIP-932): a log used as a work queue. Members take single records, under a lock,
//! and several of them read one partition.
//!
//! ```text
//!              acquire, count + 1              accept
//!  ┌───────────┐          ┌──────────┐       ┌──────────────┐
//!  │ available ├─────────▶│ acquired ├──────▶│ acknowledged │
//!  └───────────┘          └────┬─────┘       └──────────────┘
//!        ▲  release, or the    │
//!        └── lock runs out ────┤ reject, or the delivery limit is reached
//!                              │             ┌──────────┐
//!                              └────────────▶│ archived │
//!                                            └──────────┘
//! ```
//!
//! Each share-partition has a start offset: below it, everything is acknowledged or archived. The
//! number of records between there and the last one acquired is limited, so that one slow record
//! at the front in time holds up the partition. There is no order, and no dead-letter topic: what
//! is archived is not seen again. (Apache Kafka, `SharePartition`.)

mod settings;

use std::fmt;

use sim::SimTime;
use sim::short::OrderedMap;

use super::{Fetched, MemberId, Offset, Partition};

pub use settings::{
    DELIVERY_COUNT_MAX, DELIVERY_COUNT_MIN, LOCK_MAX, LOCK_MIN, RECORD_LOCKS_MAX, RECORD_LOCKS_MIN,
    Settings,
};

/// A share group's hold on one partition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SharePartition {
    settings: Settings,
    start: Offset,
    /// Behind the last record that was ever acquired.
    end: Offset,
    records: OrderedMap<Offset, Tracked>,
    /// What time brought before anybody called [`SharePartition::advance`].
    told_late: Vec<Lapse>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Tracked {
    fetched: Fetched,
    /// How often it was acquired.
    count: u32,
    state: ShareState,
}

/// Where a record stands with its share group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShareState {
    /// Anyone may take it.
    Available,
    /// A member works on it.
    Acquired {
        /// Who.
        by: MemberId,
        /// Until when nobody else gets it.
        until: SimTime,
    },
    /// It is done.
    Acknowledged,
    /// It is given up.
    Archived,
}

/// A record that was handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Acquired {
    /// The record and its place.
    pub fetched: Fetched,
    /// How often it was handed out, this time included.
    pub count: u32,
    /// Until when nobody else gets it.
    pub until: SimTime,
}

/// How a member is done with a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Acknowledgement {
    /// It is done.
    Accept,
    /// Somebody shall try again.
    Release,
    /// Nobody shall.
    Reject,
}

/// What time brought about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lapse {
    /// A lock ran out, and the record can be taken again.
    Released(Offset),
    /// A lock ran out at the delivery limit.
    Archived(Offset),
}

/// Why an acknowledgement was refused (`INVALID_RECORD_STATE`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AcknowledgeError {
    /// The record is not handed out, or not any more.
    NotAcquired,
    /// Another member has it now.
    AnothersLock {
        /// Who.
        by: MemberId,
    },
}

impl SharePartition {
    /// Starts at an offset: the end of the log for `share.auto.offset.reset=latest`, the default.
    #[must_use]
    pub const fn new(settings: Settings, start: Offset) -> Self {
        Self { settings, start, end: start, records: OrderedMap::new(), told_late: Vec::new() }
    }

    /// The settings.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The offset below which everything is acknowledged or archived.
    #[must_use]
    pub const fn start(&self) -> Offset {
        self.start
    }

    /// The offset behind the last record that was ever handed out.
    #[must_use]
    pub const fn end(&self) -> Offset {
        self.end
    }

    /// What is between the two, in order: the state and how often it was handed out.
    pub fn records(&self) -> impl Iterator<Item = (Offset, ShareState, u32)> {
        self.records.iter().map(|(offset, tracked)| (*offset, tracked.state, tracked.count))
    }

    /// Hands out up to `max` records to a member, appended to `acquired`: those that came back
    /// first, then new ones, as far as there is room for locks.
    pub fn acquire(
        &mut self,
        now: SimTime,
        member: MemberId,
        max: usize,
        log: &Partition,
        acquired: &mut Vec<Acquired>,
    ) {
        self.settle(now);
        self.start_at(log.start());
        let until = now + self.settings.lock;
        let full = acquired.len() + max;
        for tracked in self.records.values_mut() {
            if acquired.len() == full {
                return;
            }
            if tracked.state == ShareState::Available {
                tracked.state = ShareState::Acquired { by: member, until };
                tracked.count += 1;
                let Tracked { fetched, count, .. } = *tracked;
                acquired.push(Acquired { fetched, count, until });
            }
        }
        let window = self.end.saturating_since(self.start);
        let room = u64::from(self.settings.max_record_locks).saturating_sub(window) as usize;
        let mut fetched = Vec::new();
        let wanted = room.min(full - acquired.len());
        let Ok(next) = log.read(self.end, wanted, self.settings.isolation, &mut fetched) else {
            return;
        };
        if wanted > 0 {
            self.end = next;
        }
        for fetched in fetched {
            let state = ShareState::Acquired { by: member, until };
            self.records.insert(fetched.offset, Tracked { fetched, count: 1, state });
            acquired.push(Acquired { fetched, count: 1, until });
        }
        self.move_start();
    }

    /// A member is done with a record. Answers with where that leaves it.
    ///
    /// # Errors
    /// [`AcknowledgeError`]: nothing was changed; the work counts for nothing.
    pub fn acknowledge(
        &mut self,
        now: SimTime,
        member: MemberId,
        offset: Offset,
        how: Acknowledgement,
    ) -> Result<ShareState, AcknowledgeError> {
        // A lock that runs out at this very moment still holds.
        if let Some(before) = now.checked_sub(sim::SimDuration::from_micros(1)) {
            self.settle(before);
        }
        let limit = self.settings.delivery_count_limit;
        let tracked = self.records.get_mut(&offset).ok_or(AcknowledgeError::NotAcquired)?;
        match tracked.state {
            ShareState::Acquired { by, .. } if by == member => {}
            ShareState::Acquired { by, .. } => return Err(AcknowledgeError::AnothersLock { by }),
            _ => return Err(AcknowledgeError::NotAcquired),
        }
        let state = match how {
            Acknowledgement::Accept => ShareState::Acknowledged,
            Acknowledgement::Release => tracked.released(limit),
            Acknowledgement::Reject => ShareState::Archived,
        };
        tracked.state = state;
        self.move_start();
        Ok(state)
    }

    /// A member leaves: what it had locked is released.
    pub fn release_all(&mut self, now: SimTime, member: MemberId) -> Vec<Offset> {
        self.settle(now);
        let limit = self.settings.delivery_count_limit;
        let mut released = Vec::new();
        for (offset, tracked) in &mut self.records {
            if matches!(tracked.state, ShareState::Acquired { by, .. } if by == member) {
                tracked.state = tracked.released(limit);
                released.push(*offset);
            }
        }
        self.move_start();
        released
    }

    /// When the next lock runs out.
    #[must_use]
    pub fn next_deadline(&self) -> Option<SimTime> {
        self.first_lock().map(|(until, _)| until)
    }

    /// Lets time pass, and appends which locks ran out since it was last called.
    pub fn advance(&mut self, now: SimTime, lapses: &mut Vec<Lapse>) {
        self.settle(now);
        lapses.append(&mut self.told_late);
    }

    fn first_lock(&self) -> Option<(SimTime, Offset)> {
        let locks = self.records.iter().filter_map(|(offset, tracked)| match tracked.state {
            ShareState::Acquired { until, .. } => Some((until, *offset)),
            _ => None,
        });
        locks.min()
    }

    fn settle(&mut self, now: SimTime) {
        let limit = self.settings.delivery_count_limit;
        while let Some((_, offset)) = self.first_lock().filter(|(until, _)| *until <= now) {
            let Some(tracked) = self.records.get_mut(&offset) else { return };
            tracked.state = tracked.released(limit);
            self.told_late.push(match tracked.state {
                ShareState::Archived => Lapse::Archived(offset),
                _ => Lapse::Released(offset),
            });
        }
        self.move_start();
    }

    /// The log was cut off at the front: what was not taken from there is archived; what is being
    /// worked on may still be acknowledged.
    fn start_at(&mut self, start: Offset) {
        for (_, tracked) in self.records.range_mut(..start) {
            if tracked.state == ShareState::Available {
                tracked.state = ShareState::Archived;
            }
        }
        self.end = self.end.max(start);
        self.move_start();
    }

    /// Forgets what is final at the front.
    fn move_start(&mut self) {
        while let Some((offset, first)) = self.records.first_key_value() {
            if matches!(first.state, ShareState::Available | ShareState::Acquired { .. }) {
                self.start = *offset;
                return;
            }
            self.records.pop_first();
        }
        self.start = self.end;
    }
}

impl Tracked {
    /// What becomes of it when a member lets go.
    fn released(&self, limit: u32) -> ShareState {
        if self.count >= limit { ShareState::Archived } else { ShareState::Available }
    }
}

impl fmt::Display for AcknowledgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAcquired => {
                write!(f, "the record is not locked: its lock ran out, or it is done")
            }
            Self::AnothersLock { by } => write!(f, "member {by} has the record now"),
        }
    }
}

impl std::error::Error for AcknowledgeError {}
