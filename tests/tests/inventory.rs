//! The inventory of the course: every simulator, diagram, chart, worksheet, check, drill, tree and deck
//! that it is to have, and which unit fulfils which.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// Every entry of the inventory, by module: runs to play with, checks, drills, trees and decks.
const ALL: &[(&str, &[&str])] = &[
    ("M1", &["AD1", "SIM1", "SIM2", "FILL1", "TREE1", "SORT1", "MATCH1"]),
    ("M2", &["AD1", "SIM1", "SIM2", "SIM3", "SIM4", "SIM5", "CALC1", "FILL1", "MATCH1", "QC1"]),
    ("M3", &["AD1", "AD2", "SIM1", "SIM2", "SIM3", "SIM4", "FILL1", "SORT1", "QC1"]),
    ("M4", &["AD1", "SIM1", "SIM2", "SIM3", "SIM4", "SIM5", "TREE1", "SORT1", "FILL1"]),
    ("M5", &["AD1", "SIM1", "SIM2", "SIM3", "CALC1", "TREE1", "FILL1", "SORT1", "DRILL1"]),
    ("M6", &["AD1", "SIM1", "SIM2", "SIM3", "SIM4", "FILL1", "PICK1", "QC1"]),
    ("M7", &["AD1", "AD2", "SIM1", "SIM2", "SIM3", "SIM4", "FILL1", "TREE1", "QC1"]),
    (
        "M8",
        &[
            "AD1", "SIM1", "SIM2", "SIM3", "SIM4", "SIM5", "SIM6", "CHART1", "TRACE1", "MATRIX1",
            "WORK1", "FILL1", "TREE1", "LAB1", "CHECK1",
        ],
    ),
    ("G", &["SWEEP1", "FINAL1", "CARDS1", "GLOSS1"]),
];

/// Those that no unit fulfils yet. Whoever writes one takes its line out.
const OPEN: &[&str] = &[];

/// Entries that are several units, and how many.
const PARTS: &[(&str, usize)] = &[
    ("X-G-CARDS1", 2),
    ("X-M1-AD1", 2),
    ("X-M2-SIM4", 2),
    ("X-M7-SIM2", 2),
    ("X-M7-SIM4", 2),
    ("X-M8-SIM6", 2),
];

/// The ids of the inventory, in its order.
fn inventory() -> Vec<String> {
    let each = ALL
        .iter()
        .flat_map(|(module, pieces)| pieces.iter().map(move |piece| format!("X-{module}-{piece}")));
    each.collect()
}

/// What units say they fulfil: the id of the entry and the unit's file.
fn fulfilled() -> Vec<(String, String)> {
    let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/course/content");
    let folders = ["exhibits", "quizzes", "sheets", "trees"].map(|folder| content.join(folder));
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("a folder"));
    let mut all = Vec::new();
    for entry in entries {
        let file = entry.expect("a readable folder").path();
        let text = fs::read_to_string(&file).expect("a readable file");
        let exhibit: Value = serde_json::from_str(&text).expect("JSON");
        let ids = exhibit["inventory"].as_array().cloned().unwrap_or_default();
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        all.extend(ids.iter().filter_map(Value::as_str).map(|id| (id.to_owned(), name.clone())));
    }
    all.sort();
    all
}

#[test]
fn the_inventory_is_whole() {
    assert_eq!(inventory().len(), 80, "the inventory has eighty entries");
}

#[test]
fn every_entry_is_fulfilled_or_said_to_be_open() {
    let fulfilled = fulfilled();
    let mut wrong = Vec::new();
    for id in inventory() {
        let by: Vec<_> = fulfilled.iter().filter(|(entry, _)| *entry == id).collect();
        let parts = PARTS.iter().find(|(entry, _)| *entry == id).map_or(1, |(_, parts)| *parts);
        match (by.first(), OPEN.contains(&id.as_str())) {
            (Some((_, file)), true) => {
                wrong.push(format!("{id} is fulfilled by {file}: take it out of the open ones"));
            }
            (None, false) => wrong.push(format!("{id} is fulfilled by no unit")),
            (Some(_), false) if by.len() != parts => {
                wrong.push(format!("{id} has {} units, and {parts} parts: {by:?}", by.len()));
            }
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn units_name_entries_of_the_inventory_and_so_does_the_list_of_open_ones() {
    let inventory = inventory();
    let named = fulfilled();
    let named = named.iter().map(|(id, _)| id.as_str()).chain(OPEN.iter().copied());
    let strange: Vec<_> = named.filter(|id| !inventory.iter().any(|known| known == id)).collect();
    assert!(strange.is_empty(), "the inventory has no {strange:?}");
    let mut open = OPEN.to_vec();
    open.dedup();
    assert_eq!(open.len(), OPEN.len(), "an entry is open once");
}
