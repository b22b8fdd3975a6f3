//! The messages of a run, and who still answers for each.
//!
//! A message is *lost* when no queue has it, no worker has it in hand, no call about it is under
//! way, and its work was not done. The counts kept here make that a local question.

use broker::MessageId;
use scenario::{ComponentId, SchemaId, StepIndex, TypeId};
use sim::{SimDuration, SimTime};

use crate::WorkerId;

/// One message: what it carries by reference, and where it is in its life.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// The source that made it.
    pub source: ComponentId,
    /// The message whose handler sent this one, if it comes from a handler.
    pub parent: Option<MessageId>,
    /// Which of the source's payloads it carries, if the source has any.
    pub payload: Option<u32>,
    /// The message that it is a copy of, if it is one.
    pub of: Option<MessageId>,
    /// The message that first told of the same event, if another did.
    pub(crate) event: Option<MessageId>,
    /// The schema that its body is written with, if somebody has said so.
    pub schema: Option<SchemaId>,
    /// The type that a publish has given it; `None`: what its body says.
    pub kind: Option<TypeId>,
    /// Its ordering key, numbered in order of first appearance in the run.
    pub key: u16,
    /// When its source sent it.
    pub created: SimTime,
    /// The queue that has it, while one does.
    pub queue: Option<ComponentId>,
    /// How often it has been received.
    pub receives: u32,
    /// The worker that took it last.
    pub taken_by: Option<WorkerId>,
    /// It can never succeed.
    pub poison: bool,
    /// A broker has committed it at least once.
    pub stored: bool,
    /// It has been moved aside.
    pub dead_lettered: bool,
    /// Acked and deleted.
    pub acked: bool,
    /// Its work has been done at least once.
    pub done: bool,
    /// Property `no message lost` was broken by it.
    pub lost: bool,
    /// Effects of all calls about it.
    pub effects: u32,
    /// How long it last waited in its queue to be tried again.
    pub(crate) waited: SimDuration,
    /// Deliveries of it in workers' hands.
    pub(crate) holders: u32,
    /// Calls about it that have left and not come to an end.
    pub(crate) calls: u32,
    /// Which lines of the handler have had their effect, as bits.
    pub(crate) effects_done: u64,
}

impl Message {
    /// One that its source, or a handler, has just made.
    pub(crate) fn new(source: ComponentId, payload: Option<u32>, key: u16, now: SimTime) -> Self {
        Self {
            source,
            parent: None,
            of: None,
            event: None,
            schema: None,
            kind: None,
            payload,
            key,
            created: now,
            queue: None,
            receives: 0,
            taken_by: None,
            poison: false,
            stored: false,
            dead_lettered: false,
            acked: false,
            done: false,
            lost: false,
            effects: 0,
            waited: SimDuration::ZERO,
            holders: 0,
            calls: 0,
            effects_done: 0,
        }
    }

    /// Whether nothing and nobody has it any more although its work was never done.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.stored && self.queue.is_none() && self.holders == 0 && self.calls == 0 && !self.done
    }

    /// Notes the effect of a line.
    pub(crate) fn note_effect(&mut self, step: StepIndex) {
        self.effects_done |= 1 << step.index();
    }
}

/// Every message of a run, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Messages(Vec<Message>);

impl Messages {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The message with this number.
    #[must_use]
    pub fn get(&self, id: MessageId) -> Option<&Message> {
        self.0.get(id.index())
    }

    /// Each of them, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &Message> {
        self.0.iter()
    }

    /// The message that a copy goes back to; itself if it is none.
    #[must_use]
    pub fn root(&self, id: MessageId) -> MessageId {
        self.0[id.index()].of.unwrap_or(id)
    }

    /// The event that a message tells of, by the message that first told of it: the id that stays the
    /// same through redeliveries, republishing and copies.
    #[must_use]
    pub fn event(&self, id: MessageId) -> MessageId {
        let root = self.root(id);
        self.0[root.index()].event.unwrap_or(root)
    }

    pub(crate) fn push(&mut self, message: Message) -> MessageId {
        self.0.push(message);
        MessageId::from_index(u32::try_from(self.0.len() - 1).expect("bounded by limits::MESSAGES"))
    }
}

impl std::ops::Index<MessageId> for Messages {
    type Output = Message;
    fn index(&self, id: MessageId) -> &Message {
        &self.0[id.index()]
    }
}

impl std::ops::IndexMut<MessageId> for Messages {
    fn index_mut(&mut self, id: MessageId) -> &mut Message {
        &mut self.0[id.index()]
    }
}
