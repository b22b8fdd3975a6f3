//! A consumer: a client that reads its share of a group's partitions, works, and commits.
//!
//! | rule | source |
//! | --- | --- |
//! | a poll returns at most `max_poll_records`, partition after partition | Apache Kafka, `max.poll.records` |
//! | a poll commits first, if auto-commit is due: the position of all that earlier polls returned | `ConsumerCoordinator.maybeAutoCommitOffsetsAsync` |
//! | auto-commit also happens before a rebalance and on closing | `onJoinPrepare`, `close` |
//! | without a committed offset, or out of range, the reset policy decides | `auto.offset.reset` |
//! | who does not poll for `max.poll.interval.ms` leaves the group | `heartbeat` thread of the coordinator |
//! | what a fenced member owned is lost, not revoked: it cannot commit it any more | KIP-429, `onPartitionsLost` |
//!
//! The caller works: it is handed records by [`Consumer::poll`], says which it has finished, and
//! decides when to commit. What was handed out and not finished when a partition goes elsewhere,
//! and what was finished and not committed, is told in a [`Handover`]: the next owner will do it
//! again.

mod change;
mod progress;
mod rebalance;
mod settings;

use std::ops::Bound;

use sim::SimTime;
use sim::short::OrderedMap;

use super::group::{Beat, Call, Group, GroupError, Heartbeat, Protocol, Tenure};
use super::{
    InstanceId, MemberEpoch, MemberId, Offset, Partition, PartitionId, Topic, TopicId,
    TopicPartition,
};

pub use change::{Cause, Change, Finished, Handover, Origin, Polled, Standing};
pub use settings::{AutoCommit, OnRevoke, Reset, Settings};

use progress::Progress;

/// A consumer. It has no clock: [`Consumer::next_deadline`] says when its background work is due.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Consumer {
    settings: Settings,
    member: MemberId,
    instance: Option<InstanceId>,
    topics: Vec<TopicId>,
    standing: Standing,
    owned: OrderedMap<TopicPartition, Progress>,
    /// What an incremental group's coordinator last said that it should own.
    told: Vec<TopicPartition>,
    /// Where the next poll starts, so that no partition starves.
    turn: Option<TopicPartition>,
    polled_at: SimTime,
    beat_at: SimTime,
    commit_at: SimTime,
}

impl Consumer {
    /// A consumer that has not polled yet. It joins its group at its first poll.
    #[must_use]
    pub fn new(
        settings: Settings,
        member: MemberId,
        instance: Option<InstanceId>,
        topics: Vec<TopicId>,
    ) -> Self {
        let never = SimTime::ZERO;
        Self {
            settings,
            member,
            instance,
            topics,
            standing: Standing::Outside,
            owned: OrderedMap::new(),
            told: Vec::new(),
            turn: None,
            polled_at: never,
            beat_at: never,
            commit_at: never,
        }
    }

    /// Its identity in the group.
    #[must_use]
    pub const fn member(&self) -> MemberId {
        self.member
    }

    /// Where it stands with its group.
    #[must_use]
    pub const fn standing(&self) -> Standing {
        self.standing
    }

    /// What it works on, and where it reads next. A zombie believes in this, too.
    pub fn owned(&self) -> impl Iterator<Item = (TopicPartition, Offset)> {
        self.owned.iter().map(|(partition, progress)| (*partition, progress.position))
    }

    /// How many records it was handed and has not finished.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.owned.values().map(|progress| progress.unfinished.len()).sum()
    }

    /// Asks for records: takes part in whatever its group is doing, commits if that is due, and
    /// reads. `polled` is emptied first.
    pub fn poll(
        &mut self,
        now: SimTime,
        group: &mut Group,
        logs: &OrderedMap<TopicId, Topic>,
        polled: &mut Polled,
    ) {
        polled.changes.clear();
        polled.records.clear();
        self.polled_at = now;
        self.auto_commit_if_due(now, group, polled);
        match group.settings().protocol {
            Protocol::Eager(_) | Protocol::Cooperative(_) => {
                self.follow_classic(now, group, logs, polled);
            }
            Protocol::Incremental(_) => self.follow_incremental(now, group, logs, polled),
        }
        self.read(logs, polled);
    }

    /// The work on a record is done. Says whether the partition is still this consumer's.
    pub fn finish(&mut self, partition: TopicPartition, offset: Offset) -> Finished {
        let progress = self.owned.get_mut(&partition);
        if progress.is_some_and(|progress| progress.unfinished.remove(&offset)) {
            Finished::Ours
        } else {
            Finished::NotOurs
        }
    }

    /// Commits all that is finished: in each partition, up to the first record that is not.
    ///
    /// # Errors
    /// [`GroupError`]: nothing was committed. It will find out more at its next poll.
    pub fn commit(&mut self, now: SimTime, group: &mut Group) -> Result<(), GroupError> {
        self.commit_each(now, group, Progress::finished_to)
    }

    /// Commits all that was returned, finished or not: what follows is at most once.
    ///
    /// # Errors
    /// [`GroupError`]: nothing was committed. It will find out more at its next poll.
    pub fn commit_returned(&mut self, now: SimTime, group: &mut Group) -> Result<(), GroupError> {
        self.commit_each(now, group, |progress| progress.position)
    }

    /// Commits an offset of the caller's choice (`commitSync` with offsets): that of the next record
    /// to read in one partition, whatever is finished there.
    ///
    /// # Errors
    /// [`GroupError`]: nothing was committed. It will find out more at its next poll.
    pub fn commit_to(
        &mut self,
        now: SimTime,
        group: &mut Group,
        partition: TopicPartition,
        to: Offset,
    ) -> Result<(), GroupError> {
        group.commit(now, self.member, self.tenure()?, partition, to)?;
        if let Some(progress) = self.owned.get_mut(&partition) {
            progress.committed = Some(to);
        }
        Ok(())
    }

    /// Goes on reading a partition elsewhere (`seek`). Does nothing to one that it does not own.
    pub fn seek(&mut self, partition: TopicPartition, offset: Offset) {
        if let Some(progress) = self.owned.get_mut(&partition) {
            progress.position = offset;
            progress.unfinished.clear();
        }
    }

    /// Closes: commits, if it commits by itself, and leaves, unless it is a static member, whose
    /// place is kept until its session times out.
    pub fn close(&mut self, now: SimTime, group: &mut Group) {
        if matches!(self.settings.auto_commit, AutoCommit::Every(_)) {
            // A refusal leaves the work to be done again, as it does when a client closes.
            self.commit_returned(now, group).ok();
        }
        if self.instance.is_none() {
            group.leave(now, self.member);
        }
        self.standing = Standing::Outside;
        self.owned.clear();
    }

    /// When its background work is due: a heartbeat, or giving up on a caller that does not poll.
    #[must_use]
    pub fn next_deadline(&self, group: &Group) -> Option<SimTime> {
        let overdue = self.polled_at + group.settings().max_poll_interval;
        match self.standing {
            Standing::Outside | Standing::PollTimedOut => None,
            Standing::Waiting { .. } => Some(self.beat_at),
            Standing::Member(_) => Some(self.beat_at.min(overdue)),
        }
    }

    /// Does its background work. A consumer whose process hangs or has died does not get to this,
    /// and is missed.
    pub fn advance(&mut self, now: SimTime, group: &mut Group) {
        let Standing::Member(tenure) = self.standing else {
            // One that waits is alive, too, once the rebalance that it waits for is over.
            if let Some((generation, _)) = group.assignment(self.member) {
                group.beat(now, self.member, generation).ok();
            }
            self.beat_at = now + group.settings().heartbeat_interval;
            return;
        };
        if now >= self.polled_at + group.settings().max_poll_interval {
            group.poll_timed_out(now, self.member);
            self.standing = Standing::PollTimedOut;
        } else if now >= self.beat_at {
            // The next poll acts on what comes back.
            match tenure {
                Tenure::Generation(generation) => {
                    group.beat(now, self.member, generation).ok();
                }
                Tenure::Epoch(epoch) => {
                    self.say(now, group, epoch).ok();
                }
            }
            self.beat_at = now + group.settings().heartbeat_interval;
        }
    }

    fn commit_each(
        &mut self,
        now: SimTime,
        group: &mut Group,
        to: impl Fn(&Progress) -> Offset,
    ) -> Result<(), GroupError> {
        let tenure = self.tenure()?;
        for (partition, progress) in &mut self.owned {
            let to = to(progress);
            if progress.committed != Some(to) {
                group.commit(now, self.member, tenure, *partition, to)?;
                progress.committed = Some(to);
            }
        }
        Ok(())
    }

    /// What it shows when it commits.
    fn tenure(&self) -> Result<Tenure, GroupError> {
        match self.standing {
            Standing::Member(tenure) | Standing::Waiting { tenure: Some(tenure) } => Ok(tenure),
            Standing::Waiting { tenure: None } | Standing::Outside | Standing::PollTimedOut => {
                Err(GroupError::UnknownMember { member: self.member })
            }
        }
    }

    fn auto_commit_if_due(&mut self, now: SimTime, group: &mut Group, polled: &mut Polled) {
        let AutoCommit::Every(interval) = self.settings.auto_commit else { return };
        if now < self.commit_at {
            return;
        }
        self.commit_at = now + interval;
        self.auto_commit(now, group, polled);
    }

    fn auto_commit(&mut self, now: SimTime, group: &mut Group, polled: &mut Polled) {
        if self.owned.is_empty() {
            return;
        }
        let done = self.commit_returned(now, group);
        polled.changes.push(done.map_or_else(Change::CommitRefused, |()| Change::Committed));
    }

    /// Reads each partition in turn, from where the last poll stopped.
    fn read(&mut self, logs: &OrderedMap<TopicId, Topic>, polled: &mut Polled) {
        let Some(last) = self.owned.last_key_value().map(|(partition, _)| *partition) else {
            return;
        };
        let mut turn = self.turn.take();
        for _ in 0..self.owned.len() {
            let from = turn.map_or(Bound::Unbounded, Bound::Included);
            let next = self.owned.range((from, Bound::Unbounded)).next();
            let Some(partition) = next.or(self.owned.first_key_value()).map(|(at, _)| *at) else {
                return;
            };
            if polled.records.len() >= self.settings.max_poll_records as usize {
                self.turn = Some(partition);
                return;
            }
            self.read_one(logs, partition, polled);
            turn = (partition != last).then(|| TopicPartition {
                partition: PartitionId::from_index(partition.partition.index() as u32 + 1),
                ..partition
            });
        }
    }

    fn read_one(
        &mut self,
        logs: &OrderedMap<TopicId, Topic>,
        partition: TopicPartition,
        polled: &mut Polled,
    ) {
        let room = self.settings.max_poll_records as usize - polled.records.len();
        let isolation = self.settings.isolation;
        let Some(log) = log_of(logs, partition) else { return };
        let Some(progress) = self.owned.get_mut(&partition) else { return };
        polled.fetched.clear();
        match log.read(progress.position, room, isolation, &mut polled.fetched) {
            Ok(next) => progress.position = next,
            Err(_) => {
                let from = progress.position;
                let Some(to) = self.settings.reset.offset(log, isolation) else {
                    polled.changes.push(Change::NoOffset { partition });
                    return;
                };
                progress.position = to;
                polled.changes.push(Change::Reset { partition, from, to });
            }
        }
        progress.unfinished.extend(polled.fetched.iter().map(|fetched| fetched.offset));
        polled.records.extend(polled.fetched.iter().map(|fetched| (partition, *fetched)));
    }
}

fn log_of(logs: &OrderedMap<TopicId, Topic>, at: TopicPartition) -> Option<&Partition> {
    logs.get(&at.topic)?.partition(at.partition).ok()
}
