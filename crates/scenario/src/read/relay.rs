//! Relays and change data capture.

use patterns::outbox::relay::After;
use patterns::outbox::{Claim, Cursor};
use sim::{SimDuration, Times};

use super::Names;
use super::component::most_instances;
use super::time::{duration, optional, positive, times};
use crate::wire::RecordReader;
use crate::{Layout, Reads, Relay, Rounds, Sharing};

/// How many rows a poll takes unless it is said.
const BATCH: u32 = 100;

/// Reads a relay that asks the table.
#[inline(never)]
pub(super) fn relay(record: &mut RecordReader<'_>, names: &Names<'_>) -> Option<Relay> {
    let every = record.required("every").and_then(|r| positive(&r));
    let batch = optional(record, "batch", |r| r.integer(1..=10_000_u32));
    let claim = optional(record, "claim", |r| {
        r.choice(&[
            ("none", Claim::None),
            ("wait", Claim::Wait),
            ("skip-locked", Claim::SkipLocked),
        ])
    });
    let after = optional(record, "after", |r| {
        r.choice(&[("mark", After::Mark), ("delete", After::Delete)])
    });
    let cursor = optional(record, "cursor", |r| {
        r.choice(&[
            ("unpublished", Asks::Unpublished),
            ("id-above-last", Asks::AboveLast),
            ("below-oldest-open", Asks::BelowOldestOpen),
        ])
    });
    let sharing = optional(record, "share", |r| {
        r.choice(&[("any", Sharing::Any), ("by-key", Sharing::ByKey)])
    });
    let lease = optional(record, "lease", positive);
    let count = optional(record, "count", |r| r.integer(1..=most_instances()));
    let (claim, after) = (claim?.unwrap_or(Claim::None), after?.unwrap_or(After::Mark));
    let reads = Reads::Table(Rounds {
        every: every?,
        batch: batch?.unwrap_or(BATCH),
        cursor: match cursor?.unwrap_or(Asks::Unpublished) {
            Asks::Unpublished => Cursor::Unpublished { claim, after },
            Asks::AboveLast => Cursor::IdAboveLast,
            Asks::BelowOldestOpen => Cursor::BelowOldestOpen,
        },
        sharing: sharing?.unwrap_or(Sharing::Any),
        lease: lease?,
    });
    common(record, names, reads, count?.unwrap_or(1))
}

#[derive(Clone, Copy)]
enum Asks {
    Unpublished,
    AboveLast,
    BelowOldestOpen,
}

/// Reads a relay that reads the write-ahead log.
#[inline(never)]
pub(super) fn capture(record: &mut RecordReader<'_>, names: &Names<'_>) -> Option<Relay> {
    let lag = optional(record, "lag", duration);
    let heartbeat = optional(record, "heartbeat", positive);
    let lag = lag?.unwrap_or(SimDuration::ZERO);
    common(record, names, Reads::Log { lag, heartbeat: heartbeat? }, 1)
}

fn common(
    record: &mut RecordReader<'_>,
    names: &Names<'_>,
    reads: Reads,
    count: u16,
) -> Option<Relay> {
    let outbox = record.required("from").and_then(|r| {
        let (of, table) = names.table(&r)?;
        if table.layout != Layout::Outbox {
            r.error(
                format!("“{}” is not an outbox", table.name),
                "write { \"outbox\": true } for this table",
            );
            return None;
        }
        Some(of)
    });
    let to = record.required("to").and_then(|r| names.reference(&r, &["queue", "topic", "log"]));
    let publish_takes = optional(record, "publish_takes", times);
    let restart_after = optional(record, "restart_after", duration);
    Some(Relay {
        outbox: outbox?,
        to: to?,
        reads,
        count,
        publish_takes: publish_takes?.unwrap_or(Times::constant(SimDuration::ZERO)),
        restart_after: restart_after?,
    })
}
