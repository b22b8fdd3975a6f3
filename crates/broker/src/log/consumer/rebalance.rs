//! How a consumer follows its group.

use sim::SimTime;
use sim::short::OrderedMap;

use super::change::{Cause, Change, Origin, Polled, Standing};
use super::progress::Progress;
use super::settings::{AutoCommit, OnRevoke};
use super::{
    Beat, Call, Consumer, Group, GroupError, Heartbeat, MemberEpoch, Protocol, Tenure, Topic,
    TopicId, TopicPartition, log_of,
};
use crate::log::Generation;
use crate::log::group::assignor::Subscription;

type Logs = OrderedMap<TopicId, Topic>;

impl Consumer {
    /// Classic: answers the call to a rebalance, and takes up its share when that is over.
    pub(super) fn follow_classic(
        &mut self,
        now: SimTime,
        group: &mut Group,
        logs: &Logs,
        polled: &mut Polled,
    ) {
        let cooperative = matches!(group.settings().protocol, Protocol::Cooperative(_));
        match self.standing {
            Standing::Outside => self.join_classic(now, group, None, polled),
            Standing::PollTimedOut => {
                self.lose(group, logs, polled);
                self.join_classic(now, group, None, polled);
            }
            Standing::Member(Tenure::Generation(generation)) => {
                match group.beat(now, self.member, generation) {
                    Ok(Beat::Steady) => {}
                    Ok(Beat::Rebalancing) => {
                        self.wind_up(now, group, polled);
                        if !cooperative {
                            self.revoke(group, logs, Cause::Eager, |_| true, polled);
                        }
                        self.join_classic(now, group, Some(generation), polled);
                    }
                    Err(_) => {
                        self.lose(group, logs, polled);
                        self.join_classic(now, group, None, polled);
                    }
                }
                self.beat_at = now + group.settings().heartbeat_interval;
            }
            Standing::Waiting { .. } | Standing::Member(Tenure::Epoch(_)) => {}
        }
        if let Standing::Waiting { .. } = self.standing {
            self.take_up(now, group, logs, polled);
        }
    }

    /// Incremental: says what it owns, gives up what it should not have, takes what it is given.
    pub(super) fn follow_incremental(
        &mut self,
        now: SimTime,
        group: &mut Group,
        logs: &Logs,
        polled: &mut Polled,
    ) {
        if self.standing == Standing::PollTimedOut {
            self.lose(group, logs, polled);
        }
        let joins = !matches!(self.standing, Standing::Member(_));
        let epoch = match self.standing {
            Standing::Member(Tenure::Epoch(epoch)) => epoch,
            _ => MemberEpoch::JOINING,
        };
        // A member speaks when its time has come; one that joins, at once.
        if (joins || now >= self.beat_at) && self.say(now, group, epoch).is_err() {
            self.lose(group, logs, polled);
            self.say(now, group, MemberEpoch::JOINING).ok();
            polled.changes.push(Change::Joined);
        } else if joins {
            polled.changes.push(Change::Joined);
        }
        let told = self.told.clone();
        if self.owned.keys().any(|owned| !told.contains(owned)) {
            self.wind_up(now, group, polled);
            self.revoke(group, logs, Cause::Moved, |owned| !told.contains(&owned), polled);
            // What was given up is reported at once, so that the others need not wait.
            if let Standing::Member(Tenure::Epoch(epoch)) = self.standing {
                self.say(now, group, epoch).ok();
            }
        }
        self.take(group, logs, &self.told.clone(), polled);
    }

    /// Heartbeat of an incremental group; keeps what comes back for the next poll.
    pub(super) fn say(
        &mut self,
        now: SimTime,
        group: &mut Group,
        epoch: MemberEpoch,
    ) -> Result<(), GroupError> {
        let answer = group.heartbeat(
            now,
            &Heartbeat {
                member: self.member,
                instance: self.instance,
                epoch,
                topics: self.topics.clone(),
                owned: self.owned.keys().copied().collect(),
            },
        )?;
        self.standing = Standing::Member(Tenure::Epoch(answer.epoch));
        self.told = answer.assigned;
        self.beat_at = now + group.settings().heartbeat_interval;
        Ok(())
    }

    fn join_classic(
        &mut self,
        now: SimTime,
        group: &mut Group,
        generation: Option<Generation>,
        polled: &mut Polled,
    ) {
        let owned = self.owned.keys().copied().collect();
        let (member, instance, topics) = (self.member, self.instance, self.topics.clone());
        let subscription = Subscription { member, instance, topics, owned, generation };
        // Only a group of the other kind refuses, and that one is not asked.
        group.join(now, subscription).ok();
        let tenure = generation.map(Tenure::Generation).filter(|_| !self.owned.is_empty());
        self.standing = Standing::Waiting { tenure };
        self.beat_at = now + group.settings().heartbeat_interval;
        polled.changes.push(Change::Joined);
    }

    /// Takes up a share, if there is one by now. What it has and should not have, it gives up, and
    /// joins again so that the others get it.
    fn take_up(&mut self, now: SimTime, group: &mut Group, logs: &Logs, polled: &mut Polled) {
        let Some((generation, assigned)) = group.assignment(self.member) else {
            match group.call_to(self.member) {
                Some((Call::Answered, _)) => {}
                // The rebalance that it waited for is over, and the next one is on already.
                Some((Call::Open, generation)) => {
                    self.join_classic(now, group, Some(generation), polled);
                }
                // Expelled while it waited, for a rebalance would wait no longer.
                None => {
                    self.lose(group, logs, polled);
                    self.join_classic(now, group, None, polled);
                }
            }
            return;
        };
        let assigned = assigned.to_vec();
        self.standing = Standing::Member(Tenure::Generation(generation));
        if self.owned.keys().any(|owned| !assigned.contains(owned)) {
            self.wind_up(now, group, polled);
            self.revoke(group, logs, Cause::Moved, |owned| !assigned.contains(&owned), polled);
            self.keep_and_take(group, logs, &assigned, polled);
            self.join_classic(now, group, Some(generation), polled);
        } else {
            self.keep_and_take(group, logs, &assigned, polled);
        }
    }

    /// Commits before anything is given up, if it does that.
    fn wind_up(&mut self, now: SimTime, group: &mut Group, polled: &mut Polled) {
        if matches!(self.settings.auto_commit, AutoCommit::Every(_)) {
            self.auto_commit(now, group, polled);
        } else if self.settings.on_revoke == OnRevoke::CommitFinished && !self.owned.is_empty() {
            let done = self.commit(now, group);
            polled.changes.push(done.map_or_else(Change::CommitRefused, |()| Change::Committed));
        }
    }

    fn revoke(
        &mut self,
        group: &Group,
        logs: &Logs,
        cause: Cause,
        goes: impl Fn(TopicPartition) -> bool,
        polled: &mut Polled,
    ) {
        self.owned.retain(|partition, progress| {
            if !goes(*partition) {
                return true;
            }
            let reset = || {
                let log = log_of(logs, *partition)?;
                self.settings.reset.offset(log, self.settings.isolation)
            };
            let resumes_at = group.offsets().get(*partition).or_else(reset);
            let handover = progress.hand_over(*partition, cause, resumes_at);
            polled.changes.push(Change::Revoked(handover));
            false
        });
    }

    /// The group has gone on without it: everything it had is lost.
    fn lose(&mut self, group: &Group, logs: &Logs, polled: &mut Polled) {
        self.revoke(group, logs, Cause::Lost, |_| true, polled);
        self.standing = Standing::Outside;
        self.told.clear();
    }

    fn keep_and_take(
        &mut self,
        group: &Group,
        logs: &Logs,
        assigned: &[TopicPartition],
        polled: &mut Polled,
    ) {
        let kept = self.owned.keys().map(|partition| Change::Kept { partition: *partition });
        polled.changes.extend(kept);
        self.take(group, logs, assigned, polled);
    }

    /// Starts on what is new in its share.
    fn take(
        &mut self,
        group: &Group,
        logs: &Logs,
        assigned: &[TopicPartition],
        polled: &mut Polled,
    ) {
        for partition in assigned {
            let partition = *partition;
            if self.owned.contains_key(&partition) {
                continue;
            }
            let Some(log) = log_of(logs, partition) else { continue };
            let committed = group.offsets().get(partition);
            let reset = || self.settings.reset.offset(log, self.settings.isolation);
            let Some(from) = committed.or_else(reset) else {
                polled.changes.push(Change::NoOffset { partition });
                continue;
            };
            let origin = if committed.is_some() { Origin::Committed } else { Origin::Reset };
            self.owned.insert(partition, Progress::new(from, committed));
            polled.changes.push(Change::Assigned { partition, from, origin });
        }
    }
}
