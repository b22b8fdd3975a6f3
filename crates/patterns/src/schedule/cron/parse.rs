//! Reading cron expressions.

use std::fmt;

use super::{Cron, Dialect, Field};

/// What is wrong with an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CronError {
    /// So many fields; there must be 5, or 6 with seconds first where the dialect has them.
    Fields {
        /// How many there are.
        given: usize,
    },
    /// A part of a field that is neither a number nor a name, a star, a range or a step.
    Unreadable {
        /// Which field.
        field: &'static str,
        /// The part.
        part: String,
    },
    /// A number outside of the range of its field.
    OutOfRange {
        /// Which field.
        field: &'static str,
        /// The number.
        given: u32,
        /// The least.
        min: u8,
        /// The most.
        max: u8,
    },
    /// A range that begins after its end, or a step of 0.
    Empty {
        /// Which field.
        field: &'static str,
        /// The part.
        part: String,
    },
}

struct Bounds {
    field: &'static str,
    min: u8,
    max: u8,
    names: &'static [&'static str],
}

const SECONDS: Bounds = Bounds { field: "second", min: 0, max: 59, names: &[] };
const MINUTES: Bounds = Bounds { field: "minute", min: 0, max: 59, names: &[] };
const HOURS: Bounds = Bounds { field: "hour", min: 0, max: 23, names: &[] };
const DAYS: Bounds = Bounds { field: "day of month", min: 1, max: 31, names: &[] };
const MONTHS: Bounds = Bounds {
    field: "month",
    min: 1,
    max: 12,
    names: &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
};
const WEEKDAYS: Bounds = Bounds {
    field: "day of week",
    min: 0,
    max: 6,
    names: &["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
};

pub(super) fn parse(text: &str, dialect: Dialect) -> Result<Cron, CronError> {
    if let Some(shorthand) = expand(text.trim()) {
        return parse(shorthand, dialect);
    }
    let fields: Vec<_> = text.split_whitespace().collect();
    let (second, rest) = match (&fields[..], dialect) {
        ([second, rest @ ..], Dialect::Robfig) if rest.len() == 5 => (*second, rest),
        (rest, _) if rest.len() == 5 => ("0", rest),
        _ => return Err(CronError::Fields { given: fields.len() }),
    };
    let read = |text, bounds| field(text, bounds, dialect);
    Ok(Cron {
        dialect,
        seconds: read(second, &SECONDS)?,
        minutes: read(rest[0], &MINUTES)?,
        hours: read(rest[1], &HOURS)?,
        days: read(rest[2], &DAYS)?,
        months: read(rest[3], &MONTHS)?,
        weekdays: read(rest[4], &WEEKDAYS)?,
    })
}

/// The names that both dialects have for common schedules.
fn expand(text: &str) -> Option<&'static str> {
    Some(match text {
        "@yearly" | "@annually" => "0 0 1 1 *",
        "@monthly" => "0 0 1 * *",
        "@weekly" => "0 0 * * 0",
        "@daily" | "@midnight" => "0 0 * * *",
        "@hourly" => "0 * * * *",
        _ => return None,
    })
}

fn field(text: &str, bounds: &Bounds, dialect: Dialect) -> Result<Field, CronError> {
    let mut field = Field { bits: 0, star: false };
    for part in text.split(',') {
        let (bits, star) = range(part, bounds, dialect)?;
        field.bits |= bits;
        field.star |= star;
    }
    Ok(field)
}

/// One part of a field: a value, a star or a range, with or without a step.
fn range(part: &str, bounds: &Bounds, dialect: Dialect) -> Result<(u64, bool), CronError> {
    let (values, step) = match part.split_once('/') {
        Some((values, step)) => {
            let step: u32 = step.parse().map_err(|_| unreadable(part, bounds))?;
            (values, Some(step))
        }
        None => (part, None),
    };
    let any = values == "*" || (values == "?" && dialect == Dialect::Robfig);
    let (low, high) = if any {
        (bounds.min, bounds.max)
    } else if let Some((low, high)) = values.split_once('-') {
        (value(low, bounds, dialect)?, value(high, bounds, dialect)?)
    } else {
        let low = value(values, bounds, dialect)?;
        // "5/15" begins at 5 and goes on to the end of the field.
        (low, if step.is_some() { bounds.max } else { low })
    };
    let step = step.unwrap_or(1);
    if low > high || step == 0 {
        return Err(CronError::Empty { field: bounds.field, part: part.to_owned() });
    }
    let mut bits = 0;
    for number in (low..=high).step_by(step as usize) {
        // Sunday is 0, and 7 to Vixie.
        bits |= 1 << if bounds.field == WEEKDAYS.field { number % 7 } else { number };
    }
    let star = any && (step == 1 || dialect == Dialect::Vixie);
    Ok((bits, star))
}

fn value(text: &str, bounds: &Bounds, dialect: Dialect) -> Result<u8, CronError> {
    let lower = text.to_ascii_lowercase();
    if let Some(place) = bounds.names.iter().position(|name| *name == lower) {
        return Ok(bounds.min + place as u8);
    }
    let given: u32 = text.parse().map_err(|_| unreadable(text, bounds))?;
    let seven = dialect == Dialect::Vixie && bounds.field == WEEKDAYS.field;
    let max = if seven { 7 } else { bounds.max };
    if !(u32::from(bounds.min)..=u32::from(max)).contains(&given) {
        let (field, min) = (bounds.field, bounds.min);
        return Err(CronError::OutOfRange { field, given, min, max });
    }
    Ok(given as u8)
}

fn unreadable(part: &str, bounds: &Bounds) -> CronError {
    CronError::Unreadable { field: bounds.field, part: part.to_owned() }
}

impl fmt::Display for CronError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fields { given } => {
                write!(f, "{given} fields: write minute, hour, day of month, month and day of week")
            }
            Self::Unreadable { field, part } => write!(
                f,
                "\"{part}\" is no {field}: write a number, a name, a range as in 1-5 or a star"
            ),
            Self::OutOfRange { field, given, min, max } => {
                write!(f, "{field} {given}: it must be from {min} to {max}")
            }
            Self::Empty { field, part } => {
                write!(f, "\"{part}\" names no {field}: begin below the end, and step by 1 or more")
            }
        }
    }
}

impl std::error::Error for CronError {}
