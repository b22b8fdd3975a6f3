//! Writes the two parts.

use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{
    CodeSection, ConstExpr, ElementSection, Elements, EntityType, ExportKind, ExportSection,
    Function, FunctionSection, ImportSection, Module as Writer, RawSection, SectionId,
    TableSection, TableType,
};

use crate::module::{Module, named, said};
use crate::{ASK, FIRST, Names};

/// A body that is hardly longer than a stub stays where it is.
const WORTH: usize = 24;

/// A module in two parts.
#[derive(Clone, Debug)]
pub struct Parts {
    /// What is loaded first: the module's own imports and exports, and some for the rest.
    pub first: Vec<u8>,
    /// The rest, which imports from the first and puts its functions into the table.
    pub rest: Vec<u8>,
    /// How many functions stand in the first part, and how many in the rest.
    pub functions: (usize, usize),
}

/// Cuts a module: the functions of these names stay, the others move.
///
/// # Errors
/// Where the bytes are no module, or one without the export that asks for the rest ([`ASK`]).
pub fn cut(bytes: &[u8], first: &Names) -> Result<Parts, String> {
    let module = Module::read(bytes)?;
    let ask = module.exported(ASK).ok_or_else(|| format!("the module exports no “{ASK}”"))?;
    let plan = Plan::new(&module, first, ask)?;
    let moved = plan.moved.len();
    Ok(Parts {
        first: plan.write_first()?,
        rest: plan.write_rest()?,
        functions: (module.bodies.len() - moved, moved),
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
    fn new(module: &'a Module<'a>, first: &Names, ask: u32) -> Result<Self, String> {
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
        let exports = module.exports.iter().map(|&(_, number)| number);
        for number in module.named_by_data.iter().copied().chain(exports) {
            wanted(&mut roles, number);
        }
        let mut shared = vec![false; roles.len()];
        let mut globals = vec![false; module.globals.len()];
        for (place, body) in module.bodies.iter().enumerate() {
            if roles[module.number(place) as usize] == Role::Stays {
                named(&body.code, |callee| wanted(&mut roles, callee), |_| {})?;
            } else {
                let note = |callee: u32| shared[callee as usize] = true;
                named(&body.code, note, |global| globals[global as usize] = true)?;
            }
        }
        let stays = |number: &u32| roles[*number as usize] == Role::Stays;
        let shared = chosen(&shared).into_iter().filter(stays).collect();
        Ok(Self { module, ask, moved, shared, globals: chosen(&globals), roles })
    }

    /// The first table entry of the rest.
    fn base(&self) -> Result<u32, String> {
        let table = self.module.tables.first().ok_or("the module has no table")?;
        u32::try_from(table.initial).map_err(said)
    }

    fn moved_count(&self) -> u32 {
        u32::try_from(self.moved.len()).unwrap_or(u32::MAX)
    }

    fn write_first(&self) -> Result<Vec<u8>, String> {
        let mut writer = Writer::new();
        for &(id, data) in &self.module.sections {
            match id {
                id if id == SectionId::Function as u8 => {
                    // One more at the end, of the type of the function that asks for the rest.
                    let own = &self.module.functions[self.module.imported as usize..];
                    let mut functions = FunctionSection::new();
                    let (ask, _) = self.module.type_of(self.ask)?;
                    own.iter().chain([&ask]).for_each(|ty| {
                        functions.function(*ty);
                    });
                    writer.section(&functions);
                }
                id if id == SectionId::Table as u8 => {
                    let mut tables = TableSection::new();
                    for table in self.tables()? {
                        tables.table(table);
                    }
                    writer.section(&tables);
                }
                id if id == SectionId::Export as u8 => {
                    writer.section(&self.exports(data)?);
                }
                id if id == SectionId::Code as u8 => {
                    writer.section(&self.first_code()?);
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
    fn exports(&self, data: &[u8]) -> Result<ExportSection, String> {
        let mut exports = ExportSection::new();
        let reader = wasmparser::BinaryReader::new(data, 0);
        let reader = wasmparser::ExportSectionReader::new(reader).map_err(said)?;
        Same.parse_export_section(&mut exports, reader).map_err(said)?;
        for (name, (_, kind, index)) in self.lent()?.into_iter().enumerate() {
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

    fn first_code(&self) -> Result<CodeSection, String> {
        let mut code = CodeSection::new();
        let ensure = u32::try_from(self.module.functions.len()).map_err(said)?;
        let base = self.base()?;
        let mut slot = base;
        for (place, body) in self.module.bodies.iter().enumerate() {
            let number = self.module.number(place);
            match self.roles[number as usize] {
                Role::Stays => {
                    code.raw(body.bytes);
                    continue;
                }
                Role::Stub => code.function(&self.stub(number, slot, ensure)?),
                Role::Gone => {
                    let mut nothing = Function::new([]);
                    nothing.instructions().unreachable().end();
                    code.function(&nothing)
                }
            };
            slot += 1;
        }
        let mut ensured = Function::new([]);
        let mut write = ensured.instructions();
        write.i32_const(signed(base)).table_get(0).ref_is_null();
        write.if_(wasm_encoder::BlockType::Empty).call(self.ask).end().end();
        code.function(&ensured);
        Ok(code)
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
            writer.section(&RawSection { id, data });
        }
        let mut imports = ImportSection::new();
        for (name, (ty, ..)) in self.lent()?.into_iter().enumerate() {
            imports.import(FIRST, &name.to_string(), ty);
        }
        let mut functions = FunctionSection::new();
        for &number in &self.moved {
            functions.function(self.module.functions[number as usize]);
        }
        let mut numbers = Numbers::new(self)?;
        let all: Vec<u32> = (0..self.moved_count()).map(|n| numbers.own + n).collect();
        let mut elements = ElementSection::new();
        let at = ConstExpr::i32_const(signed(self.base()?));
        elements.active(None, &at, Elements::Functions(all.into()));
        let mut code = CodeSection::new();
        for &number in &self.moved {
            let body = &self.module.bodies[(number - self.module.imported) as usize];
            numbers.parse_function_body(&mut code, body.code.clone()).map_err(said)?;
        }
        writer.section(&imports).section(&functions).section(&elements).section(&code);
        Ok(writer.finish())
    }
}

fn wanted(roles: &mut [Role], number: u32) {
    let role = &mut roles[number as usize];
    if *role == Role::Gone {
        *role = Role::Stub;
    }
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

/// The numbers of functions and globals in the rest.
struct Numbers {
    functions: Vec<Option<u32>>,
    globals: Vec<Option<u32>>,
    /// The number of the first function of its own.
    own: u32,
}

impl Numbers {
    fn new(plan: &Plan<'_>) -> Result<Self, String> {
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
        new.ok_or_else(|| Error::UserError(format!("function {old} is not in the rest")))
    }

    fn global_index(&mut self, old: u32) -> Result<u32, Error<String>> {
        let new = self.globals.get(old as usize).copied().flatten();
        new.ok_or_else(|| Error::UserError(format!("global {old} is not in the rest")))
    }
}
