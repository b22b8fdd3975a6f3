//! One key, several clients: where the Java client, librdkafka's default and a client that forgot
//! to clear the sign bit send it.

use broker::log::partitioner::KeyHash;
use broker::log::partitioner::hash::murmur2;

use super::{Case, Node, Problem, case, compare, first_has};

pub(super) fn recognises(root: &Node<'_>) -> bool {
    first_has(root, "cases", "java_murmur2")
}

pub(super) fn replay(root: &Node<'_>) -> Result<Vec<Case>, Problem> {
    let cases = root.need("cases", "give it a list of cases")?.items()?;
    cases.iter().map(replay_case).collect()
}

fn replay_case(node: &Node<'_>) -> Result<Case, Problem> {
    let key = node.need("key", "write the key")?.text()?;
    Ok(case(format!("key {key:?}"), || {
        let partitions = node.need("partitions", "say how many there are")?.whole()?;
        let mut differences = Vec::new();
        for (column, expected) in node.members()? {
            let hash = match column {
                "java_murmur2" => KeyHash::Murmur2,
                "librdkafka_consistent_crc32" => KeyHash::Crc32,
                "librdkafka_murmur2_random" => KeyHash::Murmur2Random,
                "kafkajs_legacy" => KeyHash::KafkaJsLegacy,
                "murmur2_without_toPositive_unsigned_mod" => {
                    let actual = murmur2(key.as_bytes()) as u32 % partitions;
                    compare(&mut differences, column, &expected.whole()?, &actual);
                    continue;
                }
                _ => continue,
            };
            let actual = hash.partition(Some(key.as_bytes()), partitions);
            let actual = actual.map(|partition| partition.index() as u32);
            compare(&mut differences, column, &Some(expected.whole()?), &actual);
        }
        Ok(differences)
    }))
}
