//! A naive queue: the rules written down as plainly as they are told, with a list that is searched
//! from end to end. Slow, and obviously right; the queue is compared with it.

use broker::queue::{
    ChangeError, Counts, DeadLetter, DeleteError, Deleted, Delivery, Lapse, Receipts, Settings,
    VISIBILITY_MAX,
};
use broker::{MessageId, ReceiptHandle};
use sim::{SimDuration, SimTime};

#[derive(Clone)]
pub struct NaiveQueue {
    pub settings: Settings,
    messages: Vec<Message>,
    arrived: u64,
    /// Receipts of messages that have left.
    spent: Vec<ReceiptHandle>,
    pub lapses: Vec<Lapse>,
}

#[derive(Clone)]
struct Message {
    message: MessageId,
    sent_at: SimTime,
    order: u64,
    count: u32,
    hidden: Hidden,
    receipts: Vec<ReceiptHandle>,
    received_at: SimTime,
}

#[derive(Clone, Copy, PartialEq)]
enum Hidden {
    Not,
    Delayed(SimTime),
    InFlight(SimTime),
}

impl NaiveQueue {
    pub fn new(settings: Settings) -> Self {
        Self { settings, messages: Vec::new(), arrived: 0, spent: Vec::new(), lapses: Vec::new() }
    }

    pub fn store(&mut self, now: SimTime, letter: DeadLetter, delay: SimDuration) {
        let DeadLetter { message, sent_at, count, .. } = letter;
        let hidden = if delay.is_zero() { Hidden::Not } else { Hidden::Delayed(now + delay) };
        let (order, receipts) = (self.arrived, Vec::new());
        self.arrived += 1;
        let received_at = SimTime::ZERO;
        self.messages.push(Message {
            message,
            sent_at,
            order,
            count,
            hidden,
            receipts,
            received_at,
        });
        self.messages.sort_by_key(|message| (message.sent_at, message.order));
    }

    /// What a receive must come back with. Receipts are the queue's to choose: see
    /// [`NaiveQueue::note`].
    pub fn receive(
        &mut self,
        now: SimTime,
        max: usize,
        timeout: SimDuration,
    ) -> (Vec<(MessageId, u32)>, Vec<DeadLetter>) {
        self.settle(now);
        let (mut delivered, mut dead) = (Vec::new(), Vec::new());
        let room = self.settings.max_in_flight.saturating_sub(self.counts().in_flight) as usize;
        let mut index = 0;
        while index < self.messages.len() && delivered.len() < max.min(room) {
            let message = &mut self.messages[index];
            if message.hidden != Hidden::Not {
                index += 1;
            } else if Some(message.count) >= self.settings.max_receive_count
                && self.settings.max_receive_count.is_some()
            {
                let Message { message, sent_at, count, .. } = *message;
                dead.push(DeadLetter { message, sent_at, count, group: None, source: None });
                self.leave(index);
            } else {
                message.count += 1;
                message.received_at = now;
                if !timeout.is_zero() {
                    message.hidden = Hidden::InFlight(now + timeout);
                }
                delivered.push((message.message, message.count));
                index += 1;
            }
        }
        (delivered, dead)
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

    pub fn change(
        &mut self,
        now: SimTime,
        receipt: ReceiptHandle,
        timeout: SimDuration,
    ) -> Result<SimTime, ChangeError> {
        self.settle_before(now);
        if self.spent.contains(&receipt) {
            return Err(ChangeError::NoSuchMessage);
        }
        let Some(message) = self.messages.iter_mut().find(|it| it.receipts.contains(&receipt))
        else {
            return Err(ChangeError::UnknownReceipt);
        };
        let until = now + timeout;
        let total = until - message.received_at;
        if timeout.is_zero() {
            message.hidden = Hidden::Not;
        } else if total > VISIBILITY_MAX {
            return Err(ChangeError::TooLong { total });
        } else {
            message.hidden = Hidden::InFlight(until);
        }
        Ok(until)
    }

    pub fn delete(&mut self, now: SimTime, receipt: ReceiptHandle) -> Result<Deleted, DeleteError> {
        self.settle_before(now);
        if self.spent.contains(&receipt) {
            return Ok(Deleted::AlreadyGone);
        }
        let Some(index) = self.messages.iter().position(|it| it.receipts.contains(&receipt)) else {
            return Err(DeleteError::UnknownReceipt);
        };
        let Message { message, ref receipts, .. } = self.messages[index];
        if self.settings.receipts == Receipts::Strict && receipts.last() != Some(&receipt) {
            return Err(DeleteError::Superseded { message });
        }
        self.leave(index);
        Ok(Deleted::Removed(message))
    }

    pub fn purge(&mut self, now: SimTime) -> u32 {
        self.settle_before(now);
        let purged = self.messages.len();
        while !self.messages.is_empty() {
            self.leave(0);
        }
        purged as u32
    }

    pub fn settle(&mut self, now: SimTime) {
        while let Some((due, index)) = self.next().filter(|(due, _)| *due <= now) {
            let Message { message, sent_at, count, hidden, .. } = self.messages[index];
            let lapse = if due == sent_at + self.settings.retention {
                self.leave(index);
                Lapse::Expired { message }
            } else {
                self.messages[index].hidden = Hidden::Not;
                match hidden {
                    Hidden::Delayed(_) => Lapse::DelayOver { message },
                    _ => Lapse::Visible { message, count },
                }
            };
            self.lapses.push(lapse);
        }
    }

    pub fn next_deadline(&self) -> Option<SimTime> {
        self.next().map(|(due, _)| due)
    }

    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for message in &self.messages {
            match message.hidden {
                Hidden::Not => counts.available += 1,
                Hidden::Delayed(_) => counts.delayed += 1,
                Hidden::InFlight(_) => counts.in_flight += 1,
            }
        }
        counts
    }

    pub fn available(&self) -> Vec<(MessageId, SimTime)> {
        let on_offer = self.messages.iter().filter(|it| it.hidden == Hidden::Not);
        on_offer.map(|it| (it.message, it.sent_at)).collect()
    }

    pub fn hidden(&self) -> Vec<(MessageId, SimTime)> {
        let until = |it: &Message| match it.hidden {
            Hidden::Not => None,
            Hidden::Delayed(until) | Hidden::InFlight(until) => Some((it.message, until)),
        };
        self.messages.iter().filter_map(until).collect()
    }

    /// The next deadline and whose it is: of one instant expiry first, then the oldest message.
    fn next(&self) -> Option<(SimTime, usize)> {
        let expiries = self
            .messages
            .iter()
            .enumerate()
            .map(|(index, message)| (message.sent_at + self.settings.retention, 0, index));
        let ends =
            self.messages.iter().enumerate().filter_map(|(index, message)| match message.hidden {
                Hidden::Not => None,
                Hidden::Delayed(until) | Hidden::InFlight(until) => Some((until, 1, index)),
            });
        expiries.chain(ends).min().map(|(due, _, index)| (due, index))
    }

    fn settle_before(&mut self, now: SimTime) {
        if let Some(before) = now.checked_sub(SimDuration::from_micros(1)) {
            self.settle(before);
        }
    }

    fn leave(&mut self, index: usize) {
        let mut message = self.messages.remove(index);
        self.spent.append(&mut message.receipts);
    }
}
