//! The inspector: what a component or a message is, how it is set, and how it stands now.

use yew::prelude::*;

use super::heading::heading;
use super::icon::{Sign, icon};
use crate::state::{Act, Card};
use crate::words::Words;

/// What is inspected.
pub struct Inspector {
    /// The catalogue.
    pub words: Words,
    /// What there is to say about it.
    pub card: Card,
    /// The level of its heading.
    pub level: u8,
    /// Where acts go.
    pub on: Callback<Act>,
}

impl Inspector {
    /// A card about one thing.
    pub fn draw(&self) -> Html {
        let (words, card) = (&self.words, &self.card);
        let title = html! { { &card.title } };
        let close = words.text("inspector.close");
        let follow = card.follow.map(|message| self.on.reform(move |_| Act::Follow(Some(message))));
        html! {
            <section class="inspector" aria-label={words.text("inspector.label")}>
                <header>
                    <div class="inspector__head">
                        <span class="inspector__kind">{ &card.kind }</span>
                        <button
                            type="button"
                            class="btn btn--icon btn--quiet"
                            aria-label={close.clone()}
                            title={close}
                            onclick={self.on.reform(|_| Act::Inspect(None))}
                        >
                            { icon(Sign::Close) }
                        </button>
                    </div>
                    { heading(self.level, "inspector__title", None, title) }
                    <p>{ &card.says }</p>
                </header>
                if !card.now.is_empty() {
                    <dl class="inspector__now">
                        { for card.now.iter().map(|(name, value)| html! {
                            <div><dt>{ name }</dt><dd>{ value }</dd></div>
                        }) }
                    </dl>
                }
                if !card.links.is_empty() {
                    <ul class="links">
                        { for card.links.iter().map(|link| {
                            let to = link.to;
                            let onclick = self.on.reform(move |_| Act::Inspect(Some(to)));
                            html! {
                                <li>
                                    <span>{ &link.how }</span>
                                    <button type="button" class="take" onclick={onclick}>{ &link.label }</button>
                                </li>
                            }
                        }) }
                    </ul>
                }
                if !card.settings.is_empty() {
                    <dl class="inspector__set">
                        { for card.settings.iter().map(|setting| html! {
                            <div>
                                <dt>{ &setting.name }</dt>
                                <dd>
                                    { &setting.value }
                                    if !setting.from.is_empty() { <small>{ &setting.from }</small> }
                                </dd>
                            </div>
                        }) }
                    </dl>
                }
                if let Some(follow) = follow {
                    <div class="inspector__acts">
                        <button type="button" class="btn btn--small" onclick={follow}>
                            { words.text("inspector.follow") }
                        </button>
                    </div>
                }
            </section>
        }
    }
}
