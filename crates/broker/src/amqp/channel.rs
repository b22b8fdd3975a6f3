//! Channels: what a client holds, and how much more it may hold.

use sim::short::OrderedMap;
use sim::{SimDuration, SimTime};

use super::{ChannelId, ConnectionId, ConsumerId, DeliveryTag, Refusal, ShortString, Tags};

/// A delivery that is out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Unacked {
    pub queue: ShortString,
    /// `None`: taken by a get.
    pub consumer: Option<ConsumerId>,
    pub since: SimTime,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Channel {
    connection: ConnectionId,
    opened: SimTime,
    last_tag: u64,
    unacked: OrderedMap<DeliveryTag, Unacked>,
    /// The window of consumers that start from now on; 0 is none.
    pub prefetch: u32,
    /// The window that all consumers of the channel share, if they do.
    shared: Option<u32>,
    /// The queues that found the shared window full, in that order.
    waiting: Vec<ShortString>,
    closed: Option<Refusal>,
}

/// All channels, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Channels {
    by_id: OrderedMap<ChannelId, Channel>,
    last_id: u32,
}

impl Channels {
    pub fn open(&mut self, now: SimTime, connection: ConnectionId) -> ChannelId {
        self.last_id += 1;
        let id = ChannelId(self.last_id);
        let channel = Channel {
            connection,
            opened: now,
            last_tag: 0,
            unacked: OrderedMap::new(),
            prefetch: 0,
            shared: None,
            waiting: Vec::new(),
            closed: None,
        };
        self.by_id.insert(id, channel);
        id
    }

    /// Forgets a channel that closed without an error.
    pub fn remove(&mut self, id: ChannelId) {
        self.by_id.remove(&id);
    }

    pub fn get(&self, id: ChannelId) -> Option<&Channel> {
        self.by_id.get(&id)
    }

    pub fn get_mut(&mut self, id: ChannelId) -> Option<&mut Channel> {
        self.by_id.get_mut(&id)
    }

    /// A channel that is open.
    pub fn open_mut(&mut self, id: ChannelId) -> Result<&mut Channel, Refusal> {
        let channel = self.by_id.get_mut(&id).filter(|channel| channel.closed.is_none());
        channel.ok_or(Refusal::ChannelClosed)
    }

    pub fn iter(&self) -> impl Iterator<Item = (ChannelId, &Channel)> {
        self.by_id.iter().map(|(id, channel)| (*id, channel))
    }

    /// Forgets all channels.
    pub fn clear(&mut self) {
        self.by_id.clear();
    }

    pub fn of_connection(&self, connection: ConnectionId) -> Vec<ChannelId> {
        let of = self.by_id.iter().filter(|(_, channel)| channel.connection == connection);
        of.map(|(id, _)| *id).collect()
    }

    /// The number of the next delivery on a channel.
    pub fn next_tag(&mut self, id: ChannelId) -> DeliveryTag {
        let Some(channel) = self.by_id.get_mut(&id) else { return DeliveryTag(0) };
        channel.last_tag += 1;
        DeliveryTag(channel.last_tag)
    }

    pub fn hold(&mut self, id: ChannelId, tag: DeliveryTag, unacked: Unacked) {
        if let Some(channel) = self.by_id.get_mut(&id) {
            channel.unacked.insert(tag, unacked);
        }
    }

    /// Has the window that the channel's consumers share room? If not, the queue is noted.
    pub fn has_room(&mut self, id: ChannelId, queue: &ShortString) -> bool {
        let Some(channel) = self.by_id.get_mut(&id) else { return false };
        let Some(shared) = channel.shared else { return true };
        let held = channel.unacked.values().filter(|unacked| unacked.consumer.is_some()).count();
        let room = held < shared as usize;
        if !room && !channel.waiting.contains(queue) {
            channel.waiting.push(queue.clone());
        }
        room
    }
}

impl Channel {
    pub fn unacked(&self) -> impl Iterator<Item = (DeliveryTag, &Unacked)> {
        self.unacked.iter().map(|(tag, unacked)| (*tag, unacked))
    }

    pub const fn refusal(&self) -> Option<&Refusal> {
        self.closed.as_ref()
    }

    pub fn close(&mut self, refusal: Refusal) {
        self.closed = Some(refusal);
    }

    pub const fn shared(&self) -> Option<u32> {
        self.shared
    }

    pub const fn share(&mut self, window: Option<u32>) {
        self.shared = window;
    }

    /// The queues that wait for room in the shared window; they will be told now.
    pub fn take_waiting(&mut self) -> Vec<ShortString> {
        std::mem::take(&mut self.waiting)
    }

    pub fn take_all(&mut self) -> Vec<(DeliveryTag, Unacked)> {
        std::mem::take(&mut self.unacked).into_iter().collect()
    }

    /// Takes the deliveries that are meant off what the channel holds.
    pub fn take(&mut self, tags: Tags) -> Result<Vec<(DeliveryTag, Unacked)>, Refusal> {
        match tags {
            Tags::All => Ok(self.take_all()),
            Tags::One(tag) => {
                let unacked = self.unacked.remove(&tag).ok_or(Refusal::UnknownTag { tag })?;
                Ok(vec![(tag, unacked)])
            }
            Tags::UpTo(tag) => {
                if !self.unacked.contains_key(&tag) {
                    return Err(Refusal::UnknownTag { tag });
                }
                let later = self.unacked.split_off(&DeliveryTag(tag.0 + 1));
                Ok(std::mem::replace(&mut self.unacked, later).into_iter().collect())
            }
        }
    }

    /// When a check will find the oldest delivery out for longer than `timeout`.
    pub fn overdue_at(&self, timeout: SimDuration, check: SimDuration) -> Option<SimTime> {
        let (_, oldest) = self.unacked.first_key_value().filter(|_| self.closed.is_none())?;
        let late = (oldest.since + timeout).saturating_since(self.opened);
        let checks = late.as_micros() / check.as_micros().max(1) + 1;
        Some(self.opened + SimDuration::from_micros(check.as_micros().saturating_mul(checks)))
    }
}
