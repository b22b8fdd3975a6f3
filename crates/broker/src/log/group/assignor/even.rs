//! Sticky with equal subscriptions: everybody keeps what a quota allows, the rest fills up those
//! below theirs.

use std::collections::VecDeque;

use sim::short::{OrderedMap, OrderedSet};

use super::sticky::{Claims, Outcome};
use super::{Assignment, Topics, partitions_of};
use crate::log::{MemberId, TopicPartition};

pub(super) fn assign(topics: &Topics, claims: Claims) -> Outcome {
    let members = claims.owned.len();
    if members == 0 {
        let (assignment, transferring) = (Assignment::new(), Some(OrderedMap::new()));
        return Outcome { assignment, transferring };
    }
    let total = topics.values().sum::<u32>() as usize;
    let mut filling = Filling {
        least: total / members,
        most: total.div_ceil(members),
        extras: total % members,
        below: Vec::new(),
        at_least: VecDeque::new(),
        given_up: OrderedMap::new(),
        assignment: Assignment::new(),
        transferring: OrderedMap::new(),
        contested: claims.contested,
    };
    for (member, owned) in claims.owned {
        filling.keep(member, owned);
    }
    filling.below.sort_unstable();
    filling.at_least.make_contiguous().sort_unstable();
    let kept: OrderedSet<TopicPartition> = filling.assignment.values().flatten().copied().collect();
    let free = topics.keys().flat_map(|topic| partitions_of(topics, *topic));
    filling.deal(free.filter(|partition| !kept.contains(partition)));
    Outcome { assignment: filling.assignment, transferring: Some(filling.transferring) }
}

struct Filling {
    /// What everybody gets.
    least: usize,
    /// What some get.
    most: usize,
    /// How many may still get the most.
    extras: usize,
    /// Members with less than the least.
    below: Vec<MemberId>,
    /// Members with the least, who may get one more.
    at_least: VecDeque<MemberId>,
    /// What was owned beyond a quota, and by whom.
    given_up: OrderedMap<TopicPartition, MemberId>,
    assignment: Assignment,
    transferring: OrderedMap<TopicPartition, MemberId>,
    contested: OrderedSet<TopicPartition>,
}

impl Filling {
    /// Lets a member keep what it owns, as far as its quota goes.
    fn keep(&mut self, member: MemberId, mut owned: Vec<TopicPartition>) {
        owned.retain(|partition| !self.contested.contains(partition));
        owned.sort_unstable_by_key(|owned| (owned.partition, owned.topic));
        let quota = if owned.len() < self.least {
            self.below.push(member);
            owned.len()
        } else if owned.len() >= self.most && self.extras > 0 {
            self.extras -= 1;
            if self.extras == 0 {
                self.at_least.clear();
            }
            self.most
        } else {
            if self.extras > 0 {
                self.at_least.push_back(member);
            }
            self.least
        };
        self.given_up.extend(owned.drain(quota..).map(|partition| (partition, member)));
        self.assignment.insert(member, owned);
    }

    /// Deals the rest out: in turn to those below the least, then one each to those at it.
    fn deal(&mut self, free: impl Iterator<Item = TopicPartition>) {
        let mut turn = 0;
        for partition in free {
            if self.below.is_empty() {
                let member = self.at_least.pop_front();
                self.give(partition, member.expect("the quotas add up to the partitions"));
                continue;
            }
            if turn == self.below.len() {
                turn = 0;
            }
            let member = self.below[turn];
            if self.give(partition, member) == self.least {
                self.below.remove(turn);
                self.at_least.push_back(member);
            } else {
                turn += 1;
            }
        }
    }

    fn give(&mut self, partition: TopicPartition, member: MemberId) -> usize {
        let from_another = self.given_up.get(&partition).is_some_and(|owner| *owner != member);
        if from_another || self.contested.contains(&partition) {
            self.transferring.insert(partition, member);
        }
        let given = self.assignment.entry(member).or_default();
        given.push(partition);
        given.len()
    }
}
