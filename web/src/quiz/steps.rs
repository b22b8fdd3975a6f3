//! Things in an order: moved up and down by buttons, or dragged.

use course::quiz::Step;
use yew::Html;

use super::ask::{act, all_told};
use super::{Act, Draft, Sitting, pick};
use crate::components::{Page, Sign, icon};
use crate::markup::{Mark, el};

/// Steps to put into an order.
pub fn order(page: &Page, sitting: &Sitting, steps: &[Step]) -> Html {
    let Draft::Order(order) = &sitting.paper().draft else { return Html::default() };
    let rows = order.iter().enumerate().map(|(place, &at)| {
        let why = all_told(sitting).then(|| el("p", "opt__why").text(steps[at].why.clone()));
        step(page, sitting, (place, order.len()), (at, &steps[at].say)).with(why)
    });
    el("ol", "steps").list(rows).html()
}

/// A step that stands in a `place` of so many: what it says, and how it is moved.
pub fn step(
    page: &Page,
    sitting: &Sitting,
    (place, of): (usize, usize),
    (at, say): (usize, &str),
) -> Mark {
    let by = |key: &str, to: Option<usize>, sign| {
        let mark = match to.filter(|_| sitting.may_try()) {
            Some(to) => act(page, "btn btn--icon", Act::Shift { from: place, to }),
            None => crate::markup::button("btn btn--icon").set("aria-disabled", "true"),
        };
        let name = page.words.say(key, &[("step", say)]);
        mark.named(name).with(icon(sign))
    };
    let up = by("quiz.up", place.checked_sub(1), Sign::Up);
    let down = by("quiz.down", Some(place + 1).filter(|below| *below < of), Sign::Down);
    let row = el("li", "step").key(at.to_string());
    dragged(page, sitting, row, place)
        .with(el("span", "step__say").text(say.to_owned()))
        .with(el("span", "step__keys").with(up).with(down))
}

/// A row that can be dragged to another's place.
fn dragged(page: &Page, sitting: &Sitting, row: Mark, place: usize) -> Mark {
    if !sitting.may_try() {
        return row;
    }
    pick::dragged(page, row, move |to| Act::Shift { from: place, to })
        .set("data-drop", place.to_string())
}
