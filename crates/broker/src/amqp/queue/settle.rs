//! Acks, rejects and returns: how a message that is out comes home, or does not.

use sim::{SimDuration, SimTime};

use super::super::settings::{Delayed, DelayedRetry};
use super::super::{ChannelId, Event, Overflow, QueueKind, Reason, ReturnCause};
use super::{Held, HoldId, Queue, Reach, Taken};

impl Queue {
    /// Acked: gone.
    pub(in super::super) fn ack(&mut self, now: SimTime, holds: &[HoldId], reach: &mut Reach<'_>) {
        for hold in holds {
            let Some(taken) = self.release(*hold) else { continue };
            let message = taken.held.envelope.message;
            reach.out.push(Event::Acked { queue: self.name.clone(), message });
        }
        self.serve(now, reach);
        self.enforce_limit(now, reach);
    }

    /// Rejected without requeue: dead.
    pub(in super::super) fn discard(
        &mut self,
        now: SimTime,
        holds: &[HoldId],
        reach: &mut Reach<'_>,
    ) {
        for hold in holds {
            let Some(taken) = self.release(*hold) else { continue };
            self.bury(now, &taken.held.envelope, Reason::Rejected, reach);
        }
        self.serve(now, reach);
        self.enforce_limit(now, reach);
    }

    /// Back to the queue.
    pub(in super::super) fn give_back(
        &mut self,
        now: SimTime,
        holds: &[HoldId],
        cause: ReturnCause,
        reach: &mut Reach<'_>,
    ) {
        match self.settings.kind {
            QueueKind::Classic => self.give_back_in_place(now, holds, cause, reach),
            QueueKind::Quorum if self.appends(cause) => {
                for hold in holds {
                    self.append_again(now, *hold, cause, reach);
                }
            }
            QueueKind::Quorum => {
                for hold in holds {
                    self.return_one(now, *hold, cause, reach);
                }
                self.serve(now, reach);
                self.enforce_limit(now, reach);
            }
        }
        self.drop_expired(now, reach);
    }

    /// A channel closed: its consumers leave, and what it holds comes back.
    pub(in super::super) fn lose_channel(
        &mut self,
        now: SimTime,
        channel: ChannelId,
        holds: &[HoldId],
        reach: &mut Reach<'_>,
    ) {
        let leaving = self.consumers.of_channel(channel);
        match self.settings.kind {
            // It gives all back before anyone is served again.
            QueueKind::Classic => {
                let before = self.consumers.active();
                for id in &leaving {
                    self.consumers.remove(*id);
                    self.used_at = now;
                }
                self.tell_active(before, reach);
            }
            // It is told of the consumers first, and serves the others what is ready.
            QueueKind::Quorum => {
                for id in leaving {
                    self.unsubscribe(now, id, reach);
                }
            }
        }
        self.give_back(now, holds, ReturnCause::ChannelLost, reach);
    }

    /// Without a delivery limit, a quorum queue writes what is nacked to its log again.
    fn appends(&self, cause: ReturnCause) -> bool {
        let unlimited = self.settings.delivery_limit.is_none();
        let asked_for = !matches!(
            cause,
            ReturnCause::ChannelLost | ReturnCause::ConsumerTimeout | ReturnCause::NodeSuspected
        );
        unlimited && asked_for && self.settings.delayed_retry == DelayedRetry::Off
    }

    fn give_back_in_place(
        &mut self,
        now: SimTime,
        holds: &[HoldId],
        cause: ReturnCause,
        reach: &mut Reach<'_>,
    ) {
        for hold in holds {
            if let Some(held) = self.take_home(*hold, cause, reach) {
                self.line.put_back(held);
            }
        }
        if self.settings.overflow == Overflow::DropHead {
            self.enforce_limit(now, reach);
        }
        self.serve(now, reach);
    }

    fn append_again(
        &mut self,
        now: SimTime,
        hold: HoldId,
        cause: ReturnCause,
        reach: &mut Reach<'_>,
    ) {
        if let Some(held) = self.take_home(hold, cause, reach) {
            self.line.append(held);
        }
        self.serve(now, reach);
        self.enforce_limit(now, reach);
    }

    fn return_one(
        &mut self,
        now: SimTime,
        hold: HoldId,
        cause: ReturnCause,
        reach: &mut Reach<'_>,
    ) {
        let Some(held) = self.take_home(hold, cause, reach) else { return };
        if self.settings.delivery_limit.is_some_and(|limit| held.failed > limit) {
            self.bury(now, &held.envelope, Reason::DeliveryLimit, reach);
        } else if let Some(delay) = self.delay_of(&held, cause) {
            self.delays += 1;
            self.delayed.insert((now + delay, self.delays), held);
        } else {
            self.line.put_with_returns(held);
        }
    }

    /// How long a return is held back, if it is.
    fn delay_of(&self, held: &Held, cause: ReturnCause) -> Option<SimDuration> {
        let DelayedRetry::Linear { which, min, max } = self.settings.delayed_retry else {
            return None;
        };
        let failed = self.server.release.counts_as_failed(cause);
        let meant = match which {
            Delayed::All => true,
            Delayed::Failed => failed,
            Delayed::Returned => !failed,
        };
        let delay = min.as_micros().saturating_mul(u64::from(held.failed.max(1)));
        meant.then(|| SimDuration::from_micros(delay).min(max))
    }

    /// Takes a message off what is out, and counts that it came back.
    fn take_home(
        &mut self,
        hold: HoldId,
        cause: ReturnCause,
        reach: &mut Reach<'_>,
    ) -> Option<Held> {
        let Taken { mut held, .. } = self.release(hold)?;
        held.acquired += 1;
        if self.server.release.counts_as_failed(cause) {
            held.failed += 1;
        }
        let message = held.envelope.message;
        reach.out.push(Event::Requeued { queue: self.name.clone(), message, cause });
        Some(held)
    }

    /// Takes a message off what is out, and gives its consumer room.
    fn release(&mut self, hold: HoldId) -> Option<Taken> {
        let taken = self.taken.remove(&hold)?;
        self.taken_by_age.remove(&(taken.since, hold));
        if let Some(consumer) = taken.consumer {
            self.consumers.released(consumer);
        }
        Some(taken)
    }
}
