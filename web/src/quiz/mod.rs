//! A quiz on the page: questions, answers in the making, verdicts and the runs that convict.
//!
//! [`Sitting`] is the state, in plain Rust; [`Act`] is everything that changes it; [`App`] is the
//! application in the element, which draws it, keeps what is to be asked again and tells the page.
//! A run is watched in an application of its own, the same as any exhibit's.

mod app;
mod ask;
mod card;
mod design;
mod fill;
mod frame;
mod pick;
mod result;
mod sitting;
mod steps;

pub use app::App;
pub use sitting::{Act, Attempts, Draft, Paper, Reveal, Rules, Side, Sitting, Standing};

#[cfg(test)]
mod tests;
