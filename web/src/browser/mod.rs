//! What the exhibit asks of a browser: frames of animation, a seed, the clipboard, events, values.
//!
//! The rest of the crate knows none of it; natively, where `site` prerenders, nothing here is used.

mod clipboard;
pub mod drag;
mod host;
mod keyboard;
mod later;
mod media;
mod memory;
mod paint;
mod save;
mod seed;
mod ticker;
#[cfg(target_arch = "wasm32")]
pub mod values;

pub use clipboard::{Copied, copy, here};
pub use host::{Detail, Host, Telling};
pub use keyboard::{Heard, hear};
pub use later::Later;
pub use media::wants_less_motion;
pub use memory::{keep, recall, today};
pub use paint::{put_marks, set_attribute, set_style, set_text, set_value};
pub use save::save;
pub use seed::propose_seed;
pub use ticker::Ticker;
