//! The parts of an exhibit on the page, one a file. Each is a function of plain data; what can be
//! done goes out as an [`crate::state::Act`].

mod acts;
mod controls;
mod gauges;
mod glyph;
mod heading;
mod icon;
mod inspector;
mod keys;
mod legend;
mod life;
mod notices;
mod player;
mod program;
mod scene;
mod scrub;
mod sign;
mod stage;
mod transcript;

pub use acts::{Acts, Shown};
pub use controls::ControlsPanel;
pub use gauges::Gauges;
pub use glyph::{Glyph, glyph, numbered, token};
pub use icon::{Sign, icon};
pub use inspector::Inspector;
pub use keys::Keys;
pub use legend::Legend;
pub use life::{LifeStrip, shift};
pub use notices::{GoesOn, Notices};
pub use player::{Controls, PlayerBar, PlayerPlaces};
pub use program::ProgramList;
pub use scene::{Reach, Scene};
pub use scrub::{GRAIN, Scrub, ScrubPlaces, percent};
pub use sign::{FrameStyle, SignPlate};
pub use stage::{Stage, StagePlaces};
pub use transcript::{More, Transcript};
