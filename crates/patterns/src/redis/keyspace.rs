//! Keys with a value and a time to live: the ground of locks.

use std::collections::BTreeMap;

use sim::{SimDuration, SimTime};

/// Keys with values, some of them for a time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Keyspace {
    keys: BTreeMap<u32, Entry>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Entry {
    value: u32,
    until: Option<SimTime>,
}

/// What a SET does to the time to live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expiry {
    /// The key stays: a plain SET takes the time to live off.
    Never,
    /// The key goes after so much time (`PX`).
    After(SimDuration),
    /// As it was (`KEEPTTL`).
    Keep,
}

/// Whether a key must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Present {
    /// It must (`XX`).
    Yes,
    /// It must not (`NX`).
    No,
}

/// The conditions of a SET.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetRequest {
    /// What becomes of the time to live.
    pub expiry: Expiry,
    /// Set only if the key is there, or is not.
    pub only: Option<Present>,
}

/// Why a SET wrote nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SetRefusal {
    /// The key is there, and must not be, or the other way round.
    Condition,
    /// A time to live of nothing.
    InvalidExpiry,
}

impl Keyspace {
    /// No keys.
    #[must_use]
    pub const fn new() -> Self {
        Self { keys: BTreeMap::new() }
    }

    /// SET. A refused one changes neither value nor time to live.
    ///
    /// # Errors
    /// Why nothing was written.
    pub fn set(
        &mut self,
        now: SimTime,
        key: u32,
        value: u32,
        request: SetRequest,
    ) -> Result<(), SetRefusal> {
        if request.expiry == Expiry::After(SimDuration::ZERO) {
            return Err(SetRefusal::InvalidExpiry);
        }
        let there = self.live(now, key);
        let condition = match request.only {
            None => true,
            Some(Present::Yes) => there.is_some(),
            Some(Present::No) => there.is_none(),
        };
        if !condition {
            return Err(SetRefusal::Condition);
        }
        let until = match request.expiry {
            Expiry::Never => None,
            Expiry::After(length) => Some(now + length),
            Expiry::Keep => there.and_then(|entry| entry.until),
        };
        self.keys.insert(key, Entry { value, until });
        Ok(())
    }

    /// GET.
    pub fn get(&mut self, now: SimTime, key: u32) -> Option<u32> {
        self.live(now, key).map(|entry| entry.value)
    }

    /// DEL. Tells whether the key was there.
    pub fn delete(&mut self, now: SimTime, key: u32) -> bool {
        let there = self.live(now, key).is_some();
        self.keys.remove(&key);
        there
    }

    /// Removes a key if it has this value, in one step. Tells whether it did.
    pub fn compare_and_delete(&mut self, now: SimTime, key: u32, value: u32) -> bool {
        self.get(now, key) == Some(value) && self.delete(now, key)
    }

    /// PEXPIRE. Tells whether the key was there. No time to live at all removes it at once.
    pub fn expire(&mut self, now: SimTime, key: u32, length: SimDuration) -> bool {
        let Some(entry) = self.live(now, key) else { return false };
        if length.is_zero() {
            self.keys.remove(&key);
        } else {
            self.keys.insert(key, Entry { until: Some(now + length), ..entry });
        }
        true
    }

    /// Prolongs a key if it has this value, in one step. Tells whether it did.
    pub fn compare_and_expire(
        &mut self,
        now: SimTime,
        key: u32,
        value: u32,
        length: SimDuration,
    ) -> bool {
        self.get(now, key) == Some(value) && self.expire(now, key, length)
    }

    /// PTTL: `None` without the key, `Some(None)` if the key stays.
    pub fn time_to_live(&mut self, now: SimTime, key: u32) -> Option<Option<SimDuration>> {
        let entry = self.live(now, key)?;
        Some(entry.until.map(|until| until - now))
    }

    /// When the next key goes by itself.
    #[must_use]
    pub fn next_deadline(&self) -> Option<SimTime> {
        self.keys.values().filter_map(|entry| entry.until).min()
    }

    /// A key that has not gone by itself; one that has is swept away. A key is gone at the very end
    /// of its time.
    fn live(&mut self, now: SimTime, key: u32) -> Option<Entry> {
        let entry = *self.keys.get(&key)?;
        if entry.until.is_some_and(|until| until <= now) {
            self.keys.remove(&key);
            return None;
        }
        Some(entry)
    }
}
