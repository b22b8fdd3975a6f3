//! The ledger of handled events, also called the inbox: one row for each consumer and event.
//!
//! Richardson, *Microservices Patterns* (2018), §3.3.6, "Handling duplicate messages"
//! (`PROCESSED_MESSAGES`); <https://microservices.io/patterns/communication-style/idempotent-consumer.html>.

use std::collections::{BTreeMap, VecDeque};

use sim::{SimDuration, SimTime};

use crate::database::{Insert, Key, OnConflict, Statement, TableId, Value};

/// What the ledger's key is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The event alone. Where several consumers share a ledger, the first one silences the others.
    Event,
    /// The consumer and the event.
    ConsumerAndEvent,
}

/// What the ledger knows of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seen {
    /// Nothing: it is recorded now, and to be handled.
    First,
    /// It was recorded then: ack and do nothing.
    Before(SimTime),
}

/// A ledger outside of any transaction: a cache, another database, a set in memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ledger {
    scope: Scope,
    retention: Option<SimDuration>,
    recorded: BTreeMap<(u32, u64), SimTime>,
    /// The same by age, the oldest first.
    by_age: VecDeque<(SimTime, (u32, u64))>,
}

impl Ledger {
    /// An empty ledger that forgets a row after `retention`, or never.
    #[must_use]
    pub const fn new(scope: Scope, retention: Option<SimDuration>) -> Self {
        Self { scope, retention, recorded: BTreeMap::new(), by_age: VecDeque::new() }
    }

    /// Records an event for a consumer, if it is not there.
    pub fn record(&mut self, now: SimTime, consumer: u32, event: u64) -> Seen {
        self.purge(now);
        let key = self.key(consumer, event);
        if let Some(at) = self.recorded.get(&key) {
            return Seen::Before(*at);
        }
        self.recorded.insert(key, now);
        self.by_age.push_back((now, key));
        Seen::First
    }

    /// Whether an event is recorded, without recording it: a check before an act leaves a gap for
    /// another to act in.
    #[must_use]
    pub fn contains(&self, now: SimTime, consumer: u32, event: u64) -> bool {
        let recorded = self.recorded.get(&self.key(consumer, event));
        recorded.is_some_and(|at| !self.is_old(now, *at))
    }

    /// Takes a record back, because the work behind it failed.
    pub fn forget(&mut self, consumer: u32, event: u64) {
        let key = self.key(consumer, event);
        self.recorded.remove(&key);
        self.by_age.retain(|(_, other)| *other != key);
    }

    /// Drops what is older than the retention. Tells how many rows.
    pub fn purge(&mut self, now: SimTime) -> usize {
        let before = self.by_age.len();
        while let Some((at, key)) = self.by_age.front().copied() {
            if !self.is_old(now, at) {
                break;
            }
            self.by_age.pop_front();
            self.recorded.remove(&key);
        }
        before - self.by_age.len()
    }

    /// How many rows it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.recorded.len()
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.recorded.is_empty()
    }

    /// A row is kept for the whole of its retention, its last moment included.
    fn is_old(&self, now: SimTime, at: SimTime) -> bool {
        self.retention.is_some_and(|retention| now.saturating_since(at) > retention)
    }

    const fn key(&self, consumer: u32, event: u64) -> (u32, u64) {
        match self.scope {
            Scope::Event => (0, event),
            Scope::ConsumerAndEvent => (consumer, event),
        }
    }
}

/// How long a ledger must remember at least, so that no delivery comes after its record is gone: the
/// longest that a message can be in its queue, then in the dead-letter queue until someone decides,
/// and what is replayed from a source.
#[must_use]
pub fn retention_needed(
    in_queue: SimDuration,
    until_triage: SimDuration,
    replayed: SimDuration,
) -> SimDuration {
    in_queue + until_triage + replayed
}

/// The record of an event in a ledger table, as the first statement of the transaction that handles
/// it: zero rows mean that it was handled before.
#[must_use]
pub fn record(table: TableId, scope: Scope, consumer: Value, event: Value) -> Statement {
    let key = match scope {
        Scope::Event => Key::pair(event, Value::Null),
        Scope::ConsumerAndEvent => Key::pair(consumer, event),
    };
    Statement::Insert(Insert {
        table,
        key: Some(key),
        columns: Vec::new(),
        on_conflict: OnConflict::DoNothing,
    })
}
