//! Queues, by profile, and what must hold between a queue and its neighbours.

use broker::amqp::{
    self, DeadLetterStrategy, Delayed, DelayedRetry, EXPIRATION_MAX, MAX_PRIORITY_MAX, Overflow,
    QueueKind, Release, Server, Sharing,
};
use broker::queue::{
    self, DELAY_MAX, Deduplicate, FAIR_CALM, FAIR_IN_FLIGHT, FAIR_SHARE_PERCENT, Fairness,
    IN_FLIGHT_MAX, Kind, MESSAGE_BYTES_MAX, MESSAGE_BYTES_MIN, RECEIVE_COUNT_MAX, RETENTION_MAX,
    RETENTION_MIN, Receipts, Scope, WAIT_MAX,
};
use sim::SimDuration;

use super::Names;
use super::program::hidden;
use super::time::{optional, or_none, positive};
use crate::wire::{Reader, RecordReader};
use crate::{Act, ComponentId, Plain, Profile, Program, Queue, Settings, Unattended, limits};

/// The settings of SQS that a document may set over its profile's; the last ones by type.
const SQS: [&str; 8] = [
    "visibility_timeout",
    "delay",
    "retention",
    "receive_wait",
    "max_receive_count",
    "max_in_flight",
    "receipts",
    "max_message_bytes",
];

/// Those of RabbitMQ. The release comes first: what others mean depends on it.
const RABBIT: [&str; 11] = [
    "release",
    "sharing",
    "message_ttl",
    "max_length",
    "max_length_bytes",
    "overflow",
    "max_priority",
    "delivery_limit",
    "dead_letter_strategy",
    "delayed_retry",
    "consumer_timeout",
];

pub(super) fn queue(record: &mut RecordReader<'_>, names: &Names<'_>) -> Option<Queue> {
    let profile = record.required("profile").and_then(|r| r.choice(Profile::ALL));
    let mut settings = Settings::of(profile.unwrap_or(Profile::SqsStandard));
    let keys: &[&'static str] = match profile {
        Some(Profile::SqsFifo) => &[&SQS[..], &["deduplicate", "deduplication_scope"]].concat(),
        Some(Profile::RabbitClassic | Profile::RabbitQuorum) => &RABBIT,
        Some(Profile::Plain) => &["max_length", "unattended"],
        Some(Profile::SqsStandard) | None => &[&SQS[..], &["fair"]].concat(),
    };
    let mut overridden = Vec::new();
    let mut good = true;
    for &name in keys {
        if let Some(reader) = record.optional(name) {
            overridden.push(name);
            good &= match &mut settings {
                Settings::Sqs(settings) => set_sqs(settings, name, &reader),
                Settings::Rabbit(settings, server) => set_rabbit(settings, server, name, &reader),
                Settings::Plain(plain) => set_plain(plain, name, &reader),
            }
            .is_some();
        }
    }
    let dead_letter_to = match (record.optional("dead_letter_to"), &mut settings) {
        (Some(reader), _) if profile == Some(Profile::Plain) => {
            reader.error("a plain queue moves nothing aside", "leave this field out");
            return None;
        }
        (Some(reader), settings) => {
            good &= fits_dead_letters(&reader, settings);
            let kinds: &[_] = match settings {
                Settings::Rabbit(..) => &["queue", "topic"],
                _ => &["queue"],
            };
            let to = names.reference(&reader, kinds)?;
            if let Settings::Rabbit(settings, _) = settings {
                let through = names.kind(to) == Some("topic");
                let name = names.name(to);
                settings.dead_letter_exchange = Some(if through { name } else { "" }.into());
                let key = record.optional("dead_letter_key");
                if let Some(reader) = key.as_ref().filter(|_| !through) {
                    reader.error(
                        "dead letters that go to a queue have its name for a key",
                        "leave this field out, or send them through a topic",
                    );
                    return None;
                }
                settings.dead_letter_routing_key = match key {
                    Some(reader) => Some(reader.text(limits::LABEL)?.into()),
                    None => Some(if through { "" } else { name }.into()),
                };
            }
            Some(to)
        }
        (None, Settings::Sqs(settings)) if settings.max_receive_count.is_some() => {
            record.whole().error(
                "max_receive_count needs a queue to move messages to",
                "add \"dead_letter_to\" with the name of another queue",
            );
            return None;
        }
        (None, _) => None,
    };
    if let Settings::Rabbit(settings, server) = &settings
        && let Err(error) = settings.validate(server.release)
    {
        record.whole().error(error.to_string(), "correct this setting, or leave it out");
        return None;
    }
    good.then_some(())?;
    Some(Queue { profile: profile?, settings, overridden, dead_letter_to })
}

fn fits_dead_letters(reader: &Reader<'_>, settings: &Settings) -> bool {
    let useless =
        matches!(settings, Settings::Sqs(settings) if settings.max_receive_count.is_none());
    if useless {
        reader.error(
            "nothing is ever moved there without a limit on receives",
            "add \"max_receive_count\": 5, or leave this field out",
        );
    }
    !useless
}

fn set_sqs(settings: &mut queue::Settings, name: &str, reader: &Reader<'_>) -> Option<()> {
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
        "fair" => settings.kind = or_none(reader, fairness)?.map_or(Kind::Standard, Kind::Fair),
        "deduplicate" | "deduplication_scope" => {
            let Kind::Fifo(fifo) = &mut settings.kind else { return None };
            if name == "deduplicate" {
                fifo.deduplicate = reader.choice(&[
                    ("by-id", Deduplicate::ById),
                    ("by-content", Deduplicate::ByContent),
                ])?;
            } else {
                fifo.scope =
                    reader.choice(&[("queue", Scope::Queue), ("group", Scope::MessageGroup)])?;
            }
        }
        _ => {
            settings.max_message_bytes = reader.integer(MESSAGE_BYTES_MIN..=MESSAGE_BYTES_MAX)?;
        }
    }
    Some(())
}

/// When a tenant is noisy: `{}` for the product's own figures.
#[inline(never)]
fn fairness(reader: &Reader<'_>) -> Option<Fairness> {
    let mut record = reader.record()?;
    let share_percent = optional(&mut record, "share_percent", |r| r.integer(1..=100));
    let in_flight = optional(&mut record, "in_flight", |r| r.integer(1..=IN_FLIGHT_MAX));
    let calm = optional(&mut record, "calm", positive);
    record.finish();
    Some(Fairness {
        share_percent: share_percent?.unwrap_or(FAIR_SHARE_PERCENT),
        in_flight: in_flight?.unwrap_or(FAIR_IN_FLIGHT),
        calm: calm?.unwrap_or(FAIR_CALM),
    })
}

#[allow(clippy::cast_possible_truncation, reason = "the limit is far below")]
fn most_messages() -> u32 {
    limits::MESSAGES.max as u32
}

#[inline(never)]
fn set_plain(plain: &mut Plain, name: &str, reader: &Reader<'_>) -> Option<()> {
    if name == "max_length" {
        plain.max_length = Some(reader.integer(0..=most_messages())?);
    } else {
        plain.unattended =
            reader.choice(&[("keep", Unattended::Keep), ("drop", Unattended::Drop)])?;
    }
    Some(())
}

#[inline(never)]
fn set_rabbit(
    settings: &mut amqp::Settings,
    server: &mut Server,
    name: &str,
    reader: &Reader<'_>,
) -> Option<()> {
    let millisecond = SimDuration::from_millis(1);
    match name {
        "release" => {
            server.release = reader.choice(&[
                ("3.10", Release::V3_10),
                ("4.0", Release::V4_0),
                ("4.3", Release::V4_3),
            ])?;
            if settings.kind == QueueKind::Quorum {
                settings.delivery_limit = server.release.default_delivery_limit();
            }
        }
        "sharing" => {
            settings.sharing = reader.choice(&[
                ("competing", Sharing::Competing),
                ("single-active", Sharing::SingleActive),
            ])?;
        }
        "message_ttl" => {
            settings.message_ttl = Some(reader.duration(SimDuration::ZERO..=EXPIRATION_MAX)?);
        }
        "max_length" => settings.max_length = Some(reader.integer(0..=most_messages())?),
        "max_length_bytes" => {
            settings.max_length_bytes = Some(u64::from(reader.integer(0..=u32::MAX)?));
        }
        "overflow" => {
            settings.overflow = reader.choice(&[
                ("drop-head", Overflow::DropHead),
                ("reject-publish", Overflow::RejectPublish),
                ("reject-publish-dlx", Overflow::RejectPublishDeadLetter),
            ])?;
        }
        "max_priority" => settings.max_priority = Some(reader.integer(0..=MAX_PRIORITY_MAX)?),
        "delivery_limit" => {
            settings.delivery_limit = Some(reader.integer(0..=RECEIVE_COUNT_MAX)?);
        }
        "dead_letter_strategy" => {
            settings.dead_letter_strategy = reader.choice(&[
                ("at-most-once", DeadLetterStrategy::AtMostOnce),
                ("at-least-once", DeadLetterStrategy::AtLeastOnce),
            ])?;
        }
        "delayed_retry" => settings.delayed_retry = delayed_retry(reader)?,
        _ => {
            let timeout = reader.duration(millisecond..=EXPIRATION_MAX)?;
            if server.release >= Release::V4_3 && settings.kind == QueueKind::Quorum {
                settings.consumer_timeout = Some(timeout);
            } else {
                server.consumer_timeout = Some(timeout);
            }
        }
    }
    Some(())
}

#[inline(never)]
fn delayed_retry(reader: &Reader<'_>) -> Option<DelayedRetry> {
    let mut record = reader.record()?;
    let which = optional(&mut record, "which", |r| {
        r.choice(&[
            ("all", Delayed::All),
            ("failed", Delayed::Failed),
            ("returned", Delayed::Returned),
        ])
    });
    let min = record.required("min").and_then(|r| positive(&r));
    let max = record.required("max").and_then(|r| positive(&r));
    record.finish();
    Some(DelayedRetry::Linear { which: which?.unwrap_or(Delayed::All), min: min?, max: max? })
}

/// What must hold between a queue and the one for its dead letters, and between the queues of one
/// broker.
pub(super) fn check_queue(
    here: &Reader<'_>,
    index: usize,
    queue: &Queue,
    all: &[(ComponentId, &Queue)],
) -> bool {
    if queue.dead_letter_to.is_some_and(|to| to.index() == index) {
        here.error(
            "a queue cannot be its own dead-letter queue",
            "name another queue in \"dead_letter_to\"",
        );
        return false;
    }
    let find = |id| all.iter().find(|(other, _)| *other == id).map(|(_, queue)| *queue);
    if let Some(letters) = queue.dead_letter_to.and_then(find)
        && family(queue) != family(letters)
    {
        here.error(
            format!(
                "dead letters of a queue of profile {} cannot go to one of profile {}",
                queue.profile.name(),
                letters.profile.name()
            ),
            "give both queues the same profile",
        );
        return false;
    }
    let release = |queue: &Queue| match &queue.settings {
        Settings::Rabbit(_, server) => Some(server.release),
        _ => None,
    };
    let mine = release(queue);
    let earlier = all.iter().take_while(|(id, _)| id.index() < index);
    if mine.is_some() && earlier.filter_map(|(_, q)| release(q)).any(|it| Some(it) != mine) {
        here.error(
            "all queues of RabbitMQ are on one broker, and that has one release",
            "write the same \"release\" in each",
        );
        return false;
    }
    true
}

/// What a queue shares with the queue for its dead letters.
fn family(queue: &Queue) -> u8 {
    match queue.profile {
        Profile::SqsStandard => 0,
        Profile::SqsFifo => 1,
        Profile::RabbitClassic | Profile::RabbitQuorum => 2,
        Profile::Plain => 3,
    }
}

/// A message may be sent with a delay of its own only to a queue that knows delays.
pub(super) fn check_delays(
    here: &Reader<'_>,
    program: &Program,
    queues: &[(ComponentId, &Queue)],
) -> bool {
    let delayed = program.steps.iter().filter_map(|step| match step.act {
        Act::Publish { to, delay: Some(delay), .. } if !delay.is_zero() => Some(to),
        _ => None,
    });
    for to in delayed {
        let queue = queues.iter().find(|(id, _)| *id == to).map(|(_, queue)| *queue);
        if queue.is_some_and(|queue| queue.profile != Profile::SqsStandard) {
            here.error(
                "only a standard queue of SQS keeps a single message back",
                "leave out the delay of \"publish\", or send to a queue of profile sqs-standard",
            );
            return false;
        }
    }
    true
}
