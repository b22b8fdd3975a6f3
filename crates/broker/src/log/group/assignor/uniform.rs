//! Uniform: the broker's own assignor. Quotas are handed out in the order of members, what exceeds
//! one is taken away, and what is free fills the others up in order.
//!
//! `UniformHomogeneousAssignmentBuilder`; where members subscribe to different topics, see
//! [`uneven`].

use sim::short::OrderedSet;

use super::{Assignment, Subscription, Topics, partitions_of, sticky, uneven};
use crate::log::{TopicId, TopicPartition};

pub(super) fn assign(topics: &Topics, members: &[Subscription]) -> Assignment {
    let Some(first) = members.first() else { return Assignment::new() };
    if !sticky::all_equal(members) {
        return uneven::assign(topics, members);
    }
    let subscribed: OrderedSet<TopicId> = first.topics.iter().copied().collect();
    let held: OrderedSet<TopicPartition> =
        members.iter().flat_map(|member| member.owned.iter().copied()).collect();
    let all = subscribed.iter().flat_map(|topic| partitions_of(topics, *topic));
    let (taken, mut free): (Vec<_>, Vec<_>) = all.partition(|partition| held.contains(partition));
    let total = taken.len() + free.len();
    let (quota, mut extras) = (total / members.len(), total % members.len());

    let mut assignment = Assignment::new();
    let mut unfilled = Vec::new();
    for Subscription { member, owned, .. } in members {
        let quota = quota + usize::from(extras > 0);
        extras = extras.saturating_sub(1);
        let mut kept: Vec<TopicPartition> =
            owned.iter().copied().filter(|owned| taken.contains(owned)).collect();
        kept.sort_unstable();
        if kept.len() > quota {
            free.extend(kept.drain(quota..));
        } else {
            unfilled.push((*member, quota - kept.len()));
        }
        assignment.insert(*member, kept);
    }
    let mut free = free.into_iter();
    for (member, room) in unfilled {
        assignment.entry(member).or_default().extend(free.by_ref().take(room));
    }
    assignment
}
