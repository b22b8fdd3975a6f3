//! What can be kept as a file.

use super::Page;
use super::icon::Sign;
use crate::asked::{Asked, Form, Save};
use crate::markup::{Mark, el};

/// The files of a run; those of a chart stand under it.
const FILES: [(Save, Form, &str); 4] = [
    (Save::Trace, Form::Csv, "save.trace"),
    (Save::Scenario, Form::Json, "save.scenario"),
    (Save::View, Form::Svg, "save.view.svg"),
    (Save::View, Form::Png, "save.view.png"),
];

/// A button a file.
#[inline(never)]
pub fn saves(page: &Page) -> Mark {
    let buttons = FILES.into_iter().map(|(what, form, label)| {
        page.signed("btn btn--small", Sign::Save, label, Asked::Save(what, form))
    });
    el("div", "saves")
        .set("role", "group")
        .set("aria-label", page.text("save.title"))
        .with(el("b", "").say(page.words, "save.title"))
        .list(buttons)
}
