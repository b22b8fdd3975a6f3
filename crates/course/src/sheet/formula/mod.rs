//! Formulas: what a worksheet computes, written as people write it.
//!
//! ```text
//! formula  = sum [ ("<" | "<=" | ">" | ">=" | "=" | "!=") sum ]
//! sum      = product { ("+" | "-") product }
//! product  = sign { ("*" | "/") sign }
//! sign     = [ "-" ] power
//! power    = atom [ "^" sign ]
//! atom     = number | name | call | "(" formula ")"
//! call     = name "(" formula { "," formula } ")"
//! ```
//!
//! A comparison is 1 or 0. `if(condition, then, else)` works out one of the two only, and
//! `sum(n, from, to, term)` adds up a term for whole numbers. The other calls are in
//! [`functions`]: the usual ones, and the engine's own formulas by name, so that a worksheet and a
//! run cannot disagree.
//!
//! Names are looked up when a formula is read, and only what stands before it has a name; so there
//! are no circles. Whatever is wrong is said with its column and a repair. Working out a formula
//! gives a finite number or the reason why there is none; it does not panic.

mod functions;
mod lex;
mod parse;
mod work;

use scenario::limits;
use scenario::wire::Reader;

pub use work::{Ledger, Undefined};

use functions::Function;

/// A formula, read.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    node: Node,
}

/// A part of a formula.
#[derive(Clone, Debug, PartialEq)]
enum Node {
    Number(f64),
    /// The value of the sheet at this place.
    Value(usize),
    /// The running number of a sum, the outermost first.
    Running(usize),
    Minus(Box<Node>),
    Two(Operator, Box<[Node; 2]>),
    Call(Function, Vec<Node>),
    If(Box<[Node; 3]>),
    Sum(Box<[Node; 3]>),
}

/// What stands between two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Plus,
    Minus,
    Times,
    Over,
    Power,
    Less,
    AtMost,
    More,
    AtLeast,
    Equal,
    NotEqual,
}

/// What is wrong with a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The column of the first character of it, from 1.
    pub column: usize,
    /// What is wrong.
    pub problem: String,
    /// What to do about it.
    pub repair: String,
}

impl Formula {
    /// Reads a formula whose names are these.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn parse(text: &str, names: &[&str]) -> Result<Formula, Fault> {
        parse::formula(text, names).map(|node| Formula { node })
    }

    /// Reads a formula out of a document, and reports what is wrong with it there.
    pub(super) fn read(reader: &Reader<'_>, names: &[&str]) -> Option<Formula> {
        let text = reader.text(limits::FORMULA)?;
        match Formula::parse(text, names) {
            Ok(formula) => Some(formula),
            Err(Fault { column, problem, repair }) => {
                reader.error(format!("column {column}: {problem}"), repair);
                None
            }
        }
    }

    /// Works it out with these values; `ledger` counts what it costs.
    ///
    /// # Errors
    /// Why there is no number.
    pub fn work(
        &self,
        values: &[Result<f64, Undefined>],
        ledger: &mut Ledger,
    ) -> Result<f64, Undefined> {
        ledger.work(&self.node, values)
    }
}

impl Formula {
    /// Whether it names the input or value at this place.
    #[must_use]
    pub fn uses(&self, place: usize) -> bool {
        self.node.uses(place)
    }
}

impl Node {
    fn uses(&self, place: usize) -> bool {
        let any = |nodes: &[Node]| nodes.iter().any(|node| node.uses(place));
        match self {
            Node::Number(_) | Node::Running(_) => false,
            Node::Value(at) => *at == place,
            Node::Minus(of) => of.uses(place),
            Node::Two(_, both) => any(&both[..]),
            Node::Call(_, given) => any(given),
            Node::If(parts) | Node::Sum(parts) => any(&parts[..]),
        }
    }
}

#[cfg(test)]
mod tests;
