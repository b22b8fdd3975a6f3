//! Dials: the exhibit's controls as they stand.

use course::{Exhibit, Setting};
use scenario::wire::{Value, number_text, parse_duration};

use super::{Act, Session};
use crate::words::{Words, seconds};

/// A setting that can be changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Dial {
    /// Its place in the scenario.
    pub pointer: String,
    /// What it is called.
    pub label: String,
    /// What else there is to know.
    pub note: String,
    /// Where it stands.
    pub position: u32,
    /// Its last position.
    pub last: u32,
    /// Its value in words.
    pub shown: String,
    /// The names of its values, if it is a choice.
    pub choices: Vec<String>,
    setting: Setting,
}

impl Dial {
    /// The act that puts it to a position.
    #[must_use]
    pub fn act(&self, position: u32) -> Act {
        Act::Change { pointer: self.pointer.clone(), value: self.setting.value_at(position) }
    }
}

/// The exhibit's controls as they stand.
#[must_use]
pub fn dials(session: &Session, words: &Words) -> Vec<Dial> {
    dials_in(&session.exhibit, &session.document, words)
}

/// The same as they stand in a document.
pub(super) fn dials_in(exhibit: &Exhibit, document: &Value, words: &Words) -> Vec<Dial> {
    let dial = |control: &course::Control| {
        let value = document.at(&control.pointer).cloned().unwrap_or(Value::Null);
        let choices = match &control.setting {
            Setting::Choices(choices) => choices.iter().map(|c| c.label.clone()).collect(),
            _ => Vec::new(),
        };
        Dial {
            pointer: control.pointer.to_string(),
            label: control.label.clone(),
            note: control.note.clone().unwrap_or_default(),
            position: control.setting.position_of(&value).unwrap_or(0),
            last: control.setting.last(),
            shown: shown(words, &control.setting, &value),
            choices,
            setting: control.setting.clone(),
        }
    };
    exhibit.controls.iter().map(dial).collect()
}

/// A value in words: a duration with its unit, a number, a choice by its name.
fn shown(words: &Words, setting: &Setting, value: &Value) -> String {
    if let Some(label) = setting.label_of(value) {
        return label.to_owned();
    }
    match value {
        Value::Text(text) => parse_duration(text).map_or_else(|_| text.clone(), seconds),
        Value::Number(number) if number.fract() == 0.0 && *number >= 0.0 => {
            words.number(*number as u64)
        }
        Value::Number(number) => number_text(*number),
        _ => String::new(),
    }
}
