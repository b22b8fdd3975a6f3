//! What time alone brings about.
//!
//! Consumer timeouts: <https://www.rabbitmq.com/docs/consumers#acknowledgement-timeout>. Until 4.3
//! a channel looks at its oldest delivery once a minute, so that a timeout of 30 min takes effect
//! after 30 to 31.

use sim::SimTime;

use super::super::channel::Channel;
use super::super::{
    CancelCause, ChannelId, DeleteCause, DeliveryTag, Event, Refusal, ReturnCause, ShortString,
    TimeoutRule,
};
use super::Broker;

impl Broker {
    /// When something happens next by itself, if anything does.
    #[must_use]
    pub fn next_deadline(&self) -> Option<SimTime> {
        let queues = self.queues.values().filter_map(super::Queue::next_deadline).min();
        let channels = self.channels.iter().filter_map(|(_, it)| self.overdue_at(it)).min();
        queues.into_iter().chain(channels).min()
    }

    /// Lets happen all that is due by `now`, in the order of time. Call it at each
    /// [`next_deadline`](Self::next_deadline) to know when things happen.
    pub fn advance(&mut self, now: SimTime, out: &mut Vec<Event>) {
        while let Some(due) = self.next_deadline().filter(|due| *due <= now) {
            self.tick(due, out);
        }
    }

    fn tick(&mut self, now: SimTime, out: &mut Vec<Event>) {
        let names: Vec<ShortString> = self.queues.keys().cloned().collect();
        for name in &names {
            let expired = self.queues.get(name).and_then(super::Queue::expires_at);
            if expired.is_some_and(|at| at <= now) {
                self.delete_now(name, DeleteCause::Unused, out);
            }
            self.cancel_overdue(now, name, out);
            self.with_queue(name, out, |queue, reach| queue.tick(now, reach));
        }
        let late = |channel: &Channel| self.overdue_at(channel).is_some_and(|at| at <= now);
        let late = self.channels.iter().filter(|(_, channel)| late(channel));
        let oldest = late.filter_map(|(id, channel)| Some((id, channel.unacked().next()?.0)));
        let oldest: Vec<(ChannelId, DeliveryTag)> = oldest.collect();
        for (id, tag) in oldest {
            self.refuse(now, id, Refusal::DeliveryTimeout { tag }, out);
        }
    }

    /// When a channel is closed if it acks nothing.
    fn overdue_at(&self, channel: &Channel) -> Option<SimTime> {
        let rule = self.server.release.timeout_rule();
        let timeout =
            self.server.consumer_timeout.filter(|_| rule == TimeoutRule::ClosesChannel)?;
        channel.overdue_at(timeout, self.server.timeout_check)
    }

    /// Cancels consumers of a queue that looks for overdue deliveries itself.
    fn cancel_overdue(&mut self, now: SimTime, name: &ShortString, out: &mut Vec<Event>) {
        let overdue = self.queues.get(name).map(|queue| queue.overdue(now)).unwrap_or_default();
        for entry in overdue {
            if let Some(consumer) = entry.consumer {
                out.push(Event::ConsumerCancelled { consumer, cause: CancelCause::Timeout });
                self.with_queue(name, out, |queue, reach| {
                    queue.unsubscribe(now, consumer, reach);
                });
            }
            self.with_queue(name, out, |queue, reach| {
                queue.give_back(now, &entry.holds, ReturnCause::ConsumerTimeout, reach);
            });
            if entry.consumer.is_some() {
                self.delete_if_left(name, true, out);
            }
        }
    }
}
