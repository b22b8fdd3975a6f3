//! Textbook models built on the calendar, and closed forms: what the engine is measured and checked
//! with.

mod station;
pub mod theory;

pub use station::{Report, Station, mm1};
