//! Runs of a shop with a database.

#![allow(clippy::needless_pass_by_value, reason = "what json! makes is handed over")]

use player::{ComponentFrame, DatabaseFrame, Finding, Player, TableFrame};
use scenario::Property;
use serde_json::{Value as Json, json};

/// A service `api` that is asked for an `order`, a database `db`, and a queue `jobs` for its events.
#[must_use]
pub fn shop(handler: Json, at: Json) -> Json {
    json!({
        "format": 1, "name": "test", "seed": "1", "until": "300s",
        "components": {
            "feed": { "is": "source", "to": "api", "request": "order", "arrivals": { "at": at } },
            "api": { "is": "service", "handles": { "order": handler } },
            "db": { "is": "database", "latency": "100ms", "tables": {
                "orders": { "key": "id", "columns": ["status", "total"] },
                "notes": { "columns": ["text"] },
            } },
            "jobs": { "is": "queue", "profile": "sqs-standard" },
        },
        "properties": ["no event without its change", "no change without its event", "no effect twice"],
    })
}

/// Something that is done at a time, by its word and fields.
///
/// # Panics
/// If it is no record.
#[must_use]
pub fn fault(at: &str, what: Json) -> Json {
    let mut fault = json!({ "at": at });
    for (word, inner) in what.as_object().expect("a fault is a record") {
        fault[word] = inner.clone();
    }
    fault
}

/// A database at the end of a run.
///
/// # Panics
/// If there is none of that name.
#[must_use]
pub fn database(player: &Player, name: &str) -> DatabaseFrame {
    let id = player.scenario().find(name).expect("the database is there");
    let mut player = Player::new((**player.scenario()).clone());
    player.finish();
    player.seek(player.end());
    match &player.frame().components[id.index()] {
        ComponentFrame::Database(database) => database.clone(),
        _ => panic!("{name} is no database"),
    }
}

/// A table of `db` at the end of a run.
///
/// # Panics
/// If there is none of that name.
#[must_use]
pub fn table(player: &Player, name: &str) -> TableFrame {
    let tables = database(player, "db").tables;
    tables.into_iter().find(|table| table.name == name).expect("the table is there")
}

/// How many rows a table of `db` has at the end of a run.
#[must_use]
pub fn rows(player: &Player, name: &str) -> u32 {
    table(player, name).rows
}

/// Whether a run breaks a property.
///
/// # Panics
/// If the property is not judged.
#[must_use]
pub fn breaks(player: &Player, property: Property) -> bool {
    let verdicts = player.verdicts();
    let verdict = verdicts.iter().find(|verdict| verdict.property == property);
    !matches!(verdict.expect("it is judged").finding, Finding::Holds)
}
