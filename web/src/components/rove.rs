//! A list of many buttons is one stop of the Tab key; the arrow keys go from row to row.

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
