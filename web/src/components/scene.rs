//! The scene: which beat of the story the playhead is in, said in words.

use yew::prelude::*;

use super::icon::{Sign, icon};
use crate::state::Act;
use crate::words::{Words, rich};

/// What the scene says.
pub struct Scene {
    /// The catalogue.
    pub words: Words,
    /// The beat's number from 1; none before the first.
    pub beat: Option<usize>,
    /// Its title, or what to do first.
    pub title: String,
    /// What it says.
    pub say: String,
    /// Whether there is a beat before this one to go to.
    pub has_previous: Reach,
    /// Whether there is one after it.
    pub has_next: Reach,
    /// Where acts go.
    pub on: Callback<Act>,
}

/// Whether there is somewhere to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// There is.
    Open,
    /// There is not.
    Ended,
}

impl Scene {
    /// The beat and its neighbours.
    pub fn draw(&self) -> Html {
        let words = &self.words;
        html! {
            <div class="exhibit__scene">
                if let Some(beat) = self.beat {
                    <span class="exhibit__beat" aria-hidden="true">{ beat }</span>
                }
                <p class="exhibit__say"><b>{ &self.title }</b>{ " " }{ rich(&self.say) }</p>
                <div class="exhibit__nav">
                    { step(self, words.text("scene.previous"), Sign::Back, Act::PreviousBeat, self.has_previous) }
                    { step(self, words.text("scene.next"), Sign::Forward, Act::NextBeat, self.has_next) }
                </div>
            </div>
        }
    }
}

fn step(props: &Scene, label: String, sign: Sign, act: Act, reach: Reach) -> Html {
    let ended = reach == Reach::Ended;
    let onclick = props.on.reform(move |_| act.clone());
    html! {
        <button
            type="button"
            class="btn btn--icon btn--quiet"
            aria-label={label}
            disabled={ended}
            onclick={onclick}
        >
            { icon(sign) }
        </button>
    }
}
