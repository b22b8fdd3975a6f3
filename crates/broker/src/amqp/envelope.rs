//! A message with its properties: as a publisher hands it over, and as it stands in a queue.
//!
//! The properties are those of the `basic` class of AMQP 0-9-1, and the `CC` and `BCC` headers of
//! RabbitMQ (<https://www.rabbitmq.com/docs/sender-selected>): further routing keys, of which the
//! blind ones are not shown to a consumer.

use std::fmt;

use sim::SimDuration;
use sim::short::OrderedMap;

use super::{History, ShortString};
use crate::MessageId;

/// The longest expiration that a message may be given: 2³² − 1 ms.
pub const EXPIRATION_MAX: SimDuration = SimDuration::from_millis(u32::MAX as u64);

/// The headers of a message, by name.
pub type Headers = OrderedMap<ShortString, Value>;

/// The value of a header. Values of different types are never equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// None at all: the header is just there.
    Void,
    /// True or false.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// A text.
    Text(ShortString),
}

/// Whether a message outlives a restart of the broker in a durable classic queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DeliveryMode {
    /// It does not.
    #[default]
    Transient,
    /// It does.
    Persistent,
}

/// What becomes of a message that no queue takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unroutable {
    /// It is dropped, and confirmed.
    #[default]
    Drop,
    /// It comes back to its publisher, and is confirmed: the message is *mandatory*.
    Return,
}

/// A message handed to an exchange.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Publication {
    /// Which message.
    pub message: MessageId,
    /// The size of its body in bytes.
    pub bytes: u32,
    /// The exchange; the empty name is the default exchange.
    pub exchange: ShortString,
    /// What it is routed by.
    pub routing_key: ShortString,
    /// Further routing keys, to be seen by consumers.
    pub cc: Vec<ShortString>,
    /// Further routing keys that nobody sees.
    pub bcc: Vec<ShortString>,
    /// Its headers.
    pub headers: Headers,
    /// Its priority, if it has one.
    pub priority: Option<u8>,
    /// How long it may wait in a queue, if limited: up to [`EXPIRATION_MAX`].
    pub expiration: Option<SimDuration>,
    /// Whether it outlives a restart.
    pub mode: DeliveryMode,
    /// What becomes of it if no queue takes it.
    pub unroutable: Unroutable,
}

/// A message as it stands in a queue.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Envelope {
    /// Which message: the same in every queue that got a copy.
    pub message: MessageId,
    /// The size of its body in bytes.
    pub bytes: u32,
    /// The exchange that it was last published to.
    pub exchange: ShortString,
    /// The key that it was last published with.
    pub routing_key: ShortString,
    /// Further routing keys.
    pub cc: Vec<ShortString>,
    /// Further routing keys that nobody sees.
    pub bcc: Vec<ShortString>,
    /// Its headers.
    pub headers: Headers,
    /// Its priority, if it has one.
    pub priority: Option<u8>,
    /// How long it may wait in a queue, if limited. Dead-lettering takes it off.
    pub expiration: Option<SimDuration>,
    /// Whether it outlives a restart.
    pub mode: DeliveryMode,
    /// Where it died before.
    pub deaths: History,
}

/// Why a text is no expiration.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BadExpiration {
    /// The text.
    pub given: String,
}

impl Publication {
    /// A transient message without headers, dropped if no queue takes it.
    #[must_use]
    pub fn new(message: MessageId, exchange: &str, routing_key: &str, bytes: u32) -> Self {
        Self {
            message,
            bytes,
            exchange: exchange.into(),
            routing_key: routing_key.into(),
            cc: Vec::new(),
            bcc: Vec::new(),
            headers: Headers::new(),
            priority: None,
            expiration: None,
            mode: DeliveryMode::Transient,
            unroutable: Unroutable::Drop,
        }
    }

    pub(super) fn into_envelope(self) -> Envelope {
        Envelope {
            message: self.message,
            bytes: self.bytes,
            exchange: self.exchange,
            routing_key: self.routing_key,
            cc: self.cc,
            bcc: self.bcc,
            headers: self.headers,
            priority: self.priority,
            expiration: self.expiration,
            mode: self.mode,
            deaths: History::default(),
        }
    }
}

impl Envelope {
    /// All keys that it is routed by, the blind ones last.
    pub fn routing_keys(&self) -> impl Iterator<Item = &ShortString> {
        self.seen_keys().chain(&self.bcc)
    }

    /// The keys that a consumer may see.
    pub fn seen_keys(&self) -> impl Iterator<Item = &ShortString> {
        std::iter::once(&self.routing_key).chain(&self.cc)
    }
}

/// Reads the `expiration` property: whole milliseconds in decimal digits.
///
/// # Errors
/// A [`BadExpiration`], for which the broker closes the channel: anything else, a negative number
/// included, and what is above [`EXPIRATION_MAX`].
pub fn parse_expiration(text: &str) -> Result<SimDuration, BadExpiration> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let millis = text.parse::<u32>().ok().filter(|_| digits);
    let expiration = millis.map(|millis| SimDuration::from_millis(u64::from(millis)));
    expiration.ok_or_else(|| BadExpiration { given: text.to_owned() })
}

impl fmt::Display for BadExpiration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given = &self.given;
        write!(f, "“{given}” is no expiration: write whole milliseconds from 0 to {}", u32::MAX)
    }
}

impl std::error::Error for BadExpiration {}
