//! Small direct changes to what is already drawn, for what moves between two trace events.

use wasm_bindgen::JsCast;
use yew::NodeRef;

/// Replaces the words in an element that holds one text.
pub fn set_text(place: &NodeRef, text: &str) {
    let node = place.get().and_then(|node| node.first_child());
    if let Some(node) = node.filter(|node| node.node_value().as_deref() != Some(text)) {
        node.set_node_value(Some(text));
    }
}

/// Sets a custom property on an element.
pub fn set_style(place: &NodeRef, name: &str, value: &str) {
    if let Some(element) = place.get().and_then(|node| node.dyn_into::<web_sys::HtmlElement>().ok())
    {
        // A property name of ours is never refused.
        let _ = element.style().set_property(name, value);
    }
}

/// Puts everything that carries `data-at` where that says, in the exhibit around `inside`.
///
/// A style in the markup is what a strict Content-Security-Policy refuses; a property that is set
/// by script is not.
pub fn put_marks(inside: &NodeRef) {
    let exhibit = inside
        .cast::<web_sys::Element>()
        .and_then(|element| element.closest(".exhibit").ok().flatten());
    let Some(marks) = exhibit.and_then(|all| all.query_selector_all("[data-at]").ok()) else {
        return;
    };
    for i in 0..marks.length() {
        let mark = marks.get(i).and_then(|node| node.dyn_into::<web_sys::HtmlElement>().ok());
        let Some((mark, at)) =
            mark.and_then(|mark| Some((mark.clone(), mark.get_attribute("data-at")?)))
        else {
            continue;
        };
        // A property name of ours is never refused.
        let _ = mark.style().set_property("--at", &at);
    }
}

/// Sets the value of an input, and how a screen reader says it.
pub fn set_value(place: &NodeRef, value: &str, said: &str) {
    if let Some(input) = place.cast::<web_sys::HtmlInputElement>() {
        input.set_value(value);
        // As above: a plain attribute is never refused.
        let _ = input.set_attribute("aria-valuetext", said);
    }
}

/// Sets an attribute on an element of a picture.
pub fn set_attribute(place: &NodeRef, name: &str, value: &str) {
    if let Some(element) = place.get().and_then(|node| node.dyn_into::<web_sys::Element>().ok()) {
        // An attribute name of ours is never refused.
        let _ = element.set_attribute(name, value);
    }
}
