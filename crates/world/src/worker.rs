//! Workers: processes that take a message, run the handler over it, and take the next.

use broker::MessageId;
use patterns::retry::FailureClass;
use patterns::retry::policy::{Decision, Wish};
use scenario::{
    Act, Batch, Kind, OnError, Permanent, StepIndex, Then, Waits, WorkerRetry, Workers,
};
use sim::{Rank, SimDuration};

use crate::activity::{Activity, Ending, Progress};
use crate::parts::{Caller, Hands, Part, Phase};
use crate::retry::Trying;
use crate::taking::{Delivery, Receipt};
use crate::world::{Context, Event};
use crate::{Outcome, What, WorkerId, World};

impl World {
    /// A broker has handed these to a worker. It begins with the first, unless it has its hands
    /// full or is frozen.
    pub(crate) fn deliver(&mut self, cx: &mut Context, id: WorkerId, deliveries: &[Delivery]) {
        let spec = workers(cx, id);
        for &Delivery { queue, message, receipt, count, until } in deliveries {
            let entry = &mut self.messages[message];
            entry.receives = count;
            entry.taken_by = Some(id);
            entry.holders += 1;
            let worker = id;
            let what = match (receipt, self.group_of(worker)) {
                (Receipt::Offset(place), Some(group)) => {
                    What::Fetched { group, worker, message, place, count }
                }
                _ => What::Received { queue, message, worker, receipt, count, until },
            };
            self.emit(cx, what);
        }
        let worker = self.worker_mut(id);
        worker.pending.extend(deliveries);
        if worker.process.phase == Phase::Idle {
            self.begin_delivery(id, spec, &spec.receive_takes);
        }
    }

    /// A worker with empty hands begins what has been handed to it meanwhile, or waits for more.
    pub(crate) fn go_on(&mut self, cx: &mut Context, id: WorkerId) {
        let spec = workers(cx, id);
        let worker = self.worker_mut(id);
        worker.process.phase = Phase::Idle;
        if worker.pending.is_empty() {
            if !self.stops(cx, id) && !self.is_cut_off(cx, id) {
                self.consumer_waits(cx.scenario, id);
            }
        } else {
            self.begin_delivery(id, spec, &sim::Times::Constant(SimDuration::ZERO));
        }
    }

    /// Takes the next delivery in hand; it arrives, or is looked at, after `takes`.
    fn begin_delivery(&mut self, id: WorkerId, spec: &Workers, takes: &sim::Times) {
        let now = self.now;
        let worker = self.worker_mut(id);
        let Some(next) = worker.pending.pop_front() else { return };
        let takes = takes.sample(&mut worker.process.stream);
        let takes = worker.process.scaled(now, takes);
        let mut activity = Activity::new(next.message, now, takes);
        // The memory of the last one is used again.
        activity.done = worker.hands.take().map(|hands| hands.activity.done).unwrap_or_default();
        activity.done.clear();
        worker.process.phase = Phase::Working;
        worker.deliveries += 1;
        let delivery = worker.deliveries;
        let settled = next.receipt == Receipt::Nothing;
        worker.hands = Some(Hands { delivery: next, activity, settled });
        self.schedule_step(Caller::Worker(id), now + takes);
        if let Some(beat) = spec.heartbeat {
            self.schedule(
                now + beat.every,
                Rank::Finish,
                Event::Heartbeat { worker: id, delivery },
            );
        }
    }

    /// A delivery leaves a worker's hands; the worker takes the next.
    pub(crate) fn end_delivery(&mut self, cx: &mut Context, id: WorkerId, ending: Ending) {
        let spec = workers(cx, id);
        if spec.taking.batch != Batch::Each {
            self.end_item(cx, id, ending);
            return;
        }
        let hands = self.hands_mut(id);
        let (delivery, settled) = (hands.delivery, hands.settled);
        let message = delivery.message;
        // Where the work on the event was done before, nothing is left to do.
        let wanted = self.work_on(cx.scenario, &spec.on_message, message);
        let known = self.is_worked(id, message, wanted);
        let done = ending == Ending::Finished && (known || wanted == 0);
        match (ending, &spec.on_error) {
            (Ending::Finished, _) => self.messages[message].done |= done,
            (Ending::Failed(_), OnError::Nack { delay }) if !settled => {
                self.give_back(cx, id, delivery, *delay);
            }
            (Ending::Failed(_), OnError::DeadLetter) if !settled => {
                self.put_aside(cx, id, delivery, None);
            }
            (Ending::Failed(outcome), OnError::Retry(retry)) if !settled => {
                self.give_up(cx, id, retry, outcome);
            }
            (Ending::Failed(_), _) => {}
        }
        self.messages[message].holders -= 1;
        self.delivery_over(cx, id, delivery, done);
        self.check_lost(cx, message);
        let worker = self.worker_mut(id);
        if worker.pending.is_empty() {
            worker.hands = None;
            worker.deliveries += 1;
        }
        self.go_on(cx, id);
    }

    /// Whether the work on the event that a message tells of has been done in full.
    fn is_worked(&self, id: WorkerId, message: MessageId, wanted: u64) -> bool {
        let Part::Workers(state) = &self.parts[id.component.index()] else { return false };
        let event = self.messages.event(message);
        let found = state.worked.binary_search_by_key(&event, |(event, _)| *event);
        found.is_ok_and(|at| state.worked[at].1 & wanted == wanted)
    }

    /// A message that a branch has published elsewhere, to a retry queue or a dead-letter topic, is
    /// somebody else's work from then on; and what a branch commits is what it had to do about it.
    pub(crate) fn note_passed_on(
        &mut self,
        cx: &Context,
        runner: Caller,
        message: MessageId,
        step: StepIndex,
    ) {
        let Caller::Worker(id) = runner else { return };
        let spec = workers(cx, id);
        if step.index() >= spec.on_message.main {
            self.messages[message].done = true;
            self.log_moved(id, spec.from, message);
        }
    }

    /// A handler has decided that nothing is to be done about a message.
    fn is_nothing_to_do(&mut self, id: WorkerId, delivery: Delivery) {
        self.messages[delivery.message].done = true;
        self.log_moved(id, delivery.queue, delivery.message);
    }

    /// A handler has failed: whether the worker runs it again itself, after a wait.
    pub(crate) fn tries_again(&mut self, cx: &mut Context, id: WorkerId, ending: Ending) -> bool {
        let (Ending::Failed(outcome), OnError::Retry(retry)) = (ending, &workers(cx, id).on_error)
        else {
            return false;
        };
        let hands = self.hands_mut(id);
        let aside = goes_aside(retry, outcome);
        if retry.waits != Waits::InProcess || hands.settled || aside {
            return false;
        }
        let (message, started) = (hands.delivery.message, hands.activity.started);
        let mut whole = hands
            .activity
            .whole
            .take()
            .unwrap_or_else(|| Box::new(Trying::start(&retry.policy, started)));
        let now = self.now;
        let class = class_for(retry, outcome);
        let stream = &mut self.worker_mut(id).process.stream;
        let decision = whole.retries.fail(&retry.policy, now, class, Wish::Nothing, stream);
        self.hands_mut(id).activity.whole = Some(whole);
        let Decision::Retry { attempt, at } = decision else { return false };
        self.emit(cx, What::Retrying { by: id.component, message, attempt, at });
        self.wait_until(Caller::Worker(id), at, Progress::RunAgain);
        true
    }

    /// A handler has failed, and the worker does not run it again: the message waits in its queue
    /// for the next attempt, or is at the end of them.
    fn give_up(&mut self, cx: &mut Context, id: WorkerId, retry: &WorkerRetry, outcome: Outcome) {
        let delivery = self.hands_mut(id).delivery;
        let Delivery { message, count, .. } = delivery;
        if goes_aside(retry, outcome) {
            self.put_aside(cx, id, delivery, None);
            return;
        }
        let most = match class_for(retry, outcome) {
            FailureClass::Unknown => retry.policy.unknown_attempts.or(retry.policy.attempts),
            _ => retry.policy.attempts,
        };
        if retry.waits == Waits::InQueue && most.is_none_or(|most| count < most) {
            let before = self.messages[message].waited;
            let mut delays = retry.policy.backoff.delays_after(count.saturating_sub(1), before);
            let delay = delays.next(&mut self.worker_mut(id).process.stream);
            self.messages[message].waited = delay;
            self.give_back(cx, id, delivery, delay);
            return;
        }
        let whole = self.hands_mut(id).activity.whole.as_ref();
        let attempts = whole.map_or(count, |whole| whole.retries.attempt());
        self.emit(cx, What::GaveUp { by: id.component, message, attempts });
        match retry.then {
            Then::DeadLetter => self.put_aside(cx, id, delivery, None),
            Then::Drop => self.settle_ack(cx, id, delivery),
            Then::Leave => Outcome::Ok,
        };
    }

    /// A line that settles a delivery comes to its end: the broker hears it.
    pub(crate) fn settle_delivery(&mut self, cx: &mut Context, id: WorkerId, act: &Act) -> Outcome {
        let hands = self.hands_mut(id);
        let delivery = hands.delivery;
        hands.settled |= act.ends_delivery();
        let cut = self.is_cut(id.component, delivery.queue);
        if matches!(act, Act::Drop { .. }) {
            self.is_nothing_to_do(id, delivery);
        }
        match *act {
            // What it says does not arrive, and it does not know.
            _ if cut => {
                let Delivery { queue, message, .. } = delivery;
                self.emit(cx, What::AckLost { queue, message, worker: id });
                Outcome::Ok
            }
            Act::Ack { .. } | Act::Drop { .. }
                if std::mem::take(&mut self.worker_mut(id).ack_loss_armed) =>
            {
                let Delivery { queue, message, .. } = delivery;
                self.emit(cx, What::AckLost { queue, message, worker: id });
                Outcome::Ok
            }
            Act::Ack { .. } | Act::Drop { .. } => self.settle_ack(cx, id, delivery),
            Act::Nack { delay, .. } => self.give_back(cx, id, delivery, delay),
            Act::Extend { to, .. } => self.extend(cx, id, delivery, to),
            Act::DeadLetter { to, .. } => self.put_aside(cx, id, delivery, to),
            _ => Outcome::Ok,
        }
    }

    /// A worker says "still at it", while it is.
    pub(crate) fn heartbeat(&mut self, cx: &mut Context, id: WorkerId, number: u32) {
        let Some(beat) = workers(cx, id).heartbeat else { return };
        let now = self.now;
        let worker = self.worker_mut(id);
        if worker.deliveries != number {
            return;
        }
        let Some(hands) = &worker.hands else { return };
        let (delivery, settled) = (hands.delivery, hands.settled);
        let again = Event::Heartbeat { worker: id, delivery: number };
        match worker.process.phase {
            Phase::Working if !settled => {
                self.extend(cx, id, delivery, beat.extend_to);
                self.schedule(now + beat.every, Rank::Finish, again);
            }
            // A frozen process sends nothing; it catches up when it goes on.
            // Its waking has been a timer of that instant for longer, and comes first.
            Phase::Paused { until, .. } if !settled => {
                self.schedule(until, Rank::Timer, again);
            }
            _ => {}
        }
    }

    pub(crate) fn hands_mut(&mut self, id: WorkerId) -> &mut Hands {
        self.worker_mut(id).hands.as_mut().expect("a working worker has a message in hand")
    }
}

/// Whether a failure puts a message aside at once.
fn goes_aside(retry: &WorkerRetry, outcome: Outcome) -> bool {
    let hopeless = outcome.class() == Some(FailureClass::Permanent);
    hopeless && retry.permanent == Permanent::DeadLettered
}

/// The class that a failure counts as: a permanent one like any other, unless it is put aside.
fn class_for(retry: &WorkerRetry, outcome: Outcome) -> FailureClass {
    match (outcome.class(), retry.permanent) {
        (Some(FailureClass::Permanent), Permanent::Retried) | (None, _) => FailureClass::Transient,
        (Some(class), _) => class,
    }
}

pub(crate) fn workers<'a>(cx: &Context<'a>, id: WorkerId) -> &'a Workers {
    match &cx.scenario.component(id.component).kind {
        Kind::Workers(spec) => spec,
        _ => unreachable!("validation makes it a worker"),
    }
}
