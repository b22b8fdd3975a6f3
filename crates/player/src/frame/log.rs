//! A log at one moment: partitions as lanes, and how far each group has read in them.

use broker::MessageId;
use broker::log::{Offset, PartitionId};
use sim::SimTime;
use world::{GroupId, WorkerId};

/// How many of a partition's latest records a frame carries.
pub const LATEST: usize = 12;

/// A log at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct LogFrame {
    /// Its partitions, in order.
    pub lanes: Vec<LaneFrame>,
    /// The groups that read it, in the scenario's order.
    pub groups: Vec<GroupFrame>,
    /// Records appended so far.
    pub appended_total: u32,
    /// Records deleted by retention.
    pub expired_total: u32,
    /// Records removed because a later one has their key.
    pub compacted_total: u32,
    /// Records that a leader had and its successor has not.
    pub cut_total: u32,
}

/// A partition at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneFrame {
    /// The first offset that was not deleted.
    pub start: Offset,
    /// The next offset to be written.
    pub end: Offset,
    /// The offset up to which every transaction is decided.
    pub last_stable: Offset,
    /// The latest records, oldest first; at most [`LATEST`].
    pub records: Vec<(Offset, MessageId)>,
    /// Its size, in bytes.
    pub bytes: u64,
}

/// A group at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupFrame {
    /// Which.
    pub group: GroupId,
    /// What it is at.
    pub state: GroupStanding,
    /// How often it has been divided.
    pub generation: u32,
    /// How many members it knows of.
    pub members: u32,
    /// How far it is in each partition, in order.
    pub lanes: Vec<ReadingFrame>,
    /// Records handed out again after an earlier read.
    pub read_again: u32,
    /// Records whose work nobody in it will do.
    pub lost: u32,
}

/// What a group is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupStanding {
    /// Nobody is in it.
    Empty,
    /// It is being divided anew.
    Rebalancing,
    /// Everybody has a share.
    Steady,
}

/// How far a group is in a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadingFrame {
    /// The next offset to be read by whoever takes over, if anything was committed.
    pub committed: Option<Offset>,
    /// The worker that reads it now.
    pub owner: Option<WorkerId>,
    /// Where that reads next.
    pub position: Option<Offset>,
    /// How many offsets lie between what is committed and what can be read.
    pub lag: u64,
    /// When the oldest record of those was made.
    pub oldest_since: Option<SimTime>,
}

/// A partition that a worker reads, and where it reads next.
pub type Share = (PartitionId, Offset);
