//! The map: a run as a transit map that can be ridden.
//!
//! ```text
//! Scenario --layout--> Plan --+
//!                             +--motions--> Motions --+--draw--> the picture at the frame's moment
//! Player ------------> Frame -+                       +--painter--> the same elements, moved
//! ```
//!
//! The picture is drawn anew when an event has passed; between two events the [`Painter`] moves what
//! moves. Colours and line widths are the stylesheet's.
//!
//! A pipeline of one queue has a plan with room for everything that can be said of each message. Any
//! other scenario is laid out in layers from left to right, or, where it has less width than that
//! takes, one component under the other.
//!
//! What this module does not do: it knows no rule of a broker, and nothing of playing speed.

mod crowd;
pub mod draw;
mod hands;
pub mod layout;
pub mod lift;
pub mod mark;
pub mod motion;
mod painter;
mod stage;

#[cfg(test)]
mod sheet_tests;
#[cfg(test)]
mod tests;

pub use draw::Mode;
pub use layout::{Plan, Shape, plan};
pub use stage::{Shown, Stage, still};
