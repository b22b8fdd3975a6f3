//! The front end of Inflight: an exhibit as a Yew application that mounts inside `<in-flight>`.
//!
//! ```text
//!  element.js ─► element (mount, attributes, façade) ─► App ─┬─ state: Session ─► player
//!       ▲                                                    ├─ components: the parts of the page
//!       └────────────── events (browser::Host) ◄─────────────┤    └─ map: the run as a transit map
//!                                                            └─ words: every text, from a file
//! ```
//!
//! - [`state`]: an exhibit in a learner's hands, in plain Rust. Everything is an act on a session.
//! - [`components`]: the parts of the page, each a function of plain data, built by `markup`.
//! - [`asked`]: everything that the application can be asked.
//! - [`map`]: layout, drawing and painter of the topology view.
//! - [`words`]: the catalogue, sentences for trace events, clocks and numbers.
//! - `api`: the engine for scripts that want no views. [`element`]: the border to JavaScript. `browser`: what we ask of the browser.
//! - [`prerender`]: the still picture that stands in a page before the module arrives.
//!
//! Yew draws when a trace event has passed or something was done. Between two events a painter sets
//! the few attributes that move; there is no virtual DOM inside `requestAnimationFrame`.
//!
//! # What this crate does not do
//!
//! It knows no broker rule and decides nothing about a run: it reads frames and sends
//! interventions. It fetches nothing, stores nothing and parses no JSON text.

#[cfg(target_arch = "wasm32")]
mod api;
pub mod asked;
#[cfg(feature = "bench")]
mod bench;
mod browser;
pub mod components;
pub mod element;
pub mod icons;
pub mod map;
mod markup;
mod picture;
#[cfg(not(target_arch = "wasm32"))]
mod prerender;
pub mod quiz;
pub mod sheet;
pub mod state;
mod study;
#[cfg(test)]
mod testing;
mod token;
pub mod tree;
pub mod words;

/// Two-level segregated fit takes a third of the code that the standard library's allocator takes.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static MEMORY: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

#[cfg(not(target_arch = "wasm32"))]
pub use prerender::{Prerendered, prerender};
