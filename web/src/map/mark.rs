//! The few shapes that a map is drawn with, each at its place.

use yew::prelude::*;

use super::layout::{Anchor, Label, Point, Rect};
use crate::markup::{Mark, Text, el};

/// A path.
pub fn path(class: &'static str, d: impl Text) -> Html {
    el("path", class).set("d", d).html()
}

/// A box with rounded corners.
#[must_use]
#[inline(never)]
pub fn rect(class: &'static str, area: Rect, radius: f64) -> Mark {
    el("rect", class)
        .num("x", area.x)
        .num("y", area.y)
        .num("width", area.w)
        .num("height", area.h)
        .num("rx", radius)
}

/// A circle around a point.
#[must_use]
#[inline(never)]
pub fn circle(class: &'static str, middle: Point, radius: f64) -> Mark {
    el("circle", class).num("cx", middle.x).num("cy", middle.y).num("r", radius)
}

/// A group.
#[must_use]
pub fn group(class: impl Text) -> Mark {
    el("g", "").class(class)
}

/// A text at its place.
#[must_use]
pub fn text(class: &'static str, place: &Label, said: impl Text) -> Mark {
    said.write(lettering(class, place))
}

#[inline(never)]
fn lettering(class: &'static str, place: &Label) -> Mark {
    let anchor = match place.anchor {
        Anchor::Start => None,
        Anchor::Middle => Some("middle"),
        Anchor::End => Some("end"),
    };
    let mark = el("text", "").num("x", place.at.x).num("y", place.at.y).class(class);
    mark.maybe("text-anchor", anchor)
}
