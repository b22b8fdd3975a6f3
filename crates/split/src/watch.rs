//! A module that notes which of its functions were called.

use std::fmt::Write as _;

use wasm_encoder::reencode::Reencode;
use wasm_encoder::{
    CodeSection, ExportKind, ExportSection, Function, MemArg, MemArgTarget, MemorySection,
    MemoryType, Module as Writer, RawSection, SectionId,
};

use crate::flow::{Flow, each};
use crate::module::{Module, said};
use crate::names::{hash, plain};

/// The export of the memory that a watched module takes its notes in.
pub const NOTES: &str = "watched";

/// A module that takes notes, and how they are read.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The same module, with one more memory: a byte for each place, which becomes 1 when control
    /// comes by.
    pub module: Vec<u8>,
    /// A line for each function: the hash of its name, as [`crate::Names`] reads it, its shape, and
    /// how many places it has.
    pub places: String,
}

/// Has a module note which of its places are reached.
///
/// # Errors
/// Where the bytes are no module, or one without names.
pub fn watched(bytes: &[u8]) -> Result<Watched, String> {
    let module = Module::read(bytes)?;
    if module.names.iter().all(|name| name.is_empty()) {
        return Err("the module has no names: keep the compiler's name section".to_owned());
    }
    let notes = u32::try_from(module.memories.len()).map_err(said)?;
    let mut places = String::new();
    let mut next = 0;
    let mut code = CodeSection::new();
    each(bytes, |place, flow| {
        let name = hash(&plain(module.names[module.number(place) as usize]));
        let body = &module.bodies[place];
        let (shape, count) = (flow.shape(body.bytes), flow.leaders.len());
        writeln!(places, "{name:08x} {shape:08x} {count}").map_err(said)?;
        code.function(&noting(&body.code, &flow, notes, next)?);
        next += i32::try_from(count).map_err(said)?;
        Ok(())
    })?;
    let pages = u64::try_from(next).map_err(said)?.div_ceil(0x1_0000);
    let mut writer = Writer::new();
    for &(id, data) in &module.sections {
        match id {
            id if id == SectionId::Memory as u8 => {
                let mut memories = MemorySection::new();
                let reader = wasmparser::BinaryReader::new(data, 0);
                let reader = wasmparser::MemorySectionReader::new(reader).map_err(said)?;
                Same.parse_memory_section(&mut memories, reader).map_err(said)?;
                memories.memory(MemoryType {
                    minimum: pages,
                    maximum: None,
                    memory64: false,
                    shared: false,
                    page_size_log2: None,
                });
                writer.section(&memories);
            }
            id if id == SectionId::Export as u8 => {
                let mut exports = ExportSection::new();
                let reader = wasmparser::BinaryReader::new(data, 0);
                let reader = wasmparser::ExportSectionReader::new(reader).map_err(said)?;
                Same.parse_export_section(&mut exports, reader).map_err(said)?;
                exports.export(NOTES, ExportKind::Memory, notes);
                writer.section(&exports);
            }
            id if id == SectionId::Code as u8 => {
                writer.section(&code);
            }
            _ => {
                writer.section(&RawSection { id, data });
            }
        }
    }
    Ok(Watched { module: writer.finish(), places })
}

/// The function with a note at each of its places.
fn noting(
    code: &wasmparser::FunctionBody<'_>,
    flow: &Flow<'_>,
    notes: u32,
    first: i32,
) -> Result<Function, String> {
    let mut function: Function = Same.new_function_with_parsed_locals(code).map_err(said)?;
    let mut leaders = flow.leaders.iter().zip(first..).peekable();
    for (number, op) in flow.ops.iter().enumerate() {
        if let Some((_, note)) = leaders.next_if(|(leader, _)| **leader == number) {
            let at =
                MemArg { offset: 0, align: 0, target: MemArgTarget::Memory(notes), ordering: None };
            function.instructions().i32_const(note).i32_const(1).i32_store8(at);
        }
        let next = Same.instruction(op.operator.clone()).map_err(said)?;
        function.instruction(&next);
    }
    Ok(function)
}

/// Writes things as they were read.
struct Same;

impl Reencode for Same {
    type Error = String;
}
