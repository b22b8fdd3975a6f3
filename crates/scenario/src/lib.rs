//! Placeholder.
pub mod limits;
pub mod link;
pub mod wire;
