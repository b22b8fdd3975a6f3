//! What is done to the messages of a queue from outside: taken back (redrive), lost, delivered
//! twice.
//!
//! A redrive takes what is on offer, the first first, at a velocity; where it arrives, a message
//! counts as new. It ends when as many have moved as were on offer when it began, or nothing is left:
//! what fails again and comes back meanwhile is for the next. (SQS API, `StartMessageMoveTask`; with
//! RabbitMQ it is what a shovel does that stops after the length of its queue, `src-delete-after`
//! `queue-length`.)

use broker::MessageId;
use broker::amqp::{Acknowledgement, Tags};
use broker::queue::{GroupId, Redriven};
use scenario::{ComponentId, Kind};
use sim::{Rank, SimDuration, SimTime};

use super::Engine;
use crate::world::{Context, Event};
use crate::{What, World};

/// A redrive under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Redrive {
    to: ComponentId,
    /// Messages a second; `None`: all at once.
    per_second: Option<u32>,
    started: SimTime,
    /// How many were on offer when it began.
    to_move: u32,
    moved: u32,
}

impl Redrive {
    /// When the next message moves.
    fn due(&self) -> SimTime {
        let wait = self
            .per_second
            .map_or(0, |velocity| u64::from(self.moved) * 1_000_000 / u64::from(velocity.max(1)));
        self.started + SimDuration::from_micros(wait)
    }
}

impl World {
    /// Starts to take the messages of a queue back: `to` another, or to the first one whose dead
    /// letters come here. Says whether it did.
    #[inline(never)]
    pub(crate) fn redrive(
        &mut self,
        cx: &mut Context,
        from: ComponentId,
        to: Option<ComponentId>,
        per_second: Option<u32>,
    ) -> bool {
        let source = cx.scenario.ids().find(|(_, component)| {
            matches!(&component.kind, Kind::Queue(queue) if queue.dead_letter_to == Some(from))
        });
        let Some(to) = to.or(source.map(|(id, _)| id)).filter(|&to| to != from) else {
            return false;
        };
        let to_move = self.queue_counts(from).available;
        if self.queue_mut(from).redrive.is_some() || to_move == 0 {
            return false;
        }
        let now = self.now;
        let redrive = Redrive { to, per_second, started: now, to_move, moved: 0 };
        self.queue_mut(from).redrive = Some(redrive);
        self.emit(cx, What::RedriveBegan { from, to });
        self.schedule(now, Rank::Arrival, Event::Redrive { queue: from });
        true
    }

    /// The next message of a redrive moves.
    #[inline(never)]
    pub(crate) fn redrive_due(&mut self, cx: &mut Context, from: ComponentId) {
        let Some(redrive) = self.queue_mut(from).redrive else { return };
        let to = redrive.to;
        let more = redrive.moved < redrive.to_move;
        let Some(message) = more.then(|| self.take_first(cx, from)).flatten() else {
            self.queue_mut(from).redrive = None;
            self.emit(cx, What::RedriveEnded { from, messages: redrive.moved });
            return;
        };
        let moved = Redrive { moved: redrive.moved + 1, ..redrive };
        let now = self.now;
        let at = moved.due().max(now);
        let state = self.queue_mut(from);
        state.redrive = Some(moved);
        state.redriven += 1;
        let entry = &mut self.messages[message];
        entry.queue = Some(to);
        entry.receives = 0;
        entry.dead_lettered = false;
        self.emit(cx, What::Redriven { from, to, message });
        let group = Some(GroupId(self.tenant_of(cx.scenario, message)));
        if let Engine::Sqs(queue) = &mut self.queue_mut(to).engine {
            queue.accept_redriven(now, Redriven { message, group, source: None });
        } else {
            self.accept_moved(cx, to, message, 0);
        }
        self.settle(from);
        self.settle(to);
        self.schedule(at, Rank::Arrival, Event::Redrive { queue: from });
    }

    /// The broker loses the first message on offer, although it had confirmed it. Says whether
    /// there was one.
    #[inline(never)]
    pub(crate) fn lose_message(&mut self, cx: &mut Context, queue: ComponentId) -> bool {
        let Some(message) = self.take_first(cx, queue) else { return false };
        self.queue_mut(queue).expired += 1;
        self.messages[message].queue = None;
        self.emit(cx, What::Misplaced { queue, message });
        self.check_lost(cx, message);
        self.settle(queue);
        true
    }

    /// Arms a second delivery, which only a queue without order can be had to make. Says whether it
    /// is one.
    #[inline(never)]
    pub(crate) fn duplicate(&mut self, cx: &mut Context, queue: ComponentId) -> bool {
        let state = self.queue_mut(queue);
        let unordered = match &state.engine {
            Engine::Sqs(queue) => !matches!(queue.settings().kind, broker::queue::Kind::Fifo(_)),
            Engine::Rabbit | Engine::Plain(_) => false,
        };
        state.duplicate_armed |= unordered;
        if unordered {
            self.emit(cx, What::DuplicateArmed { queue });
        }
        unordered
    }

    /// Takes out the message that would be delivered first.
    fn take_first(&mut self, cx: &mut Context, id: ComponentId) -> Option<MessageId> {
        let now = self.now;
        match &mut self.queue_mut(id).engine {
            Engine::Sqs(queue) => queue.take_to_redrive(now).map(|taken| taken.message),
            Engine::Rabbit => self.rabbit_take(cx, id),
            Engine::Plain(plain) => plain.waiting.pop_front(),
        }
    }

    /// An operator gets the message at the head, and acks it.
    fn rabbit_take(&mut self, cx: &mut Context, id: ComponentId) -> Option<MessageId> {
        let now = self.now;
        let name = &cx.scenario.component(id).name;
        let mut told = Vec::new();
        let rabbit = self.rabbit_mut();
        let (channel, manual) = (rabbit.publisher, Acknowledgement::Manual);
        let got = rabbit.broker.get(now, channel, name, manual, &mut told).ok().flatten();
        if let Some(got) = &got {
            let mut acked = Vec::new();
            let tags = Tags::One(got.delivery.tag);
            let _ = rabbit.broker.ack(now, channel, tags, &mut acked);
        }
        self.tell(cx, None, told);
        let message = got?.delivery.envelope.message;
        Some(self.rabbit_mut().numbered(message))
    }
}
