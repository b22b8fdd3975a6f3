//! The scene: which beat of the story the playhead is in, said in words.

use yew::prelude::*;

use super::icon::{Sign, icon};
use crate::state::Act;
use crate::words::{Words, rich};

/// What the scene says.
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct SceneProps {
    /// The catalogue.
    pub words: Words,
    /// The beat's number from 1; none before the first.
    pub beat: Option<usize>,
    /// Its title, or what to do first.
    pub title: AttrValue,
    /// What it says.
    pub say: AttrValue,
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

/// The beat and its neighbours.
#[component]
pub fn Scene(props: &SceneProps) -> Html {
    let words = &props.words;
    html! {
        <div class="exhibit__scene">
            if let Some(beat) = props.beat {
                <span class="exhibit__beat" aria-hidden="true">{ beat }</span>
            }
            <p class="exhibit__say"><b>{ &props.title }</b>{ " " }{ rich(&props.say) }</p>
            <div class="exhibit__nav">
                { step(props, words.text("scene.previous"), Sign::Back, Act::PreviousBeat, props.has_previous) }
                { step(props, words.text("scene.next"), Sign::Forward, Act::NextBeat, props.has_next) }
            </div>
        </div>
    }
}

fn step(props: &SceneProps, label: String, sign: Sign, act: Act, reach: Reach) -> Html {
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
