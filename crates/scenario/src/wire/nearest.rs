//! The known name that an unknown one was probably meant to be.

/// The name of `known` that is nearest to `name`, if one is near enough to be what was meant: at
/// most a third of its letters differ.
#[must_use]
pub fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let name: Vec<char> = name.chars().take(LONGEST + 1).collect();
    if name.len() > LONGEST {
        return None;
    }
    let mut best = None;
    let mut least = usize::MAX;
    for &candidate in known.iter().take(MOST) {
        let letters: Vec<char> = candidate.chars().take(LONGEST + 1).collect();
        let far = distance(&name, &letters);
        let allowed = (letters.len().max(name.len()) / 3).max(1);
        if letters.len() <= LONGEST && far <= allowed && far < letters.len() && far < least {
            (best, least) = (Some(candidate), far);
        }
    }
    best
}

/// Longer names are not compared: the work grows with the square of the length.
const LONGEST: usize = 60;
/// More candidates are not compared: no document that is within its bounds has as many.
const MOST: usize = 300;

/// Letters to insert, delete, replace or swap with their neighbour (the restricted
/// Damerau–Levenshtein distance, also called optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_hand_find_their_name() {
        let known = ["visibility_timeout", "delay", "retention", "label", "to"];
        let check = |name, expected| assert_eq!(nearest(name, &known), expected, "{name}");
        check("visibilty_timeout", Some("visibility_timeout"));
        check("visibilityTimeout", Some("visibility_timeout"));
        check("lable", Some("label"));
        check("ot", Some("to"));
        check("color", None);
        check("x", None);
        check("", None);
    }

    #[test]
    fn a_very_long_name_costs_nothing() {
        assert_eq!(nearest(&"x".repeat(100_000), &["x"]), None);
    }
}
