//! What a message says to brokers on its envelope, beside its body.

use sim::SimDuration;

/// Which fields of a body are written on the envelope, and what stands there for every message.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Address {
    /// The field whose value is the message group, or the tenant; the ordering key if `None`.
    pub group: Option<String>,
    /// The field whose value is the deduplication id. `None`: each message has one of its own.
    pub deduplication: Option<String>,
    /// The field whose value is the priority.
    pub priority: Option<String>,
    /// The field whose value is the routing key.
    pub routing_key: Option<String>,
    /// How long a message may wait in a queue.
    pub expiration: Option<SimDuration>,
}
