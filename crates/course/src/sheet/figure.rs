//! Numbers as they are written: counts with their thousands parted, shares in percent, times in
//! their units.
//!
//! Written with whole numbers alone, as the wire format's are: `std` prints any double, at the price
//! of thirty kilobytes of WebAssembly.

use scenario::wire::number_text;

/// How a number is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// As what.
    pub kind: FigureKind,
    /// At most so many digits after the point.
    pub digits: u8,
    /// What it counts; empty if nothing.
    pub unit: String,
}

/// As what a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureKind {
    /// As itself.
    Number,
    /// As a share of a whole, in percent.
    Percent,
    /// As a time, from seconds.
    Time,
}

/// The marks by which a language parts digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks {
    /// Between thousands.
    pub thousands: String,
    /// Before a fraction.
    pub point: String,
}

impl Default for Marks {
    fn default() -> Marks {
        Marks { thousands: ",".to_owned(), point: ".".to_owned() }
    }
}

/// Larger numbers are written by their leading digits and a power of ten.
const LARGEST: f64 = 1e15;

impl Figure {
    /// The number with its unit.
    #[must_use]
    pub fn text(&self, number: f64, marks: &Marks) -> String {
        let (number_text, unit) = self.parts(number, marks);
        match unit {
            "" => number_text,
            "%" => [number_text.as_str(), "\u{a0}%"].concat(),
            unit => [number_text.as_str(), " ", unit].concat(),
        }
    }

    /// The number, and its unit apart.
    #[must_use]
    pub fn parts(&self, number: f64, marks: &Marks) -> (String, &str) {
        match self.kind {
            FigureKind::Number => (digits(number, self.digits, marks), &self.unit),
            FigureKind::Percent => (digits(number * 100.0, self.digits, marks), "%"),
            FigureKind::Time => (time(number, self.digits, marks), ""),
        }
    }
}

/// A number with at most so many digits after the point.
#[must_use]
pub fn digits(number: f64, places: u8, marks: &Marks) -> String {
    let size = number.abs();
    if !size.is_finite() || size >= LARGEST {
        return number_text(number);
    }
    let places = places.min(9);
    let scale = (0..places).fold(1_u64, |scale, _| scale * 10);
    // Beyond the reach of whole numbers a fraction says nothing any more.
    let (places, scale) =
        if size * scale as f64 >= LARGEST * 1e3 { (0, 1) } else { (places, scale) };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
    let whole = (size * scale as f64).round() as u64;
    let mut text = if number < 0.0 && whole > 0 { "−".to_owned() } else { String::new() };
    text.push_str(&parted(whole / scale, &marks.thousands));
    let fraction = (whole % scale).to_string();
    let fraction =
        ["0".repeat(usize::from(places).saturating_sub(fraction.len())), fraction].concat();
    let fraction = fraction.trim_end_matches('0');
    if places > 0 && !fraction.is_empty() {
        text.push_str(&marks.point);
        text.push_str(fraction);
    }
    text
}

fn parted(whole: u64, mark: &str) -> String {
    let digits = whole.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push_str(mark);
        }
        text.push(digit);
    }
    text
}

/// The units of time, each with its length in seconds.
const UNITS: [(f64, &str); 4] = [(86_400.0, "d"), (3_600.0, "h"), (60.0, "min"), (1.0, "s")];

/// Seconds as a time of at most two units.
fn time(seconds: f64, places: u8, marks: &Marks) -> String {
    let size = seconds.abs();
    let sign = if seconds < 0.0 { "−" } else { "" };
    if size < 1.0 {
        return match size {
            0.0 => "0 s".to_owned(),
            // A tenth of a millisecond is nothing to a queue, and it is not nothing.
            _ if size < 0.000_1 => ["< 0", &marks.point, "1 ms"].concat(),
            _ => [sign, &digits(size * 1_000.0, places.max(1), marks), " ms"].concat(),
        };
    }
    if size < 60.0 {
        return [sign, &digits(size, places, marks), " s"].concat();
    }
    let at = UNITS.iter().position(|(length, _)| size >= *length).unwrap_or(2).min(2);
    // The smaller unit is rounded, and what rounds up to a larger one is carried.
    let rounded = (size / UNITS[at + 1].0).round() * UNITS[at + 1].0;
    let at = if at > 0 && rounded >= UNITS[at - 1].0 { at - 1 } else { at };
    let (large, small) = (UNITS[at], UNITS[at + 1]);
    let (small_count, ratio) = ((rounded / small.0).round(), (large.0 / small.0).round());
    let (whole, rest) = ((small_count / ratio).floor(), small_count % ratio);
    let mut text = [sign, &digits(whole, 0, marks), " ", large.1].concat();
    if rest > 0.0 {
        text.push(' ');
        text.push_str(&digits(rest, 0, marks));
        text.push(' ');
        text.push_str(small.1);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(kind: FigureKind, places: u8, unit: &str) -> Figure {
        Figure { kind, digits: places, unit: unit.to_owned() }
    }

    #[test]
    fn numbers_have_their_thousands_parted_and_no_digits_too_many() {
        let check = |number, places, want: &str| {
            assert_eq!(digits(number, places, &Marks::default()), want, "{number}");
        };
        check(0.0, 2, "0");
        check(-0.001, 2, "0");
        check(12_000.0, 0, "12,000");
        check(284.3, 1, "284.3");
        check(284.0, 1, "284");
        check(3.024, 3, "3.024");
        check(0.05, 2, "0.05");
        check(-1.5, 1, "−1.5");
        check(999.96, 1, "1,000");
        check(1e15, 2, "1000000000000000");
        check(1e300, 2, "1e300");
        check(123_456_789_012_345.6, 9, "123,456,789,012,346");
        let marks = Marks { thousands: " ".into(), point: ",".into() };
        assert_eq!(digits(1_234.5, 1, &marks), "1 234,5");
    }

    #[test]
    fn units_stand_after_the_number() {
        let check = |figure: Figure, number, want: &str| {
            assert_eq!(figure.text(number, &Marks::default()), want);
        };
        check(figure(FigureKind::Number, 0, "messages"), 2_843.0, "2,843 messages");
        check(figure(FigureKind::Percent, 1, ""), 0.996_006, "99.6\u{a0}%");
        check(figure(FigureKind::Number, 0, ""), 23.0, "23");
    }

    #[test]
    fn times_have_at_most_two_units() {
        let check = |seconds, want: &str| {
            assert_eq!(figure(FigureKind::Time, 1, "").text(seconds, &Marks::default()), want);
        };
        check(0.0, "0 s");
        check(0.25, "250 ms");
        check(0.000_000_1, "< 0.1 ms");
        check(12.5, "12.5 s");
        check(59.0, "59 s");
        check(60.0, "1 min");
        check(281.7, "4 min 42 s");
        check(284.3, "4 min 44 s");
        check(960.0, "16 min");
        check(2_526.3, "42 min 6 s");
        check(3_599.7, "1 h");
        check(3_600.0, "1 h");
        check(11_520.0, "3 h 12 min");
        check(867_600.0, "10 d 1 h");
        check(86_399.0, "1 d");
        check(-150.0, "−2 min 30 s");
    }
}
