//! Schemas: what bodies look like, version by version.

use patterns::events::schema::{Compatibility, Schema};

/// A schema of a scenario, by its position among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SchemaId(pub(crate) u16);

impl SchemaId {
    /// Its position.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A schema with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedSchema {
    /// What lines call it.
    pub name: String,
    /// Its fields.
    pub schema: Schema,
}

/// What a registry asks of a new version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admission {
    /// The version that is to be let in.
    pub schema: SchemaId,
    /// Those before it, the oldest first.
    pub after: Vec<SchemaId>,
    /// What it must be able to do.
    pub mode: Compatibility,
}
