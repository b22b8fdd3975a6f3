//! Things of the browser by name. What few readers ever use would weigh on everybody as a binding of
//! its own; a name costs nothing until it is called.

use js_sys::{Array, Function, Reflect};
use wasm_bindgen::{JsCast, JsValue};

/// A thing of the browser.
#[derive(Clone, Debug)]
pub struct Js(pub JsValue);

impl Js {
    /// What a name stands for everywhere: `document`, `Blob`.
    #[must_use]
    pub fn global(name: &str) -> Js {
        Js(js_sys::global().into()).get(name)
    }

    /// A property; undefined if there is none.
    #[must_use]
    pub fn get(&self, name: &str) -> Js {
        Js(Reflect::get(&self.0, &name.into()).unwrap_or_default())
    }

    /// Sets a property.
    pub fn set(&self, name: &str, value: impl Into<JsValue>) {
        // What cannot be set stays what it was; whoever depends on it looks.
        let _ = Reflect::set(&self.0, &name.into(), &value.into());
    }

    /// A number; 0 if it is none.
    #[must_use]
    pub fn num(&self, name: &str) -> f64 {
        self.get(name).0.as_f64().unwrap_or(0.0)
    }

    /// A text; empty if it is none.
    #[must_use]
    pub fn text(&self, name: &str) -> String {
        self.get(name).0.as_string().unwrap_or_default()
    }

    /// Whether there is such a thing.
    #[must_use]
    pub fn is_there(&self) -> bool {
        !self.0.is_undefined() && !self.0.is_null()
    }

    /// Calls a method.
    ///
    /// # Errors
    /// What the browser throws; a text if there is no such method.
    pub fn call(&self, method: &str, given: &[JsValue]) -> Result<Js, String> {
        let function = self.get(method).0.dyn_into::<Function>();
        let function = function.map_err(|_| ["there is no ", method].concat())?;
        let given: Array = given.iter().collect();
        Reflect::apply(&function, &self.0, &given).map(Js).map_err(|thrown| said(&thrown))
    }

    /// Makes a new one of these.
    ///
    /// # Errors
    /// What the browser throws; a text if this makes none.
    pub fn make(&self, given: &[JsValue]) -> Result<Js, String> {
        let function = self.0.dyn_ref::<Function>().ok_or("the browser has no such thing")?;
        let given: Array = given.iter().collect();
        Reflect::construct(function, &given).map(Js).map_err(|thrown| said(&thrown))
    }

    /// The entries of a list.
    pub fn list(&self) -> impl Iterator<Item = Js> + '_ {
        let count = self.num("length") as u32;
        (0..count).map(|place| Js(Reflect::get_u32(&self.0, place).unwrap_or_default()))
    }
}

/// What was thrown, in its own words.
fn said(thrown: &JsValue) -> String {
    let message = Js(thrown.clone()).text("message");
    if message.is_empty() { "it does not say why".to_owned() } else { message }
}
