//! Attributes of a queue, as `CreateQueue` and `SetQueueAttributes` name them.

use broker::queue::{Deduplicate, Fairness, Fifo, Kind, Receipts, Scope, Settings};
use serde_json::Value;
use sim::SimDuration;

use crate::conformance::Problem;
use crate::conformance::json::Node;

/// An attribute and its value.
#[derive(Clone, Debug)]
pub(in crate::conformance::sqs) struct Attribute {
    pub name: String,
    value: Setting,
}

#[derive(Clone, Debug)]
enum Setting {
    Number(f64),
    Receipts(Receipts),
    Deduplicate(Deduplicate),
    Scope(Scope),
    Fairness(Fairness),
    /// Understood, and without effect here.
    Nothing,
}

const NAMES: &str = "use one of VisibilityTimeout, DelaySeconds, MessageRetentionPeriod, \
                     ReceiveMessageWaitTimeSeconds, MaximumMessageSize, MaxInFlight, Redrive, \
                     Fairness; for a FIFO queue also ContentBasedDeduplication, \
                     DeduplicationScope, FifoThroughputLimit";

/// The settings of a queue of this type before any attribute.
pub(super) fn defaults(fifo: bool) -> Settings {
    if fifo { Settings::sqs_fifo() } else { Settings::sqs_standard() }
}

pub(super) fn read(name: &str, node: &Node<'_>, fifo: bool) -> Result<Attribute, Problem> {
    let value = match name {
        "Receipts" => Setting::Receipts(choice(
            node,
            &[("strict", Receipts::Strict), ("lenient", Receipts::Lenient)],
        )?),
        "Fairness" if !fifo => Setting::Fairness(fairness(node)?),
        "FifoQueue" if truth(node)? == fifo => Setting::Nothing,
        "ContentBasedDeduplication" if fifo => Setting::Deduplicate(match truth(node)? {
            true => Deduplicate::ByContent,
            false => Deduplicate::ById,
        }),
        "DeduplicationScope" if fifo => Setting::Scope(choice(
            node,
            &[("queue", Scope::Queue), ("messageGroup", Scope::MessageGroup)],
        )?),
        // A quota of requests a second.
        "FifoThroughputLimit" if fifo => choice(
            node,
            &[("perQueue", Setting::Nothing), ("perMessageGroupId", Setting::Nothing)],
        )?,
        "VisibilityTimeout"
        | "DelaySeconds"
        | "MessageRetentionPeriod"
        | "ReceiveMessageWaitTimeSeconds"
        | "MaximumMessageSize"
        | "MaxInFlight" => Setting::Number(node.number()?),
        _ => {
            let kind = if fifo { "FIFO" } else { "standard" };
            return Err(node.problem(&format!("a {kind} queue has no attribute {name}"), NAMES));
        }
    };
    Ok(Attribute { name: name.to_owned(), value })
}

impl Attribute {
    pub fn apply(&self, settings: &mut Settings) {
        match (&self.value, &mut settings.kind) {
            (Setting::Number(number), _) => apply(settings, &self.name, *number),
            (Setting::Receipts(receipts), _) => settings.receipts = *receipts,
            (Setting::Deduplicate(deduplicate), Kind::Fifo(fifo)) => {
                fifo.deduplicate = *deduplicate;
            }
            (Setting::Scope(scope), Kind::Fifo(fifo)) => fifo.scope = *scope,
            (Setting::Fairness(fairness), kind) => *kind = Kind::Fair(*fairness),
            (Setting::Nothing | Setting::Deduplicate(_) | Setting::Scope(_), _) => {}
        }
    }
}

fn apply(settings: &mut Settings, name: &str, number: f64) {
    let seconds = SimDuration::from_micros_f64(number * 1e6);
    match name {
        "VisibilityTimeout" => settings.visibility_timeout = seconds,
        "DelaySeconds" => settings.delay = seconds,
        "MessageRetentionPeriod" => settings.retention = seconds,
        "ReceiveMessageWaitTimeSeconds" => settings.receive_wait = seconds,
        "MaximumMessageSize" => settings.max_message_bytes = number as u32,
        _ => settings.max_in_flight = number as u32,
    }
}

/// `{ "share": 10, "in_flight": 30, "calm": 300 }`, each as the product has it if left out.
fn fairness(node: &Node<'_>) -> Result<Fairness, Problem> {
    let mut fairness = Fairness::sqs();
    for (key, value) in node.members()? {
        match key {
            "share" => fairness.share_percent = value.whole()?,
            "in_flight" => fairness.in_flight = value.whole()?,
            "calm" => fairness.calm = SimDuration::from_micros_f64(value.number()? * 1e6),
            _ => return Err(value.problem("no such threshold", "use share, in_flight and calm")),
        }
    }
    Ok(fairness)
}

/// `true`, or the text that the API has for it.
fn truth(node: &Node<'_>) -> Result<bool, Problem> {
    match node.value() {
        Value::String(text) if text.eq_ignore_ascii_case("true") => Ok(true),
        Value::String(text) if text.eq_ignore_ascii_case("false") => Ok(false),
        _ => node.truth(),
    }
}

fn choice<T: Clone>(node: &Node<'_>, choices: &[(&str, T)]) -> Result<T, Problem> {
    let text = node.text()?;
    let found = choices.iter().find(|(name, _)| *name == text);
    found.map(|(_, choice)| choice.clone()).ok_or_else(|| {
        let names: Vec<String> = choices.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        node.problem("no such value", &format!("write {}", names.join(" or ")))
    })
}

/// What attributes of a queue show: the settings, also those without effect.
pub(in crate::conformance::sqs) fn shown(settings: &Settings, name: &str) -> Option<f64> {
    let seconds = SimDuration::as_secs_f64;
    Some(match (name, settings.kind) {
        ("VisibilityTimeout", _) => seconds(settings.visibility_timeout),
        ("DelaySeconds", _) => seconds(settings.delay),
        ("MessageRetentionPeriod", _) => seconds(settings.retention),
        ("ReceiveMessageWaitTimeSeconds", _) => seconds(settings.receive_wait),
        ("MaximumMessageSize", _) => f64::from(settings.max_message_bytes),
        ("MaxInFlight", _) => f64::from(settings.max_in_flight),
        ("ContentBasedDeduplication", Kind::Fifo(Fifo { deduplicate, .. })) => {
            f64::from(u8::from(deduplicate == Deduplicate::ByContent))
        }
        _ => return None,
    })
}
