//! Cuts a WebAssembly module in two: what the first picture needs, and the rest.
//!
//! ```text
//!   module ──► first: every function that is known to run at first, and a stub for each other
//!          └─► rest:  the bodies of the others; it imports what it shares with the first part
//! ```
//!
//! The first part keeps the numbers of all functions, so that nothing in it is renumbered. A stub
//! makes sure that the rest is there and goes on in it through the table. Whoever loads the module
//! fetches the rest ahead of its need; a stub that is called earlier asks for it there and then, so
//! that a function in the wrong part costs time and never the right result.
//!
//! Which functions run at first is measured, not guessed: [`watched`] writes a module that notes
//! what was called, and a file keeps the names ([`Names`]).
//!
//! A map of the crate: [`module`] reads what must be known of a module, [`names`] are the names of
//! functions as people write them, [`cut`] writes the two parts, [`watch`] the module that notes.
//!
//! # What this crate does not do
//! It does not move data: strings and tables stay in the first part. It optimizes nothing.

mod cut;
mod data;
mod flow;
mod linked;
mod module;
mod names;
mod outline;
mod short;
mod watch;

pub use cut::{Parts, cut};
pub use linked::Linked;
pub use names::Names;
pub use short::shorten;
pub use watch::{Watched, watched};

/// The export of the module that a stub calls when the rest is not there yet.
pub const ASK: &str = "rest";

/// The module name under which the rest imports what it shares with the first part.
pub const FIRST: &str = "first";

#[cfg(test)]
mod tests;
