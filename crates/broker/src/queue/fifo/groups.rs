//! The groups of a FIFO queue: the messages of each in the order of sending, and the order in which
//! the groups are served.
//!
//! # What of a group is on offer
//!
//! The first messages of the group up to the first that is hidden, in flight or delayed. A group is
//! not locked as a whole: if of three received messages the last is extended and the others lapse,
//! the first two come back (LocalStack, `test_fifo_group_visibility_extends_with_change_message_
//! visibility`, recorded on the service).
//!
//! # Which group comes first
//!
//! The one whose first message has been on offer for longest. A group that was served and comes
//! back therefore stands behind the others, as if groups went to the tail; a group of which a part
//! was received and deleted keeps the place of its next message. Both is what the service was
//! recorded to do (`test_fifo_receive_message_with_zero_visibility_timeout`,
//! `test_fifo_message_group_visibility_after_delete`), and the guide says that the queue scans its
//! messages from the front for available groups ("Avoid large message backlogs with the same message
//! group ID").

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use crate::queue::GroupId;

/// A group, or the group of those that came without: a dead letter from a standard queue.
pub(in crate::queue) type Group = Option<GroupId>;

#[derive(Clone, Debug, Default)]
pub(in crate::queue) struct Groups {
    /// By group and by arrival.
    members: BTreeMap<(Group, u64), Member>,
    /// The groups whose first message is on offer, by when it came on offer.
    heads: BTreeMap<u64, Group>,
    /// How often a message came on offer so far.
    offers: u64,
}

#[derive(Clone, Copy, Debug)]
struct Member {
    slot: u32,
    /// The number of its latest coming on offer; `None` while it is hidden.
    offered: Option<u64>,
}

impl Groups {
    /// A message comes in, hidden for now.
    pub fn join(&mut self, group: Group, order: u64, slot: u32) {
        self.members.insert((group, order), Member { slot, offered: None });
    }

    /// A message comes on offer, unless it is already.
    pub fn offer(&mut self, group: Group, order: u64) {
        let Some(member) = self.members.get_mut(&(group, order)) else { return };
        if member.offered.is_some() {
            return;
        }
        self.offers += 1;
        member.offered = Some(self.offers);
        if self.first(group).is_some_and(|(first, _)| first == order) {
            self.heads.insert(self.offers, group);
        }
    }

    /// A message is hidden.
    pub fn withdraw(&mut self, group: Group, order: u64) {
        let offered = self.members.get_mut(&(group, order)).and_then(|it| it.offered.take());
        if let Some(offered) = offered {
            self.heads.remove(&offered);
        }
    }

    /// A message leaves for good: the next of its group may come first.
    pub fn leave(&mut self, group: Group, order: u64) {
        let Some(member) = self.members.remove(&(group, order)) else { return };
        if let Some(offered) = member.offered {
            self.heads.remove(&offered);
        }
        if let Some((_, Member { offered: Some(offered), .. })) = self.first(group) {
            self.heads.insert(offered, group);
        }
    }

    /// The group to be served next.
    pub fn next(&self) -> Option<Group> {
        self.heads.first_key_value().map(|(_, group)| *group)
    }

    /// The message of a group that comes after one, or first; if it is on offer. Answers with its
    /// arrival and slot.
    pub fn after(&self, group: Group, last: Option<u64>) -> Option<(u64, u32)> {
        let from = last.map_or(0, |last| last + 1);
        let (&(_, order), member) = self.members.range((group, from)..=(group, u64::MAX)).next()?;
        member.offered.map(|_| (order, member.slot))
    }

    /// The slots of all that is on offer, in the order of delivery.
    pub fn deliverable(&self) -> impl Iterator<Item = u32> {
        self.heads
            .values()
            .flat_map(|group| {
                let members = self.members.range((*group, 0)..=(*group, u64::MAX));
                members.map(|(_, member)| member).take_while(|it| it.offered.is_some())
            })
            .map(|member| member.slot)
    }

    /// The slots of what is visible behind a hidden message of its own group, by group.
    pub fn blocked(&self) -> impl Iterator<Item = u32> {
        let mut open = None;
        self.members.iter().filter_map(move |(&(group, _), member)| {
            let (last, free) = open.unwrap_or((group, true));
            let free = (free || last != group) && member.offered.is_some();
            open = Some((group, free));
            (!free && member.offered.is_some()).then_some(member.slot)
        })
    }

    pub fn clear(&mut self) {
        self.members.clear();
        self.heads.clear();
    }

    fn first(&self, group: Group) -> Option<(u64, Member)> {
        let mut members = self.members.range((group, 0)..=(group, u64::MAX));
        members.next().map(|(&(_, order), member)| (order, *member))
    }
}

/// Alike when the same places of the same groups came on offer in the same order.
impl Hash for Groups {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut offers = Vec::new();
        let (mut last, mut place) = (None, 0_u32);
        for (&(group, _), member) in &self.members {
            place = if last == Some(group) { place + 1 } else { 0 };
            last = Some(group);
            offers.push((member.offered, group, place));
        }
        offers.sort_unstable();
        for (offered, group, place) in offers {
            (offered.is_some(), group, place).hash(state);
        }
    }
}
