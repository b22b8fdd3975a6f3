//! The table of rules: the course's files on fidelity, read and linted.

use ::course::{FAMILIES, Family, lint_fidelity};
use scenario::wire::{Diagnostic, Value};

use crate::source::Source;

const FOLDER: &str = "crates/course/content/fidelity";

/// All families, in the order in which they are shown.
///
/// # Errors
/// Names the file, the place in it and the repair.
pub fn read(source: &Source) -> Result<Vec<Family>, String> {
    let families: Result<Vec<Family>, String> =
        FAMILIES.iter().map(|id| family(source, id)).collect();
    let families = families?;
    match lint_fidelity(&families).first() {
        None => Ok(families),
        Some(wrong) => Err(format!("{FOLDER}: {wrong}")),
    }
}

fn family(source: &Source, id: &str) -> Result<Family, String> {
    let file = format!("{FOLDER}/{id}.json");
    let document: Value =
        serde_json::from_str(&source.text(&file)?).map_err(|error| format!("{file}: {error}"))?;
    Family::read(id, &document).map_err(|wrong| {
        let lines: Vec<String> = wrong.iter().map(Diagnostic::to_string).collect();
        format!("{file}: {}", lines.join("\n"))
    })
}
