//! The death history of a message: the `x-death` headers.
//!
//! A message *dies* in a queue when it is rejected, expires, is pushed out, or came back too often;
//! with a dead-letter exchange it is then published again
//! (<https://www.rabbitmq.com/docs/dlx>, "dead-lettering effects on messages"). The history has an
//! entry for each queue and reason, the latest first, with a count. A cycle in which no consumer
//! has a hand would never end, so the copy that would close it is dropped (`is_cycle` in
//! `rabbit_dead_letter.erl`, `mc.erl`).

use std::fmt;

use sim::{SimDuration, SimTime};

use super::{Envelope, ShortString};

/// Why a message left its queue without an ack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// A consumer rejected it, or nacked it, without requeue.
    Rejected,
    /// Its time to live ran out.
    Expired,
    /// The queue was at its limit.
    MaxLength,
    /// It had come back to a quorum queue more often than its delivery limit allows.
    DeliveryLimit,
}

/// The order of the entries of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HistoryOrder {
    /// The latest death comes first, then the one before, and so on.
    NewestFirst,
    /// The latest comes first, and each death turns the order of the others round, as RabbitMQ did
    /// before it had message containers (recorded on 3.10.8).
    RestReversed,
}

/// An entry of the history: all deaths in one queue for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Death {
    /// The queue.
    pub queue: ShortString,
    /// The reason.
    pub reason: Reason,
    /// How often.
    pub count: u32,
    /// The exchange that the message had come to that queue from, at the first of these deaths.
    pub exchange: ShortString,
    /// The keys that it had come with, without the blind ones.
    pub routing_keys: Vec<ShortString>,
    /// The expiration that it had, and lost by this death.
    pub original_expiration: Option<SimDuration>,
    /// When it first died so.
    pub first_at: SimTime,
}

/// The very first death: it stays the same through all later ones.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FirstDeath {
    /// The queue.
    pub queue: ShortString,
    /// The reason.
    pub reason: Reason,
    /// The exchange that the message had come from.
    pub exchange: ShortString,
}

/// Where a message died, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct History {
    first: Option<FirstDeath>,
    deaths: Vec<Death>,
}

impl Reason {
    /// The word of the `x-death` header.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rejected => "rejected",
            Self::Expired => "expired",
            Self::MaxLength => "maxlen",
            Self::DeliveryLimit => "delivery_limit",
        }
    }
}

impl History {
    /// The first death, if there was one.
    #[must_use]
    pub const fn first(&self) -> Option<&FirstDeath> {
        self.first.as_ref()
    }

    /// The entries, the latest first.
    #[must_use]
    pub fn deaths(&self) -> &[Death] {
        &self.deaths
    }

    /// Would a message with this history go round by itself if it came to `queue`?
    ///
    /// It would if it died there before, and neither that death nor a later one was a consumer's
    /// rejection; so one that was just rejected is never held back.
    #[must_use]
    pub fn is_cycle(&self, queue: &str) -> bool {
        let died_there = self.deaths.iter().position(|death| death.queue.as_str() == queue);
        died_there.is_some_and(|place| {
            self.deaths[..=place].iter().all(|death| death.reason != Reason::Rejected)
        })
    }

    /// The history after one more death of this message.
    pub(super) fn after(
        now: SimTime,
        envelope: &Envelope,
        queue: &ShortString,
        reason: Reason,
        order: HistoryOrder,
    ) -> Self {
        let mut history = envelope.deaths.clone();
        if order == HistoryOrder::RestReversed {
            history.deaths.reverse();
        }
        let same = |death: &Death| death.queue == *queue && death.reason == reason;
        let death = match history.deaths.iter().position(same) {
            Some(place) => {
                let death = history.deaths.remove(place);
                Death { count: death.count + 1, ..death }
            }
            None => Death {
                queue: queue.clone(),
                reason,
                count: 1,
                exchange: envelope.exchange.clone(),
                routing_keys: envelope.seen_keys().cloned().collect(),
                original_expiration: envelope.expiration,
                first_at: now,
            },
        };
        history.deaths.insert(0, death);
        history.first.get_or_insert_with(|| FirstDeath {
            queue: queue.clone(),
            reason,
            exchange: envelope.exchange.clone(),
        });
        history
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
