//! Short names for what a module imports and exports.

use std::collections::BTreeMap;

use wasm_encoder::reencode::Reencode;
use wasm_encoder::{ExportSection, ImportSection, Module as Writer, RawSection};

use crate::module::said;

/// How the names begin that the tool made up which wrote the module's JavaScript; nobody else knows
/// them.
const MADE_UP: [&str; 3] = ["__wb", "__externref", "wasm_bindgen_"];

/// The same module and its JavaScript, with short names in place of those that were made up.
///
/// # Errors
/// Where the bytes are no module.
pub fn shorten(bytes: &[u8], script: &str) -> Result<(Vec<u8>, String), String> {
    let mut short = Short::default();
    let mut writer = Writer::new();
    for payload in wasmparser::Parser::new(0).parse_all(bytes) {
        let payload = payload.map_err(said)?;
        let section = payload.as_section();
        match payload {
            wasmparser::Payload::ImportSection(reader) => {
                let mut imports = ImportSection::new();
                for import in reader.into_imports() {
                    let import = import.map_err(said)?;
                    let ty = Same.entity_type(import.ty).map_err(said)?;
                    imports.import(import.module, &short.of(import.name), ty);
                }
                writer.section(&imports);
            }
            wasmparser::Payload::ExportSection(reader) => {
                let mut exports = ExportSection::new();
                for export in reader {
                    let export = export.map_err(said)?;
                    let kind = Same.export_kind(export.kind).map_err(said)?;
                    exports.export(&short.of(export.name), kind, export.index);
                }
                writer.section(&exports);
            }
            _ => {
                if let Some((id, range)) = section {
                    let from = usize::try_from(range.start).map_err(said)?;
                    let to = usize::try_from(range.end).map_err(said)?;
                    writer.section(&RawSection { id, data: &bytes[from..to] });
                }
            }
        }
    }
    Ok((writer.finish(), short.in_script(script)))
}

/// Names and what they have become.
#[derive(Default)]
struct Short(BTreeMap<String, String>);

impl Short {
    fn of(&mut self, name: &str) -> String {
        if !MADE_UP.iter().any(|start| name.starts_with(start)) {
            return name.to_owned();
        }
        let next = format!("${}", self.0.len());
        self.0.entry(name.to_owned()).or_insert(next).clone()
    }

    /// The script with its words replaced.
    fn in_script(&self, script: &str) -> String {
        let in_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
        let mut out = String::new();
        let mut rest = script;
        while let Some(start) = rest.find(in_word) {
            let word = &rest[start..];
            let end = word.find(|c| !in_word(c)).unwrap_or(word.len());
            out.push_str(&rest[..start]);
            out.push_str(self.0.get(&word[..end]).map_or(&word[..end], String::as_str));
            rest = &word[end..];
        }
        out + rest
    }
}

/// Writes things as they were read.
struct Same;

impl Reencode for Same {
    type Error = String;
}
