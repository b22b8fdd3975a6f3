//! What a crash at each border costs: properties checked over every crash point within a bound,
//! with the shortest witness.
//!
//! ```text
//!  Scenario ─► the undisturbed run ─► its borders ─► a run with a crash at each ─► Matrix
//!                    │                                     │   └► a second crash in each
//!                    └───────────── compared ──────────────┘
//! ```
//!
//! - [`Explorer`] does the work in slices: it never holds a page for longer than it is told to.
//! - [`Matrix`] has a row for each border of a handler, a column for each message, and in each
//!   [`Cell`] what the worst crash there has come to. A cell opens its run by a
//!   [`scenario::link::RunState`].
//! - [`Guarantee`] says of each property whether any of these runs has broken it, and by how little.
//!
//! # What is tried
//!
//! A crash between two lines of a handler of workers or a service, and one while a call or a publish
//! is under way, after each thing that happens to its message meanwhile. Between two such moments a
//! handler has nothing that a crash could change but the moment of its return. Orders of events are
//! those that crashes bring about. Two runs that are in one state after their last crash, with
//! one past, have one future: it is computed once.
//!
//! # What this crate does not do
//!
//! It knows no views. It does not crash relays, conductors and schedulers, whose work is not a list
//! of lines, and no border at 0 s that is left within its instant: interventions follow what
//! happens in their instant. What others did to the scenario (`interventions`) is taken out first.

mod account;
mod bounds;
mod describe;
mod explorer;
mod matrix;
mod points;

pub use bounds::Bounds;
pub use explorer::{Explorer, Progress};
pub use matrix::{Cell, Effects, Guarantee, Matrix, Outcome, Row, Spot, Witness};
