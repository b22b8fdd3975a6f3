//! The engine for scripts, without our views: `Simulation` and `Exploration`. Their types are in
//! `static/api/inflight.d.ts`.

use explore::{Bounds, Explorer};
use js_sys::{Array, Error, Object, Reflect};
use player::{Player, Progress};
use scenario::read::{Names, read_action, read_intervention};
use scenario::wire::{Diagnostic, Diagnostics, Reader, Value};
use scenario::{Intervention, Scenario};
use sim::SimTime;
use wasm_bindgen::prelude::*;

use crate::browser::values::{self, plain};

/// A run of a scenario.
#[wasm_bindgen(skip_typescript)]
pub struct Simulation {
    player: Player,
    /// The scenario as it was given, for the names that interventions use.
    document: Value,
}

#[wasm_bindgen]
impl Simulation {
    /// A run of this scenario, a parsed JSON document; with another seed if one is given. Nothing
    /// is computed yet.
    ///
    /// # Errors
    /// An `Error` whose `diagnostics` name each place that is wrong and its repair.
    #[wasm_bindgen(constructor)]
    pub fn new(scenario: &JsValue, seed: &JsValue) -> Result<Simulation, JsValue> {
        let mut document = values::document(scenario).map_err(|wrong| failure(&[wrong]))?;
        if let (Some(seed), Value::Record(fields)) = (text_of(seed), &mut document) {
            fields.retain(|(name, _)| name != "seed");
            fields.push(("seed".to_owned(), Value::text(seed)));
        }
        let sink = Diagnostics::new();
        let read = Scenario::read(&Reader::new(&document, &sink));
        let wrong = sink.into_vec();
        match read.filter(|_| wrong.is_empty()) {
            Some(scenario) => Ok(Simulation { player: Player::new(scenario), document }),
            None => Err(failure(&wrong)),
        }
    }

    /// Computes up to a moment and moves the playhead there; without one, to the end. Says whether
    /// there is more to compute.
    ///
    /// # Errors
    /// The moment is none.
    pub fn advance(&mut self, until: &JsValue) -> Result<bool, JsValue> {
        if until.is_undefined() || until.is_null() {
            self.player.finish();
            self.player.seek(self.player.end());
        } else {
            self.player.seek(moment(until)?);
        }
        Ok(self.player.progress() == Progress::Running)
    }

    /// Does something to the run: at its own `at`, or at the playhead. What was computed from then
    /// on is dropped. Says the number of the intervention.
    ///
    /// # Errors
    /// An `Error` with `diagnostics`, if it is no intervention of this scenario.
    pub fn intervene(&mut self, action: &JsValue) -> Result<usize, JsValue> {
        let given = values::document(action).map_err(|wrong| failure(&[wrong]))?;
        let sink = Diagnostics::new();
        let names = Names::of(&self.document);
        let reader = Reader::new(&given, &sink);
        let read = if given.get("at").is_some() {
            read_intervention(&reader, &names)
        } else {
            let at = self.player.position();
            read_action(&reader, &names).map(|action| Intervention { at, action })
        };
        let wrong = sink.into_vec();
        let Some(read) = read.filter(|_| wrong.is_empty()) else { return Err(failure(&wrong)) };
        let mut all = self.player.interventions().to_vec();
        all.push(read);
        let number = all.len() - 1;
        self.player.set_interventions(all);
        Ok(number)
    }

    /// Takes an intervention back by its number. Says whether there was one.
    #[wasm_bindgen(js_name = "takeBack")]
    pub fn take_back(&mut self, number: usize) -> bool {
        self.player.take_back(number).is_some()
    }

    /// The trace from an event on: a list of `{ at, is, of }`.
    ///
    /// # Errors
    /// None that a trace can cause.
    pub fn events(&self, from: Option<usize>) -> Result<JsValue, JsValue> {
        plain(&self.player.describe_events(from.unwrap_or(0)))
    }

    /// The trace as text, a line an event.
    pub fn trace(&self) -> String {
        let mut text = String::new();
        // A string takes all that is written to it.
        let _ = world::write_trace(&mut text, self.player.scenario(), self.player.trace());
        text
    }

    /// Everything that is there at a moment; without one, at the playhead. Moves the playhead.
    ///
    /// # Errors
    /// The moment is none.
    pub fn frame(&mut self, at: &JsValue) -> Result<JsValue, JsValue> {
        if !at.is_undefined() && !at.is_null() {
            self.player.seek(moment(at)?);
        }
        plain(&self.player.describe_frame())
    }

    /// The measures of what has been computed, by name.
    ///
    /// # Errors
    /// None that a run can cause.
    pub fn measures(&self) -> Result<JsValue, JsValue> {
        let measures = self.player.measures().into_iter();
        plain(&Value::record(measures.map(|(name, value)| (name, Value::Number(value)))))
    }

    /// An exploration of the scenario: what a crash at each border of its handlers costs. What has
    /// been done to this run is not in it, and the run stays as it is.
    ///
    /// # Errors
    /// An `Error` with `diagnostics`, if the bounds are none.
    pub fn explore(&self, bounds: &JsValue) -> Result<Exploration, JsValue> {
        let bounds = if bounds.is_undefined() || bounds.is_null() {
            Bounds::default()
        } else {
            let given = values::document(bounds).map_err(|wrong| failure(&[wrong]))?;
            let sink = Diagnostics::new();
            let read = Bounds::read(&Reader::new(&given, &sink));
            read.ok_or_else(|| failure(&sink.into_vec()))?
        };
        Ok(Exploration(Explorer::new((**self.player.scenario()).clone(), bounds)))
    }

    /// What came of the scenario's properties: a list of `{ property, finding, times }`.
    ///
    /// # Errors
    /// None that a run can cause.
    pub fn properties(&self) -> Result<JsValue, JsValue> {
        plain(&self.player.describe_properties())
    }

    /// The seed, as text: a JavaScript number does not hold all of it.
    #[wasm_bindgen(getter)]
    pub fn seed(&self) -> String {
        self.player.scenario().seed.to_string()
    }

    /// The playhead, in seconds.
    #[wasm_bindgen(getter)]
    pub fn now(&self) -> f64 {
        self.player.position().as_secs_f64()
    }

    /// When the run ends, in seconds: known once it is computed, until then its bound.
    #[wasm_bindgen(getter)]
    pub fn end(&self) -> f64 {
        self.player.end().as_secs_f64()
    }

    /// Whether the run is computed to its end.
    #[wasm_bindgen(getter)]
    pub fn done(&self) -> bool {
        self.player.progress() == Progress::Done
    }
}

/// An exploration under way.
#[wasm_bindgen(skip_typescript)]
pub struct Exploration(Explorer);

#[wasm_bindgen]
impl Exploration {
    /// Goes on for at most about so many states; without a number, to the end. Says whether there is
    /// more to try.
    pub fn advance(&mut self, states: Option<usize>) -> bool {
        match states {
            Some(states) => self.0.advance(states) == explore::Progress::Running,
            None => {
                self.0.finish();
                false
            }
        }
    }

    /// What has been found so far.
    ///
    /// # Errors
    /// None that an exploration can cause.
    pub fn report(&self) -> Result<JsValue, JsValue> {
        plain(&self.0.describe())
    }

    /// How many runs have been tried.
    #[wasm_bindgen(getter)]
    pub fn runs(&self) -> usize {
        self.0.runs()
    }

    /// How many states these have gone through.
    #[wasm_bindgen(getter)]
    pub fn states(&self) -> usize {
        self.0.states()
    }

    /// Whether all is tried, or a bound is reached.
    #[wasm_bindgen(getter)]
    pub fn done(&self) -> bool {
        self.0.progress() == explore::Progress::Done
    }
}

fn moment(given: &JsValue) -> Result<SimTime, JsValue> {
    values::moment(given).ok_or_else(|| {
        js_sys::TypeError::new("inflight: give a moment in seconds, or as a text like “34.2s”")
            .into()
    })
}

/// A seed as text or as a number.
fn text_of(seed: &JsValue) -> Option<String> {
    let number = || Some(scenario::wire::number_text(seed.as_f64()?));
    seed.as_string().or_else(number)
}

/// An error that lists what is wrong, each with its place and its repair.
fn failure(wrong: &[Diagnostic]) -> JsValue {
    let lines: Vec<String> = wrong.iter().map(ToString::to_string).collect();
    let error = Error::new(&lines.join("\n"));
    let list = Array::new();
    for diagnostic in wrong {
        let entry = Object::new();
        let fields = [
            ("path", diagnostic.path.to_string()),
            ("problem", diagnostic.problem.clone()),
            ("repair", diagnostic.repair.clone()),
        ];
        for (name, value) in fields {
            // Setting a field of a new object cannot fail.
            let _ = Reflect::set(&entry, &name.into(), &value.into());
        }
        list.push(&entry);
    }
    let _ = Reflect::set(&error, &"diagnostics".into(), &list);
    error.into()
}
