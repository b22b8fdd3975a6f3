//! What a poll brings: records, and changes to what the consumer owns.

use crate::log::group::{GroupError, Tenure};
use crate::log::{Fetched, Offset, TopicPartition};

/// What a poll brings. Reused from poll to poll.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Polled {
    /// Records to work on, each partition's in order.
    pub records: Vec<(TopicPartition, Fetched)>,
    /// What happened before they were read, in order.
    pub changes: Vec<Change>,
    /// Room for one partition's records.
    pub(super) fetched: Vec<Fetched>,
}

/// Where a consumer stands with its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// It has not joined yet.
    Outside,
    /// It has joined and waits for a rebalance. If it may work meanwhile, it still can commit as
    /// what it was.
    Waiting {
        /// What it was, if that still counts.
        tenure: Option<Tenure>,
    },
    /// It has a share.
    Member(Tenure),
    /// It did not poll for too long and left. It will find out at its next poll.
    PollTimedOut,
}

/// Something that happened to what a consumer owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// It has joined, or joined again.
    Joined,
    /// A partition is new.
    Assigned {
        /// Which.
        partition: TopicPartition,
        /// Where it starts.
        from: Offset,
        /// Why there.
        origin: Origin,
    },
    /// A partition stays through a rebalance, and the work on it goes on.
    Kept {
        /// Which.
        partition: TopicPartition,
    },
    /// A partition goes.
    Revoked(Handover),
    /// Offsets were committed, without the caller's asking.
    Committed,
    /// They were not.
    CommitRefused(GroupError),
    /// The position was out of range.
    Reset {
        /// Where.
        partition: TopicPartition,
        /// Where it was to read.
        from: Offset,
        /// Where it reads now.
        to: Offset,
    },
    /// There is no offset to start at, and no policy to choose one.
    NoOffset {
        /// Where.
        partition: TopicPartition,
    },
}

/// Why a partition is read from where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The group had committed that.
    Committed,
    /// The reset policy.
    Reset,
}

/// Why a partition goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// Everybody gives up everything.
    Eager,
    /// It is to be another's.
    Moved,
    /// The group has gone on without this consumer. It cannot commit any more, and perhaps another
    /// is at work on it already.
    Lost,
}

/// What becomes of the work on a partition that goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handover {
    /// Which.
    pub partition: TopicPartition,
    /// Why it goes.
    pub cause: Cause,
    /// How many records were returned and are not finished. Whoever still works on them does so
    /// beside the next owner.
    pub unfinished: u64,
    /// How many offsets were read and will be read again by the next owner.
    pub again: u64,
    /// How many records are not finished although the next owner starts behind them: if this
    /// consumer drops them, nobody does them.
    pub skipped: u64,
    /// Where the next owner starts: at what is committed, or where the reset policy says now; `None`
    /// if that is an error.
    pub resumes_at: Option<Offset>,
}

/// Whether finished work still counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Finished {
    /// The partition is still this consumer's.
    Ours,
    /// It went elsewhere, or is back anew: the record is done again.
    NotOurs,
}
