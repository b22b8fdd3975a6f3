//! Sticky with unequal subscriptions: the least loaded reader gets the next free partition, and
//! then partitions move from the more to the less loaded for as long as that evens things out.

use sim::short::{OrderedMap, OrderedSet};

use super::movements::Movements;
use super::sticky::Claims;
use super::{Assignment, Subscription, Topics, partitions_of};
use crate::log::{Generation, MemberId, TopicId, TopicPartition};

pub(super) fn assign(topics: &Topics, members: &[Subscription], claims: &Claims) -> Assignment {
    let readers = |topic: TopicId| {
        let readers = members.iter().filter(move |member| member.topics.contains(&topic));
        (topic, readers.map(|reader| reader.member).collect::<OrderedSet<_>>())
    };
    let mut balance = Balance {
        topics,
        readers: topics.keys().map(|topic| readers(*topic)).collect(),
        owner: OrderedMap::new(),
        given: claims.owned.iter().map(|(member, _)| (*member, Vec::new())).collect(),
        movable: OrderedSet::new(),
        movements: Movements::default(),
        before: held_before(members),
    };
    let revoked = balance.keep(claims);
    let mut all: Vec<TopicPartition> =
        topics.keys().flat_map(|topic| partitions_of(topics, *topic)).collect();
    all.sort_by_key(|partition| balance.readers[&partition.topic].len());
    balance.fill(all, revoked);
    balance.given
}

/// What members of earlier generations held, and the latest of those generations.
fn held_before(members: &[Subscription]) -> OrderedMap<TopicPartition, MemberId> {
    let latest = members.iter().map(|member| member.generation).max().flatten();
    let mut before: OrderedMap<TopicPartition, (Option<Generation>, MemberId)> = OrderedMap::new();
    for Subscription { member, owned, generation, .. } in members {
        if *generation >= latest {
            continue;
        }
        for partition in owned {
            let held = before.entry(*partition).or_insert((*generation, *member));
            if *generation > held.0 {
                *held = (*generation, *member);
            }
        }
    }
    before.into_iter().map(|(partition, (_, member))| (partition, member)).collect()
}

/// What an assignment had to take away from members before it gave anything out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Revoked {
    Nothing,
    Unsubscribed,
}

struct Balance<'a> {
    topics: &'a Topics,
    readers: OrderedMap<TopicId, OrderedSet<MemberId>>,
    owner: OrderedMap<TopicPartition, MemberId>,
    given: Assignment,
    /// The members among whom partitions can move.
    movable: OrderedSet<MemberId>,
    movements: Movements,
    before: OrderedMap<TopicPartition, MemberId>,
}

impl Balance<'_> {
    /// Lets members keep what they own and still subscribe to.
    fn keep(&mut self, claims: &Claims) -> Revoked {
        let mut revoked = Revoked::Nothing;
        for (member, owned) in &claims.owned {
            for partition in owned {
                if self.readers[&partition.topic].contains(member) {
                    self.give(*partition, *member);
                } else {
                    revoked = Revoked::Unsubscribed;
                }
            }
        }
        revoked
    }

    fn fill(&mut self, all: Vec<TopicPartition>, revoked: Revoked) {
        self.movable = self.given.keys().copied().collect();
        let fresh = self.given.values().all(Vec::is_empty);
        let mut free = all.clone();
        free.retain(|partition| !self.owner.contains_key(partition));
        for partition in &free {
            if let Some(member) = self.least_loaded(*partition) {
                self.give(*partition, member);
            }
        }
        let shared = |partition: &TopicPartition| self.readers[&partition.topic].len() >= 2;
        let all: Vec<TopicPartition> = all.into_iter().filter(shared).collect();
        free.retain(shared);
        let movable = self.given.keys().copied().filter(|member| self.can_move(*member));
        self.movable = movable.collect();

        let (given, owner) = (self.given.clone(), self.owner.clone());
        if revoked == Revoked::Nothing {
            self.even_out(&free);
        }
        let moved = self.even_out(&all);
        if !fresh && moved > 0 && self.unevenness(&self.given) >= self.unevenness(&given) {
            (self.given, self.owner) = (given, owner);
        }
    }

    /// Whether anything could be taken from this member or given to it.
    fn can_move(&self, member: MemberId) -> bool {
        let given = &self.given[&member];
        given.len() < self.most(member)
            || given.iter().any(|partition| self.readers[&partition.topic].len() >= 2)
    }

    /// How many partitions this member subscribes to.
    fn most(&self, member: MemberId) -> usize {
        let reads = |(topic, _): &(&TopicId, &u32)| self.readers[*topic].contains(&member);
        self.topics.iter().filter(reads).map(|(_, count)| *count as usize).sum()
    }

    fn load(&self, member: MemberId) -> usize {
        self.given[&member].len()
    }

    fn least_loaded(&self, partition: TopicPartition) -> Option<MemberId> {
        let readers = self.readers[&partition.topic].iter().copied();
        readers
            .filter(|reader| self.movable.contains(reader))
            .min_by_key(|reader| (self.load(*reader), *reader))
    }

    fn give(&mut self, partition: TopicPartition, member: MemberId) {
        self.owner.insert(partition, member);
        self.given.entry(member).or_default().push(partition);
    }

    /// Moves partitions, in this order and again from the first, until nothing gets more even.
    /// Answers with how many moves that took.
    fn even_out(&mut self, partitions: &[TopicPartition]) -> usize {
        let mut moves = 0;
        loop {
            let moves_before = moves;
            for partition in partitions {
                if self.is_balanced() {
                    break;
                }
                if let Some(to) = self.better_reader(*partition) {
                    self.reassign(*partition, to);
                    moves += 1;
                }
            }
            if moves == moves_before {
                return moves;
            }
        }
    }

    /// Who should have this partition rather than its owner: the one who had it before, if that
    /// makes things more even, or else the least loaded.
    fn better_reader(&self, partition: TopicPartition) -> Option<MemberId> {
        let load = self.load(self.owner[&partition]);
        let lighter = |member: &MemberId| load > self.load(*member) + 1;
        let before = self.before.get(&partition).copied();
        if let Some(before) = before.filter(lighter) {
            return Some(before);
        }
        let readers = &self.readers[&partition.topic];
        readers.iter().any(lighter).then(|| self.least_loaded(partition)).flatten()
    }

    fn reassign(&mut self, partition: TopicPartition, to: MemberId) {
        let partition = self.movements.instead_of(partition, self.owner[&partition], to);
        let from = self.owner[&partition];
        self.movements.note(partition, from, to);
        self.given.entry(from).or_default().retain(|other| *other != partition);
        self.give(partition, to);
    }

    /// Whether no single move would make two members more alike.
    fn is_balanced(&self) -> bool {
        let loads = || self.movable.iter().map(|member| self.load(*member));
        let (Some(least), Some(most)) = (loads().min(), loads().max()) else { return true };
        if least + 1 >= most {
            return true;
        }
        !self.movable.iter().any(|member| {
            let load = self.load(*member);
            load < self.most(*member)
                && self.owner.iter().any(|(partition, owner)| {
                    self.readers[&partition.topic].contains(member) && load + 1 < self.load(*owner)
                })
        })
    }

    /// The sum of all differences in load between two of the movable members.
    fn unevenness(&self, given: &Assignment) -> usize {
        let loads: Vec<usize> = self.movable.iter().map(|member| given[member].len()).collect();
        let pairs = loads.iter().enumerate();
        pairs.map(|(i, one)| loads[..i].iter().map(|two| one.abs_diff(*two)).sum::<usize>()).sum()
    }
}
