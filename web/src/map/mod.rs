//! The map: a run as a transit map that can be ridden.

pub mod layout;
