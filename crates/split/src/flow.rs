//! The course of a function: which instruction belongs to which construct, where a stretch begins
//! that may run or not, and which locals are still read from there on.

use std::collections::BTreeMap;

use wasmparser::{
    BlockType, FuncValidator, FuncValidatorAllocations, FunctionBody, Operator, Parser, ValType,
    ValidPayload, Validator, ValidatorResources,
};

use crate::module::said;

/// A function, read.
#[derive(Debug)]
pub struct Flow<'a> {
    /// Its instructions in order; the last is the function's own end.
    pub ops: Vec<Op<'a>>,
    /// The types of its locals, parameters first.
    pub locals: Vec<ValType>,
    /// The instructions that may or may not be reached once the one before has run, in order. The
    /// first is the function's first.
    pub leaders: Vec<usize>,
    /// Whether it holds only what is understood here.
    pub plain: bool,
}

/// An instruction of a function.
#[derive(Debug)]
pub struct Op<'a> {
    /// What it does.
    pub operator: Operator<'a>,
    /// Where it begins in the body's bytes.
    pub at: usize,
    /// The construct whose sequence it stands in, or which it closes, by its first instruction;
    /// none for the function.
    pub inside: Option<usize>,
    /// For what opens a construct: where its `else` stands, if it has one, and its `end`.
    pub other: Option<usize>,
    /// See [`Op::other`].
    pub end: usize,
    /// Whether its sequence has nothing on the stack before it.
    pub clean: bool,
    /// Whether it can never be reached.
    pub dead: bool,
}

/// Reads every function of a module.
///
/// # Errors
/// Where the module is not valid, or `take` has an error.
pub fn each<'a>(
    bytes: &'a [u8],
    mut take: impl FnMut(usize, Flow<'a>) -> Result<(), String>,
) -> Result<(), String> {
    let mut validator = Validator::new();
    let mut allocations = FuncValidatorAllocations::default();
    let mut place = 0;
    for payload in Parser::new(0).parse_all(bytes) {
        let payload = payload.map_err(said)?;
        if let ValidPayload::Func(function, body) = validator.payload(&payload).map_err(said)? {
            let mut checker = function.into_validator(allocations);
            take(place, Flow::read(&body, &mut checker)?)?;
            allocations = checker.into_allocations();
            place += 1;
        }
    }
    Ok(())
}

impl<'a> Flow<'a> {
    fn read(
        body: &FunctionBody<'a>,
        checker: &mut FuncValidator<ValidatorResources>,
    ) -> Result<Self, String> {
        let mut flow = Self { ops: Vec::new(), locals: Vec::new(), leaders: vec![0], plain: true };
        checker.read_locals(&mut body.get_binary_reader()).map_err(said)?;
        flow.locals = (0..checker.len_locals()).filter_map(|n| checker.get_local_type(n)).collect();
        let mut open: Vec<usize> = Vec::new();
        let operators = body.get_operators_reader().map_err(said)?;
        for next in operators.into_iter_with_offsets() {
            let (operator, offset) = next.map_err(said)?;
            let frame = checker.get_control_frame(0).ok_or("code after the end of a function")?;
            let clean = checker.operand_stack_height() as usize == frame.height;
            let dead = frame.unreachable;
            checker.op(offset, &operator).map_err(said)?;
            let number = flow.ops.len();
            let inside = open.last().copied();
            match operator {
                Operator::Block { .. } | Operator::Loop { .. } => open.push(number),
                Operator::If { .. } => {
                    open.push(number);
                    flow.leaders.push(number + 1);
                }
                Operator::Else => {
                    flow.ops[inside.ok_or("an else without an if")?].other = Some(number);
                    flow.leaders.push(number + 1);
                }
                Operator::End => {
                    if let Some(opener) = open.pop() {
                        flow.ops[opener].end = number;
                        flow.leaders.push(number + 1);
                    }
                }
                Operator::BrIf { .. } => flow.leaders.push(number + 1),
                _ => flow.plain &= is_plain(&operator),
            }
            let at = usize::try_from(offset - body.range().start).map_err(said)?;
            flow.ops.push(Op { operator, at, inside, other: None, end: 0, clean, dead });
        }
        Ok(flow)
    }

    /// Where the sequence ends in which an instruction stands: at an `else` or an `end`.
    #[must_use]
    pub fn sequence_end(&self, op: usize) -> usize {
        let Some(opener) = self.ops[op].inside else { return self.ops.len() - 1 };
        match self.ops[opener].other {
            Some(other) if op <= other => other,
            _ => self.ops[opener].end,
        }
    }

    /// The constructs around an instruction, innermost first.
    #[must_use]
    pub fn around(&self, op: usize) -> Vec<usize> {
        std::iter::successors(self.ops[op].inside, |opener| self.ops[*opener].inside).collect()
    }

    /// A number for the sequence of instructions, whatever they name: it stays when functions and
    /// data are numbered anew.
    #[must_use]
    pub fn shape(&self, body: &[u8]) -> u32 {
        self.ops.iter().fold(0x811c_9dc5, |hash: u32, op| {
            (hash ^ u32::from(body[op.at])).wrapping_mul(0x0100_0193)
        })
    }

    /// What is live where each of these instructions begins.
    #[must_use]
    pub fn live(&self, wanted: impl IntoIterator<Item = usize>) -> BTreeMap<usize, Live> {
        let wanted = wanted.into_iter().map(|op| (op, Live::default())).collect();
        let mut walk = Walk { flow: self, labels: Vec::new(), wanted };
        walk.sequence(0, self.ops.len() - 1, &Locals::none(self.locals.len()));
        walk.wanted
    }
}

/// Jumps that are not followed here, because the compiler does not write them.
fn is_plain(operator: &Operator<'_>) -> bool {
    !matches!(
        operator,
        Operator::BrOnNull { .. }
            | Operator::BrOnNonNull { .. }
            | Operator::BrOnCast { .. }
            | Operator::BrOnCastFail { .. }
            | Operator::TryTable { .. }
            | Operator::Throw { .. }
            | Operator::ThrowRef
            | Operator::ReturnCall { .. }
            | Operator::ReturnCallIndirect { .. }
            | Operator::ReturnCallRef { .. }
    )
}

/// The type of what a construct leaves, or of what a loop takes.
#[must_use]
pub fn block_type(operator: &Operator<'_>) -> Option<BlockType> {
    match operator {
        Operator::Block { blockty } | Operator::Loop { blockty } | Operator::If { blockty } => {
            Some(*blockty)
        }
        _ => None,
    }
}

/// What is live where an instruction begins.
#[derive(Clone, Debug, Default)]
pub struct Live {
    /// The locals that are read before they are set.
    pub here: Locals,
    /// The same where the sequence of the instruction ends.
    pub out: Locals,
    /// The same where a jump to each construct around it goes, outermost first.
    pub labels: Vec<Locals>,
}

/// A set of locals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Locals(Vec<u64>);

impl Locals {
    /// No local of so many.
    #[must_use]
    pub fn none(of: usize) -> Self {
        Self(vec![0; of.div_ceil(64)])
    }

    /// Whether a local is in the set.
    #[must_use]
    pub fn has(&self, local: u32) -> bool {
        self.0.get(local as usize / 64).is_some_and(|word| word >> (local % 64) & 1 == 1)
    }

    /// Adds a local.
    pub fn add(&mut self, local: u32) {
        self.0[local as usize / 64] |= 1 << (local % 64);
    }

    fn take(&mut self, local: u32) {
        self.0[local as usize / 64] &= !(1 << (local % 64));
    }

    /// Adds what another set holds.
    pub fn join(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, more)| *mine |= more);
    }

    fn clear(&mut self) {
        self.0.fill(0);
    }
}

/// Goes through a function from its end to its beginning.
struct Walk<'f, 'a> {
    flow: &'f Flow<'a>,
    /// Where a jump to each open construct goes, outermost first.
    labels: Vec<Locals>,
    wanted: BTreeMap<usize, Live>,
}

impl Walk<'_, '_> {
    fn sequence(&mut self, from: usize, to: usize, out: &Locals) -> Locals {
        let flow = self.flow;
        let mut live = out.clone();
        let mut next = to;
        while next > from {
            next -= 1;
            match &flow.ops[next].operator {
                Operator::End => {
                    // Only constructs end within a sequence.
                    if let Some(opener) = flow.ops[next].inside {
                        live = self.construct(opener, next, &live);
                        next = opener;
                    }
                }
                Operator::LocalGet { local_index } => live.add(*local_index),
                Operator::LocalSet { local_index } | Operator::LocalTee { local_index } => {
                    live.take(*local_index);
                }
                Operator::Br { relative_depth } => {
                    live.clear();
                    self.jump(*relative_depth, &mut live);
                }
                Operator::BrIf { relative_depth } => self.jump(*relative_depth, &mut live),
                Operator::BrTable { targets } => {
                    live.clear();
                    for depth in targets.targets().flatten().chain([targets.default()]) {
                        self.jump(depth, &mut live);
                    }
                }
                Operator::Return | Operator::Unreachable => live.clear(),
                _ => {}
            }
            if let Some(noted) = self.wanted.get_mut(&next) {
                let labels = self.labels.clone();
                *noted = Live { here: live.clone(), out: out.clone(), labels };
            }
        }
        live
    }

    fn construct(&mut self, opener: usize, end: usize, out: &Locals) -> Locals {
        let flow = self.flow;
        if matches!(flow.ops[opener].operator, Operator::Loop { .. }) {
            // What is read before it is set in one round is all that a further round can read.
            self.labels.push(Locals::none(flow.locals.len()));
            let round = self.sequence(opener + 1, end, out);
            let label = self.labels.len() - 1;
            self.labels[label] = round;
            let live = self.sequence(opener + 1, end, out);
            self.labels.pop();
            return live;
        }
        self.labels.push(out.clone());
        let other = flow.ops[opener].other;
        let mut live = self.sequence(opener + 1, other.unwrap_or(end), out);
        if matches!(flow.ops[opener].operator, Operator::If { .. }) {
            let skipped = other.map(|other| self.sequence(other + 1, end, out));
            live.join(skipped.as_ref().unwrap_or(out));
        }
        self.labels.pop();
        live
    }

    fn jump(&self, depth: u32, live: &mut Locals) {
        // A jump out of the function reads no local.
        let label = self.labels.len().checked_sub(1 + depth as usize);
        if let Some(label) = label {
            live.join(&self.labels[label]);
        }
    }
}
