//! Sends and batches: what goes in, and what must be confirmed.

use broker::MessageId;
use broker::queue::{
    BatchEntry, BodyId, Change, Deduplicate, DeduplicationId, Entry, Fifo, GroupId, Kind, Novelty,
    Sent,
};

use super::{Fault, Message, Table, held_to};
use crate::conformance::sqs::script::{Batch, ExpectSend, Op, Request, Send};

impl Table {
    pub(super) fn send(&mut self, op: &Op, send: &Send) -> Result<(), String> {
        let entry = self.entry(op, send);
        let now = self.now;
        let sent = self.queue(op).send(now, entry);
        if let Ok(sent) = &sent {
            self.confirmed(entry.message, sent, send.expect)?;
        }
        held_to(sent.map_err(Fault::from), op.expect_error.as_deref())
    }

    /// A new message with the content of a send. Where a script gives no deduplication id although
    /// the queue needs one, and expects no complaint, the message gets its own.
    fn entry(&mut self, op: &Op, send: &Send) -> Entry {
        let needed = self.needs_id(op) && op.expect_error.is_none();
        let message = MessageId::from_index(self.messages.len() as u32);
        let (body, sent_at) = (send.body.clone(), self.now);
        self.messages.push(Message { body, sent_at, sequence: None });
        let mut number = |text: &String| self.texts.number(text);
        let own = needed.then_some(DeduplicationId::Message(message));
        let deduplication = send.dedup.as_ref().map(&mut number).map(u64::from);
        Entry {
            message,
            bytes: send.bytes,
            delay: send.delay,
            group: send.group.as_ref().map(&mut number).map(GroupId),
            deduplication: deduplication.map(DeduplicationId::Chosen).or(own),
            body: BodyId(u64::from(number(&send.body))),
        }
    }

    fn needs_id(&mut self, op: &Op) -> bool {
        let kind = self.queue(op).settings().kind;
        matches!(kind, Kind::Fifo(Fifo { deduplicate: Deduplicate::ById, .. }))
    }

    /// Holds a confirm to what is expected of it, and to what is known of the message.
    fn confirmed(
        &mut self,
        message: MessageId,
        sent: &Sent,
        expect: Option<ExpectSend>,
    ) -> Result<(), String> {
        let found = match sent.novelty {
            Novelty::Stored => ExpectSend::Stored,
            Novelty::Duplicate => ExpectSend::Duplicate,
        };
        if expect.is_some_and(|expect| expect != found) {
            return Err(format!("expected {expect:?}, got {found:?}"));
        }
        if sent.novelty == Novelty::Stored {
            self.messages[message.index()].sequence = sent.sequence;
            return if sent.message == message {
                Ok(())
            } else {
                Err("a stored message has got another identity".to_owned())
            };
        }
        let original = self.message(sent.message);
        if sent.message >= message || original.sequence != sent.sequence {
            return Err("a duplicate was not answered with its original".to_owned());
        }
        Ok(())
    }

    pub(super) fn batch(&mut self, op: &Op, batch: &Batch) -> Result<(), String> {
        let now = self.now;
        let (mut sends, mut deletes, mut changes) = (Vec::new(), Vec::new(), Vec::new());
        let mut expected = Vec::new();
        for (name, request) in &batch.entries {
            let id = self.texts.number(name);
            match request {
                Request::Send(send) => {
                    sends.push(BatchEntry { id, request: self.entry(op, send) });
                    expected.push(send.expect);
                }
                Request::Delete { handle } => {
                    deletes.push(BatchEntry { id, request: self.receipt(handle)? });
                }
                Request::ChangeVisibility { handle, timeout } => {
                    let (receipt, timeout) = (self.receipt(handle)?, *timeout);
                    changes.push(BatchEntry { id, request: Change { receipt, timeout } });
                }
                _ => return Err("no batch has such an entry".to_owned()),
            }
        }
        let queue = self.queue(op);
        let failed: Result<Result<_, String>, _> = match op.name.as_str() {
            "send_batch" => queue.send_batch(now, &sends).map(|answers| {
                let confirmed = sends.iter().zip(expected).zip(&answers);
                for ((entry, expect), answer) in confirmed {
                    if let Ok(sent) = &answer.request {
                        self.confirmed(entry.request.message, sent, expect)?;
                    }
                }
                Ok(failed(&answers))
            }),
            "delete_batch" => queue.delete_batch(now, &deletes).map(|it| Ok(failed(&it))),
            _ => queue.change_visibility_batch(now, &changes).map(|it| Ok(failed(&it))),
        };
        let failed = failed.map_err(Fault::from);
        if let Ok(failed) = failed.clone() {
            let failed = failed?;
            let names = batch.entries.iter().map(|(name, _)| name);
            let names: Vec<&String> =
                names.filter(|name| failed.contains(&self.texts.number(name))).collect();
            if !names.iter().copied().eq(&batch.failed) {
                return Err(format!("expected {:?} to fail, got {names:?}", batch.failed));
            }
        }
        held_to(failed, op.expect_error.as_deref())
    }
}

/// The ids of the entries that failed.
fn failed<T, E>(answers: &[BatchEntry<Result<T, E>>]) -> Vec<u32> {
    let failed = answers.iter().filter(|answer| answer.request.is_err());
    failed.map(|answer| answer.id).collect()
}
