//! Rules of the log, by their cases.

mod compaction;
mod defaults;
mod idempotence;
mod isolation;
mod retention;
mod share;

use broker::MessageId;
use broker::log::partitioner::LoadTable;
use broker::log::{Body, KeyId, Record};
use sim::{SimDuration, SimTime};

use super::{Case, Node, Problem, case, compare};

pub(super) fn recognises(root: &Node<'_>) -> bool {
    ["idempotent_producer", "retention", "share_group"].iter().any(|key| root.get(key).is_some())
}

pub(super) fn replay(root: &Node<'_>) -> Result<Vec<Case>, Problem> {
    let mut cases = Vec::new();
    for (part, node) in root.members()? {
        match part {
            "source" => {}
            "idempotent_producer" => cases.append(&mut idempotence::replay(&node)?),
            "lso" => cases.append(&mut isolation::replay(&node)?),
            "retention" => cases.append(&mut retention::replay(&node)?),
            "compaction" => cases.push(compaction::replay(&node)),
            "share_group" => cases.append(&mut share::replay(&node)?),
            "defaults" => cases.append(&mut defaults::replay(&node)?),
            "builtin_partitioner" => cases.push(adaptive(&node)),
            other => {
                let problem = node.problem(&format!("{other:?} is no rule known here"), REPAIR);
                cases.push(case(format!("rule {other}"), || Err(problem)));
            }
        }
    }
    Ok(cases)
}

const REPAIR: &str = "call it idempotent_producer, lso, retention, compaction, share_group, \
                      builtin_partitioner or defaults";

/// Of a sentence with three lists, queue sizes, weights and running sums, and then `r in 0..3->p0,
/// 4->p1`: what is drawn, and the partition that it stands for.
fn adaptive(node: &Node<'_>) -> Case {
    case("partitioner, adaptive".to_owned(), || {
        let adaptive = node.need("adaptive", "write the example")?;
        let told = adaptive.text()?;
        let problem = || adaptive.problem("not understood", "write sizes, weights, sums, draws");
        let lists: Vec<Vec<u32>> = told.split('[').skip(1).map(numbers).collect();
        let [sizes, weights, sums] = &lists[..] else { return Err(problem()) };
        let table = LoadTable::new(sizes).ok_or_else(problem)?;
        let mut differences = Vec::new();
        compare(&mut differences, "sums", &sums[..], table.sums());
        let steps = std::iter::once(table.sums()[0])
            .chain(table.sums().windows(2).map(|pair| pair[1] - pair[0]));
        compare(&mut differences, "weights", weights, &steps.collect());
        let (_, draws) = told.split_once("; r in ").ok_or_else(problem)?;
        for draw in draws.split(',') {
            let (range, partition) = draw.trim().split_once("->p").ok_or_else(problem)?;
            let (from, to) = range.split_once("..").unwrap_or((range, range));
            let (from, to): (u32, u32) =
                from.parse().ok().zip(to.parse().ok()).ok_or_else(problem)?;
            for drawn in from..=to {
                let actual = table.pick(drawn).to_string();
                compare(&mut differences, &format!("{drawn}"), &partition, &actual.as_str());
            }
        }
        Ok(differences)
    })
}

/// The numbers up to a closing bracket.
fn numbers(list: &str) -> Vec<u32> {
    let (list, _) = list.split_once(']').unwrap_or((list, ""));
    list.split(',').filter_map(|number| number.trim().parse().ok()).collect()
}

/// A record of one byte, as plain as can be.
fn record(number: u32) -> Record {
    Record {
        message: MessageId::from_index(number),
        key: Some(KeyId::from_index(number)),
        body: Body::Value,
        bytes: 1,
        timestamp: SimTime::ZERO,
    }
}

fn millis(node: &Node<'_>) -> Result<SimDuration, Problem> {
    let millis = node.number()?;
    if millis < 0.0 {
        return Err(node.problem("a time before the start", "write milliseconds from 0"));
    }
    Ok(SimDuration::from_millis(millis as u64))
}
