//! Queues in a world: their deadlines become calendar events, and idle workers are handed what is
//! on offer. Every rule about the messages themselves is in `broker::queue`.

use broker::queue::{
    BodyId, ChangeError, DeadLetter, DeleteError, Entry, Lapse, Received, WAIT_MAX,
};
use broker::{MessageId, ReceiptHandle};
use scenario::{ComponentId, Kind};
use sim::{Rank, SimDuration, SimTime};

use crate::taking::{Delivery, GiveBack, Receipt};
use crate::world::{Context, Event};
use crate::{Outcome, Refusal, What, WorkerId, World};

impl World {
    /// A message reaches the queue: it is committed and confirmed, or turned down.
    pub(crate) fn queue_store(
        &mut self,
        cx: &mut Context,
        by: ComponentId,
        queue: ComponentId,
        message: MessageId,
        delay: Option<SimDuration>,
    ) -> Outcome {
        let source = self.messages[message].source;
        let bytes = match &cx.scenario.component(source).kind {
            Kind::Source(spec) => spec.bytes,
            _ => 0,
        };
        let now = self.now;
        let body = BodyId(message.index() as u64);
        let entry = Entry { message, bytes, delay, group: None, deduplication: None, body };
        let state = self.queue_mut(queue);
        let Ok(sent) = state.queue.send(now, entry) else {
            self.emit(cx, What::PublishRefused { queue, message });
            return Outcome::Refused;
        };
        let confirm_lost = std::mem::take(&mut state.confirm_loss_armed);
        let entry = &mut self.messages[message];
        entry.queue = Some(queue);
        entry.stored = true;
        self.emit(cx, What::Stored { queue, message, visible_at: sent.visible_at });
        self.settle(queue);
        if confirm_lost {
            self.emit(cx, What::ConfirmLost { by, queue, message });
            Outcome::Timeout
        } else {
            self.emit(cx, What::Confirmed { by, queue, message });
            Outcome::Ok
        }
    }

    /// After any change of a queue: its next deadline is on the calendar, and if somebody waits
    /// for what is on offer, it will be handed out at the end of this instant.
    pub(crate) fn queue_settle(&mut self, id: ComponentId) {
        let now = self.now;
        let state = self.queue_mut(id);
        let deadline = state.queue.next_deadline();
        let timer = deadline.filter(|&at| state.timer.is_none_or(|set| at < set));
        if let Some(at) = timer {
            state.timer = Some(at);
        }
        let hand_out =
            !state.handing_out && !state.waiting.is_empty() && state.queue.has_deliverable();
        state.handing_out |= hand_out;
        if let Some(at) = timer {
            self.schedule(at.max(now), Rank::Timer, Event::Deadline { queue: id });
        }
        if hand_out {
            self.schedule(now, Rank::Dispatch, Event::HandOut { queue: id });
        }
    }

    /// A queue's deadline comes due.
    pub(crate) fn queue_deadline(&mut self, cx: &mut Context, id: ComponentId) {
        let now = self.now;
        let state = self.queue_mut(id);
        if state.timer == Some(now) {
            state.timer = None;
        }
        let mut lapses = Vec::new();
        state.queue.advance(now, &mut lapses);
        for lapse in lapses {
            match lapse {
                Lapse::DelayOver { message, .. } => {
                    self.emit(cx, What::Available { queue: id, message });
                }
                Lapse::Visible { message, count, .. } => {
                    self.emit(cx, What::Lapsed { queue: id, message, count });
                }
                Lapse::Expired { message, .. } => {
                    self.queue_mut(id).expired += 1;
                    self.messages[message].queue = None;
                    self.emit(cx, What::Expired { queue: id, message });
                    self.check_lost(cx, message);
                }
            }
        }
        self.settle(id);
    }

    /// Hands what is on offer to the workers that wait, the one idle for longest first.
    pub(crate) fn queue_hand_out(&mut self, cx: &mut Context, id: ComponentId) {
        self.queue_mut(id).handing_out = false;
        let mut received = Received::default();
        while let Some(&worker) = self.queue_mut(id).waiting.front() {
            let Kind::Workers(spec) = &cx.scenario.component(worker.component).kind else { return };
            received.deliveries.clear();
            received.dead.clear();
            let now = self.now;
            let queue = &mut self.queue_mut(id).queue;
            // A worker that waits at a queue is a long poll: over the in-flight cap it gets
            // nothing, and no error.
            if queue.receive_waiting(now, spec.receive_max, None, WAIT_MAX, &mut received).is_err()
            {
                break;
            }
            for &dead in &received.dead {
                self.dead_letter(cx, id, dead);
            }
            if received.deliveries.is_empty() {
                if received.dead.is_empty() || !self.queue_mut(id).queue.has_deliverable() {
                    break;
                }
                continue;
            }
            self.queue_mut(id).waiting.pop_front();
            let deliveries = received.deliveries.iter().map(|taken| Delivery {
                queue: id,
                message: taken.message,
                receipt: Receipt::Handle(taken.receipt),
                count: taken.count,
                until: Some(taken.until),
            });
            self.deliver(cx, worker, &deliveries.collect::<Vec<_>>());
        }
        self.settle(id);
    }

    /// Moves a message that was received too often.
    fn dead_letter(&mut self, cx: &mut Context, from: ComponentId, dead: DeadLetter) {
        let Kind::Queue(spec) = &cx.scenario.component(from).kind else { return };
        let to = spec.dead_letter_to.expect("a receive limit comes with a queue to move to");
        self.dead_letter_to(cx, from, to, dead);
    }

    /// Moves a message from one queue, which has it no longer, to another.
    pub(crate) fn dead_letter_to(
        &mut self,
        cx: &mut Context,
        from: ComponentId,
        to: ComponentId,
        dead: DeadLetter,
    ) {
        self.queue_mut(from).dead_lettered += 1;
        let now = self.now;
        self.queue_mut(to).queue.accept_dead_letter(now, dead);
        let message = &mut self.messages[dead.message];
        message.queue = Some(to);
        message.dead_lettered = true;
        let (message, count) = (dead.message, dead.count);
        self.emit(cx, What::DeadLettered { from, to, message, count });
        self.settle(to);
    }

    /// An ack is a delete with the receipt of the receive.
    pub(crate) fn queue_ack(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        delivery: Delivery,
    ) -> Outcome {
        let now = self.now;
        let Delivery { queue, message, receipt, .. } = delivery;
        match self.queue_mut(queue).queue.delete(now, handle(receipt)) {
            Ok(_) if self.messages[message].queue == Some(queue) => {
                self.queue_mut(queue).note_acked(message);
                let entry = &mut self.messages[message];
                entry.queue = None;
                entry.acked = true;
                self.emit(cx, What::Acked { queue, message, worker });
                self.settle(queue);
                Outcome::Ok
            }
            // Deleting what is gone already is no error, and changes nothing.
            Ok(_) => Outcome::Ok,
            Err(error) => self.delete_refused(cx, worker, delivery, error),
        }
    }

    fn delete_refused(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        delivery: Delivery,
        error: DeleteError,
    ) -> Outcome {
        let Delivery { queue, message, .. } = delivery;
        let why = match error {
            DeleteError::Superseded { .. } | DeleteError::Expired { .. } => Refusal::StaleReceipt,
            DeleteError::UnknownReceipt => Refusal::NoSuchMessage,
        };
        self.emit(cx, What::AckRefused { queue, message, worker, why });
        Outcome::Refused
    }

    /// A message that a worker puts aside is deleted here and stored there.
    pub(crate) fn queue_put_aside(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        delivery: Delivery,
        to: Option<ComponentId>,
    ) -> Outcome {
        let Delivery { queue: from, message, receipt, count, .. } = delivery;
        let Kind::Queue(spec) = &cx.scenario.component(from).kind else { return Outcome::Refused };
        let Some(to) = to.or(spec.dead_letter_to) else { return Outcome::Refused };
        let now = self.now;
        match self.queue_mut(from).queue.delete(now, handle(receipt)) {
            Ok(_) if self.messages[message].queue == Some(from) => {
                let sent_at = self.messages[message].created;
                let dead = DeadLetter { message, sent_at, count, group: None, source: None };
                self.dead_letter_to(cx, from, to, dead);
                self.settle(from);
                Outcome::Ok
            }
            Ok(_) => Outcome::Ok,
            Err(error) => self.delete_refused(cx, worker, delivery, error),
        }
    }

    /// Gives a message back, as SQS has it: by moving the end of its hidden time to a delay from
    /// now.
    pub(crate) fn queue_give_back(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        delivery: Delivery,
        how: GiveBack,
    ) -> Outcome {
        let GiveBack::Requeue { delay } = how;
        let Delivery { queue, message, receipt, .. } = delivery;
        match self.change_visibility(queue, handle(receipt), delay) {
            Ok(visible_at) => {
                self.emit(cx, What::Nacked { queue, message, worker, visible_at });
                self.settle(queue);
                Outcome::Ok
            }
            Err(why) => {
                self.emit(cx, What::ExtendRefused { queue, message, worker, why });
                Outcome::Refused
            }
        }
    }

    /// Moves the end of the hidden time to a moment from now.
    pub(crate) fn queue_extend(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        delivery: Delivery,
        to: SimDuration,
    ) -> Outcome {
        let Delivery { queue, message, receipt, .. } = delivery;
        match self.change_visibility(queue, handle(receipt), to) {
            Ok(until) => {
                self.emit(cx, What::Extended { queue, message, worker, until });
                self.settle(queue);
                Outcome::Ok
            }
            Err(why) => {
                self.emit(cx, What::ExtendRefused { queue, message, worker, why });
                Outcome::Refused
            }
        }
    }

    fn change_visibility(
        &mut self,
        queue: ComponentId,
        receipt: ReceiptHandle,
        to: SimDuration,
    ) -> Result<SimTime, Refusal> {
        let now = self.now;
        self.queue_mut(queue).queue.change_visibility(now, receipt, to).map_err(|error| match error
        {
            ChangeError::TooLong { .. } | ChangeError::OutOfRange { .. } => Refusal::TooLong,
            ChangeError::NoSuchMessage | ChangeError::UnknownReceipt => Refusal::NoSuchMessage,
            ChangeError::Expired { .. } => Refusal::StaleReceipt,
        })
    }
}

fn handle(receipt: Receipt) -> ReceiptHandle {
    let Receipt::Handle(handle) = receipt;
    handle
}
