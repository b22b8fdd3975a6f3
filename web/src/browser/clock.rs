//! The clock on the wall.

/// Milliseconds on the wall; none have passed where no browser is.
#[must_use]
pub fn now_ms() -> f64 {
    if cfg!(target_arch = "wasm32") { js_sys::Date::now() } else { 0.0 }
}
