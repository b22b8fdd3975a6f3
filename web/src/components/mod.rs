//! The parts of an exhibit on the page, one a file. Each is a function of plain data; what can be
//! done goes out as something that is [`Asked`](crate::asked::Asked).

mod acts;
mod chart;
mod controls;
mod gauges;
mod glyph;
mod heading;
mod icon;
mod input;
mod inspector;
mod keys;
mod legend;
mod life;
mod notices;
mod page;
mod player;
mod program;
mod rove;
mod scene;
mod scrub;
mod sequence;
mod sign;
mod tabs;
mod timeline;
mod transcript;

pub use acts::{Acts, Shown};
pub use chart::charts;
pub use controls::controls;
pub use gauges::gauges;
pub use glyph::{Glyph, glyph, numbered, token};
pub use icon::{Sign, icon};
pub use inspector::inspector;
pub use keys::keys;
pub use legend::legend;
pub use life::{LifeStrip, shift};
pub use notices::{GoesOn, notices};
pub use page::Page;
pub use player::{Controls, PlayerBar};
pub use program::{ProgramList, focus_held};
pub use scene::{Reach, Scene};
pub use scrub::{Scrub, ScrubPlaces, grain, percent, ticks};
pub use sequence::{SequenceView, keep_in_middle};
pub use sign::{FrameStyle, sign_plate};
pub use tabs::tabs;
pub use timeline::{TimelineView, percent as share_percent};
pub use transcript::{More, Transcript, keep_in_sight};
