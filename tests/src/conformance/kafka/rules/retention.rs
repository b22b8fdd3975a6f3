//! Retention: the sizes of segments and how much to keep, or their latest timestamps, a time and
//! how long to keep; and how many segments go.

use broker::log::{Batch, Partition, Record, Settings};
use sim::SimTime;

use super::{Case, Node, Problem, case, compare, millis, record};

pub(super) fn replay(node: &Node<'_>) -> Result<Vec<Case>, Problem> {
    let mut cases = Vec::new();
    for (key, run) in [("size_cases", by_size as fn(&Node<'_>) -> _), ("time_cases", by_time)] {
        let Some(rows) = node.get(key) else { continue };
        for (number, row) in rows.items()?.iter().enumerate() {
            cases.push(case(format!("retention, {key} {}", number + 1), || run(row)));
        }
    }
    Ok(cases)
}

fn by_size(row: &Node<'_>) -> Result<Vec<String>, Problem> {
    let kept = row.need("retention_bytes", "say how much to keep")?.whole()?;
    let sizes = row.need("segments", "list the sizes")?.items()?;
    let sizes: Vec<u32> = sizes.iter().map(Node::whole).collect::<Result<_, _>>()?;
    let settings = Settings {
        retention: None,
        retention_bytes: Some(kept.into()),
        segment_bytes: sizes.iter().copied().max().unwrap_or(1),
        ..Settings::kafka()
    };
    let records = sizes.iter().map(|size| Record { bytes: *size, ..record(0) });
    check(row, settings, records, SimTime::ZERO)
}

fn by_time(row: &Node<'_>) -> Result<Vec<String>, Problem> {
    let retention = millis(&row.need("retention", "say how long to keep")?)?;
    let now = SimTime::ZERO + millis(&row.need("now", "say when")?)?;
    let latest = row.need("largest_ts", "list the latest timestamps")?.items()?;
    let latest: Vec<SimTime> = latest
        .iter()
        .map(|latest| Ok(SimTime::ZERO + millis(latest)?))
        .collect::<Result<_, Problem>>()?;
    let settings = Settings {
        retention: Some(retention),
        retention_bytes: None,
        segment_bytes: 1,
        ..Settings::kafka()
    };
    let records = latest.iter().map(|timestamp| Record { timestamp: *timestamp, ..record(0) });
    check(row, settings, records, now)
}

/// One record a segment: each fills its own.
fn check(
    row: &Node<'_>,
    settings: Settings,
    records: impl Iterator<Item = Record>,
    now: SimTime,
) -> Result<Vec<String>, Problem> {
    let mut partition = Partition::new(settings);
    let mut written = 0;
    for record in records {
        let appended = partition.append(now, &Batch { records: &[record], stamp: None });
        appended.map_err(|error| row.problem(&error.to_string(), "give every segment a size"))?;
        written += 1;
    }
    let mut differences = Vec::new();
    compare(&mut differences, "segments", &written, &partition.segments().count());
    let deleted = partition.retain(now).segments;
    compare(&mut differences, "deleted", &row.need("deleted", "how many go")?.whole()?, &deleted);
    Ok(differences)
}
