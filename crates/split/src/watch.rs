//! A module that notes which of its functions were called.

use wasm_encoder::reencode::Reencode;
use wasm_encoder::{
    CodeSection, ConstExpr, ExportKind, ExportSection, Function, GlobalSection, GlobalType,
    Instruction, Module as Writer, RawSection, SectionId, ValType,
};

use crate::module::{Module, said};
use crate::names::{hash, plain};

/// The same module, with an exported global for each function that becomes 1 when it is called.
/// The name of the global is `called ` and the hash of the function's name, as [`crate::Names`]
/// reads it.
///
/// # Errors
/// Where the bytes are no module, or one without names.
pub fn watched(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let module = Module::read(bytes)?;
    if module.names.iter().all(|name| name.is_empty()) {
        return Err("the module has no names: keep the compiler's name section".to_owned());
    }
    let mut names: Vec<u32> = Vec::new();
    let mut notes = Vec::new();
    for place in 0..module.bodies.len() {
        let name = hash(&plain(module.names[module.number(place) as usize]));
        let known = names.iter().position(|n| *n == name);
        notes.push(known.unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        }));
    }
    let first = u32::try_from(module.globals.len()).map_err(said)?;
    let global = |note: usize| first + u32::try_from(note).unwrap_or(u32::MAX);
    let mut writer = Writer::new();
    for &(id, data) in &module.sections {
        match id {
            id if id == SectionId::Global as u8 => {
                let mut globals = GlobalSection::new();
                let reader = wasmparser::BinaryReader::new(data, 0);
                let reader = wasmparser::GlobalSectionReader::new(reader).map_err(said)?;
                Same.parse_global_section(&mut globals, reader).map_err(said)?;
                let ty = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
                for _ in &names {
                    globals.global(ty, &ConstExpr::i32_const(0));
                }
                writer.section(&globals);
            }
            id if id == SectionId::Export as u8 => {
                let mut exports = ExportSection::new();
                let reader = wasmparser::BinaryReader::new(data, 0);
                let reader = wasmparser::ExportSectionReader::new(reader).map_err(said)?;
                Same.parse_export_section(&mut exports, reader).map_err(said)?;
                for (note, name) in names.iter().enumerate() {
                    exports.export(&format!("called {name:08x}"), ExportKind::Global, global(note));
                }
                writer.section(&exports);
            }
            id if id == SectionId::Code as u8 => {
                let mut code = CodeSection::new();
                for (body, note) in module.bodies.iter().zip(&notes) {
                    let mut function: Function =
                        Same.new_function_with_parsed_locals(&body.code).map_err(said)?;
                    function.instruction(&Instruction::I32Const(1));
                    function.instruction(&Instruction::GlobalSet(global(*note)));
                    let mut reader = body.code.get_operators_reader().map_err(said)?;
                    while !reader.eof() {
                        let next = Same.parse_instruction(&mut reader).map_err(said)?;
                        function.instruction(&next);
                    }
                    code.function(&function);
                }
                writer.section(&code);
            }
            _ => {
                writer.section(&RawSection { id, data });
            }
        }
    }
    Ok(writer.finish())
}

/// Writes things as they were read.
struct Same;

impl Reencode for Same {
    type Error = String;
}
