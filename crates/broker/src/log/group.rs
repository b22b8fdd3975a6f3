//! Consumer groups: several readers share the partitions of topics, and each partition has one
//! reader at a time.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`Group`] | the coordinator: who is in it, who reads what, what is committed |
//! | [`assignor`] | how partitions are divided |
//! | [`Classic`] | generations, eager and cooperative |
//! | [`Incremental`] | epochs, member by member (KIP-848) |
//!
//! A group has one reader at most for each partition: members beyond their number idle.
//!
//! | rule | source |
//! | --- | --- |
//! | an offset is committed by a member of the current generation, or epoch, and nobody else | Apache Kafka, `OffsetMetadataManager.validateOffsetCommit` |
//! | a group without members takes commits from anyone | the same |
//! | offsets of a group that stays empty are deleted | `offsets.retention.minutes` |

pub mod assignor;
mod classic;
mod error;
mod event;
mod incremental;
mod offsets;
mod settings;

use sim::SimTime;

use super::{Generation, MemberEpoch, MemberId, Offset, TopicPartition};
use assignor::{Subscription, Topics};

pub use classic::{Beat, Call, Classic, Joined, Phase};
pub use error::GroupError;
pub use event::{Expulsion, GroupEvent, Reason};
pub use incremental::{Answer, Heartbeat, Incremental, MemberState};
pub use offsets::Offsets;
pub use settings::{
    INCREMENTAL_HEARTBEAT_MAX, INCREMENTAL_HEARTBEAT_MIN, INCREMENTAL_SESSION_MAX,
    INCREMENTAL_SESSION_MIN, Protocol, SESSION_MAX, SESSION_MIN, Settings,
};

/// A consumer group, as its coordinator keeps it.
///
/// It has no clock: requests say when they come in and settle what was due before, and
/// [`Group::next_deadline`] says when time alone will change something.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Group {
    settings: Settings,
    membership: Membership,
    offsets: Offsets,
    empty_since: Option<SimTime>,
    /// What happened before anybody called [`Group::advance`].
    told_late: Vec<GroupEvent>,
}

/// The protocol that a group follows, and where it stands in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Membership {
    /// Generations.
    Classic(Classic),
    /// Epochs.
    Incremental(Incremental),
}

/// What a member shows when it commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tenure {
    /// The generation of its share.
    Generation(Generation),
    /// Its epoch.
    Epoch(MemberEpoch),
}

impl Group {
    /// A group without members, over topics of these sizes.
    #[must_use]
    pub fn new(now: SimTime, settings: Settings, topics: Topics) -> Self {
        let membership = match settings.protocol {
            Protocol::Eager(_) | Protocol::Cooperative(_) => {
                Membership::Classic(Classic::new(settings, topics))
            }
            Protocol::Incremental(_) => Membership::Incremental(Incremental::new(settings, topics)),
        };
        let offsets = Offsets::default();
        Self { settings, membership, offsets, empty_since: Some(now), told_late: Vec::new() }
    }

    /// The settings.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Where it stands in its protocol.
    #[must_use]
    pub const fn membership(&self) -> &Membership {
        &self.membership
    }

    /// What it has committed.
    #[must_use]
    pub const fn offsets(&self) -> &Offsets {
        &self.offsets
    }

    /// Its members, in order.
    #[must_use]
    pub fn members(&self) -> Vec<MemberId> {
        match &self.membership {
            Membership::Classic(group) => group.members().collect(),
            Membership::Incremental(group) => group.members().collect(),
        }
    }

    /// A member of a classic group joins, or joins again.
    ///
    /// # Errors
    /// [`GroupError::WrongProtocol`] if it is not a classic group.
    pub fn join(&mut self, now: SimTime, subscription: Subscription) -> Result<Joined, GroupError> {
        self.settle(now);
        let Membership::Classic(group) = &mut self.membership else {
            return Err(GroupError::WrongProtocol);
        };
        let joined = group.join(now, subscription, &mut self.told_late);
        self.note_empty(now);
        Ok(joined)
    }

    /// A member of a classic group is alive.
    ///
    /// # Errors
    /// [`GroupError`]: it has to give up everything and join again.
    pub fn beat(
        &mut self,
        now: SimTime,
        member: MemberId,
        generation: Generation,
    ) -> Result<Beat, GroupError> {
        self.settle(now);
        match &mut self.membership {
            Membership::Classic(group) => group.heartbeat(now, member, generation),
            Membership::Incremental(_) => Err(GroupError::WrongProtocol),
        }
    }

    /// A member of an incremental group is alive, joins, or has given something up.
    ///
    /// # Errors
    /// [`GroupError`]: it has to give up everything and join again.
    pub fn heartbeat(&mut self, now: SimTime, beat: &Heartbeat) -> Result<Answer, GroupError> {
        self.settle(now);
        let Membership::Incremental(group) = &mut self.membership else {
            return Err(GroupError::WrongProtocol);
        };
        let answer = group.heartbeat(now, beat, &mut self.told_late);
        self.note_empty(now);
        answer
    }

    /// A classic member's share and its generation; `None` while a rebalance is on.
    #[must_use]
    pub fn assignment(&self, member: MemberId) -> Option<(Generation, &[TopicPartition])> {
        match &self.membership {
            Membership::Classic(group) => group.assignment(member),
            Membership::Incremental(_) => None,
        }
    }

    /// Whether a classic member has joined the rebalance that is on, and the generation that it
    /// follows; `None` if it is no member.
    #[must_use]
    pub fn call_to(&self, member: MemberId) -> Option<(Call, Generation)> {
        match &self.membership {
            Membership::Classic(group) => {
                group.call_to(member).map(|call| (call, group.generation()))
            }
            Membership::Incremental(_) => None,
        }
    }

    /// A member leaves.
    pub fn leave(&mut self, now: SimTime, member: MemberId) {
        self.settle(now);
        match &mut self.membership {
            Membership::Classic(group) => group.leave(now, member, &mut self.told_late),
            Membership::Incremental(group) => group.leave(member, &mut self.told_late),
        }
        self.note_empty(now);
    }

    /// A member has not polled for the max poll interval, and its client takes it out.
    pub fn poll_timed_out(&mut self, now: SimTime, member: MemberId) {
        self.settle(now);
        let (cause, events) = (Expulsion::PollTimedOut, &mut self.told_late);
        match &mut self.membership {
            Membership::Classic(group) => group.expel(now, member, cause, events),
            Membership::Incremental(group) => group.expel(member, cause, events),
        }
        self.note_empty(now);
    }

    /// Topics have other numbers of partitions now.
    pub fn set_topics(&mut self, now: SimTime, topics: Topics) {
        self.settle(now);
        match &mut self.membership {
            Membership::Classic(group) => group.set_topics(now, topics, &mut self.told_late),
            Membership::Incremental(group) => group.set_topics(topics, &mut self.told_late),
        }
    }

    /// A member commits the offset of the next record to read.
    ///
    /// # Errors
    /// [`GroupError`]: nothing was committed; what was read since will be read again by another.
    pub fn commit(
        &mut self,
        now: SimTime,
        member: MemberId,
        tenure: Tenure,
        partition: TopicPartition,
        offset: Offset,
    ) -> Result<(), GroupError> {
        self.settle(now);
        match (&self.membership, tenure) {
            (Membership::Classic(group), Tenure::Generation(generation)) => {
                group.check(member, generation)?;
            }
            (Membership::Incremental(group), Tenure::Epoch(epoch)) => group.check(member, epoch)?,
            _ => return Err(GroupError::WrongProtocol),
        }
        self.offsets.set(partition, offset);
        Ok(())
    }

    /// Sets an offset from outside: a replay, or the offsets that a transaction carries. The
    /// product allows a replay only while the group is empty.
    pub fn reset(&mut self, partition: TopicPartition, offset: Offset) {
        self.offsets.set(partition, offset);
    }

    /// When time alone will change something, if nothing else happens.
    #[must_use]
    pub fn next_deadline(&self) -> Option<SimTime> {
        let membership = match &self.membership {
            Membership::Classic(group) => group.next_deadline(),
            Membership::Incremental(group) => group.next_deadline(),
        };
        [membership, self.offsets_expire()].into_iter().flatten().min()
    }

    /// Lets time pass, and appends what happened since it was last called, by time or by request.
    pub fn advance(&mut self, now: SimTime, events: &mut Vec<GroupEvent>) {
        self.settle(now);
        events.append(&mut self.told_late);
    }

    fn offsets_expire(&self) -> Option<SimTime> {
        let since = self.empty_since.filter(|_| !self.offsets.is_empty())?;
        Some(since + self.settings.offsets_retention)
    }

    fn settle(&mut self, now: SimTime) {
        while let Some(due) = self.next_deadline().filter(|due| *due <= now) {
            if self.offsets_expire() == Some(due) {
                self.offsets.clear();
                self.told_late.push(GroupEvent::OffsetsExpired);
                continue;
            }
            match &mut self.membership {
                Membership::Classic(group) => group.step(due, &mut self.told_late),
                Membership::Incremental(group) => group.step(due, &mut self.told_late),
            }
            self.note_empty(due);
        }
    }

    fn note_empty(&mut self, now: SimTime) {
        let is_empty = match &self.membership {
            Membership::Classic(group) => group.members().next().is_none(),
            Membership::Incremental(group) => group.members().next().is_none(),
        };
        self.empty_since = if is_empty { self.empty_since.or(Some(now)) } else { None };
    }
}
