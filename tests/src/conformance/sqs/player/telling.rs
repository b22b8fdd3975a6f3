//! Receives and attributes: what comes out, and what must come out.

use broker::ReceiptHandle;
use broker::queue::{AttemptId, Delivery, Kind, Poll, Received};

use super::{Fault, SOURCE, Table, held_to};
use crate::conformance::sqs::script::{Expect, Op, Receive, attributes};

impl Table {
    pub(super) fn receive(&mut self, op: &Op, receive: &Receive) -> Result<(), String> {
        let mut received = Received::default();
        let answer = self.poll(op, receive, &mut received);
        let refused = answer.is_err();
        held_to(answer, op.expect_error.as_deref())?;
        if refused {
            return Ok(());
        }
        let deliveries = &received.deliveries;
        let bodies: Vec<&str> =
            deliveries.iter().map(|it| self.message(it.message).body.as_str()).collect();
        if let Some(expect) = &receive.expect {
            // A standard queue promises no order.
            let ordered = matches!(self.queue.settings().kind, Kind::Fifo(_));
            compare(expect, &bodies, ordered)?;
        }
        let counts: Vec<u32> = deliveries.iter().map(|it| it.count).collect();
        if let Some(expected) = receive.expect_counts.as_ref().filter(|list| **list != counts) {
            return Err(format!("expected receive counts {expected:?}, got {counts:?}"));
        }
        for delivery in deliveries {
            self.compare_attributes(receive, delivery)?;
        }
        let receipts: Vec<ReceiptHandle> = deliveries.iter().map(|it| it.receipt).collect();
        if let Some(name) = &receive.expect_receipts
            && self.saved.get(name) != Some(&receipts)
        {
            return Err(format!("expected the receipts of {name}, got others"));
        }
        if let Some(name) = &receive.save {
            self.saved.insert(name.clone(), receipts);
        }
        Ok(())
    }

    fn compare_attributes(&self, receive: &Receive, delivery: &Delivery) -> Result<(), String> {
        let sent_at = self.message(delivery.message).sent_at;
        if receive.expect_same && delivery.first_sent != sent_at {
            let first_sent = delivery.first_sent;
            return Err(format!("expected sent time {sent_at}, got {first_sent}"));
        }
        if receive.expect_source && delivery.source != Some(SOURCE) {
            return Err(format!("expected the queue it comes from, got {:?}", delivery.source));
        }
        Ok(())
    }

    /// Asks once, and with a wait again whenever time brings something about, until it is over.
    fn poll(&mut self, op: &Op, receive: &Receive, received: &mut Received) -> Result<(), Fault> {
        let &Receive { max, visibility, .. } = receive;
        let wait = receive.wait.unwrap_or(self.queue(op).settings().receive_wait);
        let attempt = receive.attempt.as_ref();
        let attempt = attempt.map(|text| AttemptId(u64::from(self.texts.number(text))));
        let give_up = self.now + wait;
        let mut moved = Vec::new();
        loop {
            let now = self.now;
            let poll = Poll { max, visibility, wait, attempt, sample: None };
            self.queue(op).poll(now, poll, received)?;
            moved.append(&mut received.dead);
            let next = self.queue(op).next_deadline().filter(|next| *next <= give_up);
            if received.deliveries.is_empty() && self.now < give_up {
                self.now = next.unwrap_or(give_up);
                continue;
            }
            break;
        }
        if let Some(queue) = &mut self.dead_letters {
            for dead in moved {
                queue.accept_dead_letter(self.now, dead);
            }
        }
        Ok(())
    }

    pub(super) fn attributes(&mut self, op: &Op, expect: &[(String, f64)]) -> Result<(), String> {
        let now = self.now;
        let queue = self.queue(op);
        queue.advance(now, &mut Vec::new());
        let (counts, settings) = (queue.counts(), *queue.settings());
        for (key, expected) in expect {
            let found = match key.as_str() {
                "ApproximateNumberOfMessages" => Some(f64::from(counts.available)),
                "ApproximateNumberOfMessagesNotVisible" => Some(f64::from(counts.in_flight)),
                "ApproximateNumberOfMessagesDelayed" => Some(f64::from(counts.delayed)),
                _ => attributes::shown(&settings, key),
            };
            let Some(found) = found else {
                return Err(format!("this queue has no attribute {key}"));
            };
            if found != *expected {
                return Err(format!("expected {key} {expected}, got {found}"));
            }
        }
        Ok(())
    }
}

fn compare(expect: &Expect, bodies: &[&str], ordered: bool) -> Result<(), String> {
    let same = |list: &Vec<String>| {
        let list = list.iter().map(String::as_str);
        let bodies = bodies.iter().copied();
        if ordered { list.eq(bodies) } else { sorted(list) == sorted(bodies) }
    };
    let (holds, expected) = match expect {
        Expect::Bodies(list) => (same(list), format!("{list:?}")),
        Expect::Length(length) => (*length == bodies.len(), format!("{length} messages")),
        Expect::AnyOf(lists) => (lists.iter().any(same), format!("one of {lists:?}")),
    };
    if holds { Ok(()) } else { Err(format!("expected {expected}, got {bodies:?}")) }
}

fn sorted<'a>(bodies: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut bodies: Vec<&str> = bodies.collect();
    bodies.sort_unstable();
    bodies
}
