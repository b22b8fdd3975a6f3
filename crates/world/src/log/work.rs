//! What became of the work on each record, group by group.
//!
//! A record is *lost* to a group that has committed past it, or whose log no longer has it, when
//! its work was not done and nobody in the group is still at it. Another group may have done its
//! own work on the same record.

use broker::MessageId;
use broker::log::{Offset, PartitionId};
use scenario::{ComponentId, StepIndex};

use super::state::{Coordination, GroupState, LogState, Place};
use crate::taking::{Delivery, Receipt};
use crate::world::Context;
use crate::{Part, What, WorkerId, World};

/// What became of the work on one record in one group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Work {
    /// How often it was handed out.
    pub reads: u32,
    /// In how many hands it is.
    held: u16,
    /// Which lines of the handler have had their effect, as bits.
    effects: u64,
    /// Its lock has run out for the last time: no member of a share group will get it.
    pub archived: bool,
    /// It was told that nobody will do it. A group that is rewound may do it all the same.
    lost: bool,
    pub standing: Standing,
}

/// Where the work stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Standing {
    /// Not done.
    #[default]
    Open,
    /// Done, or moved aside for somebody else to do.
    Done,
}

impl Work {
    /// What was done for it does not count: its transaction was aborted.
    pub(super) fn forget(&mut self) {
        self.effects = 0;
        if self.standing == Standing::Done {
            self.standing = Standing::Open;
        }
    }
}

impl GroupState {
    pub(super) fn work_at(&self, place: Place) -> Option<&Work> {
        self.work.get(place.partition.index())?.get(index(place.offset))
    }

    pub(super) fn work_mut(&mut self, place: Place) -> &mut Work {
        let lane = &mut self.work[place.partition.index()];
        let at = index(place.offset);
        if lane.len() <= at {
            lane.resize(at + 1, Work::default());
        }
        &mut lane[at]
    }

    /// A record goes into a member's hands. Says how often it has been handed out.
    pub(super) fn take(&mut self, member: usize, place: Place) -> u32 {
        let work = self.work_mut(place);
        work.reads += 1;
        work.held += 1;
        let reads = work.reads;
        self.read_again += u32::from(reads > 1);
        self.members[member].held.push(place);
        reads
    }

    /// A record leaves a member's hands.
    fn let_go(&mut self, member: usize, place: Place) {
        let held = &mut self.members[member].held;
        if let Some(at) = held.iter().position(|other| *other == place) {
            held.remove(at);
            self.work_mut(place).held -= 1;
        }
    }

    /// Whether nobody in the group will do a record's work, and that is news.
    fn gives_up(&mut self, place: Place, start: Offset) -> bool {
        let first = self.first[place.partition.index()];
        let passed = match &self.coordination {
            Coordination::Consumers(_) => {
                self.committed[place.partition.index()].is_some_and(|at| at > place.offset)
            }
            Coordination::Share(_) => self.work_at(place).is_some_and(|work| work.archived),
        };
        let concerns = first.is_some_and(|first| first <= place.offset);
        if !concerns || !(passed || place.offset < start) {
            return false;
        }
        let work = self.work_mut(place);
        let lost = work.standing == Standing::Open && work.held == 0 && !work.lost;
        if lost {
            work.lost = true;
            self.lost += 1;
        }
        lost
    }
}

/// The position of an offset in a table.
pub(super) fn index(offset: Offset) -> usize {
    usize::try_from(offset.value()).expect("a run appends fewer records")
}

impl World {
    /// A worker is through with a record. `done`: and with its work, as far as no call has to tell.
    #[inline(never)]
    pub(crate) fn log_delivery_over(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        delivery: Delivery,
        done: bool,
    ) {
        let (log, Receipt::Offset(place)) = (delivery.queue, delivery.receipt) else { return };
        let state = self.log_mut(log);
        let Some((at, member)) = state.seat(worker) else { return };
        let whole = state.whole(place.partition);
        let group = &mut state.groups[at];
        if done {
            group.work_mut(place).standing = Standing::Done;
        }
        self.abort_if_open(cx, worker, delivery);
        let group = &mut self.log_mut(log).groups[at];
        group.members[member].consumer.finish(whole, place.offset);
        group.let_go(member, place);
        self.check_lost_to_groups(cx, delivery.message);
    }

    /// A worker has died with records in its hands.
    pub(super) fn forget_held(&mut self, cx: &mut Context, log: ComponentId, worker: WorkerId) {
        let state = self.log_mut(log);
        let Some((at, member)) = state.seat(worker) else { return };
        let group = &mut state.groups[at];
        let held = std::mem::take(&mut group.members[member].held);
        for &place in &held {
            group.work_mut(place).held -= 1;
        }
        for place in held {
            self.check_place(cx, log, at, place);
        }
    }

    /// A line of a worker's handler has had its effect for a message of a log.
    #[inline(never)]
    pub(crate) fn log_effect(
        &mut self,
        worker: WorkerId,
        log: ComponentId,
        message: MessageId,
        step: StepIndex,
        wanted: u64,
    ) {
        let Part::Log(state) = &mut self.parts[log.index()] else { return };
        let Some((group, place)) = state.in_work(worker, message) else { return };
        let work = state.groups[group].work_mut(place);
        work.effects |= 1 << step.index();
        if work.effects & wanted == wanted {
            work.standing = Standing::Done;
        }
    }

    /// A message has been put elsewhere by one who had it in hand: its work is somebody else's now.
    #[inline(never)]
    pub(crate) fn log_moved(&mut self, worker: WorkerId, log: ComponentId, message: MessageId) {
        let Part::Log(state) = &mut self.parts[log.index()] else { return };
        let Some((group, place)) = state.in_work(worker, message) else { return };
        state.groups[group].work_mut(place).standing = Standing::Done;
    }

    /// Whether a message has just been lost to a group of one of the logs it stands in.
    #[inline(never)]
    pub(crate) fn check_lost_to_groups(&mut self, cx: &mut Context, message: MessageId) {
        for (id, _) in cx.scenario.ids() {
            let Part::Log(state) = &self.parts[id.index()] else { continue };
            let Some(place) = state.place(message) else { continue };
            for group in 0..state.groups.len() {
                self.check_place(cx, id, group, place);
            }
        }
    }

    pub(super) fn check_place(
        &mut self,
        cx: &mut Context,
        log: ComponentId,
        group: usize,
        place: Place,
    ) {
        let Some(message) = self.message_at(log, place) else { return };
        // A call that has left may still have its effect.
        if self.messages[message].calls > 0 {
            return;
        }
        let state = self.log_mut(log);
        let start = state.start(place.partition);
        if state.groups[group].gives_up(place, start) {
            let group = state.groups[group].id;
            let Place { partition, offset } = place;
            self.emit(cx, What::LostToGroup { group, message, partition, offset });
        }
    }

    /// Which message stands, or stood, at a place.
    pub(super) fn message_at(&self, log: ComponentId, place: Place) -> Option<MessageId> {
        let Part::Log(state) = &self.parts[log.index()] else { return None };
        state.messages.get(place.partition.index())?.get(index(place.offset)).copied().flatten()
    }
}

impl LogState {
    /// The group of a worker, and the record that it has, or had, this message from.
    fn in_work(&self, worker: WorkerId, message: MessageId) -> Option<(usize, Place)> {
        let (group, member) = self.seat(worker)?;
        let of = |place: &&Place| {
            let lane = self.messages.get(place.partition.index());
            lane.and_then(|lane| lane.get(index(place.offset))) == Some(&Some(message))
        };
        let held = self.groups[group].members[member].held.iter().find(of).copied();
        Some((group, held.or_else(|| self.place(message))?))
    }

    pub(super) fn start(&self, partition: PartitionId) -> Offset {
        self.topic().partition(partition).map(broker::log::Partition::start).unwrap_or_default()
    }
}
