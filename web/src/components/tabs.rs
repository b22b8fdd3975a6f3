//! The choice among the views of an exhibit: radio buttons that look like tabs.

use course::View;

use super::Page;
use crate::asked::Asked;
use crate::markup::{Mark, On, el};
use crate::state::Act;

/// The views to choose from. `group` is a name that no other exhibit in the document has.
pub fn tabs(page: &Page, group: &str, views: &[View], chosen: View) -> Mark {
    let tab = |view: View| {
        let asked = Asked::Act(Act::Show(view));
        let input = el("input", "")
            .set("type", "radio")
            .set("name", ["view-", group].concat())
            .set("value", name(view))
            .checked(view == chosen)
            .on(On::Change, page.on, move |_| Some(asked.clone()));
        let said = page.text(&["views.", name(view)].concat());
        el("label", "tab").with(input).with(el("span", "").text(said))
    };
    el("fieldset", "tabs")
        .with(el("legend", "visually-hidden").say(page.words, "views.label"))
        .list(views.iter().map(|view| tab(*view)))
}

/// A view as the format calls it.
fn name(view: View) -> &'static str {
    match view {
        View::Topology => "topology",
        View::Transcript => "transcript",
        View::Traces => "traces",
        View::Timeline => "timeline",
        View::Sequence => "sequence",
        View::Matrix => "matrix",
    }
}
