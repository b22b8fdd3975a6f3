//! Queues of SQS in a world: their deadlines become calendar events, and idle workers are handed
//! what is on offer.

use broker::queue::{
    self, AttemptId, BodyId, ChangeError, DeadLetter, Deduplicate, DeduplicationId, DeleteError,
    Deleted, Entry, GroupId, Lapse, Novelty, Poll, Queue, Received, Sample, WAIT_MAX,
};
use broker::{MessageId, ReceiptHandle};
use scenario::{Attempts, ComponentId, Kind};
use sim::{Rank, SimDuration, SimTime};

use super::{Engine, text_of};
use crate::taking::{Delivery, Receipt};
use crate::worker::workers;
use crate::world::{Context, Event};
use crate::{Death, Outcome, Refusal, What, WorkerId, World};

impl World {
    /// A message reaches the queue: it is committed and confirmed, or turned down.
    pub(super) fn sqs_store(
        &mut self,
        cx: &mut Context,
        queue: ComponentId,
        message: MessageId,
        delay: Option<SimDuration>,
    ) -> Outcome {
        let now = self.now;
        let entry = self.entry(cx, queue, message, delay);
        let Ok(sent) = self.sqs_mut(queue).send(now, entry) else {
            return Outcome::Refused;
        };
        match sent.novelty {
            Novelty::Stored => {
                self.took(cx, queue, message, sent.visible_at);
                self.settle(queue);
            }
            Novelty::Duplicate => {
                let original = sent.message;
                self.emit(cx, What::Deduplicated { queue, message, original });
            }
        }
        Outcome::Ok
    }

    /// A message with what stands on its envelope.
    fn entry(
        &mut self,
        cx: &Context,
        queue: ComponentId,
        message: MessageId,
        delay: Option<SimDuration>,
    ) -> Entry {
        let scenario = cx.scenario;
        let bytes = self.bytes_of(scenario, message);
        let id = self.field_of(scenario, message, |address| address.deduplication.as_ref());
        let id = id.map(text_of);
        let group = self.tenant_of(scenario, message);
        let root = self.messages.root(message);
        // What differs in no text differs by its message: numbers of texts stay far below.
        let own = u64::from(u32::MAX) + 1 + root.index() as u64;
        let id = id.map(|text| u64::from(self.number_of(&text)));
        let deduplication = match self.sqs_mut(queue).settings().kind {
            queue::Kind::Fifo(fifo) if fifo.deduplicate == Deduplicate::ById => id.or(Some(own)),
            queue::Kind::Fifo(_) => id,
            queue::Kind::Standard | queue::Kind::Fair(_) => None,
        };
        let deduplication = deduplication.map(DeduplicationId::Chosen);
        let body = self.messages[message].payload.map_or(own, u64::from);
        let (group, body) = (Some(GroupId(group)), BodyId(body));
        Entry { message, bytes, delay, group, deduplication, body }
    }

    fn sqs_mut(&mut self, id: ComponentId) -> &mut Queue {
        match &mut self.queue_mut(id).engine {
            Engine::Sqs(queue) => queue,
            _ => unreachable!("the caller has looked"),
        }
    }

    /// After any change of a queue: its next deadline is on the calendar, and if somebody waits
    /// for what is on offer, it will be handed out at the end of this instant.
    pub(super) fn sqs_settle(&mut self, id: ComponentId) {
        let now = self.now;
        let queue = self.sqs_mut(id);
        let (deadline, any) = (queue.next_deadline(), queue.has_deliverable());
        let state = self.queue_mut(id);
        let timer = deadline.filter(|&at| state.timer.is_none_or(|set| at < set));
        if let Some(at) = timer {
            state.timer = Some(at);
        }
        let hand_out = any && !state.handing_out && !state.waiting.is_empty();
        state.handing_out |= hand_out;
        if let Some(at) = timer {
            self.schedule(at.max(now), Rank::Timer, Event::Deadline { queue: id });
        }
        if hand_out {
            self.schedule(now, Rank::Dispatch, Event::HandOut { queue: id });
        }
    }

    /// A queue's deadline comes due.
    pub(super) fn sqs_deadline(&mut self, cx: &mut Context, id: ComponentId) {
        let now = self.now;
        let state = self.queue_mut(id);
        if state.timer == Some(now) {
            state.timer = None;
        }
        let mut lapses = Vec::new();
        self.sqs_mut(id).advance(now, &mut lapses);
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

    /// Hands what is on offer to the workers that wait, the one idle for longest first. One that
    /// has lanes takes from the lane whose turn it is.
    pub(super) fn sqs_hand_out(&mut self, cx: &mut Context, id: ComponentId) {
        self.queue_mut(id).handing_out = false;
        while let Some(&worker) = self.queue_mut(id).waiting.front() {
            let lane = self.next_lane(cx, worker, id);
            // A worker that waits at a queue is a long poll: over the in-flight cap it gets
            // nothing, and no error.
            if self.sqs_receive(cx, lane, worker, WAIT_MAX, None) == 0 {
                break;
            }
        }
        self.settle(id);
    }

    /// A worker receives. Says how many messages it got.
    pub(super) fn sqs_receive(
        &mut self,
        cx: &mut Context,
        id: ComponentId,
        worker: WorkerId,
        wait: SimDuration,
        sample: Option<Sample>,
    ) -> usize {
        let now = self.now;
        let max = workers(cx, worker).receive_max;
        let named = workers(cx, worker).taking.attempts == Attempts::Named;
        let attempt = named.then(|| AttemptId(u64::from(self.ticket())));
        let poll = Poll { max, visibility: None, wait, attempt, sample };
        let mut received = Received::default();
        loop {
            if self.sqs_mut(id).poll(now, poll, &mut received).is_err() {
                return 0;
            }
            for &dead in &received.dead {
                self.dead_letter(cx, id, dead);
            }
            let arrives = !received.deliveries.is_empty();
            if arrives && std::mem::take(&mut self.worker_mut(worker).receive_loss_armed) {
                self.receive_is_lost(cx, id, worker, &received);
                // Its client asks again at once: for the same, if it can say so.
                continue;
            }
            if arrives {
                break;
            }
            if received.dead.is_empty() || !self.sqs_mut(id).has_deliverable() {
                return 0;
            }
        }
        self.leave_lines(cx, worker);
        let deliveries = received.deliveries.iter().map(|taken| Delivery {
            queue: id,
            message: taken.message,
            receipt: Receipt::Handle(taken.receipt),
            count: taken.count,
            until: Some(taken.until),
        });
        let deliveries: Vec<_> = deliveries.collect();
        self.deliver(cx, worker, &deliveries);
        if std::mem::take(&mut self.queue_mut(id).duplicate_armed) {
            self.show_again(cx, deliveries[0]);
        }
        self.settle(id);
        deliveries.len()
    }

    /// What a queue has handed out does not get through to the worker.
    fn receive_is_lost(
        &mut self,
        cx: &mut Context,
        queue: ComponentId,
        worker: WorkerId,
        received: &Received,
    ) {
        for taken in &received.deliveries {
            let (message, count, until) = (taken.message, taken.count, taken.until);
            let entry = &mut self.messages[message];
            entry.receives = count;
            entry.taken_by = Some(worker);
            self.emit(cx, What::ReceiveLost { queue, message, worker, count, until });
        }
        self.settle(queue);
    }

    /// One of the servers that a queue is spread over does not know yet that a message is out.
    fn show_again(&mut self, cx: &mut Context, delivery: Delivery) {
        let Delivery { queue, message, receipt, .. } = delivery;
        if self.change_visibility(queue, handle(receipt), SimDuration::ZERO).is_ok() {
            self.emit(cx, What::Duplicated { queue, message });
        }
    }

    /// Moves a message that was received too often.
    fn dead_letter(&mut self, cx: &mut Context, from: ComponentId, dead: DeadLetter) {
        let Kind::Queue(spec) = &cx.scenario.component(from).kind else { return };
        let to = spec.dead_letter_to.expect("a receive limit comes with a queue to move to");
        self.queue_mut(from).dead_lettered += 1;
        let now = self.now;
        self.sqs_mut(to).accept_dead_letter(now, dead);
        let message = &mut self.messages[dead.message];
        message.queue = Some(to);
        message.dead_lettered = true;
        let (message, count) = (dead.message, dead.count);
        let why = Death::Receives;
        self.emit(cx, What::DeadLettered { from, to, message, count, why });
        self.settle(to);
    }

    /// An ack is a delete with the receipt of the receive.
    pub(super) fn sqs_ack(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        delivery: Delivery,
    ) -> Outcome {
        let now = self.now;
        let Delivery { queue, message, receipt, .. } = delivery;
        match self.sqs_mut(queue).delete(now, handle(receipt)) {
            Ok(Deleted::Removed(_)) => {
                self.note_gone(queue, message);
                self.emit(cx, What::Acked { queue, message, worker });
                self.settle(queue);
                Outcome::Ok
            }
            // Deleting what is gone already is no error, and changes nothing.
            Ok(Deleted::AlreadyGone) => Outcome::Ok,
            Err(error) => self.delete_refused(cx, worker, delivery, error),
        }
    }

    /// Gives a message back, as SQS has it: by moving the end of its hidden time to a delay from
    /// now.
    pub(super) fn sqs_give_back(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        delivery: Delivery,
        delay: SimDuration,
    ) -> Outcome {
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

    /// SQS has no reject: a worker that puts a message aside deletes it here and stores it there.
    pub(super) fn sqs_put_aside(
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
        match self.sqs_mut(from).delete(now, handle(receipt)) {
            Ok(Deleted::Removed(_)) => {
                self.settle(from);
                self.queue_mut(from).dead_lettered += 1;
                self.accept_aside(cx, from, to, message, count);
                Outcome::Ok
            }
            Ok(Deleted::AlreadyGone) => Outcome::Ok,
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

    /// Takes in what was put aside from another queue.
    pub(super) fn sqs_accept(
        &mut self,
        cx: &Context,
        to: ComponentId,
        message: MessageId,
        count: u32,
    ) {
        let (now, sent_at) = (self.now, self.messages[message].created);
        let group = Some(GroupId(self.tenant_of(cx.scenario, message)));
        let dead = DeadLetter { message, sent_at, count, group, source: None };
        self.sqs_mut(to).accept_dead_letter(now, dead);
    }

    /// Moves the end of the hidden time to a moment from now.
    pub(super) fn sqs_extend(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        delivery: Delivery,
        to: SimDuration,
    ) -> Outcome {
        let Delivery { queue, message, receipt, .. } = delivery;
        match self.change_visibility(queue, handle(receipt), to) {
            Ok(until) => {
                self.hears_of_end(worker, queue, message, until);
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
        self.sqs_mut(queue).change_visibility(now, receipt, to).map_err(|error| match error {
            ChangeError::TooLong { .. } | ChangeError::OutOfRange { .. } => Refusal::TooLong,
            ChangeError::NoSuchMessage | ChangeError::UnknownReceipt => Refusal::NoSuchMessage,
            ChangeError::Expired { .. } => Refusal::StaleReceipt,
        })
    }
}

fn handle(receipt: Receipt) -> ReceiptHandle {
    match receipt {
        Receipt::Handle(handle) => handle,
        _ => ReceiptHandle::GARBAGE,
    }
}
