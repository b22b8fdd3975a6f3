//! Range: topic by topic, each member gets a run of neighbouring partitions, the first members one
//! more where they do not divide evenly.
//!
//! Because every topic starts with the same members, many topics of few partitions load those.

use super::order::sorted;
use super::{Assignment, Subscription, Topics, empty, partitions_of};

pub(super) fn assign(topics: &Topics, members: &[Subscription]) -> Assignment {
    let mut assignment = empty(members);
    let sorted = sorted(members);
    for (topic, count) in topics {
        let readers = || sorted.iter().filter(|member| member.topics.contains(topic));
        let Some(share) = count.checked_div(readers().count() as u32) else { continue };
        let extras = count % readers().count() as u32;
        let mut partitions = partitions_of(topics, *topic);
        for (place, reader) in (0..).zip(readers()) {
            let run = share + u32::from(place < extras);
            let given = partitions.by_ref().take(run as usize);
            assignment.entry(reader.member).or_default().extend(given);
        }
    }
    assignment
}
