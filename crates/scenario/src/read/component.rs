//! Components, each kind by its own fields, and what must hold between them.

use broker::queue::{
    self, DELAY_MAX, IN_FLIGHT_MAX, MESSAGE_BYTES_MAX, MESSAGE_BYTES_MIN, RECEIVE_COUNT_MAX,
    RECEIVE_MAX, RETENTION_MAX, RETENTION_MIN, Receipts, WAIT_MAX,
};
use patterns::retry::FailureClass;
use sim::{SimDuration, Times};

use super::program::{self, Runner, hidden};
use super::time::{arrivals, duration, optional, positive, times};
use super::{KINDS, Names, each_field};
use crate::wire::{Reader, RecordReader, Value};
use crate::{
    Component, External, Field, Heartbeat, IfCallerDies, Kind, OnError, Payload, Profile, Queue,
    Service, Source, Target, Workers, limits,
};

/// The size of a message unless its source says otherwise, in bytes.
const BYTES: u32 = 1_024;

pub(super) fn read(name: &str, reader: &Reader<'_>, names: &Names<'_>) -> Option<Component> {
    let mut record = reader.record()?;
    let kind = record.required("is").and_then(|r| r.choice(&KINDS.map(|kind| (kind, kind))));
    let label = optional(&mut record, "label", |r| r.text(limits::LABEL).map(str::to_owned));
    let kind = match kind? {
        "source" => source(&mut record, names).map(Kind::Source),
        "service" => service(&mut record, names).map(Kind::Service),
        "queue" => queue(&mut record, names).map(Kind::Queue),
        "workers" => workers(&mut record, names).map(Kind::Workers),
        _ => external(&mut record).map(Kind::External),
    };
    record.finish();
    Some(Component {
        name: name.to_owned(),
        label: label?.unwrap_or_else(|| name.to_owned()),
        kind: kind?,
    })
}

fn source(record: &mut RecordReader<'_>, names: &Names<'_>) -> Option<Source> {
    let to = record.required("to").and_then(|r| names.reference(&r, &["service", "queue"]));
    let target = match to.map(|id| (id, names.kind(id))) {
        Some((id, Some("service"))) => record
            .required("request")
            .and_then(|r| names.handler(id, &r))
            .map(|handler| Target::Service(id, handler)),
        Some((id, _)) => Some(Target::Queue(id)),
        None => {
            record.optional("request");
            None
        }
    };
    let travel = optional(record, "travel", times);
    let arrivals = record.required("arrivals").and_then(|r| arrivals(&r));
    let key = optional(record, "key", |r| r.name().map(str::to_owned));
    let bytes = optional(record, "bytes", |r| r.integer(1..=MESSAGE_BYTES_MAX));
    let messages = optional(record, "messages", |r| r.each(limits::SAMPLES, payload));
    Some(Source {
        to: target?,
        travel: travel?.unwrap_or(Times::constant(SimDuration::ZERO)),
        arrivals: arrivals?,
        key: key?,
        messages: messages?.unwrap_or_default(),
        bytes: bytes?.unwrap_or(BYTES),
    })
}

fn payload(reader: &Reader<'_>) -> Option<Payload> {
    let mut record = reader.record()?;
    let entries = record.raw_entries(limits::FIELDS);
    let fields = each_field(&entries, |name, value| {
        let field = match value.value() {
            Value::Number(number) => Field::Number(*number),
            _ => Field::Text(value.text(limits::TEXT)?.to_owned()),
        };
        Some((name.to_owned(), field))
    });
    record.finish();
    Some(Payload { fields: fields? })
}

fn service(record: &mut RecordReader<'_>, names: &Names<'_>) -> Option<Service> {
    let mut handles = record.required("handles")?.record()?;
    let read = each_field(&handles.entries(limits::HANDLERS), |request, r| {
        Some((request.to_owned(), program::read(r, names, Runner::Service)?))
    });
    handles.finish();
    let count = optional(record, "count", |r| r.integer(1..=most_instances()));
    let concurrency = optional(record, "concurrency", |r| r.integer(1..=most_waiting()));
    let waiting = optional(record, "waiting", |r| r.integer(0..=most_waiting()));
    let when_full = optional(record, "when_full", |r| {
        let status: u16 = r.integer(400..=599)?;
        if !matches!(status, 429 | 503) {
            r.error(format!("{status} does not say that a service is full"), "write 503 or 429");
            return None;
        }
        Some(status)
    });
    let restart_after = optional(record, "restart_after", duration);
    Some(Service {
        handles: read?,
        count: count?.unwrap_or(1),
        concurrency: concurrency?,
        waiting: waiting?.unwrap_or_else(most_waiting),
        when_full: when_full?.unwrap_or(503),
        restart_after: restart_after?,
    })
}

#[allow(clippy::cast_possible_truncation, reason = "the limit is far below")]
fn most_instances() -> u16 {
    limits::INSTANCES.max as u16
}

#[allow(clippy::cast_possible_truncation, reason = "the limit is far below")]
fn most_waiting() -> u32 {
    limits::WAITING.max as u32
}

/// The settings of a queue that a document may set over its profile's.
const SETTINGS: [&str; 8] = [
    "visibility_timeout",
    "delay",
    "retention",
    "receive_wait",
    "max_receive_count",
    "max_in_flight",
    "receipts",
    "max_message_bytes",
];

fn queue(record: &mut RecordReader<'_>, names: &Names<'_>) -> Option<Queue> {
    let profile = record.required("profile").and_then(|r| r.choice(Profile::ALL));
    let mut settings = profile.map_or(queue::Settings::sqs_standard(), Profile::settings);
    let mut overridden = Vec::new();
    let mut good = true;
    for name in SETTINGS {
        if let Some(reader) = record.optional(name) {
            overridden.push(name);
            good &= set(&mut settings, name, &reader).is_some();
        }
    }
    let dead_letter_to = record.optional("dead_letter_to");
    match (&dead_letter_to, settings.max_receive_count) {
        (Some(reader), None) => {
            reader.error(
                "nothing is ever moved there without a limit on receives",
                "add \"max_receive_count\": 5, or leave this field out",
            );
            good = false;
        }
        (None, Some(_)) => {
            record.whole().error(
                "max_receive_count needs a queue to move messages to",
                "add \"dead_letter_to\" with the name of another queue",
            );
            good = false;
        }
        _ => {}
    }
    let dead_letter_to = match dead_letter_to {
        Some(reader) => Some(names.reference(&reader, &["queue"])?),
        None => None,
    };
    good.then_some(())?;
    Some(Queue { profile: profile?, settings, overridden, dead_letter_to })
}

fn set(settings: &mut queue::Settings, name: &str, reader: &Reader<'_>) -> Option<()> {
    let zero = SimDuration::ZERO;
    match name {
        "visibility_timeout" => settings.visibility_timeout = hidden(reader)?,
        "delay" => settings.delay = reader.duration(zero..=DELAY_MAX)?,
        "retention" => settings.retention = reader.duration(RETENTION_MIN..=RETENTION_MAX)?,
        "receive_wait" => settings.receive_wait = reader.duration(zero..=WAIT_MAX)?,
        "max_receive_count" => {
            settings.max_receive_count = Some(reader.integer(1..=RECEIVE_COUNT_MAX)?);
        }
        "max_in_flight" => settings.max_in_flight = reader.integer(1..=IN_FLIGHT_MAX)?,
        "receipts" => {
            settings.receipts =
                reader.choice(&[("strict", Receipts::Strict), ("lenient", Receipts::Lenient)])?;
        }
        _ => {
            settings.max_message_bytes = reader.integer(MESSAGE_BYTES_MIN..=MESSAGE_BYTES_MAX)?;
        }
    }
    Some(())
}

fn workers(record: &mut RecordReader<'_>, names: &Names<'_>) -> Option<Workers> {
    let from = record.required("from").and_then(|r| names.reference(&r, &["queue"]));
    let count = optional(record, "count", |r| r.integer(1..=most_instances()));
    let receive = optional(record, "receive", |r| {
        let mut record = r.record()?;
        let takes = optional(&mut record, "takes", times);
        let max = optional(&mut record, "max", |r| r.integer(1..=RECEIVE_MAX));
        record.finish();
        takes.zip(max)
    });
    let restart_after = optional(record, "restart_after", duration);
    let on_message =
        record.required("on_message").and_then(|r| program::read(&r, names, Runner::Worker));
    let on_error = optional(record, "on_error", on_error);
    let heartbeat = optional(record, "heartbeat", |r| {
        let mut record = r.record()?;
        let every = record.required("every").and_then(|r| positive(&r));
        let extend_to = record.required("extend_to").and_then(|r| hidden(&r));
        record.finish();
        every.zip(extend_to).map(|(every, extend_to)| Heartbeat { every, extend_to })
    });
    let (takes, max) = receive?.unwrap_or((None, None));
    Some(Workers {
        from: from?,
        count: count?.unwrap_or(1),
        receive_takes: takes.unwrap_or(Times::constant(SimDuration::ZERO)),
        receive_max: max.unwrap_or(1),
        restart_after: restart_after?,
        on_message: on_message?,
        on_error: on_error?.unwrap_or(OnError::Leave),
        heartbeat: heartbeat?,
    })
}

fn on_error(reader: &Reader<'_>) -> Option<OnError> {
    let (word, inner) = reader.variant(&["nack", "leave"])?;
    let mut record = inner.record()?;
    let read = if word == "nack" {
        let delay = optional(&mut record, "delay", hidden);
        delay.map(|delay| OnError::Nack { delay: delay.unwrap_or(SimDuration::ZERO) })
    } else {
        Some(OnError::Leave)
    };
    record.finish();
    read
}

/// The classes of failures by their words.
const CLASSES: [(&str, FailureClass); 3] = [
    ("transient", FailureClass::Transient),
    ("permanent", FailureClass::Permanent),
    ("unknown", FailureClass::Unknown),
];

fn external(record: &mut RecordReader<'_>) -> Option<External> {
    let latency = record.required("latency").and_then(|r| times(&r));
    let error_rate = optional(record, "error_rate", |r| r.number(0.0..=1.0));
    let error_class = optional(record, "error_class", |r| r.choice(&CLASSES));
    let if_caller_dies = optional(record, "if_caller_dies", |r| {
        r.choice(&[("goes-on", IfCallerDies::GoesOn), ("stops", IfCallerDies::Stops)])
    });
    Some(External {
        latency: latency?,
        error_rate: error_rate?.unwrap_or(0.0),
        error_class: error_class?.unwrap_or(FailureClass::Transient),
        if_caller_dies: if_caller_dies?.unwrap_or(IfCallerDies::GoesOn),
    })
}

/// What must hold between components that are each right.
pub(super) fn check_together(
    components: &[Component],
    entries: &[(&str, Reader<'_>)],
) -> Option<()> {
    let mut good = true;
    let mut instances = 0;
    for (index, component) in components.iter().enumerate() {
        let here = &entries[index].1;
        match &component.kind {
            Kind::Workers(workers) => {
                instances += usize::from(workers.count);
                if let Kind::Queue(queue) = &components[workers.from.index()].kind
                    && queue.dead_letter_to.is_none()
                    && workers.on_message.steps.iter().any(|step| step.act.needs_dead_letters())
                {
                    here.error(
                        "“dead-letter” does not say where to, and the queue has no such queue",
                        "write { \"dead-letter\": { \"to\": … } } with the name of a queue",
                    );
                    good = false;
                }
            }
            Kind::Service(service) => instances += usize::from(service.count),
            Kind::Queue(queue) if queue.dead_letter_to.is_some_and(|to| to.index() == index) => {
                here.error(
                    "a queue cannot be its own dead-letter queue",
                    "name another queue in \"dead_letter_to\"",
                );
                good = false;
            }
            _ => {}
        }
    }
    if instances > limits::INSTANCES.max {
        entries[0].1.error(
            format!("there are {instances} processes; the bound is {}", limits::INSTANCES),
            "lower the counts of the workers and services",
        );
        good = false;
    }
    good.then_some(())
}
