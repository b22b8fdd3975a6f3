//! Members: their polls and heartbeats, how they come and how they go.

use broker::MessageId;
use broker::log::consumer::{Change, Polled, Standing};
use scenario::{ComponentId, Kind};
use sim::{Rank, SimTime};

use super::state::{Coordination, GroupState, LogState, MemberState, Place, reading};
use crate::parts::Phase;
use crate::taking::{Delivery, Receipt};
use crate::world::{Context, Event};
use crate::{Part, What, WorkerId, World};

impl World {
    /// A worker has empty hands and is inside a poll.
    #[inline(never)]
    pub(crate) fn log_waits(&mut self, log: ComponentId, worker: WorkerId) {
        let state = self.log_mut(log);
        let Some((at, member)) = state.seat(worker) else { return };
        let group = &mut state.groups[at];
        if !group.waiting.contains(&member) {
            group.waiting.push_back(member);
        }
        // A poll is made at once; whether anything comes of it is another question.
        group.members[member].called = true;
        if group.members[member].sleeps_until.is_some() {
            self.arm_member(log, at, member);
        }
        self.log_settle(log);
    }

    /// A worker is not inside a poll any more: it is frozen.
    #[inline(never)]
    pub(crate) fn log_rests(&mut self, log: ComponentId, worker: WorkerId) {
        let state = self.log_mut(log);
        if let Some((at, member)) = state.seat(worker) {
            state.groups[at].waiting.retain(|waiting| *waiting != member);
        }
    }

    /// A frozen worker is awake, and so is what runs beside its handler.
    #[inline(never)]
    pub(crate) fn log_awake(&mut self, log: ComponentId, worker: WorkerId) {
        let now = self.now;
        if let Some((at, member)) = self.log_mut(log).seat(worker) {
            self.schedule_member(log, at, member, now);
        }
    }

    /// A worker has died. Nobody tells its group.
    #[inline(never)]
    pub(crate) fn log_gone(&mut self, cx: &mut Context, log: ComponentId, worker: WorkerId) {
        self.log_rests(log, worker);
        self.forget_held(cx, log, worker);
        if let Some((at, member)) = self.log_mut(log).seat(worker) {
            let member = &mut self.log_mut(log).groups[at].members[member];
            (member.timer, member.sleeps_until, member.leaves) = (None, None, None);
        }
    }

    /// A worker is there for the first time, or back after its death: as somebody new, unless it is
    /// a static member.
    #[inline(never)]
    pub(crate) fn log_back(&mut self, cx: &mut Context, log: ComponentId, worker: WorkerId) {
        let state = self.log_mut(log);
        let found = state.groups.iter().position(|group| {
            let own = cx.scenario.group_name(worker.component);
            cx.scenario.group_name(group.id.reader) == own
        });
        let Some(at) = found else { return };
        let group = &mut state.groups[at];
        let member = group.admit(cx.scenario, worker);
        let consumer = group.client(cx.scenario, worker);
        group.members[member].consumer = consumer;
        group.members[member].writes = None;
        self.start_writing(cx, worker);
        self.log_waits(log, worker);
    }

    /// Members inside a poll look whether it brings something.
    #[inline(never)]
    pub(crate) fn log_hand_out(&mut self, cx: &mut Context, log: ComponentId) {
        self.log_mut(log).handing_out = false;
        for at in 0..self.log_mut(log).groups.len() {
            let now = self.now;
            let state = self.log_mut(log);
            let all: Vec<usize> = state.groups[at].waiting.iter().copied().collect();
            for member in all {
                let state = self.log_mut(log);
                let waits = state.groups[at].waiting.contains(&member);
                if waits && state.wants(&state.groups[at], member, now) {
                    self.log_poll(cx, log, at, member);
                }
            }
        }
        self.log_settle(log);
    }

    /// One poll of one member.
    fn log_poll(&mut self, cx: &mut Context, log: ComponentId, at: usize, member: usize) {
        let now = self.now;
        let state = self.log_mut(log);
        let LogState { topics, groups, .. } = state;
        let group = &mut groups[at];
        if let Some(back_after) = group.members[member].leaves.take() {
            return self.leave_now(cx, log, (at, member), back_after);
        }
        let MemberState { worker, consumer, called, sleeps_until, .. } = &mut group.members[member];
        let worker = *worker;
        (*called, *sleeps_until) = (false, None);
        let Coordination::Consumers(coordinator) = &mut group.coordination else {
            return self.share_poll(cx, log, at, member);
        };
        let mut polled = Polled::default();
        consumer.poll(now, coordinator, topics, &mut polled);
        let id = group.id;
        for change in &polled.changes {
            if let Change::Assigned { partition, from, .. } = change {
                let lane = partition.partition.index();
                group.first[lane].get_or_insert(*from);
            }
        }
        // First what the member gives up, then what becomes of the group, then what it is given.
        let is_new = |change: &Change| matches!(change, Change::Assigned { .. });
        let split = polled.changes.iter().position(is_new).unwrap_or(polled.changes.len());
        self.tell_commits(cx, log, at, Some(worker));
        self.tell_changes(cx, id, worker, &polled.changes[..split]);
        if polled.changes.contains(&Change::Joined) {
            self.emit(cx, What::MemberJoined { group: id, worker });
        }
        self.tell_group(cx, log, at);
        self.tell_changes(cx, id, worker, &polled.changes[split..]);
        for change in &polled.changes {
            if let &Change::Reset { partition, from, to } = change
                && from < to
            {
                self.passed(cx, log, at, partition.partition, (from, to));
            }
        }
        let records: Vec<_> = polled
            .records
            .iter()
            .map(|(whole, fetched)| {
                let place = Place { partition: whole.partition, offset: fetched.offset };
                (fetched.record.message, place, None)
            })
            .collect();
        self.hand_records(cx, log, at, member, &records);
        self.arm_member(log, at, member);
    }

    /// Puts records into a member's hands.
    pub(super) fn hand_records(
        &mut self,
        cx: &mut Context,
        log: ComponentId,
        at: usize,
        member: usize,
        records: &[(MessageId, Place, Option<SimTime>)],
    ) {
        if records.is_empty() {
            return;
        }
        let group = &mut self.log_mut(log).groups[at];
        let worker = group.members[member].worker;
        group.waiting.retain(|waiting| *waiting != member);
        let deliveries: Vec<Delivery> = records
            .iter()
            .map(|&(message, place, until)| Delivery {
                queue: log,
                message,
                receipt: Receipt::Offset(place),
                count: group.take(member, place),
                until,
            })
            .collect();
        self.deliver(cx, worker, &deliveries);
    }

    /// What runs beside a worker's handler: its heartbeat, and giving up on a handler that does not
    /// come back to poll.
    #[inline(never)]
    pub(crate) fn member_due(&mut self, cx: &mut Context, worker: WorkerId) {
        let now = self.now;
        let Some(log) = self.log_of(cx, worker) else { return };
        let phase = self.worker_mut(worker).process.phase;
        let cut_off = self.is_cut_off(cx, worker);
        let Some((at, member)) = self.log_mut(log).seat(worker) else { return };
        let group = &mut self.log_mut(log).groups[at];
        let is_waiting = group.waiting.contains(&member);
        let MemberState { consumer, timer, sleeps_until, called, .. } = &mut group.members[member];
        if *timer != Some(now) {
            return;
        }
        *timer = None;
        let frozen = match phase {
            Phase::Down { .. } => true,
            Phase::Paused { until, .. } => until > now,
            Phase::Idle | Phase::Working => false,
        };
        // Behind a cut its client is as good as silent.
        if frozen || cut_off {
            return;
        }
        let sleeps = sleeps_until.is_some_and(|until| until > now);
        let waits_for_share = matches!(consumer.standing(), Standing::Waiting { .. });
        if let Coordination::Consumers(coordinator) = &mut group.coordination
            && (!is_waiting || sleeps || waits_for_share)
            && consumer.next_deadline(coordinator).is_some_and(|due| due <= now)
        {
            consumer.advance(now, coordinator);
        }
        // A client inside a poll acts at once on what its heartbeat has brought back.
        *called |= is_waiting && !sleeps;
        self.tell_group(cx, log, at);
        if !is_waiting || sleeps {
            self.arm_member(log, at, member);
        }
        self.log_settle(log);
    }

    fn arm_member(&mut self, log: ComponentId, at: usize, member: usize) {
        let now = self.now;
        let group = &self.log_mut(log).groups[at];
        let Coordination::Consumers(coordinator) = &group.coordination else { return };
        let MemberState { consumer, sleeps_until, .. } = &group.members[member];
        let due = [consumer.next_deadline(coordinator), *sleeps_until].into_iter().flatten().min();
        if let Some(due) = due {
            self.schedule_member(log, at, member, due.max(now));
        }
    }

    pub(super) fn schedule_member(
        &mut self,
        log: ComponentId,
        at: usize,
        member: usize,
        due: SimTime,
    ) {
        let MemberState { worker, timer, .. } = &mut self.log_mut(log).groups[at].members[member];
        if timer.is_none_or(|set| due < set) {
            *timer = Some(due);
            let worker = *worker;
            self.schedule(due, Rank::Finish, Event::Member { worker });
        }
    }

    pub(super) fn member_mut(
        &mut self,
        cx: &Context,
        worker: WorkerId,
    ) -> Option<&mut MemberState> {
        let log = self.log_of(cx, worker)?;
        let state = self.log_mut(log);
        let (group, member) = state.seat(worker)?;
        Some(&mut state.groups[group].members[member])
    }

    /// The log that a worker reads, if it reads one.
    pub(crate) fn log_of(&self, cx: &Context, worker: WorkerId) -> Option<ComponentId> {
        let Kind::Workers(spec) = &cx.scenario.component(worker.component).kind else {
            return None;
        };
        let from = spec.from;
        matches!(self.parts[from.index()], Part::Log(_)).then_some(from)
    }
}

impl LogState {
    /// Whether a poll would change something.
    pub(super) fn wants(&self, group: &GroupState, member: usize, now: SimTime) -> bool {
        let state = &group.members[member];
        if state.sleeps_until.is_some_and(|until| until > now) {
            return false;
        }
        state.called || self.has_records(group, member)
    }

    pub(super) fn has_records(&self, group: &GroupState, member: usize) -> bool {
        let state = &group.members[member];
        match &group.coordination {
            Coordination::Consumers(_) => state.owned().any(|(at, position)| {
                let lane = self.topic().partition(at);
                lane.is_ok_and(|lane| {
                    position < lane.readable(state.isolation) || position < lane.start()
                })
            }),
            Coordination::Share(_) => self.has_shared(group),
        }
    }
}

/// How many records a worker is handed at once.
pub(super) fn poll_size(cx: &Context, worker: WorkerId) -> usize {
    reading(cx.scenario, worker.component).max_poll_records() as usize
}
