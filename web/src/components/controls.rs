//! Controls: settings of the scenario that the exhibit lets one change, each bound to its place.

use yew::Html;

use super::Page;
use super::input::{chosen, slider};
use crate::asked::Asked;
use crate::markup::{Mark, On, el};
use crate::state::Dial;

/// A slider or a choice for each setting.
pub fn controls(page: &Page, dials: &[Dial]) -> Html {
    if dials.is_empty() {
        return Html::default();
    }
    el("div", "controls")
        .set("role", "group")
        .set("aria-label", page.text("controls.label"))
        .list(dials.iter().map(|dial| control(page, dial)))
        .html()
}

fn control(page: &Page, dial: &Dial) -> Mark {
    if dial.choices.is_empty() { range(page, dial) } else { choice(page, dial) }
}

fn range(page: &Page, dial: &Dial) -> Mark {
    let of = dial.clone();
    let input = slider(page, dial.position, dial.last, move |n| of.act(n))
        .set("data-control", &dial.pointer)
        .set("aria-valuetext", &dial.shown);
    let note = || el("small", "").text(&dial.note);
    el("div", "slider")
        .with(el("label", "").text(&dial.label).with(input))
        .with(el("output", "").set("aria-hidden", "true").text(&dial.shown))
        .with((!dial.note.is_empty()).then(note))
}

fn choice(page: &Page, dial: &Dial) -> Mark {
    let of = dial.clone();
    let position = usize::try_from(dial.position).unwrap_or(usize::MAX);
    let options =
        dial.choices.iter().enumerate().map(|(i, name)| {
            el("option", "").when(i == position, "selected", "selected").text(name)
        });
    let select = el("select", "")
        .set("data-control", &dial.pointer)
        .on(On::Change, page.on, move |event| Some(Asked::Act(of.act(chosen(event)))))
        .list(options);
    el("label", "field").with(el("span", "").text(&dial.label)).with(select)
}
