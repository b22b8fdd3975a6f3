//! Inputs that say a number.

use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, HtmlSelectElement};

use super::Page;
use crate::asked::Asked;
use crate::markup::{Mark, On, el};
use crate::state::Act;

/// A slider from 0 to `last` that does what its number says. Where it stands is also marked for
/// the stylesheet.
pub fn slider(page: &Page, at: u32, last: u32, act: impl Fn(u32) -> Act + 'static) -> Mark {
    let percent = (u64::from(at) * 100 / u64::from(last.max(1))).to_string();
    range(page, "", at, last, act).set("data-at", percent + "%")
}

/// A range input from 0 to `last` that does what its number says.
pub fn range(
    page: &Page,
    class: &'static str,
    at: u32,
    last: u32,
    act: impl Fn(u32) -> Act + 'static,
) -> Mark {
    el("input", class)
        .set("type", "range")
        .set("min", "0")
        .set("max", last.to_string())
        .value(at.to_string())
        .on(On::Input, page.on, move |event| Some(Asked::Act(act(entered(event)))))
}

/// The number that a range input was moved to.
pub fn entered(event: &Event) -> u32 {
    let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    input.and_then(|input| input.value().parse().ok()).unwrap_or(0)
}

/// Which option of a list was chosen, from 0.
pub fn chosen(event: &Event) -> u32 {
    let select = event.target().and_then(|target| target.dyn_into::<HtmlSelectElement>().ok());
    select.and_then(|select| u32::try_from(select.selected_index()).ok()).unwrap_or(0)
}
