//! What the broker answers, as the scripts write it.

use broker::amqp::{Death, Delivery, Envelope, Refusal, ShortString, Value};
use serde_json::{Map, Value as Json, json};
use sim::SimDuration;

/// A delivered message, without fields that are not there.
pub(super) fn delivery(delivery: &Delivery, body: &str) -> Map<String, Json> {
    let envelope = &*delivery.envelope;
    let mut shown = Map::new();
    let mut show = |key: &str, value: Json| shown.insert(key.to_owned(), value);
    show("body", json!(body));
    show("redelivered", json!(delivery.redelivered));
    show("exchange", json!(envelope.exchange.as_str()));
    show("routing_key", json!(envelope.routing_key.as_str()));
    if let Some(count) = delivery.delivery_count {
        show("x-delivery-count", json!(count));
    }
    if let Some(first) = envelope.deaths.first() {
        let deaths: Vec<Json> = envelope.deaths.deaths().iter().map(death).collect();
        show("x-death", json!(deaths));
        show("x-first-death-queue", json!(first.queue.as_str()));
        show("x-first-death-reason", json!(first.reason.as_str()));
        show("x-first-death-exchange", json!(first.exchange.as_str()));
    }
    if let Some(expiration) = envelope.expiration {
        show("expiration", json!(written(expiration)));
    }
    if let Some(priority) = envelope.priority {
        show("priority", json!(priority));
    }
    let headers = headers(envelope);
    if !headers.is_empty() {
        show("headers", Json::Object(headers));
    }
    shown
}

/// The code that a channel was closed with.
pub(super) fn refusal(refusal: &Refusal) -> Json {
    json!({ "channel_closed": { "code": refusal.code(), "text": refusal.name() } })
}

fn death(death: &Death) -> Json {
    let mut shown = json!({
        "queue": death.queue.as_str(),
        "reason": death.reason.as_str(),
        "count": death.count,
        "exchange": death.exchange.as_str(),
        "routing-keys": texts(&death.routing_keys),
    });
    if let Some(expiration) = death.original_expiration {
        shown["original-expiration"] = json!(written(expiration));
    }
    shown
}

fn headers(envelope: &Envelope) -> Map<String, Json> {
    let value = |value: &Value| match value {
        Value::Void => Json::Null,
        Value::Boolean(truth) => json!(truth),
        Value::Integer(number) => json!(number),
        Value::Text(text) => json!(text.as_str()),
    };
    let pairs = envelope.headers.iter().map(|(name, it)| (name.to_string(), value(it)));
    let mut shown: Map<String, Json> = pairs.collect();
    if !envelope.cc.is_empty() {
        shown.insert("CC".to_owned(), json!(texts(&envelope.cc)));
    }
    shown
}

fn texts(keys: &[ShortString]) -> Vec<&str> {
    keys.iter().map(ShortString::as_str).collect()
}

/// The property is a text of milliseconds.
fn written(expiration: SimDuration) -> String {
    (expiration.as_micros() / 1_000).to_string()
}
