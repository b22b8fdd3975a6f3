//! Keys and their hashes: a table of `key_hex`, `murmur2_i32`, `to_positive` and one column
//! `p<partitions>` for each size of topic.

use broker::log::partitioner::KeyHash;
use broker::log::partitioner::hash::{murmur2, to_positive};

use super::{Case, Node, Problem, case, compare};

pub(super) fn recognises(root: &Node<'_>) -> bool {
    let columns = root.get("columns").and_then(|columns| columns.items().ok());
    columns.is_some_and(|columns| columns.iter().any(|name| name.text() == Ok("murmur2_i32")))
}

pub(super) fn replay(root: &Node<'_>) -> Result<Vec<Case>, Problem> {
    let columns = root.need("columns", "name the columns")?.items()?;
    let columns: Vec<&str> = columns.iter().map(Node::text).collect::<Result<_, _>>()?;
    let rows = root.need("rows", "give it a list of rows")?.items()?;
    rows.iter().map(|row| replay_row(&columns, row)).collect()
}

fn replay_row(columns: &[&str], row: &Node<'_>) -> Result<Case, Problem> {
    let cells = row.items()?;
    let first = cells.first().ok_or_else(|| row.problem("empty", "start it with the key"))?;
    let hex = first.text()?;
    Ok(case(format!("key {hex:?}"), || {
        let key = bytes(first)?;
        let mut differences = Vec::new();
        for (column, cell) in columns.iter().zip(&cells).skip(1) {
            let actual = match *column {
                "murmur2_i32" => f64::from(murmur2(&key)),
                "to_positive" => f64::from(to_positive(murmur2(&key))),
                column => partition(&key, column, cell)?,
            };
            compare(&mut differences, column, &cell.number()?, &actual);
        }
        Ok(differences)
    }))
}

fn partition(key: &[u8], column: &str, cell: &Node<'_>) -> Result<f64, Problem> {
    let partitions = column.strip_prefix('p').and_then(|size| size.parse().ok());
    let partitions = partitions.filter(|partitions| *partitions > 0).ok_or_else(|| {
        cell.problem(&format!("in an unknown column {column:?}"), "call it p and a topic's size")
    })?;
    let partition = KeyHash::Murmur2.partition(Some(key), partitions);
    Ok(partition.map_or(f64::NAN, |partition| partition.index() as f64))
}

fn bytes(cell: &Node<'_>) -> Result<Vec<u8>, Problem> {
    let hex = cell.text()?;
    let pair = |at: usize| hex.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    let bytes: Option<Vec<u8>> = (0..hex.len()).step_by(2).map(pair).collect();
    bytes.ok_or_else(|| cell.problem("not hexadecimal", "write two digits a byte"))
}
