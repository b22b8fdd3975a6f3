//! The keys of the player, listed by `?`.

use yew::prelude::*;

use super::icon::{Sign, icon};
use crate::words::Words;

/// The list of keys.
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct KeysProps {
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

/// A list of what each key does while the focus is inside the exhibit.
#[component]
pub fn Keys(props: &KeysProps) -> Html {
    let words = &props.words;
    let close = props.on_close.reform(|_| ());
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
