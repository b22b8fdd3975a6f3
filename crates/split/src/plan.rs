//! What stands in which part.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use wasmparser::{FuncType, FunctionBody, Operator};

use crate::Names;
use crate::data::{Kept, constant};
use crate::flow::{Flow, Op, each};
use crate::linked::Linked;
use crate::module::{Body, Module, Naming, named, naming, said};
use crate::outline::Stretch;

/// A body or a stretch that is shorter stays where it is. Stubs are alike and compress to a few bytes,
/// so that even what is hardly longer than one is worth it.
const WORTH: usize = 6;

/// What stands in the names of functions that compare two keys of a hash map: whether one runs is the
/// luck of their hashes, which are others in the module that was watched.
const BY_LUCK: &str = "equivalent_key";

/// A number of the length of most.
const LONG: u32 = 8000;

/// A function that both parts need and that is no longer stands in both: to be lent it would have to be
/// exported and imported by name, and the first part is what readers wait for.
const COPIED: usize = 128;

/// Who stands where.
pub struct Plan<'a> {
    /// The module.
    pub module: &'a Module<'a>,
    /// The function that asks for the rest.
    pub ask: u32,
    /// The functions that move, in order: the place of one in the list is its place in the table,
    /// from the end of the module's own entries on.
    pub moved: Vec<u32>,
    /// By number: what a function is to the first part.
    pub roles: Vec<Role>,
    /// Functions that stay and that the rest calls.
    pub shared: Vec<u32>,
    /// Functions that stay and stand in the rest as well.
    pub copied: Vec<u32>,
    /// Globals that the rest reads or sets.
    pub globals: Vec<u32>,
    /// Functions that stay without some of their stretches, by their place among the bodies.
    pub shortened: BTreeMap<usize, Shortened<'a>>,
    /// The types of the stretches that the module does not have.
    pub types: Vec<FuncType>,
    /// The addresses of the data that moves.
    pub data: Vec<Range<u32>>,
}

/// A function that stays, without some of its stretches.
pub struct Shortened<'a> {
    /// Itself.
    pub flow: Flow<'a>,
    /// What is not in it and is called in its place, in order.
    pub stretches: Vec<Stretch>,
    /// What is not in it because it ends in a panic, in order.
    pub panics: Vec<Range<usize>>,
}

impl Shortened<'_> {
    /// Whether an instruction is still in it.
    pub fn has(&self, at: usize) -> bool {
        !self.stretches.iter().any(|stretch| stretch.from <= at && at < stretch.to)
            && !self.panics.iter().any(|panic| panic.contains(&at))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Stands in the first part.
    Stays,
    /// Stands in the rest and is called from the first part.
    Stub,
    /// Stands in the rest, and nobody in the first part knows of it.
    Gone,
}

impl<'a> Plan<'a> {
    pub fn new(
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
            let stays = first.has(name) || name.contains(BY_LUCK);
            if number != ask && body.bytes.len() > WORTH && !stays {
                roles[number as usize] = Role::Gone;
                moved.push(number);
            }
        }
        let mut shortened = BTreeMap::new();
        let last = who_ends(module, &roles)?;
        each(bytes, |place, flow| {
            let number = module.number(place);
            if roles[number as usize] == Role::Stays && number != ask {
                let stretches = stretches(module, place, &flow, first);
                let mut panics = panics(&flow, &last);
                panics.retain(|panic| {
                    !stretches.iter().any(|s| s.from < panic.end && panic.start < s.to)
                });
                if !stretches.is_empty() || !panics.is_empty() {
                    shortened.insert(place, Shortened { flow, stretches, panics });
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
            if let Some(short) = shortened.get(&place) {
                for (at, op) in short.flow.ops.iter().enumerate() {
                    let gone = short.panics.iter().any(|panic| panic.contains(&at));
                    if let (Some(naming), false) = (naming(&op.operator), gone) {
                        note(naming, &mut roles, short.has(at));
                    }
                }
            } else {
                let stays = roles[module.number(place) as usize] == Role::Stays;
                named(&body.code, |naming| note(naming, &mut roles, stays))?;
            }
        }
        let types = new_types(module, &shortened);
        let stays = |number: &u32| roles[*number as usize] == Role::Stays;
        let copied = copied(module, ask, &stays, &mut shared, &mut globals)?;
        let lent = |number: &u32| stays(number) && !copied[*number as usize];
        let shared = as_arranged(module, chosen(&shared).into_iter().filter(lent));
        let copied = chosen(&copied);
        let globals = chosen(&globals);
        let data = match linked {
            Some(linked) => data_that_moves(module, linked, &roles, &shortened)?,
            None => Vec::new(),
        };
        Ok(Self { module, ask, moved, shared, copied, globals, roles, shortened, types, data })
    }

    /// The first table entry of the rest.
    pub fn base(&self) -> Result<u32, String> {
        let table = self.module.tables.first().ok_or("the module has no table")?;
        u32::try_from(table.initial).map_err(said)
    }

    /// How many entries the rest puts into the table.
    pub fn moved_count(&self) -> u32 {
        u32::try_from(self.moved.len() + self.outlined().count()).unwrap_or(u32::MAX)
    }

    /// The stretches that move: their places in the table follow those of the functions.
    pub fn outlined(&self) -> impl Iterator<Item = (&Flow<'a>, &Stretch)> {
        let short = self.shortened.values();
        short.flat_map(|short| short.stretches.iter().map(move |stretch| (&short.flow, stretch)))
    }

    /// How many functions the first part has; the number of the one that makes sure of the rest.
    pub fn stays(&self) -> u32 {
        let stays = self.roles.iter().filter(|role| **role != Role::Gone).count();
        u32::try_from(stays).unwrap_or(u32::MAX)
    }

    /// The number of a stretch's type.
    pub fn type_number(&self, ty: &FuncType) -> Result<u32, String> {
        let own = self.types.iter().map(Some);
        let found = self.module.types.iter().map(Option::as_ref).chain(own);
        let number = found.into_iter().position(|known| known == Some(ty));
        u32::try_from(number.ok_or("a stretch without a type")?).map_err(said)
    }
}

/// The types of stretches that the module does not have.
fn new_types(module: &Module<'_>, shortened: &BTreeMap<usize, Shortened<'_>>) -> Vec<FuncType> {
    let mut types: Vec<FuncType> = Vec::new();
    for stretch in shortened.values().flat_map(|short| &short.stretches) {
        let known = module.types.iter().flatten().chain(&types).any(|ty| *ty == stretch.ty);
        if !known {
            types.push(stretch.ty.clone());
        }
    }
    types
}

/// Functions as they will be arranged: numbers that follow each other compress well.
fn as_arranged(module: &Module<'_>, numbers: impl Iterator<Item = u32>) -> Vec<u32> {
    let body = |number: u32| {
        let place = number.checked_sub(module.imported)?;
        Some((module.functions[number as usize], module.bodies[place as usize].bytes))
    };
    let mut numbers: Vec<u32> = numbers.collect();
    numbers.sort_by_key(|number| body(*number));
    numbers
}

/// The functions that the rest needs and that are short enough to stand in both parts; notes what they
/// in turn need of the first.
fn copied(
    module: &Module<'_>,
    ask: u32,
    stays: &impl Fn(&u32) -> bool,
    shared: &mut [bool],
    globals: &mut [bool],
) -> Result<Vec<bool>, String> {
    let mut copied = vec![false; shared.len()];
    let mut next = chosen(shared);
    while let Some(number) = next.pop() {
        let Some(place) = number.checked_sub(module.imported) else { continue };
        let Body { bytes, code } = &module.bodies[place as usize];
        if copied[number as usize] || !stays(&number) || number == ask || bytes.len() > COPIED {
            continue;
        }
        copied[number as usize] = true;
        named(code, |naming| match naming {
            Naming::Function(callee) => {
                shared[callee as usize] = true;
                next.push(callee);
            }
            Naming::Global(global) => globals[global as usize] = true,
        })?;
    }
    Ok(copied)
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
        let short = shortened.get(&place);
        let operators = body.code.get_operators_reader().map_err(said)?;
        for (at, operator) in operators.into_iter().enumerate() {
            if let Some(constant) = constant(&operator.map_err(said)?) {
                all.insert(constant);
                if short.is_none_or(|short| short.has(at)) {
                    staying.insert(constant);
                }
            }
        }
        kept.keep(number, &all, &staying);
    }
    Ok(kept.moved())
}

/// By number: who never returns, if the next instruction cannot be reached, because it panics. These
/// are functions of the rest, and those that do nothing but call one.
fn who_ends(module: &Module<'_>, roles: &[Role]) -> Result<Vec<bool>, String> {
    let mut last: Vec<bool> = roles.iter().map(|role| *role != Role::Stays).collect();
    for _ in 0..HANDED_ON {
        for (place, body) in module.bodies.iter().enumerate() {
            let number = module.number(place) as usize;
            last[number] = last[number] || hands_on(&body.code, &last)?;
        }
    }
    Ok(last)
}

/// How often a panic is handed on before somebody of the rest has it.
const HANDED_ON: usize = 3;

/// Whether a function goes straight to one of these and does not come back.
fn hands_on(code: &FunctionBody<'_>, last: &[bool]) -> Result<bool, String> {
    let mut called = false;
    for operator in code.get_operators_reader().map_err(said)? {
        match operator.map_err(said)? {
            Operator::Call { function_index } if last[function_index as usize] => called = true,
            Operator::Unreachable => return Ok(called),
            operator if called || !goes_on(&operator) => return Ok(false),
            _ => {}
        }
    }
    Ok(false)
}

/// What a function says before it panics, each to the instruction behind the last call: where that
/// stands, the module ends all the same.
fn panics(flow: &Flow<'_>, last: &[bool]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, op) in flow.ops.iter().enumerate() {
        if goes_on(&op.operator) {
            continue;
        }
        if let Operator::Call { function_index } = op.operator
            && last[function_index as usize]
            && matches!(flow.ops.get(at + 1), Some(Op { operator: Operator::Unreachable, .. }))
        {
            found.push(start..at + 1);
        }
        start = at + 1;
    }
    found
}

/// Whether control goes to the next instruction, and to nobody else meanwhile.
fn goes_on(operator: &Operator<'_>) -> bool {
    !matches!(
        operator,
        Operator::Block { .. }
            | Operator::Loop { .. }
            | Operator::If { .. }
            | Operator::Else
            | Operator::End
            | Operator::Br { .. }
            | Operator::BrIf { .. }
            | Operator::BrTable { .. }
            | Operator::Return
            | Operator::Unreachable
            | Operator::Call { .. }
            | Operator::CallIndirect { .. }
            | Operator::ReturnCall { .. }
            | Operator::ReturnCallIndirect { .. }
    )
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
        (saved > stretch.stub(LONG, LONG, LONG / 64).len()).then_some(stretch)
    });
    stretches.collect()
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
