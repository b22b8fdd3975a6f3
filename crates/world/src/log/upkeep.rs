//! The broker's housekeeping, and what an operator does to a log.

use broker::log::group::Membership;
use broker::log::group::Phase as GroupPhase;
use broker::log::share::SharePartition;
use broker::log::{Due, Offset, Partition, Segment, Upkeep};
use scenario::{ComponentId, Reading, RewindTo};
use sim::short::OrderedMap;
use sim::{Rank, SimTime};

use super::share::lane_id;
use super::state::{Coordination, GroupState, LogState, Place, reading};
use super::work::Standing;
use crate::parts::Phase;
use crate::world::{Context, Event};
use crate::{What, World};

impl World {
    /// After any change of a log: its next deadline is on the calendar, and members that a poll
    /// would bring something poll at the end of this instant.
    #[inline(never)]
    pub(crate) fn log_settle(&mut self, log: ComponentId) {
        let now = self.now;
        let transactions = self.transactions.next_deadline();
        let state = self.log_mut(log);
        let due = transactions.map_or(state.next_deadline(), |at| at.min(state.next_deadline()));
        let due = due.max(now);
        let timer = state.timer.is_none_or(|set| due < set);
        if timer {
            state.timer = Some(due);
        }
        let wants = |group: &GroupState| {
            group.waiting.iter().any(|&member| state.wants(group, member, now))
        };
        let hand_out = !state.handing_out && state.groups.iter().any(wants);
        state.handing_out |= hand_out;
        if timer {
            self.schedule(due, Rank::Timer, Event::Deadline { queue: log });
        }
        if hand_out {
            self.schedule(now, Rank::Dispatch, Event::HandOut { queue: log });
        }
    }

    /// Something of a log comes due: a session, a window for joining, a lock, its upkeep.
    #[inline(never)]
    pub(crate) fn log_deadline(&mut self, cx: &mut Context, log: ComponentId) {
        let now = self.now;
        let state = self.log_mut(log);
        if state.timer == Some(now) {
            state.timer = None;
        }
        self.look_after(cx, log);
        self.transactions_due(cx);
        for at in 0..self.log_mut(log).groups.len() {
            self.tell_group(cx, log, at);
            self.share_due(cx, log, at);
        }
        self.log_settle(log);
    }

    /// Retention and cleaning.
    fn look_after(&mut self, cx: &mut Context, log: ComponentId) {
        let now = self.now;
        let state = self.log_mut(log);
        let starts: Vec<Offset> = state.topic().partitions().iter().map(Partition::start).collect();
        let mut upkeep = Vec::new();
        state.topic_mut().advance(now, &mut upkeep);
        for done in upkeep {
            match done {
                Upkeep::Deleted(partition, deleted) => {
                    #[allow(clippy::cast_possible_truncation, reason = "limits::MESSAGES")]
                    let records = deleted.messages.len() as u32;
                    self.log_mut(log).expired += records;
                    let start = deleted.start;
                    self.emit(cx, What::Trimmed { log, partition, start, records });
                    for message in deleted.messages {
                        let place = self.log_mut(log).place(message);
                        let gone = |at: Place| at.partition == partition && at.offset < start;
                        if place.is_some_and(gone) && self.messages[message].queue == Some(log) {
                            self.messages[message].queue = None;
                        }
                        self.emit(cx, What::Expired { queue: log, message });
                    }
                    for at in 0..self.log_mut(log).groups.len() {
                        self.passed(cx, log, at, partition, (starts[partition.index()], start));
                    }
                }
                Upkeep::Cleaned(_, cleaned) => {
                    for message in cleaned.removed {
                        let state = self.log_mut(log);
                        state.compacted += 1;
                        if let Some(place) = state.place(message) {
                            // A later value took its place: nobody is to work on it.
                            for group in &mut state.groups {
                                group.work_mut(place).standing = Standing::Done;
                            }
                        }
                        self.emit(cx, What::Compacted { log, message });
                    }
                }
            }
        }
    }

    /// A log is given more partitions. Members hear of it at once; with the product, when they next
    /// ask for the topics, after five minutes at most (`metadata.max.age.ms`).
    #[inline(never)]
    pub(crate) fn add_partitions(
        &mut self,
        cx: &mut Context,
        log: ComponentId,
        partitions: u32,
    ) -> bool {
        let now = self.now;
        let state = self.log_mut(log);
        let before = state.topic().settings().partitions;
        if partitions <= before || state.topic_mut().grow(partitions).is_err() {
            return false;
        }
        let lanes = partitions as usize;
        state.messages.resize_with(lanes, Vec::new);
        let id = state.id;
        for group in &mut state.groups {
            group.committed.resize(lanes, None);
            group.first.resize(lanes, None);
            group.work.resize_with(lanes, Vec::new);
            match &mut group.coordination {
                Coordination::Consumers(coordinator) => {
                    let mut sizes = OrderedMap::new();
                    sizes.insert(id, partitions);
                    coordinator.set_topics(now, sizes);
                }
                Coordination::Share(shares) => {
                    let Reading::Share { group: settings, .. } =
                        *reading(cx.scenario, group.id.reader)
                    else {
                        continue;
                    };
                    shares.resize_with(lanes, || SharePartition::new(settings, Offset::ZERO));
                }
            }
        }
        self.emit(cx, What::PartitionsAdded { log, partitions });
        for at in 0..self.log_mut(log).groups.len() {
            self.tell_group(cx, log, at);
        }
        self.log_settle(log);
        true
    }

    /// A group goes on reading elsewhere. The product takes that only from a group at rest; here its
    /// members are told as well.
    #[inline(never)]
    pub(crate) fn rewind(&mut self, cx: &mut Context, workers: ComponentId, to: RewindTo) -> bool {
        let scenario::Kind::Workers(spec) = &cx.scenario.component(workers).kind else {
            return false;
        };
        let (log, own) = (spec.from, cx.scenario.group_name(workers));
        let crate::Part::Log(state) = &self.parts[log.index()] else { return false };
        let named = |group: &GroupState| cx.scenario.group_name(group.id.reader) == own;
        let Some(at) = state.groups.iter().position(named) else { return false };
        for lane in 0..state.topic().partitions().len() {
            let partition = lane_id(lane);
            let state = self.log_mut(log);
            let whole = state.whole(partition);
            let records = &state.topic().partitions()[lane];
            let to = match to {
                RewindTo::Earliest => records.start(),
                RewindTo::Latest => records.high_watermark(),
                RewindTo::Time(at) => records.offset_at(at).unwrap_or(records.high_watermark()),
            };
            let group = &mut state.groups[at];
            let Coordination::Consumers(coordinator) = &mut group.coordination else {
                return false;
            };
            coordinator.reset(whole, to);
            for member in &mut group.members {
                member.consumer.seek(whole, to);
            }
            let before = group.committed[lane].replace(to);
            let first = &mut group.first[lane];
            *first = Some(first.map_or(to, |first| first.min(to)));
            let id = group.id;
            self.emit(cx, What::Rewound { group: id, partition, to });
            if let Some(before) = before {
                self.passed(cx, log, at, partition, (before, to));
            }
        }
        self.log_settle(log);
        true
    }
}

impl LogState {
    fn next_deadline(&self) -> SimTime {
        let groups = self.groups.iter().filter_map(|group| match &group.coordination {
            Coordination::Consumers(coordinator) => coordinator.next_deadline(),
            Coordination::Share(lanes) => {
                lanes.iter().filter_map(SharePartition::next_deadline).min()
            }
        });
        groups.min().map_or(self.topic().next_deadline(), |at| at.min(self.topic().next_deadline()))
    }

    /// Whether nothing will happen here by itself before the end of the run, given what each worker
    /// is doing.
    #[inline(never)]
    pub(crate) fn is_at_rest(
        &self,
        phases: impl Fn(crate::WorkerId) -> Phase,
        until: SimTime,
    ) -> bool {
        let aging = self.topic().partitions().iter().any(|lane| {
            let settings = lane.settings();
            let ends = settings.retention.filter(|_| settings.cleanup.deletes());
            let oldest = lane.segments().next().and_then(Segment::largest_timestamp);
            let expires = ends.zip(oldest).is_some_and(|(kept, oldest)| oldest + kept < until);
            let large = settings.retention_bytes.is_some_and(|kept| lane.bytes() > kept);
            let dirty = settings.cleanup.compacts() && lane.dirt(until).due != Due::No;
            expires || settings.cleanup.deletes() && large || dirty
        });
        !aging
            && self.unconfirmed.is_empty()
            && self.groups.iter().all(|group| self.group_rests(group, &phases))
    }

    fn group_rests(&self, group: &GroupState, phases: impl Fn(crate::WorkerId) -> Phase) -> bool {
        let live =
            |member: &&super::MemberState| !matches!(phases(member.worker), Phase::Down { .. });
        let idle = |at: &usize| !self.has_records(group, *at) && !group.members[*at].called;
        let idle = group.waiting.iter().all(idle)
            && group.members.iter().all(|member| member.sleeps_until.is_none());
        let Coordination::Consumers(coordinator) = &group.coordination else {
            let Coordination::Share(lanes) = &group.coordination else { return idle };
            return idle && lanes.iter().all(|lane| lane.next_deadline().is_none());
        };
        let settled = match coordinator.membership() {
            Membership::Classic(classic) => {
                matches!(classic.phase(), GroupPhase::Stable | GroupPhase::Empty)
            }
            Membership::Incremental(epochs) => epochs.is_settled(),
        };
        let members = coordinator.members();
        let current = |member: &super::MemberState| {
            members.contains(&member.consumer.member()) && member.has_committed(group)
        };
        let all = group.members.iter().filter(live).all(current);
        idle && settled && all && members.len() == group.members.iter().filter(live).count()
    }
}
