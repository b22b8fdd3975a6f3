//! What holds whatever happens.

use std::collections::{BTreeMap, BTreeSet};

use broker::MessageId;
use broker::log::consumer::{self, AutoCommit, Consumer, OnRevoke, Polled, Reset};
use broker::log::group::assignor::{Assignment, Assignor, Subscription, Topics};
use broker::log::group::{self, Group};
use broker::log::share::{self, Acknowledgement, SharePartition};
use broker::log::{
    Batch, Body, Cleanup, Entry, KeyId, MemberId, Offset, Partition, PartitionId, ProducerEpoch,
    ProducerId, Record, Scope, Sequence, Settings, Stamp, Topic, TopicId, TopicPartition,
};
use proptest::prelude::*;
use sim::short::OrderedMap;
use sim::{SimDuration, SimTime};

const NOW: SimTime = SimTime::ZERO;

fn record(number: u32, key: u32, body: Body) -> Record {
    let (message, key) = (MessageId::from_index(number), Some(KeyId::from_index(key)));
    Record { message, key, body, bytes: 1, timestamp: NOW }
}

/// Sizes of topics, and by member a set of topics that it subscribes to.
fn group() -> impl Strategy<Value = (Vec<u32>, Vec<Vec<usize>>)> {
    prop::collection::vec(0..9_u32, 1..4).prop_flat_map(|sizes| {
        let topics = 0..sizes.len();
        let subscription = prop::collection::btree_set(topics, 1..=sizes.len());
        let subscription = subscription.prop_map(|topics| topics.into_iter().collect());
        (Just(sizes), prop::collection::vec(subscription, 1..6))
    })
}

fn topics(sizes: &[u32]) -> Topics {
    (0..).map(TopicId::from_index).zip(sizes.iter().copied()).collect()
}

fn subscriptions(members: &[Vec<usize>], owned: &Assignment) -> Vec<Subscription> {
    let topic = |topic: &usize| TopicId::from_index(*topic as u32);
    let ids = (0..).map(MemberId::from_index);
    let subscription = |(member, wanted): (MemberId, &Vec<usize>)| Subscription {
        member,
        instance: None,
        topics: wanted.iter().map(topic).collect(),
        owned: owned.get(&member).cloned().unwrap_or_default(),
        generation: None,
    };
    ids.zip(members).map(subscription).collect()
}

/// Every partition that somebody subscribes to is given once, to a subscriber.
fn check_division(topics: &Topics, members: &[Subscription], given: &Assignment) {
    let mut wanted = BTreeSet::new();
    for (topic, count) in topics {
        if members.iter().any(|member| member.topics.contains(topic)) {
            let partition = |index| TopicPartition::new(*topic, PartitionId::from_index(index));
            wanted.extend((0..*count).map(partition));
        }
    }
    let all: Vec<TopicPartition> = given.values().flatten().copied().collect();
    assert_eq!(all.len(), wanted.len(), "given twice or not at all: {given:?}");
    assert_eq!(all.into_iter().collect::<BTreeSet<_>>(), wanted);
    for member in members {
        for partition in &given[&member.member] {
            assert!(member.topics.contains(&partition.topic), "{given:?}");
        }
    }
}

fn loads(given: &Assignment) -> impl Iterator<Item = usize> {
    given.values().map(Vec::len)
}

proptest! {
    #[test]
    fn assignors_give_every_partition_once((sizes, members) in group()) {
        let topics = topics(&sizes);
        let fresh = subscriptions(&members, &Assignment::new());
        for assignor in [
            Assignor::Range,
            Assignor::RoundRobin,
            Assignor::Sticky,
            Assignor::CooperativeSticky,
            Assignor::Uniform,
        ] {
            check_division(&topics, &fresh, &assignor.assign(&topics, &fresh));
        }
    }

    #[test]
    fn sticky_stays_and_is_even((sizes, members) in group(), leaver in 0..6_usize) {
        let topics = topics(&sizes);
        let fresh = subscriptions(&members, &Assignment::new());
        for assignor in [Assignor::Sticky, Assignor::Uniform] {
            let first = assignor.assign(&topics, &fresh);
            let as_sets = |given: &Assignment| -> BTreeMap<MemberId, BTreeSet<TopicPartition>> {
                given.iter().map(|(id, own)| (*id, own.iter().copied().collect())).collect()
            };
            let again = subscriptions(&members, &first);
            prop_assert_eq!(as_sets(&assignor.assign(&topics, &again)), as_sets(&first));
            if members.len() < 2 {
                continue;
            }
            let mut fewer = again.clone();
            fewer.remove(leaver % members.len());
            let second = assignor.assign(&topics, &fewer);
            check_division(&topics, &fewer, &second);
            let equal = members.windows(2).all(|pair| pair[0] == pair[1]);
            if equal {
                let (least, most) = (loads(&second).min(), loads(&second).max());
                prop_assert!(most <= least.map(|least| least + 1), "{:?}", second);
                // Nobody who stays gives anything up: there is more for everybody.
                for member in &fewer {
                    let kept = &second[&member.member];
                    prop_assert!(member.owned.iter().all(|owned| kept.contains(owned)));
                }
            }
        }
    }

    #[test]
    fn cooperation_gives_nothing_that_another_works_on(
        (sizes, members) in group(),
        joins in 1..3_usize,
    ) {
        let topics = topics(&sizes);
        let fresh = subscriptions(&members, &Assignment::new());
        let mut owned = Assignor::CooperativeSticky.assign(&topics, &fresh);
        let mut more = members.clone();
        more.extend(std::iter::repeat_n(members[0].clone(), joins));
        for round in 0..3 {
            let asked = subscriptions(&more, &owned);
            let given = Assignor::CooperativeSticky.assign(&topics, &asked);
            for member in &asked {
                for other in asked.iter().filter(|other| other.member != member.member) {
                    let taken = given[&member.member].iter().any(|new| other.owned.contains(new));
                    prop_assert!(!taken, "in round {round}: {given:?}");
                }
            }
            owned = given;
        }
        // Two rounds do: the third changed nothing, and everything is given.
        check_division(&topics, &subscriptions(&more, &owned), &owned);
    }

    #[test]
    fn compaction_keeps_what_a_reader_ends_up_with(
        writes in prop::collection::vec((0..6_u32, any::<bool>()), 1..60),
        cleanings in prop::collection::vec(0..60_u32, 0..5),
    ) {
        let settings = Settings {
            cleanup: Cleanup::Compact,
            segment_bytes: 7,
            delete_retention: SimDuration::from_secs(10),
            ..Settings::kafka()
        };
        let mut log = Partition::new(settings);
        let mut table = BTreeMap::new();
        for (number, (key, is_value)) in (0..).zip(writes) {
            let body = if is_value { Body::Value } else { Body::Tombstone };
            let records = [record(number, key, body)];
            log.append(NOW, &Batch { records: &records, stamp: None }).expect("it fits");
            if is_value {
                table.insert(KeyId::from_index(key), MessageId::from_index(number));
            } else {
                table.remove(&KeyId::from_index(key));
            }
            if cleanings.contains(&number) {
                log.clean(NOW + SimDuration::from_secs(number.into()));
            }
        }
        log.clean(NOW + SimDuration::from_secs(100));
        let (mut read, mut last) = (BTreeMap::new(), None);
        for stored in log.entries(Offset::ZERO) {
            prop_assert!(Some(stored.offset) > last, "offsets go up");
            last = Some(stored.offset);
            let Entry::Record(record) = stored.entry else { continue };
            let key = record.key.expect("a compacted log has keys");
            match record.body {
                Body::Value => read.insert(key, record.message),
                Body::Tombstone => read.remove(&key),
            };
        }
        prop_assert_eq!(read, table);
    }

    #[test]
    fn retries_of_an_idempotent_producer_are_written_once(
        retries in prop::collection::vec(0..5_u32, 1..40),
    ) {
        let mut log = Partition::new(Settings::kafka());
        for (number, back) in (0_u32..).zip(retries) {
            // The next batch, and then one of the last five once more.
            for first in [number, number.saturating_sub(back)] {
                let stamp = Stamp {
                    producer: ProducerId::default(),
                    epoch: ProducerEpoch::default(),
                    first: Sequence::new(first),
                    scope: Scope::Plain,
                };
                let records = [record(first, 0, Body::Value)];
                let batch = Batch { records: &records, stamp: Some(stamp) };
                let appended = log.append(NOW, &batch).expect("in order or known");
                prop_assert_eq!(appended.first.value(), u64::from(first));
            }
            prop_assert_eq!(log.end().value(), u64::from(number) + 1);
        }
    }

    #[test]
    fn a_share_group_finishes_every_record_once_or_archives_it(
        steps in prop::collection::vec((0..3_u32, 1..4_usize, 0..4_u8, 0..20_u64), 1..80),
    ) {
        let mut log = Partition::new(Settings::kafka());
        let records: Vec<Record> = (0..30).map(|at| record(at, 0, Body::Value)).collect();
        log.append(NOW, &Batch { records: &records, stamp: None }).expect("it fits");
        let settings = share::Settings { max_record_locks: 10, ..share::Settings::kafka() };
        let mut share = SharePartition::new(settings, Offset::ZERO);
        let mut now = NOW;
        let mut deliveries: BTreeMap<Offset, u32> = BTreeMap::new();
        let mut accepted = BTreeSet::new();
        for (member, max, how, wait) in steps {
            let member = MemberId::from_index(member);
            let mut acquired = Vec::new();
            share.acquire(now, member, max, &log, &mut acquired);
            for taken in &acquired {
                let count = deliveries.entry(taken.fetched.offset).or_default();
                *count += 1;
                prop_assert_eq!(taken.count, *count);
                prop_assert!(*count <= settings.delivery_count_limit);
            }
            now += SimDuration::from_secs(wait);
            let how = match how {
                0 => Some(Acknowledgement::Accept),
                1 => Some(Acknowledgement::Release),
                2 => Some(Acknowledgement::Reject),
                _ => None,
            };
            for taken in acquired {
                let Some(how) = how else { continue };
                let offset = taken.fetched.offset;
                if share.acknowledge(now, member, offset, how).is_ok()
                    && how == Acknowledgement::Accept
                {
                    prop_assert!(accepted.insert(offset), "{offset} was accepted twice");
                }
            }
            prop_assert!(share.end().saturating_since(share.start()) <= 10);
        }
    }

    #[test]
    fn a_group_comes_to_rest_with_one_owner_each_and_loses_nothing(
        kind in 0..3_u8,
        partitions in 1..7_u32,
        steps in prop::collection::vec((0..4_u32, 0..6_u8, 0..8_u64), 0..60),
    ) {
        Play::new(kind, partitions).run(&steps);
    }
}

/// A group under a random schedule: members join at their first poll, work, commit, leave, die.
struct Play {
    group: Group,
    logs: OrderedMap<TopicId, Topic>,
    live: BTreeMap<u32, (Consumer, Vec<(TopicPartition, Offset)>)>,
    finished: BTreeSet<(TopicPartition, Offset)>,
    now: SimTime,
    /// So that a member that died comes back as another.
    lives: u32,
}

const TOPIC: TopicId = TopicId::from_index(0);

impl Play {
    fn new(kind: u8, partitions: u32) -> Self {
        let settings = match kind {
            0 => group::Settings::classic(),
            1 => group::Settings::cooperative(),
            _ => group::Settings::incremental(),
        };
        let settings = group::Settings { initial_delay: SimDuration::ZERO, ..settings };
        let mut topic = Topic::new(NOW, Settings { partitions, ..Settings::kafka() });
        for index in 0..partitions {
            let records: Vec<Record> = (0..5).map(|at| record(at, 0, Body::Value)).collect();
            let log = topic.partition_mut(PartitionId::from_index(index)).expect("it is there");
            log.append(NOW, &Batch { records: &records, stamp: None }).expect("it fits");
        }
        Self {
            group: Group::new(NOW, settings, OrderedMap::from([(TOPIC, partitions)])),
            logs: OrderedMap::from([(TOPIC, topic)]),
            live: BTreeMap::new(),
            finished: BTreeSet::new(),
            now: NOW,
            lives: 0,
        }
    }

    fn run(&mut self, steps: &[(u32, u8, u64)]) {
        for (name, what, wait) in steps {
            self.pass(SimDuration::from_secs(*wait));
            match what {
                0 => {
                    self.live.remove(name);
                }
                1 => {
                    if let Some((mut consumer, _)) = self.live.remove(name) {
                        consumer.close(self.now, &mut self.group);
                    }
                }
                2 => self.work(*name, 1),
                _ => self.poll(*name),
            }
            self.check_owners();
        }
        // Quiet: whoever is there goes on, and the dead are missed. That takes a session timeout, a
        // rebalance and ten polls of three records after the last of them died.
        self.poll(9);
        for _ in 0..60 {
            self.pass(SimDuration::from_secs(6));
            for name in self.live.keys().copied().collect::<Vec<_>>() {
                self.work(name, 100);
                self.poll(name);
                self.check_owners();
            }
        }
        let mut owned: Vec<TopicPartition> = Vec::new();
        for (consumer, _) in self.live.values() {
            owned.extend(consumer.owned().map(|(at, _)| at));
        }
        owned.sort_unstable();
        let partitions = self.logs[&TOPIC].settings().partitions;
        let all: Vec<TopicPartition> = (0..partitions)
            .map(|index| TopicPartition::new(TOPIC, PartitionId::from_index(index)))
            .collect();
        assert_eq!(owned, all, "one owner each in {:?}", self.group);
        let each = partitions as usize * 5;
        assert_eq!(self.finished.len(), each, "nothing lost");
        for (at, offset) in self.group.offsets().iter() {
            assert_eq!(offset.value(), 5, "all of {at:?} is committed");
        }
    }

    fn pass(&mut self, wait: SimDuration) {
        let until = self.now + wait;
        for (consumer, _) in self.live.values_mut() {
            while let Some(due) = consumer.next_deadline(&self.group).filter(|due| *due <= until) {
                consumer.advance(due.max(self.now), &mut self.group);
            }
        }
        self.now = until;
        self.group.advance(self.now, &mut Vec::new());
    }

    fn poll(&mut self, name: u32) {
        let (now, lives) = (self.now, &mut self.lives);
        let (consumer, returned) = self.live.entry(name).or_insert_with(|| {
            *lives += 1;
            let settings = consumer::Settings {
                reset: Reset::Earliest,
                auto_commit: AutoCommit::Off,
                on_revoke: OnRevoke::CommitFinished,
                max_poll_records: 3,
                ..consumer::Settings::kafka()
            };
            let member = MemberId::from_index(*lives);
            (Consumer::new(settings, member, None, vec![TOPIC]), Vec::new())
        });
        let mut polled = Polled::default();
        consumer.poll(now, &mut self.group, &self.logs, &mut polled);
        returned.extend(polled.records.iter().map(|(at, fetched)| (*at, fetched.offset)));
    }

    fn work(&mut self, name: u32, count: usize) {
        let Some((consumer, returned)) = self.live.get_mut(&name) else { return };
        for (at, offset) in returned.drain(..count.min(returned.len())) {
            consumer.finish(at, offset);
            self.finished.insert((at, offset));
        }
        consumer.commit(self.now, &mut self.group).ok();
    }

    /// No two consumers that the group knows as members believe in the same partition.
    fn check_owners(&self) {
        let members = self.group.members();
        let mut owners = BTreeMap::new();
        for (consumer, _) in self.live.values() {
            if !members.contains(&consumer.member()) {
                continue;
            }
            for (at, _) in consumer.owned() {
                let other = owners.insert(at, consumer.member());
                assert_eq!(other, None, "{at:?} has two owners in {:?}", self.group);
            }
        }
    }
}
