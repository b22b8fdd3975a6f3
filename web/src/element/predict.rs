//! The question that is asked before a run is played: its part of the page, and where the focus goes.

use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use super::App;
use crate::components::{Page, prediction};
use crate::markup::Mark;
use crate::state::{Act, Session, foretold};

/// The button that plays.
const PLAY: &str = ".player__keys .btn--go";

/// The prediction at the playhead, if there is one.
#[inline(never)]
pub fn predict(page: &Page, session: &Session) -> Option<Mark> {
    let (asked, guess) = session.prediction()?;
    let shown = foretold(session, page.words)?;
    Some(prediction(page, asked, guess, &shown))
}

/// Where the focus goes after an act whose button is gone, as selectors within the exhibit: to the
/// first that is there.
#[inline(never)]
pub fn focus_after(act: &Act) -> Option<&'static [&'static str]> {
    match act {
        Act::SkipGuess | Act::CommitGuess => Some(&[PLAY]),
        Act::AskFirst => Some(&[".predict input"]),
        Act::Sweep(_) | Act::StopSweep | Act::DropSweep => Some(&[".many--runs button", PLAY]),
        Act::Explore | Act::StopExploring | Act::DropMatrix => Some(&[".matrix button", PLAY]),
        Act::KeepOther => Some(&[".compare button"]),
        Act::DropOther => Some(&[".many--keep button", PLAY]),
        _ => None,
    }
}

/// Puts the focus there. It is a courtesy, and nothing depends on it.
#[inline(never)]
pub fn put_focus(inside: &NodeRef, selectors: &[&str]) {
    use wasm_bindgen::JsCast;
    let exhibit = inside.cast::<Element>().and_then(|it| it.closest(".exhibit").ok().flatten());
    let find = |selector: &&str| exhibit.as_ref()?.query_selector(selector).ok().flatten();
    let found = selectors.iter().find_map(find);
    if let Some(Ok(found)) = found.map(JsCast::dyn_into::<HtmlElement>) {
        let _ = found.focus();
    }
}

impl App {
    /// Asks the question in place of playing, if it is still to be asked. Says whether it did.
    #[inline(never)]
    pub(super) fn ask_first(&mut self, ctx: &Context<App>) -> bool {
        let asks = self.session.as_mut().is_some_and(|session| session.get_mut().asks_first());
        if asks {
            self.act(ctx, Act::AskFirst);
            self.speak(ctx, self.words.text("predict.asked"));
        }
        asks
    }
}
