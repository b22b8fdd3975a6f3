//! Declaring, binding, purging and deleting.

use std::collections::VecDeque;

use sim::SimTime;

use super::super::exchange::topic;
use super::super::queue::{Queue, Reach};
use super::super::{
    BindError, Binding, CancelCause, ChannelId, DeleteCause, Destination, Event, Exchange,
    ExchangeKind, Lifetime, Refusal, Release, Settings, ShortString,
};
use super::Broker;

/// What a queue must be like to be deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeleteCondition {
    /// As it is.
    Always,
    /// Without ready messages.
    IfEmpty,
    /// Without consumers.
    IfUnused,
}

impl Broker {
    /// Declares an exchange. If one of that name exists, it stays as it is.
    pub fn declare_exchange(&mut self, name: &str, exchange: Exchange) {
        if !name.is_empty() {
            self.exchanges.insert(name.into(), exchange);
        }
    }

    /// Declares a queue, and says how many messages are ready in it.
    ///
    /// # Errors
    /// The channel is closed if a setting is not allowed, or the queue exists with other settings.
    pub fn declare_queue(
        &mut self,
        now: SimTime,
        channel: ChannelId,
        name: &str,
        settings: Settings,
        out: &mut Vec<Event>,
    ) -> Result<u32, Refusal> {
        self.advance(now, out);
        self.channels.open_mut(channel)?;
        if let Some(queue) = self.queues.get_mut(name) {
            if *queue.settings() == settings {
                queue.used(now);
                return Ok(queue.counts().ready);
            }
            let refusal = Refusal::Inequivalent { name: name.into() };
            return Err(self.refuse(now, channel, refusal, out));
        }
        if let Err(error) = settings.validate(self.server.release) {
            return Err(self.refuse(now, channel, error.into(), out));
        }
        let name = ShortString::from(name);
        self.queues.insert(name.clone(), Queue::new(now, name, settings, self.server));
        Ok(0)
    }

    /// Binds a queue or an exchange to an exchange. A binding that exists stays alone.
    ///
    /// # Errors
    /// The channel is closed if one of them does not exist, or the binding is not allowed.
    pub fn bind(
        &mut self,
        now: SimTime,
        channel: ChannelId,
        source: &str,
        binding: Binding,
        out: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        self.advance(now, out);
        self.channels.open_mut(channel)?;
        let bound = self.check_binding(source, &binding);
        let bound = bound.and_then(|()| self.exchanges.bind(source, binding));
        bound.map_err(|error| self.refuse(now, channel, error.into(), out))
    }

    /// Removes a binding. It is no error if it does not exist.
    ///
    /// # Errors
    /// The channel is closed if the source does not exist.
    pub fn unbind(
        &mut self,
        now: SimTime,
        channel: ChannelId,
        source: &str,
        binding: &Binding,
        out: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        self.advance(now, out);
        self.channels.open_mut(channel)?;
        let unbound = self.exchanges.unbind(source, binding);
        unbound.map_err(|error| self.refuse(now, channel, error.into(), out))
    }

    /// Drops what is ready in a queue, without dead-lettering it, and says how many it was.
    ///
    /// # Errors
    /// The channel is closed if the queue does not exist.
    pub fn purge(
        &mut self,
        now: SimTime,
        channel: ChannelId,
        queue: &str,
        out: &mut Vec<Event>,
    ) -> Result<u32, Refusal> {
        self.advance(now, out);
        self.channels.open_mut(channel)?;
        let purged = self.with_queue(queue, out, |queue, reach| queue.purge(now, reach));
        purged.ok_or_else(|| {
            let refusal = Refusal::NoSuchQueue { name: queue.into() };
            self.refuse(now, channel, refusal, out)
        })
    }

    /// Deletes a queue with all that it holds, and says how many messages were ready. It is no
    /// error if the queue does not exist.
    ///
    /// # Errors
    /// The channel is closed if the condition does not hold.
    pub fn delete_queue(
        &mut self,
        now: SimTime,
        channel: ChannelId,
        queue: &str,
        condition: DeleteCondition,
        out: &mut Vec<Event>,
    ) -> Result<u32, Refusal> {
        self.advance(now, out);
        self.channels.open_mut(channel)?;
        let Some(found) = self.queues.get(queue) else { return Ok(0) };
        let (ready, used) = (found.counts().ready, !found.consumers().is_empty());
        let name = found.name().clone();
        let refusal = match condition {
            DeleteCondition::IfEmpty if ready > 0 => Refusal::NotEmpty { name },
            DeleteCondition::IfUnused if used => Refusal::InUse { name },
            _ => {
                self.delete_now(queue, DeleteCause::Requested, out);
                return Ok(ready);
            }
        };
        Err(self.refuse(now, channel, refusal, out))
    }

    /// The broker stops and starts again: channels are gone, unacked messages are back, and what
    /// is transient is lost.
    pub fn restart(&mut self, now: SimTime, out: &mut Vec<Event>) {
        self.advance(now, out);
        let transient = self.queues.values().filter(|queue| !queue.is_durable());
        let transient: Vec<_> = transient.map(|queue| queue.name().clone()).collect();
        for name in transient {
            for message in self.queues[&name].ready().map(|ready| ready.message) {
                out.push(Event::Lost { queue: name.clone(), message });
            }
            self.delete_now(&name, DeleteCause::Restart, out);
        }
        let mut dead = VecDeque::new();
        for queue in self.queues.values_mut() {
            let reach = &mut Reach { channels: &mut self.channels, dead: &mut dead, out };
            queue.restart(now, reach);
        }
        self.channels.clear();
        self.bury_all(dead, out);
    }

    /// Deletes a queue that goes with its last consumer, if that just left.
    pub(super) fn delete_if_left(&mut self, name: &str, had_consumers: bool, out: &mut Vec<Event>) {
        let Some(queue) = self.queues.get(name) else { return };
        let goes = queue.settings().lifetime == Lifetime::AutoDelete;
        if goes && had_consumers && queue.consumers().is_empty() {
            self.delete_now(name, DeleteCause::LastConsumerLeft, out);
        }
    }

    pub(super) fn delete_now(&mut self, name: &str, cause: DeleteCause, out: &mut Vec<Event>) {
        let Some(mut queue) = self.queues.remove(name) else { return };
        self.exchanges.forget_queue(name);
        for consumer in queue.dismiss() {
            let cause = CancelCause::QueueDeleted;
            out.push(Event::ConsumerCancelled { consumer: consumer.id, cause });
        }
        out.push(Event::QueueDeleted { queue: queue.name().clone(), cause });
    }

    fn check_binding(&self, source: &str, binding: &Binding) -> Result<(), BindError> {
        match &binding.destination {
            Destination::Queue(name) if !self.queues.contains_key(name) => {
                return Err(BindError::NoSuchQueue { name: name.clone() });
            }
            Destination::Exchange(name) if !self.exchanges.has(name) => {
                return Err(BindError::NoSuchExchange { name: name.clone() });
            }
            _ => {}
        }
        let source = self.exchanges.get(source);
        let is_topic = source.is_some_and(|exchange| exchange.kind == ExchangeKind::Topic);
        if is_topic && self.server.release >= Release::V4_3 {
            topic::validate(&binding.key)?;
        }
        Ok(())
    }
}
