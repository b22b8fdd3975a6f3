//! Documents of the wire format, from JSON text.

use scenario::wire::Value;

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
