//! Queues in a world, by whose rules they follow: `sqs`, `rabbit` or `plain`. What they have in
//! common is here. Every rule about the messages themselves is in `broker`.

mod moving;
mod plain;
mod polling;
pub(crate) mod rabbit;
mod sqs;
mod topology;
mod views;

use broker::MessageId;
use broker::queue::{Carriage, ClaimCheck, Offload};
use scenario::{ComponentId, Kind, Patch, Queue as Spec, Scenario, Settings};
use sim::{SimDuration, SimTime};

use crate::taking::Delivery;
use crate::world::Context;
use crate::{Death, Field, Outcome, Part, QueueState, What, WorkerId, World};

pub(crate) use moving::Redrive;
pub(crate) use plain::PlainQueue;
pub use views::{Counts, Hidden};

/// The broker's part of a queue.
#[derive(Clone, Debug, Hash)]
#[allow(clippy::large_enum_variant, reason = "the state around it is boxed")]
pub(crate) enum Engine {
    /// A queue of its own.
    Sqs(broker::queue::Queue),
    /// One of those that the world's broker of RabbitMQ has, by the component's name.
    Rabbit,
    /// A list in memory.
    Plain(PlainQueue),
}

impl QueueState {
    /// Its settings as they are now, where they can be changed while a run goes on.
    #[must_use]
    pub fn settings(&self) -> Option<&broker::queue::Settings> {
        match &self.engine {
            Engine::Sqs(queue) => Some(queue.settings()),
            Engine::Rabbit | Engine::Plain(_) => None,
        }
    }

    /// Changes a setting. False where this queue has none such.
    pub(crate) fn patch(&mut self, patch: Patch) -> bool {
        let Engine::Sqs(queue) = &mut self.engine else { return false };
        let mut settings = *queue.settings();
        match patch {
            Patch::VisibilityTimeout(time) => settings.visibility_timeout = time,
            Patch::MaxReceiveCount(count) if settings.max_receive_count.is_some() => {
                settings.max_receive_count = Some(count);
            }
            _ => return false,
        }
        queue.set_settings(settings);
        true
    }
}

impl Engine {
    pub(crate) fn new(spec: &Spec) -> Self {
        match &spec.settings {
            Settings::Sqs(settings) => Self::Sqs(broker::queue::Queue::new(*settings)),
            Settings::Rabbit(..) => Self::Rabbit,
            Settings::Plain(plain) => Self::Plain(PlainQueue::new(*plain)),
        }
    }

    /// When time alone changes something in it.
    pub(crate) fn next_deadline(&self) -> Option<SimTime> {
        match self {
            Self::Sqs(queue) => queue.next_deadline(),
            Self::Rabbit | Self::Plain(_) => None,
        }
    }
}

impl World {
    pub(crate) fn queue_store(
        &mut self,
        cx: &mut Context,
        by: ComponentId,
        queue: ComponentId,
        message: MessageId,
        delay: Option<SimDuration>,
    ) -> Outcome {
        match self.queue_accept(cx, queue, message, delay) {
            Outcome::Ok => self.confirm(cx, by, queue, message),
            refused => {
                self.emit(cx, What::PublishRefused { queue, message });
                refused
            }
        }
    }

    /// A message comes to the queue, which takes it or refuses it.
    pub(crate) fn queue_accept(
        &mut self,
        cx: &mut Context,
        queue: ComponentId,
        message: MessageId,
        delay: Option<SimDuration>,
    ) -> Outcome {
        match self.queue_mut(queue).engine {
            Engine::Sqs(_) => self.sqs_store(cx, queue, message, delay),
            Engine::Rabbit => self.rabbit_store(cx, queue, message),
            Engine::Plain(_) => self.plain_store(cx, queue, message),
        }
    }

    pub(crate) fn queue_settle(&mut self, id: ComponentId) {
        match self.queue_mut(id).engine {
            Engine::Sqs(_) => self.sqs_settle(id),
            Engine::Rabbit => self.rabbit_settle(),
            Engine::Plain(_) => self.plain_settle(id),
        }
    }

    pub(crate) fn queue_deadline(&mut self, cx: &mut Context, id: ComponentId) {
        match self.queue_mut(id).engine {
            Engine::Sqs(_) => self.sqs_deadline(cx, id),
            Engine::Rabbit => self.rabbit_deadline(cx),
            Engine::Plain(_) => {}
        }
    }

    pub(crate) fn queue_hand_out(&mut self, cx: &mut Context, id: ComponentId) {
        match self.queue_mut(id).engine {
            Engine::Sqs(_) => self.sqs_hand_out(cx, id),
            // It hands out by itself, as soon as it can.
            Engine::Rabbit => {}
            Engine::Plain(_) => self.plain_hand_out(cx, id),
        }
    }

    pub(crate) fn queue_ack(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        delivery: Delivery,
    ) -> Outcome {
        match self.queue_mut(delivery.queue).engine {
            Engine::Sqs(_) => self.sqs_ack(cx, worker, delivery),
            Engine::Rabbit => self.rabbit_ack(cx, worker, delivery),
            Engine::Plain(_) => Outcome::Ok,
        }
    }

    pub(crate) fn queue_give_back(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        delivery: Delivery,
        delay: SimDuration,
    ) -> Outcome {
        match self.queue_mut(delivery.queue).engine {
            Engine::Sqs(_) => self.sqs_give_back(cx, worker, delivery, delay),
            Engine::Rabbit => self.rabbit_give_back(cx, worker, delivery),
            Engine::Plain(_) => Outcome::Ok,
        }
    }

    /// A worker puts a message aside: `to` a queue, or where the queue has its dead letters.
    pub(crate) fn queue_put_aside(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        delivery: Delivery,
        to: Option<ComponentId>,
    ) -> Outcome {
        match self.queue_mut(delivery.queue).engine {
            Engine::Sqs(_) => self.sqs_put_aside(cx, worker, delivery, to),
            Engine::Rabbit => self.rabbit_put_aside(cx, worker, delivery, to),
            Engine::Plain(_) => Outcome::Ok,
        }
    }

    /// What a worker has put aside from one queue, which has it no longer, comes to another.
    fn accept_aside(
        &mut self,
        cx: &mut Context,
        from: ComponentId,
        to: ComponentId,
        message: MessageId,
        count: u32,
    ) {
        let entry = &mut self.messages[message];
        entry.queue = Some(to);
        entry.dead_lettered = true;
        let why = Death::Rejected;
        self.emit(cx, What::DeadLettered { from, to, message, count, why });
        if let Part::Log(_) = &self.parts[to.index()] {
            self.log_store(cx, from, to, message);
            return;
        }
        self.accept_moved(cx, to, message, count);
        self.settle(to);
    }

    /// A message comes to a queue from another, after so many receives.
    fn accept_moved(&mut self, cx: &mut Context, to: ComponentId, message: MessageId, count: u32) {
        match self.queue_mut(to).engine {
            Engine::Sqs(_) => self.sqs_accept(cx, to, message, count),
            Engine::Rabbit => self.rabbit_accept(cx, to, message),
            Engine::Plain(_) => self.plain_accept(to, message),
        }
    }

    pub(crate) fn queue_extend(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        delivery: Delivery,
        to: SimDuration,
    ) -> Outcome {
        match self.queue_mut(delivery.queue).engine {
            Engine::Sqs(_) => self.sqs_extend(cx, worker, delivery, to),
            Engine::Rabbit | Engine::Plain(_) => Outcome::Ok,
        }
    }

    /// An operator empties a queue: `None` if it does not let him.
    pub(crate) fn queue_purge(&mut self, cx: &mut Context, id: ComponentId) -> Option<()> {
        let now = self.now;
        let gone = match &mut self.queue_mut(id).engine {
            Engine::Sqs(queue) => {
                let hidden = queue.in_flight().map(|hidden| hidden.message);
                let delayed = queue.delayed().map(|delayed| delayed.message);
                let gone: Vec<MessageId> = queue.available().chain(hidden).chain(delayed).collect();
                queue.purge(now).ok()?;
                gone
            }
            Engine::Rabbit => self.rabbit_purge(cx, id),
            Engine::Plain(plain) => plain.purge(),
        };
        let messages = u32::try_from(gone.len()).unwrap_or(u32::MAX);
        self.queue_mut(id).expired += messages;
        self.emit(cx, What::Purged { queue: id, messages });
        for message in gone {
            self.messages[message].queue = None;
            self.check_lost(cx, message);
        }
        self.settle(id);
        Some(())
    }

    /// A message that a queue has taken is the queue's.
    fn took(&mut self, cx: &mut Context, queue: ComponentId, message: MessageId, at: SimTime) {
        let entry = &mut self.messages[message];
        entry.queue = Some(queue);
        entry.stored = true;
        self.emit(cx, What::Stored { queue, message, visible_at: at });
    }

    /// Whether the next confirm of a queue or topic will be lost.
    pub(crate) fn confirm_loss(&mut self, id: ComponentId) -> &mut bool {
        match &mut self.parts[id.index()] {
            Part::Topic(state) => &mut state.confirm_loss_armed,
            Part::Log(state) => &mut state.confirm_loss_armed,
            Part::Queue(state) => &mut state.confirm_loss_armed,
            _ => unreachable!("only what stores confirms"),
        }
    }

    /// The confirm of a publish goes back, or is lost on its way.
    pub(crate) fn confirm(
        &mut self,
        cx: &mut Context,
        by: ComponentId,
        queue: ComponentId,
        message: MessageId,
    ) -> Outcome {
        if std::mem::take(self.confirm_loss(queue)) {
            self.emit(cx, What::ConfirmLost { by, queue, message });
            Outcome::Timeout
        } else {
            self.emit(cx, What::Confirmed { by, queue, message });
            Outcome::Ok
        }
    }

    /// What a broker deletes because it was told that it is done.
    fn note_gone(&mut self, queue: ComponentId, message: MessageId) {
        self.queue_mut(queue).note_acked(message);
        let entry = &mut self.messages[message];
        entry.queue = None;
        entry.acked = true;
    }

    /// The number by which equal texts of a run are known: its place among the ordering keys.
    pub(crate) fn number_of(&mut self, text: &str) -> u32 {
        let known = self.keys.iter().position(|key| key == text).unwrap_or_else(|| {
            self.keys.push(text.to_owned());
            self.keys.len() - 1
        });
        u32::try_from(known).unwrap_or(u32::MAX)
    }

    /// The number of a message's group, or tenant: that of its ordering key unless its source says
    /// otherwise.
    pub(crate) fn tenant_of(&mut self, scenario: &Scenario, message: MessageId) -> u32 {
        match self.field_of(scenario, message, |address| address.group.as_ref()) {
            Some(field) => self.number_of(&text_of(field)),
            None => u32::from(self.messages[message].key),
        }
    }

    /// The size of a message, in bytes.
    pub(crate) fn bytes_of(&self, scenario: &Scenario, message: MessageId) -> u32 {
        match &scenario.component(self.messages[message].source).kind {
            Kind::Source(spec) => match spec.claim_check {
                Some(limit) => carried(spec.bytes, limit),
                None => spec.bytes,
            },
            _ => 0,
        }
    }

    /// The priority on a message's envelope, if there is one.
    pub(crate) fn priority_of(&self, scenario: &Scenario, message: MessageId) -> Option<u8> {
        match self.field_of(scenario, message, |address| address.priority.as_ref()) {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
            Some(Field::Number(number)) => Some(number.clamp(0.0, 255.0) as u8),
            _ => None,
        }
    }

    /// A field of a message's body, by the name that its source writes on the envelope.
    pub(crate) fn field_of<'a>(
        &self,
        scenario: &'a Scenario,
        message: MessageId,
        name: impl FnOnce(&'a scenario::Address) -> Option<&'a String>,
    ) -> Option<&'a Field> {
        let source = self.messages[message].source;
        let Kind::Source(spec) = &scenario.component(source).kind else { return None };
        self.body_field(scenario, message, name(&spec.address)?)
    }
}

/// What a reference to a body weighs, in bytes: about what names of a bucket and an object take.
const REFERENCE_BYTES: u32 = 200;

/// What a message weighs whose body is stored elsewhere if it is larger than a limit.
fn carried(bytes: u32, limit: u32) -> u32 {
    let check = ClaimCheck { offload: Offload::Above(limit), reference_bytes: REFERENCE_BYTES };
    match check.carry(u64::from(bytes)) {
        Ok(Carriage::Inline { bytes } | Carriage::Stored { bytes, .. }) => bytes,
        Err(_) => bytes,
    }
}

/// The text of a field.
pub(crate) fn text_of(field: &Field) -> String {
    match field {
        Field::Text(text) => text.clone(),
        Field::Number(number) => scenario::wire::number_text(*number),
    }
}
