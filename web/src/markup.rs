//! Markup, built piece by piece: a view reads as the tree that it draws.
//!
//! ```ignore
//! el("p", "player__clock")
//!     .with(el("b", "").text(clock(now)).at(&places.clock))
//!     .with(el("span", "").say(words, "player.of"))
//! ```
//!
//! Yew's own macro writes every element out as code of its own, half a kilobyte each. Here an
//! element is a few calls of functions that all views share.

use std::rc::Rc;

use web_sys::Event;
use yew::prelude::*;
use yew::virtual_dom::{Key, Listener, ListenerKind, VList, VTag, VText};

use crate::asked::Asked;
use crate::words::Words;

/// An element under construction. Boxed, so that handing it on from call to call moves a pointer.
pub struct Mark(Box<VTag>);

/// An element of this name and class; without the attribute if the class is empty.
#[must_use]
#[inline(never)]
pub fn el(name: &'static str, class: &'static str) -> Mark {
    let mark = Mark(Box::new(VTag::new(name)));
    if class.is_empty() { mark } else { mark.put("class", class.into()) }
}

/// A button of this class.
#[must_use]
#[inline(never)]
pub fn button(class: &'static str) -> Mark {
    el("button", class).set("type", "button")
}

/// Elements side by side.
pub fn row(all: impl IntoIterator<Item = Mark>) -> Html {
    let mut list = Vec::new();
    for mark in all {
        push(&mut list, mark);
    }
    side_by_side(list)
}

// A list that stays one node of its parent, however long: what stands after it keeps its place.
#[inline(never)]
fn side_by_side(all: Vec<Html>) -> Html {
    VList::with_children(all, None).into()
}

#[inline(never)]
fn push(all: &mut Vec<Html>, mark: Mark) {
    all.push(mark.html());
}

impl Mark {
    /// With this attribute.
    #[must_use]
    pub fn set(self, name: &'static str, value: impl Text) -> Mark {
        value.put(self, name)
    }

    #[inline(never)]
    fn put(mut self, name: &'static str, value: AttrValue) -> Mark {
        self.0.add_attribute(name, value);
        self
    }

    /// With this attribute, if there is a value.
    #[must_use]
    pub fn maybe(self, name: &'static str, value: Option<impl Text>) -> Mark {
        match value {
            Some(value) => self.set(name, value),
            None => self,
        }
    }

    /// With this attribute, if it is so.
    #[must_use]
    #[inline(never)]
    pub fn when(self, so: bool, name: &'static str, value: &'static str) -> Mark {
        if so { self.set(name, value) } else { self }
    }

    /// With this attribute, as "true" or "false".
    #[must_use]
    #[inline(never)]
    pub fn is(self, name: &'static str, so: bool) -> Mark {
        self.set(name, if so { "true" } else { "false" })
    }

    /// With this number as an attribute.
    #[must_use]
    #[inline(never)]
    pub fn num(self, name: &'static str, value: f64) -> Mark {
        self.put(name, crate::map::layout::num(value).into())
    }

    /// Of this class too.
    #[must_use]
    pub fn class(self, class: impl Text) -> Mark {
        self.set("class", class)
    }

    /// With this name, for those who do not see its sign, and as a tip for those who do.
    #[must_use]
    #[inline(never)]
    pub fn named(self, name: String) -> Mark {
        self.set("aria-label", &name).set("title", name)
    }

    /// With this value in an input.
    #[must_use]
    #[inline(never)]
    pub fn value(mut self, value: String) -> Mark {
        self.0.set_value(AttrValue::from(value));
        self
    }

    /// Checked, or not, whatever it was before.
    #[must_use]
    #[inline(never)]
    pub fn checked(mut self, checked: bool) -> Mark {
        self.0.set_checked(checked);
        self
    }

    /// The same element from one drawing to the next, whatever stands before it.
    #[must_use]
    pub fn key(mut self, key: impl Into<Key>) -> Mark {
        self.0.key = Some(key.into());
        self
    }

    /// Found again by this reference.
    #[must_use]
    #[inline(never)]
    pub fn at(mut self, place: &NodeRef) -> Mark {
        self.0.node_ref = place.clone();
        self
    }

    /// With this in it. Nothing, too, takes a place, so that what comes after it keeps its own.
    #[must_use]
    pub fn with(self, child: impl Child) -> Mark {
        child.join(self)
    }

    #[inline(never)]
    fn add(mut self, child: Html) -> Mark {
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

    /// With all of these in it, as one child.
    #[must_use]
    pub fn list(self, all: impl IntoIterator<Item = Mark>) -> Mark {
        self.with(row(all))
    }

    /// With these words in it.
    #[must_use]
    pub fn text(self, words: impl Text) -> Mark {
        words.write(self)
    }

    /// With a text of the catalogue in it.
    #[must_use]
    #[inline(never)]
    pub fn say(self, words: &Words, key: &str) -> Mark {
        self.text(words.text(key))
    }

    /// A click asks for this.
    #[must_use]
    #[inline(never)]
    pub fn click(self, to: &Callback<Asked>, asked: Asked) -> Mark {
        let asks = Asks::This(asked);
        self.listen(Hand { kind: On::Click, to: to.clone(), asks })
    }

    /// An event of this kind asks for what is read from it.
    #[must_use]
    pub fn on(
        self,
        kind: On,
        to: &Callback<Asked>,
        read: impl Fn(&Event) -> Option<Asked> + 'static,
    ) -> Mark {
        self.hear(kind, to, Box::new(read))
    }

    #[inline(never)]
    fn hear(self, kind: On, to: &Callback<Asked>, read: Read) -> Mark {
        self.listen(Hand { kind, to: to.clone(), asks: Asks::Read(read) })
    }

    #[inline(never)]
    fn listen(mut self, hand: Hand) -> Mark {
        self.0.add_listener(Rc::new(hand));
        self
    }

    /// Done.
    #[inline(never)]
    pub fn html(self) -> Html {
        (*self.0).into()
    }
}

/// The events that something listens for. (Yew knows ninety; a copy of one of its names is a
/// kilobyte of code.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// A click, a tap, or a key that presses.
    Click,
    /// A key went down.
    Key,
    /// An input has another value.
    Input,
    /// Something else was chosen from a list.
    Change,
    /// A pointer came down.
    PointerDown,
    /// A pointer moved.
    PointerMove,
    /// A pointer went up.
    PointerUp,
    /// A pointer was taken away by the browser.
    PointerCancel,
}

/// A listener. There is one type for all events, so that there is one path through the module.
struct Hand {
    kind: On,
    to: Callback<Asked>,
    asks: Asks,
}

type Read = Box<dyn Fn(&Event) -> Option<Asked>>;

enum Asks {
    This(Asked),
    Read(Read),
}

impl Listener for Hand {
    fn kind(&self) -> ListenerKind {
        match self.kind {
            On::Click => ListenerKind::onclick,
            On::Key => ListenerKind::onkeydown,
            On::Input => ListenerKind::oninput,
            On::Change => ListenerKind::onchange,
            On::PointerDown => ListenerKind::onpointerdown,
            On::PointerMove => ListenerKind::onpointermove,
            On::PointerUp => ListenerKind::onpointerup,
            On::PointerCancel => ListenerKind::onpointercancel,
        }
    }

    fn handle(&self, event: Event) {
        let asked = match &self.asks {
            Asks::This(asked) => Some(asked.clone()),
            Asks::Read(read) => read(&event),
        };
        if let Some(asked) = asked {
            self.to.emit(asked);
        }
    }

    fn passive(&self) -> bool {
        false
    }
}

/// What can be written into an element or its attributes.
pub trait Text {
    /// As an attribute.
    fn put(self, mark: Mark, name: &'static str) -> Mark;
    /// As words in it.
    fn write(self, mark: Mark) -> Mark;
}

impl Text for AttrValue {
    fn put(self, mark: Mark, name: &'static str) -> Mark {
        mark.put(name, self)
    }

    #[inline(never)]
    fn write(self, mark: Mark) -> Mark {
        mark.add(VText::new(self).into())
    }
}

impl Text for String {
    #[inline(never)]
    fn put(self, mark: Mark, name: &'static str) -> Mark {
        mark.put(name, self.into())
    }

    #[inline(never)]
    fn write(self, mark: Mark) -> Mark {
        AttrValue::from(self).write(mark)
    }
}

impl Text for &'static str {
    #[inline(never)]
    fn put(self, mark: Mark, name: &'static str) -> Mark {
        mark.put(name, AttrValue::Static(self))
    }

    #[inline(never)]
    fn write(self, mark: Mark) -> Mark {
        AttrValue::Static(self).write(mark)
    }
}

impl Text for &String {
    #[inline(never)]
    fn put(self, mark: Mark, name: &'static str) -> Mark {
        mark.put(name, AttrValue::Rc(self.as_str().into()))
    }

    #[inline(never)]
    fn write(self, mark: Mark) -> Mark {
        AttrValue::Rc(self.as_str().into()).write(mark)
    }
}

/// What can stand in an element.
pub trait Child {
    /// Puts it there, after what is there already.
    fn join(self, parent: Mark) -> Mark;
}

impl Child for Html {
    fn join(self, parent: Mark) -> Mark {
        parent.add(self)
    }
}

impl Child for Mark {
    #[inline(never)]
    fn join(self, parent: Mark) -> Mark {
        parent.add(self.html())
    }
}

impl Child for Option<Mark> {
    #[inline(never)]
    fn join(self, parent: Mark) -> Mark {
        parent.add(self.map(Mark::html).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use yew::virtual_dom::VNode;

    use super::*;

    /// How many places there are in an element.
    fn places(mark: Mark) -> usize {
        let VNode::VTag(tag) = mark.html() else { return 0 };
        match tag.children() {
            Some(VNode::VList(list)) => list.len(),
            _ => 0,
        }
    }

    #[test]
    fn what_is_not_there_keeps_its_place() {
        let with =
            |there: bool| el("p", "").with(there.then(|| el("i", ""))).with(el("b", "")).text("x");
        assert_eq!((places(with(true)), places(with(false))), (3, 3));
    }

    #[test]
    fn a_list_is_one_child_however_long() {
        for n in [0, 1, 5] {
            let list = el("ul", "").list((0..n).map(|_| el("li", ""))).with(el("li", ""));
            assert_eq!(places(list), 2, "{n}");
        }
    }

    #[test]
    fn attributes_are_what_was_said() {
        let mark = el("button", "btn")
            .set("id", "a".to_owned())
            .maybe("title", None::<String>)
            .when(false, "disabled", "disabled")
            .is("aria-pressed", true)
            .num("x", 1.505);
        let VNode::VTag(tag) = mark.html() else { panic!("not an element") };
        let all: Vec<(&str, &str)> = tag.attributes.iter().collect();
        let wanted = [("class", "btn"), ("id", "a"), ("aria-pressed", "true"), ("x", "1.51")];
        assert_eq!(all, wanted);
    }
}
