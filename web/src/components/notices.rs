//! Notices: what is wrong with a file, a link or an attribute, where, and the repair.

use scenario::wire::Diagnostic;
use yew::Html;

use super::Page;
use super::icon::{Sign, icon};
use crate::markup::{Mark, el};
use crate::state::Act;

/// Whether there is an exhibit besides the notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoesOn {
    /// The exhibit is shown, without what is wrong: with the default, or with the run before.
    Yes,
    /// There is nothing to show.
    No,
}

/// A list of notices that can be put away, one entry a thing.
pub fn notices(page: &Page, notices: &[Diagnostic], goes_on: GoesOn) -> Html {
    if notices.is_empty() {
        return Html::default();
    }
    let heading = match goes_on {
        GoesOn::Yes => "notice.goes_on",
        GoesOn::No => "notice.stops",
    };
    let dismiss = || {
        page.act("btn btn--icon btn--quiet", Act::Dismiss)
            .set("aria-label", page.text("notice.dismiss"))
            .with(icon(Sign::Close))
    };
    let list = el("ul", "notice__list").list(notices.iter().map(|notice| entry(page, notice)));
    el("section", "notice")
        .set("role", "alert")
        .with(el("span", "notice__sign").set("aria-hidden", "true").text("!"))
        .with(el("div", "notice__body").with(el("b", "").say(page.words, heading)).with(list))
        .with((goes_on == GoesOn::Yes).then(dismiss))
        .html()
}

fn entry(page: &Page, notice: &Diagnostic) -> Mark {
    let place =
        if notice.path.is_empty() { page.text("notice.whole") } else { notice.path.clone() };
    let (problem, repair) = (notice.problem.as_str(), notice.repair.as_str());
    let fix = page.words.say("notice.repair", &[("repair", repair)]);
    el("li", "")
        .with(el("code", "notice__path").text(place))
        .text(" ")
        .text(page.words.say("notice.problem", &[("problem", problem)]))
        .with(el("span", "notice__fix").text(fix))
}
