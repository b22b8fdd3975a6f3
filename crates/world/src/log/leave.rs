//! Leaving a group in order, as a process does that is shut down for a deployment: with the records
//! of its last poll done, it commits, if it does that by itself, and says that it goes.

use scenario::ComponentId;
use sim::{Rank, SimDuration};

use super::state::Coordination;
use crate::parts::Phase;
use crate::world::{Context, Event};
use crate::{Part, What, WorkerId, World};

impl World {
    /// A worker is told to shut down when it next polls. Says whether it reads a log and is there.
    #[inline(never)]
    pub(crate) fn leave(
        &mut self,
        cx: &Context,
        worker: WorkerId,
        back_after: Option<SimDuration>,
    ) -> bool {
        if matches!(self.process_mut(worker).phase, Phase::Down { .. }) {
            return false;
        }
        let Some(member) = self.member_mut(cx, worker) else { return false };
        member.leaves = Some(back_after);
        member.called = true;
        if let Some(log) = self.log_of(cx, worker) {
            self.log_settle(log);
        }
        true
    }

    /// A worker that was told to shut down does so now, in place of a poll.
    pub(super) fn leave_now(
        &mut self,
        cx: &mut Context,
        log: ComponentId,
        (at, member): (usize, usize),
        back_after: Option<SimDuration>,
    ) {
        let now = self.now;
        let worker = self.log_mut(log).groups[at].members[member].worker;
        self.log_leaves(cx, log, worker);
        let until = back_after.map(|after| now + after);
        self.process_mut(worker).phase = Phase::Down { since: now, until };
        if let Part::Workers(state) = &mut self.parts[worker.component.index()] {
            state.workers[usize::from(worker.instance)].hands = None;
        }
        if let Some(at) = until {
            self.schedule(at, Rank::Timer, Event::Wake { worker });
        }
    }

    /// A worker that has nothing in hand says that it goes.
    #[inline(never)]
    pub(crate) fn log_leaves(&mut self, cx: &mut Context, log: ComponentId, worker: WorkerId) {
        let now = self.now;
        let Some((at, member)) = self.log_mut(log).seat(worker) else { return };
        let group = &mut self.log_mut(log).groups[at];
        let id = group.id;
        let mut stays = false;
        match &mut group.coordination {
            Coordination::Consumers(coordinator) => {
                let consumer = &mut group.members[member].consumer;
                consumer.close(now, coordinator);
                // A static member's place is kept until its session times out.
                stays = coordinator.members().contains(&consumer.member());
            }
            Coordination::Share(_) => self.share_leaves(cx, log, at, member),
        }
        self.tell_commits(cx, log, at, Some(worker));
        if !stays {
            self.emit(cx, What::MemberLeft { group: id, worker });
        }
        self.log_gone(cx, log, worker);
        self.tell_group(cx, log, at);
        self.log_settle(log);
    }
}
