//! What time alone does to a queue.

use sim::{SimDuration, SimTime};

use super::super::{
    ConsumerId, DeadLetterStrategy, DeliveryMode, Durability, Event, QueueKind, Reason,
    ReturnCause, TimeoutRule,
};
use super::{Dead, HoldId, Parked, Queue, Reach};

/// A consumer that kept a delivery too long, and all that it holds of the queue.
pub(in super::super) struct Overdue {
    /// `None`: a message taken by a get.
    pub consumer: Option<ConsumerId>,
    pub holds: Vec<HoldId>,
}

impl Queue {
    /// When something happens next by itself.
    pub(in super::super) fn next_deadline(&self) -> Option<SimTime> {
        let head = self.line.head().and_then(|held| held.expires_at);
        let delayed = self.delayed.keys().next().map(|(at, _)| *at);
        let parked = self.parked.iter().map(|parked| parked.retry_at).min();
        let all = [head, delayed, parked, self.expires_at(), self.next_timeout()];
        all.into_iter().flatten().min()
    }

    /// When the queue is deleted if it stays unused. A quorum queue looks only now and then.
    pub(in super::super) fn expires_at(&self) -> Option<SimTime> {
        let unused = self.settings.expires.filter(|_| self.consumers.is_empty())?;
        let due = self.used_at + unused;
        match self.settings.kind {
            QueueKind::Classic => Some(due),
            QueueKind::Quorum => {
                let tick = self.server.quorum_tick.as_micros().max(1);
                let ticks = due.saturating_since(self.created).as_micros().div_ceil(tick);
                Some(self.created + SimDuration::from_micros(tick.saturating_mul(ticks)))
            }
        }
    }

    /// Lets happen what is due: heads expire, held-back returns come back, and dead letters that
    /// were kept aside are tried again.
    pub(in super::super) fn tick(&mut self, now: SimTime, reach: &mut Reach<'_>) {
        self.drop_expired(now, reach);
        let mut back = false;
        while self.delayed.first_key_value().is_some_and(|((due, _), _)| *due <= now) {
            let Some((_, held)) = self.delayed.pop_first() else { break };
            self.line.put_with_returns(held);
            back = true;
        }
        if back {
            self.serve(now, reach);
            self.enforce_limit(now, reach);
            self.drop_expired(now, reach);
        }
        let parked = std::mem::take(&mut self.parked);
        let is_due = |parked: &Parked| parked.retry_at <= now;
        let (due, later): (Vec<_>, Vec<_>) = parked.into_iter().partition(is_due);
        self.parked = later;
        reach.dead.extend(due.into_iter().map(|parked| Dead { tried_at: now, ..parked.dead }));
    }

    /// Drops expired messages at the head.
    pub(super) fn drop_expired(&mut self, now: SimTime, reach: &mut Reach<'_>) {
        self.drop_heads(now, reach, |at, _| at <= now);
    }

    /// Drops expired messages at the head, but not one that only comes in now: a consumer that
    /// waits gets it whatever its time to live.
    pub(super) fn drop_expired_but_new(&mut self, now: SimTime, reach: &mut Reach<'_>) {
        self.drop_heads(now, reach, |at, new| at < now || (at == now && !new));
    }

    fn drop_heads(
        &mut self,
        now: SimTime,
        reach: &mut Reach<'_>,
        expired: impl Fn(SimTime, bool) -> bool,
    ) {
        while let Some(head) = self.line.head() {
            let new = head.arrived == now && head.acquired == 0;
            if !head.expires_at.is_some_and(|at| expired(at, new)) {
                break;
            }
            let Some(held) = self.line.take_head() else { break };
            self.bury(now, &held.envelope, Reason::Expired, reach);
        }
    }

    /// Are dead letters kept until their targets take them?
    pub(in super::super) fn keeps_dead_letters(&self) -> bool {
        self.settings.dead_letter_strategy == DeadLetterStrategy::AtLeastOnce
    }

    /// When a consumer of this queue will have kept a delivery too long, where queues look for
    /// that themselves.
    fn next_timeout(&self) -> Option<SimTime> {
        let timeout = self.own_timeout()?;
        self.taken_by_age.first().map(|(oldest, _)| *oldest + timeout)
    }

    /// Consumers that have kept a delivery too long.
    pub(in super::super) fn overdue(&self, now: SimTime) -> Vec<Overdue> {
        let Some(timeout) = self.own_timeout() else { return Vec::new() };
        let mut overdue: Vec<Overdue> = Vec::new();
        let late = self.taken_by_age.iter().take_while(|(since, _)| *since + timeout <= now);
        for (_, hold) in late {
            let consumer = self.taken[hold].consumer;
            if consumer.is_none() {
                overdue.push(Overdue { consumer, holds: vec![*hold] });
            } else if overdue.iter().all(|entry| entry.consumer != consumer) {
                let all = self.taken.iter().filter(|(_, taken)| taken.consumer == consumer);
                overdue.push(Overdue { consumer, holds: all.map(|(hold, _)| *hold).collect() });
            }
        }
        overdue
    }

    fn own_timeout(&self) -> Option<SimDuration> {
        let rule = self.server.release.timeout_rule();
        let own = rule == TimeoutRule::CancelsConsumer && self.settings.kind == QueueKind::Quorum;
        let timeout = self.settings.consumer_timeout.or(self.server.consumer_timeout);
        timeout.filter(|_| own)
    }

    /// The broker restarts: all that is out comes back, and what is transient is lost.
    pub(in super::super) fn restart(&mut self, now: SimTime, reach: &mut Reach<'_>) {
        self.consumers.clear();
        let holds: Vec<HoldId> = self.taken.keys().copied().collect();
        self.give_back(now, &holds, ReturnCause::ChannelLost, reach);
        if self.settings.kind == QueueKind::Classic {
            let (name, out) = (&self.name, &mut *reach.out);
            self.line.retain(
                |held| held.envelope.mode == DeliveryMode::Persistent,
                |held| {
                    let message = held.envelope.message;
                    out.push(Event::Lost { queue: name.clone(), message });
                },
            );
        }
        self.used_at = now;
    }

    /// Does the queue outlive a restart?
    pub(in super::super) fn is_durable(&self) -> bool {
        self.settings.durability == Durability::Durable
    }
}
