//! Order by sequence number: a producer numbers the messages of each key, a consumer puts them back
//! in line.
//!
//! ```text
//!   number ≤ last applied  ──▶ drop (a duplicate)
//!   number = last + 1      ──▶ apply, and all that are parked behind it
//!   number > last + 1      ──▶ park, until the gap is filled, skipped or given up
//! ```
//!
//! A message that was dead-lettered never comes, and what is parked behind it waits for ever, unless
//! someone says so ([`Resequencer::skip`]) or the gap has a time limit. Gregor Hohpe and Bobby Woolf,
//! *Enterprise Integration Patterns* (2003), "Resequencer".

use std::collections::BTreeMap;

use sim::{SimDuration, SimTime};

/// A key by number: what keeps its own order.
pub type KeyNumber = u64;

/// Gives out numbers, from 1 for each key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sequencer {
    last: BTreeMap<KeyNumber, u64>,
}

/// What becomes of a gap that nobody fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gap {
    /// What is behind it stays parked for ever.
    Waits,
    /// After so much time it is passed over, and that is told.
    TimesOut(SimDuration),
}

/// What a resequencer did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step<T> {
    /// It hands this on, in order.
    Applied {
        /// Of which key.
        key: KeyNumber,
        /// Its number.
        number: u64,
        /// The message.
        item: T,
    },
    /// It has had this number before, or has passed over it.
    Dropped {
        /// Of which key.
        key: KeyNumber,
        /// Its number.
        number: u64,
    },
    /// It keeps this until what comes before it is there.
    Parked {
        /// Of which key.
        key: KeyNumber,
        /// Its number.
        number: u64,
    },
    /// It passes over numbers that have not come.
    PassedOver {
        /// Of which key.
        key: KeyNumber,
        /// The first number.
        from: u64,
        /// The last.
        to: u64,
    },
}

/// Puts messages back in order, key by key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Resequencer<T> {
    gap: Gap,
    lanes: BTreeMap<KeyNumber, Lane<T>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Lane<T> {
    last: u64,
    /// By number; `None` stands for one that is to be skipped.
    parked: BTreeMap<u64, Option<T>>,
    /// Since when something is parked behind the present gap.
    waiting_since: Option<SimTime>,
}

impl Sequencer {
    /// The next number of a key.
    pub fn next(&mut self, key: KeyNumber) -> u64 {
        let last = self.last.entry(key).or_default();
        *last += 1;
        *last
    }
}

impl<T: Clone> Resequencer<T> {
    /// A resequencer that has seen nothing: it expects number 1 of every key.
    #[must_use]
    pub const fn new(gap: Gap) -> Self {
        Self { gap, lanes: BTreeMap::new() }
    }

    /// A message comes in.
    pub fn accept(
        &mut self,
        now: SimTime,
        key: KeyNumber,
        number: u64,
        item: T,
        steps: &mut Vec<Step<T>>,
    ) {
        self.put(now, key, number, Some(item), steps);
    }

    /// A number will not come: its message was dead-lettered or dropped.
    pub fn skip(&mut self, now: SimTime, key: KeyNumber, number: u64, steps: &mut Vec<Step<T>>) {
        self.put(now, key, number, None, steps);
    }

    /// Lets time pass: gaps that have waited for too long are passed over.
    pub fn advance(&mut self, now: SimTime, steps: &mut Vec<Step<T>>) {
        let Gap::TimesOut(limit) = self.gap else { return };
        for (key, lane) in &mut self.lanes {
            while lane.waiting_since.is_some_and(|since| since + limit <= now)
                && let Some((first, _)) = lane.parked.first_key_value()
            {
                let (from, to) = (lane.last + 1, first - 1);
                steps.push(Step::PassedOver { key: *key, from, to });
                lane.last = to;
                lane.release(now, *key, steps);
            }
        }
    }

    /// When [`Resequencer::advance`] has something to do.
    #[must_use]
    pub fn next_deadline(&self) -> Option<SimTime> {
        let Gap::TimesOut(limit) = self.gap else { return None };
        self.lanes.values().filter_map(|lane| Some(lane.waiting_since? + limit)).min()
    }

    /// How many messages are parked.
    #[must_use]
    pub fn parked(&self) -> usize {
        let held = self.lanes.values().flat_map(|lane| lane.parked.values());
        held.filter(|item| item.is_some()).count()
    }

    /// The last number of a key that was applied or passed over.
    #[must_use]
    pub fn last(&self, key: KeyNumber) -> u64 {
        self.lanes.get(&key).map_or(0, |lane| lane.last)
    }

    fn put(
        &mut self,
        now: SimTime,
        key: KeyNumber,
        number: u64,
        item: Option<T>,
        steps: &mut Vec<Step<T>>,
    ) {
        let lane = self.lanes.entry(key).or_insert(Lane {
            last: 0,
            parked: BTreeMap::new(),
            waiting_since: None,
        });
        if number <= lane.last || lane.parked.contains_key(&number) {
            steps.push(Step::Dropped { key, number });
            return;
        }
        if number > lane.last + 1 && item.is_some() {
            steps.push(Step::Parked { key, number });
        }
        lane.parked.insert(number, item);
        lane.release(now, key, steps);
    }
}

impl<T> Lane<T> {
    /// Applies all that is next.
    fn release(&mut self, now: SimTime, key: KeyNumber, steps: &mut Vec<Step<T>>) {
        let before = self.last;
        while let Some(item) = self.parked.remove(&(self.last + 1)) {
            self.last += 1;
            let number = self.last;
            steps.push(match item {
                Some(item) => Step::Applied { key, number, item },
                None => Step::PassedOver { key, from: number, to: number },
            });
        }
        // A gap that is new, or another one, waits from now on.
        if self.parked.is_empty() {
            self.waiting_since = None;
        } else if self.waiting_since.is_none() || self.last != before {
            self.waiting_since = Some(now);
        }
    }
}
