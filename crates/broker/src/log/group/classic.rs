//! The classic protocol: the group is put together anew, as a whole, in generations.
//!
//! ```text
//!            first join                 delay over              join, leave, lapse, rejoin
//!   ┌───────┐         ┌──────────────┐  or all joined  ┌────────┐
//!   │ empty ├────────▶│  preparing   ├────────────────▶│ stable │
//!   └───────┘         └──────────────┘                 └───┬────┘
//!       ▲                ▲        └── those who did not    │
//!       │                └──────────  join are expelled ◀──┘
//!       └── the last member leaves
//! ```
//!
//! Apache Kafka, `GroupMetadataManager` (classic groups) and `ClassicGroup`. The leader's
//! assignment takes no time of its own here: a rebalance is over when all have joined, and each
//! member takes its share up at its next poll.

use sim::short::OrderedMap;
use sim::{SimDuration, SimTime};

use super::assignor::{Subscription, Topics};
use super::error::GroupError;
use super::event::{Expulsion, GroupEvent, Reason};
use super::settings::Settings;
use crate::log::{Generation, MemberId, TopicPartition};

/// A classic group's coordinator.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Classic {
    settings: Settings,
    topics: Topics,
    phase: Phase,
    generation: Generation,
    members: OrderedMap<MemberId, Member>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Member {
    subscription: Subscription,
    seen_at: SimTime,
    call: Call,
    assigned: Vec<TopicPartition>,
}

/// Whether a member has answered the last call to join.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// It has, and waits for the others.
    Answered,
    /// It has not, or there was none since its share was made.
    Open,
}

/// Where a classic group stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Nobody is in it.
    Empty,
    /// A new group waits for more members, in windows, as long as new ones come.
    Gathering {
        /// Since when.
        since: SimTime,
        /// When the window closes.
        until: SimTime,
        /// When the last member came.
        last_join: SimTime,
    },
    /// A group waits for all of its members.
    Preparing {
        /// Since when.
        since: SimTime,
        /// When it goes on without those who are missing.
        until: SimTime,
    },
    /// Everybody has a share.
    Stable,
}

/// What came of joining.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Joined {
    /// The member waits for the rebalance.
    Waiting,
    /// A static member is back and has its old share, without a rebalance.
    Back,
}

/// What a heartbeat brings back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Beat {
    /// Nothing new.
    Steady,
    /// A rebalance is on: join again.
    Rebalancing,
}

impl Classic {
    pub(super) fn new(settings: Settings, topics: Topics) -> Self {
        let (generation, members) = (Generation::default(), OrderedMap::new());
        Self { settings, topics, phase: Phase::Empty, generation, members }
    }

    /// Where it stands.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// How often it was put together.
    #[must_use]
    pub const fn generation(&self) -> Generation {
        self.generation
    }

    /// Its members.
    pub fn members(&self) -> impl Iterator<Item = MemberId> {
        self.members.keys().copied()
    }

    /// A member joins, or joins again, with what it owns.
    pub fn join(
        &mut self,
        now: SimTime,
        subscription: Subscription,
        events: &mut Vec<GroupEvent>,
    ) -> Joined {
        let id = subscription.member;
        let replaced = self.take_over(&subscription);
        let topics_changed =
            replaced.as_ref().is_none_or(|old| old.subscription.topics != subscription.topics);
        let back = replaced.is_some() && !topics_changed && self.phase == Phase::Stable;
        let known = replaced.is_some() || self.members.contains_key(&id);
        let assigned = replaced.map(|old| old.assigned).unwrap_or_default();
        let call = if back { Call::Open } else { Call::Answered };
        let assigned = match self.members.remove(&id) {
            Some(member) => member.assigned,
            None => assigned,
        };
        self.members.insert(id, Member { subscription, seen_at: now, call, assigned });
        if back {
            return Joined::Back;
        }
        self.call(now, if known { Reason::Rejoined(id) } else { Reason::Joined(id) }, events);
        self.complete_if_due(now, events);
        Joined::Waiting
    }

    /// A member is alive.
    ///
    /// # Errors
    /// [`GroupError`]: it is not a member, or of another generation.
    pub fn heartbeat(
        &mut self,
        now: SimTime,
        id: MemberId,
        generation: Generation,
    ) -> Result<Beat, GroupError> {
        self.check(id, generation)?;
        if let Some(member) = self.members.get_mut(&id) {
            member.seen_at = now;
        }
        Ok(if self.phase == Phase::Stable { Beat::Steady } else { Beat::Rebalancing })
    }

    /// Holds a request to the generation that counts.
    ///
    /// # Errors
    /// [`GroupError`]: it is not a member, or of another generation.
    pub fn check(&self, member: MemberId, given: Generation) -> Result<(), GroupError> {
        if !self.members.contains_key(&member) {
            return Err(GroupError::UnknownMember { member });
        }
        let current = self.generation;
        if given != current {
            return Err(GroupError::IllegalGeneration { current, given });
        }
        Ok(())
    }

    /// A member's share, and the generation that gave it; `None` while a rebalance is on.
    #[must_use]
    pub fn assignment(&self, member: MemberId) -> Option<(Generation, &[TopicPartition])> {
        let member = self.members.get(&member)?;
        (self.phase == Phase::Stable).then_some((self.generation, &member.assigned[..]))
    }

    /// Whether a member has joined the rebalance that is on; `None` if it is no member.
    #[must_use]
    pub fn call_to(&self, member: MemberId) -> Option<Call> {
        self.members.get(&member).map(|member| member.call)
    }

    /// A member leaves. One that is not there may leave as well.
    pub fn leave(&mut self, now: SimTime, id: MemberId, events: &mut Vec<GroupEvent>) {
        if self.members.remove(&id).is_some() {
            self.lost(now, Reason::Left(id), events);
        }
    }

    /// A member did not poll for too long, and its client takes it out.
    pub(super) fn expel(
        &mut self,
        now: SimTime,
        member: MemberId,
        cause: Expulsion,
        events: &mut Vec<GroupEvent>,
    ) {
        if self.members.remove(&member).is_some() {
            events.push(GroupEvent::Expelled { member, cause });
            self.lost(now, Reason::Expelled(member), events);
        }
    }

    /// Topics have other numbers of partitions now.
    pub(super) fn set_topics(
        &mut self,
        now: SimTime,
        topics: Topics,
        events: &mut Vec<GroupEvent>,
    ) {
        let changed = self.topics != topics;
        self.topics = topics;
        if changed && !self.members.is_empty() {
            self.call(now, Reason::PartitionsAdded, events);
        }
    }

    pub(super) fn next_deadline(&self) -> Option<SimTime> {
        let window = match self.phase {
            Phase::Gathering { until, .. } | Phase::Preparing { until, .. } => Some(until),
            Phase::Empty | Phase::Stable => None,
        };
        let session = self.first_session().map(|(until, _)| until);
        [window, session].into_iter().flatten().min()
    }

    /// Carries out the first thing that is due by `now`; of one instant, sessions come first.
    pub(super) fn step(&mut self, now: SimTime, events: &mut Vec<GroupEvent>) {
        match self.first_session() {
            Some((until, id)) if until <= now => {
                self.expel(until, id, Expulsion::SessionTimedOut, events);
            }
            _ => self.complete_if_due(now, events),
        }
    }

    /// The next session to time out. A member that waits for a rebalance is held to be alive.
    fn first_session(&self) -> Option<(SimTime, MemberId)> {
        let silent = self.members.iter().filter(|(_, member)| member.call == Call::Open);
        silent.map(|(id, member)| (member.seen_at + self.settings.session_timeout, *id)).min()
    }

    /// The static member whose place this one takes.
    fn take_over(&mut self, by: &Subscription) -> Option<Member> {
        let instance = by.instance?;
        let old = self.members.iter().find(|(id, member)| {
            **id != by.member && member.subscription.instance == Some(instance)
        });
        let id = old.map(|(id, _)| *id)?;
        self.members.remove(&id)
    }

    fn lost(&mut self, now: SimTime, reason: Reason, events: &mut Vec<GroupEvent>) {
        if self.members.is_empty() {
            self.phase = Phase::Empty;
            events.push(GroupEvent::Emptied);
            return;
        }
        self.call(now, reason, events);
        self.complete_if_due(now, events);
    }

    /// Calls everybody to join, unless that was done already.
    fn call(&mut self, now: SimTime, reason: Reason, events: &mut Vec<GroupEvent>) {
        let delay = self.settings.initial_delay.min(self.settings.max_poll_interval);
        match &mut self.phase {
            Phase::Gathering { last_join, .. } => {
                if matches!(reason, Reason::Joined(_)) {
                    *last_join = now;
                }
                return;
            }
            Phase::Preparing { .. } => return,
            Phase::Empty => {
                self.phase = Phase::Gathering { since: now, until: now + delay, last_join: now };
            }
            Phase::Stable => {
                let until = now + self.settings.max_poll_interval;
                self.phase = Phase::Preparing { since: now, until };
            }
        }
        events.push(GroupEvent::RebalanceStarted(reason));
    }

    fn complete_if_due(&mut self, now: SimTime, events: &mut Vec<GroupEvent>) {
        match self.phase {
            Phase::Gathering { since, until, last_join } if until <= now => {
                let window = self.settings.initial_delay;
                let latest = since + self.settings.max_poll_interval;
                let opened = until.saturating_sub(window);
                if last_join > opened && until < latest && window > SimDuration::ZERO {
                    let until = (until + window).min(latest);
                    self.phase = Phase::Gathering { since, until, last_join };
                } else {
                    self.complete(until, since, events);
                }
            }
            Phase::Preparing { since, until } => {
                let all = self.members.values().all(|member| member.call == Call::Answered);
                if all || until <= now {
                    self.complete(until.min(now), since, events);
                }
            }
            _ => {}
        }
    }

    /// Goes on with those who have joined, and static members, who may be back later.
    fn complete(&mut self, now: SimTime, since: SimTime, events: &mut Vec<GroupEvent>) {
        self.members.retain(|id, member| {
            let stays = member.call == Call::Answered || member.subscription.instance.is_some();
            if !stays {
                let cause = Expulsion::RebalanceTimedOut;
                events.push(GroupEvent::Expelled { member: *id, cause });
            }
            stays
        });
        if self.members.is_empty() {
            self.phase = Phase::Empty;
            events.push(GroupEvent::Emptied);
            return;
        }
        let subscriptions: Vec<Subscription> =
            self.members.values().map(|member| member.subscription.clone()).collect();
        let mut assignment = self.settings.protocol.assignor().assign(&self.topics, &subscriptions);
        for (id, member) in &mut self.members {
            member.assigned = assignment.remove(id).unwrap_or_default();
            if member.call == Call::Answered {
                member.seen_at = now;
            }
            member.call = Call::Open;
        }
        self.generation = self.generation.next();
        self.phase = Phase::Stable;
        let (generation, members) = (self.generation, self.members.len() as u32);
        events.push(GroupEvent::Rebalanced { generation, members, took: now - since });
    }
}
