//! Notices: what is wrong with a file, a link or an attribute, where, and the repair.

use scenario::wire::Diagnostic;
use yew::prelude::*;

use super::icon::{Sign, icon};
use crate::state::Act;
use crate::words::Words;

/// What is wrong, if anything.
pub struct Notices {
    /// The catalogue.
    pub words: Words,
    /// One entry a thing.
    pub notices: Vec<Diagnostic>,
    /// Whether the exhibit goes on (with the default, or with the run before) or cannot be shown.
    pub goes_on: GoesOn,
    /// Where acts go.
    pub on: Callback<Act>,
}

/// Whether there is an exhibit besides the notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoesOn {
    /// The exhibit is shown, without what is wrong.
    Yes,
    /// There is nothing to show.
    No,
}

impl Notices {
    /// A list of notices that can be put away.
    pub fn draw(&self) -> Html {
        if self.notices.is_empty() {
            return Html::default();
        }
        let words = &self.words;
        let heading = words.text(match self.goes_on {
            GoesOn::Yes => "notice.goes_on",
            GoesOn::No => "notice.stops",
        });
        let dismiss = self.on.reform(|_| Act::Dismiss);
        html! {
            <section class="notice" role="alert">
                <span class="notice__sign" aria-hidden="true">{ "!" }</span>
                <div class="notice__body">
                    <b>{ heading }</b>
                    <ul class="notice__list">
                        { for self.notices.iter().map(|notice| entry(words, notice)) }
                    </ul>
                </div>
                if self.goes_on == GoesOn::Yes {
                    <button
                        type="button"
                        class="btn btn--icon btn--quiet"
                        aria-label={words.text("notice.dismiss")}
                        onclick={dismiss}
                    >
                        { icon(Sign::Close) }
                    </button>
                }
            </section>
        }
    }
}

fn entry(words: &Words, notice: &Diagnostic) -> Html {
    let place =
        if notice.path.is_empty() { words.text("notice.whole") } else { notice.path.clone() };
    let (problem, repair) = (notice.problem.as_str(), notice.repair.as_str());
    html! {
        <li>
            <code class="notice__path">{ place }</code>
            { " " }
            { words.say("notice.problem", &[("problem", problem)]) }
            <span class="notice__fix">{ words.say("notice.repair", &[("repair", repair)]) }</span>
        </li>
    }
}
