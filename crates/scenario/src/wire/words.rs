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
        "not-a-number".to_owned()
    } else if number != 0.0 && !(1e-6..1e15).contains(&number.abs()) {
        format!("{number:e}")
    } else {
        number.to_string()
    }
}

/// The first few of the names, for a sentence.
pub(super) fn one_of<'k>(names: impl Iterator<Item = &'k str>) -> String {
    const SHOWN: usize = 12;
    let mut shown: Vec<String> = names.take(SHOWN + 1).map(excerpt).collect();
    if let Some(more) = shown.get_mut(SHOWN) {
        "…".clone_into(more);
    }
    shown.join(", ")
}
