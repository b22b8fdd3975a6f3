//! Everything of a sheet worked out for one set of entries.

use super::formula::Ledger;
use super::{Check, Entry, Figure, FigureKind, Formula, Marks, Sheet, Side, Undefined};

/// A sheet worked out: a number, or why there is none, for each input and then each value.
#[derive(Clone, Debug, PartialEq)]
pub struct Worked {
    /// Inputs first.
    pub all: Vec<Result<f64, Undefined>>,
}

/// Whether a bound is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is.
    Holds,
    /// It is not.
    Fails,
    /// There is nothing to compare.
    Open,
}

/// Numbers that differ by less than rounding does are equal.
const SAME: f64 = 1e-9;

impl Sheet {
    /// Works everything out for these numbers in its entries.
    #[must_use]
    pub fn work(&self, inputs: &[f64], marks: &Marks) -> Worked {
        self.work_within(inputs, marks, &mut Ledger::default())
    }

    pub(super) fn work_within(&self, inputs: &[f64], marks: &Marks, ledger: &mut Ledger) -> Worked {
        let numbers = self.inputs.iter().zip(inputs);
        let mut worked = Worked { all: numbers.map(|(_, number)| Ok(*number)).collect() };
        for value in &self.values {
            let needs = value.needs.as_ref().map(|(needed, otherwise)| {
                let kept = needed.work(&worked.all, ledger)?;
                if kept == 0.0 {
                    let said = otherwise.fill(|place| self.shown(place, &worked, marks));
                    return Err(Undefined::Said(said));
                }
                Ok(())
            });
            let number = match needs {
                Some(Err(why)) => Err(why),
                Some(Ok(())) | None => value.formula.work(&worked.all, ledger),
            };
            worked.all.push(number);
        }
        worked
    }

    /// The input or value at a place, as a sentence has it. What has no number is a dash there.
    #[must_use]
    pub fn shown(&self, place: usize, worked: &Worked, marks: &Marks) -> String {
        let number = worked.all.get(place).cloned().unwrap_or(Err(Undefined::TooMuch));
        let Ok(number) = number else { return "–".to_owned() };
        match self.inputs.get(place).map(|input| &input.entry) {
            Some(Entry::Choice { choices, .. }) => {
                let chosen = choices.iter().find(|(_, value)| *value == number);
                chosen.map_or_else(String::new, |(label, _)| label.clone())
            }
            Some(Entry::Number { unit, .. }) => plain(unit).text(number, marks),
            None => {
                let value = self.values.get(place.saturating_sub(self.inputs.len()));
                let output = value.and_then(|value| value.output.as_ref());
                output.map_or_else(
                    || plain("").text(number, marks),
                    |output| output.figure.text(number, marks),
                )
            }
        }
    }

    /// The place of a value among inputs and values.
    #[must_use]
    pub fn place_of(&self, value: usize) -> usize {
        self.inputs.len() + value
    }

    /// Whether a value keeps to its bound, and what is said about it. `None` if it has no bound.
    #[must_use]
    pub fn stands(
        &self,
        value: usize,
        worked: &Worked,
        marks: &Marks,
    ) -> Option<(Standing, String)> {
        let check = self.values.get(value)?.output.as_ref()?.check.as_ref()?;
        let standing = self.standing(check, value, worked);
        let said = match standing {
            Standing::Holds => &check.holds,
            Standing::Fails => &check.fails,
            Standing::Open => return Some((standing, String::new())),
        };
        Some((standing, said.fill(|place| self.shown(place, worked, marks))))
    }

    fn standing(&self, check: &Check, value: usize, worked: &Worked) -> Standing {
        let number = worked.all.get(self.place_of(value));
        let bound = check.bound.work(&worked.all, &mut Ledger::default());
        let (Some(Ok(number)), Ok(bound)) = (number, bound) else { return Standing::Open };
        let slack = SAME * bound.abs().max(1.0);
        let kept = match check.side {
            Side::AtMost => *number <= bound + slack,
            Side::AtLeast => *number >= bound - slack,
            Side::Equal => (number - bound).abs() <= slack,
        };
        if kept { Standing::Holds } else { Standing::Fails }
    }

    /// Whether any formula or sentence uses the input or value at a place.
    pub(super) fn uses(&self, place: usize) -> bool {
        let formula = |formula: &Formula| formula.uses(place);
        let sentence =
            |template: &super::Template| template.pieces.contains(&super::Piece::Shown(place));
        self.card.iter().any(sentence)
            || self.graphs.iter().any(|graph| graph.formulas().any(formula))
            || self.values.iter().any(|value| {
                let check = value.output.as_ref().and_then(|output| output.check.as_ref());
                formula(&value.formula)
                    || value.needs.as_ref().is_some_and(|(needed, _)| formula(needed))
                    || check.is_some_and(|check| {
                        formula(&check.bound) || sentence(&check.holds) || sentence(&check.fails)
                    })
            })
    }
}

fn plain(unit: &str) -> Figure {
    Figure { kind: FigureKind::Number, digits: 4, unit: unit.to_owned() }
}
