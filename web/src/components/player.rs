//! The player: the scrubber, the keys of playback, the clock, the speed, the seed and the link.

use sim::SimTime;
use wasm_bindgen::JsCast;
use yew::prelude::*;

use super::icon::{Sign, icon};
use super::scrub::{Scrub, ScrubPlaces};
use crate::state::{Act, Mark, Playing, Sought, Speed};
use crate::words::{Words, clock};

/// What the player shows.
pub struct PlayerBar {
    /// The catalogue.
    pub words: Words,
    /// Whether virtual time runs.
    pub playing: Playing,
    /// The run's end.
    pub end: SimTime,
    /// The playhead, when this was drawn.
    pub now: SimTime,
    /// Stops and flags.
    pub marks: Vec<Mark>,
    /// The depth over the run.
    pub depth: String,
    /// How fast.
    pub speed: Speed,
    /// The seed of the run.
    pub seed: u64,
    /// What to say for a moment, under the bar.
    pub said: String,
    /// How much of it is shown.
    pub controls: Controls,
    /// What the painter moves.
    pub places: PlayerPlaces,
    /// Where acts go.
    pub on: Callback<Act>,
    /// Asked for another seed.
    pub on_another_seed: Callback<()>,
    /// Asked for the link.
    pub on_link: Callback<()>,
    /// Asked for the list of keys.
    pub on_keys: Callback<()>,
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

/// The parts that move with the playhead.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerPlaces {
    /// Those of the scrubber.
    pub scrub: ScrubPlaces,
    /// The big clock.
    pub clock: NodeRef,
}

impl PlayerBar {
    /// The player.
    pub fn draw(&self) -> Html {
        if self.controls == Controls::None {
            return Html::default();
        }
        let words = &self.words;
        let full = self.controls == Controls::Full;
        let scrub = Scrub {
            words: words.clone(),
            end: self.end,
            now: self.now,
            marks: self.marks.clone(),
            depth: self.depth.clone(),
            places: self.places.scrub.clone(),
            on: self.on.clone(),
        };
        html! {
            <div class="player" role="group" aria-label={words.text("player.label")}>
                { scrub.draw() }
                <div class="player__bar">
                    { playback(self) }
                    <p class="player__clock">
                        <b ref={self.places.clock.clone()}>{ clock(self.now) }</b>
                        <span>{ words.say("player.of", &[("end", &clock(self.end))]) }</span>
                    </p>
                    if full { { speed(self) } { seed(self) } }
                </div>
                if !self.said.is_empty() { <p class="player__said">{ &self.said }</p> }
            </div>
        }
    }
}

/// The keys of playback.
fn playback(props: &PlayerBar) -> Html {
    let words = &props.words;
    let (sign, label) = match props.playing {
        Playing::Yes => (Sign::Pause, "player.pause"),
        Playing::No => (Sign::Play, "player.play"),
    };
    html! {
        <div class="player__keys">
            { key(props, Sign::Start, "player.start", Act::ToStart) }
            { key(props, Sign::Back, "player.back", Act::StepBack) }
            <button
                type="button"
                class="btn btn--go"
                onclick={props.on.reform(|_| Act::Toggle)}
            >
                { icon(sign) }<span>{ words.text(label) }</span>
            </button>
            { key(props, Sign::Forward, "player.forward", Act::Step) }
            { next_of(props) }
        </div>
    }
}

/// A key with a sign alone.
fn key(props: &PlayerBar, sign: Sign, label: &str, act: Act) -> Html {
    let label = props.words.text(label);
    html! {
        <button
            type="button"
            class="btn btn--icon"
            aria-label={label.clone()}
            title={label}
            onclick={props.on.reform(move |_| act.clone())}
        >
            { icon(sign) }
        </button>
    }
}

/// The menu "to the next …".
fn next_of(props: &PlayerBar) -> Html {
    let words = &props.words;
    let label = words.text("player.next");
    html! {
        <details class="menu">
            <summary class="btn btn--icon" aria-label={label.clone()} title={label}>
                { icon(Sign::Next) }
            </summary>
            <div class="menu__list">
                { for Sought::ALL.into_iter().map(|sought| {
                    let onclick = props.on.reform(move |event: MouseEvent| {
                        close_menu(&event);
                        Act::ToNext(sought)
                    });
                    let label = words.text(&["next.", sought.key()].concat());
                    html! { <button type="button" onclick={onclick}>{ label }</button> }
                }) }
            </div>
        </details>
    }
}

/// Folds the menu that a click came from, and gives the focus back to what opened it.
fn close_menu(event: &MouseEvent) {
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
fn speed(props: &PlayerBar) -> Html {
    let words = &props.words;
    let position = props.speed.position();
    let said = match props.speed.digits() {
        Some(digits) => words.say("speed.times", &[("times", &digits)]),
        None => words.text("speed.most"),
    };
    let short = match props.speed.digits() {
        Some(digits) => words.say("speed.times.short", &[("times", &digits)]),
        None => words.text("speed.most.short"),
    };
    let at = [(position * 100 / Speed::LAST).to_string().as_str(), "%"].concat();
    let oninput = props.on.reform(|event: InputEvent| {
        let input: web_sys::HtmlInputElement = event.target_unchecked_into();
        Act::SetSpeed(Speed::at(input.value().parse().unwrap_or(0)))
    });
    html! {
        <div class="player__speed">
            <label>
                { words.text("speed.label") }{ " " }
                <input
                    type="range"
                    min="0"
                    max={Speed::LAST.to_string()}
                    value={position.to_string()}
                    data-at={at}
                    aria-valuetext={said}
                    oninput={oninput}
                />
            </label>
            <output aria-hidden="true">{ short }</output>
        </div>
    }
}

/// The seed, and what one does with the whole run.
fn seed(props: &PlayerBar) -> Html {
    let words = &props.words;
    let another = words.text("seed.another");
    let help = words.text("keys.open");
    html! {
        <div class="player__seed">
            <span class="player__seedno">
                { words.text("seed.label") }{ " " }<b>{ props.seed.to_string() }</b>
            </span>
            <button
                type="button"
                class="btn btn--icon btn--quiet"
                aria-label={another.clone()}
                title={another}
                onclick={props.on_another_seed.reform(|_| ())}
            >
                { icon(Sign::Die) }
            </button>
            <button
                type="button"
                class="btn btn--quiet"
                onclick={props.on_link.reform(|_| ())}
            >
                { icon(Sign::Link) }<span>{ words.text("link.copy") }</span>
            </button>
            <button
                type="button"
                class="btn btn--quiet"
                onclick={props.on.reform(|_| Act::Reset)}
            >
                { icon(Sign::Undo) }<span>{ words.text("player.reset") }</span>
            </button>
            <button
                type="button"
                class="btn btn--icon btn--quiet"
                aria-label={help.clone()}
                title={help}
                onclick={props.on_keys.reform(|_| ())}
            >
                { icon(Sign::Help) }
            </button>
        </div>
    }
}
