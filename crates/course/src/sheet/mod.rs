//! A worksheet: entries, what is worked out from them, charts, and a text to take along.
//!
//! ```text
//!  sheet.json ─► Sheet ─┬─ Input: a number or a choice, with its range
//!                       ├─ Value: a formula over inputs and what stands before it ─► Output
//!                       ├─ Graph: formulas over a range ─► Curve
//!                       └─ Template: sentences with values in them
//! ```
//!
//! - [`Sheet::read`] reads the format and reports everything that is wrong with it.
//! - [`formula`] is the language of formulas, and calls the engine's own.
//! - [`Sheet::work`] works everything out; [`Sheet::draw`] does so along a range.
//! - [`figure`] writes numbers, shares and times.
//! - [`lint_sheet`] holds a sheet to the facts that it names.
//!
//! # What this module does not do
//! It runs no engine: it calls the closed forms that engine and worksheet share. It draws nothing,
//! keeps nothing, and its texts are the author's.

mod curve;
mod fact;
pub mod figure;
pub mod formula;
mod lint;
mod read;
mod template;
mod work;

pub use curve::{Curve, Graph, Line, Over, round_up};
pub use fact::{Gives, SheetFact, Stands};
pub use figure::{Figure, FigureKind, Marks};
pub use formula::{Formula, Undefined};
pub use lint::lint_sheet;
pub use template::{Piece, Template};
pub use work::{Standing, Worked};

use scenario::wire::{Diagnostic, Diagnostics, Reader, Value as Document};

/// A worksheet.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// Its title.
    pub title: String,
    /// What a learner takes away, in a sentence.
    pub lesson: String,
    /// The module of the course that it belongs to: `m1` to `m8`.
    pub module: String,
    /// The entries of the inventory that it fulfils.
    pub inventory: Vec<String>,
    /// How to use it, in a sentence or two.
    pub summary: String,
    /// What may be entered.
    pub inputs: Vec<Input>,
    /// What is worked out, each from what stands before it.
    pub values: Vec<Value>,
    /// The charts, in order.
    pub graphs: Vec<Graph>,
    /// What it comes to, as sentences to take along.
    pub card: Vec<Template>,
    /// What the formulas leave out, a sentence or two each.
    pub model: Vec<String>,
    /// What tests must find.
    pub facts: Vec<SheetFact>,
}

/// Something that may be entered.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Its name in formulas.
    pub id: String,
    /// What it is called.
    pub label: String,
    /// A sentence about it; empty if there is none.
    pub note: String,
    /// What may be entered.
    pub entry: Entry,
}

/// What may be entered.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// A number.
    Number {
        /// What it is at first.
        is: f64,
        /// The least and the most.
        range: (f64, f64),
        /// Which numbers.
        of: Numbers,
        /// What it counts; empty if nothing.
        unit: String,
    },
    /// One of several.
    Choice {
        /// Which is chosen at first, by its position.
        is: usize,
        /// What each is called, and its number in formulas.
        choices: Vec<(String, f64)>,
    },
}

/// Which numbers may be entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Any.
    Any,
    /// Whole ones.
    Whole,
}

impl Input {
    /// Its number in formulas, before anything is entered.
    #[must_use]
    pub fn first(&self) -> f64 {
        match &self.entry {
            Entry::Number { is, .. } => *is,
            Entry::Choice { is, choices } => choices.get(*is).map_or(0.0, |(_, value)| *value),
        }
    }

    /// Whether it may be this number.
    #[must_use]
    pub fn takes(&self, number: f64) -> bool {
        match &self.entry {
            Entry::Number { range: (least, most), of, .. } => {
                let whole = *of == Numbers::Any || number.fract() == 0.0;
                whole && (*least..=*most).contains(&number)
            }
            Entry::Choice { choices, .. } => choices.iter().any(|(_, value)| *value == number),
        }
    }
}

/// Something that is worked out.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// Its name in formulas and texts.
    pub id: String,
    /// How.
    pub formula: Formula,
    /// What must be so for it to have a number, and what is said if it is not.
    pub needs: Option<(Formula, Template)>,
    /// How it is shown; `None` for what other formulas alone use.
    pub output: Option<Output>,
}

/// How a value is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// What it is called.
    pub label: String,
    /// How its number is written.
    pub figure: Figure,
    /// The formula in words.
    pub says: String,
    /// What it must keep to.
    pub check: Option<Check>,
}

/// What a value must keep to.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// On which side of the bound it must be.
    pub side: Side,
    /// The bound.
    pub bound: Formula,
    /// What is said when it is kept.
    pub holds: Template,
    /// What is said when it is not.
    pub fails: Template,
}

/// On which side of a bound a value must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Not above it.
    AtMost,
    /// Not below it.
    AtLeast,
    /// On it.
    Equal,
}

impl Sheet {
    /// Reads a worksheet.
    ///
    /// # Errors
    /// Everything that is wrong with the document, each with its JSON pointer and repair.
    pub fn read(document: &Document) -> Result<Self, Vec<Diagnostic>> {
        let sink = Diagnostics::new();
        let sheet = read::sheet(&Reader::new(document, &sink));
        match sheet {
            Some(sheet) if sink.is_empty() => Ok(sheet),
            _ => Err(crate::exhibit::complaints(sink)),
        }
    }

    /// What stands in the entries at first.
    #[must_use]
    pub fn first(&self) -> Vec<f64> {
        self.inputs.iter().map(Input::first).collect()
    }

    /// The position of the value of this name.
    #[must_use]
    pub fn value(&self, id: &str) -> Option<usize> {
        self.values.iter().position(|value| value.id == id)
    }
}
