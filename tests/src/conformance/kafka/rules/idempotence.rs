//! A producer's numbers: what was last written, what comes, and what the partition makes of it.
//!
//! A case says `last` (the last number written; without it, 9) or `"state": null` (nothing known of
//! the producer), then `first` and perhaps `epoch` as `+1` or `-1`, or a `batch` from first to
//! last.

use broker::log::{
    AppendError, Batch, Outcome, Partition, ProducerEpoch, ProducerId, Record, Scope, Sequence,
    Settings, Stamp,
};
use sim::SimTime;

use super::{Case, Node, Problem, case, compare, record};

pub(super) fn replay(node: &Node<'_>) -> Result<Vec<Case>, Problem> {
    let rows = node.need("cases", "list the cases")?.items()?;
    let mut cases: Vec<Case> = rows.iter().enumerate().map(replay_case).collect();
    if let Some(kept) = node.get("retained_batches") {
        cases.push(case("idempotence, retained batches".to_owned(), || {
            let mut differences = Vec::new();
            compare(&mut differences, "retained_batches", &kept.whole()?, &remembered());
            Ok(differences)
        }));
    }
    Ok(cases)
}

const EPOCH: u32 = 7;

fn replay_case((number, row): (usize, &Node<'_>)) -> Case {
    case(format!("idempotence, case {}", number + 1), || {
        let expected = row.need("r", "say what comes of it")?.text()?;
        let mut partition = Partition::new(Settings::kafka());
        // A member that is null counts as absent here, so its being there is asked of the value.
        if row.value().get("state").is_none() {
            let last = row.get("last").map_or(Ok(9), |last| last.whole())?;
            let first = last.saturating_sub(9);
            // Ten records, so that a batch of two within them is one that was written: 8 and 9.
            for first in (first..=last).step_by(2) {
                let count = if first == last { 1 } else { 2 };
                append(&mut partition, EPOCH, first, count).map_err(|error| {
                    row.problem(&format!("cannot be set up: {error}"), "write a number from 0")
                })?;
            }
        }
        let epoch = match row.get("epoch").map(|epoch| epoch.text()).transpose()? {
            None => EPOCH,
            Some("+1") => EPOCH + 1,
            Some("-1") => EPOCH - 1,
            Some(_) => return Err(row.problem("unknown epoch", "write +1 or -1")),
        };
        let (first, count) = match row.get("batch") {
            Some(batch) => {
                let ends = batch.items()?;
                let [first, last] = &ends[..] else {
                    return Err(batch.problem("no range", "write first and last"));
                };
                (first.whole()?, last.whole()? + 1 - first.whole()?)
            }
            None => (row.get("first").map_or(Ok(10), |first| first.whole())?, 1),
        };
        let actual = told(append(&mut partition, epoch, first, count));
        let mut differences = Vec::new();
        let (expected, _) = expected.split_once(' ').unwrap_or((expected, ""));
        compare(&mut differences, "answer", &expected, &actual);
        Ok(differences)
    })
}

fn append(
    partition: &mut Partition,
    epoch: u32,
    first: u32,
    count: u32,
) -> Result<Outcome, AppendError> {
    let records: Vec<Record> = (0..count).map(record).collect();
    let stamp = Stamp {
        producer: ProducerId::from_index(1),
        epoch: ProducerEpoch::from_index(epoch),
        first: Sequence::new(first),
        scope: Scope::Plain,
    };
    let appended =
        partition.append(SimTime::ZERO, &Batch { records: &records, stamp: Some(stamp) })?;
    Ok(appended.outcome)
}

/// The answer in the words of the file.
fn told(answer: Result<Outcome, AppendError>) -> &'static str {
    match answer {
        Ok(Outcome::Written) => "ok",
        Ok(Outcome::Duplicate) => "duplicate",
        Err(AppendError::OutOfOrderSequence { .. }) => "OutOfOrderSequence",
        Err(AppendError::Fenced { .. }) => "InvalidProducerEpoch",
        Err(_) => "another error",
    }
}

/// How many of ten batches are still recognised.
fn remembered() -> u32 {
    let mut partition = Partition::new(Settings::kafka());
    let mut send = |first| append(&mut partition, EPOCH, first, 1);
    for first in 0..10 {
        send(first).ok();
    }
    (0..10).filter(|first| send(*first) == Ok(Outcome::Duplicate)).count() as u32
}
