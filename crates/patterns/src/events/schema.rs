//! Schema versions: who can read whom.
//!
//! The modes are those of Confluent's schema registry
//! (<https://docs.confluent.io/platform/current/schema-registry/fundamentals/schema-evolution.html>),
//! the rules those of Avro's schema resolution
//! (<https://avro.apache.org/docs/1.11.1/specification/#schema-resolution>), as far as fields of
//! records go: a reader takes a field by name; a field that the data does not have needs a default;
//! a field that the reader does not know is passed over; types must be the same, or the data's can
//! be promoted to the reader's.
//!
//! | mode | can read | upgrade first |
//! | --- | --- | --- |
//! | backward | the new reader, what the last version wrote | consumers |
//! | forward | the last version's reader, what the new one writes | producers |
//! | full | both | either |
//! | … transitive | the same, with all versions before | |
//!
//! A field whose *meaning* changes passes every check here.

use std::fmt;

use sim::short::OrderedMap;

/// The type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FieldType {
    /// A whole number of 32 bits.
    Int,
    /// A whole number of 64 bits.
    Long,
    /// A floating number of 64 bits.
    Double,
    /// Text.
    Text,
    /// True or false.
    Boolean,
}

/// A field of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SchemaField {
    /// Its type.
    pub kind: FieldType,
    /// Whether a reader has something to put there when the data has nothing.
    pub default: DefaultValue,
}

/// Whether a field has a default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DefaultValue {
    /// It has: it may be missing.
    Given,
    /// It has none: it must be there.
    None,
}

/// What an event looks like: fields by name, names by number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Schema {
    fields: OrderedMap<u32, SchemaField>,
}

/// What a new version must be able to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Compatibility {
    /// Nothing.
    None,
    /// Read the last version.
    Backward,
    /// Read all versions.
    BackwardTransitive,
    /// Be read by the last version.
    Forward,
    /// Be read by all versions.
    ForwardTransitive,
    /// Read and be read by the last version.
    Full,
    /// Read and be read by all versions.
    FullTransitive,
}

/// Why a reader cannot read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Incompatible {
    /// It needs a field that the data does not have, and has no default: give it one.
    Missing {
        /// Which field, by number.
        field: u32,
    },
    /// It takes the field for something that the data is not: add a new field instead.
    Type {
        /// Which field, by number.
        field: u32,
        /// What the data has.
        written: FieldType,
        /// What the reader wants.
        wanted: FieldType,
    },
}

impl FieldType {
    /// Whether a reader that wants another type can take this one.
    const fn promotes_to(self, wanted: Self) -> bool {
        match (self, wanted) {
            (Self::Int, Self::Int | Self::Long | Self::Double)
            | (Self::Long, Self::Long | Self::Double)
            | (Self::Double, Self::Double)
            | (Self::Text, Self::Text)
            | (Self::Boolean, Self::Boolean) => true,
            (Self::Int | Self::Long | Self::Double | Self::Text | Self::Boolean, _) => false,
        }
    }
}

impl Schema {
    /// A schema of these fields, names by number.
    #[must_use]
    pub fn new(fields: &[(u32, FieldType, DefaultValue)]) -> Self {
        let fields = fields.iter();
        Self {
            fields: fields
                .map(|(name, kind, default)| {
                    (*name, SchemaField { kind: *kind, default: *default })
                })
                .collect(),
        }
    }

    /// Whether a reader with this schema can read what a writer with another wrote.
    ///
    /// # Errors
    /// The first field that it cannot.
    pub fn reads(&self, writer: &Self) -> Result<(), Incompatible> {
        for (name, wanted) in &self.fields {
            match writer.fields.get(name) {
                Some(written) if !written.kind.promotes_to(wanted.kind) => {
                    return Err(Incompatible::Type {
                        field: *name,
                        written: written.kind,
                        wanted: wanted.kind,
                    });
                }
                None if wanted.default == DefaultValue::None => {
                    return Err(Incompatible::Missing { field: *name });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether this schema may follow those before it, the oldest first.
    ///
    /// # Errors
    /// The first field that stands in the way, beginning with the latest version.
    pub fn may_follow(&self, before: &[Self], mode: Compatibility) -> Result<(), Incompatible> {
        let (reads, is_read, all) = match mode {
            Compatibility::None => return Ok(()),
            Compatibility::Backward => (true, false, false),
            Compatibility::BackwardTransitive => (true, false, true),
            Compatibility::Forward => (false, true, false),
            Compatibility::ForwardTransitive => (false, true, true),
            Compatibility::Full => (true, true, false),
            Compatibility::FullTransitive => (true, true, true),
        };
        let considered = if all { before.len() } else { 1 };
        for other in before.iter().rev().take(considered) {
            if reads {
                self.reads(other)?;
            }
            if is_read {
                other.reads(self)?;
            }
        }
        Ok(())
    }
}

impl Compatibility {
    /// Who must be upgraded first; `None` if it does not matter, or nothing is promised.
    #[must_use]
    pub const fn upgrade_first(self) -> Option<Side> {
        match self {
            Self::Backward | Self::BackwardTransitive => Some(Side::Consumers),
            Self::Forward | Self::ForwardTransitive => Some(Side::Producers),
            Self::None | Self::Full | Self::FullTransitive => None,
        }
    }
}

/// A side of a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Those who write.
    Producers,
    /// Those who read.
    Consumers,
}

impl fmt::Display for Incompatible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { field } => {
                write!(f, "field {field} is not in the data and has no default")
            }
            Self::Type { field, written, wanted } => {
                write!(f, "field {field} is {written:?} in the data and {wanted:?} to the reader")
            }
        }
    }
}

impl std::error::Error for Incompatible {}
