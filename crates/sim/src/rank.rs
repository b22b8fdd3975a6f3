//! What comes first when several things happen at the same instant.

/// The rank of an event among those of the same instant, first to last.
///
/// What was finished counts before a timer that runs out at that very moment (an ack sent in time
/// wins over the visibility timeout), a lapsed message is on offer before an arrival is looked at,
/// and work is handed out only when all of that is settled. An intervention comes last: it meets
/// the world as the learner saw it. Events of the same rank follow in the order in which they were
/// scheduled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Rank {
    /// Something under way comes to its end: a step, a travel, an ack.
    Finish,
    /// A deadline runs out: a visibility timeout, a delay, retention, an outage.
    Timer,
    /// Something new arrives from outside.
    Arrival,
    /// Free hands look for work.
    Dispatch,
    /// Someone reaches into the run.
    Intervention,
}
