//! The last stable offset: a log as pairs of offset and content (`nt` plain, `txnA` within
//! producer A's transaction, `commit B`), and what readers of both kinds see.

use std::collections::BTreeMap;

use broker::log::{
    Batch, Isolation, Marker, Offset, Partition, ProducerEpoch, ProducerId, Scope, Sequence,
    Settings, Stamp,
};
use sim::SimTime;

use super::{Case, Node, Problem, case, compare, record};

pub(super) fn replay(node: &Node<'_>) -> Result<Vec<Case>, Problem> {
    let first = node.need("case", "write the log")?;
    let mut log = Log { partition: Partition::new(Settings::kafka()), numbers: BTreeMap::new() };
    let mut set_up = log.write_all(&first);
    let mut cases = vec![log.case("case", &set_up, &first)];
    for (name, node) in node.members()? {
        let Some(ended) = name.strip_prefix("after_") else { continue };
        // "commit_A_at_5" in words: "commit A".
        let words: Vec<&str> = ended.split('_').take(2).collect();
        set_up = set_up.and_then(|()| log.write(&node, &words.join(" ")));
        cases.push(log.case(name, &set_up, &node));
    }
    Ok(cases)
}

struct Log {
    partition: Partition,
    /// By producer, how much it has written.
    numbers: BTreeMap<u32, u32>,
}

impl Log {
    fn case(&self, name: &str, set_up: &Result<(), Problem>, node: &Node<'_>) -> Case {
        let check = || set_up.clone().and_then(|()| self.check(node));
        case(format!("last stable offset, {name}"), check)
    }

    fn write_all(&mut self, node: &Node<'_>) -> Result<(), Problem> {
        for row in node.need("log", "list offset and content")?.items()? {
            let cells = row.items()?;
            let [offset, content] = &cells[..] else {
                return Err(row.problem("no pair", "write offset and content"));
            };
            if u64::from(offset.whole()?) != self.partition.end().value() {
                return Err(offset.problem("out of order", "write offsets from 0 on"));
            }
            self.write(&row, content.text()?)?;
        }
        Ok(())
    }

    fn write(&mut self, node: &Node<'_>, content: &str) -> Result<(), Problem> {
        let offset = self.partition.end().value() as u32;
        let now = SimTime::ZERO;
        let epoch = ProducerEpoch::default();
        let records = [record(offset)];
        let marker = content.split_once(' ').and_then(|(verb, producer)| match verb {
            "commit" => Some((Marker::Commit, producer)),
            "abort" => Some((Marker::Abort, producer)),
            _ => None,
        });
        let done = if let Some((marker, producer)) = marker {
            let producer = ProducerId::from_index(number(producer));
            self.partition.append_marker(now, producer, epoch, marker).map(|_| ())
        } else {
            let stamp = content.strip_prefix("txn").map(|producer| {
                let id = number(producer);
                let next = self.numbers.entry(id).or_default();
                let first = *next;
                *next += 1;
                let (producer, first) = (ProducerId::from_index(id), Sequence::new(first));
                Stamp { producer, epoch, first, scope: Scope::Transactional }
            });
            self.partition.append(now, &Batch { records: &records, stamp }).map(|_| ())
        };
        done.map_err(|error| node.problem(&format!("refused: {error}"), "write a log that can be"))
    }

    fn check(&self, node: &Node<'_>) -> Result<Vec<String>, Problem> {
        let mut differences = Vec::new();
        let offset = |offset: Offset| offset.value() as u32;
        if let Some(expected) = node.get("HW") {
            let actual = offset(self.partition.high_watermark());
            compare(&mut differences, "HW", &expected.whole()?, &actual);
        }
        if let Some(expected) = node.get("LSO") {
            let actual = offset(self.partition.last_stable());
            compare(&mut differences, "LSO", &expected.whole()?, &actual);
        }
        if let Some(expected) = node.get("open") {
            let expected = expected.items()?;
            let expected: Vec<&str> = expected.iter().map(Node::text).collect::<Result<_, _>>()?;
            let name = |producer: ProducerId| (b'A' + producer.index() as u8) as char;
            let open = self.partition.open_transactions();
            let open = open.map(|(producer, first)| format!("{}@{first}", name(producer)));
            let open: Vec<String> = open.collect();
            let open: Vec<&str> = open.iter().map(String::as_str).collect();
            compare(&mut differences, "open", &expected, &open);
        }
        for (key, isolation) in [
            ("read_committed", Isolation::ReadCommitted),
            ("read_uncommitted", Isolation::ReadUncommitted),
        ] {
            let Some(expected) = node.get(key) else { continue };
            let expected = expected.items()?;
            let expected: Vec<u32> = expected.iter().map(Node::whole).collect::<Result<_, _>>()?;
            let mut fetched = Vec::new();
            let next = self.partition.read(Offset::ZERO, usize::MAX / 2, isolation, &mut fetched);
            let actual: Vec<u32> = fetched.iter().map(|fetched| offset(fetched.offset)).collect();
            compare(&mut differences, key, &expected, &actual);
            // Whoever has read all is past the markers, too.
            let end = self.partition.readable(isolation);
            compare(&mut differences, &format!("{key}, position"), &Ok(end), &next);
        }
        Ok(differences)
    }
}

/// A producer's letter as a number.
fn number(letter: &str) -> u32 {
    letter.bytes().next().map_or(0, |letter| u32::from(letter.wrapping_sub(b'A')))
}
