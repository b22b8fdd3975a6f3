//! The course as data: what an exhibit is, what it offers and tells, and what must be true of it.
//!
//! ```text
//!  exhibit.json ─► wire::Value ─► Exhibit ─┬─ document, scenario ─► player
//!                                          ├─ Control: a pointer into the document
//!                                          ├─ Offer + Frame ─► an action to do now
//!                                          ├─ Story + trace ─► the beats that happened
//!                                          └─ Fact + run ─► found, or differs
//! ```
//!
//! - [`Exhibit`] reads the format and reports everything that is wrong with it.
//! - [`Pattern`] points at a trace event; [`Story`] is told by patterns, never by seconds.
//! - [`Offer`] is an intervention as a button; [`Control`] is a setting; [`Meter`] is a gauge,
//!   [`Chart`] some of them over the whole run.
//! - [`Prediction`] is a question about the run, asked before it is played.
//! - [`check_facts`] runs an exhibit and looks for the numbers that it claims.
//! - [`lint`] is what an exhibit must pass before it is shown; [`Reading`] is how hard a text reads.
//! - [`quiz`] asks and judges by runs, [`tree`] advises, and both show [`evidence`]; [`sheet`] computes from the engine's own formulas.
//! - [`Family`] is a part of the table of rules: each with its source and the tests that hold it.
//!
//! # What this crate does not do
//! It knows no broker rule and runs no engine of its own: it names scenarios, properties and
//! measures, and asks the player. It draws nothing, and the words around an exhibit (buttons,
//! transcript sentences) are not its business: it holds the author's texts only.

mod chart;
mod context;
mod control;
mod event;
pub mod evidence;
mod exhibit;
mod fact;
mod fidelity;
pub mod leitner;
mod lint;
mod meter;
mod narrate;
mod offer;
mod pattern;
mod predict;
mod prose;
pub mod quiz;
pub mod sheet;
mod shuffle;
mod story;
pub mod tree;

pub use chart::{Bound, Chart, Drawn, SERIES_MAX};
pub use control::{Choice, Control, Setting};
pub use event::{Cast, EventKind};
pub use exhibit::{Exhibit, ExhibitKind, FORMAT, Try, View, read_scenario};
pub use fact::{Claim, Fact, FactOutcome, FactResult, Kept, check_facts};
pub use fidelity::{FAMILIES, Family, Omission, Rule, TestName, lint_fidelity};
pub use lint::lint;
pub use meter::Meter;
pub use narrate::{narrate, worker_label};
pub use offer::{Offer, Ready, Target};
pub use pattern::Pattern;
pub use predict::Prediction;
pub use prose::Reading;
pub use shuffle::shuffled;
pub use story::{Beat, Story, Telling};

#[cfg(test)]
mod tests;
