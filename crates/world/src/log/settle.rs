//! Commits, and giving records back.

use broker::log::share::{AcknowledgeError, Acknowledgement, ShareState};
use sim::{SimDuration, SimTime};

use super::state::{Coordination, LogState, MemberState};
use crate::taking::{Delivery, Publishing, Receipt};
use crate::world::Context;
use crate::{Death, Outcome, Refusal, What, WorkerId, World};
use scenario::ComponentId;

impl World {
    /// A worker says that it is done with a record: it commits the offset after it, whatever lies
    /// before, or lets go of its lock for good.
    #[inline(never)]
    pub(crate) fn log_ack(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        delivery: Delivery,
    ) -> Outcome {
        let now = self.now;
        let (log, Receipt::Offset(place)) = (delivery.queue, delivery.receipt) else {
            return Outcome::Refused;
        };
        let state = self.log_mut(log);
        let Some((at, member)) = state.seat(worker) else { return Outcome::Refused };
        let whole = state.whole(place.partition);
        let group = &state.groups[at];
        let Coordination::Consumers(_) = group.coordination else {
            return self.acknowledge(cx, worker, delivery, Acknowledgement::Accept);
        };
        let commit = |world: &mut Self| {
            let group = &mut world.log_mut(log).groups[at];
            let Coordination::Consumers(coordinator) = &mut group.coordination else {
                return false;
            };
            let consumer = &mut group.members[member].consumer;
            consumer.commit_to(now, coordinator, whole, place.offset.next()).is_ok()
        };
        let id = group.id;
        let outcome = match self.commit_transaction(cx, worker, place, commit) {
            Some(outcome) => outcome,
            None if commit(self) => Outcome::Ok,
            None => {
                self.emit(cx, What::CommitRefused { group: id, worker });
                Outcome::Refused
            }
        };
        self.tell_commits(cx, log, at, Some(worker));
        self.tell_group(cx, log, at);
        self.log_settle(log);
        outcome
    }

    /// A worker gives a record back: it reads on from there, after a sleep, and forgets what it had
    /// read beyond. What follows in the partition waits. In a share group, anybody may take it.
    #[inline(never)]
    pub(crate) fn log_give_back(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        delivery: Delivery,
        delay: SimDuration,
    ) -> Outcome {
        let (log, message) = (delivery.queue, delivery.message);
        let Some((at, member)) = self.log_mut(log).seat(worker) else { return Outcome::Refused };
        if let Coordination::Share(_) = self.log_mut(log).groups[at].coordination {
            return self.acknowledge(cx, worker, delivery, Acknowledgement::Release);
        }
        let until = self.now + delay;
        let pending = std::mem::take(&mut self.worker_mut(worker).pending);
        let LogState { groups, id, .. } = self.log_mut(log);
        let MemberState { consumer, sleeps_until, .. } = &mut groups[at].members[member];
        // From the last to the first, so that each partition is read on from its first.
        for back in pending.iter().rev().chain([&delivery]) {
            if let Receipt::Offset(place) = back.receipt {
                let whole = broker::log::TopicPartition::new(*id, place.partition);
                consumer.seek(whole, place.offset);
            }
        }
        *sleeps_until = Some(until).filter(|_| delay > SimDuration::ZERO);
        self.emit(cx, What::Nacked { queue: log, message, worker, visible_at: until });
        for forgotten in pending {
            self.messages[forgotten.message].holders -= 1;
            self.log_delivery_over(cx, worker, forgotten, false);
        }
        Outcome::Ok
    }

    /// A worker puts a record aside. A log has no dead letters of its own: the reader publishes the
    /// record elsewhere, and commits past it.
    #[inline(never)]
    pub(crate) fn log_put_aside(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        delivery: Delivery,
        to: Option<ComponentId>,
    ) -> Outcome {
        let Delivery { queue: from, message, count, .. } = delivery;
        let own = crate::worker::workers(cx, worker).membership.as_ref();
        let Some(to) = to.or(own.and_then(|own| own.dead_letter_to)) else {
            return Outcome::Refused;
        };
        self.messages[message].dead_lettered = true;
        let why = Death::Rejected;
        self.emit(cx, What::DeadLettered { from, to, message, count, why });
        match self.store(cx, worker.component, to, message, None) {
            Publishing::Over(Outcome::Ok) => {}
            Publishing::Over(outcome) => return outcome,
            // The client tries again when the handler does.
            Publishing::Again(_) => return Outcome::Timeout,
        }
        self.log_moved(worker, from, message);
        self.log_ack(cx, worker, delivery)
    }

    /// A member of a share group is done with a record.
    fn acknowledge(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        delivery: Delivery,
        how: Acknowledgement,
    ) -> Outcome {
        let now = self.now;
        let (log, message) = (delivery.queue, delivery.message);
        let Receipt::Offset(place) = delivery.receipt else { return Outcome::Refused };
        let state = self.log_mut(log);
        let Some((at, member)) = state.seat(worker) else { return Outcome::Refused };
        let group = &mut state.groups[at];
        let id = group.members[member].consumer.member();
        let Coordination::Share(lanes) = &mut group.coordination else { return Outcome::Refused };
        let outcome = lanes[place.partition.index()].acknowledge(now, id, place.offset, how);
        let visible_at: SimTime = now;
        match outcome {
            Ok(ShareState::Acknowledged) => {
                self.messages[message].acked = true;
                self.emit(cx, What::Acked { queue: log, message, worker });
            }
            Ok(ShareState::Archived) => self.archived(cx, log, at, place),
            Ok(_) => self.emit(cx, What::Nacked { queue: log, message, worker, visible_at }),
            Err(AcknowledgeError::NotAcquired | AcknowledgeError::AnothersLock { .. }) => {
                let why = Refusal::StaleReceipt;
                self.emit(cx, What::AckRefused { queue: log, message, worker, why });
            }
        }
        self.log_settle(log);
        if outcome.is_ok() { Outcome::Ok } else { Outcome::Refused }
    }
}
