//! The exhibit of the order button, run in each of the 896 ways that its controls can stand, and
//! held to arithmetic that knows nothing of the engine.

use std::fs;
use std::path::Path;

use player::{Finding, Gauge, Player};
use serde_json::{Value as Json, json};
use sim::SimTime;
use tests::runs::finished;

/// Each step, and how many tenths of a second it takes; the first is never left for later.
const STEPS: [(&str, u64); 6] = [
    ("stock", 8),
    ("card", 12),
    ("confirmation", 15),
    ("receipt", 15),
    ("analytics", 10),
    ("loyalty", 12),
];

fn exhibit() -> Json {
    let file = "../crates/course/content/exhibits/seven-seconds.json";
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file));
    serde_json::from_str(&text.expect("the exhibit")).expect("JSON")
}

/// How the controls stand.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// A bit for each step that is left for later.
    later: usize,
    workers: usize,
    /// The step that is down for the second order, if one is.
    down: Option<usize>,
}

impl Way {
    fn all() -> impl Iterator<Item = Way> {
        let laters = (0..64).filter(|later| later & 1 == 0);
        let downs = || (0..=STEPS.len()).map(|at| at.checked_sub(1));
        laters.flat_map(move |later| {
            (1..=4).flat_map(move |workers| downs().map(move |down| Way { later, workers, down }))
        })
    }

    fn leaves(self, step: usize) -> bool {
        self.later >> step & 1 == 1
    }

    /// The scenario with the values that the controls give.
    fn scenario(self, exhibit: &Json) -> Json {
        let controls = exhibit["controls"].as_array().expect("controls");
        assert_eq!(controls.len(), 7);
        let mut scenario = exhibit["scenario"].clone();
        for (at, control) in controls.iter().enumerate() {
            let pointer = control["pointer"].as_str().expect("a pointer");
            let value = match at {
                0..5 => control["choices"][usize::from(self.leaves(at + 1))]["value"].clone(),
                5 => json!(self.workers),
                _ => control["choices"][self.down.map_or(0, |step| step + 1)]["value"].clone(),
            };
            *scenario.pointer_mut(pointer).expect("a place in the scenario") = value;
        }
        scenario
    }

    /// When the first order is answered, and when its last step is done, in tenths of a second: who
    /// is free first takes what was left first.
    fn times(self) -> (u64, u64) {
        let (mut now, mut last) = (0, 0);
        let mut free = vec![0; self.workers];
        for (step, (_, takes)) in STEPS.iter().enumerate() {
            if self.leaves(step) {
                let first = free.iter_mut().min().expect("a worker");
                *first = now.max(*first) + takes;
                last = last.max(*first);
            } else {
                now += takes;
            }
        }
        (now, now.max(last))
    }

    /// The step at which the second order fails, if it does.
    fn fails_at(self) -> Option<usize> {
        self.down.filter(|step| !self.leaves(*step))
    }
}

fn reads(
    player: &Player,
    gauge: impl Fn(scenario::ComponentId) -> Gauge,
    of: &str,
    at: SimTime,
) -> f64 {
    let of = player.scenario().find(of).expect("it is there");
    player.gauge(gauge(of)).value_at(at)
}

/// F-CHECKOUT-1, F-CHECKOUT-2, F-CHECKOUT-3, AP-1.
#[test]
fn every_way_to_set_the_controls_is_a_run_that_arithmetic_foretells() {
    let exhibit = exhibit();
    let mut ways = 0;
    for way in Way::all() {
        // Reading it must find nothing wrong.
        let player = finished(&way.scenario(&exhibit));
        let (before, end) = (SimTime::from_secs(10), player.end());
        let near = |found: f64, tenths: u64| (found * 10.0 - tenths as f64).abs() < 1e-6;
        let (answer, last) = way.times();
        let found = reads(&player, Gauge::AnsweredIn, "buyer", before);
        assert!(near(found, answer), "{way:?}: answered in {found}");
        let found = reads(&player, Gauge::EffectedAfter, "buyer", before);
        assert!(near(found, last), "{way:?}: last effect after {found}");
        let fails = u64::from(way.fails_at().is_some());
        let placed = reads(&player, Gauge::Answered, "buyer", end) * 0.1;
        let failed = reads(&player, Gauge::GaveUp, "buyer", end) * 0.1;
        assert!(near(placed, 2 - fails) && near(failed, fails), "{way:?}: {placed}, {failed}");
        for (step, (name, _)) in STEPS.iter().enumerate() {
            let twice = way.fails_at().is_none_or(|at| step < at);
            let found = reads(&player, Gauge::Effects, name, end) * 0.1;
            assert!(near(found, 1 + u64::from(twice)), "{way:?}: {name} {found}");
        }
        assert!(near(reads(&player, Gauge::Held, "todo", end), 0), "{way:?}: something is left");
        let holds = player.verdicts().iter().all(|it| matches!(it.finding, Finding::Holds));
        assert!(holds, "{way:?}: {:?}", player.verdicts());
        ways += 1;
    }
    assert_eq!(ways, 896);
}
