//! The incremental protocol (KIP-848): the broker has a division in mind, and every member follows
//! it in its own time. Nobody waits for the whole group.
//!
//! ```text
//!                      something to give up                  it was given up
//!            ┌────────────────────────────▶ unrevoked ────────────────────────────┐
//!   stable ──┤ the target changed                                                 │
//!     ▲      │         what it should get is still held by another                ▼
//!     │      └────────────────────────────▶ unreleased ◀──────────────── (what is free is given)
//!     └───────────────────── it has all ─────────┘
//! ```
//!
//! A member keeps what it has and should have. As long as it still works on something that it
//! should not have, it stays at its epoch; then it is given what is free, and the rest as soon as
//! the others have let go. (Apache Kafka, `CurrentAssignmentBuilder`, `TargetAssignmentBuilder`.)

use sim::SimTime;
use sim::short::{OrderedMap, OrderedSet};

use super::assignor::{Assignment, Subscription, Topics};
use super::error::GroupError;
use super::event::{Expulsion, GroupEvent, Reason};
use super::settings::Settings;
use crate::log::{InstanceId, MemberEpoch, MemberId, TopicId, TopicPartition};

/// An incremental group's coordinator.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Incremental {
    settings: Settings,
    topics: Topics,
    epoch: MemberEpoch,
    target: Assignment,
    members: OrderedMap<MemberId, Member>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Member {
    instance: Option<InstanceId>,
    topics: Vec<TopicId>,
    epoch: MemberEpoch,
    previous: MemberEpoch,
    state: MemberState,
    assigned: OrderedSet<TopicPartition>,
    revoking: OrderedSet<TopicPartition>,
    seen_at: SimTime,
    /// By when it must have given up what it should not have.
    revoke_by: Option<SimTime>,
}

/// How far a member has followed the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemberState {
    /// It has what it should have.
    Stable,
    /// It still works on something that it should not have.
    Unrevoked,
    /// It waits for something that another still has.
    Unreleased,
}

/// What a member says in a heartbeat.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Heartbeat {
    /// Who it is.
    pub member: MemberId,
    /// Its own name, if it is a static member.
    pub instance: Option<InstanceId>,
    /// How far it has followed; [`MemberEpoch::JOINING`] to join.
    pub epoch: MemberEpoch,
    /// What it wants to read.
    pub topics: Vec<TopicId>,
    /// What it works on now.
    pub owned: Vec<TopicPartition>,
}

/// What the coordinator answers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Answer {
    /// The member's epoch now.
    pub epoch: MemberEpoch,
    /// What it should work on now, and nothing else.
    pub assigned: Vec<TopicPartition>,
}

impl Incremental {
    pub(super) fn new(settings: Settings, topics: Topics) -> Self {
        let (epoch, target) = (MemberEpoch::JOINING, Assignment::new());
        Self { settings, topics, epoch, target, members: OrderedMap::new() }
    }

    /// The epoch that members will come to.
    #[must_use]
    pub const fn epoch(&self) -> MemberEpoch {
        self.epoch
    }

    /// Its members.
    pub fn members(&self) -> impl Iterator<Item = MemberId> {
        self.members.keys().copied()
    }

    /// How far a member has followed.
    #[must_use]
    pub fn state(&self, member: MemberId) -> Option<MemberState> {
        self.members.get(&member).map(|member| member.state)
    }

    /// What the broker has in mind for a member.
    #[must_use]
    pub fn target(&self, member: MemberId) -> &[TopicPartition] {
        self.target.get(&member).map_or(&[], Vec::as_slice)
    }

    /// Whether everybody has followed.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        let followed =
            |member: &Member| member.state == MemberState::Stable && member.epoch == self.epoch;
        self.members.values().all(followed)
    }

    /// A member is alive, joins, or has given something up.
    ///
    /// # Errors
    /// [`GroupError`]: it is not a member, or is fenced, and has to give up everything and join.
    pub fn heartbeat(
        &mut self,
        now: SimTime,
        beat: &Heartbeat,
        events: &mut Vec<GroupEvent>,
    ) -> Result<Answer, GroupError> {
        let id = beat.member;
        if beat.epoch == MemberEpoch::JOINING {
            self.enter(now, beat, events);
        } else {
            let member = self.members.get(&id).ok_or(GroupError::UnknownMember { member: id })?;
            // The answer to its last heartbeat may have been lost on the way.
            let repeats = beat.epoch == member.previous
                && beat.owned.iter().all(|owned| member.assigned.contains(owned));
            if beat.epoch != member.epoch && !repeats {
                return Err(GroupError::FencedEpoch { current: member.epoch, given: beat.epoch });
            }
            if member.topics != beat.topics {
                self.subscribe(id, &beat.topics);
                self.retarget(Reason::Rejoined(id), events);
            }
        }
        self.reconcile(now, id, &beat.owned);
        let member = self.members.get_mut(&id).expect("it was found or entered above");
        member.seen_at = now;
        Ok(Answer { epoch: member.epoch, assigned: member.assigned.iter().copied().collect() })
    }

    /// Holds a request to the member's epoch.
    ///
    /// # Errors
    /// [`GroupError`]: it is not a member, or speaks of another epoch.
    pub fn check(&self, id: MemberId, given: MemberEpoch) -> Result<(), GroupError> {
        let member = self.members.get(&id).ok_or(GroupError::UnknownMember { member: id })?;
        if given == member.epoch {
            return Ok(());
        }
        Err(GroupError::FencedEpoch { current: member.epoch, given })
    }

    /// A member leaves. One that is not there may leave as well.
    pub fn leave(&mut self, id: MemberId, events: &mut Vec<GroupEvent>) {
        self.remove(id, Reason::Left(id), events);
    }

    pub(super) fn expel(
        &mut self,
        member: MemberId,
        cause: Expulsion,
        events: &mut Vec<GroupEvent>,
    ) {
        if self.members.contains_key(&member) {
            events.push(GroupEvent::Expelled { member, cause });
            self.remove(member, Reason::Expelled(member), events);
        }
    }

    pub(super) fn set_topics(&mut self, topics: Topics, events: &mut Vec<GroupEvent>) {
        let changed = self.topics != topics;
        self.topics = topics;
        if changed && !self.members.is_empty() {
            self.retarget(Reason::PartitionsAdded, events);
        }
    }

    pub(super) fn next_deadline(&self) -> Option<SimTime> {
        self.first_lapse().map(|(until, ..)| until)
    }

    /// Expels the first member that is overdue by `now`.
    pub(super) fn step(&mut self, now: SimTime, events: &mut Vec<GroupEvent>) {
        if let Some((until, id, cause)) = self.first_lapse()
            && until <= now
        {
            self.expel(id, cause, events);
        }
    }

    fn first_lapse(&self) -> Option<(SimTime, MemberId, Expulsion)> {
        let lapse = |(id, member): (&MemberId, &Member)| {
            let silent = member.seen_at + self.settings.session_timeout;
            match member.revoke_by {
                Some(by) if by < silent => (by, *id, Expulsion::RebalanceTimedOut),
                _ => (silent, *id, Expulsion::SessionTimedOut),
            }
        };
        self.members.iter().map(lapse).min_by_key(|(until, id, _)| (*until, *id))
    }

    fn enter(&mut self, now: SimTime, beat: &Heartbeat, events: &mut Vec<GroupEvent>) {
        let id = beat.member;
        let same_instance = |(other, member): (&MemberId, &Member)| {
            (*other != id && member.instance.is_some() && member.instance == beat.instance)
                .then_some(*other)
        };
        if let Some(old) = self.members.iter().find_map(same_instance) {
            // A static member is back: it takes over what its former self had.
            let member = self.members.remove(&old).expect("it was just found");
            let target = self.target.remove(&old).unwrap_or_default();
            self.target.insert(id, target);
            self.members.insert(id, Member { seen_at: now, revoke_by: None, ..member });
            if self.members[&id].topics == beat.topics {
                return;
            }
        }
        if self.members.get(&id).is_some_and(|known| known.topics == beat.topics) {
            return;
        }
        let entering = Member {
            instance: beat.instance,
            topics: beat.topics.clone(),
            epoch: MemberEpoch::JOINING,
            previous: MemberEpoch::JOINING,
            state: MemberState::Stable,
            assigned: OrderedSet::new(),
            revoking: OrderedSet::new(),
            seen_at: now,
            revoke_by: None,
        };
        self.members.entry(id).or_insert(entering);
        self.subscribe(id, &beat.topics);
        self.retarget(Reason::Joined(id), events);
    }

    fn subscribe(&mut self, id: MemberId, topics: &[TopicId]) {
        if let Some(member) = self.members.get_mut(&id) {
            member.topics = topics.to_vec();
        }
    }

    fn remove(&mut self, id: MemberId, reason: Reason, events: &mut Vec<GroupEvent>) {
        if self.members.remove(&id).is_none() {
            return;
        }
        self.target.remove(&id);
        if self.members.is_empty() {
            events.push(GroupEvent::Emptied);
        }
        self.retarget(reason, events);
    }

    /// Works out a new division from the last one.
    fn retarget(&mut self, reason: Reason, events: &mut Vec<GroupEvent>) {
        let subscription = |(id, member): (&MemberId, &Member)| Subscription {
            member: *id,
            instance: member.instance,
            topics: member.topics.clone(),
            owned: self.target(*id).to_vec(),
            generation: None,
        };
        let members: Vec<Subscription> = self.members.iter().map(subscription).collect();
        self.target = self.settings.protocol.assignor().assign(&self.topics, &members);
        self.epoch = self.epoch.next();
        events.push(GroupEvent::Retargeted { epoch: self.epoch, reason });
    }

    /// Lets a member take the next step, if it can.
    fn reconcile(&mut self, now: SimTime, id: MemberId, owned: &[TopicPartition]) {
        let member = &self.members[&id];
        let still = |revoking: &OrderedSet<_>| owned.iter().any(|owned| revoking.contains(owned));
        match member.state {
            MemberState::Stable if member.epoch == self.epoch => return,
            MemberState::Unrevoked if still(&member.revoking) => return,
            _ => {}
        }
        let target: OrderedSet<TopicPartition> = self.target(id).iter().copied().collect();
        let kept: OrderedSet<_> = member.assigned.intersection(&target).copied().collect();
        let revoking: OrderedSet<_> = member.assigned.difference(&kept).copied().collect();
        let (held, free): (Vec<_>, Vec<_>) =
            target.difference(&kept).copied().partition(|wanted| self.is_held(*wanted, id));
        let epoch = self.epoch;
        let by = now + self.settings.max_poll_interval;
        let member = self.members.get_mut(&id).expect("it was found above");
        member.assigned = kept;
        if still(&revoking) {
            member.state = MemberState::Unrevoked;
            member.revoking = revoking;
            member.revoke_by = Some(by);
            return;
        }
        member.assigned.extend(free);
        member.revoking.clear();
        member.revoke_by = None;
        member.state = if held.is_empty() { MemberState::Stable } else { MemberState::Unreleased };
        if member.epoch != epoch {
            (member.previous, member.epoch) = (member.epoch, epoch);
        }
    }

    /// Whether another member has a partition, or has not let go of it yet.
    fn is_held(&self, partition: TopicPartition, by: MemberId) -> bool {
        self.members.iter().any(|(id, member)| {
            let has = member.assigned.contains(&partition) || member.revoking.contains(&partition);
            *id != by && has
        })
    }
}
