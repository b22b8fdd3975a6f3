//! Claim, then work: a lock in a key-value store with a time to live, the work, and a record that
//! it is done.
//!
//! It is what remains where the effect and the record cannot be in one transaction, and it only
//! narrows the gap: a crash after the work and before the record does the work twice. Three of its
//! settings are often wrong: what a second delivery does while the lock is held, whose lock a
//! worker removes at its end, and whether the lock outlives the work.
//! <https://redis.io/docs/latest/develop/clients/patterns/distributed-locks/>, "Correct
//! Implementation with a Single Instance".

use sim::{SimDuration, SimTime};

use crate::redis::{Expiry, Keyspace, Present, SetRequest};

/// What a second delivery does while another holds the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WhenLocked {
    /// It acks. If the holder has crashed, the work is never done.
    Ack,
    /// It hands the message back, to be tried when the lock has lapsed.
    Nack,
}

/// Whose lock a worker removes when it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Release {
    /// Whoever's it is.
    Unchecked,
    /// Its own, by its token.
    CompareToken,
}

/// The settings of claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// How long a lock lasts. `None`: until it is removed; a crash then loses the work for good.
    pub lock: Option<SimDuration>,
    /// How long it is remembered that work is done.
    pub done: SimDuration,
    /// What a second delivery does.
    pub when_locked: WhenLocked,
    /// Whose lock is removed.
    pub release: Release,
}

/// What a worker is told that wants to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Claim {
    /// Work, with this token.
    Granted(Token),
    /// It is done: ack.
    Done,
    /// Another is at it: do this with the message.
    Locked(WhenLocked),
}

/// What tells one claim from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token(u32);

/// Claims on work, by the number of the work.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClaimDesk {
    settings: Settings,
    /// Two keys for each work: its lock, whose value is a token, and the record that it is done.
    keys: Keyspace,
    tokens: u32,
}

impl ClaimDesk {
    /// Nothing claimed, nothing done.
    #[must_use]
    pub const fn new(settings: Settings) -> Self {
        Self { settings, keys: Keyspace::new(), tokens: 0 }
    }

    /// A worker wants to begin.
    pub fn claim(&mut self, now: SimTime, work: u32) -> Claim {
        if self.keys.get(now, done(work)).is_some() {
            return Claim::Done;
        }
        self.tokens += 1;
        let token = self.tokens;
        let expiry = self.settings.lock.map_or(Expiry::Never, Expiry::After);
        let request = SetRequest { expiry, only: Some(Present::No) };
        match self.keys.set(now, lock(work), token, request) {
            Ok(()) => Claim::Granted(Token(token)),
            Err(_) => Claim::Locked(self.settings.when_locked),
        }
    }

    /// A worker that is still at it prolongs its lock. Tells whether it still had it.
    pub fn extend(&mut self, now: SimTime, work: u32, token: Token) -> bool {
        let Some(length) = self.settings.lock else { return true };
        self.keys.compare_and_expire(now, lock(work), token.0, length)
    }

    /// A worker is done: the record is made and the lock removed.
    pub fn finish(&mut self, now: SimTime, work: u32, token: Token) {
        let request = SetRequest { expiry: Expiry::After(self.settings.done), only: None };
        let _ = self.keys.set(now, done(work), token.0, request);
        self.release(now, work, token);
    }

    /// A worker has failed: the lock is removed, and nothing is recorded.
    pub fn release(&mut self, now: SimTime, work: u32, token: Token) {
        match self.settings.release {
            Release::Unchecked => self.keys.delete(now, lock(work)),
            Release::CompareToken => self.keys.compare_and_delete(now, lock(work), token.0),
        };
    }

    /// Until when a lock is held.
    pub fn locked_until(&mut self, now: SimTime, work: u32) -> Option<SimTime> {
        self.keys.time_to_live(now, lock(work)).flatten().map(|left| now + left)
    }
}

const fn lock(work: u32) -> u32 {
    work * 2
}

const fn done(work: u32) -> u32 {
    work * 2 + 1
}
