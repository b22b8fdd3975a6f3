//! Why the broker turns a request down.
//!
//! AMQP has no error answers: the broker closes the channel, or the connection, with a code
//! (<https://www.rabbitmq.com/docs/channels#error-handling>).

use std::fmt;

use super::exchange::topic::HASH_WORDS_MAX;
use super::settings::SettingsError;
use super::{DeliveryTag, ShortString};

/// Why the broker closed a channel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// There is no such exchange: declare it first.
    NoSuchExchange {
        /// Its name.
        name: ShortString,
    },
    /// There is no such queue: declare it first.
    NoSuchQueue {
        /// Its name.
        name: ShortString,
    },
    /// Another consumer has the queue, or the new one wants it for itself alone.
    Exclusive {
        /// The queue.
        name: ShortString,
    },
    /// A quorum queue with a single active consumer answers no `get`: consume instead.
    SingleActive {
        /// The queue.
        name: ShortString,
    },
    /// The channel holds no such delivery: it was acked before, or came on another channel.
    UnknownTag {
        /// The tag.
        tag: DeliveryTag,
    },
    /// The queue exists with other settings: delete it, or declare it as it is.
    Inequivalent {
        /// The queue.
        name: ShortString,
    },
    /// A setting of a queue is not allowed.
    Settings(SettingsError),
    /// A binding is not allowed.
    Binding(BindError),
    /// A queue that should be empty to be deleted is not.
    NotEmpty {
        /// The queue.
        name: ShortString,
    },
    /// A queue that should have no consumers to be deleted has some.
    InUse {
        /// The queue.
        name: ShortString,
    },
    /// A delivery was not acked in time: ack sooner, or set a longer consumer timeout.
    DeliveryTimeout {
        /// The delivery.
        tag: DeliveryTag,
    },
    /// The channel is closed: open another.
    ChannelClosed,
    /// A window shared by a channel is not for this queue or release: set it by consumer.
    SharedPrefetch,
}

/// Why a binding is not allowed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BindError {
    /// The default exchange has its bindings by itself.
    DefaultExchange,
    /// There is no such exchange: declare it first.
    NoSuchExchange {
        /// Its name.
        name: ShortString,
    },
    /// There is no such queue: declare it first.
    NoSuchQueue {
        /// Its name.
        name: ShortString,
    },
    /// A pattern has more words `#` than a topic exchange takes: [`HASH_WORDS_MAX`].
    TooManyHashes {
        /// How many.
        found: usize,
    },
    /// `x-match` is not one of `all`, `any`, `all-with-x` and `any-with-x`.
    UnknownMatch {
        /// What it is.
        given: String,
    },
}

impl Refusal {
    /// The code that the channel, or connection, is closed with.
    #[must_use]
    pub const fn code(&self) -> u16 {
        match self {
            Self::NoSuchExchange { .. }
            | Self::NoSuchQueue { .. }
            | Self::Binding(BindError::NoSuchExchange { .. } | BindError::NoSuchQueue { .. }) => {
                404
            }
            Self::Exclusive { .. } | Self::Binding(BindError::DefaultExchange) => 403,
            Self::SingleActive { .. } => 405,
            Self::ChannelClosed => 504,
            Self::SharedPrefetch => 540,
            Self::UnknownTag { .. }
            | Self::Inequivalent { .. }
            | Self::Settings(_)
            | Self::Binding(BindError::TooManyHashes { .. } | BindError::UnknownMatch { .. })
            | Self::NotEmpty { .. }
            | Self::InUse { .. }
            | Self::DeliveryTimeout { .. } => 406,
        }
    }

    /// The name of that code.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self.code() {
            403 => "ACCESS_REFUSED",
            404 => "NOT_FOUND",
            405 => "RESOURCE_LOCKED",
            406 => "PRECONDITION_FAILED",
            504 => "CHANNEL_ERROR",
            _ => "NOT_IMPLEMENTED",
        }
    }
}

impl From<SettingsError> for Refusal {
    fn from(error: SettingsError) -> Self {
        Self::Settings(error)
    }
}

impl From<BindError> for Refusal {
    fn from(error: BindError) -> Self {
        Self::Binding(error)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: ", self.code(), self.name())?;
        match self {
            Self::NoSuchExchange { name } => write!(f, "there is no exchange {name}"),
            Self::NoSuchQueue { name } => write!(f, "there is no queue {name}"),
            Self::Exclusive { name } => write!(f, "queue {name} is in exclusive use, or would be"),
            Self::SingleActive { name } => {
                write!(f, "queue {name} has a single active consumer: no get")
            }
            Self::UnknownTag { tag } => write!(f, "unknown delivery tag {tag}"),
            Self::Inequivalent { name } => write!(f, "queue {name} exists with other settings"),
            Self::Settings(error) => error.fmt(f),
            Self::Binding(error) => error.fmt(f),
            Self::NotEmpty { name } => write!(f, "queue {name} is not empty"),
            Self::InUse { name } => write!(f, "queue {name} has consumers"),
            Self::DeliveryTimeout { tag } => write!(f, "delivery {tag} was not acked in time"),
            Self::ChannelClosed => write!(f, "the channel is closed"),
            Self::SharedPrefetch => write!(f, "no prefetch count shared by the channel here"),
        }
    }
}

impl fmt::Display for BindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DefaultExchange => write!(f, "the default exchange cannot be bound"),
            Self::NoSuchExchange { name } => write!(f, "there is no exchange {name}"),
            Self::NoSuchQueue { name } => write!(f, "there is no queue {name}"),
            Self::TooManyHashes { found } => {
                write!(f, "{found} words # in a pattern: at most {HASH_WORDS_MAX}")
            }
            Self::UnknownMatch { given } => {
                write!(f, "x-match is “{given}”: write all, any, all-with-x or any-with-x")
            }
        }
    }
}

impl std::error::Error for Refusal {}
impl std::error::Error for BindError {}
