//! Topics and exchanges in a world: what is published goes to queues, a copy to each.
//!
//! The first queue gets the message itself. Each further one gets a copy with a number of its own,
//! which says what it is a copy of: each has its own life, its own acks and its own effects, as each
//! subscriber has.

use broker::MessageId;
use broker::amqp::exchange::topic;
use patterns::fairness::Shards;
use scenario::{ComponentId, Exchange, Kind, Scenario, TYPE_FIELD, Topic, Unroutable, limits};
use sim::SimDuration;

use crate::queue::text_of;
use crate::world::Context;
use crate::{Field, Message, Outcome, Part, What, World};

/// A topic.
#[derive(Clone, Debug, Default, Hash)]
pub struct TopicState {
    /// Messages published to it.
    pub published: u32,
    /// What queues got of these, the messages themselves included.
    pub copies: u32,
    /// Messages that nothing wanted.
    pub unrouted: u32,
    /// The next confirm will be lost.
    pub confirm_loss_armed: bool,
}

impl World {
    pub(crate) fn topic_mut(&mut self, id: ComponentId) -> &mut TopicState {
        match &mut self.parts[id.index()] {
            Part::Topic(state) => state,
            _ => unreachable!("validation makes it a topic"),
        }
    }

    /// A message reaches a topic: it goes to every queue that a binding leads to.
    #[inline(never)]
    pub(crate) fn topic_store(
        &mut self,
        cx: &mut Context,
        by: ComponentId,
        id: ComponentId,
        message: MessageId,
        delay: Option<SimDuration>,
    ) -> Outcome {
        self.topic_mut(id).published += 1;
        let (queues, unroutable) = self.routes(cx.scenario, id, message);
        if queues.is_empty() {
            self.topic_mut(id).unrouted += 1;
            if unroutable == Unroutable::Return {
                self.emit(cx, What::Returned { topic: id, message });
                return Outcome::Refused;
            }
            self.emit(cx, What::Unrouted { topic: id, message });
        }
        let mut outcome = Outcome::Ok;
        for (nth, &queue) in queues.iter().enumerate() {
            let copy = if nth == 0 { message } else { self.copy_for(cx, queue, message) };
            self.topic_mut(id).copies += 1;
            if self.queue_accept(cx, queue, copy, delay) != Outcome::Ok {
                self.emit(cx, What::PublishRefused { queue, message: copy });
                outcome = Outcome::Refused;
            }
        }
        if outcome != Outcome::Ok {
            return outcome;
        }
        self.confirm(cx, by, id, message)
    }

    /// A copy of a message for one of several queues.
    pub(crate) fn copy_for(
        &mut self,
        cx: &mut Context,
        to: ComponentId,
        of: MessageId,
    ) -> MessageId {
        if self.messages.len() >= limits::MESSAGES.max {
            self.crossed = Some(limits::MESSAGES.name);
            return of;
        }
        let root = self.messages.root(of);
        let original = &self.messages[of];
        let copy = Message {
            parent: original.parent,
            of: Some(root),
            kind: original.kind,
            poison: original.poison,
            ..Message::new(original.source, original.payload, original.key, original.created)
        };
        let copy = self.add_message(copy);
        self.emit(cx, What::Copied { original: of, copy, to });
        copy
    }

    /// The queues that a message goes to, each once, and what becomes of it if there is none.
    fn routes(
        &mut self,
        scenario: &Scenario,
        id: ComponentId,
        message: MessageId,
    ) -> (Vec<ComponentId>, Unroutable) {
        let mut unroutable = Unroutable::Drop;
        let mut queues: Vec<ComponentId> = Vec::new();
        let mut topics = vec![id];
        let mut next = 0;
        while next < topics.len() {
            let at = topics[next];
            next += 1;
            let Kind::Topic(spec) = &scenario.component(at).kind else { continue };
            if at == id {
                unroutable = spec.unroutable;
            }
            let mut taken = match spec.exchange {
                Exchange::Shuffle { shards } => self.shortest(scenario, spec, shards, message),
                _ => self.bound(scenario, spec, message),
            };
            if taken.is_empty() {
                taken.extend(spec.otherwise);
            }
            for to in taken {
                let is_topic = matches!(scenario.component(to).kind, Kind::Topic(_));
                let list = if is_topic { &mut topics } else { &mut queues };
                if !list.contains(&to) {
                    list.push(to);
                }
            }
        }
        (queues, unroutable)
    }

    /// Where the bindings of a topic lead that take a message.
    fn bound(&self, scenario: &Scenario, spec: &Topic, message: MessageId) -> Vec<ComponentId> {
        let key = self.field_of(scenario, message, |address| address.routing_key.as_ref());
        let key = key.map(text_of).unwrap_or_default();
        let takes = spec.bindings.iter().filter(|binding| {
            let by_key = match spec.exchange {
                Exchange::Direct => binding.key == key,
                Exchange::Topic => topic::matches(&binding.key, &key),
                _ => true,
            };
            by_key && binding.admits(|name| self.body_field(scenario, message, name))
        });
        takes.map(|binding| binding.to).collect()
    }

    /// Of the queues that a message's group has, the one with the fewest messages; of equal ones
    /// the first.
    fn shortest(
        &mut self,
        scenario: &Scenario,
        spec: &Topic,
        shards: u32,
        message: MessageId,
    ) -> Vec<ComponentId> {
        let queues = u32::try_from(spec.bindings.len()).unwrap_or(u32::MAX);
        let group = self.tenant_of(scenario, message);
        let own = Shards::new(queues, shards).of(scenario.seed, u64::from(group));
        let own = own.into_iter().map(|queue| spec.bindings[queue as usize].to);
        own.min_by_key(|&to| self.queue_counts(to).stored()).into_iter().collect()
    }

    /// A field of a message's body. The type is what the line that published it says, if one did.
    pub(crate) fn body_field<'a>(
        &self,
        scenario: &'a Scenario,
        message: MessageId,
        name: &str,
    ) -> Option<&'a Field> {
        let message = &self.messages[message];
        if let Some(kind) = message.kind.filter(|_| name == TYPE_FIELD) {
            return Some(&scenario.types[kind.index()]);
        }
        let Kind::Source(spec) = &scenario.component(message.source).kind else { return None };
        spec.messages.get(message.payload? as usize)?.field(name)
    }
}
