//! Placeholder.
pub mod limits;
pub mod wire;
