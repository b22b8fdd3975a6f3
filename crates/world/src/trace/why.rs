//! Why things happened, and what they were: the small words of the trace.

/// What a statement did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Did {
    /// INSERT.
    Insert,
    /// UPDATE.
    Update,
    /// DELETE.
    Delete,
    /// SELECT.
    Read,
}

/// How far a transaction reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// It is that of a single statement, and over with it.
    Statement,
    /// It was begun by a line, and ends by one.
    Begun,
}

/// Why an ack or a visibility change was turned down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// The receipt has been superseded by a later receive.
    StaleReceipt,
    /// The message is no longer in the queue.
    NoSuchMessage,
    /// The channel of the delivery is closed.
    ChannelClosed,
    /// The change would take the hidden time past twelve hours since the receive.
    TooLong,
}

/// Why a message left its queue without an ack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Death {
    /// It was received too often.
    Receives,
    /// A consumer rejected it.
    Rejected,
    /// Its time to live ran out.
    Expired,
    /// The queue was at its limit.
    MaxLength,
    /// It came back more often than the delivery limit allows.
    DeliveryLimit,
    /// It would have gone round without end.
    Cycle,
    /// Nobody was there to take it.
    Unattended,
}

/// Why a group is divided anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A member joined.
    Joined,
    /// A member has given something up that another is to have.
    Rejoined,
    /// A member left.
    Left,
    /// A member was taken out.
    Expired,
    /// The log has more partitions.
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

impl From<broker::log::group::Expulsion> for Expulsion {
    fn from(why: broker::log::group::Expulsion) -> Self {
        use broker::log::group::Expulsion as Why;
        match why {
            Why::SessionTimedOut => Self::SessionTimedOut,
            Why::RebalanceTimedOut => Self::RebalanceTimedOut,
            Why::PollTimedOut => Self::PollTimedOut,
        }
    }
}

/// Why a partition goes from its reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// Everybody gives up everything.
    Eager,
    /// It is to be another's.
    Moved,
    /// The group has gone on without this member, and perhaps another is at work on it already.
    Lost,
}

impl From<broker::log::consumer::Cause> for Cause {
    fn from(cause: broker::log::consumer::Cause) -> Self {
        use broker::log::consumer::Cause as Why;
        match cause {
            Why::Eager => Self::Eager,
            Why::Moved => Self::Moved,
            Why::Lost => Self::Lost,
        }
    }
}
