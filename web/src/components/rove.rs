//! A list of many buttons is one stop of the Tab key; the arrow keys go from row to row, and in a
//! table from cell to cell.

use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent};

use crate::asked::Asked;

/// Moves the focus to the button of the row before or after, if that is what a key is for. It asks
/// for nothing.
#[inline(never)]
pub fn rove(event: &Event) -> Option<Asked> {
    let next: fn(&Element) -> Option<Element> =
        match event.dyn_ref::<KeyboardEvent>()?.key().as_str() {
            "ArrowDown" => Element::next_element_sibling,
            "ArrowUp" => Element::previous_element_sibling,
            _ => return None,
        };
    let from = event.target()?.dyn_into::<Element>().ok()?;
    let mut row = from.closest("li").ok().flatten();
    while let Some(other) = row.as_ref().and_then(next) {
        if let Ok(Some(button)) = other.query_selector("button") {
            // Focus is a courtesy; a button that refuses it is still there.
            let _ = button.unchecked_into::<HtmlElement>().focus();
            break;
        }
        row = Some(other);
    }
    event.prevent_default();
    None
}

/// Moves the focus to the next button of a table in the direction of an arrow key. It asks for
/// nothing.
#[inline(never)]
pub fn rove_cells(event: &Event) -> Option<Asked> {
    let key = event.dyn_ref::<KeyboardEvent>()?.key();
    let from = event.target()?.dyn_into::<Element>().ok()?.closest("td").ok().flatten()?;
    let along = |next: fn(&Element) -> Option<Element>| {
        std::iter::successors(next(&from), next).find_map(|cell| button_in(&cell))
    };
    let to = match key.as_str() {
        "ArrowRight" => along(Element::next_element_sibling),
        "ArrowLeft" => along(Element::previous_element_sibling),
        "ArrowDown" | "ArrowUp" => across(&from, key == "ArrowDown"),
        _ => return None,
    };
    if let Some(button) = to {
        let _ = button.focus();
    }
    event.prevent_default();
    None
}

/// The next button below a cell, or above it. There is one in the same column of some row, or none.
fn across(from: &Element, below: bool) -> Option<HtmlElement> {
    let before = |cell: &Element| cell.previous_element_sibling();
    let column = std::iter::successors(before(from), before).count();
    let row = from.closest("tr").ok().flatten()?;
    let rows = row.closest("table").ok().flatten()?.query_selector_all("tr").ok()?;
    let at = |index: u32| rows.item(index).and_then(|it| it.dyn_into::<Element>().ok());
    let here = (0..rows.length()).find(|index| at(*index).as_ref() == Some(&row))?;
    let cell = |index: u32| button_in(&at(index)?.children().item(u32::try_from(column).ok()?)?);
    if below { (here + 1..rows.length()).find_map(cell) } else { (0..here).rev().find_map(cell) }
}

fn button_in(cell: &Element) -> Option<HtmlElement> {
    cell.query_selector("button").ok().flatten()?.dyn_into().ok()
}
