//! A call after a while, unless it is dropped before.

use wasm_bindgen::prelude::*;

/// A call that is to come.
pub struct Later {
    id: i32,
    _closure: Closure<dyn FnMut()>,
}

impl Later {
    /// Calls once, after so many milliseconds.
    #[must_use]
    pub fn after(ms: i32, call: impl FnMut() + 'static) -> Option<Later> {
        let closure = Closure::new(call);
        let asked = closure.as_ref().unchecked_ref();
        let window = web_sys::window()?;
        let id = window.set_timeout_with_callback_and_timeout_and_arguments_0(asked, ms).ok()?;
        Some(Later { id, _closure: closure })
    }
}

impl Drop for Later {
    fn drop(&mut self) {
        if let Some(window) = web_sys::window() {
            window.clear_timeout_with_handle(self.id);
        }
    }
}
