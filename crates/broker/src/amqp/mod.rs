//! An AMQP 0-9-1 broker with the rules of RabbitMQ: exchanges, queues, channels.
//!
//! # Map
//!
//! | module | what it is |
//! | --- | --- |
//! | [`Broker`] | the machine: declare, bind, publish, consume, get, ack, let time pass |
//! | [`exchange`] | exchanges and bindings: which queues a message goes to |
//! | [`queue`] | one queue: what is ready, what is out, and who gets the next message |
//! | [`Settings`] | what a queue may be set to, and the profiles `rabbitmq-classic` and `rabbitmq-quorum` |
//! | [`Release`] | what changed from one release to the next |
//! | [`Envelope`], [`History`] | a message with its properties, and where it died before |
//! | [`Event`] | what a request, or time alone, brings about |
//! | [`Refusal`] | why a channel was closed |
//!
//! # The life of a message
//!
//! ```text
//!              no queue    ┌──────────────────────────────┐
//!    publish ────────────▶ │ dropped, or returned         │
//!       │                  └──────────────────────────────┘
//!       │ exchange, bindings: a copy to each queue
//!       ▼
//!   ┌────────┐  limit reached, publishes refused: nack
//!   │ queue? │ ───────────────────────────────────────▶ the publisher keeps it
//!   └───┬────┘
//!       ▼
//!   ┌───────┐   a consumer has room, or a get   ┌─────────┐   ack      ┌──────┐
//!   │ ready │ ────────────────────────────────▶ │ unacked │ ─────────▶ │ gone │
//!   └─┬───┬─┘ ◀──────────────────────────────── └────┬────┘            └──────┘
//!     │   ▲      requeue, channel lost, timeout      │                    ▲
//!     │   │                                          │                    │ automatic ack:
//!     │   └───────────── held back (4.3) ◀───────────┤                    │ straight from ready
//!     │                                              │
//!     │ head: expired, pushed out                    │ rejected, delivery limit
//!     ▼                                              ▼
//!   ┌──────────────────────────────────────────────────┐  dead-letter exchange
//!   │ dead: one more entry in its history              │ ─────────────────────▶ publish again,
//!   └──────────────────────────────────────────────────┘                        cycles cut
//! ```
//!
//! # What it leaves out
//!
//! Streams, transactions, policies, priorities of exchanges, replication as such (a quorum queue
//! has its rules, not its replicas), flow control and memory alarms.

mod broker;
mod channel;
mod death;
mod envelope;
mod error;
mod event;
pub mod exchange;
pub mod queue;
mod release;
mod settings;
mod short_string;

pub use broker::{Broker, DeleteCondition};
pub use death::{Death, FirstDeath, History, HistoryOrder, Reason};
pub use envelope::{
    BadExpiration, DeliveryMode, EXPIRATION_MAX, Envelope, Headers, Publication, Unroutable, Value,
    parse_expiration,
};
pub use error::{BindError, Refusal};
pub use event::{
    Access, Acknowledgement, Answer, CancelCause, ChannelId, Confirm, ConfirmStage, ConnectionId,
    ConsumerId, DeleteCause, Delivery, DeliveryTag, Event, Fate, Got, Subscription, Tags, Verdict,
};
pub use exchange::{Binding, Destination, Exchange, ExchangeKind, HeadersMatch, MatchRule};
pub use queue::Queue;
pub use release::{QuorumPriority, Release, ReturnCause, Succession, TimeoutRule};
pub use settings::{
    CLASSIC_PRIORITY_DEFAULT, DeadLetterStrategy, Delayed, DelayedRetry, Durability, Lifetime,
    MAX_PRIORITY_MAX, Overflow, QUORUM_PREFETCH_MAX, QUORUM_PRIORITY_DEFAULT, QUORUM_PRIORITY_MAX,
    QueueKind, Server, Settings, SettingsError, Sharing,
};
pub use short_string::ShortString;
