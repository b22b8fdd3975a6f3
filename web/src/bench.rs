//! Exports for measuring the engine inside a browser; only `cargo xtask bench` builds them in.

use wasm_bindgen::prelude::wasm_bindgen;

/// Serves so many customers in the M/M/1 station of `sim::models` and returns how many events that
/// took; the caller has the clock.
#[wasm_bindgen]
pub fn bench_mm1(customers: u32, seed: u32) -> f64 {
    // Fewer than 2^53 events, so a JavaScript number holds them exactly.
    sim::models::mm1(u64::from(customers), u64::from(seed)).events as f64
}
