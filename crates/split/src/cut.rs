//! Writes the two parts.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Range, RangeFrom};

use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{
    CodeSection, ConstExpr, DataSection, ElementSection, Elements, Encode, EntityType, ExportKind,
    ExportSection, Function, FunctionSection, GlobalSection, ImportSection, Module as Writer,
    RawSection, SectionId, StartSection, TableSection, TableType,
};

use wasmparser::{FuncType, FunctionBody};

use crate::data::{Kept, constant, joined};
use crate::flow::{Flow, each};
use crate::linked::Linked;
use crate::module::{Module, Naming, named, naming, said};
use crate::outline::Stretch;
use crate::{ASK, FIRST, Names};

/// A body that is hardly longer than a stub stays where it is.
const WORTH: usize = 24;

/// A number of the length of most.
const LONG: u32 = 8000;

/// What a stretch must save to be moved.
const SAVED: usize = 8;

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

/// Who stands where.
struct Plan<'a> {
    module: &'a Module<'a>,
    ask: u32,
    /// The functions that move, in order: the place of one in the list is its place in the table,
    /// from the end of the module's own entries on.
    moved: Vec<u32>,
    /// By number: what a function is to the first part.
    roles: Vec<Role>,
    /// Functions that stay and that the rest calls, in order of number.
    shared: Vec<u32>,
    /// Globals that the rest reads or sets.
    globals: Vec<u32>,
    /// Functions that stay without some of their stretches, by their place among the bodies.
    shortened: BTreeMap<usize, Shortened<'a>>,
    /// The types of the stretches that the module does not have.
    types: Vec<FuncType>,
    /// The addresses of the data that moves.
    data: Vec<Range<u32>>,
}

/// A function that stays, without some of its stretches.
struct Shortened<'a> {
    flow: Flow<'a>,
    stretches: Vec<Stretch>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Stands in the first part.
    Stays,
    /// Stands in the rest and is called from the first part.
    Stub,
    /// Stands in the rest, and nobody in the first part knows of it.
    Gone,
}

impl<'a> Plan<'a> {
    fn new(
        bytes: &'a [u8],
        module: &'a Module<'a>,
        first: &Names,
        ask: u32,
        linked: Option<&Linked<'_>>,
    ) -> Result<Self, String> {
        let mut roles = vec![Role::Stays; module.functions.len()];
        let mut moved = Vec::new();
        for (place, body) in module.bodies.iter().enumerate() {
            let number = module.number(place);
            let name = module.names[number as usize];
            if number != ask && body.bytes.len() > WORTH && !first.has(name) {
                roles[number as usize] = Role::Gone;
                moved.push(number);
            }
        }
        let mut shortened = BTreeMap::new();
        each(bytes, |place, flow| {
            let number = module.number(place);
            if roles[number as usize] == Role::Stays && number != ask {
                let stretches = stretches(module, place, &flow, first);
                if !stretches.is_empty() {
                    shortened.insert(place, Shortened { flow, stretches });
                }
            }
            Ok(())
        })?;
        let exports = module.exports.iter().map(|&(_, number)| number);
        for number in module.named_by_data.iter().copied().chain(exports) {
            wanted(&mut roles, number);
        }
        let mut shared = vec![false; roles.len()];
        let mut globals = vec![false; module.globals.len()];
        for (place, body) in module.bodies.iter().enumerate() {
            let mut note = |naming: Naming, roles: &mut [Role], stays: bool| match naming {
                Naming::Function(callee) if stays => wanted(roles, callee),
                Naming::Function(callee) => shared[callee as usize] = true,
                Naming::Global(_) if stays => {}
                Naming::Global(global) => globals[global as usize] = true,
            };
            if let Some(Shortened { flow, stretches }) = shortened.get(&place) {
                for (at, op) in flow.ops.iter().enumerate() {
                    let stays = !stretches.iter().any(|s| s.from <= at && at < s.to);
                    if let Some(naming) = naming(&op.operator) {
                        note(naming, &mut roles, stays);
                    }
                }
            } else {
                let stays = roles[module.number(place) as usize] == Role::Stays;
                named(&body.code, |naming| note(naming, &mut roles, stays))?;
            }
        }
        let mut types: Vec<FuncType> = Vec::new();
        for stretch in shortened.values().flat_map(|short| &short.stretches) {
            let known = module.types.iter().flatten().chain(&types).any(|ty| *ty == stretch.ty);
            if !known {
                types.push(stretch.ty.clone());
            }
        }
        let stays = |number: &u32| roles[*number as usize] == Role::Stays;
        let shared = chosen(&shared).into_iter().filter(stays).collect();
        let globals = chosen(&globals);
        let data = match linked {
            Some(linked) => data_that_moves(module, linked, &roles, &shortened)?,
            None => Vec::new(),
        };
        Ok(Self { module, ask, moved, shared, globals, roles, shortened, types, data })
    }

    /// The first table entry of the rest.
    fn base(&self) -> Result<u32, String> {
        let table = self.module.tables.first().ok_or("the module has no table")?;
        u32::try_from(table.initial).map_err(said)
    }

    /// How many entries the rest puts into the table.
    fn moved_count(&self) -> u32 {
        u32::try_from(self.moved.len() + self.outlined().count()).unwrap_or(u32::MAX)
    }

    /// The stretches that move: their places in the table follow those of the functions.
    fn outlined(&self) -> impl Iterator<Item = (&Flow<'a>, &Stretch)> {
        let short = self.shortened.values();
        short.flat_map(|short| short.stretches.iter().map(move |stretch| (&short.flow, stretch)))
    }

    /// The number of a stretch's type.
    fn type_number(&self, ty: &FuncType) -> Result<u32, String> {
        let own = self.types.iter().map(Some);
        let found = self.module.types.iter().map(Option::as_ref).chain(own);
        let number = found.into_iter().position(|known| known == Some(ty));
        u32::try_from(number.ok_or("a stretch without a type")?).map_err(said)
    }

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
        for &(id, data) in &self.module.sections {
            let reader = wasmparser::BinaryReader::new(data, 0);
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
                    let mut elements = ElementSection::new();
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

    /// The module's tables, the first of them with places for the rest.
    fn tables(&self) -> Result<Vec<TableType>, String> {
        let tables = self.module.tables.iter();
        let tables = tables.map(|table| Same.table_type(*table).map_err(said));
        let mut tables = tables.collect::<Result<Vec<TableType>, String>>()?;
        if let Some(table) = tables.first_mut() {
            let more = u64::from(self.moved_count());
            table.minimum += more;
            table.maximum = table.maximum.map(|most| most + more);
        }
        Ok(tables)
    }

    /// The module's exports, and what the rest needs, under the numbers of [`Self::lent`].
    fn exports(
        &self,
        reader: wasmparser::BinaryReader<'_>,
        numbers: &mut Numbers,
    ) -> Result<ExportSection, String> {
        let mut exports = ExportSection::new();
        let reader = wasmparser::ExportSectionReader::new(reader).map_err(said)?;
        numbers.parse_export_section(&mut exports, reader).map_err(said)?;
        for (name, (_, kind, index)) in self.lent()?.into_iter().enumerate() {
            let index = match kind {
                ExportKind::Func => numbers.function_index(index).map_err(said)?,
                _ => index,
            };
            exports.export(&name.to_string(), kind, index);
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

    /// A function whose stretches are replaced by calls of them.
    fn short(
        &self,
        code: &FunctionBody<'_>,
        Shortened { flow, stretches }: &Shortened<'_>,
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
        let ensure = self.ensure();
        for (stretch, slot) in stretches.iter().zip(slots) {
            copy(stretch.from, &mut next, &mut written)?;
            written.raw(stretch.stub(ensure, slot, self.type_number(&stretch.ty)?));
            next = stretch.to;
        }
        copy(flow.ops.len(), &mut next, &mut written)?;
        Ok(written)
    }

    /// The number, in the first part, of the function that makes sure that the rest is there.
    fn ensure(&self) -> u32 {
        let stays = self.roles.iter().filter(|role| **role != Role::Gone).count();
        u32::try_from(stays).unwrap_or(u32::MAX)
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
        writer.section(&imports).section(&functions).section(&elements).section(&code);
        if !self.data.is_empty() {
            writer.section(&self.rest_data()?);
        }
        Ok(writer.finish())
    }
}

/// The addresses of the data that nobody who stays knows.
fn data_that_moves(
    module: &Module<'_>,
    linked: &Linked<'_>,
    roles: &[Role],
    shortened: &BTreeMap<usize, Shortened<'_>>,
) -> Result<Vec<Range<u32>>, String> {
    let mut kept = Kept::new(module, linked)?;
    for (place, body) in module.bodies.iter().enumerate() {
        let number = module.number(place);
        if roles[number as usize] != Role::Stays {
            continue;
        }
        let (mut all, mut staying) = (BTreeSet::new(), BTreeSet::new());
        let stretches = shortened.get(&place).map_or(&[][..], |short| &short.stretches);
        let operators = body.code.get_operators_reader().map_err(said)?;
        for (at, operator) in operators.into_iter().enumerate() {
            if let Some(constant) = constant(&operator.map_err(said)?) {
                all.insert(constant);
                if !stretches.iter().any(|s| s.from <= at && at < s.to) {
                    staying.insert(constant);
                }
            }
        }
        kept.keep(number, &all, &staying);
    }
    Ok(kept.moved())
}

/// The stretches of a function that did not run and are worth a call.
fn stretches(module: &Module<'_>, place: usize, flow: &Flow<'_>, first: &Names) -> Vec<Stretch> {
    let number = module.number(place);
    let bytes = module.bodies[place].bytes;
    let left_out = first.leaves_out(module.names[number as usize], flow.shape(bytes));
    let Some(left_out) = left_out else { return Vec::new() };
    let mut found = Vec::new();
    let mut done = 0;
    for (at, leader) in flow.leaders.iter().enumerate() {
        if *leader >= done && left_out(at) {
            done = flow.sequence_end(*leader);
            if flow.ops[done].at - flow.ops[*leader].at > WORTH {
                found.push((*leader, done));
            }
        }
    }
    if found.is_empty() {
        return Vec::new();
    }
    let live = flow.live(found.iter().map(|(from, _)| *from));
    let stretches = found.into_iter().filter_map(|(from, to)| {
        let stretch = Stretch::of(module, number, flow, (from, to), live.get(&from)?)?;
        let saved = flow.ops[to].at - flow.ops[from].at;
        (saved > stretch.stub(LONG, LONG, LONG / 64).len() + SAVED).then_some(stretch)
    });
    stretches.collect()
}

/// The number at the beginning of a section, and the place behind it.
fn leb(data: &[u8]) -> Result<(u32, usize), String> {
    let mut reader = wasmparser::BinaryReader::new(data, 0);
    let number = reader.read_var_u32().map_err(said)?;
    Ok((number, usize::try_from(reader.current_position()).map_err(said)?))
}

fn wanted(roles: &mut [Role], number: u32) {
    let role = &mut roles[number as usize];
    if *role == Role::Gone {
        *role = Role::Stub;
    }
}

/// The place of some addresses in a segment, if they lie in it.
fn within(range: &Range<u32>, address: u32, length: usize) -> Option<Range<usize>> {
    let from = range.start.checked_sub(address)? as usize;
    let to = from + range.len();
    (to <= length).then_some(from..to)
}

fn chosen(marks: &[bool]) -> Vec<u32> {
    (0..).zip(marks).filter(|(_, mark)| **mark).map(|(number, _)| number).collect()
}

fn signed(number: u32) -> i32 {
    number.cast_signed()
}

/// Writes things as they were read.
struct Same;

impl Reencode for Same {
    type Error = String;
}

/// The numbers of functions and globals in a part.
struct Numbers {
    functions: Vec<Option<u32>>,
    globals: Vec<Option<u32>>,
    /// The number of the first function that the module does not have under this number: in the rest,
    /// of those that moved.
    own: u32,
}

impl Numbers {
    fn of_first(plan: &Plan<'_>) -> Self {
        let mut next = 0;
        let number = |role: &Role| {
            let stays = *role != Role::Gone;
            next += u32::from(stays);
            stays.then(|| next - 1)
        };
        let functions = plan.roles.iter().map(number).collect();
        let globals = (0..).zip(&plan.module.globals).map(|(number, _)| Some(number)).collect();
        Self { functions, globals, own: plan.ensure() }
    }

    fn of_rest(plan: &Plan<'_>) -> Result<Self, String> {
        let mut functions = vec![None; plan.module.functions.len()];
        let mut globals = vec![None; plan.module.globals.len()];
        for (new, old) in (0..).zip(&plan.globals) {
            globals[*old as usize] = Some(new);
        }
        for (new, old) in (0..).zip(plan.shared.iter().chain(&plan.moved)) {
            functions[*old as usize] = Some(new);
        }
        let own = u32::try_from(plan.shared.len()).map_err(said)?;
        Ok(Self { functions, globals, own })
    }
}

impl Reencode for Numbers {
    type Error = String;

    fn function_index(&mut self, old: u32) -> Result<u32, Error<String>> {
        let new = self.functions.get(old as usize).copied().flatten();
        new.ok_or_else(|| Error::UserError(format!("function {old} is not in this part")))
    }

    fn global_index(&mut self, old: u32) -> Result<u32, Error<String>> {
        let new = self.globals.get(old as usize).copied().flatten();
        new.ok_or_else(|| Error::UserError(format!("global {old} is not in this part")))
    }
}
