//! Logs, and the groups that read them.

use broker::log::consumer::{AutoCommit, OnRevoke, Reset};
use broker::log::group::Protocol;
use broker::log::group::assignor::Assignor;
use broker::log::producer::{Acks, Idempotence};
use broker::log::{
    Cleanup, Isolation, Replication, SettingsError, TRANSACTION_TIMEOUT, TRANSACTION_TIMEOUT_MAX,
    Timestamps, consumer, group, producer, share,
};
use sim::SimDuration;

use super::Names;
use super::time::{LONGEST, duration, optional, positive};
use crate::wire::{Reader, RecordReader, Value};
use crate::{
    AckMode, Act, Component, Kind, Log, Members, Membership, Partitioning, Program, Reading,
    Taking, Transactions, Workers, limits,
};

const MILLISECOND: SimDuration = SimDuration::from_millis(1);

/// The settings of a log that a document may set over its profile's.
const SETTINGS: [&str; 14] = [
    "partitions",
    "timestamps",
    "cleanup",
    "segment_bytes",
    "segment_time",
    "retention",
    "retention_bytes",
    "retention_check",
    "delete_retention",
    "min_dirty_percent",
    "min_compaction_lag",
    "max_compaction_lag",
    "cleaner_backoff",
    "max_message_bytes",
];

#[inline(never)]
pub(super) fn log(record: &mut RecordReader<'_>) -> Option<Log> {
    let profile = optional(record, "profile", |r| r.choice(&[("kafka", ())]));
    let mut settings = broker::log::Settings::kafka();
    let mut overridden = Vec::new();
    let mut good = profile.is_some();
    for name in SETTINGS {
        if let Some(reader) = record.optional(name) {
            overridden.push(name);
            good &= set(&mut settings, name, &reader).is_some();
        }
    }
    let partitioning = optional(record, "partitioner", |r| r.choice(Partitioning::ALL));
    let producer = optional(record, "producer", read_producer);
    let replication_lag = optional(record, "replication_lag", positive);
    if let Some(Some(_)) = replication_lag {
        settings.replication = Replication::Reported;
    }
    good &= valid(record, settings.validate());
    let replication_lag = replication_lag?;
    let producer = producer?.unwrap_or(producer::Settings::kafka());
    let partitioning = partitioning?.unwrap_or(Partitioning::Murmur2);
    good.then_some(Log { settings, producer, replication_lag, partitioning, overridden })
}

fn set(settings: &mut broker::log::Settings, name: &str, reader: &Reader<'_>) -> Option<()> {
    match name {
        "partitions" => settings.partitions = partitions(reader)?,
        "timestamps" => {
            let choices = [("create", Timestamps::Create), ("append", Timestamps::Append)];
            settings.timestamps = reader.choice(&choices)?;
        }
        "cleanup" => {
            settings.cleanup = reader.choice(&[
                ("delete", Cleanup::Delete),
                ("compact", Cleanup::Compact),
                ("compact-and-delete", Cleanup::CompactAndDelete),
            ])?;
        }
        "segment_bytes" => settings.segment_bytes = reader.integer(1..=i32::MAX as u32)?,
        "segment_time" => settings.segment_time = positive(reader)?,
        "retention" => settings.retention = or_word(reader, "forever", duration)?,
        "retention_bytes" => {
            let most = 1_u32 << 30;
            settings.retention_bytes =
                or_word(reader, "all", |r| r.integer(1..=most))?.map(u64::from);
        }
        "retention_check" => settings.retention_check = positive(reader)?,
        "delete_retention" => settings.delete_retention = duration(reader)?,
        "min_dirty_percent" => settings.min_dirty_percent = reader.integer(0..=100)?,
        "min_compaction_lag" => settings.min_compaction_lag = duration(reader)?,
        "max_compaction_lag" => settings.max_compaction_lag = Some(positive(reader)?),
        "cleaner_backoff" => settings.cleaner_backoff = positive(reader)?,
        _ => settings.max_message_bytes = reader.integer(1..=i32::MAX as u32)?,
    }
    Some(())
}

/// How many partitions a log has.
pub(super) fn partitions(reader: &Reader<'_>) -> Option<u32> {
    #[allow(clippy::cast_possible_truncation, reason = "the limit is far below")]
    let most = limits::PARTITIONS.max as u32;
    reader.integer(1..=most)
}

#[inline(never)]
fn read_producer(reader: &Reader<'_>) -> Option<producer::Settings> {
    let mut record = reader.record()?;
    let mut settings = producer::Settings::kafka();
    let acks = optional(&mut record, "acks", |r| {
        r.choice(&[("none", Acks::None), ("leader", Acks::Leader), ("all", Acks::All)])
    });
    let idempotence = optional(&mut record, "idempotence", |r| {
        r.flag().map(|on| if on { Idempotence::On } else { Idempotence::Off })
    });
    let batch_bytes = optional(&mut record, "batch_bytes", |r| r.integer(1..=i32::MAX as u32));
    let timeout = optional(&mut record, "request_timeout", positive);
    let backoff = optional(&mut record, "retry_backoff", duration);
    let acks = acks?.unwrap_or(settings.acks);
    settings.acks = acks;
    // A client that is not told otherwise goes without, where its acks do not allow it.
    let without = if acks == Acks::All { Idempotence::On } else { Idempotence::Off };
    settings.idempotence = idempotence?.unwrap_or(without);
    settings.batch_bytes = batch_bytes?.unwrap_or(settings.batch_bytes);
    settings.request_timeout = timeout?.unwrap_or(settings.request_timeout);
    settings.retry_backoff = backoff?.unwrap_or(settings.retry_backoff);
    settings.delivery_timeout = settings.delivery_timeout.max(settings.request_timeout);
    let good = valid(&mut record, settings.validate());
    record.finish();
    good.then_some(settings)
}

/// Something, or a word for nothing.
#[allow(clippy::option_option, reason = "the word and a mistake are different answers")]
fn or_word<T>(
    reader: &Reader<'_>,
    word: &str,
    read: impl FnOnce(&Reader<'_>) -> Option<T>,
) -> Option<Option<T>> {
    if reader.value().as_text() == Some(word) {
        return Some(None);
    }
    read(reader).map(Some)
}

/// Reports a setting that the product would not take, at its field.
fn valid(record: &mut RecordReader<'_>, checked: Result<(), SettingsError>) -> bool {
    let Err(error) = checked else { return true };
    let field = match error {
        SettingsError::Duration { field, .. }
        | SettingsError::Number { field, .. }
        | SettingsError::Choice { field, .. } => field,
    };
    let place = record.optional(field).unwrap_or_else(|| record.whole().clone());
    place.error(error.to_string(), "stay within what the product takes");
    false
}

/// The settings of a group and its members that a document may set.
const CONSUMER: [&str; 12] = [
    "assignor",
    "session_timeout",
    "heartbeat_interval",
    "max_poll_interval",
    "initial_delay",
    "max_poll_records",
    "auto_commit",
    "on_revoke",
    "auto_offset_reset",
    "isolation",
    "static_members",
    "transactions",
];

/// The settings of a share group that a document may set.
const SHARE: [&str; 6] = [
    "lock",
    "delivery_count_limit",
    "max_record_locks",
    "isolation",
    "auto_offset_reset",
    "max_poll_records",
];

/// Reads `"group"` of workers that read a log: a name, or a record; left out, all is as the product
/// has it.
#[inline(never)]
pub(super) fn membership(
    reader: Option<&Reader<'_>>,
    component: &str,
    program: &Program,
    names: &Names<'_>,
) -> Option<Membership> {
    let acks =
        program.steps.iter().any(|step| matches!(step.act, Act::Ack { .. } | Act::Drop { .. }));
    let group = group::Settings::classic();
    let consumer = consumer::Settings::kafka();
    // Who commits by hand has switched the automatic commits off.
    let auto_commit = if acks { AutoCommit::Off } else { consumer.auto_commit };
    let reading = Reading::Consumers {
        group,
        consumer: consumer::Settings { auto_commit, ..consumer },
        members: Members::Dynamic,
        transactions: Transactions::None,
    };
    let name = component.to_owned();
    let mut membership =
        Membership { group: name, dead_letter_to: None, reading, overridden: Vec::new() };
    let Some(reader) = reader else { return Some(membership) };
    if let Value::Text(_) = reader.value() {
        reader.name()?.clone_into(&mut membership.group);
        return Some(membership);
    }
    let mut record = reader.record()?;
    let name = optional(&mut record, "name", |r| r.name().map(str::to_owned));
    let share = optional(&mut record, "share", Reader::flag);
    let dead_letter_to =
        optional(&mut record, "dead_letter_to", |r| names.reference(r, &["queue", "log"]));
    let fields: &[&'static str] = if share? == Some(true) {
        membership.reading = Reading::Share {
            group: share::Settings::kafka(),
            reset: Reset::Latest,
            max_poll_records: consumer.max_poll_records,
        };
        &SHARE
    } else {
        &CONSUMER
    };
    let mut good = true;
    for &field in fields {
        if let Some(reader) = record.optional(field) {
            membership.overridden.push(field);
            good &= join(&mut membership.reading, field, &reader).is_some();
        }
    }
    match &membership.reading {
        Reading::Consumers { group, consumer, transactions, .. } => {
            if *transactions != Transactions::None && !acks {
                record.whole().error(
                    "a transaction ends with an ack, and the handler has none",
                    "add an ack to the handler",
                );
                good = false;
            }
            good &= valid(&mut record, group.validate()) && valid(&mut record, consumer.validate());
            if acks && consumer.auto_commit != AutoCommit::Off {
                record.whole().error(
                    "the handler commits by its ack, and auto_commit does so as well",
                    "take the ack out of the handler, or set auto_commit to \"off\"",
                );
                good = false;
            }
        }
        Reading::Share { group, .. } => good &= valid(&mut record, group.validate()),
    }
    record.finish();
    membership.group = name?.unwrap_or(membership.group);
    membership.dead_letter_to = dead_letter_to?;
    good.then_some(membership)
}

fn join(reading: &mut Reading, field: &str, reader: &Reader<'_>) -> Option<()> {
    match reading {
        Reading::Consumers { group, consumer, members, transactions } => match field {
            "static_members" => {
                *members = if reader.flag()? { Members::Static } else { Members::Dynamic };
            }
            "transactions" => *transactions = read_transactions(reader)?,
            "assignor" | "session_timeout" | "heartbeat_interval" | "max_poll_interval"
            | "initial_delay" => set_group(group, field, reader)?,
            _ => set_consumer(consumer, field, reader)?,
        },
        Reading::Share { group, reset, max_poll_records } => match field {
            "lock" => group.lock = positive(reader)?,
            "delivery_count_limit" => group.delivery_count_limit = reader.integer(1..=100)?,
            "max_record_locks" => group.max_record_locks = reader.integer(1..=100_000)?,
            "isolation" => group.isolation = isolation(reader)?,
            "auto_offset_reset" => *reset = read_reset(reader)?,
            _ => *max_poll_records = poll_records(reader)?,
        },
    }
    Some(())
}

fn set_group(group: &mut group::Settings, field: &str, reader: &Reader<'_>) -> Option<()> {
    match field {
        "assignor" => {
            let shares = reader.choice(&[
                ("range", Protocol::Eager(Assignor::Range)),
                ("round-robin", Protocol::Eager(Assignor::RoundRobin)),
                ("sticky", Protocol::Eager(Assignor::Sticky)),
                ("cooperative-sticky", Protocol::Cooperative(Assignor::CooperativeSticky)),
                ("server-side", Protocol::Incremental(Assignor::Uniform)),
            ])?;
            group.protocol = shares;
            if let Protocol::Incremental(_) = shares {
                group.heartbeat_interval = group::Settings::incremental().heartbeat_interval;
            }
        }
        "session_timeout" => group.session_timeout = positive(reader)?,
        "heartbeat_interval" => group.heartbeat_interval = positive(reader)?,
        "max_poll_interval" => {
            group.max_poll_interval = reader.duration(MILLISECOND..=LONGEST)?;
        }
        _ => group.initial_delay = duration(reader)?,
    }
    Some(())
}

fn set_consumer(consumer: &mut consumer::Settings, field: &str, reader: &Reader<'_>) -> Option<()> {
    match field {
        "max_poll_records" => consumer.max_poll_records = poll_records(reader)?,
        "auto_commit" => {
            consumer.auto_commit =
                or_word(reader, "off", positive)?.map_or(AutoCommit::Off, AutoCommit::Every);
        }
        "on_revoke" => {
            let commits = ("commit-finished", OnRevoke::CommitFinished);
            consumer.on_revoke = reader.choice(&[commits, ("let-go", OnRevoke::LetGo)])?;
        }
        "auto_offset_reset" => consumer.reset = read_reset(reader)?,
        _ => consumer.isolation = isolation(reader)?,
    }
    Some(())
}

fn poll_records(reader: &Reader<'_>) -> Option<u32> {
    #[allow(clippy::cast_possible_truncation, reason = "the limit is far below")]
    let most = limits::POLL_RECORDS.max as u32;
    reader.integer(1..=most)
}

fn read_reset(reader: &Reader<'_>) -> Option<Reset> {
    let (earliest, latest) = (("earliest", Reset::Earliest), ("latest", Reset::Latest));
    reader.choice(&[earliest, latest])
}

fn isolation(reader: &Reader<'_>) -> Option<Isolation> {
    let committed = ("read-committed", Isolation::ReadCommitted);
    reader.choice(&[committed, ("read-uncommitted", Isolation::ReadUncommitted)])
}

/// Reads `"per-record"` or `{ "per-record": { "timeout": "60s" } }`.
fn read_transactions(reader: &Reader<'_>) -> Option<Transactions> {
    let (word, inner) = reader.variant(&["none", "per-record"])?;
    let mut record = inner.record()?;
    if word == "none" {
        record.finish();
        return Some(Transactions::None);
    }
    let timeout =
        optional(&mut record, "timeout", |r| r.duration(MILLISECOND..=TRANSACTION_TIMEOUT_MAX));
    record.finish();
    Some(Transactions::PerRecord { timeout: timeout?.unwrap_or(TRANSACTION_TIMEOUT) })
}

/// Components that name the same group of a log agree on what is the group's.
#[inline(never)]
pub(super) fn check_groups(components: &[Component], entries: &[(&str, Reader<'_>)]) -> bool {
    let memberships = || {
        components.iter().enumerate().filter_map(|(at, component)| match &component.kind {
            Kind::Workers(Workers { from, membership: Some(own), .. }) => Some((at, *from, own)),
            _ => None,
        })
    };
    let mut good = true;
    for (at, from, own) in memberships() {
        let first = memberships().find(|(_, log, other)| *log == from && other.group == own.group);
        let agrees = first.is_none_or(|(_, _, first)| same_group(&first.reading, &own.reading));
        let Kind::Workers(workers) = &components[at].kind else { continue };
        let steps = &workers.on_message.steps;
        let aimless = workers.needs_dead_letters() && own.dead_letter_to.is_none();
        let extends = steps.iter().any(|step| matches!(step.act, Act::Extend { .. }));
        let wrong = [
            (
                aimless,
                "a log has no dead-letter queue of its own",
                "say where in \"dead_letter_to\" of \"group\"",
            ),
            (
                extends || workers.heartbeat.is_some(),
                "a log has no visibility timeout that could be extended",
                "take it out; what counts is max_poll_interval",
            ),
            (
                workers.prefetch.is_some() || workers.acks == AckMode::Automatic,
                "a log pushes nothing and is not told what to forget",
                "leave out \"prefetch\" and \"acks\"",
            ),
            (
                workers.taking != Taking::default(),
                "a log is read by polls of its group",
                "leave out how queues are asked, and use \"group\"",
            ),
            (
                workers.receive_max != 1,
                "readers of a log poll instead",
                "say how many records in max_poll_records of \"group\"",
            ),
        ];
        for (_, problem, repair) in wrong.into_iter().filter(|(wrong, ..)| *wrong) {
            entries[at].1.error(problem, repair);
            good = false;
        }
        if !agrees {
            entries[at].1.error(
                format!("the group “{}” is another one elsewhere", own.group),
                "give its components the same settings, or the group another name",
            );
            good = false;
        }
    }
    good
}

fn same_group(one: &Reading, other: &Reading) -> bool {
    match (one, other) {
        (Reading::Consumers { group: one, .. }, Reading::Consumers { group: other, .. }) => {
            one == other
        }
        (
            Reading::Share { group: one, reset, .. },
            Reading::Share { group: other, reset: again, .. },
        ) => (one, reset) == (other, again),
        _ => false,
    }
}
