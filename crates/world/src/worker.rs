//! Workers: processes that take a message, run the handler line by line, and take the next.
//!
//! A worker believes what it is told and knows nothing else: after a pause, a lost ack or a lapsed
//! visibility timeout it goes on as if the message were still its own.

use broker::MessageId;
use scenario::{Act, ComponentId, Kind, OnError, StepIndex, Workers};
use sim::{Rank, SimDuration, SimTime};

use crate::parts::{Call, Caller, Hands, Phase, Progress, Worker};
use crate::taking::{Delivery, GiveBack};
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
            self.emit(cx, What::Received { queue, message, worker: id, receipt, count, until });
        }
        let worker = self.worker_mut(id);
        worker.pending.extend(deliveries);
        if worker.phase == Phase::Idle {
            self.begin_delivery(id, spec, spec.receive_takes);
        }
    }

    /// A worker with empty hands begins what has been handed to it meanwhile, or waits for more.
    pub(crate) fn go_on(&mut self, cx: &mut Context, id: WorkerId) {
        let spec = workers(cx, id);
        let worker = self.worker_mut(id);
        worker.phase = Phase::Idle;
        if worker.pending.is_empty() {
            self.consumer_waits(cx.scenario, id);
        } else {
            self.begin_delivery(id, spec, sim::Times::Constant(SimDuration::ZERO));
        }
    }

    /// Takes the next delivery in hand; it arrives, or is looked at, after `takes`.
    fn begin_delivery(&mut self, id: WorkerId, spec: &Workers, takes: sim::Times) {
        let now = self.now;
        let worker = self.worker_mut(id);
        let Some(next) = worker.pending.pop_front() else { return };
        let takes = takes.sample(&mut worker.stream);
        let takes = worker.scaled(now, takes);
        let mut done = worker.hands.take().map(|hands| hands.done).unwrap_or_default();
        done.clear();
        worker.phase = Phase::Working;
        worker.deliveries += 1;
        let delivery = worker.deliveries;
        worker.hands = Some(Hands {
            delivery: next,
            started: now,
            step: None,
            step_started: now,
            step_ends: now + takes,
            progress: Progress::Step,
            done,
            settled: false,
        });
        self.schedule_step(id, now + takes);
        if let Some(beat) = spec.heartbeat {
            self.schedule(
                now + beat.every,
                Rank::Finish,
                Event::Heartbeat { worker: id, delivery },
            );
        }
    }

    pub(crate) fn schedule_step(&mut self, id: WorkerId, at: SimTime) {
        let worker = self.worker_mut(id);
        worker.generation += 1;
        let generation = worker.generation;
        self.schedule(at, Rank::Finish, Event::Step { worker: id, generation });
    }

    /// A worker's own clock says that what it is at has come to its end.
    pub(crate) fn step_due(&mut self, cx: &mut Context, id: WorkerId, generation: u32) {
        let worker = self.worker_mut(id);
        if worker.generation != generation || worker.phase != Phase::Working {
            return;
        }
        let Some(hands) = &worker.hands else { return };
        let Some(step) = hands.step else {
            self.begin_step(cx, id, StepIndex::FIRST);
            return;
        };
        match hands.progress {
            Progress::Answered(outcome) => self.end_step(cx, id, step, outcome),
            Progress::Step => self.carry_out(cx, id, step),
            Progress::Call(_) => {}
        }
    }

    fn begin_step(&mut self, cx: &mut Context, id: WorkerId, step: StepIndex) {
        let spec = workers(cx, id);
        let Some(line) = spec.on_message.step(step) else {
            self.end_delivery(cx, id, Ending::Finished);
            return;
        };
        let now = self.now;
        let message = self.hands(id).delivery.message;
        self.emit(cx, What::StepStarted { worker: id, message, step });
        let poisoned = self.messages[message].poison;
        let worker = self.worker_mut(id);
        let times = match &line.act {
            Act::Wait { time } => time,
            Act::Ack { takes } | Act::Nack { takes, .. } | Act::Extend { takes, .. } => takes,
            Act::Call { to, timeout } if !poisoned => {
                self.call(cx, id, *to, *timeout, message, step);
                return;
            }
            // A handler that cannot read the message throws before it has asked anybody.
            Act::Call { .. } => &sim::Times::Constant(SimDuration::ZERO),
            Act::Publish { .. } | Act::Respond { .. } => {
                unreachable!("validation keeps requests' lines out of workers' handlers")
            }
        };
        let takes = times.sample(&mut worker.stream);
        let ends = now + worker.scaled(now, takes);
        self.place(id, step, ends, Progress::Step);
        self.schedule_step(id, ends);
    }

    fn place(&mut self, id: WorkerId, step: StepIndex, ends: SimTime, progress: Progress) {
        let now = self.now;
        let hands = self.hands_mut(id);
        hands.step = Some(step);
        hands.step_started = now;
        hands.step_ends = ends;
        hands.progress = progress;
    }

    fn call(
        &mut self,
        cx: &mut Context,
        id: WorkerId,
        external: ComponentId,
        timeout: Option<SimDuration>,
        message: MessageId,
        step: StepIndex,
    ) {
        let (call, ends) = self.begin_call(cx, external, Caller::Worker(id), message, step);
        let now = self.now;
        let worker = self.worker_mut(id);
        worker.generation += 1;
        let generation = worker.generation;
        let seen = now + worker.scaled(now, ends - now);
        self.place(id, step, seen, Progress::Call(call));
        if let Some(timeout) = timeout {
            let at = now + timeout;
            self.schedule(at, Rank::Timer, Event::Timeout { worker: id, generation });
        }
    }

    /// The answer to a worker's call is there. A worker that has crashed since does not hear it.
    pub(crate) fn worker_answered(
        &mut self,
        cx: &mut Context,
        id: WorkerId,
        number: u32,
        call: &Call,
        outcome: Outcome,
    ) {
        let now = self.now;
        let worker = self.worker_mut(id);
        let Some(hands) = &mut worker.hands else { return };
        if matches!(worker.phase, Phase::Down { .. }) || hands.progress != Progress::Call(number) {
            return;
        }
        hands.progress = Progress::Answered(outcome);
        let late = worker.scaled(now, now - call.departed).saturating_sub(now - call.departed);
        let paused = matches!(worker.phase, Phase::Paused { .. });
        if paused {
            return;
        }
        if late == SimDuration::ZERO {
            self.end_step(cx, id, call.step, outcome);
        } else {
            self.hands_mut(id).step_ends = now + late;
            self.schedule_step(id, now + late);
        }
    }

    /// A worker has waited long enough for an answer. What it asked for may happen all the same.
    pub(crate) fn call_times_out(&mut self, cx: &mut Context, id: WorkerId, generation: u32) {
        let worker = self.worker_mut(id);
        if worker.generation != generation {
            return;
        }
        let Some(hands) = &mut worker.hands else { return };
        let (Progress::Call(_), Some(step)) = (hands.progress, hands.step) else { return };
        hands.progress = Progress::Answered(Outcome::Timeout);
        if worker.phase == Phase::Working {
            self.end_step(cx, id, step, Outcome::Timeout);
        }
    }

    /// What a line does at its end.
    fn carry_out(&mut self, cx: &mut Context, id: WorkerId, step: StepIndex) {
        let spec = workers(cx, id);
        let Some(line) = spec.on_message.step(step) else { return };
        let delivery = self.hands(id).delivery;
        let message = delivery.message;
        if line.act.reads_message() && self.messages[message].poison {
            self.end_step(cx, id, step, Outcome::Poison);
            return;
        }
        let outcome = match line.act {
            Act::Ack { .. } => self.ack(cx, id, delivery),
            Act::Nack { delay, .. } => {
                self.hands_mut(id).settled = true;
                self.give_back(cx, id, delivery, GiveBack::Requeue { delay })
            }
            Act::Extend { to, .. } => self.extend(cx, id, delivery, to),
            _ => Outcome::Ok,
        };
        self.end_step(cx, id, step, outcome);
    }

    fn end_step(&mut self, cx: &mut Context, id: WorkerId, step: StepIndex, outcome: Outcome) {
        let spec = workers(cx, id);
        let hands = self.hands_mut(id);
        hands.done.push((step, outcome));
        let (delivery, settled) = (hands.delivery, hands.settled);
        let message = delivery.message;
        self.emit(cx, What::StepEnded { worker: id, message, step, outcome });
        match outcome {
            Outcome::Ok | Outcome::Refused => self.begin_step(cx, id, step.next()),
            Outcome::Error | Outcome::Timeout | Outcome::Poison => {
                if let (OnError::Nack { delay }, false) = (spec.on_error, settled) {
                    self.give_back(cx, id, delivery, GiveBack::Requeue { delay });
                }
                self.end_delivery(cx, id, Ending::Failed);
            }
        }
    }

    fn ack(&mut self, cx: &mut Context, id: WorkerId, delivery: Delivery) -> Outcome {
        let worker = self.worker_mut(id);
        if let Some(hands) = &mut worker.hands {
            hands.settled = true;
        }
        if std::mem::take(&mut worker.ack_loss_armed) {
            let Delivery { queue, message, .. } = delivery;
            self.emit(cx, What::AckLost { queue, message, worker: id });
            return Outcome::Ok;
        }
        self.settle_ack(cx, id, delivery)
    }

    /// A worker says "still at it", while it is.
    pub(crate) fn heartbeat(&mut self, cx: &mut Context, id: WorkerId, number: u32) {
        let spec = workers(cx, id);
        let Some(beat) = spec.heartbeat else { return };
        let now = self.now;
        let worker = self.worker_mut(id);
        if worker.deliveries != number {
            return;
        }
        let Some(hands) = &worker.hands else { return };
        let (delivery, settled) = (hands.delivery, hands.settled);
        let again = Event::Heartbeat { worker: id, delivery: number };
        match worker.phase {
            Phase::Working if !settled => {
                self.extend(cx, id, delivery, beat.extend_to);
                let next = now + beat.every;
                self.schedule(next, Rank::Finish, again);
            }
            // A frozen process sends nothing; it catches up when it goes on.
            Phase::Paused { until, .. } if !settled => {
                self.schedule(until, Rank::Finish, again);
            }
            _ => {}
        }
    }

    /// A delivery leaves a worker's hands; the worker takes the next.
    fn end_delivery(&mut self, cx: &mut Context, id: WorkerId, ending: Ending) {
        let spec = workers(cx, id);
        let message = self.hands(id).delivery.message;
        let entry = &mut self.messages[message];
        entry.holders -= 1;
        if matches!(ending, Ending::Finished) && spec.on_message.calls() == 0 {
            entry.done = true;
        }
        self.check_lost(cx, message);
        let worker = self.worker_mut(id);
        worker.generation += 1;
        if worker.pending.is_empty() {
            worker.hands = None;
            worker.deliveries += 1;
        }
        self.go_on(cx, id);
    }

    pub(crate) fn hands_mut(&mut self, id: WorkerId) -> &mut Hands {
        self.worker_mut(id).hands.as_mut().expect("a working worker has a message in hand")
    }

    fn hands(&mut self, id: WorkerId) -> &Hands {
        self.hands_mut(id)
    }
}

/// How a delivery came to its end in a worker's hands.
#[derive(Clone, Copy)]
enum Ending {
    /// Every line of the handler has been run.
    Finished,
    /// A line failed.
    Failed,
}

impl Worker {
    /// What a stretch of work takes at this worker's pace.
    pub(crate) fn scaled(&self, now: SimTime, time: SimDuration) -> SimDuration {
        match self.slowed {
            Some((percent, until)) if now < until => time.mul_percent(percent),
            _ => time,
        }
    }
}

pub(crate) fn workers<'a>(cx: &Context<'a>, id: WorkerId) -> &'a Workers {
    match &cx.scenario.component(id.component).kind {
        Kind::Workers(spec) => spec,
        _ => unreachable!("validation makes it a worker"),
    }
}
