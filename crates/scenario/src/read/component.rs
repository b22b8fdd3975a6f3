//! Components, each kind by its own fields, and what must hold between them.

use broker::amqp::{EXPIRATION_MAX, QUORUM_PREFETCH_MAX};
use broker::queue::{CLAIM_CHECK_MAX, CLAIM_CHECK_THRESHOLD};
use patterns::retry::FailureClass;
use sim::{SimDuration, Times};

use super::capacity::{autoscale, capacity, shed_at_percent};
use super::clock::clock;
use super::database::database;
use super::log;
use super::program::{self, Runner, hidden};
use super::queue::{check_delays, check_queue, queue};
use super::relay;
use super::retry::{retry, worker_retry};
use super::saga;
use super::schedule;
use super::taking::{Receive, check_taking, receive, sources};
use super::time::{arrivals, duration, optional, or_none, positive, shares, times};
use super::topic::topic;
use super::{KINDS, Names, each_field};
use crate::wire::{Reader, RecordReader, Value};
use crate::{
    AckMode, Act, Address, Answers, Caller, Component, ComponentId, Exchange, External, Field,
    Heartbeat, IfCallerDies, Kind, Membership, OnError, Payload, Program, Queue, Service, Settings,
    Source, Taking, Target, Topic, Waits, Workers, limits,
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
        "topic" => topic(&mut record, names).map(Kind::Topic),
        "log" => log::log(&mut record).map(Kind::Log),
        "workers" => workers(name, &mut record, names).map(Kind::Workers),
        "database" => database(&mut record).map(|it| Kind::Database(Box::new(it))),
        "relay" => relay::relay(&mut record, names).map(|it| Kind::Relay(Box::new(it))),
        "change-data-capture" => {
            relay::capture(&mut record, names).map(|it| Kind::Relay(Box::new(it)))
        }
        "orchestrator" => {
            saga::orchestrator(&mut record, names).map(|it| Kind::Orchestrator(Box::new(it)))
        }
        "scheduler" => schedule::scheduler(&mut record).map(|it| Kind::Scheduler(Box::new(it))),
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
    let to = record
        .required("to")
        .and_then(|r| names.reference(&r, &["service", "queue", "topic", "log", "orchestrator"]));
    let target = match to.map(|id| (id, names.kind(id))) {
        Some((id, Some("service"))) => record
            .required("request")
            .and_then(|r| names.handler(id, &r))
            .map(|handler| Target::Service(id, handler)),
        Some((id, Some("orchestrator"))) => Some(Target::Service(id, 0)),
        Some((id, _)) => Some(Target::Queue(id)),
        None => {
            record.optional("request");
            None
        }
    };
    let travel = optional(record, "travel", times);
    let (caller, reply) = match target {
        Some(Target::Service(..)) => (waits(record), optional(record, "reply", times)),
        _ => (Some(None), Some(None)),
    };
    let arrivals = record.required("arrivals").and_then(|r| arrivals(&r));
    let key = optional(record, "key", |r| r.name().map(str::to_owned));
    let address = address(record);
    let bytes = optional(record, "bytes", |r| r.integer(1..=most_bytes()));
    let claim_check = optional(record, "claim_check", |r| or_none(r, claim_check));
    let messages = optional(record, "messages", |r| r.each(limits::SAMPLES, payload));
    let count = messages.as_ref().and_then(|messages| messages.as_ref().map(Vec::len));
    let shares = optional(record, "pick", |r| shares(r, count.unwrap_or(0)));
    Some(Source {
        to: target?,
        travel: travel?.unwrap_or(Times::constant(SimDuration::ZERO)),
        arrivals: arrivals?,
        key: key?,
        messages: messages?.unwrap_or_default(),
        shares: shares?.flatten(),
        bytes: bytes?.unwrap_or(BYTES),
        claim_check: claim_check?.flatten(),
        address: address?,
        caller: caller?,
        reply: reply?.unwrap_or(Times::constant(SimDuration::ZERO)),
    })
}

#[allow(clippy::cast_possible_truncation, reason = "it is two thousand million")]
fn most_bytes() -> u32 {
    CLAIM_CHECK_MAX as u32
}

/// `{}`, or `{ "above": … }` in bytes.
fn claim_check(reader: &Reader<'_>) -> Option<u32> {
    let mut record = reader.record()?;
    let above = optional(&mut record, "above", |r| r.integer(0..=most_bytes()));
    record.finish();
    Some(above?.unwrap_or(CLAIM_CHECK_THRESHOLD))
}

#[inline(never)]
fn address(record: &mut RecordReader<'_>) -> Option<Address> {
    let mut field = |name| optional(record, name, |r| r.name().map(str::to_owned));
    let (group, deduplication) = (field("group"), field("deduplication"));
    let (priority, routing_key) = (field("priority"), field("routing_key"));
    let expiration =
        optional(record, "expiration", |r| r.duration(SimDuration::ZERO..=EXPIRATION_MAX));
    Some(Address {
        group: group?,
        deduplication: deduplication?,
        priority: priority?,
        routing_key: routing_key?,
        expiration: expiration?,
    })
}

/// How a source waits for answers, if it does.
#[allow(clippy::option_option, reason = "left out and wrong are different answers")]
fn waits(record: &mut RecordReader<'_>) -> Option<Option<Box<Caller>>> {
    let timeout = optional(record, "timeout", positive);
    let again = optional(record, "retry", retry);
    let answers = optional(record, "answers", |r| {
        r.choice(&[("latest", Answers::Latest), ("any", Answers::Any)])
    });
    let (timeout, retry, answers) = (timeout?, again?, answers?);
    let waits = timeout.is_some() || retry.is_some() || answers.is_some();
    let answers = answers.unwrap_or(Answers::Latest);
    Some(waits.then(|| Box::new(Caller { timeout, retry, answers })))
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
    let retry_after = optional(record, "retry_after", duration);
    let restart_after = optional(record, "restart_after", duration);
    let off_by = optional(record, "clock", clock);
    let shed = record.optional("shed_at_percent");
    let (concurrency, waiting) = (concurrency?, waiting?);
    let shed_at_percent = shed_at_percent(
        shed.as_ref(),
        concurrency.is_some() && waiting.is_some(),
        "write \"concurrency\" and \"waiting\", which say how much there is room for",
    );
    Some(Service {
        handles: read?,
        count: count?.unwrap_or(1),
        concurrency,
        waiting: waiting.unwrap_or_else(most_waiting),
        when_full: when_full?.unwrap_or(503),
        retry_after: retry_after?,
        shed_at_percent: shed_at_percent?,
        restart_after: restart_after?,
        clock: off_by?.unwrap_or_default(),
    })
}

#[allow(clippy::cast_possible_truncation, reason = "the limit is far below")]
pub(super) fn most_instances() -> u16 {
    limits::INSTANCES.max as u16
}

#[allow(clippy::cast_possible_truncation, reason = "the limit is far below")]
fn most_waiting() -> u32 {
    limits::WAITING.max as u32
}

fn workers(name: &str, record: &mut RecordReader<'_>, names: &Names<'_>) -> Option<Workers> {
    let from = sources(record, names);
    let count = optional(record, "count", |r| r.integer(1..=most_instances()));
    let most = count.flatten().unwrap_or(1);
    let running = optional(record, "running", |r| r.integer(0..=most));
    let autoscale = optional(record, "autoscale", |r| autoscale(r, most));
    let receive = optional(record, "receive", receive);
    let prefetch = optional(record, "prefetch", |r| r.integer(1..=QUORUM_PREFETCH_MAX));
    let acks = optional(record, "acks", |r| {
        r.choice(&[("manual", AckMode::Manual), ("automatic", AckMode::Automatic)])
    });
    let restart_after = optional(record, "restart_after", duration);
    let off_by = optional(record, "clock", clock);
    let on_message =
        record.required("on_message").and_then(|r| program::read(&r, names, Runner::Worker));
    let on_error = optional(record, "on_error", on_error);
    let heartbeat = optional(record, "heartbeat", |r| or_none(r, heartbeat));
    let Receive { takes, max, polling, batch, attempts } = receive?.unwrap_or_default();
    let ((from, lanes), on_message) = (from?, on_message?);
    let membership = membership(name, record, names, from, &on_message)?;
    Some(Workers {
        from,
        membership,
        count: count?.unwrap_or(1),
        running: running?.unwrap_or(most),
        autoscale: autoscale?.map(Box::new),
        receive_takes: takes.unwrap_or(Times::constant(SimDuration::ZERO)),
        receive_max: max.unwrap_or(1),
        taking: Taking {
            lanes,
            polling,
            batch: batch.unwrap_or_default(),
            attempts: attempts.unwrap_or_default(),
        },
        prefetch: prefetch?,
        acks: acks?.unwrap_or(AckMode::Manual),
        restart_after: restart_after?,
        clock: off_by?.unwrap_or_default(),
        on_message,
        on_error: on_error?.unwrap_or(OnError::Leave),
        heartbeat: heartbeat?.flatten(),
    })
}

/// `{ "every": "10s", "extend_to": "30s" }`.
fn heartbeat(reader: &Reader<'_>) -> Option<Heartbeat> {
    let mut record = reader.record()?;
    let every = record.required("every").and_then(|r| positive(&r));
    let extend_to = record.required("extend_to").and_then(|r| hidden(&r));
    record.finish();
    every.zip(extend_to).map(|(every, extend_to)| Heartbeat { every, extend_to })
}

/// How workers read a log; workers of a queue have no group.
#[allow(clippy::option_option, reason = "no group and a wrong one are different answers")]
fn membership(
    name: &str,
    record: &mut RecordReader<'_>,
    names: &Names<'_>,
    from: ComponentId,
    program: &Program,
) -> Option<Option<Membership>> {
    let group = record.optional("group");
    if names.kind(from) == Some("log") {
        return log::membership(group.as_ref(), name, program, names).map(Some);
    }
    if let Some(reader) = group {
        reader.error("only workers that read a log are in a group", "take this field out");
        return None;
    }
    Some(None)
}

fn on_error(reader: &Reader<'_>) -> Option<OnError> {
    if matches!(reader.value(), Value::Text(_)) {
        return reader.choice(&[
            ("nack", OnError::Nack { delay: SimDuration::ZERO }),
            ("dead-letter", OnError::DeadLetter),
            ("leave", OnError::Leave),
        ]);
    }
    let mut record = reader.record()?;
    let (word, inner) = record.one_of(&["nack", "dead-letter", "leave", "retry"])?;
    let read = match word {
        "nack" => {
            let mut record = inner.record()?;
            let delay = optional(&mut record, "delay", hidden);
            record.finish();
            delay.map(|delay| OnError::Nack { delay: delay.unwrap_or(SimDuration::ZERO) })
        }
        "dead-letter" => Some(OnError::DeadLetter),
        "leave" => Some(OnError::Leave),
        _ => worker_retry(&inner, &mut record).map(|retry| OnError::Retry(Box::new(retry))),
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
    let capacity = optional(record, "capacity", capacity);
    let error_class = optional(record, "error_class", |r| r.choice(&CLASSES));
    let if_caller_dies = optional(record, "if_caller_dies", |r| {
        r.choice(&[("goes-on", IfCallerDies::GoesOn), ("stops", IfCallerDies::Stops)])
    });
    let idempotency = optional(record, "idempotency", |r| {
        or_none(r, |r| {
            let mut record = r.record()?;
            let window = record.required("window").and_then(|r| positive(&r));
            record.finish();
            window
        })
    });
    Some(External {
        latency: latency?,
        capacity: capacity?,
        idempotency: idempotency?.flatten(),
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
    let each = components.iter().enumerate();
    let queues: Vec<(ComponentId, &Queue)> = each
        .filter_map(|(index, component)| match &component.kind {
            Kind::Queue(queue) => Some((ComponentId::new(index), queue)),
            _ => None,
        })
        .collect();
    for (index, component) in components.iter().enumerate() {
        let here = &entries[index].1;
        match &component.kind {
            Kind::Workers(workers) => {
                instances += usize::from(workers.count);
                good &= check_workers(here, workers, &queues);
                good &= check_taking(here, workers, &queues);
                good &= check_delays(here, &workers.on_message, &queues);
            }
            Kind::Relay(relay) => instances += usize::from(relay.count),
            Kind::Scheduler(it) => instances += usize::from(it.count),
            Kind::Service(service) => {
                instances += usize::from(service.count);
                for (_, program) in &service.handles {
                    good &= check_delays(here, program, &queues);
                }
            }
            Kind::Topic(topic) => good &= check_topic(here, index, topic, components),
            Kind::Queue(queue) => {
                good &= check_queue(here, index, queue, &queues)
                    && check_letters(here, queue, components);
            }
            _ => {}
        }
    }
    good &= log::check_groups(components, entries);
    if instances > limits::INSTANCES.max {
        entries[0].1.error(
            format!("there are {instances} processes; the bound is {}", limits::INSTANCES),
            "lower the counts of the workers and services",
        );
        good = false;
    }
    good.then_some(())
}

/// A topic whose bindings lead back to it would pass a message on for ever; routing stops there, and
/// the document is refused where that is plain to see. Shards are queues: topics have no length.
#[inline(never)]
fn check_topic(here: &Reader<'_>, index: usize, topic: &Topic, components: &[Component]) -> bool {
    let targets = || topic.bindings.iter().map(|binding| binding.to).chain(topic.otherwise);
    if targets().any(|to| to.index() == index) {
        here.error("a topic cannot be bound to itself", "name another in \"to\"");
        return false;
    }
    let is_topic = |to: ComponentId| matches!(components[to.index()].kind, Kind::Topic(_));
    if matches!(topic.exchange, Exchange::Shuffle { .. }) && targets().any(is_topic) {
        here.error("shards are queues, and a topic is none", "name queues in \"to\"");
        return false;
    }
    true
}

/// Dead letters go through exchanges that the broker itself has: those that look at keys alone, and
/// lead to its own queues.
fn check_letters(here: &Reader<'_>, queue: &Queue, components: &[Component]) -> bool {
    let mut seen: Vec<ComponentId> = queue.dead_letter_to.into_iter().collect();
    let mut next = 0;
    while next < seen.len() {
        let fits = match &components[seen[next].index()].kind {
            Kind::Topic(topic) => {
                for to in topic.targets() {
                    if !seen.contains(&to) {
                        seen.push(to);
                    }
                }
                topic.is_amqp()
            }
            Kind::Queue(other) => next == 0 || matches!(other.settings, Settings::Rabbit(..)),
            _ => false,
        };
        if !fits {
            here.error(
                "dead letters cannot go through that topic: it filters, or leads off the broker",
                "name an exchange \"fanout\", \"direct\" or \"topic\" of RabbitMQ's queues",
            );
            return false;
        }
        next += 1;
    }
    true
}

/// Holds workers to what the queue that they take from knows.
fn check_workers(here: &Reader<'_>, workers: &Workers, queues: &[(ComponentId, &Queue)]) -> bool {
    let from = queues.iter().find(|(id, _)| *id == workers.from).map(|(_, queue)| *queue);
    let Some(queue) = from else { return true };
    let aside = workers.needs_dead_letters();
    let rejects = matches!(queue.settings, Settings::Rabbit(..));
    if aside && queue.dead_letter_to.is_none() && !rejects {
        here.error(
            "“dead-letter” does not say where to, and the queue has no such queue",
            "write { \"dead-letter\": { \"to\": … } } with the name of a queue",
        );
        return false;
    }
    let acts = || workers.on_message.steps.iter().map(|step| &step.act);
    let settles = acts().any(Act::ends_delivery);
    let delays = acts().any(|act| match act {
        Act::Extend { .. } => true,
        Act::Nack { delay, .. } => !delay.is_zero(),
        _ => false,
    });
    let delays = delays
        || workers.heartbeat.is_some()
        || match &workers.on_error {
            OnError::Nack { delay } => !delay.is_zero(),
            OnError::Retry(retry) => {
                retry.waits == Waits::InQueue && !retry.policy.backoff.ceiling(1).is_zero()
            }
            OnError::DeadLetter | OnError::Leave => false,
        };
    let pulls = matches!(queue.settings, Settings::Sqs(_));
    let forgets = matches!(queue.settings, Settings::Plain(_));
    let automatic = workers.acks == AckMode::Automatic;
    let profile = queue.profile.name();
    let wrong = if pulls && (automatic || workers.prefetch.is_some()) {
        (
            "a queue of SQS is asked for messages and is told when they are done",
            "leave out \"prefetch\" and \"acks\"",
        )
    } else if !pulls && delays {
        (
            "this queue hides nothing by the clock, so there is no time to set",
            "leave out \"extend\", \"heartbeat\" and the delay of a \"nack\"",
        )
    } else if (forgets || automatic) && settles {
        (
            "a message is gone from its queue before the handler starts",
            "leave out \"ack\" and \"nack\"",
        )
    } else {
        return true;
    };
    here.error(format!("{} (profile {profile})", wrong.0), wrong.1);
    false
}
