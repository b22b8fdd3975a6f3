//! A lease server: it grants a lease to one at a time, for a time, each grant with a higher fencing
//! token.
//!
//! etcd's revision and ZooKeeper's `zxid` are such tokens; an expiring row in a database with a
//! counter is one as well.

use sim::{SimDuration, SimTime};

/// A number that rises with every grant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FencingToken(u64);

/// A grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lease {
    /// Who has it.
    pub holder: u32,
    /// Its token.
    pub token: FencingToken,
    /// When it lapses unless it is renewed.
    pub until: SimTime,
}

/// Why a lease was not granted or renewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LeaseError {
    /// Another has it.
    Held(Lease),
    /// The one that asks no longer has it: stop, and ask for a new one.
    Lost,
}

/// Grants one lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LeaseServer {
    length: SimDuration,
    current: Option<Lease>,
    last_token: FencingToken,
}

impl FencingToken {
    /// The token with this number.
    #[must_use]
    pub const fn from_number(number: u64) -> Self {
        Self(number)
    }

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl LeaseServer {
    /// A server whose leases last so long, and whose first token is 1.
    #[must_use]
    pub const fn new(length: SimDuration) -> Self {
        Self { length, current: None, last_token: FencingToken(0) }
    }

    /// The same, going on from a token.
    #[must_use]
    pub const fn after(mut self, token: FencingToken) -> Self {
        self.last_token = token;
        self
    }

    /// Asks for the lease. Its holder gets the same one, prolonged. A lease is over at the very end
    /// of its time.
    ///
    /// # Errors
    /// If another has it.
    pub fn acquire(&mut self, now: SimTime, holder: u32) -> Result<Lease, LeaseError> {
        let until = now + self.length;
        let token = match self.holder(now) {
            Some(lease) if lease.holder != holder => return Err(LeaseError::Held(lease)),
            Some(lease) => lease.token,
            None => {
                self.last_token = FencingToken(self.last_token.0 + 1);
                self.last_token
            }
        };
        let lease = Lease { holder, token, until };
        self.current = Some(lease);
        Ok(lease)
    }

    /// Prolongs a lease that is still held.
    ///
    /// # Errors
    /// If it has lapsed, even if nobody else took it: someone may have, in between.
    pub fn renew(&mut self, now: SimTime, token: FencingToken) -> Result<Lease, LeaseError> {
        let Some(lease) = self.holder(now).filter(|lease| lease.token == token) else {
            return Err(LeaseError::Lost);
        };
        let renewed = Lease { until: now + self.length, ..lease };
        self.current = Some(renewed);
        Ok(renewed)
    }

    /// Gives a lease back before its end. Tells whether it was still held.
    pub fn release(&mut self, now: SimTime, token: FencingToken) -> bool {
        let held = self.holder(now).is_some_and(|lease| lease.token == token);
        if held {
            self.current = None;
        }
        held
    }

    /// Who has it.
    #[must_use]
    pub fn holder(&self, now: SimTime) -> Option<Lease> {
        self.current.filter(|lease| lease.until > now)
    }

    /// When it lapses.
    #[must_use]
    pub fn next_deadline(&self) -> Option<SimTime> {
        self.current.map(|lease| lease.until)
    }
}
