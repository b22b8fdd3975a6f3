//! Textbook models built on the calendar: what the engine is measured and checked with.

mod station;

pub use station::{Report, Station, mm1};
