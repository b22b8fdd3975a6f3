//! A run in an address: what a link must say so that another browser shows the same moment of the
//! same run.
//!
//! A run is a function of its scenario, its seed and its interventions, so a link holds the
//! differences to the exhibit's own scenario, and where to look: the playhead and the message that
//! is followed. The text is versioned, and it carries the length and a checksum of its body, so
//! that a link that was cut short or altered on its way is told apart and says so.
//!
//! ```text
//! 1.103.4sdw.s:7;c:/components/alerts/visibility_timeout:10s;
//! │ │   │    │ i:crash@18.4s(component:mailers,instance:1);t:34.2s;f:5     (one line)
//! │ │   │    └ body: seed, change of a setting, intervention, playhead, followed message
//! │ │   └ checksum of the body
//! │ └ characters of the body
//! └ version
//! ```
//!
//! # The grammar of the body
//! ```text
//! body   = [ part *( ";" part ) ]
//! part   = "s:" text | "t:" duration | "f:" digits
//!        | "c:" pointer ":" value | "i:" ( name "@" duration record | value )
//! value  = record | "!(" [ value *( "," value ) ] ")" | "!n" | "!t" | "!f" | [ "*" ] text
//! record = "(" [ text ":" value *( "," text ":" value ) ] ")"
//! text   = *( letter | digit | "-" | "_" | "." | "/" | "@" | "+" | "~" hex "~" )
//! ```
//! `+` stands for a space and `~e9~` for the character with that code point. A text that reads as
//! a number is one, unless `*` stands before it. Every character may stand in the query of an
//! address as it is (RFC 3986, section 3.4), and survives form decoding.
//!
//! # What this module does not do
//! It does not know what the changes and interventions mean; [`RunState::apply`] puts them into a
//! document, and reading that document says whether they make sense.

mod body;
mod envelope;
mod text;

use sim::SimTime;

use crate::limits;
use crate::wire::{Diagnostic, Pointer, Value};

/// The key of an address and the attribute of the element that hold a run state.
pub const KEY: &str = "run";

/// What a link says about a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunState {
    /// The seed, if it is not the scenario's own.
    pub seed: Option<String>,
    /// Values put into the scenario, by place.
    pub changes: Vec<(Pointer, Value)>,
    /// Interventions in the form of the scenario's `interventions`, in addition to them.
    pub interventions: Vec<Value>,
    /// The playhead.
    pub at: Option<SimTime>,
    /// The message that is followed, by its number from 1.
    pub follow: Option<u32>,
}

impl RunState {
    /// Writes the text for `run=` in an address.
    ///
    /// # Errors
    /// When the state holds more than a link may ([`limits::LINK`], [`limits::CHANGES`],
    /// [`limits::INTERVENTIONS`]): which bound, and what to do instead.
    pub fn encode(&self) -> Result<String, Diagnostic> {
        body::check_counts(self.changes.len(), self.interventions.len())?;
        let text = envelope::wrap(&body::write(self));
        if text.len() > limits::LINK.max {
            return Err(wrong(
                format!(
                    "the link would have {} characters; the bound is {}",
                    text.len(),
                    limits::LINK
                ),
                "take back some changes, or keep the scenario in a file",
            ));
        }
        Ok(text)
    }

    /// Reads the text of `run=`, as it stands in the address or after form decoding.
    ///
    /// # Errors
    /// Diagnostics at the key `run`: the link was cut short, was altered, is of another version,
    /// or says something that no link says.
    pub fn decode(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let body = envelope::unwrap(text).map_err(|why| vec![why])?;
        body::read(&body)
    }

    /// The scenario document with this state's seed, changes and interventions in it.
    ///
    /// # Errors
    /// Diagnostics at the key `run` for changes that have no place in the document.
    pub fn apply(&self, document: &Value) -> Result<Value, Vec<Diagnostic>> {
        let mut changed = document.clone();
        let mut refused = Vec::new();
        let mut put = |place: &Pointer, value: Value| {
            if let Err(why) = changed.set(place, value) {
                refused.push(wrong(
                    format!("the link changes {place}, but {}", why.problem),
                    "the exhibit has changed since the link was made; open it without the link",
                ));
            }
        };
        if let Some(seed) = &self.seed {
            put(&Pointer::root().join("seed"), Value::text(seed));
        }
        for (place, value) in &self.changes {
            put(place, value.clone());
        }
        if !self.interventions.is_empty() {
            let list = Pointer::root().join("interventions");
            let mut all = match changed.at(&list) {
                Some(Value::List(own)) => own.clone(),
                _ => Vec::new(),
            };
            all.extend(self.interventions.iter().cloned());
            if changed.as_record().is_some() {
                changed.set(&list, Value::List(all)).map_err(|why| vec![why])?;
            }
        }
        if refused.is_empty() { Ok(changed) } else { Err(refused) }
    }
}

/// The text of a link around a body, with its version, length and checksum: for bodies that are
/// written by hand or by a fuzzer.
#[must_use]
pub fn seal(body: &str) -> String {
    envelope::wrap(body)
}

/// A diagnostic about the link.
fn wrong(problem: impl Into<String>, repair: impl Into<String>) -> Diagnostic {
    Diagnostic::new(KEY, problem, repair)
}

#[cfg(test)]
mod tests;
