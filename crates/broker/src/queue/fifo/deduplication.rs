//! What a FIFO queue remembers of each deduplication id: for five minutes from the first send, the
//! message may be received, deleted or expired meanwhile.

use std::collections::VecDeque;

use sim::SimTime;
use sim::short::OrderedMap;

use crate::MessageId;
use crate::queue::kind::DEDUPLICATION_WINDOW;
use crate::queue::{DeduplicationId, GroupId, Scope, SequenceNumber};

/// The message that was stored under a deduplication id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::queue) struct Original {
    pub message: MessageId,
    pub sequence: SequenceNumber,
    pub visible_at: SimTime,
}

/// What must differ: the id, and with the scope of a group the group.
type Key = (Option<GroupId>, DeduplicationId);

#[derive(Clone, Debug, Hash)]
pub(in crate::queue) struct Memory {
    /// As it was when the queue was made.
    scope: Scope,
    originals: OrderedMap<Key, (SimTime, Original)>,
    /// In the order of sending; an id that was stored again stands here twice.
    sent: VecDeque<(SimTime, Key)>,
}

impl Memory {
    pub fn new(scope: Scope) -> Self {
        Self { scope, originals: OrderedMap::default(), sent: VecDeque::new() }
    }

    /// The original of a duplicate.
    pub fn find(
        &mut self,
        now: SimTime,
        group: Option<GroupId>,
        id: DeduplicationId,
    ) -> Option<Original> {
        self.forget(now);
        self.originals.get(&self.key(group, id)).map(|(_, original)| *original)
    }

    pub fn store(
        &mut self,
        now: SimTime,
        group: Option<GroupId>,
        id: DeduplicationId,
        original: Original,
    ) {
        self.forget(now);
        let key = self.key(group, id);
        self.originals.insert(key, (now, original));
        self.sent.push_back((now, key));
    }

    pub fn clear(&mut self) {
        self.originals.clear();
        self.sent.clear();
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.sent.len()
    }

    fn forget(&mut self, now: SimTime) {
        while let Some(&(sent_at, key)) = self.sent.front() {
            if sent_at + DEDUPLICATION_WINDOW > now {
                break;
            }
            self.sent.pop_front();
            if self.originals.get(&key).is_some_and(|(stored_at, _)| *stored_at == sent_at) {
                self.originals.remove(&key);
            }
        }
    }

    fn key(&self, group: Option<GroupId>, id: DeduplicationId) -> Key {
        match self.scope {
            Scope::Queue => (None, id),
            Scope::MessageGroup => (group, id),
        }
    }
}
