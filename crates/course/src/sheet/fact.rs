//! Facts: what a sheet must give for certain entries, so that no figure of the course and no formula
//! drift apart.

use scenario::limits;
use scenario::wire::{Reader, Value as Document};

use super::{Sheet, Standing};

/// Entries, and what must come of them.
#[derive(Clone, Debug, PartialEq)]
pub struct SheetFact {
    /// Its name in the ledger of facts.
    pub id: String,
    /// Numbers entered, by the position of the input; the others are as at first.
    pub with: Vec<(usize, f64)>,
    /// What the values must be, by their positions.
    pub gives: Vec<(usize, Gives)>,
    /// Which checks must hold or fail, by the position of the value.
    pub stands: Vec<(usize, Stands)>,
}

/// What a value must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gives {
    /// This number, give or take.
    Number(f64, f64),
    /// No number.
    Nothing,
}

/// What must come of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stands {
    /// It holds.
    Holds,
    /// It fails.
    Fails,
}

impl Stands {
    /// As a check comes out.
    #[must_use]
    pub fn standing(self) -> Standing {
        match self {
            Stands::Holds => Standing::Holds,
            Stands::Fails => Standing::Fails,
        }
    }
}

/// Figures are given to about so many parts.
const PART: f64 = 1e-4;

impl SheetFact {
    pub(super) fn read(reader: &Reader<'_>, sheet: &Sheet) -> Option<SheetFact> {
        let mut record = reader.record()?;
        let id = record.required("id").and_then(|r| r.name().map(str::to_owned));
        let inputs: Vec<&str> = sheet.inputs.iter().map(|input| input.id.as_str()).collect();
        let values: Vec<&str> = sheet.values.iter().map(|value| value.id.as_str()).collect();
        let with = entries(record.optional("with"), &inputs, "an input", |r, at| {
            let number = r.number(-1e15..=1e15)?;
            if sheet.inputs[at].takes(number) {
                return Some(number);
            }
            r.error("this cannot be entered there", "stay within the range of the input");
            None
        });
        let gives = entries(record.optional("gives"), &values, "a value", |r, _| match r.value() {
            Document::Null => Some(Gives::Nothing),
            Document::List(_) => match r.each(limits::PIECES, |r| r.number(-1e15..=1e15))?[..] {
                [number, within] => Some(Gives::Number(number, within)),
                _ => {
                    r.error(
                        "this is not a number and how far off it may be",
                        "write [250.4, 0.05]",
                    );
                    None
                }
            },
            _ => r.number(-1e15..=1e15).map(|is| Gives::Number(is, is.abs() * PART)),
        });
        let stands = entries(record.optional("checks"), &values, "a value", |r, at| {
            let check = sheet.values[at].output.as_ref().and_then(|output| output.check.as_ref());
            if check.is_none() {
                r.error("this value has no check", "give its output one, or take this out");
            }
            r.choice(&[("holds", Stands::Holds), ("fails", Stands::Fails)])
        });
        record.finish();
        Some(SheetFact { id: id?, with: with?, gives: gives?, stands: stands? })
    }
}

/// The fields of a record whose keys are these names.
fn entries<T>(
    field: Option<Reader<'_>>,
    names: &[&str],
    what: &str,
    mut read: impl FnMut(&Reader<'_>, usize) -> Option<T>,
) -> Option<Vec<(usize, T)>> {
    let Some(field) = field else { return Some(Vec::new()) };
    let mut record = field.record()?;
    let all = record.entries(limits::PIECES);
    let read = all.iter().map(|(name, reader)| {
        let Some(at) = names.iter().position(|other| other == name) else {
            reader.unknown(&["the name of ", what].concat(), name, names);
            return None;
        };
        Some((at, read(reader, at)?))
    });
    let read: Vec<Option<(usize, T)>> = read.collect();
    read.into_iter().collect()
}
