//! An element of the drawing, built piece by piece.
//!
//! A map has hundreds of small elements that differ in a few numbers. Building them by calls keeps
//! the module small where the markup macro would unroll each of them.

use yew::prelude::*;
use yew::virtual_dom::{Key, VTag};

use super::layout::{Anchor, Label, Point, Rect, num};

/// An element under construction. Boxed, so that handing it on from call to call moves a pointer.
pub struct Mark(Box<VTag>);

impl Mark {
    /// An element of this name.
    #[must_use]
    #[inline(never)]
    pub fn new(name: &'static str) -> Mark {
        Mark(Box::new(VTag::new(name)))
    }

    /// With this attribute.
    #[must_use]
    pub fn set(self, name: &'static str, value: impl Into<AttrValue>) -> Mark {
        self.put(name, value.into())
    }

    // One body for all kinds of value, because there are hundreds of calls.
    #[inline(never)]
    fn put(mut self, name: &'static str, value: AttrValue) -> Mark {
        self.0.add_attribute(name, value);
        self
    }

    /// With this attribute, if there is a value.
    #[must_use]
    pub fn maybe(self, name: &'static str, value: Option<impl Into<AttrValue>>) -> Mark {
        match value {
            Some(value) => self.set(name, value),
            None => self,
        }
    }

    /// With this number as an attribute.
    #[must_use]
    #[inline(never)]
    pub fn num(self, name: &'static str, value: f64) -> Mark {
        self.put(name, num(value).into())
    }

    /// Of this class.
    #[must_use]
    pub fn class(self, class: impl Into<AttrValue>) -> Mark {
        self.set("class", class)
    }

    /// The same element from one drawing to the next, whatever stands before it.
    #[must_use]
    pub fn key(mut self, key: impl Into<Key>) -> Mark {
        self.0.key = Some(key.into());
        self
    }

    /// With this in it.
    #[must_use]
    #[inline(never)]
    pub fn with(mut self, child: Html) -> Mark {
        self.0.add_child(child);
        self
    }

    /// With all of these in it.
    #[must_use]
    pub fn all(self, children: impl IntoIterator<Item = Html>) -> Mark {
        self.fill(children.into_iter().collect())
    }

    #[inline(never)]
    fn fill(mut self, children: Vec<Html>) -> Mark {
        self.0.add_children(children);
        self
    }

    /// Done.
    #[inline(never)]
    pub fn html(self) -> Html {
        (*self.0).into()
    }
}

/// A path.
pub fn path(class: &'static str, d: impl Into<AttrValue>) -> Html {
    Mark::new("path").class(class).set("d", d).html()
}

/// A box with rounded corners.
#[must_use]
#[inline(never)]
pub fn rect(class: &'static str, area: Rect, radius: f64) -> Mark {
    Mark::new("rect")
        .class(class)
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
    Mark::new("circle").class(class).num("cx", middle.x).num("cy", middle.y).num("r", radius)
}

/// A group.
#[must_use]
pub fn group(class: impl Into<AttrValue>) -> Mark {
    Mark::new("g").class(class)
}

/// A text at its place.
#[must_use]
pub fn text(class: &'static str, place: &Label, said: impl Into<AttrValue>) -> Mark {
    lettering(class, place, said.into())
}

#[inline(never)]
fn lettering(class: &'static str, place: &Label, said: AttrValue) -> Mark {
    let anchor = match place.anchor {
        Anchor::Start => None,
        Anchor::Middle => Some("middle"),
        Anchor::End => Some("end"),
    };
    Mark::new("text")
        .num("x", place.at.x)
        .num("y", place.at.y)
        .class(class)
        .maybe("text-anchor", anchor)
        .with(Html::from(yew::virtual_dom::VText::new(said)))
}
