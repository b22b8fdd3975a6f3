//! A heading of a level that the page around the exhibit chooses.

use crate::markup::{Mark, el};

/// A heading at `level` (1 to 6) below which the exhibit's own parts are one deeper.
pub fn heading(level: u8, class: &'static str) -> Mark {
    let name = match level {
        0 | 1 => "h1",
        2 => "h2",
        3 => "h3",
        4 => "h4",
        5 => "h5",
        _ => "h6",
    };
    el(name, class)
}
