//! Topics and exchanges: to which queues a message goes.
//!
//! Exchange kinds and their rules: <https://www.rabbitmq.com/docs/exchanges>. Filters: Amazon SNS
//! developer guide, "message filtering"; of its operators there is equality with one of several
//! values.

use crate::{ComponentId, Field, Kind, Scenario, Settings};

/// Passes what is published to it on to queues, a copy to each.
#[derive(Clone, Debug, PartialEq)]
pub struct Topic {
    /// What a binding looks at.
    pub exchange: Exchange,
    /// The ways out, in document order.
    pub bindings: Vec<Binding>,
    /// Where a message goes that no binding takes: a queue, or another topic.
    pub otherwise: Option<ComponentId>,
    /// What becomes of a message that nothing takes.
    pub unroutable: Unroutable,
}

/// What a binding looks at, beside its filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exchange {
    /// Nothing more.
    Fanout,
    /// The routing key, for equality.
    Direct,
    /// The routing key, by patterns of words.
    Topic,
    /// Nothing more; a filter must be there.
    Headers,
    /// The group: each has so many of the queues as its own, and a message goes to the shortest.
    Shuffle {
        /// How many queues a group has.
        shards: u32,
    },
}

/// What becomes of a message that nothing takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unroutable {
    /// It is dropped, and confirmed.
    Drop,
    /// It comes back to its publisher, who asked for that.
    Return,
}

/// A way out of a topic.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// A queue, or another topic.
    pub to: ComponentId,
    /// The routing key or pattern.
    pub key: String,
    /// Whether all fields of the filter must fit, or one.
    pub rule: MatchRule,
    /// Fields and the values that they may have. Without values a field must only be there.
    pub filter: Vec<(String, Vec<Field>)>,
}

/// How many fields of a filter must fit. Of an empty filter all fit, and none does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchRule {
    /// All.
    All,
    /// At least one.
    Any,
}

impl Topic {
    /// Everything that it may send to, each once.
    #[must_use]
    pub fn targets(&self) -> Vec<ComponentId> {
        let mut all: Vec<ComponentId> = Vec::new();
        for to in self.bindings.iter().map(|binding| binding.to).chain(self.otherwise) {
            if !all.contains(&to) {
                all.push(to);
            }
        }
        all
    }
}

impl Scenario {
    /// Whether a component is a queue of RabbitMQ, or an exchange that leads to nothing else by the
    /// rules of its product.
    #[must_use]
    pub fn is_rabbit(&self, id: ComponentId) -> bool {
        let mut seen = vec![id];
        let mut next = 0;
        while next < seen.len() {
            let at = seen[next];
            next += 1;
            match &self.component(at).kind {
                Kind::Queue(queue) if matches!(queue.settings, Settings::Rabbit(..)) => {}
                Kind::Topic(topic) if topic.is_amqp() => {
                    for to in topic.targets() {
                        if !seen.contains(&to) {
                            seen.push(to);
                        }
                    }
                }
                _ => return false,
            }
        }
        true
    }
}

impl Topic {
    /// Whether it looks at routing keys alone, as an exchange does that dead letters can go through.
    #[must_use]
    pub fn is_amqp(&self) -> bool {
        let by_key = matches!(self.exchange, Exchange::Fanout | Exchange::Direct | Exchange::Topic);
        by_key && self.bindings.iter().all(|binding| binding.filter.is_empty())
    }
}

impl Binding {
    /// A binding that takes everything.
    #[must_use]
    pub fn all(to: ComponentId) -> Self {
        Self { to, key: String::new(), rule: MatchRule::All, filter: Vec::new() }
    }

    /// Whether a message with these fields fits the filter.
    #[must_use]
    pub fn admits<'a>(&self, field: impl Fn(&str) -> Option<&'a Field>) -> bool {
        let mut fits = self.filter.iter().map(|(name, values)| match field(name) {
            Some(found) => values.is_empty() || values.contains(found),
            None => false,
        });
        match self.rule {
            MatchRule::All => fits.all(|fit| fit),
            MatchRule::Any => fits.any(|fit| fit),
        }
    }
}
