//! What a queue holds, for whoever looks at it.

use sim::SimTime;

use super::super::{ChannelId, ConsumerId, DeliveryTag, Settings, ShortString};
use super::Queue;
use crate::MessageId;

/// A message that is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ready {
    /// Which message.
    pub message: MessageId,
    /// When it came to this queue.
    pub since: SimTime,
    /// When it expires, once at the head.
    pub expires_at: Option<SimTime>,
    /// How often it came back.
    pub returns: u32,
}

/// A message that is out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Out {
    /// Which message.
    pub message: MessageId,
    /// The channel that holds it.
    pub channel: ChannelId,
    /// What it is acked with there.
    pub tag: DeliveryTag,
    /// The consumer. `None`: it was taken by a get.
    pub consumer: Option<ConsumerId>,
    /// Since when.
    pub since: SimTime,
    /// How often it came back before.
    pub returns: u32,
}

/// How many messages are in which state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Counts {
    /// Ready.
    pub ready: u32,
    /// Out with consumers, and not acked.
    pub unacked: u32,
    /// Back, and held back for a while.
    pub delayed: u32,
    /// Dead, and kept aside until their targets take them.
    pub kept_aside: u32,
}

impl Queue {
    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &ShortString {
        &self.name
    }

    /// Its settings.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What is ready, in the order of service; in a queue of two lanes, the upper one first.
    pub fn ready(&self) -> impl Iterator<Item = Ready> {
        self.line.iter().map(|held| Ready {
            message: held.envelope.message,
            since: held.arrived,
            expires_at: held.expires_at,
            returns: held.acquired,
        })
    }

    /// What is out, by channel, in the order of delivery.
    pub fn unacked(&self) -> impl Iterator<Item = Out> {
        self.taken.iter().map(|((channel, tag), taken)| Out {
            message: taken.held.envelope.message,
            channel: *channel,
            tag: *tag,
            consumer: taken.consumer,
            since: taken.since,
            returns: taken.held.acquired,
        })
    }

    /// What is held back, by when it comes back.
    pub fn delayed(&self) -> impl Iterator<Item = (SimTime, MessageId)> {
        self.delayed.iter().map(|((at, _), held)| (*at, held.envelope.message))
    }

    /// How many messages are in which state.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Counts {
            ready: count(self.line.len()),
            unacked: count(self.taken.len()),
            delayed: count(self.delayed.len()),
            kept_aside: count(self.parked.len()),
        }
    }

    /// Its consumers, in the order of subscribing.
    pub fn consumer_ids(&self) -> impl Iterator<Item = ConsumerId> {
        self.consumers.iter().map(|consumer| consumer.id)
    }

    /// The one that gets all, if the queue has a single active consumer, and has one.
    #[must_use]
    pub const fn active_consumer(&self) -> Option<ConsumerId> {
        self.consumers.active()
    }
}
