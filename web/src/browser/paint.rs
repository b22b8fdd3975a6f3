//! Small direct changes to what is already drawn, for what moves between two trace events.

use scenario::wire::parse_number;
use wasm_bindgen::JsCast;
use yew::NodeRef;

use crate::map::layout::num;

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
    let Some(exhibit) = exhibit else { return };
    let track = inside.cast::<web_sys::Element>();
    let wide = track.as_ref().map_or(0.0, width_of);
    let player = track.and_then(|track| track.closest(".player").ok().flatten());
    let player = player.as_ref().map_or(wide, width_of);
    for (row, apart) in [(STOPS, true), (".scrub__mark", true), ("[data-at]", false)] {
        let marks: Vec<_> = all(&exhibit, row).collect();
        let mut places: Vec<f64> = marks.iter().map(percent_of).collect();
        if apart && wide > 0.0 {
            keep_apart(&mut places, room_of(row, player) * 100.0 / wide);
        }
        for (mark, place) in marks.iter().zip(places) {
            // What was placed apart stays where it is.
            if apart || !mark.class_name().starts_with("scrub__") {
                // A property name of ours is never refused.
                let _ = mark.style().set_property("--at", &(num(place) + "%"));
            }
        }
    }
}

/// The stops of the story on the scrubber.
const STOPS: &str = ".scrub__beat";
/// How much room a mark on the scrubber needs to be hit by a finger, in pixels.
const MARK_PX: f64 = 25.0;
/// The same for a stop on a narrow track: there it is a dot to look at, 12 pixels wide.
const DOT_PX: f64 = 13.0;
/// Up to this width of the player, in pixels, its style makes dots of the stops.
const NARROW_PX: f64 = 480.0;

/// The room that each mark of a row needs in a player of this width, in pixels.
fn room_of(row: &str, player: f64) -> f64 {
    if row == STOPS && player <= NARROW_PX { DOT_PX } else { MARK_PX }
}

fn width_of(element: &web_sys::Element) -> f64 {
    f64::from(element.client_width())
}

/// The elements below one that a selector names.
fn all(below: &web_sys::Element, selector: &str) -> impl Iterator<Item = web_sys::HtmlElement> {
    let found = below.query_selector_all(selector).ok();
    let count = found.as_ref().map_or(0, web_sys::NodeList::length);
    (0..count).filter_map(move |i| found.as_ref()?.get(i)?.dyn_into().ok())
}

fn percent_of(mark: &web_sys::HtmlElement) -> f64 {
    let text = mark.get_attribute("data-at").unwrap_or_default();
    parse_number(text.trim_end_matches('%')).unwrap_or(0.0)
}

/// Moves places, in order from 0 to 100, until each is `gap` from the one before; all of them, if
/// there is no room, are spread evenly.
fn keep_apart(places: &mut [f64], gap: f64) {
    let gap = gap.min(100.0 / (places.len().max(2) - 1) as f64);
    let mut least = 0.0;
    for place in places.iter_mut() {
        *place = place.max(least);
        least = *place + gap;
    }
    let mut most: f64 = 100.0;
    for place in places.iter_mut().rev() {
        *place = place.min(most);
        most = *place - gap;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_keep_apart_and_inside() {
        let check = |from: &[f64], gap: f64, want: &[f64]| {
            let mut places = from.to_vec();
            keep_apart(&mut places, gap);
            assert_eq!(places, want, "{from:?} {gap}");
        };
        check(&[0.0, 50.0, 100.0], 10.0, &[0.0, 50.0, 100.0]);
        check(&[0.0, 5.0, 50.0], 10.0, &[0.0, 10.0, 50.0]);
        check(&[95.0, 98.0], 10.0, &[90.0, 100.0]);
        check(&[0.0, 1.0, 2.0], 80.0, &[0.0, 50.0, 100.0]);
        check(&[], 10.0, &[]);
        check(&[30.0], 10.0, &[30.0]);
    }

    #[test]
    fn stops_may_stand_closer_where_they_are_dots() {
        assert_eq!(room_of(".scrub__beat", 360.0), 13.0);
        assert_eq!(room_of(".scrub__beat", 480.0), 13.0);
        assert_eq!(room_of(".scrub__beat", 481.0), 25.0);
        assert_eq!(room_of(".scrub__mark", 360.0), 25.0, "a flag is as large as ever");
    }
}
