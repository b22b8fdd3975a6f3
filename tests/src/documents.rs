//! Documents of the wire format, from JSON text.

use scenario::Scenario;
use scenario::wire::{Diagnostics, Reader, Value};

/// Reads JSON text into a document.
///
/// # Errors
/// One line that names the file, the place and the repair.
pub fn parse(file: &str, text: &str) -> Result<Value, String> {
    let mut parser = serde_json::Deserializer::from_str(text);
    let value = Value::read(&mut parser).map_err(|diagnostic| format!("{file}: {diagnostic}"))?;
    parser
        .end()
        .map_err(|error| format!("{file}: {error}; remove what stands after the document"))?;
    Ok(value)
}

/// The scenario in a file, with another seed if one is given. An exhibit's file works too.
///
/// # Errors
/// What is wrong, a line a mistake, with the file's name.
pub fn scenario_of(file: &str, seed: Option<&str>) -> Result<Scenario, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let mut document = parse(file, &text)?;
    if let Some(inner) = document.get("scenario") {
        document = inner.clone();
    }
    if let (Some(seed), Value::Record(fields)) = (seed, &mut document) {
        fields.retain(|(name, _)| name != "seed");
        fields.push(("seed".to_owned(), Value::text(seed)));
    }
    let wrong = Diagnostics::new();
    let scenario = Scenario::read(&Reader::new(&document, &wrong));
    let wrong = wrong.into_vec();
    scenario.filter(|_| wrong.is_empty()).ok_or_else(|| {
        let lines = wrong.iter().map(|d| format!("{file}: {d}\n"));
        lines.collect::<String>().trim_end().to_owned()
    })
}
