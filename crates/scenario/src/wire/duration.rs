//! Durations as text: `250us`, `600ms`, `18.4s`, `1h30m`, `4d`.
//!
//! A duration is one or more parts, each a number and a unit, from the larger unit to the smaller;
//! only the last part may have a decimal point. A bare number is refused: it would leave the
//! reader to guess the unit.

use sim::{SimDuration, SimTime};

/// The units from the largest, with their microseconds.
const UNITS: [(&str, u64); 6] = [
    ("d", 86_400_000_000),
    ("h", 3_600_000_000),
    ("m", 60_000_000),
    ("s", 1_000_000),
    ("ms", 1_000),
    ("us", 1),
];

/// Reads a duration.
///
/// # Errors
/// The problem and its repair, each in a clause.
pub fn parse_duration(text: &str) -> Result<SimDuration, (String, String)> {
    let shown = super::excerpt(text);
    if text.is_empty() {
        return Err(("the duration is empty".into(), "write one like “30s”".into()));
    }
    if text.bytes().all(|b| b.is_ascii_digit() || b".-+eE".contains(&b)) {
        return Err((format!("“{shown}” has no unit"), format!("write “{shown}s” for seconds")));
    }
    let mut rest = text;
    let mut total: u64 = 0;
    let mut next_unit = 0;
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(|b| b.is_ascii_digit() || *b == b'.').count();
        let letters = rest[digits..].bytes().take_while(u8::is_ascii_alphabetic).count();
        let (number, unit) = (&rest[..digits], &rest[digits..digits + letters]);
        rest = &rest[digits + letters..];
        if number.is_empty() || unit.is_empty() {
            return Err((
                format!("“{shown}” is not a duration"),
                "write a number and a unit, like “30s”, “600ms” or “1h30m”".into(),
            ));
        }
        let Some(at) = UNITS.iter().position(|(name, _)| *name == unit) else {
            return Err((
                format!("“{}” is not a unit of time", super::excerpt(unit)),
                "use d, h, m, s, ms or us".into(),
            ));
        };
        if at < next_unit {
            return Err((
                format!("the units of “{shown}” are out of order"),
                "write them from the largest to the smallest, each once, like “1h30m”".into(),
            ));
        }
        next_unit = at + 1;
        if number.contains('.') && !rest.is_empty() {
            return Err((
                format!("“{shown}” has a decimal point before its last part"),
                "use a decimal point in the last part only, like “1m2.5s”".into(),
            ));
        }
        let part = scaled(number, UNITS[at].1).map_err(|why| why.explain(&shown))?;
        total = total.checked_add(part).ok_or_else(|| Part::TooLarge.explain(&shown))?;
    }
    Ok(SimDuration::from_micros(total))
}

enum Part {
    Malformed,
    TooFine,
    TooLarge,
}

impl Part {
    fn explain(self, shown: &str) -> (String, String) {
        match self {
            Self::Malformed => (
                format!("“{shown}” is not a duration"),
                "write a number and a unit, like “30s” or “1.5s”".into(),
            ),
            Self::TooFine => (
                format!("“{shown}” is finer than a microsecond"),
                "round it to whole microseconds".into(),
            ),
            Self::TooLarge => (
                format!("“{shown}” is longer than any run"),
                format!("stay below {} days", crate::limits::RUN_DAYS.max),
            ),
        }
    }
}

/// `number` units of `scale` microseconds, exactly.
fn scaled(number: &str, scale: u64) -> Result<u64, Part> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() || fraction.contains('.') || number.ends_with('.') {
        return Err(Part::Malformed);
    }
    let whole: u64 = whole.parse().map_err(|_| Part::TooLarge)?;
    let mut micros = whole.checked_mul(scale).ok_or(Part::TooLarge)?;
    let fraction = fraction.trim_end_matches('0');
    if !fraction.is_empty() {
        let digits =
            u32::try_from(fraction.len()).ok().filter(|d| *d <= 12).ok_or(Part::TooFine)?;
        let numerator: u64 = fraction.parse().map_err(|_| Part::TooFine)?;
        let exact = u128::from(numerator) * u128::from(scale);
        let divisor = 10_u128.pow(digits);
        if !exact.is_multiple_of(divisor) {
            return Err(Part::TooFine);
        }
        let part = u64::try_from(exact / divisor).map_err(|_| Part::TooLarge)?;
        micros = micros.checked_add(part).ok_or(Part::TooLarge)?;
    }
    Ok(micros)
}

/// Writes a duration so that [`parse_duration`] gives it back exactly: seconds up to two minutes
/// (`90s`), then the larger units (`2m`, `1h30m`), milliseconds and microseconds below a second.
#[must_use]
pub fn format_duration(duration: SimDuration) -> String {
    let micros = duration.as_micros();
    if micros == 0 {
        return "0s".into();
    }
    if micros < 1_000 {
        return format!("{micros}us");
    }
    if micros < 1_000_000 {
        return decimal(micros, 1_000, 3) + "ms";
    }
    if micros < 120_000_000 {
        return decimal(micros, 1_000_000, 6) + "s";
    }
    let mut text = String::new();
    let mut rest = micros;
    for (unit, scale) in &UNITS[..3] {
        if rest >= *scale {
            text += &format!("{}{unit}", rest / scale);
            rest %= scale;
        }
    }
    if rest > 0 {
        text += &(decimal(rest, 1_000_000, 6) + "s");
    }
    text
}

/// Writes a moment as the duration since the start of the run.
#[must_use]
pub fn format_time(time: SimTime) -> String {
    format_duration(SimDuration::from_micros(time.as_micros()))
}

/// `micros / scale` in decimal notation without trailing zeros.
fn decimal(micros: u64, scale: u64, digits: usize) -> String {
    let (whole, fraction) = (micros / scale, micros % scale);
    if fraction == 0 {
        return whole.to_string();
    }
    format!("{whole}.{fraction:0digits$}").trim_end_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn durations_are_read() {
        let check = |text: &str, micros: u64| {
            assert_eq!(parse_duration(text), Ok(SimDuration::from_micros(micros)), "{text}");
        };
        check("30s", 30_000_000);
        check("600ms", 600_000);
        check("1h30m", 5_400_000_000);
        check("250us", 250);
        check("4d", 345_600_000_000);
        check("18.4s", 18_400_000);
        check("0.000001s", 1);
        check("1m2.50s", 62_500_000);
        check("0s", 0);
    }

    #[test]
    fn what_is_not_a_duration_gets_a_repair() {
        let check = |text: &str, repair: &str| {
            let (_, found) = parse_duration(text).expect_err(text);
            assert!(found.contains(repair), "{text}: {found}");
        };
        check("30", "“30s”");
        check("1e5", "“1e5s”");
        check("", "“30s”");
        check("30 s", "a number and a unit");
        check("s", "a number and a unit");
        check("-3s", "a number and a unit");
        check("30sec", "d, h, m, s, ms or us");
        check("5s1m", "from the largest");
        check("1s1s", "from the largest");
        check("1.5h30m", "the last part only");
        check("1.s", "a number and a unit");
        check(".5s", "a number and a unit");
        check("1.2.3s", "a number and a unit");
        check("0.0000001s", "whole microseconds");
        check("99999999999999999999d", "30 days");
        check("999999999999999999d", "30 days");
        check("3µs", "a number and a unit");
    }

    #[test]
    fn durations_are_written_as_a_person_would() {
        let check = |micros: u64, text: &str| {
            assert_eq!(format_duration(SimDuration::from_micros(micros)), text);
        };
        check(0, "0s");
        check(250, "250us");
        check(1_250, "1.25ms");
        check(600_000, "600ms");
        check(18_400_000, "18.4s");
        check(90_000_000, "90s");
        check(120_000_000, "2m");
        check(5_400_000_000, "1h30m");
        check(345_600_000_000, "4d");
    }

    proptest! {
        #[test]
        fn writing_and_reading_is_the_same_duration(micros in any::<u64>(), shift in 0_u32..64) {
            let duration = SimDuration::from_micros(micros >> shift);
            prop_assert_eq!(parse_duration(&format_duration(duration)), Ok(duration));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[0-9.dhmsu ]{0,12}|.{0,8}") {
            if let Err((problem, repair)) = parse_duration(&text) {
                prop_assert!(!problem.is_empty() && !repair.is_empty());
            }
        }
    }
}
