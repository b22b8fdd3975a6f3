//! A worksheet in somebody's hands.

use std::rc::Rc;

use course::sheet::{Curve, Entry, Input, Marks, Numbers, Sheet, Undefined, Worked};
use scenario::wire::{Value, number_text};

use crate::words::typed_number;

/// Everything that may be done to a worksheet.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Write into an entry, by its position.
    Type(usize, String),
    /// Choose an option of an entry, both by their positions.
    Choose(usize, usize),
    /// An entry is left: say what came of it.
    Settle,
    /// Begin anew.
    Reset,
    /// Copy the document.
    Copy,
    /// Save the document.
    Save,
}

/// What stands in an entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Entered {
    /// As it was typed.
    pub text: String,
    /// The number that counts: the last one that could be used.
    pub number: f64,
    /// Why what is typed cannot be used.
    pub wrong: Option<Wrong>,
}

/// Why what is typed cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// It is not a number.
    NotANumber,
    /// It is not a whole number.
    NotWhole,
    /// It is too small or too large.
    OutOfRange,
}

/// What is kept of an entry is no longer than this.
const TYPED: usize = 40;

/// A worksheet in somebody's hands.
#[derive(Clone, Debug)]
pub struct Desk {
    sheet: Rc<Sheet>,
    marks: Marks,
    entries: Vec<Entered>,
    worked: Worked,
    curves: Vec<Result<Curve, Undefined>>,
}

impl Desk {
    /// A worksheet with what was kept of it, which may be anything.
    #[must_use]
    pub fn open(sheet: Rc<Sheet>, marks: Marks, kept: &Value) -> Desk {
        let entries: Vec<Entered> = sheet.inputs.iter().map(first).collect();
        let worked = Worked { all: Vec::new() };
        let mut desk = Desk { sheet, marks, entries, worked, curves: Vec::new() };
        for at in 0..desk.entries.len() {
            let text = kept.get(&desk.sheet.inputs[at].id).and_then(Value::as_text);
            if let Some(text) = text.filter(|text| text.chars().count() <= TYPED) {
                desk.enter(at, text.to_owned());
            }
        }
        desk.work();
        desk
    }

    /// Does something, as far as it concerns the desk itself.
    pub fn act(&mut self, act: &Act) {
        match act {
            Act::Type(at, text) => self.enter(*at, text.clone()),
            Act::Choose(at, option) => {
                let chosen = self.sheet.inputs.get(*at).and_then(|input| match &input.entry {
                    Entry::Choice { choices, .. } => choices.get(*option),
                    Entry::Number { .. } => None,
                });
                let chosen = chosen.map(|(_, value)| number_text(*value));
                if let Some(text) = chosen {
                    self.enter(*at, text);
                }
            }
            Act::Reset => self.entries = self.sheet.inputs.iter().map(first).collect(),
            Act::Settle | Act::Copy | Act::Save => return,
        }
        self.work();
    }

    fn enter(&mut self, at: usize, text: String) {
        let (Some(input), Some(entered)) = (self.sheet.inputs.get(at), self.entries.get_mut(at))
        else {
            return;
        };
        match usable(input, &text) {
            Ok(number) => *entered = Entered { text, number, wrong: None },
            Err(wrong) => {
                entered.text = text;
                entered.wrong = Some(wrong);
            }
        }
    }

    fn work(&mut self) {
        let inputs: Vec<f64> = self.entries.iter().map(|entered| entered.number).collect();
        self.worked = self.sheet.work(&inputs, &self.marks);
        let graphs = self.sheet.graphs.iter();
        self.curves = graphs.map(|graph| self.sheet.draw(graph, &inputs, &self.marks)).collect();
    }

    /// The worksheet.
    #[must_use]
    pub fn sheet(&self) -> &Sheet {
        &self.sheet
    }

    /// How digits are parted.
    #[must_use]
    pub fn marks(&self) -> &Marks {
        &self.marks
    }

    /// What stands in the entries, in order.
    #[must_use]
    pub fn entries(&self) -> &[Entered] {
        &self.entries
    }

    /// What came of it.
    #[must_use]
    pub fn worked(&self) -> &Worked {
        &self.worked
    }

    /// The charts, in order.
    pub fn curves(&self) -> &[Result<Curve, Undefined>] {
        &self.curves
    }

    /// What to keep: what is typed, by the names of the entries, where it is not as at first.
    #[must_use]
    pub fn kept(&self) -> Value {
        let entries = self.sheet.inputs.iter().zip(&self.entries);
        let changed = entries.filter(|(input, entered)| {
            first(input).text != entered.text && entered.text.chars().count() <= TYPED
        });
        Value::record(
            changed.map(|(input, entered)| (input.id.clone(), Value::text(entered.text.clone()))),
        )
    }

    /// The sentences to take along.
    #[must_use]
    pub fn card(&self) -> Vec<String> {
        let shown = |place| self.sheet.shown(place, &self.worked, &self.marks);
        self.sheet.card.iter().map(|line| line.fill(shown)).collect()
    }
}

/// What stands in an entry before anything is typed.
fn first(input: &Input) -> Entered {
    let number = input.first();
    Entered { text: number_text(number), number, wrong: None }
}

/// The number that was typed, if it can be used.
fn usable(input: &Input, text: &str) -> Result<f64, Wrong> {
    let number = typed_number(text).ok_or(Wrong::NotANumber)?;
    match &input.entry {
        _ if input.takes(number) => Ok(number),
        Entry::Number { of: Numbers::Whole, .. } if number.fract() != 0.0 => Err(Wrong::NotWhole),
        _ => Err(Wrong::OutOfRange),
    }
}
