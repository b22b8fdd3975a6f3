//! Idempotency keys: a client names its intent, and a service does it once, however often it is
//! asked.
//!
//! ```text
//!                    ┌────────── crash or timeout of the lock ─────────┐
//!                    ▼                                                 │
//!  ask ──▶ new ──▶ locked at a recovery point ──▶ next point ──▶ … ────┤
//!                    │                                                 │
//!                    └──────────────▶ finished: the reply is stored ◀──┘
//! ```
//!
//! Brandur Leach, "Implementing Stripe-like Idempotency Keys in Postgres", 2017
//! (<https://brandur.org/idempotency-keys>): recovery points between foreign calls, a lock that
//! lapses after 90 s, keys that are kept for 72 h. The answers to a key in use and to a key with
//! another request are those of the IETF draft "The Idempotency-Key HTTP Header Field", §2.7.

use sim::short::OrderedMap;
use sim::{SimDuration, SimTime};

/// The settings of a key store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// After so much time without a word, another request may take the work over.
    pub lock_timeout: SimDuration,
    /// For so long a key and its reply are kept.
    pub retention: SimDuration,
}

/// How far the work behind a key has come: 0 at the start, then one more after each step that
/// cannot be undone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecoveryPoint(pub u8);

/// What a request with a key is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// The key is new: do the work.
    Begin,
    /// Someone began and has gone silent: go on from this point.
    Resume(RecoveryPoint),
    /// The work is done: give this reply again.
    Replay(Reply),
    /// Another request with this key is at it (409): try again later.
    InProgress,
    /// The key was used for another request (422): never try that again.
    Mismatch,
}

/// A stored reply, numbered by the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reply(pub u32);

/// The keys that a service knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IdempotencyKeys {
    settings: Settings,
    /// Those of later work mostly come last, as their callers number it.
    keys: OrderedMap<u64, Entry>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Entry {
    request: u64,
    created: SimTime,
    progress: Progress,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Progress {
    Locked { since: SimTime, point: RecoveryPoint },
    Free { point: RecoveryPoint },
    Finished(Reply),
}

impl Default for Settings {
    /// 90 s and 72 h.
    fn default() -> Self {
        Self {
            lock_timeout: SimDuration::from_secs(90),
            retention: SimDuration::from_secs(72 * 60 * 60),
        }
    }
}

impl IdempotencyKeys {
    /// No keys.
    #[must_use]
    pub const fn new(settings: Settings) -> Self {
        Self { settings, keys: OrderedMap::new() }
    }

    /// A request comes in with a key. `request` stands for what it asks for: a hash of it.
    pub fn ask(&mut self, now: SimTime, key: u64, request: u64) -> Turn {
        self.reap(now);
        let lock_timeout = self.settings.lock_timeout;
        let locked = |point| Progress::Locked { since: now, point };
        let Some(entry) = self.keys.get_mut(&key) else {
            let progress = locked(RecoveryPoint::default());
            self.keys.insert(key, Entry { request, created: now, progress });
            return Turn::Begin;
        };
        if entry.request != request {
            return Turn::Mismatch;
        }
        match entry.progress {
            Progress::Finished(reply) => Turn::Replay(reply),
            Progress::Locked { since, .. } if now.saturating_since(since) < lock_timeout => {
                Turn::InProgress
            }
            Progress::Locked { point, .. } | Progress::Free { point } => {
                entry.progress = locked(point);
                Turn::Resume(point)
            }
        }
    }

    /// A step is done that cannot be undone; the lock counts from now on anew.
    pub fn reach(&mut self, now: SimTime, key: u64, point: RecoveryPoint) {
        if let Some(entry) = self.keys.get_mut(&key)
            && !matches!(entry.progress, Progress::Finished(_))
        {
            entry.progress = Progress::Locked { since: now, point };
        }
    }

    /// The work is done, and this is the reply to all who ask.
    pub fn finish(&mut self, key: u64, reply: Reply) {
        if let Some(entry) = self.keys.get_mut(&key) {
            entry.progress = Progress::Finished(reply);
        }
    }

    /// The work has failed for now: the next request may go on at once.
    pub fn release(&mut self, key: u64) {
        if let Some(entry) = self.keys.get_mut(&key)
            && let Progress::Locked { point, .. } = entry.progress
        {
            entry.progress = Progress::Free { point };
        }
    }

    /// Drops keys that are older than the retention. Whoever asks with one then does the work again.
    pub fn reap(&mut self, now: SimTime) {
        let retention = self.settings.retention;
        self.keys.retain(|_, entry| now.saturating_since(entry.created) <= retention);
    }

    /// How many keys are known.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether none is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}
