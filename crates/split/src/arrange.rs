//! The order of functions, which means nothing to an engine and much to what compresses a module.
//!
//! Brotli describes bytes by those before them: functions of one type whose code begins alike cost
//! less next to each other than where the compiler has left them. What says nothing goes: types that
//! nobody names, and how addresses are aligned, which is a hint that engines do without.

use std::collections::BTreeSet;

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    CodeSection, ElementSection, ExportSection, FunctionSection, GlobalSection, ImportSection,
    MemArg, Module as Writer, RawSection, SectionId, StartSection, TypeSection,
};
use wasmparser::{BinaryReader, BlockType, Operator};

use crate::module::{Module, said};

/// The same module with its functions in the order that compresses well.
///
/// # Errors
/// Where the bytes are no module.
pub fn arranged(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let module = Module::read(bytes)?;
    let mut order: Vec<usize> = (0..module.bodies.len()).collect();
    let ty = |place: usize| module.functions[module.number(place) as usize];
    order.sort_by_key(|place| (ty(*place), module.bodies[*place].bytes));
    let types = types_in_use(&module)?;
    let mut numbers = Numbers {
        functions: (0..module.imported).collect(),
        types: vec![None; module.types.len()],
    };
    numbers.functions.resize(module.functions.len(), 0);
    for (new, old) in (module.imported..).zip(&order) {
        numbers.functions[module.number(*old) as usize] = new;
    }
    for (new, old) in (0..).zip(&types) {
        numbers.types[*old as usize] = Some(new);
    }
    let mut writer = Writer::new();
    for &(id, data) in &module.sections {
        numbers.section(&module, &order, &types, id, data, &mut writer)?;
    }
    Ok(writer.finish())
}

/// The types that functions have and instructions name.
fn types_in_use(module: &Module<'_>) -> Result<BTreeSet<u32>, String> {
    let mut used: BTreeSet<u32> = module.functions.iter().copied().collect();
    for body in &module.bodies {
        for operator in body.code.get_operators_reader().map_err(said)? {
            match operator.map_err(said)? {
                Operator::CallIndirect { type_index, .. }
                | Operator::Block { blockty: BlockType::FuncType(type_index) }
                | Operator::Loop { blockty: BlockType::FuncType(type_index) }
                | Operator::If { blockty: BlockType::FuncType(type_index) } => {
                    used.insert(type_index);
                }
                _ => {}
            }
        }
    }
    Ok(used)
}

/// What functions and types are called after the move.
struct Numbers {
    functions: Vec<u32>,
    types: Vec<Option<u32>>,
}

impl Numbers {
    fn section(
        &mut self,
        module: &Module<'_>,
        order: &[usize],
        types: &BTreeSet<u32>,
        id: u8,
        data: &[u8],
        writer: &mut Writer,
    ) -> Result<(), String> {
        let mut reader = BinaryReader::new(data, 0);
        /// Reads a section and writes it with the new numbers.
        macro_rules! anew {
            ($section:ty, $reader:ident, $parse:ident) => {{
                let mut section = <$section>::new();
                let read = wasmparser::$reader::new(reader).map_err(said)?;
                self.$parse(&mut section, read).map_err(said)?;
                writer.section(&section);
            }};
        }
        match id {
            id if id == SectionId::Type as u8 => {
                let mut section = TypeSection::new();
                for ty in types {
                    let ty = module.types[*ty as usize].as_ref().ok_or("a type of no function")?;
                    let ty = self.func_type(ty.clone()).map_err(said)?;
                    section.ty().func_type(&ty);
                }
                writer.section(&section);
            }
            id if id == SectionId::Function as u8 => {
                let mut section = FunctionSection::new();
                for place in order {
                    let ty = module.functions[module.number(*place) as usize];
                    section.function(self.type_index(ty).map_err(said)?);
                }
                writer.section(&section);
            }
            id if id == SectionId::Code as u8 => {
                let mut section = CodeSection::new();
                for place in order {
                    let code = module.bodies[*place].code.clone();
                    self.parse_function_body(&mut section, code).map_err(said)?;
                }
                writer.section(&section);
            }
            id if id == SectionId::Start as u8 => {
                let start = reader.read_var_u32().map_err(said)?;
                let function_index = self.function_index(start).map_err(said)?;
                writer.section(&StartSection { function_index });
            }
            id if id == SectionId::Import as u8 => {
                anew!(ImportSection, ImportSectionReader, parse_import_section);
            }
            id if id == SectionId::Global as u8 => {
                anew!(GlobalSection, GlobalSectionReader, parse_global_section);
            }
            id if id == SectionId::Export as u8 => {
                anew!(ExportSection, ExportSectionReader, parse_export_section);
            }
            id if id == SectionId::Element as u8 => {
                anew!(ElementSection, ElementSectionReader, parse_element_section);
            }
            _ => {
                writer.section(&RawSection { id, data });
            }
        }
        Ok(())
    }
}

impl Reencode for Numbers {
    type Error = String;

    fn function_index(&mut self, old: u32) -> Result<u32, Error<String>> {
        let new = self.functions.get(old as usize).copied();
        new.ok_or_else(|| Error::UserError(format!("there is no function {old}")))
    }

    fn type_index(&mut self, old: u32) -> Result<u32, Error<String>> {
        let new = self.types.get(old as usize).copied().flatten();
        new.ok_or_else(|| Error::UserError(format!("nobody has named type {old}")))
    }

    fn mem_arg(&mut self, arg: wasmparser::MemArg) -> Result<MemArg, Error<String>> {
        Ok(MemArg { align: 0, ..utils::mem_arg(self, arg)? })
    }
}

#[cfg(test)]
mod tests {
    use wasmparser::{Parser, Payload, Validator};

    use super::*;

    const MODULE: &str = r#"(module
      (type $unused (func (param f64 f64)))
      (type $plain (func))
      (type $number (func (result i32)))
      (import "js" "say" (func $say (type $plain)))
      (table 2 funcref)
      (memory 1)
      (elem (i32.const 0) $second $first)
      (func $second (export "second") (type $number) (i32.load (i32.const 8)))
      (func $other (export "other") (type $plain) (drop (call $second)))
      (func $first (export "first") (type $number) (i32.const 1))
      (start $other)
    )"#;

    /// The numbers of the module's exports by name, and how its loads are aligned.
    fn named(bytes: &[u8]) -> (Vec<(String, u32)>, Vec<u8>) {
        let module = Module::read(bytes).expect("a module");
        let mut exports = Vec::new();
        let mut aligned = Vec::new();
        for payload in Parser::new(0).parse_all(bytes) {
            if let Payload::ExportSection(all) = payload.expect("a module") {
                let all = all.into_iter().map(|export| export.expect("an export"));
                exports.extend(all.map(|export| (export.name.to_owned(), export.index)));
            }
        }
        for body in &module.bodies {
            for operator in body.code.get_operators_reader().expect("code") {
                if let Operator::I32Load { memarg } = operator.expect("an instruction") {
                    aligned.push(memarg.align);
                }
            }
        }
        (exports, aligned)
    }

    #[test]
    fn functions_of_a_type_stand_together_and_are_found_by_their_new_numbers() {
        let module = wat::parse_str(MODULE).expect("a module");
        let arranged = arranged(&module).expect("arranged");
        Validator::new().validate_all(&arranged).expect("a valid module");
        let (exports, aligned) = named(&arranged);
        let module = Module::read(&arranged).expect("a module");
        assert_eq!(module.types.len(), 2, "the type that nobody names is gone");
        assert_eq!(module.functions, [0, 0, 1, 1], "the import, then by type");
        let number = |name: &str| exports.iter().find(|(n, _)| n == name).expect("exported").1;
        assert_eq!(number("other"), 1);
        let held = [number("other"), number("second"), number("first")];
        assert_eq!(module.named_by_data, held, "start, then table");
        assert_eq!(aligned, [0]);
    }

    #[test]
    fn what_is_arranged_stays_as_it_is() {
        let module = wat::parse_str(MODULE).expect("a module");
        let once = arranged(&module).expect("arranged");
        assert_eq!(arranged(&once).expect("arranged"), once);
        assert!(arranged(b"\0asm").is_err());
    }
}
