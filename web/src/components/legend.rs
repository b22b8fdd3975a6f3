//! The legend: how to read the map.

use player::MessageState;
use yew::prelude::*;

use super::glyph::{Glyph, glyph};
use crate::words::Words;

/// What the legend explains.
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct LegendProps {
    /// The catalogue.
    pub words: Words,
    /// The keys of the run, in order of first appearance.
    pub keys: Vec<AttrValue>,
}

/// At most so many keys are named; the colours repeat after eight.
const KEYS: usize = 8;

const STATES: [(MessageState, &str); 6] = [
    (MessageState::Published, "state.published"),
    (MessageState::Available, "state.available"),
    (MessageState::InFlight, "state.in_flight"),
    (MessageState::Acked, "state.acked"),
    (MessageState::Redelivered, "state.redelivered"),
    (MessageState::DeadLettered, "state.dead_lettered"),
];

/// Colour is the key, shape is the state.
#[component]
pub fn Legend(props: &LegendProps) -> Html {
    let words = &props.words;
    let named = props.keys.iter().take(KEYS).zip(0_u16..);
    html! {
        <div class="legend">
            if !props.keys.is_empty() {
                <div class="legend__set">
                    <b>{ words.text("legend.keys") }</b>
                    <ul>
                        { for named.map(|(name, key)| html! {
                            <li>
                                { glyph(Glyph { state: MessageState::Available, key }, 16) }
                                <span class="mono">{ name }</span>
                            </li>
                        }) }
                    </ul>
                </div>
            }
            <div class="legend__set">
                <b>{ words.text("legend.states") }</b>
                <ul>
                    { for STATES.into_iter().map(|(state, label)| html! {
                        <li>{ glyph(Glyph { state, key: 0 }, 20) }{ words.text(label) }</li>
                    }) }
                </ul>
            </div>
        </div>
    }
}
