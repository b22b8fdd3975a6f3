//! Compaction: a log of `[offset, key, value or null]`, what the first cleaning leaves, and what a
//! second one leaves that starts at the time in its name (`after_second_at_<ms>`).

use broker::MessageId;
use broker::log::{Batch, Body, Cleanup, Entry, KeyId, Offset, Partition, Record, Settings};
use sim::{SimDuration, SimTime};

use super::{Case, Node, Problem, case, compare, millis, record};

pub(super) fn replay(node: &Node<'_>) -> Case {
    case("compaction".to_owned(), || {
        let node = node.need("case", "write the log")?;
        let rows = rows(&node.need("log", "list offset, key, value")?)?;
        let start = SimTime::ZERO + millis(&node.need("clean_at", "say when")?)?;
        let delete_retention = millis(&node.need("delete_retention", "say how long")?)?;
        let active = node.need("active_from", "say where the active segment starts")?.whole()?;
        let mut partition = written(&rows, active, delete_retention)
            .ok_or_else(|| node.problem("cannot be set up", "write offsets from 0 on"))?;
        partition.clean(start);
        let mut differences = Vec::new();
        let expected = node.need("after_first", "say what is left")?;
        compare(&mut differences, "after_first", &told(&expected)?, &left(&partition, active));
        for (key, expected) in node.members()? {
            let Some(at) = key.strip_prefix("after_second_at_") else { continue };
            let at: u64 =
                at.parse().map_err(|_| expected.problem("no time in its name", "write one"))?;
            let mut again = partition.clone();
            again.clean(SimTime::ZERO + SimDuration::from_millis(at));
            compare(&mut differences, key, &told(&expected)?, &left(&again, active));
        }
        Ok(differences)
    })
}

/// Offset, key, and whether there is a value.
type Row = (u32, String, Body);

fn rows(list: &Node<'_>) -> Result<Vec<Row>, Problem> {
    let row = |row: &Node<'_>| {
        let cells = row.items()?;
        let [offset, key, value] = &cells[..] else {
            return Err(row.problem("no record", "write offset, key, value"));
        };
        let body = if value.value().is_null() { Body::Tombstone } else { Body::Value };
        Ok((offset.whole()?, key.text()?.to_owned(), body))
    };
    list.items()?.iter().map(row).collect()
}

/// The records in one segment, and an active one behind them.
fn written(rows: &[Row], active: u32, delete_retention: SimDuration) -> Option<Partition> {
    let settings = Settings {
        cleanup: Cleanup::Compact,
        segment_bytes: active,
        delete_retention,
        ..Settings::kafka()
    };
    let mut partition = Partition::new(settings);
    for (offset, key, body) in rows {
        let key = Some(KeyId::from_index(number(key)?));
        let message = MessageId::from_index(*offset);
        append(&mut partition, Record { message, key, body: *body, ..record(0) })?;
    }
    append(&mut partition, Record { bytes: active, ..record(u32::MAX - 1) })?;
    Some(partition)
}

fn append(partition: &mut Partition, record: Record) -> Option<()> {
    let batch = Batch { records: &[record], stamp: None };
    partition.append(SimTime::ZERO, &batch).ok().map(|_| ())
}

/// The number in a key like `k12`.
fn number(key: &str) -> Option<u32> {
    key.trim_start_matches(|letter: char| !letter.is_ascii_digit()).parse().ok()
}

fn told(list: &Node<'_>) -> Result<Vec<(u32, Option<u32>, Body)>, Problem> {
    Ok(rows(list)?.into_iter().map(|(offset, key, body)| (offset, number(&key), body)).collect())
}

fn left(partition: &Partition, active: u32) -> Vec<(u32, Option<u32>, Body)> {
    let below = Offset::new(active.into());
    let entries = partition.entries(Offset::ZERO).take_while(|stored| stored.offset < below);
    let told = entries.filter_map(|stored| match stored.entry {
        Entry::Record(record) => {
            let key = record.key.map(|key| key.index() as u32);
            Some((stored.offset.value() as u32, key, record.body))
        }
        Entry::Marker(_) => None,
    });
    told.collect()
}
