//! A document as a plain tree, in document order.

use super::{Diagnostic, Pointer};
use crate::limits;

/// A value of a document. Numbers are double precision, as in JavaScript, so whole numbers are
/// exact up to 2^53; seeds are therefore texts.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing.
    Null,
    /// A yes or no.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// Values in order.
    List(Vec<Value>),
    /// Named values in document order. A name that stands twice is kept twice, for the reader to
    /// complain about; look-ups find the first.
    Record(Vec<(String, Value)>),
}

impl Value {
    /// A record of these fields, in this order.
    #[must_use]
    pub fn record<K: Into<String>>(fields: impl IntoIterator<Item = (K, Value)>) -> Self {
        Self::Record(fields.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }

    /// A list.
    #[must_use]
    pub fn list(values: impl IntoIterator<Item = Value>) -> Self {
        Self::List(values.into_iter().collect())
    }

    /// A whole number.
    #[must_use]
    pub fn whole(number: u32) -> Self {
        Self::Number(f64::from(number))
    }

    /// How many there are of something that a limit keeps far below 2^53.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "limits keep counts far below 2^53")]
    pub fn count(number: usize) -> Self {
        Self::Number(number as f64)
    }

    /// The value, or nothing.
    #[must_use]
    pub fn or_null(value: Option<Self>) -> Self {
        value.unwrap_or(Self::Null)
    }

    /// A text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// What this is, with its article, for a sentence.
    #[must_use]
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "true or false",
            Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Record(_) => "a record",
        }
    }

    /// The text, if this is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if this is one.
    #[must_use]
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The entries, if this is a list.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Self::List(entries) => Some(entries),
            _ => None,
        }
    }

    /// The fields, if this is a record.
    #[must_use]
    pub fn as_record(&self) -> Option<&[(String, Value)]> {
        match self {
            Self::Record(fields) => Some(fields),
            _ => None,
        }
    }

    /// The field of this name, if this is a record that has it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.as_record()?.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The value at a place, if the document has one there.
    #[must_use]
    pub fn at(&self, place: &Pointer) -> Option<&Value> {
        place.tokens().try_fold(self, |value, token| match value {
            Self::Record(_) => value.get(token),
            Self::List(entries) => entries.get(index(token)?),
            _ => None,
        })
    }

    fn at_mut(&mut self, place: &Pointer) -> Option<&mut Value> {
        place.tokens().try_fold(self, |value, token| match value {
            Self::Record(fields) => {
                fields.iter_mut().find(|(key, _)| key == token).map(|(_, value)| value)
            }
            Self::List(entries) => entries.get_mut(index(token)?),
            _ => None,
        })
    }

    /// Puts a value at a place. A record gains the field if it has none of that name; a list has
    /// its entry replaced, or grows by one at `-` (RFC 6901, section 4).
    ///
    /// # Errors
    /// A diagnostic when the document has nothing there to hold the value.
    pub fn set(&mut self, place: &Pointer, new: Value) -> Result<(), Diagnostic> {
        let Some((holder, token)) = place.split_last() else {
            *self = new;
            return Ok(());
        };
        match self.at_mut(&holder) {
            Some(Self::Record(fields)) => {
                match fields.iter_mut().find(|(key, _)| key == token) {
                    Some((_, value)) => *value = new,
                    None => fields.push((token.to_owned(), new)),
                }
                Ok(())
            }
            Some(Self::List(entries)) if token == "-" => {
                entries.push(new);
                Ok(())
            }
            Some(Self::List(entries)) => {
                let length = entries.len();
                match index(token).and_then(|at| entries.get_mut(at)) {
                    Some(entry) => {
                        *entry = new;
                        Ok(())
                    }
                    None => Err(Diagnostic::new(
                        place.to_string(),
                        format!("the list at {holder} has no entry {token}"),
                        format!("use a position below {length}, or “-” to add one"),
                    )),
                }
            }
            Some(other) => Err(Diagnostic::new(
                place.to_string(),
                format!("{holder} is {}, which holds no other values", other.noun()),
                "point at a field of a record or an entry of a list",
            )),
            None => Err(Diagnostic::new(
                place.to_string(),
                format!("the document has nothing at {holder}"),
                "point at a place that the document has",
            )),
        }
    }

    /// Takes the value at a place out of its record or list.
    ///
    /// # Errors
    /// A diagnostic when the document has nothing there, or the place is the whole document.
    pub fn remove(&mut self, place: &Pointer) -> Result<Value, Diagnostic> {
        let gone = place.split_last().and_then(|(holder, token)| match self.at_mut(&holder)? {
            Self::Record(fields) => {
                let at = fields.iter().position(|(key, _)| key == token)?;
                Some(fields.remove(at).1)
            }
            Self::List(entries) => {
                let at = index(token)?;
                (at < entries.len()).then(|| entries.remove(at))
            }
            _ => None,
        });
        gone.ok_or_else(|| {
            Diagnostic::new(
                place.to_string(),
                "there is nothing here to remove",
                "point at a field of a record or an entry of a list",
            )
        })
    }
}

/// A list position as RFC 6901 writes it: digits without leading zeros.
fn index(token: &str) -> Option<usize> {
    let plain =
        token.bytes().all(|b| b.is_ascii_digit()) && (token == "0" || !token.starts_with('0'));
    if plain { token.parse().ok().filter(|&at| at < limits::NODES.max) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Value {
        Value::record([
            ("a", Value::list([Value::Number(1.0), Value::Bool(true)])),
            ("b", Value::record([("c", Value::text("d"))])),
        ])
    }

    fn place(text: &str) -> Pointer {
        Pointer::parse(text).unwrap()
    }

    #[test]
    fn look_up_follows_the_pointer() {
        let check = |text, expected: Option<Value>| {
            assert_eq!(sample().at(&place(text)).cloned(), expected, "{text}");
        };
        check("/a/0", Some(Value::Number(1.0)));
        check("/b/c", Some(Value::text("d")));
        check("", Some(sample()));
        check("/a/2", None);
        check("/a/00", None);
        check("/a/-", None);
        check("/b/c/d", None);
    }

    #[test]
    fn set_then_look_up_gives_what_was_set() {
        for at in ["", "/a", "/a/1", "/b/c", "/b/new"] {
            let mut value = sample();
            value.set(&place(at), Value::Number(9.0)).expect(at);
            assert_eq!(value.at(&place(at)), Some(&Value::Number(9.0)), "{at}");
        }
        let mut value = sample();
        value.set(&place("/a/-"), Value::Null).unwrap();
        assert_eq!(value.at(&place("/a/2")), Some(&Value::Null));
    }

    #[test]
    fn set_where_nothing_is_says_so_and_changes_nothing() {
        for at in ["/a/5", "/a/x", "/x/y", "/b/c/d"] {
            let mut value = sample();
            let refusal = value.set(&place(at), Value::Null).expect_err(at);
            assert_eq!(refusal.path, at);
            assert_eq!(value, sample());
        }
    }

    #[test]
    fn remove_takes_out_and_gives_back() {
        let mut value = sample();
        assert_eq!(value.remove(&place("/a/0")), Ok(Value::Number(1.0)));
        assert_eq!(value.at(&place("/a/0")), Some(&Value::Bool(true)));
        assert_eq!(value.remove(&place("/b/c")), Ok(Value::text("d")));
        for at in ["", "/b/c", "/a/7"] {
            assert!(value.remove(&place(at)).is_err(), "{at}");
        }
    }
}
