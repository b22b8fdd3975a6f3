//! Values across the border: documents and texts from JavaScript.

use js_sys::{Array, Object};
use scenario::wire::{Diagnostic, Value};
use wasm_bindgen::{JsCast, JsValue};

/// A parsed JSON document as a tree.
///
/// # Errors
/// It is not one: a value that JSON does not have, or a bound of a document is crossed.
pub fn document(value: &JsValue) -> Result<Value, Diagnostic> {
    serde_wasm_bindgen::from_value(value.clone()).map_err(|why| {
        let repair = "give the exhibit as parsed JSON, within the limits of a document";
        Diagnostic::new("", String::from(js_sys::Error::from(JsValue::from(why)).message()), repair)
    })
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
