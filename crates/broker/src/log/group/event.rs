//! What happens to a group as a whole.

use sim::SimDuration;

use crate::log::{Generation, MemberEpoch, MemberId};

/// Something that happened to a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupEvent {
    /// Members are called to join anew.
    RebalanceStarted(Reason),
    /// A classic group has divided its partitions.
    Rebalanced {
        /// Its generation now.
        generation: Generation,
        /// How many members it has.
        members: u32,
        /// How long that took since it started.
        took: SimDuration,
    },
    /// The broker has a new division in mind; members will follow one by one.
    Retargeted {
        /// The epoch that they will come to.
        epoch: MemberEpoch,
        /// Why.
        reason: Reason,
    },
    /// A member was taken out of the group.
    Expelled {
        /// Which.
        member: MemberId,
        /// Why.
        cause: Expulsion,
    },
    /// The last member has left.
    Emptied,
    /// The offsets of a group that was empty for long were deleted.
    OffsetsExpired,
}

/// Why a group is divided anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A member joined.
    Joined(MemberId),
    /// A member has given something up that another is to have.
    Rejoined(MemberId),
    /// A member left.
    Left(MemberId),
    /// A member was expelled.
    Expelled(MemberId),
    /// A topic has more partitions.
    PartitionsAdded,
}

/// Why a member was taken out of its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expulsion {
    /// No heartbeat for the session timeout.
    SessionTimedOut,
    /// A rebalance would not wait for it any longer.
    RebalanceTimedOut,
    /// It did not poll for the max poll interval.
    PollTimedOut,
}
