//! Playing a script against the engine's queue.

use std::collections::BTreeMap;

use broker::queue::{Delivery, Entry, Queue, Received};
use broker::{MessageId, ReceiptHandle};
use sim::{SimDuration, SimTime};

use super::fault::Fault;
use super::script::{Expect, Handle, Op, Receive, Request, Script, apply};

/// Plays a script.
///
/// # Errors
/// The first difference: where, what was expected, and what came back.
pub(super) fn play(script: &Script) -> Result<(), String> {
    let created = script.settings.validate().map_err(Fault::from);
    held_to(created, script.expect_error.as_deref()).map_err(|why| format!("attrs: {why}"))?;
    if script.expect_error.is_some() {
        return Ok(());
    }
    let mut table = Table {
        now: SimTime::ZERO,
        queue: Queue::new(script.settings),
        dead_letters: script.dead_letters.as_ref().map(|queue| Queue::new(queue.settings)),
        messages: Vec::new(),
        saved: BTreeMap::new(),
    };
    for op in &script.ops {
        table.play(op).map_err(|why| format!("{} {}: {why}", op.pointer, op.name))?;
    }
    Ok(())
}

/// Queues and what is known of them from outside.
struct Table {
    now: SimTime,
    queue: Queue,
    dead_letters: Option<Queue>,
    /// Body and time of sending of each message.
    messages: Vec<(String, SimTime)>,
    saved: BTreeMap<String, Vec<ReceiptHandle>>,
}

impl Table {
    fn play(&mut self, op: &Op) -> Result<(), String> {
        let expected = op.expect_error.as_deref();
        match &op.request {
            Request::Send { body, bytes, delay } => {
                let message = MessageId::from_index(self.messages.len() as u32);
                let entry = Entry { message, bytes: *bytes, delay: *delay };
                let now = self.now;
                let sent = self.queue(op).send(now, entry).map_err(Fault::from);
                self.messages.push((body.clone(), now));
                held_to(sent, expected)
            }
            Request::Receive(receive) => self.receive(op, receive),
            Request::Advance { by } => {
                self.now += *by;
                Ok(())
            }
            Request::ChangeVisibility { handle, timeout } => {
                let (receipt, now) = (self.receipt(handle)?, self.now);
                let changed = self.queue(op).change_visibility(now, receipt, *timeout);
                held_to(changed.map_err(Fault::from), expected)
            }
            Request::Delete { handle } => {
                let (receipt, now) = (self.receipt(handle)?, self.now);
                held_to(self.queue(op).delete(now, receipt).map_err(Fault::from), expected)
            }
            Request::Purge => {
                let now = self.now;
                held_to(self.queue(op).purge(now).map_err(Fault::from), expected)
            }
            Request::SetAttributes { attributes } => {
                let mut settings = *self.queue(op).settings();
                for (key, number) in attributes {
                    if !apply(&mut settings, key, *number) {
                        return Err(format!("a standard queue has no attribute {key}"));
                    }
                }
                let valid = settings.validate().map_err(Fault::from);
                if valid.is_ok() {
                    self.queue(op).set_settings(settings);
                }
                held_to(valid, expected)
            }
            Request::GetAttributes { expect } => self.attributes(op, expect),
        }
    }

    fn receive(&mut self, op: &Op, receive: &Receive) -> Result<(), String> {
        let mut received = Received::default();
        let answer = self.poll(op, receive, &mut received);
        let refused = answer.is_err();
        held_to(answer, op.expect_error.as_deref())?;
        if refused {
            return Ok(());
        }
        let deliveries = &received.deliveries;
        let bodies: Vec<&str> = deliveries.iter().map(|it| self.body(it)).collect();
        if let Some(expect) = &receive.expect {
            compare(expect, &bodies)?;
        }
        let counts: Vec<u32> = deliveries.iter().map(|it| it.count).collect();
        if let Some(expected) = receive.expect_counts.as_ref().filter(|list| **list != counts) {
            return Err(format!("expected receive counts {expected:?}, got {counts:?}"));
        }
        if receive.expect_same {
            for delivery in deliveries {
                let (_, sent_at) = &self.messages[delivery.message.index()];
                if delivery.first_sent != *sent_at {
                    let first_sent = delivery.first_sent;
                    return Err(format!("expected sent time {sent_at}, got {first_sent}"));
                }
            }
        }
        if let Some(name) = &receive.save {
            let receipts = deliveries.iter().map(|it| it.receipt).collect();
            self.saved.insert(name.clone(), receipts);
        }
        Ok(())
    }

    /// Asks once, and with a wait again whenever time brings something about, until it is over.
    fn poll(&mut self, op: &Op, receive: &Receive, received: &mut Received) -> Result<(), Fault> {
        let wait = receive.wait.unwrap_or(self.queue(op).settings().receive_wait);
        let give_up = self.now + wait;
        let mut moved = Vec::new();
        loop {
            let now = self.now;
            self.queue(op).receive_waiting(now, receive.max, receive.visibility, wait, received)?;
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

    fn attributes(&mut self, op: &Op, expect: &[(String, f64)]) -> Result<(), String> {
        let now = self.now;
        let queue = self.queue(op);
        queue.advance(now, &mut Vec::new());
        let (counts, settings) = (queue.counts(), *queue.settings());
        let seconds = SimDuration::as_secs_f64;
        for (key, expected) in expect {
            let found = match key.as_str() {
                "ApproximateNumberOfMessages" => f64::from(counts.available),
                "ApproximateNumberOfMessagesNotVisible" => f64::from(counts.in_flight),
                "ApproximateNumberOfMessagesDelayed" => f64::from(counts.delayed),
                "VisibilityTimeout" => seconds(settings.visibility_timeout),
                "DelaySeconds" => seconds(settings.delay),
                "MessageRetentionPeriod" => seconds(settings.retention),
                "ReceiveMessageWaitTimeSeconds" => seconds(settings.receive_wait),
                "MaximumMessageSize" => f64::from(settings.max_message_bytes),
                _ => return Err(format!("a standard queue has no attribute {key}")),
            };
            if found != *expected {
                return Err(format!("expected {key} {expected}, got {found}"));
            }
        }
        Ok(())
    }

    /// The queue that an op is about. The reader has checked that it is there.
    fn queue(&mut self, op: &Op) -> &mut Queue {
        match (&op.queue, &mut self.dead_letters) {
            (Some(_), Some(dead_letters)) => dead_letters,
            _ => &mut self.queue,
        }
    }

    fn receipt(&self, handle: &Handle) -> Result<ReceiptHandle, String> {
        match handle {
            Handle::Garbage => Ok(ReceiptHandle::GARBAGE),
            Handle::Saved { name, index } => {
                let receipts = self.saved.get(name);
                let receipt = receipts.and_then(|receipts| receipts.get(*index));
                receipt.copied().ok_or_else(|| format!("no receipt was saved as {name}[{index}]"))
            }
        }
    }

    fn body(&self, delivery: &Delivery) -> &str {
        &self.messages[delivery.message.index()].0
    }
}

fn held_to<T>(answer: Result<T, Fault>, expected: Option<&str>) -> Result<(), String> {
    match (answer, expected) {
        (Ok(_), None) => Ok(()),
        (Err(fault), Some(expected)) if fault.is(expected) => Ok(()),
        (Err(fault), Some(expected)) => Err(format!("expected {expected:?}, got {fault}")),
        (Err(fault), None) => Err(format!("expected no error, got {fault}")),
        (Ok(_), Some(expected)) => Err(format!("expected {expected:?}, got no error")),
    }
}

fn compare(expect: &Expect, bodies: &[&str]) -> Result<(), String> {
    let same = |list: &Vec<String>| {
        sorted(list.iter().map(String::as_str)) == sorted(bodies.iter().copied())
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
