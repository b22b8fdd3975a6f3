//! The sign: an exhibit's name plate, or a plain heading where the exhibit is a guest.

use yew::prelude::*;

use super::heading::heading;
use crate::words::Words;

/// What stands on the sign.
pub struct SignPlate {
    /// The catalogue.
    pub words: Words,
    /// The exhibit's title.
    pub title: String,
    /// Its number, "2.2"; empty if it has none.
    pub number: String,
    /// What it teaches, in a line.
    pub lesson: String,
    /// Whose rules the run follows.
    pub rules: String,
    /// How it is framed.
    pub frame: FrameStyle,
    /// The level of its heading, 1 to 6.
    pub level: u8,
    /// The id by which the exhibit is labelled.
    pub id: String,
}

/// How an exhibit is framed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrameStyle {
    /// The black sign of our own pages.
    Page,
    /// A plain heading, for a page of somebody else's.
    #[default]
    Quiet,
    /// A plain heading, and the page's own ground behind it.
    Clear,
    /// The page's own ground, and no heading that is seen.
    None,
}

impl FrameStyle {
    /// The classes of an exhibit framed like this.
    #[must_use]
    pub fn class(self) -> &'static str {
        match self {
            FrameStyle::Page => "exhibit exhibit--wide",
            FrameStyle::Quiet => "exhibit exhibit--wide exhibit--quiet",
            FrameStyle::Clear | FrameStyle::None => {
                "exhibit exhibit--wide exhibit--quiet exhibit--clear"
            }
        }
    }

    /// Reads an attribute.
    #[must_use]
    pub fn parse(text: &str) -> Option<FrameStyle> {
        match text {
            "sign" => Some(FrameStyle::Page),
            "quiet" => Some(FrameStyle::Quiet),
            "clear" => Some(FrameStyle::Clear),
            "none" => Some(FrameStyle::None),
            _ => None,
        }
    }
}

impl SignPlate {
    /// The name plate.
    pub fn draw(&self) -> Html {
        let id = Some(AttrValue::from(self.id.clone()));
        if self.frame == FrameStyle::None {
            return heading(self.level, "visually-hidden", id, html! { { &self.title } });
        }
        let line = self.number.split('.').next().filter(|line| !line.is_empty());
        let title = html! {
            <>
                if let Some(line) = line { <span class="bullet" aria-hidden="true">{ line }</span> }
                <span>{ &self.title }</span>
            </>
        };
        let class = if self.frame == FrameStyle::Page { "sign sign--page" } else { "sign" };
        html! {
            <header class={class}>
                { heading(self.level, "sign__title", id, title) }
                <p class="sign__meta">
                    if !self.number.is_empty() {
                        <span>{ self.words.say("sign.number", &[("number", &self.number)]) }</span>
                    }
                    if !self.rules.is_empty() { <span>{ &self.rules }</span> }
                </p>
                if !self.lesson.is_empty() { <p class="sign__lesson">{ &self.lesson }</p> }
            </header>
        }
    }
}
