//! The legend: how to read the map.

use player::MessageState;
use yew::prelude::*;

use super::glyph::{Glyph, glyph};
use crate::words::Words;

/// What the legend explains.
pub struct Legend {
    /// The catalogue.
    pub words: Words,
    /// The keys of the run, in order of first appearance.
    pub keys: Vec<String>,
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

impl Legend {
    /// Colour is the key, shape is the state.
    pub fn draw(&self) -> Html {
        let words = &self.words;
        let named = self.keys.iter().take(KEYS).zip(0_u16..);
        html! {
            <div class="legend">
                if !self.keys.is_empty() {
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
}
