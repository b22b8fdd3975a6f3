//! What a group's coordinator refuses.

use std::fmt;

use crate::log::{Generation, MemberEpoch, MemberId};

/// Why a member was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupError {
    /// The group does not know it, or took it for dead (`UNKNOWN_MEMBER_ID`).
    UnknownMember {
        /// The member.
        member: MemberId,
    },
    /// It speaks of a generation that is over (`ILLEGAL_GENERATION`).
    IllegalGeneration {
        /// The generation that counts.
        current: Generation,
        /// The one it spoke of.
        given: Generation,
    },
    /// It speaks of an epoch that is not its own (`FENCED_MEMBER_EPOCH`, `STALE_MEMBER_EPOCH`).
    FencedEpoch {
        /// Its epoch.
        current: MemberEpoch,
        /// The one it spoke of.
        given: MemberEpoch,
    },
    /// It speaks the protocol of another kind of group.
    WrongProtocol,
}

impl fmt::Display for GroupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownMember { member } => {
                write!(f, "member {member} is not in the group: join again")
            }
            Self::IllegalGeneration { current, given } => {
                write!(f, "generation {given} is over, it is {current}: join again")
            }
            Self::FencedEpoch { current, given } => {
                write!(f, "the member's epoch is {current}, not {given}: join again")
            }
            Self::WrongProtocol => {
                write!(f, "the group follows another protocol: join with that one")
            }
        }
    }
}

impl std::error::Error for GroupError {}
