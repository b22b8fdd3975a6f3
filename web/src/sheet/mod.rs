//! A worksheet on the page: entries, results, charts, and a document to take along.
//!
//! [`Desk`] is the state, in plain Rust; [`Act`] is everything that changes it; [`App`] is the
//! application in the element, which draws it and keeps what was entered. [`plot`] turns a curve into
//! lines for a picture, here and in the page that stands there without an engine.

mod app;
mod chart;
mod desk;
mod document;
mod entry;
mod frame;
mod plot;
mod result;

pub use app::App;
pub use desk::{Act, Desk, Entered, Wrong};
pub use document::{document, why};
pub use plot::{PLOT, Plot, Side, plot};

#[cfg(test)]
mod tests;
