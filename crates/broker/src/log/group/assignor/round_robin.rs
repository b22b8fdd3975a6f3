//! Round-robin: all partitions of all topics in one row, dealt out in turn, past those who have not
//! subscribed to the topic.

use super::order::sorted;
use super::{Assignment, Subscription, Topics, empty, partitions_of};

pub(super) fn assign(topics: &Topics, members: &[Subscription]) -> Assignment {
    let mut assignment = empty(members);
    let sorted = sorted(members);
    let mut turn = 0;
    for topic in topics.keys() {
        if !sorted.iter().any(|member| member.topics.contains(topic)) {
            continue;
        }
        for partition in partitions_of(topics, *topic) {
            while !sorted[turn % sorted.len()].topics.contains(topic) {
                turn += 1;
            }
            let member = sorted[turn % sorted.len()].member;
            assignment.entry(member).or_default().push(partition);
            turn += 1;
        }
    }
    assignment
}
