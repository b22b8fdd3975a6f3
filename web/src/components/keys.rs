//! The keys of the player, listed by `?`.

use yew::prelude::*;

use super::icon::{Sign, icon};
use crate::words::Words;

/// The list of keys.
pub struct Keys {
    /// The catalogue.
    pub words: Words,
    /// Called to put the list away.
    pub on_close: Callback<()>,
}

/// The keys of each entry in the catalogue.
const KEYS: [(&[&str], &str); 7] = [
    (&["Space"], "keys.space"),
    (&["→"], "keys.right"),
    (&["←"], "keys.left"),
    (&["Home"], "keys.home"),
    (&["End"], "keys.end"),
    (&["[", "]"], "keys.speed"),
    (&["?"], "keys.help"),
];

impl Keys {
    /// A list of what each key does while the focus is inside the exhibit.
    pub fn draw(&self) -> Html {
        let words = &self.words;
        let close = self.on_close.reform(|_| ());
        html! {
            <section class="keys" aria-label={words.text("keys.title")}>
                <div class="keys__head">
                    <b>{ words.text("keys.title") }</b>
                    <button
                        type="button"
                        class="btn btn--icon btn--quiet"
                        aria-label={words.text("keys.close")}
                        onclick={close}
                    >
                        { icon(Sign::Close) }
                    </button>
                </div>
                <dl>
                    { for KEYS.iter().map(|(keys, means)| html! {
                        <>
                            <dt>{ for keys.iter().map(|key| html! { <kbd>{ *key }</kbd> }) }</dt>
                            <dd>{ words.text(means) }</dd>
                        </>
                    }) }
                </dl>
                <p>{ words.text("keys.when") }</p>
            </section>
        }
    }
}
