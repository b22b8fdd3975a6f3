//! Queues of RabbitMQ for the base scenario.

use broker::amqp::{Access, Acknowledgement, Subscription};
use serde_json::{Value as Json, json};

/// A queue with more settings, in place of the one that the base scenario has.
///
/// # Panics
/// If the settings are no record.
#[must_use]
pub fn queue(profile: &str, more: &Json) -> (&'static str, Json) {
    let mut queue = json!({ "is": "queue", "profile": profile });
    for (name, value) in more.as_object().expect("a record") {
        queue[name] = value.clone();
    }
    ("/components/jobs", queue)
}

/// A queue for dead letters.
#[must_use]
pub fn parked(profile: &str) -> (&'static str, Json) {
    ("/components/parked", json!({ "is": "queue", "profile": profile }))
}

/// When the source sends.
#[must_use]
pub fn at(times: &[&str]) -> (&'static str, Json) {
    ("/components/feed/arrivals", json!({ "at": times }))
}

/// The profile of a classic queue.
pub const CLASSIC: &str = "rabbitmq-classic";
/// The profile of a quorum queue.
pub const QUORUM: &str = "rabbitmq-quorum";

/// One that competes with others, at a priority.
#[must_use]
pub fn subscription(queue: &str, priority: i32) -> Subscription {
    let (acknowledgement, access) = (Acknowledgement::Manual, Access::Shared);
    Subscription { queue: queue.into(), acknowledgement, priority, access }
}
