//! Cooperative-sticky: the sticky result without what changes hands.
//!
//! A partition whose old owner is in the group is not given to the new one yet. The old owner finds
//! it missing from its assignment, gives it up and asks for a second round, in which it is free.

use sim::short::{OrderedMap, OrderedSet};

use super::{Assignment, Subscription, Topics, sticky};
use crate::log::{MemberId, TopicPartition};

pub(super) fn assign(topics: &Topics, members: &[Subscription]) -> Assignment {
    let sticky::Outcome { mut assignment, transferring } = sticky::assign(topics, members);
    let transferring = transferring.unwrap_or_else(|| changing_hands(members, &assignment));
    for (partition, member) in transferring {
        if let Some(given) = assignment.get_mut(&member) {
            given.retain(|other| *other != partition);
        }
    }
    assignment
}

/// What is given to one member and taken from another, with the member that would get it.
fn changing_hands(
    members: &[Subscription],
    assignment: &Assignment,
) -> OrderedMap<TopicPartition, MemberId> {
    let mut added = OrderedMap::new();
    let mut revoked: OrderedSet<TopicPartition> = OrderedSet::new();
    for Subscription { member, owned, .. } in members {
        let Some(given) = assignment.get(member) else { continue };
        let new = given.iter().filter(|partition| !owned.contains(partition));
        added.extend(new.map(|partition| (*partition, *member)));
        revoked.extend(owned.iter().filter(|partition| !given.contains(partition)));
    }
    added.retain(|partition, _| revoked.contains(partition));
    added
}
