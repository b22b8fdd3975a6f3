//! A ticker: one call for every frame the browser draws, for as long as it lives.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::prelude::*;

/// Calls back before every repaint until it is dropped.
pub struct Ticker {
    live: Rc<Live>,
}

/// What the browser calls before a repaint.
type Repaint = Closure<dyn FnMut(f64)>;

struct Live {
    pending: Cell<Option<i32>>,
    closure: RefCell<Option<Repaint>>,
}

impl Ticker {
    /// Starts. The callback is given the milliseconds of screen time since the one before, and 0
    /// the first time.
    #[must_use]
    pub fn start(mut each: impl FnMut(f64) + 'static) -> Ticker {
        let live = Rc::new(Live { pending: Cell::new(None), closure: RefCell::new(None) });
        let weak = Rc::downgrade(&live);
        let mut last = None;
        let closure = Closure::new(move |now: f64| {
            let Some(live) = weak.upgrade() else { return };
            let elapsed = last.map_or(0.0, |before: f64| (now - before).max(0.0));
            last = Some(now);
            live.pending.set(None);
            live.ask();
            each(elapsed);
        });
        *live.closure.borrow_mut() = Some(closure);
        live.ask();
        Ticker { live }
    }
}

impl Live {
    fn ask(&self) {
        let closure = self.closure.borrow();
        let (Some(window), Some(closure)) = (web_sys::window(), closure.as_ref()) else { return };
        self.pending.set(window.request_animation_frame(closure.as_ref().unchecked_ref()).ok());
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        if let (Some(id), Some(window)) = (self.live.pending.take(), web_sys::window()) {
            // Nothing can be done about a refusal, and the weak reference makes it harmless.
            let _ = window.cancel_animation_frame(id);
        }
    }
}
