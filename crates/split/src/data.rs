//! Which data moves with the functions: what nobody who stays can know the address of.

use std::collections::BTreeSet;
use std::ops::Range;

use wasmparser::Operator;

use crate::linked::Linked;
use crate::module::Module;
use crate::names::{hash, plain};

/// The segment of what is never written. The rest may be put in place twice, and what is written
/// must not be set back.
const CONSTANT: &str = ".rodata";

/// Finds the data that stays.
pub struct Kept<'a> {
    module: &'a Module<'a>,
    linked: &'a Linked<'a>,
    pieces: BTreeSet<usize>,
}

impl<'a> Kept<'a> {
    /// Nothing stays yet; or nothing is known of this module's data.
    pub fn new(module: &'a Module<'a>, linked: &'a Linked<'a>) -> Result<Self, String> {
        let alike =
            linked.segments.len() == module.segments.len()
                && linked.segments.iter().zip(&module.segments).all(
                    |((_, address, content), (own, bytes))| address == own && content == bytes,
                );
        if !alike {
            return Err("the module's data is not what the linker wrote".to_owned());
        }
        Ok(Self { module, linked, pieces: linked.loose.clone() })
    }

    /// Keeps what a function knows, by the constants of its code: all of them, and those of the code
    /// that stays.
    pub fn keep(&mut self, function: u32, all: &BTreeSet<u32>, staying: &BTreeSet<u32>) {
        let name = hash(&plain(self.module.names[function as usize]));
        let pieces = &self.linked.pieces;
        let Some(named) = self.linked.named.get(&name) else {
            // Made after linking, or without addresses: a number that looks like one is taken for it.
            let looks =
                |range: &Range<u32>| staying.range(range.start..=range.end).next().is_some();
            self.pieces.extend((0..pieces.len()).filter(|piece| looks(&pieces[*piece])));
            return;
        };
        for &(address, piece) in named {
            let Range { start, end } = pieces[piece];
            // The end of a piece may be the beginning of the next, and is named as itself.
            let known = |constants: &BTreeSet<u32>| {
                constants.contains(&address) || constants.range(start..end).next().is_some()
            };
            // An address that the optimizer has made something else of may be anywhere in the code.
            if !(start..=end).contains(&address) || known(staying) || !known(all) {
                self.pieces.insert(piece);
            }
        }
    }

    /// The addresses of what moves. Places of panics do, whoever knows them: a panic of the first part
    /// has no words to go with them.
    pub fn moved(mut self) -> Vec<Range<u32>> {
        self.pieces.retain(|piece| !self.linked.is_place(*piece));
        let mut next: Vec<usize> = self.pieces.iter().copied().collect();
        while let Some(piece) = next.pop() {
            for held in self.linked.held.get(&piece).into_iter().flatten() {
                if !self.linked.is_place(*held) && self.pieces.insert(*held) {
                    next.push(*held);
                }
            }
        }
        let mut moved = Vec::new();
        for (name, address, content) in &self.linked.segments {
            if *name == CONSTANT {
                self.in_segment(*address, content.len(), &mut moved);
            }
        }
        moved
    }

    fn in_segment(&self, start: u32, length: usize, moved: &mut Vec<Range<u32>>) {
        let mut stays = vec![true; length];
        for which in [false, true] {
            for (number, piece) in self.linked.pieces.iter().enumerate() {
                if self.pieces.contains(&number) == which && piece.start >= start {
                    let from = (piece.start - start) as usize;
                    let to = (piece.end - start) as usize;
                    if to <= length {
                        stays[from..to].fill(which);
                    }
                }
            }
        }
        for (address, stays) in (start..).zip(stays) {
            match moved.last_mut() {
                _ if stays => {}
                Some(last) if last.end == address => last.end = address + 1,
                _ => moved.push(address..address + 1),
            }
        }
    }
}

/// Ranges that are near each other as one: what stays between them is cheaper to repeat than a
/// further segment.
pub fn joined(ranges: &[Range<u32>]) -> Vec<Range<u32>> {
    let mut joined: Vec<Range<u32>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if last.end + APART >= range.start => last.end = range.end,
            _ => joined.push(range.clone()),
        }
    }
    joined
}

/// How near that is.
const APART: u32 = 8;

/// A number in code that may be an address.
pub fn constant(operator: &Operator<'_>) -> Option<u32> {
    match operator {
        Operator::I32Const { value } => Some(value.cast_unsigned()),
        Operator::I32Load { memarg }
        | Operator::I64Load { memarg }
        | Operator::F32Load { memarg }
        | Operator::F64Load { memarg }
        | Operator::I32Load8S { memarg }
        | Operator::I32Load8U { memarg }
        | Operator::I32Load16S { memarg }
        | Operator::I32Load16U { memarg }
        | Operator::I64Load8S { memarg }
        | Operator::I64Load8U { memarg }
        | Operator::I64Load16S { memarg }
        | Operator::I64Load16U { memarg }
        | Operator::I64Load32S { memarg }
        | Operator::I64Load32U { memarg }
        | Operator::I32Store { memarg }
        | Operator::I64Store { memarg }
        | Operator::F32Store { memarg }
        | Operator::F64Store { memarg }
        | Operator::I32Store8 { memarg }
        | Operator::I32Store16 { memarg }
        | Operator::I64Store8 { memarg }
        | Operator::I64Store16 { memarg }
        | Operator::I64Store32 { memarg } => u32::try_from(memarg.offset).ok(),
        _ => None,
    }
}
