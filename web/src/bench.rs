//! Exports for measuring the engine inside a browser; only `cargo xtask bench` builds them in.

use std::sync::Arc;

use scenario::Scenario;
use scenario::wire::{Diagnostics, Reader, Value};
use wasm_bindgen::prelude::*;
use world::{Plan, Trace, World};

use crate::browser::values;

/// Serves so many customers in the M/M/1 station of `sim::models` and returns how many events that
/// took; the caller has the clock.
#[wasm_bindgen]
pub fn bench_mm1(customers: u32, seed: u32) -> f64 {
    // Fewer than 2^53 events, so a JavaScript number holds them exactly.
    sim::models::mm1(u64::from(customers), u64::from(seed)).events as f64
}

/// A scenario that has been read, to be run again and again.
#[wasm_bindgen]
pub struct BenchScenario(Scenario);

#[wasm_bindgen]
impl BenchScenario {
    /// Reads a scenario.
    ///
    /// # Errors
    /// What is wrong with it, as text.
    #[wasm_bindgen(constructor)]
    pub fn new(document: &JsValue) -> Result<BenchScenario, JsValue> {
        let document: Value =
            values::document(document).map_err(|wrong| JsValue::from(wrong.to_string()))?;
        let sink = Diagnostics::new();
        let read = Scenario::read(&Reader::new(&document, &sink));
        let wrong: Vec<String> = sink.into_vec().iter().map(ToString::to_string).collect();
        read.map(BenchScenario).ok_or_else(|| wrong.join("\n").into())
    }

    /// Runs it to its end with a seed, with or without keeping the trace, and returns how many
    /// events of the calendar that took.
    pub fn run(&self, seed: u32, traced: bool) -> f64 {
        let scenario = Arc::new(Scenario { seed: u64::from(seed), ..self.0.clone() });
        let plan = Plan::of(&scenario);
        let mut trace = if traced { Trace::new() } else { Trace::counting() };
        let mut world = World::new(&scenario);
        while world.advance(&mut trace, &plan, usize::MAX, usize::MAX) {}
        world.handled() as f64
    }
}
