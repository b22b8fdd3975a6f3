//! A worker of the browser: it computes runs beside the page, in a module of its own.

use js_sys::{Float64Array, Object};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

use super::js::Js;

/// What a worker says.
#[derive(Clone, Debug, PartialEq)]
pub enum Word {
    /// It is there, and has nothing to do.
    Ready,
    /// What came of the run with a seed.
    Outcome(u32, Vec<f64>),
    /// Nothing will come of it any more.
    Lost,
}

/// A worker. Dropping it ends it.
pub struct Hand {
    worker: Js,
    _heard: Closure<dyn FnMut(JsValue)>,
}

impl Hand {
    /// Starts a worker. `None` where the browser, or the page, has none: those of another address
    /// than the page's are refused.
    #[must_use]
    #[inline(never)]
    pub fn start(address: &str, mut heard: impl FnMut(Word) + 'static) -> Option<Hand> {
        let options = Js(Object::new().into());
        options.set("type", "module");
        let worker = Js::global("Worker").make(&[address.into(), options.0]).ok()?;
        let heard = Closure::<dyn FnMut(JsValue)>::new(move |event| heard(read(&Js(event))));
        for name in ["onmessage", "onerror"] {
            worker.set(name, heard.as_ref());
        }
        Some(Hand { worker, _heard: heard })
    }

    /// Tells it something, as a record. False if that cannot be.
    #[inline(never)]
    pub fn tell(&self, fields: &[(&str, JsValue)]) -> bool {
        let record = Js(Object::new().into());
        for (name, value) in fields {
            record.set(name, value);
        }
        self.worker.call("postMessage", &[record.0]).is_ok()
    }
}

impl Drop for Hand {
    fn drop(&mut self) {
        // What is gone already needs no end.
        let _ = self.worker.call("terminate", &[]);
    }
}

fn read(event: &Js) -> Word {
    let said = event.get("data");
    let outcome = said.get("outcome").0.dyn_into::<Float64Array>();
    match (event.text("type").as_str(), outcome) {
        ("message", Ok(outcome)) => Word::Outcome(said.num("seed") as u32, outcome.to_vec()),
        ("message", Err(_)) if !said.get("lost").is_there() => Word::Ready,
        _ => Word::Lost,
    }
}

/// How many workers a page may keep busy beside itself.
#[must_use]
pub fn hands() -> usize {
    let cores = Js::global("navigator").num("hardwareConcurrency") as usize;
    cores.saturating_sub(1).clamp(1, 4)
}
