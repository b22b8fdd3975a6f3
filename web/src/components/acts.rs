//! Actions: what a learner can break at the playhead, and what they can take back.

use sim::SimTime;
use yew::prelude::*;

use super::icon::{Sign, icon};
use crate::state::{Act, Offer, Take};
use crate::words::{Words, clock};

/// What can be done, and undone.
pub struct Acts {
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

impl Acts {
    /// Buttons for what can be broken.
    pub fn draw(&self) -> Html {
        let words = &self.words;
        if self.offers.is_empty() && self.takes.is_empty() && self.more == Shown::Never {
            return Html::default();
        }
        html! {
            <div class="acts" role="group" aria-label={words.text("acts.group")}>
                if !self.offers.is_empty() {
                    <span class="acts__label">
                        { words.text("acts.label") }{ " " }
                        <span ref={self.place.clone()}>{ clock(self.now) }</span>
                    </span>
                }
                { for self.offers.iter().enumerate().map(|(i, offer)| act(self, i, offer)) }
                if self.more != Shown::Never {
                    <button
                        type="button"
                        class="btn btn--quiet"
                        aria-expanded={if self.more == Shown::Yes { "true" } else { "false" }}
                        onclick={self.on_more.reform(|_| ())}
                    >
                        { icon(Sign::More) }<span>{ words.text("acts.more") }</span>
                    </button>
                }
                if !self.takes.is_empty() {
                    <div class="takes">{ for self.takes.iter().map(|take| take_back(self, take)) }</div>
                }
            </div>
        }
    }
}

/// An action that cannot act stays where it is and says why.
fn act(props: &Acts, position: usize, offer: &Offer) -> Html {
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

fn take_back(props: &Acts, take: &Take) -> Html {
    let index = take.index;
    let onclick = props.on.reform(move |_| Act::TakeBack(index));
    html! {
        <button type="button" class="take" onclick={onclick}>
            { icon(Sign::Undo) }{ &take.label }
        </button>
    }
}
