//! Documents of the wire format, from JSON text and from the course.

use std::fs;
use std::path::{Path, PathBuf};

use scenario::Scenario;
use scenario::wire::{Diagnostic, Diagnostics, Reader, Value};

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

/// The documents of a folder of the course, by id.
///
/// # Panics
/// A file cannot be read, or is not JSON.
#[must_use]
pub fn of_course(folder: &str) -> Vec<(String, Value)> {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/course/content").join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("the course has this folder")
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    files.sort();
    let read = |file: &PathBuf| {
        let id = file.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_owned();
        let text = fs::read_to_string(file).expect("a readable file");
        let document = parse(&id, &text).unwrap_or_else(|why| panic!("{why}"));
        (id, document)
    };
    files.iter().map(read).collect()
}

/// Everything in a folder of the course, read.
///
/// # Panics
/// Something cannot be read; all that is wrong is named.
#[must_use]
pub fn read_all<T>(
    folder: &str,
    read: impl Fn(&Value) -> Result<T, Vec<Diagnostic>>,
) -> Vec<(String, T)> {
    let mut wrong = Vec::new();
    let mut all = Vec::new();
    for (id, document) in of_course(folder) {
        match read(&document) {
            Ok(it) => all.push((id, it)),
            Err(lines) => wrong.extend(lines.iter().map(|one| format!("{id}: {one}"))),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    all
}

/// The scenario in a file, with another seed if one is given. An exhibit's file works too.
///
/// # Errors
/// What is wrong, a line a mistake, with the file's name.
pub fn scenario_of(file: &str, seed: Option<&str>) -> Result<Scenario, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
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
