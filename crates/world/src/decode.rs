//! Bodies and the schemas that they are written and read with: the lines that decode, and those that
//! ask whether a version may follow others ([`patterns::events::schema`]).

use broker::MessageId;
use patterns::events::schema::Schema;
use patterns::retry::FailureClass;
use scenario::{Admission, Scenario, SchemaId};

use crate::{Outcome, World};

impl World {
    /// Reads a body with a schema.
    #[inline(never)]
    pub(crate) fn decode(
        &self,
        scenario: &Scenario,
        message: MessageId,
        reader: SchemaId,
    ) -> Outcome {
        let written = self.messages[self.messages.root(message)].schema;
        let schema = |id: SchemaId| &scenario.schemas[id.index()].schema;
        match written.map(|written| schema(reader).reads(schema(written))) {
            Some(Ok(())) => Outcome::Ok,
            Some(Err(_)) | None => Outcome::Error(FailureClass::Permanent),
        }
    }
}

/// Whether a version may follow those before it.
#[inline(never)]
pub(crate) fn admit(scenario: &Scenario, asked: &Admission) -> Outcome {
    let schema = |id: &SchemaId| scenario.schemas[id.index()].schema.clone();
    let before: Vec<Schema> = asked.after.iter().map(schema).collect();
    match schema(&asked.schema).may_follow(&before, asked.mode) {
        Ok(()) => Outcome::Ok,
        Err(_) => Outcome::Refused,
    }
}
