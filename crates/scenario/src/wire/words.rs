//! Values and names in the words of a diagnostic.

use super::{Value, excerpt};

/// A value in a few words, for a sentence.
pub(super) fn described(value: &Value) -> String {
    match value {
        Value::Number(number) => format!("the number {}", shown(*number)),
        Value::Text(text) => format!("the text “{}”", excerpt(text)),
        Value::Bool(flag) => flag.to_string(),
        other => other.noun().to_owned(),
    }
}

/// A number as a person writes it: huge and tiny ones with an exponent.
pub(super) fn shown(number: f64) -> String {
    if number.is_nan() {
        return "not-a-number".to_owned();
    }
    super::decimal(number).unwrap_or_else(|| super::rough(number))
}

/// The first few of the names, for a sentence.
pub(super) fn one_of(names: &[&str]) -> String {
    const SHOWN: usize = 12;
    let mut shown: Vec<String> = names.iter().take(SHOWN + 1).map(|name| excerpt(name)).collect();
    if let Some(more) = shown.get_mut(SHOWN) {
        "…".clone_into(more);
    }
    shown.join(", ")
}
