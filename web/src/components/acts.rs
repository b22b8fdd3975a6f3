//! Actions: what a learner can break at the playhead, and what they can take back.

use sim::SimTime;
use yew::prelude::*;

use super::icon::{Sign, icon};
use crate::state::{Act, Offer, Take};
use crate::words::{Words, clock};

/// What can be done, and undone.
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct ActsProps {
    /// The catalogue.
    pub words: Words,
    /// The playhead, when this was drawn.
    pub now: SimTime,
    /// The clock in the label, for the painter.
    pub place: NodeRef,
    /// The exhibit's actions.
    pub offers: Vec<Offer>,
    /// The run's interventions.
    pub takes: Vec<Take>,
    /// Whether the settings are shown.
    pub more: Shown,
    /// Where acts go.
    pub on: Callback<Act>,
    /// Asked for the settings, or to put them away.
    pub on_more: Callback<()>,
}

/// Whether a part that one may fold away is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// It is.
    Yes,
    /// It is folded away.
    No,
    /// There is nothing to show.
    Never,
}

/// Buttons for what can be broken.
#[component]
pub fn Acts(props: &ActsProps) -> Html {
    let words = &props.words;
    if props.offers.is_empty() && props.takes.is_empty() && props.more == Shown::Never {
        return Html::default();
    }
    html! {
        <div class="acts" role="group" aria-label={words.text("acts.group")}>
            if !props.offers.is_empty() {
                <span class="acts__label">
                    { words.text("acts.label") }{ " " }
                    <span ref={props.place.clone()}>{ clock(props.now) }</span>
                </span>
            }
            { for props.offers.iter().enumerate().map(|(i, offer)| act(props, i, offer)) }
            if props.more != Shown::Never {
                <button
                    type="button"
                    class="btn btn--quiet"
                    aria-expanded={if props.more == Shown::Yes { "true" } else { "false" }}
                    onclick={props.on_more.reform(|_| ())}
                >
                    { icon(Sign::More) }<span>{ words.text("acts.more") }</span>
                </button>
            }
            if !props.takes.is_empty() {
                <div class="takes">{ for props.takes.iter().map(|take| take_back(props, take)) }</div>
            }
        </div>
    }
}

/// An action that cannot act stays where it is and says why.
fn act(props: &ActsProps, position: usize, offer: &Offer) -> Html {
    let can = offer.reason.is_empty();
    let note = if can { &offer.note } else { &offer.reason };
    let onclick = can.then(|| props.on.reform(move |_| Act::Break(position)));
    html! {
        <button
            type="button"
            class="act"
            aria-disabled={(!can).then_some("true")}
            onclick={onclick}
        >
            <span class="act__sign">{ icon(offer.sign) }</span>
            <span>{ &offer.label }{ " " }<small>{ note }</small></span>
        </button>
    }
}

fn take_back(props: &ActsProps, take: &Take) -> Html {
    let index = take.index;
    let onclick = props.on.reform(move |_| Act::TakeBack(index));
    html! {
        <button type="button" class="take" onclick={onclick}>
            { icon(Sign::Undo) }{ &take.label }
        </button>
    }
}
