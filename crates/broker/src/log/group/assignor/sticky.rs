//! Sticky: as even as the subscriptions allow, and of all such divisions one that moves little.
//!
//! Where all members subscribe to the same topics, quotas do ([`even`]); otherwise partitions are
//! moved one by one for as long as that helps ([`balance`]). `AbstractStickyAssignor`.

use sim::short::{OrderedMap, OrderedSet};

use super::{Assignment, Subscription, Topics, balance, even};
use crate::log::{Generation, MemberId, TopicPartition};

pub(super) struct Outcome {
    pub assignment: Assignment,
    /// What goes from a member to another, if that was kept track of.
    pub transferring: Option<OrderedMap<TopicPartition, MemberId>>,
}

pub(super) fn assign(topics: &Topics, members: &[Subscription]) -> Outcome {
    let wanted = |topic| members.iter().any(|member| member.topics.contains(topic));
    let topics: Topics =
        topics.iter().filter(|(topic, _)| wanted(topic)).map(|(t, n)| (*t, *n)).collect();
    let claims = Claims::new(&topics, members);
    if all_equal(members) {
        even::assign(&topics, claims)
    } else {
        let assignment = balance::assign(&topics, members, &claims);
        Outcome { assignment, transferring: None }
    }
}

/// Whether everybody subscribes to the same topics.
pub(super) fn all_equal(members: &[Subscription]) -> bool {
    let set = |member: &Subscription| member.topics.iter().copied().collect::<OrderedSet<_>>();
    members.windows(2).all(|pair| set(&pair[0]) == set(&pair[1]))
}

/// What members say they own, with contradictions resolved.
pub(super) struct Claims {
    /// By member, in the order of the members.
    pub owned: Vec<(MemberId, Vec<TopicPartition>)>,
    /// Claimed by two members of one generation: neither keeps it.
    pub contested: OrderedSet<TopicPartition>,
}

impl Claims {
    /// The highest generation wins a partition that two members claim; of one generation, none.
    fn new(topics: &Topics, members: &[Subscription]) -> Self {
        let mut claims = Self { owned: Vec::new(), contested: OrderedSet::new() };
        let mut owners: OrderedMap<TopicPartition, (MemberId, Option<Generation>)> =
            OrderedMap::new();
        for Subscription { member, owned, generation, .. } in members {
            claims.owned.push((*member, Vec::new()));
            let existing = owned.iter().filter(|partition| topics.contains_key(&partition.topic));
            for partition in existing {
                let other = owners.get(partition).copied();
                if let Some((_, others_generation)) = other
                    && *generation < others_generation
                {
                    continue;
                }
                owners.insert(*partition, (*member, *generation));
                match other {
                    Some((other, others_generation)) => {
                        claims.of(other).retain(|held| held != partition);
                        if others_generation == *generation {
                            claims.contested.insert(*partition);
                        } else {
                            claims.of(*member).push(*partition);
                        }
                    }
                    None => claims.of(*member).push(*partition),
                }
            }
        }
        claims
    }

    fn of(&mut self, member: MemberId) -> &mut Vec<TopicPartition> {
        let claim = self.owned.iter_mut().find(|(claimant, _)| *claimant == member);
        &mut claim.expect("every member has a claim, if an empty one").1
    }
}
