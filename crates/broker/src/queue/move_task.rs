//! Redrive: taking the messages of a dead-letter queue back to where they came from, or elsewhere.
//!
//! A task moves what is on offer, the oldest message first, at a velocity. Where it arrives, a
//! message counts as new: its receive count starts again, and so does its retention. (API,
//! `StartMessageMoveTask`; developer guide, "dead-letter queue redrive".)
//!
//! A task is for as many as were on offer when it began: the figure "is obtained at the time of
//! starting" (API, `ApproximateNumberOfMessagesToMove`). What becomes of letters that fail again and
//! return while it runs is not documented; here they are left for the next task, because a slow task
//! over poison would never end.
//!
//! One task at a time for a queue: whoever keeps the task sees to that. What is in flight when the
//! last message on offer has moved stays behind.

use std::fmt;

use sim::{SimDuration, SimTime};

use super::slots::Stored;
use super::{DeadLetter, GroupId, Queue, QueueId};
use crate::MessageId;

/// The highest velocity that can be asked for, in messages a second.
pub const VELOCITY_MAX: u32 = 500;

/// How fast messages move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Velocity {
    /// The product chooses, by the backlog; it gives no figure. Here everything moves at once.
    Optimized,
    /// This many in a second, evenly: 1 to [`VELOCITY_MAX`].
    PerSecond(u32),
}

/// What a task is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TaskStatus {
    /// It moves messages.
    Running,
    /// As many as were on offer when it began have moved, or none was left.
    Completed,
    /// It was told to stop; what has moved stays moved.
    Cancelled,
}

/// A message on its way out of a dead-letter queue, for [`Queue::accept_redriven`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Redriven {
    /// Which message.
    pub message: MessageId,
    /// Its group.
    pub group: Option<GroupId>,
    /// The queue that it once left, where it goes unless the task has a destination of its own.
    pub source: Option<QueueId>,
}

/// A velocity outside of its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VelocityError {
    /// What was asked for, in messages a second.
    pub given: u32,
}

/// Moves the messages of one queue, over time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MoveTask {
    velocity: Velocity,
    started_at: SimTime,
    status: TaskStatus,
    to_move: u32,
    moved: u32,
}

impl MoveTask {
    /// Starts a task for the messages of `queue`. The first moves at once, by
    /// [`MoveTask::advance`].
    ///
    /// # Errors
    /// [`VelocityError`]: nothing was started.
    pub fn start(now: SimTime, queue: &Queue, velocity: Velocity) -> Result<Self, VelocityError> {
        if let Velocity::PerSecond(given) = velocity
            && !(1..=VELOCITY_MAX).contains(&given)
        {
            return Err(VelocityError { given });
        }
        let to_move = queue.counts().available;
        Ok(Self { velocity, started_at: now, status: TaskStatus::Running, to_move, moved: 0 })
    }

    /// Moves what is due by `now` out of the queue, and appends it to `moved`.
    pub fn advance(&mut self, now: SimTime, queue: &mut Queue, moved: &mut Vec<Redriven>) {
        while self.next_deadline().is_some_and(|due| due <= now) {
            let more = self.moved < self.to_move;
            match more.then(|| queue.take_to_redrive(now)).flatten() {
                Some(letter) => {
                    self.moved += 1;
                    moved.push(letter);
                }
                None => self.status = TaskStatus::Completed,
            }
        }
    }

    /// When the next message moves, or the task finds that it is through; `None` once it is over.
    #[must_use]
    pub fn next_deadline(&self) -> Option<SimTime> {
        if self.status != TaskStatus::Running {
            return None;
        }
        let wait = match self.velocity {
            Velocity::Optimized => SimDuration::ZERO,
            Velocity::PerSecond(velocity) => {
                let micros = u64::from(self.moved) * 1_000_000 / u64::from(velocity);
                SimDuration::from_micros(micros)
            }
        };
        Some(self.started_at + wait)
    }

    /// Stops the task, unless it is over.
    pub fn cancel(&mut self) {
        if self.status == TaskStatus::Running {
            self.status = TaskStatus::Cancelled;
        }
    }

    /// Whether it still runs.
    #[must_use]
    pub const fn status(&self) -> TaskStatus {
        self.status
    }

    /// How many messages were on offer when it started.
    #[must_use]
    pub const fn to_move(&self) -> u32 {
        self.to_move
    }

    /// How many it has moved.
    #[must_use]
    pub const fn moved(&self) -> u32 {
        self.moved
    }
}

impl Queue {
    /// Stores a message that was taken back from a dead-letter queue, as a new one. Deduplication
    /// does not stand in its way.
    pub fn accept_redriven(&mut self, now: SimTime, redriven: Redriven) {
        let Redriven { message, group, .. } = redriven;
        let letter = DeadLetter { message, sent_at: now, count: 0, group, source: None };
        self.accept_dead_letter(now, letter);
    }

    /// Takes out the message that a receive would deliver first.
    pub fn take_to_redrive(&mut self, now: SimTime) -> Option<Redriven> {
        self.settle(now);
        let slot = self.next_slot()?;
        let &mut Stored { message, group, source, .. } = self.slots.at(slot);
        self.take_out(slot);
        self.tidy();
        Some(Redriven { message, group, source })
    }
}

impl fmt::Display for VelocityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given = self.given;
        write!(f, "{given} messages a second: it must be from 1 to {VELOCITY_MAX}")
    }
}

impl std::error::Error for VelocityError {}
