//! What the exhibit asks of a browser: frames of animation, a seed, the clipboard, events, values.
//!
//! The rest of the crate knows none of it; natively, where `site` prerenders, nothing here is used.

mod canvas;
mod clipboard;
mod clock;
pub mod drag;
mod files;
mod hand;
mod host;
mod js;
mod keyboard;
mod later;
mod media;
mod memory;
mod paint;
mod picture;
mod seed;
mod ticker;
#[cfg(target_arch = "wasm32")]
pub mod values;

pub use canvas::Canvas;
pub use clipboard::{Copied, copy, here};
pub use clock::now_ms;
pub use files::{Content, Handed, hand_over};
pub use hand::{Hand, Word, hands};
pub use host::{Detail, Host, Telling};
pub use keyboard::{Heard, hear};
pub use later::Later;
pub use media::wants_less_motion;
pub use memory::{keep, recall, today};
pub use paint::{put_marks, set_attribute, set_style, set_text, set_value};
pub use picture::{picture, png};
pub use seed::propose_seed;
pub use ticker::Ticker;
