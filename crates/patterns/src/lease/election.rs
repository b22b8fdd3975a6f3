//! Leader election over a shared record: `kubernetes/client-go:tools/leaderelection/leaderelection.go`.
//!
//! The record names a holder and when it last renewed; a candidate does not believe that time, which
//! another clock has written, but counts from the moment at which *it* saw the record change. A
//! leader renews every `retry_period`, and stops when it has tried in vain for `renew_deadline`; a
//! candidate asks after `retry_period` and up to 1.2 times as much on top, by jitter, and takes over
//! when it has seen no change for `lease`. The deadline counts from the first try in vain, so a
//! leader that was paused goes on as one for that long after it wakes. The file says so itself: this
//! does not guarantee that only one client acts as the leader.
//!
//! ```text
//!               the record is free, or unchanged for a lease
//!   ┌───────────┐ ──────────────────────────────────────▶ ┌────────┐
//!   │ candidate │                                         │ leader │ ⟲ renews
//!   └───────────┘                                         └───┬────┘
//!                                     ┌─────────┐             │ tries in vain
//!                                     │ retired │ ◀───────────┘ for renew_deadline
//!                                     └─────────┘
//! ```

use std::fmt;

use sim::{SimDuration, SimTime, Stream};

/// The settings of an election.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// How long a candidate must see no change before it takes over.
    pub lease: SimDuration,
    /// How long a leader goes on trying to renew.
    pub renew_deadline: SimDuration,
    /// The time between two tries.
    pub retry_period: SimDuration,
}

/// Settings that do not fit together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SettingsError {
    /// The lease must be longer than the renew deadline: else another takes over while the leader
    /// still tries.
    LeaseTooShort,
    /// The renew deadline must be longer than 1.2 retry periods: else one late try ends a term.
    RenewDeadlineTooShort,
    /// A length of nothing.
    Zero,
}

/// The shared record. It lives in a store that takes an update only from who saw the last version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ElectionRecord {
    /// Who leads, if anyone does.
    pub holder: Option<u32>,
    /// How often the leader changed: usable as a fencing token.
    pub transitions: u32,
    /// Its version: rises with every update.
    pub version: u64,
}

/// What a client of an election is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// It would like to lead.
    Candidate,
    /// It believes that it leads.
    Leader,
    /// It led, and has stopped; the product ends its process then.
    Retired,
}

/// What a try came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tried {
    /// It leads now and did not before.
    Elected,
    /// It leads still.
    Renewed,
    /// It could not renew, goes on as the leader, and tries again.
    InVain,
    /// Another leads.
    Follows,
    /// It led and no longer does.
    StoppedLeading,
}

/// Whether the store can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Store {
    /// It answers.
    Reachable,
    /// It does not.
    Unreachable,
}

/// One client of an election. It has no clock: it is paused by not being called.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Elector {
    settings: Settings,
    identity: u32,
    role: Role,
    term: u32,
    observed: ElectionRecord,
    /// When it saw the record change last, by its own clock.
    observed_at: SimTime,
    /// When it first tried in vain since it last renewed.
    in_vain_since: Option<SimTime>,
    next_try: SimTime,
}

impl Settings {
    /// The defaults of Kubernetes' own components: 15 s, 10 s, 2 s.
    #[must_use]
    pub const fn kubernetes() -> Self {
        Self {
            lease: SimDuration::from_secs(15),
            renew_deadline: SimDuration::from_secs(10),
            retry_period: SimDuration::from_secs(2),
        }
    }

    /// Checks that the lengths fit together.
    ///
    /// # Errors
    /// The first two that do not.
    pub fn validate(&self) -> Result<(), SettingsError> {
        if self.lease <= self.renew_deadline {
            return Err(SettingsError::LeaseTooShort);
        }
        if self.renew_deadline <= self.retry_period.mul_percent(JITTERED_PERCENT) {
            return Err(SettingsError::RenewDeadlineTooShort);
        }
        if self.retry_period.is_zero() {
            return Err(SettingsError::Zero);
        }
        Ok(())
    }
}

/// A candidate waits up to so many hundredths of the retry period: `JitterFactor` 1.2 is added to
/// the period itself in the waits, and multiplied with it in the validation.
const JITTERED_PERCENT: u32 = 120;

impl Elector {
    /// A candidate that first tries at `start`.
    #[must_use]
    pub fn new(settings: Settings, identity: u32, start: SimTime) -> Self {
        Self {
            settings,
            identity,
            role: Role::Candidate,
            term: 0,
            observed: ElectionRecord::default(),
            observed_at: start,
            in_vain_since: None,
            next_try: start,
        }
    }

    /// What it believes to be.
    #[must_use]
    pub const fn role(&self) -> Role {
        self.role
    }

    /// Whether the record that it last saw names it: what a careful leader asks before it acts.
    #[must_use]
    pub fn is_named(&self) -> bool {
        self.observed.holder == Some(self.identity)
    }

    /// The number of its term, for a fence: rises with every change of leader.
    #[must_use]
    pub const fn term(&self) -> u32 {
        self.term
    }

    /// When to call [`Elector::try_now`] next; `None` when it has retired.
    #[must_use]
    pub fn next_deadline(&self) -> Option<SimTime> {
        match self.role {
            Role::Candidate => Some(self.next_try),
            Role::Leader => Some(self.next_try.min(self.gives_up_at().unwrap_or(SimTime::MAX))),
            Role::Retired => None,
        }
    }

    /// Tries to become the leader, or to stay it.
    pub fn try_now(
        &mut self,
        now: SimTime,
        record: &mut ElectionRecord,
        store: Store,
        stream: &mut Stream,
    ) -> Tried {
        let jitter = match self.role {
            // JitterUntil waits for the period and up to 1.2 times as much on top.
            Role::Candidate => {
                let most = self.settings.retry_period.mul_percent(JITTERED_PERCENT).as_micros();
                SimDuration::from_micros((stream.unit() * most as f64) as u64)
            }
            Role::Leader | Role::Retired => SimDuration::ZERO,
        };
        self.next_try = now + self.settings.retry_period + jitter;
        match self.role {
            Role::Retired => Tried::Follows,
            Role::Candidate => {
                if store == Store::Reachable && self.take(now, record) {
                    self.role = Role::Leader;
                    return Tried::Elected;
                }
                Tried::Follows
            }
            Role::Leader => {
                if self.gives_up_at().is_some_and(|end| end <= now) {
                    self.role = Role::Retired;
                    return Tried::StoppedLeading;
                }
                if store == Store::Reachable && self.take(now, record) {
                    return Tried::Renewed;
                }
                self.in_vain_since.get_or_insert(now);
                Tried::InVain
            }
        }
    }

    /// Gives the record back, so that the next one need not wait (`ReleaseOnCancel`).
    pub fn release(&mut self, now: SimTime, record: &mut ElectionRecord) {
        if self.role == Role::Leader && *record == self.observed {
            record.holder = None;
            record.version += 1;
            self.observe(now, *record);
        }
        self.role = Role::Retired;
    }

    /// Writes itself into the record, if that is allowed.
    fn take(&mut self, now: SimTime, record: &mut ElectionRecord) -> bool {
        if *record != self.observed {
            self.observe(now, *record);
        }
        let mine = record.holder == Some(self.identity);
        let lapsed = self.observed_at + self.settings.lease <= now;
        if record.holder.is_some() && !mine && !lapsed {
            return false;
        }
        if record.version > 0 && !mine {
            record.transitions += 1;
        }
        record.holder = Some(self.identity);
        record.version += 1;
        self.term = record.transitions;
        self.in_vain_since = None;
        self.observe(now, *record);
        true
    }

    fn observe(&mut self, now: SimTime, record: ElectionRecord) {
        self.observed = record;
        self.observed_at = now;
    }

    fn gives_up_at(&self) -> Option<SimTime> {
        self.in_vain_since.map(|since| since + self.settings.renew_deadline)
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LeaseTooShort => "the lease must be longer than the renew deadline",
            Self::RenewDeadlineTooShort => {
                "the renew deadline must be longer than 1.2 retry periods"
            }
            Self::Zero => "the retry period must be above zero",
        })
    }
}

impl std::error::Error for SettingsError {}
