//! Keys inside an exhibit: which are ours, and which belong to what has the focus.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement, KeyboardEvent};

use crate::state::Act;

/// What a key is for.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// For the player.
    Act(Act),
    /// For the list of keys.
    Help,
    /// To put away what is open.
    Escape,
    /// For the control that has the focus; the page around must not hear it.
    Control,
    /// For nobody here.
    Nothing,
}

/// Reads a key. It is never ours with a modifier, nor while somebody types.
#[must_use]
pub fn hear(event: &KeyboardEvent) -> Heard {
    if event.ctrl_key() || event.alt_key() || event.meta_key() || event.default_prevented() {
        return Heard::Nothing;
    }
    let focus = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let focus = focus.map_or(Focus::Plain, |element| Focus::of(&element));
    let key = event.key();
    match (focus, key.as_str()) {
        (Focus::Text, _) => Heard::Nothing,
        (_, "?") => Heard::Help,
        (_, "Escape") => Heard::Escape,
        (_, "[") => Heard::Act(Act::Slower),
        (_, "]") => Heard::Act(Act::Faster),
        (Focus::Range | Focus::Choice, "ArrowRight" | "ArrowLeft" | "Home" | "End") => {
            Heard::Control
        }
        (Focus::Button | Focus::Choice, " ") => Heard::Control,
        (_, " ") => Heard::Act(Act::Toggle),
        (_, "ArrowRight") => Heard::Act(Act::Step),
        (_, "ArrowLeft") => Heard::Act(Act::StepBack),
        (_, "Home") => Heard::Act(Act::ToStart),
        (_, "End") => Heard::Act(Act::ToEnd),
        _ => Heard::Nothing,
    }
}

/// What has the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Focus {
    Plain,
    /// Something that a space presses.
    Button,
    /// A slider other than the scrubber.
    Range,
    /// A list or some radio buttons to choose from.
    Choice,
    /// A place to type in.
    Text,
}

impl Focus {
    fn of(element: &Element) -> Focus {
        match element.tag_name().to_ascii_lowercase().as_str() {
            "button" | "summary" | "a" => Focus::Button,
            "select" => Focus::Choice,
            "textarea" => Focus::Text,
            "input" => match element.dyn_ref::<HtmlInputElement>() {
                // The scrubber's keys are those of the player: from event to event.
                Some(input) if input.type_() == "range" => {
                    if input.class_name() == "scrub__input" {
                        Focus::Plain
                    } else {
                        Focus::Range
                    }
                }
                Some(input) if input.type_() == "radio" => Focus::Choice,
                Some(input) if input.type_() == "checkbox" => Focus::Button,
                _ => Focus::Text,
            },
            _ if element.get_attribute("role").as_deref() == Some("button") => Focus::Button,
            _ => Focus::Plain,
        }
    }
}
