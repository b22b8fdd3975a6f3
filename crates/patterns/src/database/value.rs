//! What is in a row: values and keys.

use std::fmt;

/// A value. Words are numbered by the caller; equal words have equal numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// No value.
    #[default]
    Null,
    /// A number.
    Number(i64),
    /// A word: a status, an id, a name.
    Word(u32),
}

/// A primary key of one or two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The first part.
    pub first: Value,
    /// The second part, or [`Value::Null`].
    pub second: Value,
}

impl Key {
    /// A key of one number.
    #[must_use]
    pub const fn number(number: i64) -> Self {
        Self { first: Value::Number(number), second: Value::Null }
    }

    /// A key of one word.
    #[must_use]
    pub const fn word(word: u32) -> Self {
        Self { first: Value::Word(word), second: Value::Null }
    }

    /// A key of two parts.
    #[must_use]
    pub const fn pair(first: Value, second: Value) -> Self {
        Self { first, second }
    }

    /// The number, if the key is one.
    #[must_use]
    pub const fn as_number(&self) -> Option<i64> {
        match (self.first, self.second) {
            (Value::Number(number), Value::Null) => Some(number),
            _ => None,
        }
    }
}

impl Value {
    /// The number, if it is one.
    #[must_use]
    pub const fn as_number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Null | Self::Word(_) => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => write!(f, "null"),
            Self::Number(number) => number.fmt(f),
            Self::Word(word) => write!(f, "w{word}"),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.second {
            Value::Null => self.first.fmt(f),
            second => write!(f, "({}, {second})", self.first),
        }
    }
}
