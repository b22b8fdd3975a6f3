//! Numbers: which whole types a document can fill, and numbers as text.
//!
//! The text is made and read by whole numbers alone. `std` can print and read any double, at the
//! price of thirty kilobytes of WebAssembly; documents, links and keys hold decimal numbers of a
//! few digits, which are exact this way too.

use std::fmt;

/// Beyond 2^53 a double no longer tells neighbouring whole numbers apart.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A whole number type that a document can hold.
pub trait WholeNumber: Copy + PartialOrd + fmt::Display {
    /// The number, if it is whole, exact and fits.
    fn from_number(number: f64) -> Option<Self>;
}

macro_rules! whole_numbers {
    ($($type:ty)*) => {$(
        impl WholeNumber for $type {
            fn from_number(number: f64) -> Option<Self> {
                Self::try_from(whole(number)?).ok()
            }
        }
    )*};
}
whole_numbers!(u8 u16 u32 u64 usize i32 i64);

/// The number as a whole one, if it is whole and exact.
fn whole(number: f64) -> Option<i64> {
    #[allow(clippy::cast_possible_truncation, reason = "whole and within 2^53")]
    (number.fract() == 0.0 && number.abs() <= EXACT).then_some(number as i64)
}

/// A number in decimal notation with up to fifteen places. `None` if that would not give it back
/// exactly through [`parse_number`].
pub(crate) fn decimal(number: f64) -> Option<String> {
    if let Some(whole) = whole(number).filter(|whole| *whole != 0 || number.is_sign_positive()) {
        return Some(whole.to_string());
    }
    let sign = if number.is_sign_negative() { "-" } else { "" };
    let size = number.abs();
    let mut scale: u64 = 1;
    for places in 1..=15 {
        scale *= 10;
        #[allow(clippy::cast_precision_loss, reason = "powers of ten to 10^15 are exact")]
        let divisor = scale as f64;
        let digits = (size * divisor).round();
        if digits < EXACT && digits / divisor == size && digits > 0.0 {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
            let digits = digits as u64;
            return Some(format!("{sign}{}.{:0places$}", digits / scale, digits % scale));
        }
    }
    None
}

/// Reads a number in decimal notation, or one written as its bits (`0x` and sixteen digits).
#[must_use]
pub fn parse_number(text: &str) -> Option<f64> {
    if let Some(bits) = text.strip_prefix("0x") {
        let bits = (bits.len() == 16).then(|| u64::from_str_radix(bits, 16).ok())??;
        return Some(f64::from_bits(bits)).filter(|number| number.is_finite());
    }
    let (negative, size) = match text.strip_prefix('-') {
        Some(size) => (true, size),
        None => (false, text),
    };
    let (whole, fraction) = match size.split_once('.') {
        Some((_, "")) => return None,
        Some(parts) => parts,
        None => (size, ""),
    };
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) || fraction.len() > 15 {
        return None;
    }
    let scale = 10_u64.pow(u32::try_from(fraction.len()).ok()?);
    let part = if fraction.is_empty() { 0 } else { fraction.parse().ok()? };
    let mantissa = whole.parse::<u64>().ok()?.checked_mul(scale)?.checked_add(part)?;
    #[allow(clippy::cast_precision_loss, reason = "both exact, so the quotient rounds once")]
    let size = (mantissa < 1 << 53).then(|| mantissa as f64 / scale as f64)?;
    Some(if negative { -size } else { size })
}

/// A number as text, exactly if it has few digits.
#[must_use]
pub fn number_text(number: f64) -> String {
    decimal(number).unwrap_or_else(|| rough(number))
}

/// A number by its leading digits and its power of ten.
pub(super) fn rough(number: f64) -> String {
    let sign = if number < 0.0 { "-" } else { "" };
    let mut size = number.abs();
    if size.is_infinite() {
        return format!("{sign}infinity");
    }
    let mut power = 0;
    while size >= 10.0 {
        size /= 10.0;
        power += 1;
    }
    while size > 0.0 && size < 1.0 {
        size *= 10.0;
        power -= 1;
    }
    let hundredths = (size * 100.0).round() / 100.0;
    let digits = decimal(hundredths).unwrap_or_default();
    format!("{sign}{digits}e{power}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_numbers_are_given_back_exactly() {
        for number in [0.0, 1.0, -1.0, 0.5, 0.1, -0.05, 1.0 / 1024.0, 189.99, 1e15, 123.456_789] {
            let text = decimal(number).expect("few digits");
            assert_eq!(parse_number(&text), Some(number), "{text}");
        }
    }

    #[test]
    fn other_numbers_are_shown_roughly() {
        let check = |number, text| assert_eq!(number_text(number), text);
        check(0.1, "0.1");
        check(-2.0, "-2");
        check(1e300, "1e300");
        check(1.0 / 3.0, "3.33e-1");
        check(f64::INFINITY, "infinity");
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["", "-", ".", "1.", ".5", "1e5", "0x12", "1.2.3", "٣", "99999999999999999999"]
        {
            assert_eq!(parse_number(text), None, "{text}");
        }
        assert_eq!(parse_number("0x7ff0000000000000"), None, "infinity");
        assert_eq!(parse_number("0x3ff0000000000000"), Some(1.0));
    }
}
