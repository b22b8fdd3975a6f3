//! Two runs beside each other: how to keep one, and where the two part, in words and as a map.

use yew::Html;

use super::Page;
use super::heading::heading;
use super::icon::Sign;
use crate::asked::Asked;
use crate::markup::{Mark, el};
use crate::state::{Act, Compared};

/// A way to keep the run as it stands.
#[inline(never)]
pub fn keep(page: &Page) -> Html {
    let key = page.signed("btn btn--small", Sign::Fork, "compare.keep", Asked::Act(Act::KeepOther));
    el("div", "many many--keep")
        .set("role", "group")
        .set("aria-label", page.text("compare.title"))
        .with(el("b", "").say(page.words, "compare.title"))
        .with(
            el("div", "many__body")
                .with(el("p", "").say(page.words, "compare.keep.note"))
                .with(el("div", "many__keys").with(key)),
        )
        .html()
}

/// The two runs in words, and the other's map.
#[inline(never)]
pub fn compare(page: &Page, shown: &Compared, map: Mark) -> Mark {
    let away = Asked::Act(Act::DropOther);
    let there = shown
        .at
        .map(|at| page.act("btn btn--small", Act::Seek(at)).say(page.words, "compare.there"));
    let settings = (!shown.settings.is_empty()).then(|| {
        el("ul", "compare__set").list(shown.settings.iter().map(|set| el("li", "").text(set)))
    });
    let words = el("div", "compare__words")
        .with(el("p", "compare__part").text(&shown.parting).text(" ").with(there))
        .with(settings)
        .with(el("p", "").text(&shown.now))
        .with((!shown.ends.is_empty()).then(|| el("p", "").text(&shown.ends)));
    let figure = el("figure", "compare__map").with(el("figcaption", "").text(&shown.map)).with(map);
    el("section", "compare")
        .set("aria-label", page.landmark("compare.title"))
        .with(
            el("header", "compare__head")
                .with(heading(page.level + 1, "").say(page.words, "compare.title"))
                .with(page.signed("btn btn--small btn--quiet", Sign::Close, "compare.drop", away)),
        )
        .with(words)
        .with(figure)
}
