//! Uniform with unequal subscriptions: members keep what they have, what is free goes to the least
//! loaded subscriber, and then each topic is evened out among its own subscribers, in rounds.
//!
//! `UniformHeterogeneousAssignmentBuilder`. Members with equal loads take turns in the order in
//! which they were sorted at first; the product's own order of turns shifts when it passes over a
//! member that has nothing of the topic.

use sim::short::OrderedMap;

use super::{Assignment, Subscription, Topics, partitions_of};
use crate::log::{MemberId, TopicId, TopicPartition};

/// How often all topics are gone through at most.
const ROUNDS_MAX: u32 = 16;

pub(super) fn assign(topics: &Topics, members: &[Subscription]) -> Assignment {
    let mut division = Division { readers: OrderedMap::new(), given: Assignment::new() };
    for Subscription { member, topics: wanted, owned, .. } in members {
        for topic in wanted.iter().filter(|topic| topics.contains_key(topic)) {
            division.readers.entry(*topic).or_default().push(*member);
        }
        let kept = owned.iter().filter(|owned| {
            let count = topics.get(&owned.topic).copied().unwrap_or(0);
            wanted.contains(&owned.topic) && owned.partition.index() < count as usize
        });
        division.given.insert(*member, kept.copied().collect());
    }
    let order = division.order(topics);
    for topic in &order {
        division.deal(topics, *topic);
    }
    for _ in 0..ROUNDS_MAX {
        let moved: usize = order.iter().map(|topic| division.even_out(*topic)).sum();
        if moved == 0 {
            break;
        }
    }
    for given in division.given.values_mut() {
        given.sort_unstable();
    }
    division.given
}

struct Division {
    readers: OrderedMap<TopicId, Vec<MemberId>>,
    given: Assignment,
}

impl Division {
    /// Topics with the most partitions a subscriber first.
    fn order(&self, topics: &Topics) -> Vec<TopicId> {
        let mut order: Vec<TopicId> = self.readers.keys().copied().collect();
        order.sort_by(|one, other| {
            let of = |topic| (u64::from(topics[topic]), self.readers[topic].len() as u64);
            let ((one_size, one_readers), (other_size, other_readers)) = (of(one), of(other));
            let density = (other_size * one_readers).cmp(&(one_size * other_readers));
            density.then(one_readers.cmp(&other_readers)).then(one.cmp(other))
        });
        order
    }

    fn load(&self, member: MemberId) -> usize {
        self.given.get(&member).map_or(0, Vec::len)
    }

    /// The subscribers of a topic, the least loaded first.
    fn sorted(&self, topic: TopicId) -> Vec<MemberId> {
        let mut readers = self.readers[&topic].clone();
        readers.sort_by_key(|reader| self.load(*reader));
        readers
    }

    /// Gives what is free of a topic to whoever has least.
    fn deal(&mut self, topics: &Topics, topic: TopicId) {
        let readers = self.sorted(topic);
        for partition in partitions_of(topics, topic) {
            let is_held = self.given.values().any(|given| given.contains(&partition));
            let least = readers.iter().copied().min_by_key(|reader| self.load(*reader));
            if let Some(member) = least.filter(|_| !is_held) {
                self.given.entry(member).or_default().push(partition);
            }
        }
    }

    /// Moves partitions of a topic from its most to its least loaded subscribers for as long as
    /// they are two or more apart. Answers with how many.
    fn even_out(&mut self, topic: TopicId) -> usize {
        let readers = self.sorted(topic);
        let mut givers = readers.clone();
        let mut moved = 0;
        // Of equal loads, `max_by_key` finds the last and `min_by_key` the first.
        while let Some(from) = givers.iter().copied().max_by_key(|giver| self.load(*giver)) {
            let Some(partition) = self.last_of(from, topic) else {
                givers.retain(|giver| *giver != from);
                continue;
            };
            let least = readers.iter().copied().min_by_key(|reader| self.load(*reader));
            let Some(to) = least.filter(|to| self.load(from) > self.load(*to) + 1) else { break };
            self.given.entry(from).or_default().retain(|given| *given != partition);
            self.given.entry(to).or_default().push(partition);
            moved += 1;
        }
        moved
    }

    fn last_of(&self, member: MemberId, topic: TopicId) -> Option<TopicPartition> {
        let given = self.given.get(&member)?.iter().copied();
        given.filter(|given| given.topic == topic).max()
    }
}
