//! Order in little code.
//!
//! `std`'s sorts and ordered maps are made for very long ones and cost four to twelve kilobytes of
//! WebAssembly for every type that is kept in them. The lists of a page (marks, beats, rows) are
//! short and nearly in order, and what a queue holds is looked at and changed near its ends.

mod map;
mod set;
mod sort;

pub use map::{Entries, EntriesMut, Entry, OrderedMap};
pub use set::{Items, OrderedSet};
pub use sort::{sort_by_key, sort_unstable_by_key};
