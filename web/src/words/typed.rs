//! Numbers as people type them.

/// A number as people write it: with separators of thousands, with a comma as decimal sign.
#[must_use]
pub fn typed_number(text: &str) -> Option<f64> {
    let text: String = text.chars().filter(|c| !c.is_whitespace() && *c != '_').collect();
    let groups = text.split(',').skip(1).all(|group| {
        let digits = group.split('.').next().unwrap_or("");
        digits.len() == 3 && digits.bytes().all(|b| b.is_ascii_digit())
    });
    // Nobody parts the thousands of what begins with zero: 0,125 is an eighth.
    let groups = groups && !text.trim_start_matches('-').starts_with('0');
    let text = if groups { text.replace(',', "") } else { text.replacen(',', ".", 1) };
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::typed_number;

    #[test]
    fn commas_part_thousands_or_fractions() {
        let check = |text: &str, want: Option<f64>| assert_eq!(typed_number(text), want, "{text}");
        check("1,500", Some(1_500.0));
        check("1 500.25", Some(1_500.25));
        check("1,5", Some(1.5));
        check("0,125", Some(0.125));
        check("-0,125", Some(-0.125));
        check("0.5", Some(0.5));
        check("1,000,000", Some(1e6));
        check("many", None);
        check("", None);
        check("1e400", None);
    }
}
