//! A stretch of a function that does not run at first, written as a function of its own.
//!
//! It takes the locals that it reads, and gives back those that are read after it, with a number for
//! the place where the function goes on.

use wasm_encoder::reencode::Reencode;
use wasm_encoder::{BlockType, Function, Instruction, ValType as Written};
use wasmparser::{FuncType, Operator, ValType};

use crate::flow::{Flow, Live, Locals, block_type};
use crate::module::{Module, said};

/// A stretch: the end of a sequence, from an instruction on.
#[derive(Debug)]
pub struct Stretch {
    /// Its first instruction, and the one after its last.
    pub from: usize,
    /// See [`Stretch::from`].
    pub to: usize,
    /// The locals that it takes, by type.
    takes: Vec<u32>,
    /// The locals that it gives back, by type.
    gives: Vec<u32>,
    /// What it leaves on the stack for its exit.
    values: Vec<ValType>,
    /// Where the function can go on.
    exits: Vec<Exit>,
    /// How control leaves it at its end, if it does.
    falls: Option<Exit>,
    /// How many constructs are around it.
    depth: u32,
    /// Its own type.
    pub ty: FuncType,
}

/// Where a function goes on after a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Exit {
    /// Behind it.
    Fall,
    /// Where a jump to this construct goes, counted from the innermost around it.
    Label(u32),
    /// Nowhere: it returns.
    Return,
}

impl Stretch {
    /// The stretch of these instructions, if one can be made of them.
    #[expect(clippy::too_many_lines, reason = "each way out has a condition of its own")]
    pub fn of(
        module: &Module<'_>,
        number: u32,
        flow: &Flow<'_>,
        (from, to): (usize, usize),
        live: &Live,
    ) -> Option<Self> {
        if !flow.plain || !flow.ops[from].clean || flow.ops[from].dead {
            return None;
        }
        let around = flow.around(from);
        let depth = u32::try_from(around.len()).ok()?;
        let results = module.type_of(number).ok()?.1.results();
        let mut exits = jumps(module, flow, (from, to), &around, results)?;
        let mut values = if exits.contains(&Exit::Return) { results.to_vec() } else { Vec::new() };
        let falls = if flow.ops[to].dead {
            None
        } else {
            let exit = match around.first().map(|opener| &flow.ops[*opener].operator) {
                None => {
                    values = results.to_vec();
                    Exit::Return
                }
                Some(operator) => {
                    let left = module.block(block_type(operator)?)?.1;
                    match operator {
                        Operator::Loop { .. } if left.is_empty() => Exit::Fall,
                        _ if left.is_empty() => Exit::Label(0),
                        _ if exits.is_empty() => {
                            values = left;
                            Exit::Fall
                        }
                        _ => return None,
                    }
                }
            };
            exits.push(exit);
            Some(exit)
        };
        exits.sort_unstable();
        exits.dedup();
        if exits.len() > 2 && (!values.is_empty() || exits[0] == Exit::Fall) {
            return None;
        }
        if values.iter().any(|ty| zero(*ty).is_none()) {
            return None;
        }
        let mut needed = Locals::none(flow.locals.len());
        for exit in &exits {
            match exit {
                Exit::Fall => needed.join(&live.out),
                Exit::Label(label) => {
                    needed.join(&live.labels[live.labels.len() - 1 - *label as usize]);
                }
                Exit::Return => {}
            }
        }
        let set = |local: u32| {
            flow.ops[from..to].iter().any(|op| match op.operator {
                Operator::LocalSet { local_index } | Operator::LocalTee { local_index } => {
                    local_index == local
                }
                _ => false,
            })
        };
        let all = 0..u32::try_from(flow.locals.len()).ok()?;
        let by_type = |mut locals: Vec<u32>| {
            locals.sort_by_key(|local| rank(flow.locals[*local as usize]));
            locals
        };
        let takes = by_type(all.clone().filter(|local| live.here.has(*local)).collect());
        let gives = by_type(all.filter(|l| needed.has(*l) && set(*l)).collect());
        let types = |locals: &[u32]| {
            locals.iter().map(|local| flow.locals[*local as usize]).collect::<Vec<_>>()
        };
        let code = (exits.len() > 1).then_some(ValType::I32);
        let given = values.iter().copied().chain(code).chain(types(&gives));
        let ty = FuncType::new(types(&takes), given);
        Some(Self { from, to, takes, gives, values, exits, falls, depth, ty })
    }

    /// What stands in the function in its place.
    pub fn stub(&self, ensure: u32, slot: u32, ty: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut write = wasm_encoder::InstructionSink::new(&mut bytes);
        write.call(ensure);
        for local in &self.takes {
            write.local_get(*local);
        }
        write.i32_const(slot.cast_signed()).call_indirect(0, ty);
        for local in self.gives.iter().rev() {
            write.local_set(*local);
        }
        match self.exits[..] {
            [] => {
                write.unreachable();
            }
            [only] => self.leave(only, &mut write),
            [first, second] => {
                write.br_if(self.label(second));
                if second == Exit::Return {
                    for _ in &self.values {
                        write.drop();
                    }
                }
                self.leave(first, &mut write);
            }
            [ref but_last @ .., last] => {
                let labels: Vec<u32> = but_last.iter().map(|exit| self.label(*exit)).collect();
                write.br_table(labels, self.label(last));
            }
        }
        bytes
    }

    /// The label of an exit that has one.
    fn label(&self, exit: Exit) -> u32 {
        match exit {
            Exit::Label(label) => label,
            // What falls is never told from others by a label.
            Exit::Fall | Exit::Return => self.depth,
        }
    }

    fn leave(&self, exit: Exit, write: &mut wasm_encoder::InstructionSink<'_>) {
        match exit {
            _ if self.falls == Some(exit) => {}
            Exit::Fall => {}
            Exit::Label(label) => {
                write.br(label);
            }
            Exit::Return => {
                write.return_();
            }
        }
    }

    /// The body of the function that it becomes.
    #[expect(clippy::too_many_lines, reason = "one match over instructions")]
    pub fn body<R: Reencode>(&self, flow: &Flow<'_>, numbers: &mut R) -> Result<Function, String>
    where
        R::Error: std::fmt::Display,
    {
        let mut locals = Renamed::new(flow, self)?;
        let values: Vec<u32> = self.values.iter().map(|ty| locals.fresh(*ty)).collect();
        let types = locals.types.iter().map(|ty| numbers.val_type(*ty).map_err(|e| e.to_string()));
        let types = types.collect::<Result<Vec<Written>, String>>()?;
        let mut body = Function::new_with_locals_types(types);
        for _ in &self.exits {
            body.instruction(&Instruction::Block(BlockType::Empty));
        }
        let place = |exit: Exit| {
            let place = self.exits.iter().position(|known| *known == exit);
            place.and_then(|place| u32::try_from(place).ok()).ok_or("an exit that is not known")
        };
        let jump = |to: u32, open: u32| -> Result<u32, String> {
            match to.checked_sub(open) {
                None => Ok(to),
                Some(label) if label == self.depth => Ok(open + place(Exit::Return)?),
                Some(label) => Ok(open + place(Exit::Label(label))?),
            }
        };
        let mut open = 0;
        for op in &flow.ops[self.from..self.to] {
            let instruction = match &op.operator {
                Operator::Br { relative_depth } => Instruction::Br(jump(*relative_depth, open)?),
                Operator::BrIf { relative_depth } => {
                    Instruction::BrIf(jump(*relative_depth, open)?)
                }
                Operator::BrTable { targets } => {
                    let to = targets.targets().map(|to| jump(to.map_err(said)?, open));
                    let to = to.collect::<Result<Vec<u32>, String>>()?;
                    Instruction::BrTable(to.into(), jump(targets.default(), open)?)
                }
                Operator::LocalGet { local_index } => {
                    Instruction::LocalGet(locals.of(*local_index)?)
                }
                Operator::LocalSet { local_index } => {
                    Instruction::LocalSet(locals.of(*local_index)?)
                }
                Operator::LocalTee { local_index } => {
                    Instruction::LocalTee(locals.of(*local_index)?)
                }
                Operator::Return => {
                    for value in values.iter().rev() {
                        body.instruction(&Instruction::LocalSet(*value));
                    }
                    Instruction::Br(open + place(Exit::Return)?)
                }
                other => {
                    match other {
                        Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => {
                            open += 1;
                        }
                        Operator::End => open -= 1,
                        _ => {}
                    }
                    numbers.instruction(other.clone()).map_err(|e| e.to_string())?
                }
            };
            body.instruction(&instruction);
        }
        if let Some(exit) = self.falls {
            // Where there are several exits, only a return takes values along.
            let carries = exit == Exit::Return || self.exits.len() == 1;
            for value in values.iter().rev().filter(|_| carries) {
                body.instruction(&Instruction::LocalSet(*value));
            }
            body.instruction(&Instruction::Br(place(exit)?));
        }
        for code in 0..self.exits.len() {
            body.instruction(&Instruction::End);
            for value in &values {
                body.instruction(&Instruction::LocalGet(*value));
            }
            if self.exits.len() > 1 {
                body.instruction(&Instruction::I32Const(i32::try_from(code).map_err(said)?));
            }
            for local in &self.gives {
                body.instruction(&Instruction::LocalGet(locals.of(*local)?));
            }
            body.instruction(&Instruction::Return);
        }
        body.instruction(&Instruction::End);
        Ok(body)
    }
}

/// The exits of the jumps in a stretch; none if one of them takes values along.
fn jumps(
    module: &Module<'_>,
    flow: &Flow<'_>,
    (from, to): (usize, usize),
    around: &[usize],
    results: &[ValType],
) -> Option<Vec<Exit>> {
    let mut exits = Vec::new();
    let mut open = 0;
    for op in &flow.ops[from..to] {
        let mut jump = |depth: u32| -> Option<()> {
            let Some(label) = depth.checked_sub(open) else { return Some(()) };
            let Some(opener) = around.get(label as usize) else {
                exits.push(Exit::Return);
                return results.is_empty().then_some(());
            };
            let operator = &flow.ops[*opener].operator;
            let (takes, leaves) = module.block(block_type(operator)?)?;
            let is_loop = matches!(operator, Operator::Loop { .. });
            exits.push(Exit::Label(label));
            (if is_loop { takes } else { leaves }).is_empty().then_some(())
        };
        match &op.operator {
            Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => open += 1,
            Operator::End => open -= 1,
            Operator::Br { relative_depth } | Operator::BrIf { relative_depth } => {
                jump(*relative_depth)?;
            }
            Operator::BrTable { targets } => {
                for depth in targets.targets().flatten().chain([targets.default()]) {
                    jump(depth)?;
                }
            }
            Operator::Return => exits.push(Exit::Return),
            _ => {}
        }
    }
    Some(exits)
}

/// Locals of a function by their numbers in a stretch of it.
struct Renamed {
    numbers: Vec<Option<u32>>,
    /// Types of those that are no parameters.
    types: Vec<ValType>,
    parameters: u32,
}

impl Renamed {
    fn new(flow: &Flow<'_>, stretch: &Stretch) -> Result<Self, String> {
        let parameters = u32::try_from(stretch.takes.len()).map_err(said)?;
        let mut renamed =
            Self { numbers: vec![None; flow.locals.len()], types: Vec::new(), parameters };
        for (new, old) in (0..).zip(&stretch.takes) {
            renamed.numbers[*old as usize] = Some(new);
        }
        let mut own = stretch.gives.clone();
        for op in &flow.ops[stretch.from..stretch.to] {
            if let Operator::LocalGet { local_index }
            | Operator::LocalSet { local_index }
            | Operator::LocalTee { local_index } = op.operator
            {
                own.push(local_index);
            }
        }
        own.sort_by_key(|local| rank(flow.locals[*local as usize]));
        for old in own {
            if renamed.numbers[old as usize].is_none() {
                let new = renamed.fresh(flow.locals[old as usize]);
                renamed.numbers[old as usize] = Some(new);
            }
        }
        Ok(renamed)
    }

    fn fresh(&mut self, ty: ValType) -> u32 {
        self.types.push(ty);
        self.parameters + u32::try_from(self.types.len() - 1).unwrap_or(u32::MAX)
    }

    fn of(&self, old: u32) -> Result<u32, String> {
        self.numbers[old as usize].ok_or_else(|| format!("local {old} is not in the stretch"))
    }
}

/// The order of types: alike first, so that few types serve many stretches.
fn rank(ty: ValType) -> u8 {
    match ty {
        ValType::I32 => 0,
        ValType::I64 => 1,
        ValType::F32 => 2,
        ValType::F64 => 3,
        ValType::V128 => 4,
        ValType::Ref(_) => 5,
    }
}

/// Whether a local of a type can be left as it is.
fn zero(ty: ValType) -> Option<()> {
    (rank(ty) < 5).then_some(())
}
