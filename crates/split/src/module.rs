//! What must be known of a module to cut it.

use std::ops::Range;

use wasmparser::{
    BlockType, CompositeInnerType, ExternalKind, FuncType, FunctionBody, GlobalType, KnownCustom,
    MemoryType, Name, Operator, Parser, Payload, TableType, TypeRef, ValType,
};

/// A module, read as far as needed.
#[derive(Debug, Default)]
pub struct Module<'a> {
    /// Its sections in order, but custom ones: number and content.
    pub sections: Vec<(u8, &'a [u8])>,
    /// Types of functions by number.
    pub types: Vec<Option<FuncType>>,
    /// The type of each function, imported ones first.
    pub functions: Vec<u32>,
    /// How many of them are imported.
    pub imported: u32,
    /// Tables, memories and globals in order.
    pub tables: Vec<TableType>,
    /// Memories in order.
    pub memories: Vec<MemoryType>,
    /// Globals in order.
    pub globals: Vec<GlobalType>,
    /// Exported functions: name and number.
    pub exports: Vec<(&'a str, u32)>,
    /// Functions that tables, globals or the start name by number.
    pub named_by_data: Vec<u32>,
    /// The segments of memory: address and content.
    pub segments: Vec<(u32, &'a [u8])>,
    /// The bodies of the functions that are not imported.
    pub bodies: Vec<Body<'a>>,
    /// The names that the compiler gave, by number; empty where there is none.
    pub names: Vec<&'a str>,
}

/// The body of a function.
#[derive(Debug)]
pub struct Body<'a> {
    /// As it stands, without its length.
    pub bytes: &'a [u8],
    /// To be read.
    pub code: FunctionBody<'a>,
}

impl<'a> Module<'a> {
    /// Reads a module.
    ///
    /// # Errors
    /// Where the bytes are no module, or one of a shape that cannot be cut.
    pub fn read(bytes: &'a [u8]) -> Result<Self, String> {
        let mut module = Self::default();
        for payload in Parser::new(0).parse_all(bytes) {
            let payload = payload.map_err(said)?;
            if let Some((number, range)) = payload.as_section()
                && number != 0
            {
                module.sections.push((number, slice(bytes, range)?));
            }
            module.take(bytes, payload).map_err(|e| format!("{e} (is this a whole module?)"))?;
        }
        if module.sections.is_empty() {
            return Err("this is no WebAssembly module".to_owned());
        }
        module.names.resize(module.functions.len(), "");
        Ok(module)
    }

    fn take(&mut self, bytes: &'a [u8], payload: Payload<'a>) -> Result<(), String> {
        match payload {
            Payload::TypeSection(types) => {
                for group in types {
                    for (_, sub) in group.map_err(said)?.into_types_and_offsets() {
                        self.types.push(match sub.composite_type.inner {
                            CompositeInnerType::Func(function) => Some(function),
                            _ => None,
                        });
                    }
                }
            }
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    match import.map_err(said)?.ty {
                        TypeRef::Func(ty) => self.functions.push(ty),
                        TypeRef::Table(table) => self.tables.push(table),
                        TypeRef::Memory(memory) => self.memories.push(memory),
                        TypeRef::Global(global) => self.globals.push(global),
                        _ => return Err("an import of a kind that is not known".to_owned()),
                    }
                }
                self.imported = count(self.functions.len())?;
            }
            Payload::FunctionSection(functions) => {
                for ty in functions {
                    self.functions.push(ty.map_err(said)?);
                }
            }
            Payload::TableSection(tables) => {
                for table in tables {
                    self.tables.push(table.map_err(said)?.ty);
                }
            }
            Payload::MemorySection(memories) => {
                for memory in memories {
                    self.memories.push(memory.map_err(said)?);
                }
            }
            Payload::ExportSection(exports) => {
                for export in exports {
                    let export = export.map_err(said)?;
                    if export.kind == ExternalKind::Func {
                        self.exports.push((export.name, export.index));
                    }
                }
            }
            Payload::DataSection(segments) => {
                for segment in segments {
                    self.segments.push(initial(&segment.map_err(said)?)?);
                }
            }
            Payload::CodeSectionEntry(code) => {
                let bytes = slice(bytes, code.range())?;
                self.bodies.push(Body { bytes, code });
            }
            Payload::CustomSection(custom) => {
                if let KnownCustom::Name(names) = custom.as_known() {
                    self.take_names(names)?;
                }
            }
            other => self.take_naming(other)?,
        }
        Ok(())
    }

    /// Takes what names functions by number.
    fn take_naming(&mut self, payload: Payload<'a>) -> Result<(), String> {
        match payload {
            Payload::GlobalSection(globals) => {
                for global in globals {
                    let global = global.map_err(said)?;
                    self.globals.push(global.ty);
                    self.note(global.init_expr.get_operators_reader())?;
                }
            }
            Payload::StartSection { func, .. } => self.named_by_data.push(func),
            Payload::ElementSection(elements) => {
                for element in elements {
                    match element.map_err(said)?.items {
                        wasmparser::ElementItems::Functions(functions) => {
                            for function in functions {
                                self.named_by_data.push(function.map_err(said)?);
                            }
                        }
                        wasmparser::ElementItems::Expressions(_, items) => {
                            for item in items {
                                self.note(item.map_err(said)?.get_operators_reader())?;
                            }
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn note(&mut self, operators: wasmparser::OperatorsReader<'a>) -> Result<(), String> {
        for operator in operators {
            if let Operator::RefFunc { function_index } = operator.map_err(said)? {
                self.named_by_data.push(function_index);
            }
        }
        Ok(())
    }

    fn take_names(&mut self, names: wasmparser::NameSectionReader<'a>) -> Result<(), String> {
        for group in names {
            let Name::Function(map) = group.map_err(said)? else { continue };
            for naming in map {
                let naming = naming.map_err(said)?;
                let index = naming.index as usize;
                if self.names.len() <= index {
                    self.names.resize(index + 1, "");
                }
                self.names[index] = naming.name;
            }
        }
        Ok(())
    }

    /// The number of a function by its place among the bodies.
    #[must_use]
    pub fn number(&self, body: usize) -> u32 {
        self.imported + u32::try_from(body).unwrap_or(u32::MAX)
    }

    /// The parameters of a function.
    ///
    /// # Errors
    /// If its type is not one of a function.
    pub fn type_of(&self, function: u32) -> Result<(u32, &FuncType), String> {
        let number = self.functions.get(function as usize).copied();
        let known = number.and_then(|n| Some((n, self.types.get(n as usize)?.as_ref()?)));
        known.ok_or_else(|| format!("function {function} has no type"))
    }

    /// What a construct takes and leaves.
    #[must_use]
    pub fn block(&self, ty: BlockType) -> Option<(Vec<ValType>, Vec<ValType>)> {
        match ty {
            BlockType::Empty => Some((Vec::new(), Vec::new())),
            BlockType::Type(ty) => Some((Vec::new(), vec![ty])),
            BlockType::FuncType(number) => {
                let ty = self.types.get(number as usize)?.as_ref()?;
                Some((ty.params().to_vec(), ty.results().to_vec()))
            }
        }
    }

    /// The function that is exported under a name.
    #[must_use]
    pub fn exported(&self, name: &str) -> Option<u32> {
        self.exports.iter().find(|(n, _)| *n == name).map(|&(_, number)| number)
    }
}

/// Where a segment of memory begins, and what it holds.
///
/// # Errors
/// If its address is not known before it runs.
pub fn initial<'a>(segment: &wasmparser::Data<'a>) -> Result<(u32, &'a [u8]), String> {
    let wasmparser::DataKind::Active { memory_index: 0, offset_expr } = &segment.kind else {
        return Err("a segment of memory without a place".to_owned());
    };
    let first = offset_expr.get_operators_reader().read().map_err(said)?;
    let Operator::I32Const { value } = first else {
        return Err("a segment of memory whose place is computed".to_owned());
    };
    Ok((value.cast_unsigned(), segment.data))
}

/// The functions and globals that a body names.
///
/// # Errors
/// Where the body cannot be read.
pub fn named(code: &FunctionBody<'_>, mut note: impl FnMut(Naming)) -> Result<(), String> {
    for operator in code.get_operators_reader().map_err(said)? {
        if let Some(naming) = naming(&operator.map_err(said)?) {
            note(naming);
        }
    }
    Ok(())
}

/// What an instruction names.
#[derive(Clone, Copy, Debug)]
pub enum Naming {
    /// A function.
    Function(u32),
    /// A global.
    Global(u32),
}

/// The function or the global that an instruction names.
#[must_use]
pub fn naming(operator: &Operator<'_>) -> Option<Naming> {
    match operator {
        Operator::Call { function_index }
        | Operator::ReturnCall { function_index }
        | Operator::RefFunc { function_index } => Some(Naming::Function(*function_index)),
        Operator::GlobalGet { global_index } | Operator::GlobalSet { global_index } => {
            Some(Naming::Global(*global_index))
        }
        _ => None,
    }
}

pub fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn slice(bytes: &[u8], range: Range<u64>) -> Result<&[u8], String> {
    let from = usize::try_from(range.start).map_err(said)?;
    let to = usize::try_from(range.end).map_err(said)?;
    bytes.get(from..to).ok_or_else(|| "the module ends too early".to_owned())
}

fn count(length: usize) -> Result<u32, String> {
    u32::try_from(length).map_err(said)
}
