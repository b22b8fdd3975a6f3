//! Writes the two parts.

use std::ops::{Range, RangeFrom};

use wasm_encoder::reencode::Reencode;
use wasm_encoder::{
    CodeSection, ConstExpr, DataSection, ElementSection, Elements, Encode, EntityType, ExportKind,
    ExportSection, Function, FunctionSection, GlobalSection, ImportSection, Module as Writer,
    RawSection, SectionId, StartSection, TableSection, TableType,
};
use wasmparser::FunctionBody;

use crate::data::joined;
use crate::linked::Linked;
use crate::module::{Module, said};
use crate::numbers::{Numbers, Same};
use crate::plan::{Plan, Role, Shortened};
use crate::{ASK, FIRST, Names};

/// A module in two parts.
#[derive(Clone, Debug)]
pub struct Parts {
    /// What is loaded first: the module's own imports and exports, and some for the rest.
    pub first: Vec<u8>,
    /// The rest, which imports from the first and puts its functions into the table.
    pub rest: Vec<u8>,
    /// How many functions stand in the first part, and how many in the rest.
    pub functions: (usize, usize),
    /// How many stretches of functions that stand in the first part were moved.
    pub stretches: usize,
    /// How many bytes of data were moved.
    pub data: usize,
}

/// Cuts a module: the functions of these names stay, the others move, and with them the data that
/// they alone know of, as the module tells that the linker has written.
///
/// # Errors
/// Where the bytes are no module, or one without the export that asks for the rest ([`ASK`]).
pub fn cut(bytes: &[u8], first: &Names, linked: Option<&Linked<'_>>) -> Result<Parts, String> {
    let module = Module::read(bytes)?;
    let ask = module.exported(ASK).ok_or_else(|| format!("the module exports no “{ASK}”"))?;
    let plan = Plan::new(bytes, &module, first, ask, linked)?;
    let moved = plan.moved.len();
    Ok(Parts {
        first: plan.write_first()?,
        rest: plan.write_rest()?,
        functions: (module.bodies.len() - moved, moved),
        stretches: plan.outlined().count(),
        data: plan.data.iter().map(ExactSizeIterator::len).sum(),
    })
}

impl Plan<'_> {
    /// The module's types, and those of the stretches.
    fn type_section(&self, data: &[u8]) -> Result<Vec<u8>, String> {
        let (count, behind) = leb(data)?;
        let more = u32::try_from(self.types.len()).map_err(said)?;
        let mut section = Vec::new();
        (count + more).encode(&mut section);
        section.extend(&data[behind..]);
        for ty in &self.types {
            section.push(0x60);
            for side in [ty.params(), ty.results()] {
                side.len().encode(&mut section);
                for ty in side {
                    Same.val_type(*ty).map_err(said)?.encode(&mut section);
                }
            }
        }
        Ok(section)
    }

    fn write_first(&self) -> Result<Vec<u8>, String> {
        let mut writer = Writer::new();
        let mut numbers = Numbers::of_first(self);
        let mut elements = Some(self.lent_functions(&mut numbers)?);
        for &(id, data) in &self.module.sections {
            let reader = wasmparser::BinaryReader::new(data, 0);
            // The section of elements comes before these, if the module has one or not.
            let behind = [SectionId::DataCount as u8, SectionId::Code as u8].contains(&id);
            if behind && let Some(elements) = elements.take() {
                writer.section(&elements);
            }
            match id {
                id if id == SectionId::Type as u8 => {
                    writer.section(&RawSection { id, data: &self.type_section(data)? });
                }
                id if id == SectionId::Function as u8 => {
                    // One more at the end, of the type of the function that asks for the rest.
                    let mut functions = FunctionSection::new();
                    let (ask, _) = self.module.type_of(self.ask)?;
                    for number in self.module.imported as usize..self.roles.len() {
                        if self.roles[number] != Role::Gone {
                            functions.function(self.module.functions[number]);
                        }
                    }
                    functions.function(ask);
                    writer.section(&functions);
                }
                id if id == SectionId::Table as u8 => {
                    let mut tables = TableSection::new();
                    for table in self.tables()? {
                        tables.table(table);
                    }
                    writer.section(&tables);
                }
                id if id == SectionId::Global as u8 => {
                    let mut globals = GlobalSection::new();
                    let reader = wasmparser::GlobalSectionReader::new(reader).map_err(said)?;
                    numbers.parse_global_section(&mut globals, reader).map_err(said)?;
                    writer.section(&globals);
                }
                id if id == SectionId::Export as u8 => {
                    writer.section(&self.exports(reader, &mut numbers)?);
                }
                id if id == SectionId::Start as u8 => {
                    let (function_index, _) = leb(data)?;
                    let function_index = numbers.function_index(function_index).map_err(said)?;
                    writer.section(&StartSection { function_index });
                }
                id if id == SectionId::Element as u8 => {
                    let mut elements = elements.take().unwrap_or_default();
                    let reader = wasmparser::ElementSectionReader::new(reader).map_err(said)?;
                    numbers.parse_element_section(&mut elements, reader).map_err(said)?;
                    writer.section(&elements);
                }
                id if id == SectionId::Code as u8 => {
                    writer.section(&self.first_code(&mut numbers)?);
                }
                id if id == SectionId::Data as u8 => {
                    writer.section(&self.first_data());
                }
                _ => {
                    writer.section(&RawSection { id, data });
                }
            }
        }
        Ok(writer.finish())
    }

    /// The functions that are lent, in the last places of the table: an export would cost a name for
    /// each.
    fn lent_functions(&self, numbers: &mut Numbers) -> Result<ElementSection, String> {
        let mut elements = ElementSection::new();
        let lent = self.shared.iter().map(|number| numbers.function_index(*number).map_err(said));
        let lent = lent.collect::<Result<Vec<u32>, String>>()?;
        let at = ConstExpr::i32_const(signed(self.base()? + self.moved_count()));
        elements.active(None, &at, Elements::Functions(lent.into()));
        Ok(elements)
    }

    /// The module's tables, the first of them with places for the rest and for what is lent.
    fn tables(&self) -> Result<Vec<TableType>, String> {
        let tables = self.module.tables.iter();
        let tables = tables.map(|table| Same.table_type(*table).map_err(said));
        let mut tables = tables.collect::<Result<Vec<TableType>, String>>()?;
        if let Some(table) = tables.first_mut() {
            let more = u64::from(self.moved_count()) + self.shared.len() as u64;
            table.minimum += more;
            table.maximum = table.maximum.map(|most| most + more);
        }
        Ok(tables)
    }

    /// The module's exports, and what the rest needs but functions, under the numbers of [`Self::lent`].
    fn exports(
        &self,
        reader: wasmparser::BinaryReader<'_>,
        numbers: &mut Numbers,
    ) -> Result<ExportSection, String> {
        let mut exports = ExportSection::new();
        let reader = wasmparser::ExportSectionReader::new(reader).map_err(said)?;
        numbers.parse_export_section(&mut exports, reader).map_err(said)?;
        for (name, (_, kind, index)) in self.lent()?.into_iter().enumerate() {
            if kind != ExportKind::Func {
                exports.export(&name.to_string(), kind, index);
            }
        }
        Ok(exports)
    }

    /// What the first part lends to the rest, in the order of the rest's imports.
    fn lent(&self) -> Result<Vec<(EntityType, ExportKind, u32)>, String> {
        let mut lent = Vec::new();
        for (index, memory) in (0..).zip(&self.module.memories) {
            let memory = Same.memory_type(*memory).map_err(said)?;
            lent.push((EntityType::Memory(memory), ExportKind::Memory, index));
        }
        for (index, table) in (0..).zip(self.tables()?) {
            lent.push((EntityType::Table(table), ExportKind::Table, index));
        }
        for &index in &self.globals {
            let global = Same.global_type(self.module.globals[index as usize]).map_err(said)?;
            lent.push((EntityType::Global(global), ExportKind::Global, index));
        }
        for &index in &self.shared {
            let ty = self.module.functions[index as usize];
            lent.push((EntityType::Function(ty), ExportKind::Func, index));
        }
        Ok(lent)
    }

    fn first_code(&self, numbers: &mut Numbers) -> Result<CodeSection, String> {
        let mut code = CodeSection::new();
        let base = self.base()?;
        let mut slot = base;
        let mut stretch_slot = base + u32::try_from(self.moved.len()).map_err(said)?;
        for (place, body) in self.module.bodies.iter().enumerate() {
            let number = self.module.number(place);
            match self.roles[number as usize] {
                Role::Stays => {
                    match self.shortened.get(&place) {
                        None => numbers
                            .parse_function_body(&mut code, body.code.clone())
                            .map_err(said)?,
                        Some(short) => {
                            let slots = stretch_slot..;
                            stretch_slot += u32::try_from(short.stretches.len()).map_err(said)?;
                            code.function(&self.short(&body.code, short, slots, numbers)?);
                        }
                    }
                    continue;
                }
                Role::Stub => {
                    code.function(&self.stub(number, slot, numbers.own)?);
                }
                Role::Gone => {}
            }
            slot += 1;
        }
        let mut ensured = Function::new([]);
        let ask = numbers.function_index(self.ask).map_err(said)?;
        let mut write = ensured.instructions();
        write.i32_const(signed(base)).table_get(0).ref_is_null();
        write.if_(wasm_encoder::BlockType::Empty).call(ask).end().end();
        code.function(&ensured);
        Ok(code)
    }

    /// The module's data, with nothing in the place of what moves.
    fn first_data(&self) -> DataSection {
        let mut data = DataSection::new();
        for &(address, content) in &self.module.segments {
            let mut bytes = content.to_vec();
            for range in &self.data {
                if let Some(range) = within(range, address, bytes.len()) {
                    bytes[range].fill(0);
                }
            }
            data.active(0, &ConstExpr::i32_const(signed(address)), bytes);
        }
        data
    }

    /// The data that moves.
    fn rest_data(&self) -> Result<DataSection, String> {
        let mut data = DataSection::new();
        for range in joined(&self.data) {
            let content = self.module.segments.iter().find_map(|&(address, content)| {
                within(&range, address, content.len()).map(|place| &content[place])
            });
            let content = content.ok_or("data that moves lies in no segment")?;
            let at = ConstExpr::i32_const(signed(range.start));
            data.active(0, &at, content.iter().copied());
        }
        Ok(data)
    }

    /// A function whose stretches are replaced by calls of them, and its panics by nothing.
    fn short(
        &self,
        code: &FunctionBody<'_>,
        Shortened { flow, stretches, panics }: &Shortened<'_>,
        slots: RangeFrom<u32>,
        numbers: &mut Numbers,
    ) -> Result<Function, String> {
        let mut written = numbers.new_function_with_parsed_locals(code).map_err(said)?;
        let mut next = 0;
        let mut copy = |to: usize, from: &mut usize, written: &mut Function| {
            for op in &flow.ops[*from..to] {
                let instruction = numbers.instruction(op.operator.clone()).map_err(said)?;
                written.instruction(&instruction);
            }
            Ok::<(), String>(())
        };
        let ensure = self.stays();
        let panics = panics.iter().map(|panic| (panic.clone(), None));
        let called = stretches.iter().zip(slots).map(|part| (part.0.from..part.0.to, Some(part)));
        let mut gone: Vec<_> = called.chain(panics).collect();
        gone.sort_by_key(|(range, _)| range.start);
        for (range, called) in gone {
            copy(range.start, &mut next, &mut written)?;
            if let Some((stretch, slot)) = called {
                written.raw(stretch.stub(ensure, slot, self.type_number(&stretch.ty)?));
            }
            next = range.end;
        }
        copy(flow.ops.len(), &mut next, &mut written)?;
        Ok(written)
    }

    /// Makes sure that the rest is there, and goes on in it.
    fn stub(&self, number: u32, slot: u32, ensure: u32) -> Result<Function, String> {
        let (ty, shape) = self.module.type_of(number)?;
        let mut stub = Function::new([]);
        let mut write = stub.instructions();
        write.call(ensure);
        for (parameter, _) in (0..).zip(shape.params()) {
            write.local_get(parameter);
        }
        write.i32_const(signed(slot)).call_indirect(0, ty).end();
        Ok(stub)
    }

    fn write_rest(&self) -> Result<Vec<u8>, String> {
        let mut writer = Writer::new();
        let types = self.module.sections.iter().find(|(id, _)| *id == SectionId::Type as u8);
        if let Some(&(id, data)) = types {
            writer.section(&RawSection { id, data: &self.type_section(data)? });
        }
        let mut imports = ImportSection::new();
        for (name, (ty, ..)) in self.lent()?.into_iter().enumerate() {
            imports.import(FIRST, &name.to_string(), ty);
        }
        let mut functions = FunctionSection::new();
        for &number in &self.moved {
            functions.function(self.module.functions[number as usize]);
        }
        for (_, stretch) in self.outlined() {
            functions.function(self.type_number(&stretch.ty)?);
        }
        for &number in &self.copied {
            functions.function(self.module.functions[number as usize]);
        }
        let mut numbers = Numbers::of_rest(self)?;
        let all: Vec<u32> = (0..self.moved_count()).map(|n| numbers.own + n).collect();
        let mut elements = ElementSection::new();
        let at = ConstExpr::i32_const(signed(self.base()?));
        elements.active(None, &at, Elements::Functions(all.into()));
        let mut code = CodeSection::new();
        for &number in &self.moved {
            let body = &self.module.bodies[(number - self.module.imported) as usize];
            numbers.parse_function_body(&mut code, body.code.clone()).map_err(said)?;
        }
        for (flow, stretch) in self.outlined() {
            code.function(&stretch.body(flow, &mut numbers)?);
        }
        for &number in &self.copied {
            let body = &self.module.bodies[(number - self.module.imported) as usize];
            numbers.parse_function_body(&mut code, body.code.clone()).map_err(said)?;
        }
        writer.section(&imports).section(&functions).section(&elements).section(&code);
        if !self.data.is_empty() {
            writer.section(&self.rest_data()?);
        }
        Ok(writer.finish())
    }
}

/// The number at the beginning of a section, and the place behind it.
fn leb(data: &[u8]) -> Result<(u32, usize), String> {
    let mut reader = wasmparser::BinaryReader::new(data, 0);
    let number = reader.read_var_u32().map_err(said)?;
    Ok((number, reader.current_position()))
}

/// The place of some addresses in a segment, if they lie in it.
fn within(range: &Range<u32>, address: u32, length: usize) -> Option<Range<usize>> {
    let from = range.start.checked_sub(address)? as usize;
    let to = from + range.len();
    (to <= length).then_some(from..to)
}

fn signed(number: u32) -> i32 {
    number.cast_signed()
}
