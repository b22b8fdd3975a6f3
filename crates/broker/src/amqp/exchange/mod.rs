//! Exchanges and their bindings: which queues a message goes to.
//!
//! | kind | a binding takes a message if |
//! | --- | --- |
//! | direct | its key is the binding's |
//! | fanout | always |
//! | topic | its key fits the binding's pattern, see [`topic`] |
//! | headers | its headers fit, see [`HeadersMatch`] |
//!
//! The default exchange, of no name, routes to the queue whose name is the key. An exchange may be
//! bound to another; what no binding takes goes on to the alternate exchange, if one is named and
//! exists. A queue that is reached on several ways gets one copy, in the place of the first
//! (<https://www.rabbitmq.com/docs/exchanges>, <https://www.rabbitmq.com/docs/ae>, `route` in
//! `rabbit_exchange.erl`).

mod headers;
pub mod topic;

use sim::short::OrderedMap;

pub use headers::{HeadersMatch, MatchRule};

use super::{BindError, Envelope, ShortString};

/// What an exchange looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExchangeKind {
    /// The key, for equality.
    Direct,
    /// Nothing.
    Fanout,
    /// The key, by patterns of words.
    Topic,
    /// The headers.
    Headers,
}

/// Where a binding leads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Destination {
    /// To a queue.
    Queue(ShortString),
    /// To another exchange, which matches the key again.
    Exchange(ShortString),
}

/// A way out of an exchange.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Binding {
    /// Where it leads.
    pub destination: Destination,
    /// The key or pattern.
    pub key: ShortString,
    /// The headers asked for, by an exchange that looks at them.
    pub headers: HeadersMatch,
}

/// An exchange.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Exchange {
    /// What it looks at.
    pub kind: ExchangeKind,
    /// Where that goes which no binding takes.
    pub alternate: Option<ShortString>,
    bindings: Vec<Binding>,
}

/// All exchanges of a broker, but for the default one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Exchanges {
    by_name: OrderedMap<ShortString, Exchange>,
}

impl Binding {
    /// A binding of a queue by a key.
    #[must_use]
    pub fn queue(queue: &str, key: &str) -> Self {
        let destination = Destination::Queue(queue.into());
        Self { destination, key: key.into(), headers: HeadersMatch::default() }
    }

    /// A binding of another exchange by a key.
    #[must_use]
    pub fn exchange(exchange: &str, key: &str) -> Self {
        let destination = Destination::Exchange(exchange.into());
        Self { destination, key: key.into(), headers: HeadersMatch::default() }
    }
}

impl Exchange {
    /// An exchange without bindings.
    #[must_use]
    pub const fn new(kind: ExchangeKind, alternate: Option<ShortString>) -> Self {
        Self { kind, alternate, bindings: Vec::new() }
    }

    /// Its bindings, in the order in which they were made.
    #[must_use]
    pub fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    fn takes(&self, binding: &Binding, envelope: &Envelope) -> bool {
        let mut keys = envelope.routing_keys();
        match self.kind {
            ExchangeKind::Direct => keys.any(|key| *key == binding.key),
            ExchangeKind::Fanout => true,
            ExchangeKind::Topic => keys.any(|key| topic::matches(&binding.key, key)),
            ExchangeKind::Headers => binding.headers.matches(&envelope.headers),
        }
    }
}

impl Exchanges {
    pub fn get(&self, name: &str) -> Option<&Exchange> {
        self.by_name.get(name)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&ShortString, &Exchange)> {
        self.by_name.iter()
    }

    pub fn insert(&mut self, name: ShortString, exchange: Exchange) {
        self.by_name.entry(name).or_insert(exchange);
    }

    /// Is there such an exchange? The default one always is.
    pub fn has(&self, name: &str) -> bool {
        name.is_empty() || self.by_name.contains_key(name)
    }

    /// Adds a binding. One that is there already stays alone.
    pub fn bind(&mut self, source: &str, binding: Binding) -> Result<(), BindError> {
        let exchange = self.source(source)?;
        if !exchange.bindings.contains(&binding) {
            exchange.bindings.push(binding);
        }
        Ok(())
    }

    /// Removes a binding. It is no error if it is not there.
    pub fn unbind(&mut self, source: &str, binding: &Binding) -> Result<(), BindError> {
        self.source(source)?.bindings.retain(|other| other != binding);
        Ok(())
    }

    /// Removes all bindings of a queue that is deleted.
    pub fn forget_queue(&mut self, queue: &str) {
        for exchange in self.by_name.values_mut() {
            let leads_there = |binding: &Binding| match &binding.destination {
                Destination::Queue(name) => name.as_str() == queue,
                Destination::Exchange(_) => false,
            };
            exchange.bindings.retain(|binding| !leads_there(binding));
        }
    }

    /// The queues that a message goes to, each once.
    pub fn route(&self, envelope: &Envelope, is_queue: impl Fn(&str) -> bool) -> Vec<ShortString> {
        let mut queues: Vec<ShortString> = Vec::new();
        let mut take = |queue: &ShortString| {
            if is_queue(queue) && !queues.contains(queue) {
                queues.push(queue.clone());
            }
        };
        if envelope.exchange.is_empty() {
            envelope.routing_keys().for_each(take);
            return queues;
        }
        let mut seen = vec![&envelope.exchange];
        let mut next = 0;
        while next < seen.len() {
            let found = self.by_name.get(seen[next]);
            next += 1;
            let Some(exchange) = found else { continue };
            let mut taken = false;
            for binding in &exchange.bindings {
                if !exchange.takes(binding, envelope) {
                    continue;
                }
                taken = true;
                match &binding.destination {
                    Destination::Queue(queue) => take(queue),
                    Destination::Exchange(other) => see(&mut seen, other),
                }
            }
            if let Some(alternate) = exchange.alternate.as_ref().filter(|_| !taken) {
                see(&mut seen, alternate);
            }
        }
        queues
    }

    fn source(&mut self, name: &str) -> Result<&mut Exchange, BindError> {
        if name.is_empty() {
            return Err(BindError::DefaultExchange);
        }
        self.by_name.get_mut(name).ok_or_else(|| BindError::NoSuchExchange { name: name.into() })
    }
}

/// Adds an exchange to those to look at, so that a ring of bindings ends.
fn see<'a>(seen: &mut Vec<&'a ShortString>, name: &'a ShortString) {
    if !seen.contains(&name) {
        seen.push(name);
    }
}
