//! Looking into a queue without touching it, whatever rules it follows.

use broker::{MessageId, amqp};
use scenario::ComponentId;
use sim::SimTime;

use super::Engine;
use crate::taking::Receipt;
use crate::{Part, QueueState, World};

/// How many messages are in which state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// On offer.
    pub available: u32,
    /// Stored, and not on offer yet.
    pub delayed: u32,
    /// Taken and not settled.
    pub in_flight: u32,
}

impl Counts {
    /// All that the queue holds.
    #[must_use]
    pub const fn stored(self) -> u32 {
        self.available + self.delayed + self.in_flight
    }
}

/// A message that is out: taken and not settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// Which.
    pub message: MessageId,
    /// What its holder settles it with.
    pub receipt: Receipt,
    /// When it was taken, or its hidden time last moved.
    pub since: SimTime,
    /// When it comes back on offer, if the clock brings it back.
    pub until: Option<SimTime>,
}

impl World {
    fn queue(&self, id: ComponentId) -> Option<&QueueState> {
        match &self.parts[id.index()] {
            Part::Queue(state) => Some(state),
            _ => None,
        }
    }

    fn numbered_in_run(&self, message: MessageId) -> MessageId {
        self.rabbit.as_ref().map_or(message, |rabbit| rabbit.numbered(message))
    }

    fn rabbit_queue(&self, id: ComponentId) -> Option<&amqp::Queue> {
        self.rabbit.as_ref()?.broker.queue(&self.scenario().component(id).name)
    }

    /// How many messages a queue has in which state.
    #[must_use]
    pub fn queue_counts(&self, id: ComponentId) -> Counts {
        let (available, delayed, in_flight) = match self.queue(id).map(|state| &state.engine) {
            Some(Engine::Sqs(queue)) => {
                let counts = queue.counts();
                (counts.available, counts.delayed, counts.in_flight)
            }
            Some(Engine::Rabbit) => {
                let counts = self.rabbit_queue(id).map(amqp::Queue::counts).unwrap_or_default();
                (counts.ready, counts.delayed + counts.kept_aside, counts.unacked)
            }
            Some(Engine::Plain(plain)) => {
                (u32::try_from(plain.waiting.len()).unwrap_or(u32::MAX), 0, 0)
            }
            None => (0, 0, 0),
        };
        Counts { available, delayed, in_flight }
    }

    /// The first messages on offer in a queue, the next to be taken first; no more than `most`.
    #[must_use]
    pub fn queue_available(&self, id: ComponentId, most: usize) -> Vec<MessageId> {
        match self.queue(id).map(|state| &state.engine) {
            Some(Engine::Sqs(queue)) => queue.available().take(most).collect(),
            Some(Engine::Rabbit) => {
                let ready = self.rabbit_queue(id).into_iter().flat_map(amqp::Queue::ready);
                ready.take(most).map(|ready| self.numbered_in_run(ready.message)).collect()
            }
            Some(Engine::Plain(plain)) => plain.waiting.iter().copied().take(most).collect(),
            None => Vec::new(),
        }
    }

    /// What is out of a queue, out longest first.
    #[must_use]
    pub fn queue_hidden(&self, id: ComponentId) -> Vec<Hidden> {
        match self.queue(id).map(|state| &state.engine) {
            Some(Engine::Sqs(queue)) => queue
                .in_flight()
                .map(|hidden| Hidden {
                    message: hidden.message,
                    receipt: Receipt::Handle(hidden.receipt),
                    since: hidden.since,
                    until: Some(hidden.until),
                })
                .collect(),
            Some(Engine::Rabbit) => {
                let out = self.rabbit_queue(id).into_iter().flat_map(amqp::Queue::unacked);
                let mut all: Vec<Hidden> = out
                    .map(|out| Hidden {
                        message: self.numbered_in_run(out.message),
                        receipt: Receipt::Tag { channel: out.channel, tag: out.tag },
                        since: out.since,
                        until: None,
                    })
                    .collect();
                sim::short::sort_by_key(&mut all, |hidden| (hidden.since, hidden.message));
                all
            }
            _ => Vec::new(),
        }
    }

    /// What a queue has stored and does not offer yet, with when it will; no more than `most`.
    #[must_use]
    pub fn queue_delayed(&self, id: ComponentId, most: usize) -> Vec<(MessageId, SimTime)> {
        match self.queue(id).map(|state| &state.engine) {
            Some(Engine::Sqs(queue)) => {
                queue.delayed().take(most).map(|delayed| (delayed.message, delayed.until)).collect()
            }
            Some(Engine::Rabbit) => {
                let held = self.rabbit_queue(id).into_iter().flat_map(amqp::Queue::delayed);
                held.take(most).map(|(at, message)| (self.numbered_in_run(message), at)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Since when the oldest message on offer in a queue has waited: since it was first sent, or
    /// since it came to the queue where that is all that the product knows.
    #[must_use]
    pub fn queue_oldest(&self, id: ComponentId) -> Option<SimTime> {
        match &self.queue(id)?.engine {
            Engine::Sqs(queue) => queue.oldest_sent(),
            Engine::Rabbit => self.rabbit_queue(id)?.ready().map(|ready| ready.since).min(),
            Engine::Plain(plain) => {
                plain.waiting.front().map(|&first| self.messages[first].created)
            }
        }
    }
}
