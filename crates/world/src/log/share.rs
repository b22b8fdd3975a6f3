//! Groups whose members take single records, each under a lock of its own.

use broker::log::share::{Acquired, Lapse, SharePartition, ShareState};
use broker::log::{Offset, PartitionId};
use scenario::{ComponentId, Reading};

use super::poll::poll_size;
use super::state::{Coordination, GroupState, LogState, Place, reading};
use crate::world::Context;
use crate::{What, World};

impl World {
    /// A member takes what is free, from the partition that is its turn on.
    pub(super) fn share_poll(
        &mut self,
        cx: &mut Context,
        log: ComponentId,
        at: usize,
        member: usize,
    ) {
        let now = self.now;
        let worker = self.log_mut(log).groups[at].members[member].worker;
        let most = poll_size(cx, worker);
        self.open_share(cx, log, at);
        let LogState { topics, groups, id, .. } = self.log_mut(log);
        let Some(topic) = topics.get(id) else { return };
        let group = &mut groups[at];
        let identity = group.members[member].consumer.member();
        let Coordination::Share(lanes) = &mut group.coordination else { return };
        let mut records = Vec::new();
        let mut acquired: Vec<Acquired> = Vec::new();
        let first = member % lanes.len();
        for lane in (first..lanes.len()).chain(0..first) {
            let Some(partition) = topic.partitions().get(lane) else { continue };
            acquired.clear();
            lanes[lane].acquire(now, identity, most - records.len(), partition, &mut acquired);
            let partition = lane_id(lane);
            records.extend(acquired.iter().map(|taken| {
                let place = Place { partition, offset: taken.fetched.offset };
                (taken.fetched.record.message, place, Some(taken.until))
            }));
        }
        self.hand_records(cx, log, at, member, &records);
    }

    /// A group starts where its policy says when its first member comes.
    fn open_share(&mut self, cx: &Context, log: ComponentId, at: usize) {
        let LogState { topics, groups, id, .. } = self.log_mut(log);
        let (Some(topic), group) = (topics.get(id), &mut groups[at]) else { return };
        let Reading::Share { group: settings, reset, .. } = *reading(cx.scenario, group.id.reader)
        else {
            return;
        };
        let Coordination::Share(lanes) = &mut group.coordination else { return };
        let each = lanes.iter_mut().zip(&mut group.first).zip(topic.partitions());
        for ((lane, first), partition) in each {
            if first.is_none() {
                let start = match reset {
                    broker::log::consumer::Reset::Earliest => partition.start(),
                    _ => partition.readable(settings.isolation),
                };
                *lane = SharePartition::new(settings, start);
                *first = Some(start);
            }
        }
    }

    /// Locks that have run out.
    pub(super) fn share_due(&mut self, cx: &mut Context, log: ComponentId, at: usize) {
        let now = self.now;
        let mut lapses = Vec::new();
        let mut all = Vec::new();
        if let Coordination::Share(lanes) = &mut self.log_mut(log).groups[at].coordination {
            for (lane, share) in lanes.iter_mut().enumerate() {
                share.advance(now, &mut lapses);
                all.extend(lapses.drain(..).map(|lapse| (lane_id(lane), lapse)));
            }
        }
        for (partition, lapse) in all {
            match lapse {
                Lapse::Released(offset) => self.released(cx, log, at, Place { partition, offset }),
                Lapse::Archived(offset) => self.archived(cx, log, at, Place { partition, offset }),
            }
        }
    }

    fn released(&mut self, cx: &mut Context, log: ComponentId, at: usize, place: Place) {
        let count = self.log_mut(log).groups[at].reads(place);
        if let Some(message) = self.message_at(log, place) {
            self.emit(cx, What::Lapsed { queue: log, message, count });
        }
    }

    /// A record is given up: it was handed out as often as is allowed.
    pub(super) fn archived(&mut self, cx: &mut Context, log: ComponentId, at: usize, place: Place) {
        let group = &mut self.log_mut(log).groups[at];
        group.work_mut(place).archived = true;
        let id = group.id;
        let Some(message) = self.message_at(log, place) else { return };
        self.emit(cx, What::Archived { group: id, message });
        self.check_place(cx, log, at, place);
    }

    /// A member leaves in order, and what it had locked is free.
    pub(super) fn share_leaves(
        &mut self,
        cx: &mut Context,
        log: ComponentId,
        at: usize,
        member: usize,
    ) {
        let now = self.now;
        let group = &mut self.log_mut(log).groups[at];
        let identity = group.members[member].consumer.member();
        let Coordination::Share(lanes) = &mut group.coordination else { return };
        let mut freed: Vec<(PartitionId, Offset, bool)> = Vec::new();
        for (lane, share) in lanes.iter_mut().enumerate() {
            for offset in share.release_all(now, identity) {
                let free = share
                    .records()
                    .any(|(at, state, _)| at == offset && state == ShareState::Available);
                freed.push((lane_id(lane), offset, free));
            }
        }
        for (partition, offset, free) in freed {
            let place = Place { partition, offset };
            if free {
                self.released(cx, log, at, place);
            } else {
                self.archived(cx, log, at, place);
            }
        }
    }
}

impl LogState {
    /// Whether a member of a share group would get something.
    pub(super) fn has_shared(&self, group: &GroupState) -> bool {
        let Coordination::Share(lanes) = &group.coordination else { return false };
        let mut each = lanes.iter().zip(self.topic().partitions());
        each.any(|(share, lane)| {
            let settings = share.settings();
            let window = share.end().saturating_since(share.start());
            let room = window < u64::from(settings.max_record_locks);
            let fresh = room && share.end() < lane.readable(settings.isolation);
            fresh || share.records().any(|(_, state, _)| state == ShareState::Available)
        })
    }
}

#[allow(clippy::cast_possible_truncation, reason = "limits::PARTITIONS is far below")]
pub(super) fn lane_id(lane: usize) -> PartitionId {
    PartitionId::from_index(lane as u32)
}
