//! What may be picked, pointed at, ticked or dragged: an input with what it stands for, and what is said
//! of it afterwards.

use crate::asked::Asked;
use crate::browser::drag;
use crate::components::Page;
use crate::markup::{Mark, On, el};

use super::{Act, Sitting};

/// An input of this `kind` that does something when it is changed.
pub fn input(
    page: &Page,
    sitting: &Sitting,
    kind: &'static str,
    name: String,
    checked: bool,
    act: Act,
) -> Mark {
    el("input", "")
        .set("type", kind)
        .set("name", name)
        .checked(checked)
        .when(!sitting.may_try(), "disabled", "disabled")
        .on(On::Change, page.on, move |_| Some(Asked::Quiz(act.clone())))
}

/// A row: the input in its label, and below it what is said of it.
pub fn row(class: &'static str, key: usize, label: Mark, below: [Option<Mark>; 2]) -> Mark {
    let [first, second] = below;
    el("div", class).key(key.to_string()).with(label).with(first).with(second)
}

/// The label of a row.
pub fn label(input: Mark) -> Mark {
    el("label", "opt__pick").with(input)
}

/// Something that can be dragged: what is done where it is let go, by the number of that place.
pub fn dragged(page: &Page, mark: Mark, does: impl Fn(usize) -> Act + 'static) -> Mark {
    mark.set("data-grab", "")
        .on(On::PointerDown, page.on, |event| {
            drag::begin(event);
            None
        })
        .on(On::PointerMove, page.on, |event| {
            drag::follow(event);
            None
        })
        .on(On::PointerUp, page.on, move |event| drag::end(event).map(|to| Asked::Quiz(does(to))))
        .on(On::PointerCancel, page.on, |event| {
            drag::end(event);
            None
        })
}
