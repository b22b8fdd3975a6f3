//! Filling a [`Value`] from any serde deserializer, and writing it to any serializer.
//!
//! The bounds hold while the document arrives, not after: nesting is cut at [`limits::DEPTH`]
//! before recursion can exhaust the stack, and the document is given up at [`limits::NODES`].
//! The place where reading stopped is remembered, so that a syntax error names its pointer too.

use std::cell::{Cell, RefCell};
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::{Diagnostic, Value};
use crate::limits::{self, Limit};

impl Value {
    /// Reads a document.
    ///
    /// # Errors
    /// The place where reading stopped, and why: bad syntax, or a bound of [`limits`].
    pub fn read<'de, D: Deserializer<'de>>(source: D) -> Result<Self, Diagnostic> {
        let progress = Progress::default();
        Node { progress: &progress, depth: 0 }.deserialize(source).map_err(|error| {
            let path = progress.pointer();
            match progress.crossed.get() {
                Some(limit) => over(path, limit),
                None => Diagnostic::new(
                    path,
                    format!("the document cannot be read: {error}"),
                    "check the quotes, commas and brackets around this place",
                ),
            }
        })
    }
}

/// The diagnostic for a bound that a document crosses.
fn over(path: String, limit: Limit) -> Diagnostic {
    Diagnostic::new(
        path,
        format!("the document has more than its bound: {limit}"),
        "make it smaller",
    )
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        Self::read(source).map_err(D::Error::custom)
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => target.serialize_unit(),
            Self::Bool(flag) => target.serialize_bool(*flag),
            Self::Number(number) => match whole(*number) {
                Some(integer) => target.serialize_i64(integer),
                None => target.serialize_f64(*number),
            },
            Self::Text(text) => target.serialize_str(text),
            Self::List(entries) => {
                let mut list = target.serialize_seq(Some(entries.len()))?;
                entries.iter().try_for_each(|entry| list.serialize_element(entry))?;
                list.end()
            }
            Self::Record(fields) => {
                let mut map = target.serialize_map(Some(fields.len()))?;
                fields.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
                map.end()
            }
        }
    }
}

/// The number as an integer, if it is one that a double holds exactly; so `5` is written as `5`.
fn whole(number: f64) -> Option<i64> {
    #[allow(clippy::cast_possible_truncation, reason = "the guard admits exact integers only")]
    let integer = number as i64;
    (number.fract() == 0.0
        && number.abs() < 9.0e15
        && !(number == 0.0 && number.is_sign_negative()))
    .then_some(integer)
}

/// How far reading has come.
#[derive(Default)]
struct Progress {
    nodes: Cell<usize>,
    path: RefCell<Vec<String>>,
    crossed: Cell<Option<Limit>>,
}

impl Progress {
    fn pointer(&self) -> String {
        let mut pointer = super::Pointer::root();
        self.path.borrow().iter().for_each(|token| pointer.push(token.clone()));
        pointer.to_string()
    }

    fn cross<E: Error>(&self, limit: Limit) -> E {
        self.crossed.set(Some(limit));
        E::custom(limit)
    }
}

/// One value about to be read, `depth` levels in.
struct Node<'p> {
    progress: &'p Progress,
    depth: usize,
}

impl<'p> Node<'p> {
    fn inner<E: Error>(&self) -> Result<Node<'p>, E> {
        if self.depth >= limits::DEPTH.max {
            return Err(self.progress.cross(limits::DEPTH));
        }
        Ok(Node { progress: self.progress, depth: self.depth + 1 })
    }
}

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Value, D::Error> {
        let nodes = self.progress.nodes.get() + 1;
        self.progress.nodes.set(nodes);
        if nodes > limits::NODES.max {
            return Err(self.progress.cross(limits::NODES));
        }
        source.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, source: D) -> Result<Value, D::Error> {
        source.deserialize_any(self)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    #[allow(clippy::cast_precision_loss, reason = "numbers of the wire are doubles")]
    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number as f64))
    }

    #[allow(clippy::cast_precision_loss, reason = "numbers of the wire are doubles")]
    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number as f64))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Number(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        self.visit_string(text.to_owned())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Value, E> {
        if text.chars().nth(limits::TEXT.max).is_some() {
            return Err(self.progress.cross(limits::TEXT));
        }
        Ok(Value::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut source: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        loop {
            self.progress.path.borrow_mut().push(entries.len().to_string());
            let Some(entry) = source.next_element_seed(self.inner()?)? else { break };
            self.progress.path.borrow_mut().pop();
            entries.push(entry);
        }
        self.progress.path.borrow_mut().pop();
        Ok(Value::List(entries))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut source: A) -> Result<Value, A::Error> {
        let mut fields = Vec::new();
        while let Some(key) = source.next_key::<String>()? {
            if key.chars().nth(limits::TEXT.max).is_some() {
                return Err(self.progress.cross(limits::TEXT));
            }
            self.progress.path.borrow_mut().push(key.clone());
            let value = source.next_value_seed(self.inner()?)?;
            self.progress.path.borrow_mut().pop();
            fields.push((key, value));
        }
        Ok(Value::Record(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Value, Diagnostic> {
        let mut source = serde_json::Deserializer::from_str(text);
        Value::read(&mut source)
    }

    #[test]
    fn documents_keep_their_order_and_their_doubles() {
        let document = read(r#"{"b":[1,-2.5,1e3,true,null],"a":{"x":"y"},"b":2}"#).unwrap();
        let expected = Value::record([
            (
                "b",
                Value::list([
                    Value::Number(1.0),
                    Value::Number(-2.5),
                    Value::Number(1000.0),
                    Value::Bool(true),
                    Value::Null,
                ]),
            ),
            ("a", Value::record([("x", Value::text("y"))])),
            ("b", Value::Number(2.0)),
        ]);
        assert_eq!(document, expected);
        let text = serde_json::to_string(&document).unwrap();
        assert_eq!(text, r#"{"b":[1,-2.5,1000,true,null],"a":{"x":"y"},"b":2}"#);
    }

    #[test]
    fn what_cannot_be_read_names_its_place() {
        let check = |text: &str, path: &str, problem: &str| {
            let refusal = read(text).expect_err(&text[..text.len().min(40)]);
            assert_eq!(refusal.path, path);
            assert!(refusal.problem.contains(problem), "{refusal}");
            assert!(!refusal.repair.is_empty());
        };
        check("", "", "cannot be read");
        check(r#"{"a":{"b":[1,2,}}"#, "/a/b/2", "cannot be read");
        check(r#"{"a":{"b":1e999}}"#, "/a/b", "number out of range");
        check(r#"{"a":{"b/c":"#, "/a/b~1c", "cannot be read");
        let many = format!("[{}1]", "1,".repeat(limits::NODES.max));
        check(&many, &format!("/{}", limits::NODES.max - 1), "100,000 values");
        let long = format!(r#"{{"a":"{}"}}"#, "é".repeat(limits::TEXT.max + 1));
        check(&long, "/a", "20,000 characters of text");
    }

    #[test]
    fn nesting_is_cut_before_it_can_exhaust_the_stack() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(read(&nested(limits::DEPTH.max)).is_ok());
        for levels in [limits::DEPTH.max + 2, 100, 1_000_000] {
            let refusal = read(&nested(levels)).expect_err("too deep");
            assert!(refusal.problem.contains("32 levels of nesting"), "{refusal}");
        }
    }
}
