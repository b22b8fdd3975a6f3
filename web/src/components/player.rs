//! The player: the scrubber, the keys of playback, the clock, the speed, the seed and the link.

use wasm_bindgen::JsCast;
use yew::{Html, NodeRef};

use super::Page;
use super::icon::{Sign, icon};
use super::input::slider;
use super::scrub::Scrub;
use crate::asked::Asked;
use crate::markup::{Mark, On, button, el};
use crate::state::{Act, Playing, Sought, Speed};
use crate::words::clock;

/// What the player shows.
pub struct PlayerBar<'a> {
    /// The run as a line.
    pub scrub: Scrub<'a>,
    /// Whether virtual time runs.
    pub playing: Playing,
    /// How fast.
    pub speed: Speed,
    /// The seed of the run.
    pub seed: u64,
    /// What to say for a moment, under the bar.
    pub said: &'a String,
    /// What the last change has done to the end of the run, if there was one.
    pub changed: Option<String>,
    /// How much of it is shown.
    pub controls: Controls,
    /// The big clock, for the painter.
    pub clock: &'a NodeRef,
}

/// How much of the player an embed shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Controls {
    /// All of it.
    #[default]
    Full,
    /// Scrubber, play and steps, clock.
    Mini,
    /// Nothing.
    None,
}

impl Controls {
    /// Reads an attribute.
    #[must_use]
    pub fn parse(text: &str) -> Option<Controls> {
        match text {
            "full" => Some(Controls::Full),
            "mini" => Some(Controls::Mini),
            "none" => Some(Controls::None),
            _ => None,
        }
    }
}

impl PlayerBar<'_> {
    /// The player.
    pub fn draw(&self, page: &Page) -> Html {
        if self.controls == Controls::None {
            return Html::default();
        }
        let (now, end) = (self.scrub.now, self.scrub.end);
        let full = self.controls == Controls::Full;
        let clocks = el("p", "player__clock")
            .with(el("b", "").at(self.clock).text(clock(now)))
            .with(el("span", "").text(page.words.say("player.of", &[("end", &clock(end))])));
        let bar = el("div", "player__bar")
            .with(playback(page, self.playing))
            .with(clocks)
            .with(full.then(|| speed(page, self.speed)))
            .with(full.then(|| seed(page, self.seed)));
        el("div", "player")
            .set("role", "group")
            .set("aria-label", page.text("player.label"))
            .with(self.scrub.draw(page))
            .with(bar)
            .with((!self.said.is_empty()).then(|| el("p", "player__said").text(self.said)))
            .with(self.changed.as_ref().map(|changed| el("p", "player__changed").text(changed)))
            .html()
    }
}

/// The keys of playback.
fn playback(page: &Page, playing: Playing) -> Mark {
    let (sign, label) = match playing {
        Playing::Yes => (Sign::Pause, "player.pause"),
        Playing::No => (Sign::Play, "player.play"),
    };
    let key = |sign, label, act| page.sign("btn btn--icon", sign, label, Asked::Act(act));
    el("div", "player__keys")
        .with(key(Sign::Start, "player.start", Act::ToStart))
        .with(key(Sign::Back, "player.back", Act::StepBack))
        .with(page.signed("btn btn--go", sign, label, Asked::Act(Act::Toggle)))
        .with(key(Sign::Forward, "player.forward", Act::Step))
        .with(next_of(page))
}

/// The menu "to the next …".
fn next_of(page: &Page) -> Mark {
    let entries = Sought::ALL.into_iter().map(|sought| {
        button("")
            .on(On::Click, page.on, move |event| {
                close_menu(event);
                Some(Asked::Act(Act::ToNext(sought)))
            })
            .text(page.text(&["next.", sought.key()].concat()))
    });
    let summary = el("summary", "btn btn--icon").named(page.text("player.next"));
    el("details", "menu")
        .with(summary.with(icon(Sign::Next)))
        .with(el("div", "menu__list").list(entries))
}

/// Folds the menu that a click came from, and gives the focus back to what opened it.
fn close_menu(event: &web_sys::Event) {
    let target = event.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
    let Some(menu) = target.and_then(|t| t.closest("details").ok().flatten()) else { return };
    // Removing an attribute that is there cannot fail, and focus is a courtesy.
    let _ = menu.remove_attribute("open");
    let summary = menu.first_element_child().map(JsCast::dyn_into::<web_sys::HtmlElement>);
    if let Some(Ok(summary)) = summary {
        let _ = summary.focus();
    }
}

/// The speed.
fn speed(page: &Page, speed: Speed) -> Mark {
    let say = |times: &str, most: &str| match speed.digits() {
        Some(digits) => page.words.say(times, &[("times", &digits)]),
        None => page.text(most),
    };
    let act = |position| Act::SetSpeed(Speed::at(position as usize));
    let input = slider(page, speed.position() as u32, Speed::LAST as u32, act)
        .set("aria-valuetext", say("speed.times", "speed.most"));
    let short = say("speed.times.short", "speed.most.short");
    el("div", "player__speed")
        .with(el("label", "").say(page.words, "speed.label").text(" ").with(input))
        .with(el("output", "").set("aria-hidden", "true").text(short))
}

/// The seed, and what one does with the whole run.
fn seed(page: &Page, seed: u64) -> Mark {
    let number = el("span", "player__seedno")
        .say(page.words, "seed.label")
        .text(" ")
        .with(el("b", "").text(seed.to_string()));
    let quiet = "btn btn--quiet";
    let small = "btn btn--icon btn--quiet";
    el("div", "player__seed")
        .with(number)
        .with(page.sign(small, Sign::Die, "seed.another", Asked::AnotherSeed))
        .with(page.signed(quiet, Sign::Link, "link.copy", Asked::Link))
        .with(page.signed(quiet, Sign::Undo, "player.reset", Asked::Act(Act::Reset)))
        .with(page.sign(small, Sign::Help, "keys.open", Asked::Keys))
}
