//! Values across the border: documents, texts and moments from JavaScript.

use js_sys::{Array, Object};
use scenario::limits;
use scenario::wire::{Diagnostic, Value, parse_duration};
use serde::Serialize;
use sim::SimTime;
use wasm_bindgen::{JsCast, JsValue};

/// A parsed JSON document as a tree.
///
/// # Errors
/// It is not one: a value that JSON does not have, or a bound of a document is crossed.
pub fn document(value: &JsValue) -> Result<Value, Diagnostic> {
    read(value, 0, &mut 0).map_err(|why| {
        let repair = "give the exhibit as parsed JSON, within the limits of a document";
        Diagnostic::new("", why, repair)
    })
}

/// A value `depth` levels in, after so many others.
fn read(value: &JsValue, depth: usize, nodes: &mut usize) -> Result<Value, String> {
    *nodes += 1;
    for (reached, limit) in [(depth, limits::DEPTH), (*nodes, limits::NODES)] {
        if reached > limit.max {
            return Err(["the document has more than its bound: ", &limit.to_string()].concat());
        }
    }
    if value.is_null() || value.is_undefined() {
        return Ok(Value::Null);
    }
    if let Some(flag) = value.as_bool() {
        return Ok(Value::Bool(flag));
    }
    if let Some(number) = value.as_f64() {
        return Ok(Value::Number(number));
    }
    if let Some(text) = value.as_string() {
        return Ok(Value::Text(text));
    }
    if let Some(array) = value.dyn_ref::<Array>() {
        let entries = array.iter().map(|entry| read(&entry, depth + 1, nodes));
        return entries.collect::<Result<_, _>>().map(Value::List);
    }
    if !value.is_object() {
        return Err("the document holds a value that JSON does not have".to_owned());
    }
    let mut fields = Vec::new();
    for pair in Object::entries(value.unchecked_ref()).iter() {
        let pair: Array = pair.unchecked_into();
        let name = pair.get(0).as_string().unwrap_or_default();
        fields.push((name, read(&pair.get(1), depth + 1, nodes)?));
    }
    Ok(Value::Record(fields))
}

/// A tree as plain objects and lists.
///
/// # Errors
/// What JavaScript throws.
pub fn plain(value: &Value) -> Result<JsValue, JsValue> {
    Ok(value.serialize(&serde_wasm_bindgen::Serializer::json_compatible())?)
}

/// The texts of an object, by name. What is not a text is passed over.
#[must_use]
pub fn texts(value: &JsValue) -> Vec<(String, String)> {
    let Some(object) = value.dyn_ref::<Object>() else { return Vec::new() };
    let entries = Object::entries(object);
    let pair = |entry: JsValue| {
        let entry: Array = entry.dyn_into().ok()?;
        Some((entry.get(0).as_string()?, entry.get(1).as_string()?))
    };
    entries.iter().filter_map(pair).collect()
}

/// A moment of a run: a number of seconds, or a duration as the scenario writes it.
#[must_use]
pub fn moment(given: &JsValue) -> Option<SimTime> {
    if let Some(seconds) = given.as_f64() {
        return (seconds >= 0.0).then(|| SimTime::from_micros((seconds * 1e6) as u64));
    }
    let long = parse_duration(&given.as_string()?).ok()?;
    Some(SimTime::ZERO + long)
}
