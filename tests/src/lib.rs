//! Placeholder.
pub mod documents;
