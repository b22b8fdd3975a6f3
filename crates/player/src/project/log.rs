//! From a log's state to its frame.

use broker::log::group::Membership;
use broker::log::{Entry, Isolation, Offset, Partition, PartitionId};
use world::{Coordination, GroupState, LogState, Part, WorkerId, World};

use crate::frame::{GroupFrame, GroupStanding, LATEST, LaneFrame, LogFrame, ReadingFrame, Share};

pub(super) fn log(state: &LogState) -> LogFrame {
    let partitions = state.topic().partitions();
    LogFrame {
        lanes: partitions.iter().map(lane).collect(),
        groups: state.groups.iter().map(|one| group(one, partitions)).collect(),
        appended_total: state.appended,
        expired_total: state.expired,
        compacted_total: state.compacted,
        cut_total: state.cut,
    }
}

fn lane(partition: &Partition) -> LaneFrame {
    let (start, end) = (partition.start(), partition.end());
    let mut records = Vec::new();
    // Offsets may lie apart in a cleaned log; it is looked at from a little before the end.
    let from = Offset::new(end.value().saturating_sub(2 * LATEST as u64)).max(start);
    records.extend(partition.entries(from).filter_map(|stored| match stored.entry {
        Entry::Record(record) => Some((stored.offset, record.message)),
        Entry::Marker(_) => None,
    }));
    records.drain(..records.len().saturating_sub(LATEST));
    let (last_stable, bytes) = (partition.last_stable(), partition.bytes());
    LaneFrame { start, end, last_stable, records, bytes }
}

fn group(state: &GroupState, partitions: &[Partition]) -> GroupFrame {
    let (standing, generation, members) = match &state.coordination {
        Coordination::Consumers(coordinator) => {
            let members = coordinator.members().len() as u32;
            let (settled, generation) = match coordinator.membership() {
                Membership::Classic(classic) => {
                    let phase = classic.phase();
                    let settled = phase == broker::log::group::Phase::Stable;
                    (settled, classic.generation().index() as u32)
                }
                Membership::Incremental(epochs) => {
                    (epochs.is_settled(), epochs.epoch().index() as u32)
                }
            };
            let standing = match (members, settled) {
                (0, _) => GroupStanding::Empty,
                (_, true) => GroupStanding::Steady,
                (_, false) => GroupStanding::Rebalancing,
            };
            (standing, generation, members)
        }
        Coordination::Share(_) => (GroupStanding::Steady, 0, state.members.len() as u32),
    };
    let lanes = (0..).map(PartitionId::from_index).zip(partitions);
    GroupFrame {
        group: state.id,
        state: standing,
        generation,
        members,
        lanes: lanes.map(|(id, lane)| reading(state, id, lane)).collect(),
        read_again: state.read_again,
        lost: state.lost,
    }
}

fn reading(state: &GroupState, id: PartitionId, lane: &Partition) -> ReadingFrame {
    let committed = state.committed(id);
    let owner = state.owner(id);
    // Before its first commit, a group is where it first started: what its reader has in hand is not
    // behind it yet.
    let position = owner.map(|(_, position)| position);
    let stands = committed.or(state.first(id)).or(position).unwrap_or(lane.start());
    let unread = lane.entries(stands.max(lane.start())).find_map(|stored| match stored.entry {
        Entry::Record(record) => Some(record.timestamp),
        Entry::Marker(_) => None,
    });
    ReadingFrame {
        committed,
        owner: owner.map(|(worker, _)| worker),
        position,
        lag: lane.lag(stands, Isolation::ReadUncommitted),
        oldest_since: unread,
    }
}

/// The partitions that a worker believes to read.
pub(super) fn partitions(world: &World, worker: WorkerId) -> Vec<Share> {
    world.member(worker).map(|member| member.owned().collect()).unwrap_or_default()
}

/// Whether a worker's commit of what it has in hand would be taken.
pub(super) fn honours(part: &Part, worker: WorkerId) -> bool {
    match part {
        Part::Log(state) => state.groups.iter().any(|group| group.honours(worker)),
        _ => false,
    }
}
