//! The element: what JavaScript asks of an exhibit, and what it is told.
//!
//! `mount` puts an exhibit into a `div` and gives back a handle; attributes and the façade's calls
//! come through the handle, events go out through the host. The loader (`element.js`) decides when
//! to do that, finds the files and catches a panic.

mod answer;
mod app;
mod attributes;
mod compare;
mod crew;
#[cfg(target_arch = "wasm32")]
mod exports;
#[cfg(target_arch = "wasm32")]
mod facade;
mod many;
mod pace;
mod predict;
mod saves;
mod settings;
mod snapshot;
mod view;
mod views;

pub use app::{App, AppProps};
pub use settings::{Autoplay, Settings, Storage, complaint};

#[cfg(test)]
mod tests;
