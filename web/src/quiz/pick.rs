//! What may be picked, pointed at or ticked: an input with what it stands for, and what is said of it
//! afterwards.

use crate::asked::Asked;
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
