//! The dual write: a change in a database and its event in a broker, with no transaction around
//! both.
//!
//! Whichever comes first, a crash in between leaves one without the other; and the second order has
//! a failure of its own, when the database refuses what was already told. This is a table, for
//! scenarios and tests to be held against.

/// The order of the two writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WriteOrder {
    /// The change is committed, then the event is published.
    SaveThenPublish,
    /// The event is published, then the change is committed.
    PublishThenSave,
    /// The event is a row of the same transaction, and a relay publishes it.
    Outbox,
}

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mishap {
    /// Nothing.
    None,
    /// A crash before the first of the two writes.
    CrashBeforeBoth,
    /// A crash between the two writes. With an outbox there is no between: the transaction has not
    /// committed.
    CrashBetween,
    /// A crash after the last of them.
    CrashAfterBoth,
    /// The broker refuses, and the caller gives up.
    PublishFails,
    /// The database refuses: a conflict, a constraint, a rollback.
    SaveFails,
}

/// What is there in the end, with relays run and nobody trying again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Aftermath {
    /// How many changes are committed.
    pub changes: u32,
    /// How many events are published.
    pub events: u32,
}

/// How the two fit together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coherence {
    /// A change and its event, or neither.
    Coherent,
    /// A change that nobody is told of.
    LostEvent,
    /// An event of a change that never was.
    PhantomEvent,
}

impl WriteOrder {
    /// What a mishap leaves behind.
    #[must_use]
    pub const fn aftermath(self, mishap: Mishap) -> Aftermath {
        let (changes, events) = match (self, mishap) {
            (Self::SaveThenPublish, Mishap::CrashBetween | Mishap::PublishFails) => (1, 0),
            (Self::PublishThenSave, Mishap::CrashBetween | Mishap::SaveFails) => (0, 1),
            // With an outbox the relay tries again.
            (_, Mishap::None | Mishap::CrashAfterBoth) | (Self::Outbox, Mishap::PublishFails) => {
                (1, 1)
            }
            _ => (0, 0),
        };
        Aftermath { changes, events }
    }
}

impl Aftermath {
    /// How the two fit together.
    #[must_use]
    pub const fn coherence(self) -> Coherence {
        if self.changes > self.events {
            Coherence::LostEvent
        } else if self.events > self.changes {
            Coherence::PhantomEvent
        } else {
            Coherence::Coherent
        }
    }
}
