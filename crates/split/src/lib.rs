//! Cuts a WebAssembly module in two: what the first picture needs, and the rest.
//!
//! ```text
//!   module ──► first: every function that is known to run at first, and a stub for each other
//!          └─► rest:  the bodies of the others; it imports what it shares with the first part
//! ```
//!
//! The first part keeps a stub for each function of the rest that it names. A stub makes sure that the
//! rest is there and goes on in it through the table. Whoever loads the module fetches the rest ahead
//! of its need; a stub that is called earlier asks for it there and then, so that a function in the
//! wrong part costs time and never the right result.
//!
//! Which functions run at first is measured, not guessed: [`watched`] writes a module that notes what
//! is reached, and a file keeps the names ([`Names`]). What did not run of a function that did is a
//! function of the rest too; it takes the locals that it reads, and gives back what is read after it.
//!
//! Data goes with the functions. The linker's relocations say who knows the address of what
//! ([`Linked`]); what no code and no data of the first part can know moves, if it is never written.
//!
//! A map of the crate: `module` reads what must be known of a module, `flow` a function, `linked` what
//! the linker says; `names` are the names of functions as people write them; `plan` says what stands
//! where, `outline` and `data` help it, `cut` writes the two parts, `numbers` numbers them anew;
//! `watch` writes the module that notes, `short` gives short names to what a tool has made up,
//! `arrange` puts functions in the order that compresses well.
//!
//! # What this crate does not do
//! It optimizes nothing.

mod arrange;
mod cut;
mod data;
mod flow;
mod linked;
mod module;
mod names;
mod numbers;
mod outline;
mod plan;
mod short;
mod watch;

pub use arrange::arranged;
pub use cut::{Parts, cut};
pub use linked::Linked;
pub use names::Names;
pub use short::shorten;
pub use watch::{Watched, watched};

/// The export of the module that a stub calls when the rest is not there yet.
pub const ASK: &str = "rest";

/// The module name under which the rest imports what it shares with the first part: by number, in order
/// memories, tables and globals, which the first part exports so, and functions, which stand in the last
/// places of its table of functions.
pub const FIRST: &str = "first";

#[cfg(test)]
mod tests;
