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

use std::hash::{Hash, Hasher};

use sim::short::{OrderedMap, sort_unstable_by_key};

use crate::queue::GroupId;

/// A group, or the group of those that came without: a dead letter from a standard queue.
pub(in crate::queue) type Group = Option<GroupId>;

#[derive(Clone, Debug, Default)]
pub(in crate::queue) struct Groups {
    /// Each message in its group, by arrival; and the first message of each group in the line of
    /// heads, by when it came on offer, if it is on offer.
    lines: OrderedMap<(Line, u64), Member>,
    /// How often a message came on offer so far.
    offers: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Line {
    Heads,
    Of(Group),
}

#[derive(Clone, Copy, Debug)]
struct Member {
    group: Group,
    order: u64,
    slot: u32,
    /// The number of its latest coming on offer; `None` while it is hidden.
    offered: Option<u64>,
}

impl Groups {
    /// A message comes in, hidden for now.
    pub fn join(&mut self, group: Group, order: u64, slot: u32) {
        let member = Member { group, order, slot, offered: None };
        self.lines.insert((Line::Of(group), order), member);
    }

    /// A message comes on offer, unless it is already.
    pub fn offer(&mut self, group: Group, order: u64) {
        let Some(member) = self.lines.get_mut(&(Line::Of(group), order)) else { return };
        if member.offered.is_none() {
            self.offers += 1;
            member.offered = Some(self.offers);
            self.lead(group);
        }
    }

    /// A message is hidden.
    pub fn withdraw(&mut self, group: Group, order: u64) {
        let member = self.lines.get_mut(&(Line::Of(group), order));
        if let Some(offered) = member.and_then(|member| member.offered.take()) {
            self.lines.remove(&(Line::Heads, offered));
        }
    }

    /// A message leaves for good: the next of its group may come first.
    pub fn leave(&mut self, group: Group, order: u64) {
        self.withdraw(group, order);
        self.lines.remove(&(Line::Of(group), order));
        self.lead(group);
    }

    /// The group to be served next.
    pub fn next(&self) -> Option<Group> {
        self.line(Line::Heads, 0).next().map(|head| head.group)
    }

    /// The message of a group that comes after one, or first; if it is on offer. Answers with its
    /// arrival and slot.
    pub fn after(&self, group: Group, last: Option<u64>) -> Option<(u64, u32)> {
        let member = self.line(Line::Of(group), last.map_or(0, |last| last + 1)).next()?;
        member.offered.map(|_| (member.order, member.slot))
    }

    /// The slots of all that is on offer, in the order of delivery.
    pub fn deliverable(&self) -> impl Iterator<Item = u32> {
        let groups = self.line(Line::Heads, 0).map(|head| Line::Of(head.group));
        let members = |line| self.line(line, 0).take_while(|it| it.offered.is_some());
        groups.flat_map(members).map(|member| member.slot)
    }

    /// The slots of what is visible behind a hidden message of its own group, by group.
    pub fn blocked(&self) -> impl Iterator<Item = u32> {
        let mut last = (Line::Heads, true);
        self.lines.iter().filter_map(move |(&(line, _), member)| {
            let visible = member.offered.is_some();
            let free = (last.1 || last.0 != line) && visible;
            last = (line, free);
            (visible && !free).then_some(member.slot)
        })
    }

    pub fn clear(&mut self) {
        self.lines.clear();
    }

    /// Puts the first message of a group in the line of heads, if it is on offer.
    fn lead(&mut self, group: Group) {
        let first = self.line(Line::Of(group), 0).next().copied();
        if let Some((first, offered)) = first.and_then(|first| Some((first, first.offered?))) {
            self.lines.insert((Line::Heads, offered), first);
        }
    }

    fn line(&self, line: Line, from: u64) -> impl Iterator<Item = &Member> {
        let from = self.lines.range((line, from)..);
        from.take_while(move |((of, _), _)| *of == line).map(|(_, member)| member)
    }
}

/// Alike when the same places of the same groups came on offer in the same order.
impl Hash for Groups {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut offers = Vec::new();
        let (mut last, mut place) = (None, 0_u32);
        for (&(line, _), member) in &self.lines {
            let Line::Of(group) = line else { continue };
            place = if last == Some(group) { place + 1 } else { 0 };
            last = Some(group);
            offers.push((member.offered, group, place));
        }
        sort_unstable_by_key(&mut offers, |offer| *offer);
        for (offered, group, place) in offers {
            (offered.is_some(), group, place).hash(state);
        }
    }
}
