//! A decision tree on the page: walked answer by answer, with an example of the course or one's own.

mod app;
mod view;
mod walk;

pub use app::App;
pub use walk::{Act, Walk};

#[cfg(test)]
mod tests;
