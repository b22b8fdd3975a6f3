//! Dragging what is marked `data-grab`, with a mouse or a pen, to a place that is marked `data-drop`
//! and has a number there. A finger taps instead, so that it can still scroll the page.

use wasm_bindgen::JsCast;
use web_sys::{Document, Element, Event, HtmlElement, PointerEvent, ShadowRoot};

/// What can be dragged.
const GRAB: &str = "[data-grab]";

/// Pixels that a pointer may move and still be a click.
const SLOP: i32 = 5;

/// Milliseconds within which a click belongs to the pointer that just went up.
const SAME_MS: i32 = 100;

/// The pointer came down on something that can be dragged.
pub fn begin(event: &Event) {
    let Some((pointer, thing)) = parts(event) else { return };
    if pointer.pointer_type() == "touch" || pointer.button() != 0 || is_for_a_control(event, &thing)
    {
        return;
    }
    put(&thing, "data-x", pointer.client_x());
    put(&thing, "data-y", pointer.client_y());
    // Without the capture, dragging ends at the edge of the thing; it still is a click.
    let _ = thing.set_pointer_capture(pointer.pointer_id());
}

/// It moved: what is dragged moves with it.
pub fn follow(event: &Event) {
    let Some((pointer, thing)) = parts(event) else { return };
    let Some((x, y)) = start(&thing) else { return };
    let (dx, dy) = (pointer.client_x() - x, pointer.client_y() - y);
    if dx.abs().max(dy.abs()) < SLOP && !thing.has_attribute("data-dragged") {
        return;
    }
    put(&thing, "data-dragged", 1);
    for (name, value) in [("--dx", dx), ("--dy", dy)] {
        // A property name of ours is never refused.
        let _ = thing.style().set_property(name, &(value.to_string() + "px"));
    }
}

/// It went up, or was taken away: the number of the place on which what was dragged lies.
pub fn end(event: &Event) -> Option<usize> {
    let (pointer, thing) = parts(event)?;
    let dragged = thing.has_attribute("data-dragged");
    let under = if dragged { below(&thing, &pointer) } else { None };
    for name in ["data-x", "data-y", "data-dragged"] {
        // An attribute that is not there need not be taken away.
        let _ = thing.remove_attribute(name);
    }
    if dragged {
        put(&thing, "data-dropped", pointer.time_stamp() as i32);
    }
    let place = under?.closest("[data-drop]").ok()??;
    place.get_attribute("data-drop")?.parse().ok()
}

/// Whether a click is only the end of a drag: a browser sends one wherever the pointer went up.
pub fn is_end(event: &Event) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let thing = target.and_then(|target| target.closest(GRAB).ok().flatten());
    let dropped = thing.and_then(|thing| thing.get_attribute("data-dropped"));
    let dropped = dropped.and_then(|at| at.parse::<i32>().ok());
    dropped.is_some_and(|at| event.time_stamp() as i32 - at < SAME_MS)
}

fn parts(event: &Event) -> Option<(PointerEvent, HtmlElement)> {
    let pointer: PointerEvent = event.clone().dyn_into().ok()?;
    let target: Element = event.target()?.dyn_into().ok()?;
    let thing = target.closest(GRAB).ok()??.dyn_into().ok()?;
    Some((pointer, thing))
}

/// Whether the pointer came down on a control within what can be dragged.
fn is_for_a_control(event: &Event, thing: &HtmlElement) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let control = target.and_then(|target| target.closest("button, label, input").ok().flatten());
    control.is_some_and(|control| control != **thing && thing.contains(Some(&control)))
}

/// What lies under the pointer. The thing itself lets the pointer through while it is dragged.
fn below(thing: &HtmlElement, pointer: &PointerEvent) -> Option<Element> {
    let (x, y) = (pointer.client_x() as f32, pointer.client_y() as f32);
    let root = thing.get_root_node();
    match root.dyn_ref::<ShadowRoot>() {
        Some(shadow) => shadow.element_from_point(x, y),
        None => root.dyn_ref::<Document>()?.element_from_point(x, y),
    }
}

fn start(thing: &HtmlElement) -> Option<(i32, i32)> {
    let read = |name| thing.get_attribute(name)?.parse().ok();
    Some((read("data-x")?, read("data-y")?))
}

fn put(thing: &HtmlElement, name: &str, value: i32) {
    // Only a name that is none is refused.
    let _ = thing.set_attribute(name, &value.to_string());
}
