//! When an event is recorded as handled, and what a crash then leaves.
//!
//! A message is delivered, handled, recorded and acked; a crash leaves it unacked, and it is
//! delivered once more, to a worker that does not crash. The table counts effects in the end.

/// When the record is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Marking {
    /// Not at all.
    Never,
    /// In the transaction of the effect: effectively once, for effects in that database.
    SameTransaction,
    /// Committed before the effect: at most once.
    Before,
    /// Committed after the effect: at least once.
    After,
}

/// Where the first delivery's worker crashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Crash {
    /// Nowhere, and the ack gets through.
    None,
    /// Before it has done anything.
    AtStart,
    /// Between the first of record and effect and the second, where those are apart. In one
    /// transaction there is no such place: it rolls back.
    Between,
    /// After both, before the ack.
    BeforeAck,
    /// Not the worker: the effect fails once and says so, after the record if that comes first.
    EffectFails,
}

/// How often the effect took place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effects {
    /// Never: the work is lost.
    Lost,
    /// Once.
    Once,
    /// Twice.
    Twice,
}

impl Marking {
    /// How often the effect takes place.
    #[must_use]
    pub const fn effects(self, crash: Crash) -> Effects {
        match (self, crash) {
            // The record says that it is done, and it is not.
            (Self::Before, Crash::Between | Crash::EffectFails) => Effects::Lost,
            // It is done, and no record says so.
            (Self::Never, Crash::Between | Crash::BeforeAck) | (Self::After, Crash::Between) => {
                Effects::Twice
            }
            _ => Effects::Once,
        }
    }
}
