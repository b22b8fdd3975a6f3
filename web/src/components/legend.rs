//! The legend: how to read the map.

use player::MessageState;

use super::Page;
use super::glyph::{Glyph, glyph};
use crate::markup::{Mark, el};

/// At most so many keys are named; the colours repeat after eight.
pub const KEYS: usize = 8;

const STATES: [(MessageState, &str); 6] = [
    (MessageState::Published, "state.published"),
    (MessageState::Available, "state.available"),
    (MessageState::InFlight, "state.in_flight"),
    (MessageState::Acked, "state.acked"),
    (MessageState::Redelivered, "state.redelivered"),
    (MessageState::DeadLettered, "state.dead_lettered"),
];

/// Colour is the key, shape is the state. `keys` are those of the run with their names, in order
/// of first appearance; `timed` says whether a message in flight comes back after some time.
pub fn legend(page: &Page, keys: &[(u16, String)], timed: bool) -> Mark {
    let set = |title: &str, list: Mark| {
        el("div", "legend__set").with(el("b", "").say(page.words, title)).with(list)
    };
    let named = || {
        let named = keys.iter().map(|(key, name)| {
            el("li", "")
                .with(glyph(Glyph { state: MessageState::Available, key: *key }, 16))
                .with(el("span", "mono").text(name))
        });
        set("legend.keys", el("ul", "").list(named))
    };
    let states = STATES.into_iter().map(|(state, label)| {
        let untimed = state == MessageState::InFlight && !timed;
        let label = if untimed { "legend.in_flight" } else { label };
        el("li", "").with(glyph(Glyph { state, key: 0 }, 20)).say(page.words, label)
    });
    el("div", "legend")
        .with((!keys.is_empty()).then(named))
        .with(set("legend.states", el("ul", "").list(states)))
}
