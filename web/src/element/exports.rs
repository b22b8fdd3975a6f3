//! What the module exports to JavaScript.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use course::Exhibit;
use course::evidence::{Library, exhibits_named};
use course::quiz::Quiz;
use course::sheet::Sheet;
use course::tree::Tree;
use js_sys::{Function, Object, Reflect};
use player::sweep::Sweep;
use scenario::wire::{Diagnostic, Value};
use sim::SimTime;
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;
use yew::AppHandle;

use super::facade;
use super::{App, AppProps, Settings};
use crate::asked::Asked;
use crate::browser::{Host, values};
use crate::quiz;
use crate::sheet;
use crate::state;
use crate::study::Props;
use crate::tree;
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

/// Puts an exhibit into `root`. `config` has `exhibit` and `catalogue` (both parsed JSON), `more` (a
/// function that knows the words which the catalogue lacks, by key), `attributes` (texts by name),
/// `host` (the element that events are dispatched on), `id` (the exhibit's, or the address of its
/// file) and `base` (where our files are).
#[wasm_bindgen]
#[allow(clippy::needless_pass_by_value, reason = "wasm-bindgen hands values over")]
pub fn mount(root: HtmlElement, config: Object) -> Handle {
    let get = |name: &str| Reflect::get(&config, &JsValue::from_str(name)).unwrap_or_default();
    let attributes = values::texts(&get("attributes"));
    let (settings, wrong) = Settings::read(&attributes);
    let host = get("host").dyn_into::<HtmlElement>().map(Host::new).unwrap_or_default();
    let document = values::document(&get("exhibit")).map_err(|wrong| vec![wrong]);
    let more = get("more").dyn_into::<Function>();
    let words = Words::asking(values::texts(&get("catalogue")), move |key| {
        more.as_ref().ok()?.call1(&JsValue::NULL, &JsValue::from_str(key)).ok()?.as_string()
    });
    let others = get("others");
    let id = get("id").as_string().unwrap_or_default();
    match document.as_ref().map(kind) {
        Ok(Some("quiz")) => {
            let quiz = document.and_then(|it| read(&it, &others, Quiz::read)).map(Rc::new);
            let props = Props { words, what: quiz, settings, wrong, host, id };
            let renderer = yew::Renderer::<quiz::App>::with_root_and_props(root.into(), props);
            return Handle { app: Mounted::Quiz(renderer.render()) };
        }
        Ok(Some("tree")) => {
            let tree = document.and_then(|it| read(&it, &others, Tree::read)).map(Rc::new);
            let props = Props { words, what: tree, settings, wrong, host, id };
            let renderer = yew::Renderer::<tree::App>::with_root_and_props(root.into(), props);
            return Handle { app: Mounted::Tree(renderer.render()) };
        }
        Ok(Some("sheet")) => {
            let sheet = document.and_then(|it| Sheet::read(&it)).map(Rc::new);
            let props = Props { words, what: sheet, settings, wrong, host, id };
            let renderer = yew::Renderer::<sheet::App>::with_root_and_props(root.into(), props);
            return Handle { app: Mounted::Sheet(renderer.render()) };
        }
        _ => {}
    }
    let exhibit = document.and_then(|document| Exhibit::read(&document)).map(Rc::new);
    let config = Some(config.clone());
    let props = AppProps { words, exhibit, settings, wrong, host, config };
    let renderer = yew::Renderer::<App>::with_root_and_props(root.into(), props);
    Handle { app: Mounted::Run(renderer.render()) }
}

/// What sort of thing a document holds.
fn kind(document: &Value) -> Option<&str> {
    document.get("kind").and_then(Value::as_text)
}

/// Reads what is answered and not played. The exhibits that its runs are of stand in `others`, by
/// their ids.
#[inline(never)]
fn read<T>(
    document: &Value,
    others: &JsValue,
    read: impl Fn(&Value, &Library<'_>) -> Result<T, Vec<Diagnostic>>,
) -> Result<T, Vec<Diagnostic>> {
    let library = |id: &str| {
        let other = Reflect::get(others, &JsValue::from_str(id)).ok()?;
        values::document(&other).ok().filter(|other| *other != Value::Null).map(Cow::Owned)
    };
    read(document, &library)
}

thread_local! {
    /// What a worker computes runs of.
    static REPLICAS: RefCell<Option<Sweep>> = const { RefCell::new(None) };
}

/// Makes ready for runs of an exhibit (parsed JSON) as a link has it, whose lines are read until a moment
/// in microseconds. Says whether it is sound. For `worker.js`.
#[wasm_bindgen]
#[must_use]
#[allow(clippy::needless_pass_by_value, reason = "wasm-bindgen hands values over")]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a moment of a run")]
pub fn replicas(exhibit: JsValue, run: &str, until: f64) -> bool {
    let exhibit = values::document(&exhibit).ok().and_then(|it| Exhibit::read(&it).ok());
    let until = SimTime::from_micros(until as u64);
    let sweep = exhibit.and_then(|exhibit| state::replicas(&exhibit, run, until).ok());
    let is_sound = sweep.is_some();
    REPLICAS.set(sweep);
    is_sound
}

/// What comes of the run with this seed; nothing if none was made ready for.
#[wasm_bindgen]
#[must_use]
pub fn replica(seed: u32) -> Vec<f64> {
    REPLICAS.with_borrow(|sweep| sweep.as_ref().map_or_else(Vec::new, |sweep| sweep.outcome(seed)))
}

/// The names of the exhibits that a quiz or a tree needs besides its own file, for the loader to fetch.
#[wasm_bindgen]
#[must_use]
#[allow(clippy::needless_pass_by_value, reason = "wasm-bindgen hands values over")]
pub fn needs(document: JsValue) -> Vec<String> {
    values::document(&document).map(|document| exhibits_named(&document)).unwrap_or_default()
}

/// An exhibit in a page.
#[wasm_bindgen]
pub struct Handle {
    app: Mounted,
}

/// What is in the page.
enum Mounted {
    Run(AppHandle<App>),
    Quiz(AppHandle<quiz::App>),
    Tree(AppHandle<tree::App>),
    Sheet(AppHandle<sheet::App>),
    Gone,
}

#[wasm_bindgen]
impl Handle {
    /// Takes the exhibit out of the page.
    pub fn destroy(&mut self) {
        match std::mem::replace(&mut self.app, Mounted::Gone) {
            Mounted::Run(app) => app.destroy(),
            Mounted::Quiz(app) => app.destroy(),
            Mounted::Tree(app) => app.destroy(),
            Mounted::Sheet(app) => app.destroy(),
            Mounted::Gone => {}
        }
    }

    /// An attribute has this value now, or none.
    pub fn set(&self, name: String, value: Option<String>) {
        match &self.app {
            Mounted::Run(app) => app.send_message(Asked::Set(name, value)),
            Mounted::Quiz(app) => app.send_message(Asked::Set(name, value)),
            Mounted::Tree(app) => app.send_message(Asked::Set(name, value)),
            Mounted::Sheet(app) => app.send_message(Asked::Set(name, value)),
            Mounted::Gone => {}
        }
    }

    /// A call of the façade: `play`, `pause`, `step`, `seek`, `reset`, `getState`, `setState`,
    /// `snapshot`.
    ///
    /// # Errors
    /// There is no such method, or it cannot take what it was given.
    pub fn call(&self, method: &str, given: &js_sys::Array) -> Result<JsValue, JsValue> {
        match &self.app {
            Mounted::Run(app) => facade::call(app, method, given),
            Mounted::Quiz(_) | Mounted::Tree(_) | Mounted::Sheet(_) if method == "load" => {
                Ok(JsValue::UNDEFINED)
            }
            Mounted::Quiz(_) | Mounted::Tree(_) | Mounted::Sheet(_) => {
                Err(js_sys::TypeError::new("in-flight: there is no run here to call on").into())
            }
            Mounted::Gone => {
                Err(js_sys::Error::new("in-flight: the exhibit is not on the page").into())
            }
        }
    }
}
