//! Playing a script against the engine's queue.

mod asking;
mod telling;

use std::collections::BTreeMap;

use broker::queue::{MoveTask, Queue, QueueId, SequenceNumber, Velocity};
use broker::{MessageId, ReceiptHandle};
use sim::{SimDuration, SimTime};

use super::fault::Fault;
use super::script::{Handle, Op, Request, Script};

/// The name of a script's queue, by which its dead letters are told.
const SOURCE: QueueId = QueueId(0);

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
        queue: Queue::named(script.settings, SOURCE),
        dead_letters: script.dead_letters.as_ref().map(|queue| Queue::new(queue.settings)),
        redrive: None,
        messages: Vec::new(),
        texts: Texts::default(),
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
    redrive: Option<MoveTask>,
    messages: Vec<Message>,
    texts: Texts,
    saved: BTreeMap<String, Vec<ReceiptHandle>>,
}

/// A message that was sent.
struct Message {
    body: String,
    sent_at: SimTime,
    sequence: Option<SequenceNumber>,
}

/// Texts by number, for what the broker knows by identity alone.
#[derive(Default)]
struct Texts {
    numbers: BTreeMap<String, u32>,
}

impl Texts {
    fn number(&mut self, text: &str) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(text.to_owned()).or_insert(next)
    }
}

impl Table {
    fn play(&mut self, op: &Op) -> Result<(), String> {
        let expected = op.expect_error.as_deref();
        match &op.request {
            Request::Send(send) => self.send(op, send),
            Request::Receive(receive) => self.receive(op, receive),
            Request::Advance { by } => {
                self.pass(*by);
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
                for attribute in attributes {
                    attribute.apply(&mut settings);
                }
                let valid = settings.validate().map_err(Fault::from);
                if valid.is_ok() {
                    self.queue(op).set_settings(settings);
                }
                held_to(valid, expected)
            }
            Request::GetAttributes { expect } => self.attributes(op, expect),
            Request::Batch(batch) => self.batch(op, batch),
            Request::Redrive { per_second } => self.start_redrive(*per_second, expected),
        }
    }

    /// Starts to move dead letters back.
    fn start_redrive(&mut self, rate: Option<u32>, expected: Option<&str>) -> Result<(), String> {
        let Some(dead_letters) = &self.dead_letters else {
            return Err("the scenario has no dead-letter queue".to_owned());
        };
        let velocity = rate.map_or(Velocity::Optimized, Velocity::PerSecond);
        let task = MoveTask::start(self.now, dead_letters, velocity).map_err(Fault::from);
        self.redrive = task.as_ref().ok().cloned();
        self.pass(SimDuration::ZERO);
        held_to(task, expected)
    }

    /// Lets time pass, with what a redrive does meanwhile.
    fn pass(&mut self, by: SimDuration) {
        let end = self.now + by;
        if let (Some(task), Some(from)) = (&mut self.redrive, &mut self.dead_letters) {
            let mut moved = Vec::new();
            while let Some(due) = task.next_deadline().filter(|due| *due <= end) {
                task.advance(due, from, &mut moved);
                for redriven in moved.drain(..) {
                    self.queue.accept_redriven(due, redriven);
                }
            }
        }
        self.now = end;
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

    fn message(&self, message: MessageId) -> &Message {
        &self.messages[message.index()]
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
