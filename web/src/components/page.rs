//! What every part of the page is given, and the buttons that several of them have.

use yew::Callback;

use super::icon::{Sign, icon};
use crate::asked::Asked;
use crate::markup::{Mark, button, el};
use crate::state::Act;
use crate::words::Words;

/// What every part of the page is given.
#[derive(Clone, Copy)]
pub struct Page<'a> {
    /// The catalogue.
    pub words: &'a Words,
    /// Who is asked.
    pub on: &'a Callback<Asked>,
    /// The level of the exhibit's own heading; those of its parts are one deeper.
    pub level: u8,
    /// The title of the exhibit, which tells its parts from those of others on one page.
    pub title: &'a str,
}

impl Page<'_> {
    /// A text of the catalogue.
    #[must_use]
    pub fn text(&self, key: &str) -> String {
        self.words.text(key)
    }

    /// The name of a part of the exhibit that one can jump to: those of several exhibits on a page
    /// are told apart by it.
    #[must_use]
    #[inline(never)]
    pub fn landmark(&self, key: &str) -> String {
        self.words.say("landmark", &[("part", &self.words.text(key)), ("of", self.title)])
    }

    /// A button that does something to the session.
    #[must_use]
    #[inline(never)]
    pub fn act(&self, class: &'static str, act: Act) -> Mark {
        self.ask(class, Asked::Act(act))
    }

    /// A button that asks for something.
    #[must_use]
    #[inline(never)]
    pub fn ask(&self, class: &'static str, asked: Asked) -> Mark {
        button(class).click(self.on, asked)
    }

    /// A button with a sign, and a text of the catalogue beside it.
    #[must_use]
    #[inline(never)]
    pub fn signed(&self, class: &'static str, sign: Sign, label: &str, asked: Asked) -> Mark {
        self.ask(class, asked).with(icon(sign)).with(el("span", "").say(self.words, label))
    }

    /// A button with a sign alone, named by a text of the catalogue.
    #[must_use]
    #[inline(never)]
    pub fn sign(&self, class: &'static str, sign: Sign, label: &str, asked: Asked) -> Mark {
        self.ask(class, asked).named(self.text(label)).with(icon(sign))
    }
}
