//! Placeholder.
pub mod documents;
pub mod fuzz;
pub mod runs;
