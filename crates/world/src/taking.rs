//! Between workers and brokers: the one narrow place where they meet.
//!
//! ```text
//!   publisher ─ store ─▶ ┌────────┐ ─ hand_out ─▶ ┌────────┐
//!                        │ broker │               │ worker │
//!        next deadline ─▶│  part  │ ◀─ ack, give back, extend, gone, back ─┘
//!                        └────────┘
//! ```
//!
//! A worker knows a [`Delivery`] and its [`Receipt`], and nothing of the product behind them. Every
//! function here looks at what kind of part it has before it, and hands on to the file of that
//! kind: `queue` for queues. A new kind of broker is one arm in each.

use broker::amqp::{ChannelId, DeliveryTag};
use broker::{MessageId, ReceiptHandle};
use scenario::{ComponentId, Kind, Scenario};
use sim::{Rank, SimDuration, SimTime};

use crate::queue::Engine;
use crate::world::{Context, Event};
use crate::{Outcome, Part, Place, WorkerId, World};

/// What a worker shows to a broker when it settles a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Receipt {
    /// The receipt handle of a receive.
    Handle(ReceiptHandle),
    /// The tag of a delivery, and the channel that it came on.
    Tag {
        /// The channel.
        channel: ChannelId,
        /// The tag.
        tag: DeliveryTag,
    },
    /// There is nothing to settle: the broker has forgotten the message.
    Nothing,
    /// A run of a scheduler, by the token of its hand-out.
    Run(u32),
    /// A place in a log: what is committed, or whose lock is let go of.
    Offset(Place),
}

/// How far a publisher has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Publishing {
    /// It has its answer, or has given up waiting for one.
    Over(Outcome),
    /// Its client goes on by itself: it sends the same again at this time.
    Again(SimTime),
}

/// A message handed to a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Delivery {
    /// Where it was taken from.
    pub queue: ComponentId,
    /// Which message.
    pub message: MessageId,
    /// What it is settled with.
    pub receipt: Receipt,
    /// How often it has been received, this time included.
    pub count: u32,
    /// When it is on offer again if nothing happens. `None`: not by the clock.
    pub until: Option<SimTime>,
}

impl World {
    /// A message reaches a broker part: it is committed and confirmed, or turned down.
    pub(crate) fn store(
        &mut self,
        cx: &mut Context,
        by: ComponentId,
        to: ComponentId,
        message: MessageId,
        delay: Option<SimDuration>,
    ) -> Publishing {
        match &self.parts[to.index()] {
            Part::Queue(_) => Publishing::Over(self.queue_store(cx, by, to, message, delay)),
            Part::Log(_) => self.log_store(cx, by, to, message),
            Part::Topic(_) => Publishing::Over(self.topic_store(cx, by, to, message, delay)),
            _ => unreachable!("validation publishes to what stores"),
        }
    }

    /// After any change of a broker part: its next deadline is on the calendar, and if somebody
    /// waits for what is on offer, it will be handed out at the end of this instant.
    pub(crate) fn settle(&mut self, id: ComponentId) {
        match &self.parts[id.index()] {
            Part::Queue(_) => self.queue_settle(id),
            Part::Log(_) => self.log_settle(id),
            Part::Scheduler(_) => self.scheduler_settle(id),
            _ => unreachable!("only what stores is settled"),
        }
    }

    /// A broker part's own deadline comes due.
    pub(crate) fn deadline(&mut self, cx: &mut Context, id: ComponentId) {
        match &self.parts[id.index()] {
            Part::Queue(_) => self.queue_deadline(cx, id),
            Part::Log(_) => self.log_deadline(cx, id),
            Part::Database(_) => self.database_deadline(cx, id),
            Part::Scheduler(_) => self.scheduler_deadline(cx, id),
            _ => unreachable!("only what stores has deadlines"),
        }
    }

    /// Hands what is on offer to workers that wait, by [`World::deliver`].
    pub(crate) fn hand_out(&mut self, cx: &mut Context, id: ComponentId) {
        match &self.parts[id.index()] {
            Part::Queue(_) => self.queue_hand_out(cx, id),
            Part::Log(_) => self.log_hand_out(cx, id),
            Part::Scheduler(_) => self.scheduler_hand_out(cx, id),
            _ => unreachable!("only what stores hands out"),
        }
    }

    /// An ack reaches the broker. It says what came of it in the trace.
    pub(crate) fn settle_ack(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        delivery: Delivery,
    ) -> Outcome {
        match &self.parts[delivery.queue.index()] {
            Part::Queue(_) => self.queue_ack(cx, worker, delivery),
            Part::Log(_) => self.log_ack(cx, worker, delivery),
            // That a run is over a scheduler learns at the end of the handler.
            Part::Scheduler(_) => Outcome::Ok,
            _ => unreachable!("a delivery comes from what stores"),
        }
    }

    /// A worker gives a delivery back: it is on offer again after a delay, where the broker has one.
    pub(crate) fn give_back(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        delivery: Delivery,
        delay: SimDuration,
    ) -> Outcome {
        match &self.parts[delivery.queue.index()] {
            Part::Queue(_) => self.queue_give_back(cx, worker, delivery, delay),
            Part::Log(_) => self.log_give_back(cx, worker, delivery, delay),
            Part::Scheduler(_) => Outcome::Ok,
            _ => unreachable!("a delivery comes from what stores"),
        }
    }

    /// A worker puts a message aside: it leaves its queue for another at a stroke. (One that sends
    /// and then acks can do it twice; one that acks and then sends can lose it: write those as two
    /// lines.)
    pub(crate) fn put_aside(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        delivery: Delivery,
        to: Option<ComponentId>,
    ) -> Outcome {
        match &self.parts[delivery.queue.index()] {
            Part::Queue(_) => self.queue_put_aside(cx, worker, delivery, to),
            Part::Log(_) => self.log_put_aside(cx, worker, delivery, to),
            Part::Scheduler(_) => Outcome::Refused,
            _ => unreachable!("a delivery comes from what stores"),
        }
    }

    /// A worker asks for more time.
    pub(crate) fn extend(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        delivery: Delivery,
        to: SimDuration,
    ) -> Outcome {
        match &self.parts[delivery.queue.index()] {
            Part::Queue(_) => self.queue_extend(cx, worker, delivery, to),
            // Validation has it that nobody asks: a group keeps an offset, no clock for each record.
            Part::Log(_) => Outcome::Refused,
            Part::Scheduler(_) => {
                self.run_extend(cx, worker, delivery);
                Outcome::Ok
            }
            _ => unreachable!("a delivery comes from what stores"),
        }
    }

    /// A worker is back after its death.
    pub(crate) fn consumer_back(&mut self, cx: &mut Context, id: WorkerId) {
        match self.log_of(cx, id) {
            Some(log) => {
                self.log_back(cx, log, id);
                if self.is_cut_off(cx, id) {
                    self.log_rests(log, id);
                }
            }
            None if self.is_cut_off(cx, id) => {}
            None => self.consumer_waits(cx.scenario, id),
        }
    }

    /// A worker has empty hands and takes whatever comes. A broker that pushes wants it to be
    /// connected, which it is from then on.
    pub(crate) fn consumer_waits(&mut self, scenario: &Scenario, id: WorkerId) {
        let Kind::Workers(spec) = &scenario.component(id.component).kind else { return };
        let (now, connected) = (self.now, self.rabbit_is_connected(id));
        if let Some(polling) = spec.taking.polling {
            self.poll_waits(id, polling);
            if polling.wait.is_zero() {
                return;
            }
        }
        for &from in spec.queues() {
            if self.is_cut(id.component, from) {
                continue;
            }
            match &mut self.parts[from.index()] {
                Part::Log(_) => return self.log_waits(from, id),
                Part::Scheduler(state) => state.waiting.push_back(id),
                Part::Queue(state) if !matches!(state.engine, Engine::Rabbit) => {
                    state.waiting.push_back(id);
                }
                Part::Queue(_) if connected => {}
                Part::Queue(_) => self.schedule(now, Rank::Finish, Event::Connect { worker: id }),
                _ => unreachable!("workers take from what stores"),
            }
            self.settle(from);
        }
    }

    /// A worker connects to a broker that pushes.
    pub(crate) fn connect(&mut self, cx: &mut Context, id: WorkerId) {
        let Kind::Workers(spec) = &cx.scenario.component(id.component).kind else { return };
        match &self.parts[spec.from.index()] {
            Part::Queue(_) => self.rabbit_connect(cx, id),
            _ => unreachable!("workers take from what stores"),
        }
    }

    /// A worker no longer asks for messages, for now: it is frozen. What it holds it holds.
    pub(crate) fn consumer_rests(&mut self, cx: &mut Context, id: WorkerId) {
        let Kind::Workers(spec) = &cx.scenario.component(id.component).kind else { return };
        for &from in spec.queues() {
            match &mut self.parts[from.index()] {
                Part::Log(_) => self.log_rests(from, id),
                Part::Scheduler(state) => state.waiting.retain(|&waiting| waiting != id),
                Part::Queue(state) => state.waiting.retain(|&waiting| waiting != id),
                _ => unreachable!("workers take from what stores"),
            }
        }
    }

    /// A worker cannot reach what it takes from. A broker that pushes loses the connection, and with
    /// it what is not acked; that it takes a heartbeat or two to notice is left out.
    pub(crate) fn consumer_cut_off(&mut self, cx: &mut Context, id: WorkerId) {
        self.consumer_rests(cx, id);
        if self.rabbit.is_some() {
            self.rabbit_gone(cx, id);
        }
    }

    /// A worker wants no more messages and finishes what it has. Who asks just does not ask; a broker
    /// that pushes is told to stop.
    pub(crate) fn consumer_finishes(&mut self, cx: &mut Context, id: WorkerId) {
        self.consumer_rests(cx, id);
        if self.rabbit.is_some() {
            self.rabbit_cancel(cx, id);
        }
    }

    /// A worker has died: its connections are gone, and what a broker makes of that it does now.
    pub(crate) fn consumer_gone(&mut self, cx: &mut Context, id: WorkerId) {
        match self.log_of(cx, id) {
            Some(log) => self.log_gone(cx, log, id),
            None => self.consumer_rests(cx, id),
        }
        if let Some(scheduler) = self.scheduler_of(cx.scenario, id) {
            self.runner_gone(cx, scheduler, id);
        }
        if self.rabbit.is_some() {
            self.rabbit_gone(cx, id);
        }
    }

    /// A worker is shut down in order, with nothing in hand.
    pub(crate) fn consumer_leaves(&mut self, cx: &mut Context, id: WorkerId) {
        match self.log_of(cx, id) {
            Some(log) => self.log_leaves(cx, log, id),
            None => self.consumer_gone(cx, id),
        }
    }

    /// A frozen worker goes on where it stood.
    pub(crate) fn consumer_awake(&mut self, cx: &mut Context, id: WorkerId) {
        if let Some(log) = self.log_of(cx, id) {
            self.log_awake(log, id);
        }
    }

    /// A worker is through with a delivery, settled or not. `done`: every line was run, and none of
    /// them has effects that would tell.
    pub(crate) fn delivery_over(
        &mut self,
        cx: &mut Context,
        id: WorkerId,
        delivery: Delivery,
        done: bool,
    ) {
        match &self.parts[delivery.queue.index()] {
            Part::Log(_) => self.log_delivery_over(cx, id, delivery, done),
            Part::Scheduler(_) => self.run_over(cx, id, delivery),
            _ => {}
        }
    }
}
