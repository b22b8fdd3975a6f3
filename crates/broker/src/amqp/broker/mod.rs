//! The machine: what clients ask for, and what comes of it.
//!
//! Every request says when it comes in, lets happen first what is due by then, and appends what it
//! brings about to a list of [`Event`]s. A request that the broker refuses closes its channel, as
//! AMQP has it: what the channel holds goes back to its queues.

mod consuming;
mod publishing;
mod time;
mod topology;

use std::collections::VecDeque;

use sim::SimTime;
use sim::short::OrderedMap;

use super::channel::Channels;
use super::exchange::Exchanges;
use super::queue::{HoldId, Queue, Reach};
use super::{ChannelId, ConnectionId, Event, Exchange, Refusal, Server, ShortString};
pub use topology::DeleteCondition;

/// An AMQP broker.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Broker {
    server: Server,
    exchanges: Exchanges,
    queues: OrderedMap<ShortString, Queue>,
    channels: Channels,
    last_consumer: u32,
    /// How many copies of dead letters have got numbers, if they get any.
    copies: Option<u32>,
}

impl Broker {
    /// A broker with only the default exchange.
    #[must_use]
    pub fn new(server: Server) -> Self {
        Self {
            server,
            exchanges: Exchanges::default(),
            queues: OrderedMap::new(),
            channels: Channels::default(),
            last_consumer: 0,
            copies: None,
        }
    }

    /// From now on a dead letter that several queues take has a number of its own in each but the
    /// first, counted down from the highest there is. The product tells copies apart by nothing.
    pub const fn number_copies(&mut self) {
        self.copies = Some(0);
    }

    /// Its settings.
    #[must_use]
    pub const fn server(&self) -> &Server {
        &self.server
    }

    /// A queue, if it exists.
    #[must_use]
    pub fn queue(&self, name: &str) -> Option<&Queue> {
        self.queues.get(name)
    }

    /// All queues, by name.
    pub fn queues(&self) -> impl Iterator<Item = &Queue> {
        self.queues.values()
    }

    /// All exchanges but the default one, by name.
    pub fn exchanges(&self) -> impl Iterator<Item = (&ShortString, &Exchange)> {
        self.exchanges.iter()
    }

    /// Opens a channel on a connection.
    pub fn open_channel(&mut self, now: SimTime, connection: ConnectionId) -> ChannelId {
        self.channels.open(now, connection)
    }

    /// Why the broker closed a channel, if it did.
    #[must_use]
    pub fn closed(&self, channel: ChannelId) -> Option<&Refusal> {
        self.channels.get(channel)?.refusal()
    }

    /// A client closes a channel: its consumers leave, and what it holds goes back.
    pub fn close_channel(&mut self, now: SimTime, channel: ChannelId, out: &mut Vec<Event>) {
        self.advance(now, out);
        self.empty_channel(now, channel, out);
        self.channels.remove(channel);
    }

    /// A connection is lost: all its channels close.
    pub fn drop_connection(
        &mut self,
        now: SimTime,
        connection: ConnectionId,
        out: &mut Vec<Event>,
    ) {
        for channel in self.channels.of_connection(connection) {
            self.close_channel(now, channel, out);
        }
    }

    /// Closes a channel because of a request that is refused.
    fn refuse(
        &mut self,
        now: SimTime,
        channel: ChannelId,
        refusal: Refusal,
        out: &mut Vec<Event>,
    ) -> Refusal {
        if let Ok(open) = self.channels.open_mut(channel) {
            open.close(refusal.clone());
            out.push(Event::ChannelClosed { channel, refusal: refusal.clone() });
            self.empty_channel(now, channel, out);
        }
        refusal
    }

    /// Ends the consumers of a channel and gives back what it holds, queue by queue.
    fn empty_channel(&mut self, now: SimTime, channel: ChannelId, out: &mut Vec<Event>) {
        let unacked = match self.channels.get_mut(channel) {
            Some(it) => it.take_all(),
            None => return,
        };
        let mut holds: OrderedMap<ShortString, Vec<HoldId>> = OrderedMap::new();
        for (tag, unacked) in unacked {
            holds.entry(unacked.queue).or_default().push((channel, tag));
        }
        for queue in self.queues.values() {
            if !queue.consumers().of_channel(channel).is_empty() {
                holds.entry(queue.name().clone()).or_default();
            }
        }
        for (name, holds) in holds {
            let consumed = self.has_consumers(&name);
            self.with_queue(&name, out, |queue, reach| {
                queue.lose_channel(now, channel, &holds, reach);
            });
            self.delete_if_left(&name, consumed, out);
        }
    }

    /// Does something with a queue, and then buries what died of it, here and in others.
    fn with_queue<T>(
        &mut self,
        name: &str,
        out: &mut Vec<Event>,
        ask: impl FnOnce(&mut Queue, &mut Reach<'_>) -> T,
    ) -> Option<T> {
        let mut dead = VecDeque::new();
        let queue = self.queues.get_mut(name)?;
        let reach = &mut Reach { channels: &mut self.channels, dead: &mut dead, out };
        let answer = ask(queue, reach);
        self.bury_all(dead, out);
        Some(answer)
    }

    fn has_consumers(&self, queue: &str) -> bool {
        self.queues.get(queue).is_some_and(|queue| !queue.consumers().is_empty())
    }
}
