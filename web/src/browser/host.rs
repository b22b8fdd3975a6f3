//! The element that carries the exhibit: where its events go.

use wasm_bindgen::JsValue;

/// One thing the page around the exhibit is told.
#[derive(Clone, Debug, PartialEq)]
pub struct Telling {
    /// The event's name, `inflight-…`.
    pub name: &'static str,
    /// The fields of its detail.
    pub detail: Vec<(&'static str, Detail)>,
}

/// A field of an event's detail.
#[derive(Clone, Debug, PartialEq)]
pub enum Detail {
    /// A text.
    Text(String),
    /// A count.
    Count(usize),
    /// It is so.
    Yes,
    /// It is not.
    No,
}

impl Telling {
    /// A telling without detail.
    #[must_use]
    pub fn new(name: &'static str) -> Telling {
        Telling { name, detail: Vec::new() }
    }

    /// With one more field.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: Detail) -> Telling {
        self.detail.push((name, value));
        self
    }

    /// With one more text.
    #[must_use]
    pub fn text(self, name: &'static str, value: &str) -> Telling {
        self.with(name, Detail::Text(value.to_owned()))
    }
}

/// The element that carries the exhibit, if there is one (there is none on a server).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Host(Option<web_sys::HtmlElement>);

impl Host {
    /// The host of an exhibit in a page.
    #[must_use]
    pub fn new(element: web_sys::HtmlElement) -> Host {
        Host(Some(element))
    }

    /// Dispatches an event on the host; it bubbles and leaves the shadow root.
    pub fn tell(&self, telling: &Telling) {
        let Some(element) = &self.0 else { return };
        let detail = js_sys::Object::new();
        for (name, value) in &telling.detail {
            let value = match value {
                Detail::Text(text) => JsValue::from_str(text),
                Detail::Count(count) => JsValue::from_f64(*count as f64),
                Detail::Yes => JsValue::TRUE,
                Detail::No => JsValue::FALSE,
            };
            // Setting a field of a fresh object cannot fail.
            let _ = js_sys::Reflect::set(&detail, &JsValue::from_str(name), &value);
        }
        let init = web_sys::CustomEventInit::new();
        init.set_bubbles(true);
        init.set_composed(true);
        init.set_detail(&detail);
        if let Ok(event) = web_sys::CustomEvent::new_with_event_init_dict(telling.name, &init) {
            // Only "the event was cancelled" comes back, and nothing hangs on it.
            let _ = element.dispatch_event(&event);
        }
    }
}
