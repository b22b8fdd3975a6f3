//! What the module exports to JavaScript.

use std::rc::Rc;

use course::Exhibit;
use js_sys::{Object, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;
use yew::AppHandle;

use super::facade;
use super::{App, AppProps, Settings};
use crate::asked::Asked;
use crate::browser::{Host, values};
use crate::words::Words;

#[wasm_bindgen]
extern "C" {
    /// Fetches the second part of the module and puts it in place, before anything else happens.
    #[wasm_bindgen(js_name = "inflightRest")]
    fn fetch_rest();
}

/// What a function of the second part calls when that is not there yet: `site` cuts the module so
/// (see the crate `split`).
#[wasm_bindgen]
pub fn rest() {
    fetch_rest();
}

/// Puts an exhibit into `root`. `config` has `exhibit` and `catalogue` (both parsed JSON),
/// `attributes` (texts by name), `host` (the element that events are dispatched on) and `link` (the
/// page that a link to a run opens).
#[wasm_bindgen]
#[allow(clippy::needless_pass_by_value, reason = "wasm-bindgen hands values over")]
pub fn mount(root: HtmlElement, config: Object) -> Handle {
    let get = |name: &str| Reflect::get(&config, &JsValue::from_str(name)).unwrap_or_default();
    let attributes = values::texts(&get("attributes"));
    let (settings, wrong) = Settings::read(&attributes);
    let host = get("host").dyn_into::<HtmlElement>().map(Host::new).unwrap_or_default();
    let exhibit = values::document(&get("exhibit"))
        .map_err(|wrong| vec![wrong])
        .and_then(|document| Exhibit::read(&document))
        .map(Rc::new);
    let words = Words::new(values::texts(&get("catalogue")));
    let link = get("link").as_string().unwrap_or_default();
    let props = AppProps { words, exhibit, settings, wrong, host, link };
    let renderer = yew::Renderer::<App>::with_root_and_props(root.into(), props);
    Handle { app: Some(renderer.render()) }
}

/// An exhibit in a page.
#[wasm_bindgen]
pub struct Handle {
    app: Option<AppHandle<App>>,
}

#[wasm_bindgen]
impl Handle {
    /// Takes the exhibit out of the page.
    pub fn destroy(&mut self) {
        if let Some(app) = self.app.take() {
            app.destroy();
        }
    }

    /// An attribute has this value now, or none.
    pub fn set(&self, name: String, value: Option<String>) {
        if let Some(app) = &self.app {
            app.send_message(Asked::Set(name, value));
        }
    }

    /// A call of the façade: `play`, `pause`, `step`, `seek`, `reset`, `getState`, `setState`,
    /// `snapshot`.
    ///
    /// # Errors
    /// There is no such method, or it cannot take what it was given.
    pub fn call(&self, method: &str, given: &js_sys::Array) -> Result<JsValue, JsValue> {
        let Some(app) = &self.app else {
            return Err(js_sys::Error::new("in-flight: the exhibit is not on the page").into());
        };
        facade::call(app, method, given)
    }
}
