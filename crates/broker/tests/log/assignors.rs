//! Assignors, by example. (That they agree with the product, row by row, is held elsewhere.)

use std::collections::BTreeMap;

use broker::log::group::assignor::{Assignor, Subscription, Topics, hash_order};
use broker::log::{Generation, InstanceId, MemberId, PartitionId, TopicId, TopicPartition};
use sim::short::OrderedMap;

/// A member as `topics/owned/generation`: `01/0-0 1-2/3` subscribes to topics 0 and 1.
fn member(id: u32, told: &str) -> Subscription {
    let mut parts = told.split('/');
    let topics = parts.next().unwrap_or("").chars();
    let topics = topics.filter_map(|topic| topic.to_digit(10)).map(TopicId::from_index);
    let partition = |name: &str| {
        let (topic, partition) = name.split_once('-').expect("topic-partition");
        let number = |text: &str| text.parse().expect("a number");
        TopicPartition::new(
            TopicId::from_index(number(topic)),
            PartitionId::from_index(number(partition)),
        )
    };
    let owned = parts.next().unwrap_or("").split_whitespace().map(partition);
    Subscription {
        member: MemberId::from_index(id),
        instance: None,
        topics: topics.collect(),
        owned: owned.collect(),
        generation: parts.next().and_then(|text| text.parse().ok()).map(Generation::from_index),
    }
}

/// Divides topics of these sizes among members: each member's share, members by number.
#[track_caller]
fn check(assignor: Assignor, sizes: &[u32], members: &[&str], expected: &[&str]) {
    let topics: Topics = (0..).map(TopicId::from_index).zip(sizes.iter().copied()).collect();
    let members: Vec<Subscription> =
        (0..).zip(members).map(|(id, told)| member(id, told)).collect();
    let told = |given: &Vec<TopicPartition>| {
        let mut given = given.clone();
        given.sort_unstable();
        let told = given.iter().map(|at| format!("{}-{}", at.topic, at.partition));
        told.collect::<Vec<_>>().join(" ")
    };
    let given: BTreeMap<MemberId, String> = assignor
        .assign(&topics, &members)
        .iter()
        .map(|(member, given)| (*member, told(given)))
        .collect();
    assert_eq!(given.into_values().collect::<Vec<_>>(), expected, "{assignor:?}");
}

#[test]
fn range_gives_the_first_members_more_of_every_topic() {
    let expected = ["0-0 0-1", "0-2", "0-3"];
    check(Assignor::Range, &[4], &["0", "0", "0"], &expected);
    let expected = ["0-0 0-1 1-0 1-1", "0-2 1-2"];
    check(Assignor::Range, &[3, 3], &["01", "01"], &expected);
    check(Assignor::RoundRobin, &[3, 3], &["01", "01"], &["0-0 0-2 1-1", "0-1 1-0 1-2"]);
}

#[test]
fn a_static_member_comes_first() {
    let topics: Topics = OrderedMap::from([(TopicId::default(), 1)]);
    let mut members = vec![member(0, "0"), member(1, "0"), member(2, "0")];
    members[1].instance = Some(InstanceId::from_index(5));
    members[2].instance = Some(InstanceId::from_index(4));
    for assignor in [Assignor::Range, Assignor::RoundRobin] {
        let given = assignor.assign(&topics, &members);
        assert_eq!(given[&MemberId::from_index(2)].len(), 1, "{assignor:?}");
    }
}

#[test]
fn of_two_claims_the_later_generation_counts_and_of_equals_neither() {
    let earlier = ["0/0-0 0-1/1", "0/0-0/2"];
    check(Assignor::Sticky, &[2], &earlier, &["0-1", "0-0"]);
    // Nobody keeps it, and it is dealt out like any other.
    let equal = ["0/0-0/2", "0/0-0/2"];
    check(Assignor::Sticky, &[2], &equal, &["0-0", "0-1"]);
    // In a cooperative group, a partition that two claim is given to nobody in the first round.
    check(Assignor::CooperativeSticky, &[2], &equal, &["", "0-1"]);
}

#[test]
fn sticky_moves_no_more_than_it_has_to() {
    let joined = ["0/0-0 0-1 0-2/1", "0/0-3 0-4 0-5/1", "0//1"];
    check(Assignor::Sticky, &[6], &joined, &["0-0 0-1", "0-3 0-4", "0-2 0-5"]);
    check(Assignor::CooperativeSticky, &[6], &joined, &["0-0 0-1", "0-3 0-4", ""]);
    // The second round, in which they are free.
    let round = ["0/0-0 0-1/2", "0/0-3 0-4/2", "0//2"];
    check(Assignor::CooperativeSticky, &[6], &round, &["0-0 0-1", "0-3 0-4", "0-2 0-5"]);
}

#[test]
fn sticky_lets_go_of_what_is_no_longer_wanted() {
    let changed = ["0/0-0 1-0/1", "01/0-1 1-1/1"];
    check(Assignor::Sticky, &[2, 2], &changed, &["0-0 0-1", "1-0 1-1"]);
    // A topic that is gone.
    check(Assignor::Sticky, &[2], &["0/0-0 7-0/1", "0/0-1/1"], &["0-0", "0-1"]);
}

#[test]
fn uniform_fills_members_up_in_order() {
    check(Assignor::Uniform, &[3, 2], &["01", "01"], &["0-0 0-1 0-2", "1-0 1-1"]);
    let left = ["0/0-0 0-1/1", "0/0-4/1"];
    check(Assignor::Uniform, &[5], &left, &["0-0 0-1 0-2", "0-3 0-4"]);
    let joined = ["0/0-0 0-1 0-2/1", "0/0-3 0-4 0-5/1", "0//1"];
    check(Assignor::Uniform, &[6], &joined, &["0-0 0-1", "0-3 0-4", "0-2 0-5"]);
}

#[test]
fn uniform_evens_out_unequal_subscriptions() {
    check(Assignor::Uniform, &[4, 2], &["0", "01"], &["0-0 0-1 0-2", "0-3 1-0 1-1"]);
    // The last of a topic go to the least loaded, who come first among equals, too.
    let joined = ["0/0-0 0-1 0-2 0-3/1", "01/1-0/1", "0//1"];
    check(Assignor::Uniform, &[4, 1], &joined, &["0-0 0-1", "1-0", "0-2 0-3"]);
}

#[test]
fn java_walks_its_hash_map_by_bucket() {
    // The hash codes of one letter are its own, those of "Aa" and "BB" are equal.
    let rows: [(&[&str], &[usize]); 3] = [
        (&["b", "a", "q"], &[1, 2, 0]),
        (&["BB", "Aa"], &[0, 1]),
        // Thirteen names need 32 buckets: "p" is 16 behind "`" and no longer beside it.
        (
            &["p", "`", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"],
            &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0],
        ),
    ];
    for (names, order) in rows {
        assert_eq!(hash_order(names), order, "{names:?}");
    }
}
