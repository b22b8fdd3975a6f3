//! Short names for what a module imports and exports.

use std::collections::BTreeMap;

use wasm_encoder::reencode::Reencode;
use wasm_encoder::{ExportSection, ImportSection, Module as Writer, RawSection};

use crate::module::said;

/// How the names begin that tools made up, which wrote the module and its JavaScript; nobody else knows
/// them.
const MADE_UP: [&str; 4] = ["__wb", "__externref", "wasm_bindgen_", "_R"];

/// What JavaScript calls the module: other names stand behind it where the module's exports are meant,
/// and elsewhere are JavaScript's own.
const MODULE: &str = "wasm.";

/// Exports that others than the JavaScript ask for by name.
const ASKED_FOR: [&str; 2] = ["memory", crate::ASK];

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
                    exports.export(&short.of_export(export.name), kind, export.index);
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
struct Short {
    /// Wherever they stand.
    everywhere: BTreeMap<String, String>,
    /// Where the module's exports are meant.
    of_module: BTreeMap<String, String>,
}

impl Short {
    fn of(&mut self, name: &str) -> String {
        if !MADE_UP.iter().any(|start| name.starts_with(start)) {
            return name.to_owned();
        }
        let next = self.next();
        self.everywhere.entry(name.to_owned()).or_insert(next).clone()
    }

    fn of_export(&mut self, name: &str) -> String {
        let short = self.of(name);
        if short != name || ASKED_FOR.contains(&name) {
            return short;
        }
        let next = self.next();
        self.of_module.entry(name.to_owned()).or_insert(next).clone()
    }

    fn next(&self) -> String {
        format!("${}", self.everywhere.len() + self.of_module.len())
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
            let word_alone = &word[..end];
            let of_module = self.of_module.get(word_alone).filter(|_| out.ends_with(MODULE));
            let short = of_module.or_else(|| self.everywhere.get(word_alone));
            out.push_str(short.map_or(word_alone, String::as_str));
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

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: &str = r#"(module
      (import "./it.js" "__wbg_say_1" (func))
      (memory (export "memory") 1)
      (func (export "rest"))
      (func (export "mount"))
      (func (export "_RNvC3say"))
    )"#;

    const SCRIPT: &str = "export function mount() { wasm.mount(wasm.memory); }\n\
        function _RNvC3say() { wasm._RNvC3say(); wasm.rest(); }\n\
        const imports = { __wbg_say_1() { remount(); } };\n";

    #[test]
    fn names_that_nobody_asks_for_are_short_in_the_module_and_in_its_script() {
        let module = wat::parse_str(MODULE).expect("a module");
        let (module, script) = shorten(&module, SCRIPT).expect("shortened");
        let exports: Vec<String> = wasmparser::Parser::new(0)
            .parse_all(&module)
            .filter_map(|payload| match payload.expect("a module") {
                wasmparser::Payload::ExportSection(all) => Some(all),
                _ => None,
            })
            .flat_map(|all| all.into_iter().map(|it| it.expect("an export").name.to_owned()))
            .collect();
        assert_eq!(exports, ["memory", "rest", "$1", "$2"]);
        let want = "export function mount() { wasm.$1(wasm.memory); }\n\
            function $2() { wasm.$2(); wasm.rest(); }\n\
            const imports = { $0() { remount(); } };\n";
        assert_eq!(script, want, "what JavaScript calls itself keeps its name");
    }
}
