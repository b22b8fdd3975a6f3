//! A participant of a saga: it acts and compensates, each at most once for a key, in whatever order
//! the commands come.
//!
//! A command can come twice, and the compensation of a step can come before the step itself, when
//! that was held up on its way. The participant then writes a *tombstone*, so that the late step
//! finds itself refused; without one it takes effect after all, and nobody makes up for it.

use std::collections::BTreeMap;

/// Whether a compensation leaves a mark where there is nothing to make up for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tombstones {
    /// It does: a late action is refused.
    Written,
    /// It does not: a late action takes effect.
    None,
}

/// What a command came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Done {
    /// It took effect.
    Now,
    /// It had taken effect before: the same answer again.
    Before,
    /// A compensation with nothing to make up for: the action has not come.
    NothingToUndo,
    /// An action whose compensation has come first: it is not done.
    Refused,
}

/// What the participant knows of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    Acted,
    Compensated,
    Tombstone,
}

/// A participant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Participant {
    tombstones: Tombstones,
    states: BTreeMap<u64, State>,
    acts: u32,
    compensations: u32,
}

impl Participant {
    /// A participant that has done nothing.
    #[must_use]
    pub const fn new(tombstones: Tombstones) -> Self {
        Self { tombstones, states: BTreeMap::new(), acts: 0, compensations: 0 }
    }

    /// Does the work of a key.
    pub fn act(&mut self, key: u64) -> Done {
        match self.states.get(&key) {
            None => {
                self.states.insert(key, State::Acted);
                self.acts += 1;
                Done::Now
            }
            Some(State::Acted) => Done::Before,
            Some(State::Compensated | State::Tombstone) => Done::Refused,
        }
    }

    /// Makes up for the work of a key.
    pub fn compensate(&mut self, key: u64) -> Done {
        match self.states.get(&key) {
            Some(State::Acted) => {
                self.states.insert(key, State::Compensated);
                self.compensations += 1;
                Done::Now
            }
            Some(State::Compensated | State::Tombstone) => Done::Before,
            None => {
                if self.tombstones == Tombstones::Written {
                    self.states.insert(key, State::Tombstone);
                }
                Done::NothingToUndo
            }
        }
    }

    /// How often work took effect.
    #[must_use]
    pub const fn acts(&self) -> u32 {
        self.acts
    }

    /// How often it was made up for.
    #[must_use]
    pub const fn compensations(&self) -> u32 {
        self.compensations
    }

    /// How many keys have taken effect and were not made up for.
    #[must_use]
    pub fn standing(&self) -> usize {
        self.states.values().filter(|state| **state == State::Acted).count()
    }
}
