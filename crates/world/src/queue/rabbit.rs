//! Queues of RabbitMQ in a world: one broker has them all, and pushes to whoever is connected.
//!
//! A worker process has one channel with one consumer. It keeps it for as long as it lives; when it
//! dies, or the broker closes the channel, what it had not acked is back at once.

use broker::MessageId;
use broker::amqp::{
    Acknowledgement, Broker, ChannelId, ConnectionId, ConsumerId, Event as Told, Fate, Publication,
    Reason, ReturnCause, Subscription, Tags, Verdict,
};
use scenario::{AckMode, ComponentId, Kind, Scenario};
use sim::{Rank, SimTime};

use super::Engine;
use crate::taking::{Delivery, Receipt};
use crate::worker::workers;
use crate::world::{Context, Event};
use crate::{Death, Outcome, Phase, Refusal, What, WorkerId, World};

/// The broker, and who is connected to it.
#[derive(Clone, Debug, Hash)]
pub struct Rabbit {
    /// The machine.
    pub(crate) broker: Broker,
    /// The channel that everybody publishes on.
    pub(super) publisher: ChannelId,
    /// One of its queues, under which its deadlines are on the calendar.
    home: ComponentId,
    timer: Option<SimTime>,
    /// Who consumes, in order of channel.
    links: Vec<Link>,
    /// The run's numbers of the copies that the broker made of dead letters, in order.
    copies: Vec<MessageId>,
}

#[derive(Clone, Copy, Debug, Hash)]
struct Link {
    channel: ChannelId,
    consumer: ConsumerId,
    worker: WorkerId,
}

impl Rabbit {
    pub(super) fn with(broker: Broker, publisher: ChannelId, home: ComponentId) -> Self {
        Self { broker, publisher, home, timer: None, links: Vec::new(), copies: Vec::new() }
    }

    /// The run's number of a message that the broker has numbered itself.
    pub(super) fn numbered(&self, message: MessageId) -> MessageId {
        let copy = (u32::MAX as usize).wrapping_sub(message.index());
        self.copies.get(copy).copied().unwrap_or(message)
    }

    fn link_of(&self, worker: WorkerId) -> Option<Link> {
        self.links.iter().find(|link| link.worker == worker).copied()
    }

    fn worker_on(&self, channel: ChannelId) -> Option<WorkerId> {
        let at = self.links.binary_search_by_key(&channel, |link| link.channel).ok()?;
        Some(self.links[at].worker)
    }

    fn unlink(&mut self, channel: ChannelId) -> Option<WorkerId> {
        let at = self.links.binary_search_by_key(&channel, |link| link.channel).ok()?;
        Some(self.links.remove(at).worker)
    }
}

impl World {
    pub(super) fn rabbit_mut(&mut self) -> &mut Rabbit {
        self.rabbit.as_mut().expect("a queue of RabbitMQ comes with its broker")
    }

    #[inline(never)]
    pub(super) fn rabbit_store(
        &mut self,
        cx: &mut Context,
        queue: ComponentId,
        message: MessageId,
    ) -> Outcome {
        let now = self.now;
        let publication = self.publication(cx.scenario, queue, message);
        let mut told = Vec::new();
        let rabbit = self.rabbit_mut();
        let channel = rabbit.publisher;
        let confirm = rabbit.broker.publish(now, channel, publication, &mut told);
        self.tell(cx, None, told);
        self.rabbit_settle();
        let taken = confirm.is_ok_and(|confirm| confirm.verdict == Verdict::Ack);
        if taken { Outcome::Ok } else { Outcome::Refused }
    }

    fn publication(
        &self,
        scenario: &Scenario,
        queue: ComponentId,
        message: MessageId,
    ) -> Publication {
        let name = &scenario.component(queue).name;
        let bytes = self.bytes_of(scenario, message);
        let mut publication = Publication::new(message, "", name, bytes);
        publication.priority = self.priority_of(scenario, message);
        if let Kind::Source(spec) = &scenario.component(self.messages[message].source).kind {
            publication.expiration = spec.address.expiration;
        }
        publication
    }

    /// A worker opens a channel and consumes.
    #[inline(never)]
    pub(crate) fn rabbit_connect(&mut self, cx: &mut Context, id: WorkerId) {
        let spec = workers(cx, id);
        if self.worker_mut(id).process.is_dead() || self.rabbit_is_connected(id) {
            return;
        }
        // A channel whose consumer was cancelled is done with.
        self.rabbit_gone(cx, id);
        let now = self.now;
        let acknowledgement = match spec.acks {
            AckMode::Manual => Acknowledgement::Manual,
            AckMode::Automatic => Acknowledgement::Automatic,
        };
        let subscription = Subscription {
            queue: cx.scenario.component(spec.from).name.as_str().into(),
            acknowledgement,
            priority: 0,
            access: broker::amqp::Access::Shared,
        };
        let mut told = Vec::new();
        let rabbit = self.rabbit_mut();
        let channel = rabbit.broker.open_channel(now, ConnectionId(1));
        let window = spec.prefetch.unwrap_or(0);
        let consumer = rabbit
            .broker
            .set_prefetch(channel, window)
            .and_then(|()| rabbit.broker.consume(now, channel, subscription, &mut told));
        if let Ok(consumer) = consumer {
            rabbit.links.push(Link { channel, consumer, worker: id });
        }
        self.tell(cx, None, told);
        self.rabbit_settle();
    }

    /// A worker has died: its channel is gone, and what it held is back.
    #[inline(never)]
    pub(crate) fn rabbit_gone(&mut self, cx: &mut Context, id: WorkerId) {
        let now = self.now;
        let rabbit = self.rabbit_mut();
        let Some(link) = rabbit.link_of(id) else { return };
        let mut told = Vec::new();
        rabbit.broker.close_channel(now, link.channel, &mut told);
        rabbit.unlink(link.channel);
        self.tell(cx, None, told);
        self.rabbit_settle();
    }

    /// A worker cancels its consumer: nothing more comes, and what it holds stays with its channel.
    pub(crate) fn rabbit_cancel(&mut self, cx: &mut Context, id: WorkerId) {
        let now = self.now;
        let rabbit = self.rabbit_mut();
        let Some(link) = rabbit.link_of(id) else { return };
        let mut told = Vec::new();
        rabbit.broker.cancel(now, link.consumer, &mut told);
        self.tell(cx, None, told);
        self.rabbit_settle();
    }

    /// Whether a worker has a consumer.
    pub(crate) fn rabbit_is_connected(&self, id: WorkerId) -> bool {
        let Some(rabbit) = &self.rabbit else { return false };
        let Some(link) = rabbit.link_of(id) else { return false };
        rabbit.broker.queues().any(|queue| queue.consumer_ids().any(|id| id == link.consumer))
    }

    pub(super) fn rabbit_ack(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        delivery: Delivery,
    ) -> Outcome {
        let Delivery { queue, message, receipt, .. } = delivery;
        let Receipt::Tag { channel, tag } = receipt else { return Outcome::Ok };
        let mut told = Vec::new();
        let now = self.now;
        let acked = self.rabbit_mut().broker.ack(now, channel, Tags::One(tag), &mut told);
        self.answer(cx, worker, told);
        if acked.is_ok() {
            return Outcome::Ok;
        }
        self.emit(cx, What::AckRefused { queue, message, worker, why: Refusal::ChannelClosed });
        Outcome::Refused
    }

    #[inline(never)]
    pub(super) fn rabbit_give_back(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        delivery: Delivery,
    ) -> Outcome {
        let Delivery { queue, message, receipt, .. } = delivery;
        let Receipt::Tag { channel, tag } = receipt else { return Outcome::Ok };
        let (now, tags) = (self.now, Tags::One(tag));
        let mut told = Vec::new();
        let broker = &mut self.rabbit_mut().broker;
        let taken = broker.requeue(now, channel, tags, ReturnCause::Nack, &mut told);
        self.answer(cx, worker, told);
        if taken.is_ok() {
            return Outcome::Ok;
        }
        self.emit(cx, What::AckRefused { queue, message, worker, why: Refusal::ChannelClosed });
        Outcome::Refused
    }

    /// Rejects a message, so that the broker moves it or drops it; or moves it to a queue of the
    /// worker's own choosing, by an ack and a publish.
    #[inline(never)]
    pub(super) fn rabbit_put_aside(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        delivery: Delivery,
        to: Option<ComponentId>,
    ) -> Outcome {
        let Delivery { queue, message, receipt, count, .. } = delivery;
        let Receipt::Tag { channel, tag } = receipt else { return Outcome::Ok };
        let (now, tags) = (self.now, Tags::One(tag));
        let mut told = Vec::new();
        let broker = &mut self.rabbit_mut().broker;
        let taken = match to {
            None => broker.discard(now, channel, tags, &mut told),
            Some(_) => broker.ack(now, channel, tags, &mut told),
        };
        if taken.is_err() {
            self.answer(cx, worker, told);
            self.emit(cx, What::AckRefused { queue, message, worker, why: Refusal::ChannelClosed });
            return Outcome::Refused;
        }
        if let Some(to) = to {
            told.retain(|event| !matches!(event, Told::Acked { .. }));
            self.queue_mut(queue).dead_lettered += 1;
            self.accept_aside(cx, queue, to, message, count);
        }
        self.answer(cx, worker, told);
        Outcome::Ok
    }

    /// Takes in what was put aside from another queue.
    #[inline(never)]
    pub(super) fn rabbit_accept(&mut self, cx: &mut Context, to: ComponentId, message: MessageId) {
        let now = self.now;
        let publication = self.publication(cx.scenario, to, message);
        let mut told = Vec::new();
        let rabbit = self.rabbit_mut();
        let channel = rabbit.publisher;
        let _ = rabbit.broker.publish(now, channel, publication, &mut told);
        self.tell(cx, None, told);
    }

    fn answer(&mut self, cx: &mut Context, worker: WorkerId, told: Vec<Told>) {
        self.tell(cx, Some(worker), told);
        self.rabbit_settle();
    }

    /// What is ready in a queue is dropped; what is out stays out.
    #[inline(never)]
    pub(super) fn rabbit_purge(&mut self, cx: &mut Context, id: ComponentId) -> Vec<MessageId> {
        let gone = self.queue_available(id, usize::MAX);
        let now = self.now;
        let mut told = Vec::new();
        let rabbit = self.rabbit_mut();
        let name = &cx.scenario.component(id).name;
        let _ = rabbit.broker.purge(now, rabbit.publisher, name, &mut told);
        self.tell(cx, None, told);
        gone
    }

    /// The broker's next deadline is on the calendar.
    #[inline(never)]
    pub(super) fn rabbit_settle(&mut self) {
        let now = self.now;
        let rabbit = self.rabbit_mut();
        let Some(at) = rabbit.broker.next_deadline() else { return };
        if rabbit.timer.is_none_or(|set| at < set) {
            rabbit.timer = Some(at);
            let queue = rabbit.home;
            self.schedule(at.max(now), Rank::Timer, Event::Deadline { queue });
        }
    }

    #[inline(never)]
    pub(super) fn rabbit_deadline(&mut self, cx: &mut Context) {
        let now = self.now;
        let mut back = Vec::new();
        for (id, component) in cx.scenario.ids() {
            if matches!(&self.parts[id.index()], crate::Part::Queue(state)
                if matches!(state.engine, Engine::Rabbit))
            {
                let due = |&(at, _): &(SimTime, MessageId)| at <= now;
                let queue = self.rabbit_mut().broker.queue(&component.name);
                let delayed = queue.into_iter().flat_map(broker::amqp::Queue::delayed);
                let late: Vec<MessageId> =
                    delayed.filter(due).map(|(_, message)| message).collect();
                back.extend(late.into_iter().map(|message| (id, message)));
            }
        }
        for (queue, message) in back {
            let message = self.numbered(message);
            let count = self.messages[message].receives;
            self.emit(cx, What::Lapsed { queue, message, count });
        }
        let mut told = Vec::new();
        let rabbit = self.rabbit_mut();
        if rabbit.timer == Some(now) {
            rabbit.timer = None;
        }
        rabbit.broker.advance(now, &mut told);
        self.tell(cx, None, told);
        self.rabbit_settle();
    }

    /// What the broker says has happened goes into the trace, and to the workers.
    pub(super) fn tell(&mut self, cx: &mut Context, by: Option<WorkerId>, told: Vec<Told>) {
        for event in told {
            match event {
                Told::Copied { of, queue, .. } => {
                    let (of, to) = (self.numbered(of), self.named(cx, &queue));
                    let copy = self.copy_for(cx, to, of);
                    self.rabbit_mut().copies.push(copy);
                }
                Told::Stored { queue, message } => {
                    let (message, queue) = (self.numbered(message), self.named(cx, &queue));
                    // A dead letter is there by its death.
                    if self.messages[message].queue != Some(queue) {
                        let now = self.now;
                        self.took(cx, queue, message, now);
                    }
                }
                Told::Delivered(delivery) => {
                    let queue = self.named(cx, &delivery.queue);
                    let message = self.numbered(delivery.envelope.message);
                    self.push(cx, queue, message, (delivery.channel, delivery.tag));
                }
                Told::Acked { queue, message } => {
                    let (message, queue) = (self.numbered(message), self.named(cx, &queue));
                    self.note_gone(queue, message);
                    if let Some(worker) = by {
                        self.emit(cx, What::Acked { queue, message, worker });
                    }
                }
                Told::Requeued { queue, message, cause } => {
                    let (message, queue) = (self.numbered(message), self.named(cx, &queue));
                    self.requeued(cx, by, queue, message, cause);
                }
                Told::Died { queue, message, reason, fate } => {
                    let (message, queue) = (self.numbered(message), self.named(cx, &queue));
                    self.died(cx, queue, message, reason, &fate);
                }
                Told::Activated { queue, consumer } => {
                    let queue = self.named(cx, &queue);
                    let links = &self.rabbit_mut().links;
                    let link = links.iter().find(|link| link.consumer == consumer);
                    if let Some(worker) = link.map(|link| link.worker) {
                        self.emit(cx, What::Activated { queue, worker });
                    }
                }
                Told::ConsumerCancelled { consumer, .. } => {
                    let links = &self.rabbit_mut().links;
                    let link = links.iter().find(|link| link.consumer == consumer);
                    if let Some(channel) = link.map(|link| link.channel) {
                        self.disconnected(cx, channel);
                    }
                }
                Told::ChannelClosed { channel, .. } => self.disconnected(cx, channel),
                Told::Returned { .. } | Told::Lost { .. } | Told::QueueDeleted { .. } => {}
            }
        }
    }

    fn numbered(&mut self, message: MessageId) -> MessageId {
        self.rabbit_mut().numbered(message)
    }

    fn named(&self, cx: &Context, name: &str) -> ComponentId {
        cx.scenario.find(name).expect("the broker has the scenario's queues")
    }

    /// A message arrives at a worker. With automatic acks it is gone from its queue by that.
    fn push(
        &mut self,
        cx: &mut Context,
        queue: ComponentId,
        message: MessageId,
        (channel, tag): (ChannelId, broker::amqp::DeliveryTag),
    ) {
        let Some(worker) = self.rabbit_mut().worker_on(channel) else { return };
        let automatic = workers(cx, worker).acks == AckMode::Automatic;
        let receipt = if automatic { Receipt::Nothing } else { Receipt::Tag { channel, tag } };
        let count = self.messages[message].receives + 1;
        self.deliver(cx, worker, &[Delivery { queue, message, receipt, count, until: None }]);
        if automatic {
            self.note_gone(queue, message);
            self.emit(cx, What::Forgotten { queue, message, worker });
        }
    }

    fn requeued(
        &mut self,
        cx: &mut Context,
        by: Option<WorkerId>,
        queue: ComponentId,
        message: MessageId,
        cause: ReturnCause,
    ) {
        let count = self.messages[message].receives;
        match (by, cause) {
            (Some(worker), ReturnCause::Nack | ReturnCause::Reject) => {
                let held = self.queue_delayed(queue, usize::MAX);
                let held = held.iter().find(|(delayed, _)| *delayed == message);
                let visible_at = held.map_or(self.now, |(_, at)| *at);
                self.emit(cx, What::Nacked { queue, message, worker, visible_at });
            }
            _ => self.emit(cx, What::Requeued { queue, message, count }),
        }
    }

    fn died(
        &mut self,
        cx: &mut Context,
        from: ComponentId,
        message: MessageId,
        reason: Reason,
        fate: &Fate,
    ) {
        let why = match reason {
            Reason::Rejected => Death::Rejected,
            Reason::Expired => Death::Expired,
            Reason::MaxLength => Death::MaxLength,
            Reason::DeliveryLimit => Death::DeliveryLimit,
        };
        let target = match fate {
            Fate::DeadLettered { to } => to.first().map(|name| self.named(cx, name)),
            Fate::KeptAside => return,
            _ => None,
        };
        let state = self.queue_mut(from);
        let Some(to) = target else {
            state.expired += 1;
            self.messages[message].queue = None;
            let why = if *fate == Fate::Cycle { Death::Cycle } else { why };
            self.emit(
                cx,
                match why {
                    Death::Expired => What::Expired { queue: from, message },
                    why => What::Dropped { queue: from, message, why },
                },
            );
            self.check_lost(cx, message);
            return;
        };
        state.dead_lettered += 1;
        // A queue that somebody takes from is a station on the way, not a place aside.
        let takes = |kind: &Kind| matches!(kind, Kind::Workers(spec) if spec.from == to);
        let aside = !cx.scenario.ids().any(|(_, component)| takes(&component.kind));
        let entry = &mut self.messages[message];
        entry.queue = Some(to);
        entry.stored = true;
        entry.dead_lettered = aside;
        let count = entry.receives;
        self.emit(cx, What::DeadLettered { from, to, message, count, why });
    }

    /// The broker has ended a worker's channel, or its consumer. The worker finishes what it has in
    /// hand and then connects again.
    fn disconnected(&mut self, cx: &mut Context, channel: ChannelId) {
        let now = self.now;
        let Some(worker) = self.rabbit_mut().unlink(channel) else { return };
        self.emit(cx, What::Disconnected { worker });
        let dropped: Vec<Delivery> = self.worker_mut(worker).pending.drain(..).collect();
        for delivery in dropped {
            self.messages[delivery.message].holders -= 1;
        }
        if self.worker_mut(worker).process.phase == Phase::Idle {
            self.schedule(now, Rank::Timer, Event::Connect { worker });
        }
    }
}
