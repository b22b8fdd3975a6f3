//! The scene: which beat of the story the playhead is in, said in words.

use super::Page;
use super::icon::{Sign, icon};
use crate::markup::{Mark, el};
use crate::state::Act;
use crate::words::rich;

/// What the scene says.
pub struct Scene<'a> {
    /// The beat's number from 1; none before the first.
    pub beat: Option<usize>,
    /// Its title, or what to do first.
    pub title: &'a String,
    /// What it says.
    pub say: &'a str,
    /// Whether there is a beat before this one to go to.
    pub has_previous: Reach,
    /// Whether there is one after it.
    pub has_next: Reach,
}

/// Whether there is somewhere to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// There is.
    Open,
    /// There is not.
    Ended,
}

impl Scene<'_> {
    /// The beat and its neighbours.
    pub fn draw(&self, page: &Page) -> Mark {
        let beat = self.beat.map(|beat| {
            el("span", "exhibit__beat").set("aria-hidden", "true").text(beat.to_string())
        });
        let step = |label, sign, act, reach| {
            page.act("btn btn--icon btn--quiet", act)
                .set("aria-label", page.text(label))
                .when(reach == Reach::Ended, "disabled", "disabled")
                .with(icon(sign))
        };
        let say = el("p", "exhibit__say").with(el("b", "").text(self.title)).text(" ");
        let nav = el("div", "exhibit__nav")
            .with(step("scene.previous", Sign::Back, Act::PreviousBeat, self.has_previous))
            .with(step("scene.next", Sign::Forward, Act::NextBeat, self.has_next));
        el("div", "exhibit__scene").with(beat).with(say.with(rich(self.say))).with(nav)
    }
}
