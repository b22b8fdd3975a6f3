//! Relays over one outbox: what they find, lose and tell twice.

use std::collections::BTreeMap;

use patterns::database::{Answer, Key, Resumed, TransactionId, Value};
use patterns::outbox::relay::After;
use patterns::outbox::{Capture, Claim, Cursor, Poll, Relay};

use super::{Differences, House, NOW, Node, Problem, numbers};

impl House {
    /// An open transaction that has written one event, whose id it answers with.
    fn insert(&mut self, transaction: TransactionId) -> i64 {
        let statement = self.outbox.write(NOW, Value::Null, 0);
        match self.database.execute(NOW, transaction, statement) {
            Answer::Done(outcome) => {
                outcome.keys().first().and_then(Key::as_number).unwrap_or_default()
            }
            Answer::Waits { .. } | Answer::Refused(_) => 0,
        }
    }

    fn commit(&mut self, transaction: TransactionId) {
        let _ = self.database.commit(NOW, transaction, &mut Vec::new());
    }

    fn write(&mut self, count: usize) {
        for _ in 0..count {
            let transaction = self.database.begin();
            self.insert(transaction);
            self.commit(transaction);
        }
    }

    fn poll(&mut self, relay: &mut Relay) -> Vec<i64> {
        ids(&relay.poll(NOW, &mut self.database))
    }

    fn published(&mut self, relay: &mut Relay) -> Vec<Resumed> {
        let mut resumed = Vec::new();
        relay.published(NOW, &mut self.database, &mut resumed);
        resumed
    }
}

fn ids(poll: &Poll) -> Vec<i64> {
    match poll {
        Poll::Batch(entries) => entries.iter().map(|entry| entry.id).collect(),
        Poll::Empty | Poll::Waits => Vec::new(),
    }
}

/// Steps as they were taken, one after another.
pub(super) fn by_id(node: &Node<'_>) -> Result<Differences, Problem> {
    let mut house = House::new();
    let mut relay = Relay::new(house.outbox, Cursor::IdAboveLast, 100);
    let mut open: BTreeMap<&str, TransactionId> = BTreeMap::new();
    let mut differences = Differences::default();
    let (mut written, mut sent) = (Vec::new(), Vec::new());
    for step in node.need("steps", "list the steps")?.items()? {
        let text = step.text()?;
        let bad = || step.problem("no such step", "write an insert, a commit or a poll");
        if let Some((_, found)) = text.strip_prefix("poll").and_then(|rest| rest.split_once("-> "))
        {
            let (list, last) =
                found.strip_prefix('[').and_then(|rest| rest.split_once(']')).ok_or_else(bad)?;
            let ids = list.split(',').map(str::trim).filter(|id| !id.is_empty());
            let expected: Vec<i64> =
                ids.map(str::parse).collect::<Result<_, _>>().map_err(|_| bad())?;
            let polled = house.poll(&mut relay);
            house.published(&mut relay);
            differences.compare(text, &expected, &polled);
            if !last.is_empty() {
                let last = last.strip_prefix(", last=").ok_or_else(bad)?;
                let last = last.parse::<i64>().map_err(|_| bad())?;
                differences.compare(text, &last, &relay.last_id());
            }
            sent.extend(polled);
            continue;
        }
        let (name, verb) = text.split_once(' ').ok_or_else(bad)?;
        let transaction = *open.entry(name).or_insert_with(|| house.database.begin());
        match verb.split_once("->id") {
            Some(("insert", id)) => {
                let inserted = house.insert(transaction);
                let expected = id.parse::<i64>().map_err(|_| bad())?;
                differences.compare(text, &expected, &inserted);
                written.push(inserted);
            }
            _ if verb == "commit" => house.commit(transaction),
            _ if verb == "rollback" => {
                let _ = house.database.rollback(NOW, transaction, &mut Vec::new());
            }
            _ => return Err(bad()),
        }
    }
    if let Some(lost) = node.get("lost") {
        sent.extend(house.poll(&mut relay));
        written.retain(|id| !sent.contains(id));
        differences.compare("lost", &numbers(&lost)?, &written);
    }
    Ok(differences)
}

/// The first transaction takes the lower id and commits last.
pub(super) fn slot_order(node: &Node<'_>) -> Result<Differences, Problem> {
    let mut house = House::new();
    let mut capture = Capture::create(house.outbox, &mut house.database);
    let [first, second] = [house.database.begin(), house.database.begin()];
    house.insert(first);
    house.insert(second);
    house.commit(second);
    house.commit(first);
    let mut told = Vec::new();
    while let Some(captured) = capture.next(house.database.wal()) {
        told.extend(captured.entries.iter().map(|entry| entry.id));
    }
    let mut differences = Differences::default();
    differences.compare("order", &numbers(node)?, &told);
    Ok(differences)
}

/// The same with a poll that asks for nothing that could be overtaken, after the rows before were
/// published.
pub(super) fn guard(node: &Node<'_>) -> Result<Differences, Problem> {
    let after = numbers(&node.need("after", "list what is found when both have ended")?)?;
    let mut house = House::new();
    let mut relay = Relay::new(house.outbox, Cursor::BelowOldestOpen, 100);
    house.write(after.first().map_or(0, |first| (*first - 1).max(0) as usize));
    house.poll(&mut relay);
    house.published(&mut relay);
    let [first, second] = [house.database.begin(), house.database.begin()];
    house.insert(first);
    house.insert(second);
    house.commit(second);
    let mut differences = Differences::default();
    let while_open = node.need("while_T1_open", "list what is found before")?;
    differences.compare("while T1 is open", &numbers(&while_open)?, &house.poll(&mut relay));
    house.commit(first);
    differences.compare("after", &after, &house.poll(&mut relay));
    Ok(differences)
}

pub(super) fn skip_locked(node: &Node<'_>) -> Result<Differences, Problem> {
    let expected = |key| numbers(&node.need(key, "list the ids")?);
    let (claims1, claims2) = (expected("relay1_claims")?, expected("relay2_claims")?);
    let cursor = Cursor::Unpublished { claim: Claim::SkipLocked, after: After::Mark };
    let mut house = House::new();
    house.write(claims1.len() + claims2.len());
    let mut one = Relay::new(house.outbox, cursor, claims1.len() as u32);
    let mut two = Relay::new(house.outbox, cursor, claims2.len() as u32);
    let mut differences = Differences::default();
    let (claimed1, claimed2) = (house.poll(&mut one), house.poll(&mut two));
    differences.compare("relay 1 claims", &claims1, &claimed1);
    differences.compare("relay 2 claims", &claims2, &claimed2);
    // The second relay is through first: that is the order in which a broker sees them.
    house.published(&mut two);
    let order = expected("publish_order_if_relay2_commits_first")?;
    differences.compare("order", &order, &[claimed2, claimed1.clone()].concat());
    // The first one dies after it has published, and its rows are claimed again.
    one.crash(NOW, &mut house.database, &mut Vec::new());
    differences.compare("claimed again", &claimed1, &house.poll(&mut two));
    Ok(differences)
}

/// "waiter gets row 2 after holder published 1": a relay with a limit of 1 that waits for another.
pub(super) fn waiting(node: &Node<'_>) -> Result<Differences, Problem> {
    let text = node.text()?;
    let number_after = |word: &str| {
        let (_, rest) = text.split_once(word)?;
        rest.trim().split(|c: char| !c.is_ascii_digit()).next()?.parse::<i64>().ok()
    };
    let bad = || node.problem("no rows", "write it as in \"gets row 2 after holder published 1\"");
    let gets = number_after("row").ok_or_else(bad)?;
    let published = number_after("published").ok_or_else(bad)?;
    let cursor = Cursor::Unpublished { claim: Claim::Wait, after: After::Mark };
    let mut house = House::new();
    house.write(2);
    let mut holder = Relay::new(house.outbox, cursor, 1);
    let mut waiter = holder.clone();
    let mut differences = Differences::default();
    differences.compare("holder", &vec![published], &house.poll(&mut holder));
    differences.compare("waits", &Poll::Waits, &waiter.poll(NOW, &mut house.database));
    for resumed in house.published(&mut holder) {
        let poll = waiter.resumed(NOW, &mut house.database, resumed.answer);
        differences.compare("waiter", &vec![gets], &ids(&poll));
    }
    differences.compare("published by the waiter", &true, &waiter.is_busy());
    Ok(differences)
}
