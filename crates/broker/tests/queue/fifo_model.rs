//! A naive FIFO queue: the rules written down as plainly as they are told. Slow, and obviously right;
//! the queue is compared with it.

use broker::queue::{
    DEDUPLICATION_WINDOW, DeadLetter, DeduplicationId, Delivery, GroupId, Scope, Settings,
};
use broker::{MessageId, ReceiptHandle};
use sim::{SimDuration, SimTime};

#[derive(Clone)]
pub struct NaiveFifo {
    pub settings: Settings,
    scope: Scope,
    /// In the order of sending.
    messages: Vec<Message>,
    sent: Vec<Sent>,
    /// Counts what comes on offer.
    offers: u32,
    arrived: u64,
}

#[derive(Clone)]
struct Message {
    message: MessageId,
    group: GroupId,
    sent_at: SimTime,
    count: u32,
    /// Hidden until then, delayed or in flight.
    until: Option<SimTime>,
    in_flight: bool,
    /// The number of its latest coming on offer.
    offered: u32,
    /// The receipts it was given out with.
    receipts: Vec<ReceiptHandle>,
}

/// Something that was stored under an id.
#[derive(Clone)]
struct Sent {
    at: SimTime,
    group: GroupId,
    id: DeduplicationId,
    message: MessageId,
    sequence: u64,
}

/// Messages, each with how often it was received.
type Counted = Vec<(MessageId, u32)>;

/// The answer to a delete or a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Done,
    Expired,
    Gone,
}

impl NaiveFifo {
    pub fn new(settings: Settings, scope: Scope) -> Self {
        let (messages, sent) = (Vec::new(), Vec::new());
        Self { settings, scope, messages, sent, offers: 0, arrived: 0 }
    }

    /// Answers with the message that is stored, and its sequence number.
    pub fn send(
        &mut self,
        now: SimTime,
        message: MessageId,
        group: GroupId,
        id: DeduplicationId,
    ) -> (MessageId, u64) {
        let same = |it: &&Sent| {
            let in_scope = self.scope == Scope::Queue || it.group == group;
            it.id == id && in_scope && now < it.at + DEDUPLICATION_WINDOW
        };
        if let Some(original) = self.sent.iter().rev().find(same) {
            return (original.message, original.sequence);
        }
        self.settle(now);
        let delay = self.settings.delay;
        let until = Some(now + delay).filter(|_| !delay.is_zero());
        self.store(now, message, group, id, until, 0);
        (message, self.arrived)
    }

    pub fn accept(&mut self, now: SimTime, letter: DeadLetter) {
        let group = letter.group.expect("of a FIFO queue");
        self.settle(now);
        let id = DeduplicationId::Message(letter.message);
        self.store(now, letter.message, group, id, None, letter.count);
    }

    fn store(
        &mut self,
        now: SimTime,
        message: MessageId,
        group: GroupId,
        id: DeduplicationId,
        until: Option<SimTime>,
        count: u32,
    ) {
        self.arrived += 1;
        self.sent.push(Sent { at: now, group, id, message, sequence: self.arrived });
        let (in_flight, receipts) = (false, Vec::new());
        let sent_at = now;
        let offered = 0;
        let stored =
            Message { message, group, sent_at, count, until, in_flight, offered, receipts };
        self.messages.push(stored);
        if until.is_none() {
            self.offer(self.messages.len() - 1);
        }
    }

    /// What a receive must come back with.
    pub fn receive(
        &mut self,
        now: SimTime,
        max: usize,
        timeout: SimDuration,
    ) -> (Counted, Counted) {
        self.settle(now);
        let in_flight = self.messages.iter().filter(|it| it.in_flight).count();
        let wanted = max.min((self.settings.max_in_flight as usize).saturating_sub(in_flight));
        let (mut delivered, mut dead) = (Vec::new(), Vec::new());
        let mut done = Vec::new();
        while delivered.len() < wanted {
            let Some(index) = self.next(&done) else { break };
            let group = self.messages[index].group;
            done.push(group);
            let mut index = index;
            while delivered.len() < wanted && index < self.messages.len() {
                let limit = self.settings.max_receive_count;
                let message = &mut self.messages[index];
                if message.group != group {
                    index += 1;
                } else if message.until.is_some() {
                    break;
                } else if limit.is_some_and(|limit| message.count >= limit) {
                    dead.push((message.message, message.count));
                    self.messages.remove(index);
                } else {
                    message.count += 1;
                    message.until = Some(now + timeout);
                    message.in_flight = true;
                    delivered.push((message.message, message.count));
                    index += 1;
                }
            }
        }
        self.lapse_at_once(now, &delivered);
        (delivered, dead)
    }

    /// The first message of the group whose turn it is.
    fn next(&self, done: &[GroupId]) -> Option<usize> {
        let first = |index: &usize| {
            let group = self.messages[*index].group;
            self.messages[..*index].iter().all(|before| before.group != group)
        };
        let heads = (0..self.messages.len()).filter(first);
        let heads = heads.filter(|index| self.messages[*index].until.is_none());
        let heads = heads.filter(|index| !done.contains(&self.messages[*index].group));
        heads.min_by_key(|index| self.messages[*index].offered)
    }

    /// What was received with a timeout of zero, in the order of delivery.
    fn lapse_at_once(&mut self, now: SimTime, delivered: &[(MessageId, u32)]) {
        for (message, count) in delivered {
            let is = |it: &Message| it.message == *message && it.count == *count;
            let index = self.messages.iter().position(|it| is(it) && it.until == Some(now));
            if let Some(index) = index {
                self.offer(index);
            }
        }
    }

    /// Takes note of the receipts that the queue gave out.
    pub fn note(&mut self, deliveries: &[Delivery]) {
        for delivery in deliveries {
            let received =
                |it: &&mut Message| it.message == delivery.message && it.count == delivery.count;
            let message = self.messages.iter_mut().find(received).expect("it was delivered");
            message.receipts.push(delivery.receipt);
        }
    }

    pub fn change(&mut self, now: SimTime, receipt: ReceiptHandle, to: SimDuration) -> Answer {
        self.settle(now);
        let Some(index) = self.holder(receipt) else { return Answer::Gone };
        if !self.holds(index, receipt) {
            return Answer::Expired;
        }
        self.messages[index].until = Some(now + to);
        if to.is_zero() {
            self.offer(index);
        }
        Answer::Done
    }

    pub fn delete(&mut self, now: SimTime, receipt: ReceiptHandle) -> Answer {
        self.settle(now);
        let Some(index) = self.holder(receipt) else { return Answer::Gone };
        if !self.holds(index, receipt) {
            return Answer::Expired;
        }
        self.messages.remove(index);
        Answer::Done
    }

    pub fn purge(&mut self, now: SimTime) -> usize {
        self.settle(now);
        self.sent.clear();
        let purged = self.messages.len();
        self.messages.clear();
        purged
    }

    /// Visible, delayed, in flight.
    pub fn counts(&self) -> [usize; 3] {
        let in_flight = self.messages.iter().filter(|it| it.in_flight).count();
        let hidden = self.messages.iter().filter(|it| it.until.is_some()).count();
        [self.messages.len() - hidden, hidden - in_flight, in_flight]
    }

    /// What is visible behind a hidden message of its group, in the order of sending.
    pub fn blocked(&self) -> Vec<MessageId> {
        let blocked = |index: &usize| {
            let message = &self.messages[*index];
            let hidden = |it: &Message| it.group == message.group && it.until.is_some();
            message.until.is_none() && self.messages[..*index].iter().any(hidden)
        };
        let blocked = (0..self.messages.len()).filter(blocked);
        blocked.map(|index| self.messages[index].message).collect()
    }

    /// Lets time pass.
    pub fn settle(&mut self, now: SimTime) {
        let retention = self.settings.retention;
        loop {
            let ends = self.messages.iter().map(|it| (it.until, it.sent_at)).enumerate();
            let ends = ends.filter_map(|(index, (until, sent_at))| {
                until.map(|until| (until, 1, sent_at, index))
            });
            let sent = self.messages.iter().map(|it| it.sent_at).enumerate();
            let expiries = sent.map(|(index, sent_at)| (sent_at + retention, 0, sent_at, index));
            match ends.chain(expiries).min().filter(|(due, ..)| *due <= now) {
                Some((_, 0, _, index)) => {
                    self.messages.remove(index);
                }
                Some((.., index)) => self.offer(index),
                None => break,
            }
        }
    }

    fn offer(&mut self, index: usize) {
        self.offers += 1;
        let message = &mut self.messages[index];
        message.offered = self.offers;
        message.until = None;
        message.in_flight = false;
    }

    fn holder(&self, receipt: ReceiptHandle) -> Option<usize> {
        self.messages.iter().position(|it| it.receipts.contains(&receipt))
    }

    fn holds(&self, index: usize, receipt: ReceiptHandle) -> bool {
        let message = &self.messages[index];
        message.in_flight && message.receipts.last() == Some(&receipt)
    }
}
