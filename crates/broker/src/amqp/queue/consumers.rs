//! The consumers of a queue: whose turn it is.
//!
//! Consumers of the highest priority take turns; one whose window is full stands aside, and comes
//! back behind the others when it has room. A quorum queue sets it aside at once
//! (`service_queue` in `rabbit_fifo.erl`), a classic queue when its turn comes
//! (`rabbit_queue_consumers.erl`). With a single active consumer, the others wait.

use super::super::channel::Channels;
use super::super::{
    Access, Acknowledgement, ChannelId, ConsumerId, QueueKind, Settings, Sharing, ShortString,
    Succession,
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in super::super) struct Consumer {
    pub id: ConsumerId,
    pub channel: ChannelId,
    pub priority: i32,
    pub acknowledgement: Acknowledgement,
    pub access: Access,
    /// How many unacked messages it may hold, if limited.
    pub window: Option<u32>,
    /// How many it holds: none, if it does not ack.
    pub held: u32,
}

/// Why a consumer has stood aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Lack {
    /// Its own window is full.
    Room,
    /// The window that it shares with the others of its channel is.
    SharedRoom,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in super::super) struct Consumers {
    kind: QueueKind,
    succession: Option<Succession>,
    /// In the order of subscribing.
    all: Vec<Consumer>,
    /// Whose turn it is, in this order, the highest priority first.
    turns: Vec<ConsumerId>,
    /// Who has stood aside, and for lack of what.
    aside: Vec<(ConsumerId, Lack)>,
    active: Option<ConsumerId>,
}

impl Consumer {
    fn has_room(&self) -> bool {
        self.window.is_none_or(|window| self.held < window)
    }
}

impl Consumers {
    pub fn new(settings: &Settings, succession: Succession) -> Self {
        let succession = match settings.sharing {
            Sharing::Competing => None,
            Sharing::SingleActive => Some(succession),
        };
        let (all, turns, aside) = (Vec::new(), Vec::new(), Vec::new());
        Self { kind: settings.kind, succession, all, turns, aside, active: None }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Consumer> {
        self.all.iter()
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub fn get(&self, id: ConsumerId) -> Option<&Consumer> {
        self.all.iter().find(|consumer| consumer.id == id)
    }

    /// The one that gets all, if that is how the queue shares.
    pub const fn active(&self) -> Option<ConsumerId> {
        self.active
    }

    pub fn of_channel(&self, channel: ChannelId) -> Vec<ConsumerId> {
        let of = self.all.iter().filter(|consumer| consumer.channel == channel);
        of.map(|consumer| consumer.id).collect()
    }

    /// May one more subscribe with this access?
    pub fn admits(&self, access: Access) -> bool {
        let exclusive = self.all.iter().any(|consumer| consumer.access == Access::Exclusive);
        !exclusive && (access == Access::Shared || self.all.is_empty())
    }

    pub fn add(&mut self, consumer: Consumer) {
        let id = consumer.id;
        self.all.push(consumer);
        self.join(id);
        self.elect();
    }

    pub fn remove(&mut self, id: ConsumerId) {
        self.all.retain(|consumer| consumer.id != id);
        self.turns.retain(|other| *other != id);
        self.aside.retain(|(other, _)| *other != id);
        self.active = self.active.filter(|active| *active != id);
        self.elect();
    }

    pub fn clear(&mut self) -> Vec<Consumer> {
        self.turns.clear();
        self.aside.clear();
        self.active = None;
        std::mem::take(&mut self.all)
    }

    /// Who gets the next message, if anyone can take one.
    pub fn next(&mut self, channels: &mut Channels, queue: &ShortString) -> Option<ConsumerId> {
        if self.succession.is_some() {
            let active = self.rightful()?;
            let room = active.has_room() && channels.has_room(active.channel, queue);
            return room.then_some(active.id);
        }
        while let Some(id) = self.turns.first().copied() {
            let consumer = self.get(id)?;
            let lack = match consumer.has_room() {
                true if channels.has_room(consumer.channel, queue) => return Some(id),
                true => Lack::SharedRoom,
                false => Lack::Room,
            };
            self.turns.remove(0);
            self.aside.push((id, lack));
        }
        None
    }

    /// A consumer got a message: it goes behind the others.
    pub fn delivered(&mut self, id: ConsumerId) {
        let Some(consumer) = self.all.iter_mut().find(|consumer| consumer.id == id) else { return };
        if consumer.acknowledgement == Acknowledgement::Manual {
            consumer.held += 1;
        }
        let full = !consumer.has_room();
        self.turns.retain(|other| *other != id);
        if self.kind == QueueKind::Quorum && full {
            self.aside.push((id, Lack::Room));
        } else {
            self.join(id);
        }
    }

    /// A consumer holds one message less. It may have left already.
    pub fn released(&mut self, id: ConsumerId) {
        let Some(consumer) = self.all.iter_mut().find(|consumer| consumer.id == id) else { return };
        consumer.held = consumer.held.saturating_sub(1);
        self.come_back(id, Lack::Room);
    }

    /// The shared window of a channel has room again.
    pub fn room_on(&mut self, channel: ChannelId) {
        for id in self.of_channel(channel) {
            self.come_back(id, Lack::SharedRoom);
        }
    }

    fn come_back(&mut self, id: ConsumerId, lacked: Lack) {
        if self.aside.contains(&(id, lacked)) {
            self.aside.retain(|(other, _)| *other != id);
            self.join(id);
        }
    }

    /// Puts a consumer behind all of its priority.
    fn join(&mut self, id: ConsumerId) {
        let priority = |id: ConsumerId| self.get(id).map_or(0, |consumer| consumer.priority);
        let own = priority(id);
        let place = self.turns.iter().position(|other| priority(*other) < own);
        let place = place.unwrap_or(self.turns.len());
        self.turns.insert(place, id);
    }

    fn elect(&mut self) {
        let Some(succession) = self.succession.filter(|_| self.active.is_none()) else { return };
        self.active = match succession {
            Succession::ByAge => self.all.first().map(|consumer| consumer.id),
            Succession::ByPriority | Succession::Preemptive => {
                self.foremost().map(|consumer| consumer.id)
            }
        };
    }

    /// The active consumer, if it is to get more. One of higher priority takes over from it, but
    /// not while it still holds something; until then nobody gets anything.
    fn rightful(&mut self) -> Option<&Consumer> {
        let active = self.get(self.active?)?;
        if self.succession == Some(Succession::Preemptive) {
            let foremost = self.foremost()?;
            if foremost.priority > active.priority {
                let (holds_nothing, heir) = (active.held == 0, foremost.id);
                if !holds_nothing {
                    return None;
                }
                self.active = Some(heir);
            }
        }
        self.get(self.active?)
    }

    fn foremost(&self) -> Option<&Consumer> {
        let highest = self.all.iter().map(|consumer| consumer.priority).max()?;
        self.all.iter().find(|consumer| consumer.priority == highest)
    }
}
