//! What happened in a group, as trace events.

use broker::log::consumer::Change;
use broker::log::group::{GroupEvent, Membership, Reason};
use broker::log::{Offset, PartitionId};
use scenario::ComponentId;

use super::state::{Coordination, GroupState, Place};
use super::work::index;
use crate::world::Context;
use crate::{Cause, GroupId, What, WorkerId, World};

impl World {
    /// Tells what has happened to a group since this was last asked, and sees to it that those who
    /// wait for a new share poll for it.
    pub(super) fn tell_group(&mut self, cx: &mut Context, log: ComponentId, at: usize) {
        let now = self.now;
        let group = &mut self.log_mut(log).groups[at];
        let Coordination::Consumers(coordinator) = &mut group.coordination else { return };
        let mut events = Vec::new();
        coordinator.advance(now, &mut events);
        let id = group.id;
        for event in events {
            let group = &mut self.log_mut(log).groups[at];
            let what = match event {
                GroupEvent::RebalanceStarted(reason) => began(group, reason),
                GroupEvent::Retargeted { reason, .. } => {
                    group.unsettled_since.get_or_insert(now);
                    began(group, reason)
                }
                GroupEvent::Rebalanced { generation, members, took } => {
                    group.call_all();
                    let generation = generation.index() as u32;
                    What::RebalanceEnded { group: id, generation, members, took }
                }
                GroupEvent::Expelled { member, cause } => {
                    let worker = group.worker(member);
                    What::MemberExpired { group: id, worker, cause: cause.into() }
                }
                GroupEvent::Emptied => What::GroupEmptied { group: id },
                GroupEvent::OffsetsExpired => {
                    group.committed.fill(None);
                    What::OffsetsExpired { group: id }
                }
            };
            self.emit(cx, what);
        }
        self.tell_settled(cx, log, at);
    }

    /// A group without a barrier has come to its new division when its last member has.
    fn tell_settled(&mut self, cx: &mut Context, log: ComponentId, at: usize) {
        let now = self.now;
        let group = &mut self.log_mut(log).groups[at];
        let Coordination::Consumers(coordinator) = &group.coordination else { return };
        let Membership::Incremental(epochs) = coordinator.membership() else { return };
        let Some(since) = group.unsettled_since.filter(|_| epochs.is_settled()) else { return };
        let (generation, members) =
            (epochs.epoch().index() as u32, epochs.members().count() as u32);
        group.unsettled_since = None;
        let (group, took) = (group.id, now - since);
        self.emit(cx, What::RebalanceEnded { group, generation, members, took });
    }

    /// Tells which offsets have been committed since this was last asked, and what was lost by that.
    pub(super) fn tell_commits(
        &mut self,
        cx: &mut Context,
        log: ComponentId,
        at: usize,
        by: Option<WorkerId>,
    ) {
        let lanes = self.log_mut(log).groups[at].committed.len();
        for lane in 0..lanes {
            #[allow(clippy::cast_possible_truncation, reason = "limits::PARTITIONS is far below")]
            let partition = PartitionId::from_index(lane as u32);
            let group = &mut self.log_mut(log).groups[at];
            let Coordination::Consumers(_) = group.coordination else { return };
            let (old, new) = (group.committed[lane], group.committed(partition));
            let Some(offset) = new.filter(|_| new != old) else { continue };
            group.committed[lane] = new;
            let id = group.id;
            self.emit(cx, What::Committed { group: id, partition, offset, worker: by });
            let first = self.log_mut(log).groups[at].first[lane];
            let from = old.or(first).unwrap_or(offset);
            self.passed(cx, log, at, partition, (from, offset));
        }
    }

    /// A group has gone past these offsets.
    pub(super) fn passed(
        &mut self,
        cx: &mut Context,
        log: ComponentId,
        at: usize,
        partition: PartitionId,
        (from, to): (Offset, Offset),
    ) {
        for offset in from.value()..to.value() {
            let place = Place { partition, offset: Offset::new(offset) };
            self.check_place(cx, log, at, place);
            self.note_read_by_all(log, place);
        }
    }

    /// A message that every group of its log is past is settled, as far as the log is concerned.
    fn note_read_by_all(&mut self, log: ComponentId, place: Place) {
        let state = self.log_mut(log);
        let past = |group: &GroupState| {
            group.committed(place.partition).is_some_and(|at| at > place.offset)
        };
        let message = state.messages[place.partition.index()].get(index(place.offset));
        let Some(message) = message.copied().flatten() else { return };
        if state.groups.iter().all(past) {
            self.messages[message].acked = true;
        }
    }

    /// Tells what a poll has changed.
    pub(super) fn tell_changes(
        &mut self,
        cx: &mut Context,
        group: GroupId,
        worker: WorkerId,
        changes: &[Change],
    ) {
        for change in changes {
            let what = match *change {
                // The format leaves out the policy that makes an error of a missing offset.
                Change::NoOffset { .. }
                | Change::Joined
                | Change::Kept { .. }
                | Change::Committed => continue,
                Change::Assigned { partition, from, .. } => {
                    let partition = partition.partition;
                    What::Assigned { group, worker, partition, from }
                }
                Change::Revoked(handover) => What::Revoked {
                    group,
                    worker,
                    partition: handover.partition.partition,
                    cause: Cause::from(handover.cause),
                    unfinished: count(handover.unfinished),
                    again: count(handover.again),
                },
                Change::CommitRefused(_) => What::CommitRefused { group, worker },
                Change::Reset { partition, from, to } => {
                    let partition = partition.partition;
                    What::OffsetReset { group, partition, from, to }
                }
            };
            self.emit(cx, what);
        }
    }
}

fn count(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn began(group: &GroupState, reason: Reason) -> What {
    let (why, member) = match reason {
        Reason::Joined(member) => (crate::Reason::Joined, Some(member)),
        Reason::Rejoined(member) => (crate::Reason::Rejoined, Some(member)),
        Reason::Left(member) => (crate::Reason::Left, Some(member)),
        Reason::Expelled(member) => (crate::Reason::Expired, Some(member)),
        Reason::PartitionsAdded => (crate::Reason::PartitionsAdded, None),
    };
    let worker = member.map(|member| group.worker(member));
    What::RebalanceBegan { group: group.id, why, worker }
}

impl GroupState {
    /// Everybody who waits in a poll looks for a new share.
    pub(super) fn call_all(&mut self) {
        for at in self.waiting.clone() {
            self.members[at].called = true;
        }
    }
}
