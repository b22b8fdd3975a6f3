//! One queue: what is ready, what is out, who gets the next message.
//!
//! | rule | source |
//! | --- | --- |
//! | what comes back to a classic queue takes its old place | `requeue` in `rabbit_variable_queue.erl` |
//! | nacked without a delivery limit, it goes to the tail of a quorum queue | `handle_aux` in `rabbit_fifo.erl`; recorded |
//! | with a limit, or when a channel closes, it is served before all else | `return_one` in `rabbit_fifo.erl`; recorded |
//! | beyond the delivery limit it dies | the same; guide to quorum queues, "poison messages" |
//! | only the head of a queue expires | guide to TTL, "caveats" |
//! | a message that expires on arrival still goes to a consumer that waits | the same; recorded |
//! | length limits count ready messages; drop-head takes the head | guide to queue length |
//! | a classic queue refuses what would be too much, a quorum queue what comes once it was told | recorded |
//! | a queue expires unused: no consumer, get or declaration | guide to TTL, "queue TTL" |

mod consumers;
mod expiry;
mod line;
mod settle;
mod views;

use std::collections::VecDeque;
use std::sync::Arc;

use sim::short::{OrderedMap, OrderedSet};
use sim::{SimDuration, SimTime};

pub(super) use consumers::{Consumer, Consumers};
use line::{Held, Line};
pub use views::{Counts, Out, Ready};

use super::channel::{Channels, Unacked};
use super::{
    Acknowledgement, ChannelId, ConsumerId, Delivery, DeliveryTag, Envelope, Event, Got, Overflow,
    QueueKind, Reason, Server, Settings, ShortString, Verdict,
};

/// A delivery that is out, by where it went.
pub(super) type HoldId = (ChannelId, DeliveryTag);

/// A message that left its queue without an ack, before it is known what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Dead {
    pub queue: ShortString,
    pub envelope: Arc<Envelope>,
    pub reason: Reason,
    pub died_at: SimTime,
    /// When it is published again: at its death, or later if it was kept aside.
    pub tried_at: SimTime,
    /// The queues that have taken it already, if it was tried before.
    pub taken_by: Vec<ShortString>,
}

/// What a request to a queue reaches beside the queue itself.
pub(super) struct Reach<'a> {
    pub channels: &'a mut Channels,
    pub dead: &'a mut VecDeque<Dead>,
    pub out: &'a mut Vec<Event>,
}

/// A message that is out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Taken {
    held: Held,
    /// `None`: by a get.
    consumer: Option<ConsumerId>,
    since: SimTime,
}

/// A dead letter kept until its targets take it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Parked {
    dead: Dead,
    retry_at: SimTime,
}

/// A queue of a [`Broker`](super::Broker).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Queue {
    name: ShortString,
    settings: Settings,
    server: Server,
    line: Line,
    /// What is out, by channel, in the order in which a channel was given it.
    taken: OrderedMap<HoldId, Taken>,
    /// What is out, the oldest first.
    taken_by_age: OrderedSet<(SimTime, HoldId)>,
    /// What comes back late, by when, and in the order of coming back: at the end, if all
    /// come back alike late.
    delayed: OrderedMap<(SimTime, u64), Held>,
    delays: u64,
    parked: Vec<Parked>,
    consumers: Consumers,
    created: SimTime,
    used_at: SimTime,
    /// Since when a quorum queue has its publishers told to stop.
    full_since: Option<SimTime>,
}

/// Below which share of its limit a quorum queue takes publishes again: four fifths.
const LOW_WATER: (u64, u64) = (4, 5);

impl Queue {
    pub(super) fn new(now: SimTime, name: ShortString, settings: Settings, server: Server) -> Self {
        let line = Line::new(&settings, server.release);
        let consumers = Consumers::new(&settings, server.release.succession(settings.kind));
        Self {
            name,
            settings,
            server,
            line,
            taken: OrderedMap::new(),
            taken_by_age: OrderedSet::new(),
            delayed: OrderedMap::new(),
            delays: 0,
            parked: Vec::new(),
            consumers,
            created: now,
            used_at: now,
            full_since: None,
        }
    }

    pub(super) const fn consumers(&self) -> &Consumers {
        &self.consumers
    }

    /// A declaration keeps the queue from expiring.
    pub(super) const fn used(&mut self, now: SimTime) {
        self.used_at = now;
    }

    /// Takes a message, or refuses it.
    pub(super) fn accept(
        &mut self,
        now: SimTime,
        envelope: &Arc<Envelope>,
        reach: &mut Reach<'_>,
    ) -> Verdict {
        if self.refuses(now, envelope) {
            if self.settings.overflow == Overflow::RejectPublishDeadLetter {
                self.bury(now, envelope, Reason::MaxLength, reach);
            }
            return Verdict::Nack;
        }
        let ttl = match (self.settings.message_ttl, envelope.expiration) {
            (Some(queue), Some(message)) => Some(queue.min(message)),
            (queue, message) => queue.or(message),
        };
        let message = envelope.message;
        reach.out.push(Event::Stored { queue: self.name.clone(), message });
        self.line.append(Held::new(now, Arc::clone(envelope), ttl.map(|ttl| now + ttl)));
        self.serve(now, reach);
        self.enforce_limit(now, reach);
        self.drop_expired(now, reach);
        Verdict::Ack
    }

    fn refuses(&self, now: SimTime, envelope: &Envelope) -> bool {
        match (self.settings.overflow, self.settings.kind) {
            (Overflow::DropHead, _) => false,
            // Its publishers are told, and what they have written by then still comes in.
            (_, QueueKind::Quorum) => self.full_since.is_some_and(|since| since < now),
            (_, QueueKind::Classic) => self.over_limit(1, u64::from(envelope.bytes)),
        }
    }

    fn over_limit(&self, more: usize, more_bytes: u64) -> bool {
        let length = self.settings.max_length;
        let bytes = self.settings.max_length_bytes;
        length.is_some_and(|limit| self.line.len() + more > limit as usize)
            || bytes.is_some_and(|limit| self.line.bytes() + more_bytes > limit)
    }

    /// Brings the queue down to its limit, or notes that it is over it.
    fn enforce_limit(&mut self, now: SimTime, reach: &mut Reach<'_>) {
        match (self.settings.overflow, self.settings.kind) {
            (Overflow::DropHead, _) => {
                let mut dropped = Vec::new();
                while self.over_limit(0, 0) {
                    let Some(held) = self.line.take_head() else { break };
                    dropped.push(held);
                }
                if self.settings.kind == QueueKind::Quorum {
                    // They reach their targets in the order of its effects, the last one first.
                    dropped.reverse();
                }
                for held in dropped {
                    self.bury(now, &held.envelope, Reason::MaxLength, reach);
                }
            }
            (_, QueueKind::Quorum) if self.over_limit(0, 0) => {
                self.full_since.get_or_insert(now);
            }
            (_, QueueKind::Quorum) if self.below_low_water() => self.full_since = None,
            (_, _) => {}
        }
    }

    fn below_low_water(&self) -> bool {
        let (part, whole) = LOW_WATER;
        let low = |limit: u64| limit.saturating_mul(part) / whole;
        let length = self.settings.max_length.map(u64::from);
        let bytes = self.settings.max_length_bytes;
        length.is_none_or(|limit| self.line.len() as u64 <= low(limit))
            && bytes.is_none_or(|limit| self.line.bytes() <= low(limit))
    }

    /// Gives what is ready to consumers that have room.
    pub(super) fn serve(&mut self, now: SimTime, reach: &mut Reach<'_>) {
        let before = self.consumers.active();
        loop {
            self.drop_expired_but_new(now, reach);
            if self.line.len() == 0 {
                break;
            }
            let Some(id) = self.consumers.next(reach.channels, &self.name) else { break };
            let (Some(consumer), Some(held)) = (self.consumers.get(id), self.line.take_head())
            else {
                break;
            };
            let (channel, acknowledgement) = (consumer.channel, consumer.acknowledgement);
            self.consumers.delivered(id);
            let delivery = self.deliver(now, held, channel, Some(id), acknowledgement, reach);
            reach.out.push(Event::Delivered(delivery));
        }
        self.tell_active(before, reach);
    }

    /// The message at the head, for a get.
    pub(super) fn take(
        &mut self,
        now: SimTime,
        channel: ChannelId,
        acknowledgement: Acknowledgement,
        reach: &mut Reach<'_>,
    ) -> Option<Got> {
        self.used_at = now;
        self.drop_expired(now, reach);
        let held = self.line.take_head()?;
        let before = self.line.len();
        let delivery = self.deliver(now, held, channel, None, acknowledgement, reach);
        self.drop_expired(now, reach);
        self.enforce_limit(now, reach);
        // A quorum queue counts before it looks whether the next one has expired, unless the get
        // is its own ack.
        let counts_first =
            self.settings.kind == QueueKind::Quorum && acknowledgement == Acknowledgement::Manual;
        let remaining = if counts_first { before } else { self.line.len() };
        Some(Got { delivery, remaining: u32::try_from(remaining).unwrap_or(u32::MAX) })
    }

    fn deliver(
        &mut self,
        now: SimTime,
        held: Held,
        channel: ChannelId,
        consumer: Option<ConsumerId>,
        acknowledgement: Acknowledgement,
        reach: &mut Reach<'_>,
    ) -> Delivery {
        let tag = reach.channels.next_tag(channel);
        let counted = self.settings.kind == QueueKind::Quorum;
        let shown = counted && (held.failed > 0 || consumer.is_none());
        let delivery = Delivery {
            channel,
            consumer,
            tag,
            queue: self.name.clone(),
            envelope: Arc::clone(&held.envelope),
            redelivered: held.acquired > 0,
            delivery_count: shown.then_some(held.failed),
        };
        if acknowledgement == Acknowledgement::Manual {
            let unacked = Unacked { queue: self.name.clone(), consumer, since: now };
            reach.channels.hold(channel, tag, unacked);
            self.taken.insert((channel, tag), Taken { held, consumer, since: now });
            self.taken_by_age.insert((now, (channel, tag)));
        }
        delivery
    }

    pub(super) fn subscribe(&mut self, now: SimTime, consumer: Consumer, reach: &mut Reach<'_>) {
        let before = self.consumers.active();
        self.used_at = now;
        self.consumers.add(consumer);
        self.tell_active(before, reach);
        self.serve(now, reach);
        self.enforce_limit(now, reach);
    }

    /// Ends a consumer. What it holds stays out.
    pub(super) fn unsubscribe(&mut self, now: SimTime, id: ConsumerId, reach: &mut Reach<'_>) {
        let before = self.consumers.active();
        self.used_at = now;
        self.consumers.remove(id);
        self.tell_active(before, reach);
        self.serve(now, reach);
    }

    /// The shared window of a channel has room again.
    pub(super) fn room_on(&mut self, now: SimTime, channel: ChannelId, reach: &mut Reach<'_>) {
        self.consumers.room_on(channel);
        self.serve(now, reach);
    }

    /// Drops what is ready, and says how many. What is out stays out.
    pub(super) fn purge(&mut self, now: SimTime, reach: &mut Reach<'_>) -> u32 {
        let purged = self.line.len();
        self.line.clear();
        self.enforce_limit(now, reach);
        u32::try_from(purged).unwrap_or(u32::MAX)
    }

    /// Ends all consumers, because the queue is deleted.
    pub(super) fn dismiss(&mut self) -> Vec<Consumer> {
        self.consumers.clear()
    }

    /// Keeps a dead letter aside until its targets take it.
    pub(super) fn park(&mut self, now: SimTime, dead: Dead) {
        let retry = self.server.dead_letter_retry.max(SimDuration::from_millis(1));
        self.parked.push(Parked { dead, retry_at: now + retry });
    }

    fn bury(&self, now: SimTime, envelope: &Arc<Envelope>, reason: Reason, reach: &mut Reach<'_>) {
        reach.dead.push_back(Dead {
            queue: self.name.clone(),
            envelope: Arc::clone(envelope),
            reason,
            died_at: now,
            tried_at: now,
            taken_by: Vec::new(),
        });
    }

    fn tell_active(&self, before: Option<ConsumerId>, reach: &mut Reach<'_>) {
        if let Some(consumer) =
            self.consumers.active().filter(|_| self.consumers.active() != before)
        {
            reach.out.push(Event::Activated { queue: self.name.clone(), consumer });
        }
    }
}
