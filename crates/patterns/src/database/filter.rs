//! Which rows a statement means: the WHERE of it.

use super::statement::RowRead;
use super::value::{Key, Value};

/// Conditions that must all hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Filter(pub Vec<Condition>);

/// One condition on a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Condition {
    /// What it looks at.
    pub field: Field,
    /// What it asks.
    pub is: Is,
}

/// A part of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The first part of the key.
    Key,
    /// The second part of the key.
    SecondKey,
    /// A column, from 0.
    Column(u8),
    /// The number of the transaction that inserted the row, as an outbox keeps it in a column
    /// (`pg_current_xact_id()`).
    InsertedBy,
}

/// What a condition asks of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Is {
    /// The same. Nothing equals null.
    Equal(Value),
    /// Another, and not null.
    NotEqual(Value),
    /// Greater: of a number than a number, of a word than a word.
    Above(Value),
    /// Less, likewise.
    Below(Value),
    /// Greater or the same, likewise.
    AtLeast(Value),
    /// Less or the same, likewise.
    AtMost(Value),
    /// No value.
    Null,
    /// A value.
    NotNull,
    /// Of a number or the number of a word, the remainder: for sharing rows out by key.
    Share {
        /// Which share, from 0.
        index: u32,
        /// Of how many.
        of: u32,
    },
    /// Below the number of every transaction that was still open when the statement began
    /// (`< pg_snapshot_xmin(pg_current_snapshot())`): such a row can no longer be overtaken by one
    /// with a lower number.
    BelowOldestOpen,
}

impl Filter {
    /// All rows.
    #[must_use]
    pub const fn all() -> Self {
        Self(Vec::new())
    }

    /// The row with this key of one part.
    #[must_use]
    pub fn key(value: Value) -> Self {
        Self::all().and(Field::Key, Is::Equal(value))
    }

    /// The rows of this one for which another condition holds, too.
    #[must_use]
    pub fn and(mut self, field: Field, is: Is) -> Self {
        self.0.push(Condition { field, is });
        self
    }

    /// The first key that can match: a condition for equality on the key is looked up, not searched.
    pub(super) fn first_key(&self) -> Key {
        Key { first: self.sought().unwrap_or_default(), second: Value::Null }
    }

    /// Whether a row with this key, or one after it, can match.
    pub(super) fn may_match(&self, key: &Key) -> bool {
        self.sought().is_none_or(|sought| key.first == sought)
    }

    fn sought(&self) -> Option<Value> {
        self.0.iter().find_map(|condition| match (condition.field, condition.is) {
            (Field::Key, Is::Equal(value)) => Some(value),
            _ => None,
        })
    }

    pub(super) fn matches(&self, row: &RowRead<'_>, oldest_open: u32) -> bool {
        self.0.iter().all(|condition| condition.holds(row, oldest_open))
    }
}

impl Condition {
    fn holds(self, row: &RowRead<'_>, oldest_open: u32) -> bool {
        let value = match self.field {
            Field::Key => row.key.first,
            Field::SecondKey => row.key.second,
            Field::Column(column) => {
                row.columns.get(usize::from(column)).copied().unwrap_or_default()
            }
            Field::InsertedBy => Value::Number(i64::from(row.inserted_by)),
        };
        let order = |other: Value| match (value, other) {
            (Value::Number(a), Value::Number(b)) => Some(a.cmp(&b)),
            (Value::Word(a), Value::Word(b)) => Some(a.cmp(&b)),
            _ => None,
        };
        match self.is {
            Is::Equal(other) => value != Value::Null && value == other,
            Is::NotEqual(other) => value != Value::Null && other != Value::Null && value != other,
            Is::Above(other) => order(other).is_some_and(std::cmp::Ordering::is_gt),
            Is::Below(other) => order(other).is_some_and(std::cmp::Ordering::is_lt),
            Is::AtLeast(other) => order(other).is_some_and(std::cmp::Ordering::is_ge),
            Is::AtMost(other) => order(other).is_some_and(std::cmp::Ordering::is_le),
            Is::Null => value == Value::Null,
            Is::NotNull => value != Value::Null,
            Is::Share { index, of } => match value {
                Value::Null => false,
                Value::Number(number) => number.rem_euclid(i64::from(of)) == i64::from(index),
                Value::Word(word) => word % of == index,
            },
            Is::BelowOldestOpen => {
                value.as_number().is_some_and(|number| number < i64::from(oldest_open))
            }
        }
    }
}
