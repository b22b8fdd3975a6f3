//! The order of members in range and round-robin: static ones first, by their own name.

use std::cmp::Ordering;

use super::Subscription;

/// Members in the order of `AbstractPartitionAssignor.MemberInfo`.
pub(super) fn sorted(members: &[Subscription]) -> Vec<&Subscription> {
    let mut members: Vec<&Subscription> = members.iter().collect();
    members.sort_by(|one, other| match (one.instance, other.instance) {
        (Some(one), Some(other)) => one.cmp(&other),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => one.member.cmp(&other.member),
    });
    members
}
