//! Consuming, getting, and settling what was delivered.

use sim::SimTime;

use super::super::channel::Unacked;
use super::super::queue::{Consumer, HoldId};
use super::super::{
    Acknowledgement, ChannelId, ConsumerId, DeliveryTag, Event, Got, QUORUM_PREFETCH_MAX,
    QueueKind, Refusal, Release, ReturnCause, Sharing, ShortString, Subscription, Tags,
};
use super::Broker;

/// What a client does with deliveries.
#[derive(Clone, Copy)]
enum Settlement {
    Ack,
    Discard,
    Return(ReturnCause),
}

impl Broker {
    /// Sets the window of consumers that start on a channel from now on; 0 is none.
    ///
    /// # Errors
    /// The channel is closed.
    pub fn set_prefetch(&mut self, channel: ChannelId, window: u32) -> Result<(), Refusal> {
        self.channels.open_mut(channel)?.prefetch = window;
        Ok(())
    }

    /// Sets the window that all consumers of a channel share; 0 is none. Queues that wait for room
    /// get it in the order in which they found none; the real broker draws lots.
    ///
    /// # Errors
    /// The channel is closed, or the release has no such window.
    pub fn set_shared_prefetch(
        &mut self,
        now: SimTime,
        channel: ChannelId,
        window: u32,
        out: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        self.advance(now, out);
        if self.server.release >= Release::V4_3 {
            return Err(self.refuse(now, channel, Refusal::SharedPrefetch, out));
        }
        self.channels.open_mut(channel)?.share((window > 0).then_some(window));
        self.resume(now, channel, out);
        Ok(())
    }

    /// Starts a consumer.
    ///
    /// # Errors
    /// The channel is closed if the queue does not exist, or is in exclusive use.
    pub fn consume(
        &mut self,
        now: SimTime,
        channel: ChannelId,
        subscription: Subscription,
        out: &mut Vec<Event>,
    ) -> Result<ConsumerId, Refusal> {
        self.advance(now, out);
        let open = self.channels.open_mut(channel)?;
        let (prefetch, shared) = (open.prefetch, open.shared());
        let Subscription { queue: name, acknowledgement, priority, access } = subscription;
        let Some(queue) = self.queues.get(&name) else {
            return Err(self.refuse(now, channel, Refusal::NoSuchQueue { name }, out));
        };
        let kind = queue.settings().kind;
        if !queue.consumers().admits(access) {
            return Err(self.refuse(now, channel, Refusal::Exclusive { name }, out));
        }
        if kind == QueueKind::Quorum && shared.is_some() {
            return Err(self.refuse(now, channel, Refusal::SharedPrefetch, out));
        }
        let window = (prefetch > 0).then_some(prefetch);
        let window = match kind {
            QueueKind::Classic => window,
            QueueKind::Quorum => {
                Some(window.unwrap_or(QUORUM_PREFETCH_MAX).min(QUORUM_PREFETCH_MAX))
            }
        };
        self.last_consumer += 1;
        let id = ConsumerId(self.last_consumer);
        let consumer = Consumer { id, channel, priority, acknowledgement, access, window, held: 0 };
        self.with_queue(&name, out, |queue, reach| queue.subscribe(now, consumer, reach));
        Ok(id)
    }

    /// Ends a consumer. What it holds stays with its channel. It is no error if it has ended.
    pub fn cancel(&mut self, now: SimTime, consumer: ConsumerId, out: &mut Vec<Event>) {
        self.advance(now, out);
        let has = |queue: &&super::Queue| queue.consumers().get(consumer).is_some();
        let Some(name) = self.queues.values().find(has).map(|queue| queue.name().clone()) else {
            return;
        };
        self.with_queue(&name, out, |queue, reach| queue.unsubscribe(now, consumer, reach));
        self.delete_if_left(&name, true, out);
    }

    /// Takes the message at the head of a queue. It is not bound by any window.
    ///
    /// # Errors
    /// The channel is closed if the queue does not exist, or is a quorum queue with a single
    /// active consumer.
    pub fn get(
        &mut self,
        now: SimTime,
        channel: ChannelId,
        queue: &str,
        acknowledgement: Acknowledgement,
        out: &mut Vec<Event>,
    ) -> Result<Option<Got>, Refusal> {
        self.advance(now, out);
        self.channels.open_mut(channel)?;
        let name = ShortString::from(queue);
        let Some(settings) = self.queues.get(queue).map(super::Queue::settings) else {
            return Err(self.refuse(now, channel, Refusal::NoSuchQueue { name }, out));
        };
        if settings.kind == QueueKind::Quorum && settings.sharing == Sharing::SingleActive {
            return Err(self.refuse(now, channel, Refusal::SingleActive { name }, out));
        }
        let got = self.with_queue(queue, out, |queue, reach| {
            queue.take(now, channel, acknowledgement, reach)
        });
        Ok(got.flatten())
    }

    /// Acks deliveries of a channel: they are gone. One whose queue is gone, or took it back, is
    /// passed over.
    ///
    /// # Errors
    /// The channel is closed if it does not hold the delivery.
    pub fn ack(
        &mut self,
        now: SimTime,
        channel: ChannelId,
        tags: Tags,
        out: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        self.settle(now, channel, tags, Settlement::Ack, out)
    }

    /// Rejects deliveries without requeue, by nack or reject: they die.
    ///
    /// # Errors
    /// The channel is closed if it does not hold the delivery.
    pub fn discard(
        &mut self,
        now: SimTime,
        channel: ChannelId,
        tags: Tags,
        out: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        self.settle(now, channel, tags, Settlement::Discard, out)
    }

    /// Gives deliveries back to their queues: nack or reject with requeue, recover (all of a
    /// channel), or what AMQP 1.0 has.
    ///
    /// # Errors
    /// The channel is closed if it does not hold the delivery.
    pub fn requeue(
        &mut self,
        now: SimTime,
        channel: ChannelId,
        tags: Tags,
        cause: ReturnCause,
        out: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        self.settle(now, channel, tags, Settlement::Return(cause), out)
    }

    /// What a channel holds, in the order of delivery.
    pub fn unacked(&self, channel: ChannelId) -> impl Iterator<Item = DeliveryTag> {
        let channel = self.channels.get(channel).into_iter();
        channel.flat_map(super::super::channel::Channel::unacked).map(|(tag, _)| tag)
    }

    fn settle(
        &mut self,
        now: SimTime,
        channel: ChannelId,
        tags: Tags,
        settlement: Settlement,
        out: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        self.advance(now, out);
        let taken = match self.channels.open_mut(channel)?.take(tags) {
            Ok(taken) => taken,
            Err(refusal) => return Err(self.refuse(now, channel, refusal, out)),
        };
        for (name, holds) in by_consumer(channel, taken) {
            self.with_queue(&name, out, |queue, reach| match settlement {
                Settlement::Ack => queue.ack(now, &holds, reach),
                Settlement::Discard => queue.discard(now, &holds, reach),
                Settlement::Return(cause) => queue.give_back(now, &holds, cause, reach),
            });
        }
        self.resume(now, channel, out);
        Ok(())
    }

    /// Tells the queues that wait for room in a channel's shared window.
    fn resume(&mut self, now: SimTime, channel: ChannelId, out: &mut Vec<Event>) {
        let Ok(open) = self.channels.open_mut(channel) else { return };
        for name in open.take_waiting() {
            self.with_queue(&name, out, |queue, reach| queue.room_on(now, channel, reach));
        }
    }
}

/// Groups deliveries by queue and consumer, a get by itself, in the order of delivery: a client
/// settles each group with one request to its queue.
fn by_consumer(
    channel: ChannelId,
    taken: Vec<(DeliveryTag, Unacked)>,
) -> Vec<(ShortString, Vec<HoldId>)> {
    let mut groups: Vec<(ShortString, Option<ConsumerId>, Vec<HoldId>)> = Vec::new();
    for (tag, unacked) in taken {
        let same = groups.iter_mut().find(|(queue, consumer, _)| {
            *queue == unacked.queue && consumer.is_some() && *consumer == unacked.consumer
        });
        match same {
            Some((_, _, holds)) => holds.push((channel, tag)),
            None => groups.push((unacked.queue, unacked.consumer, vec![(channel, tag)])),
        }
    }
    groups.into_iter().map(|(queue, _, holds)| (queue, holds)).collect()
}
