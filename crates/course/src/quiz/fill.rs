//! The missing component: a diagram with an empty place, parts to put there, and runs that judge.

use player::Player;
use scenario::Scenario;
use scenario::wire::{Pointer, Value};

use crate::fact::cut_short;
use crate::{Claim, FactOutcome};

/// A diagram with an empty place.
#[derive(Clone, Debug, PartialEq)]
pub struct Fill {
    /// The line on which the empty place lies, stop by stop.
    pub route: Vec<Stop>,
    /// What the runs are of, by its position among the quiz's stages.
    pub stage: usize,
    /// The seeds under which every part is run.
    pub seeds: Vec<u64>,
    /// What must be kept.
    pub promises: Vec<Promise>,
    /// The parts that may be placed.
    pub parts: Vec<Part>,
}

/// A stop of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Something that is there.
    There(String),
    /// The empty place.
    Empty,
}

/// Something that must be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promise {
    /// Its name within the question.
    pub id: String,
    /// What is promised.
    pub say: String,
}

/// A part that may be placed.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// What it is called.
    pub say: String,
    /// Whether it is the one that keeps every promise. The runs decide; `lint` compares.
    pub right: bool,
    /// Why it does, or does not.
    pub why: String,
    /// The promises that it breaks, by their positions.
    pub breaks: Vec<usize>,
    /// What it changes in the scenario, by place.
    pub with: Vec<(Pointer, Value)>,
    /// The scenario with it in place.
    pub scenario: Scenario,
    /// What the promises claim of that scenario, in their order.
    pub claims: Vec<Claim>,
}

/// What the runs of a placed part, or of a design, showed.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    /// Each promise, or each fault of a design, in order.
    pub promises: Vec<Tested>,
    /// How many runs there were for each.
    pub runs: usize,
    /// The limit at which one of them was cut short.
    pub cut_short: Option<&'static str>,
}

/// How a promise came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tested {
    /// In how many runs it was kept.
    pub kept: usize,
    /// The seed of the first run that broke it.
    pub broken_by: Option<u64>,
    /// What was claimed, if the rest does not say it, and what that run showed instead.
    pub instead: Option<(Option<String>, String)>,
}

impl Ran {
    /// Whether every run kept every promise.
    #[must_use]
    pub fn keeps_all(&self) -> bool {
        self.promises.iter().all(|promise| promise.kept == self.runs)
    }

    /// The seed of the run to watch: the first that breaks a promise.
    #[must_use]
    pub fn witness(&self) -> Option<u64> {
        self.promises.iter().find_map(|promise| promise.broken_by)
    }
}

impl Fill {
    /// Puts a part in its place and runs the scenario under every seed.
    ///
    /// # Panics
    /// There is no such part.
    #[must_use]
    pub fn run(&self, part: usize) -> Ran {
        let part = &self.parts[part];
        let fresh = Tested { kept: 0, broken_by: None, instead: None };
        let mut promises = vec![fresh; self.promises.len()];
        let mut limit = None;
        for &seed in &self.seeds {
            let mut player = Player::new(Scenario { seed, ..part.scenario.clone() });
            player.finish();
            limit = limit.or_else(|| cut_short(&player));
            for (tested, claim) in promises.iter_mut().zip(&part.claims) {
                match claim.check(&player) {
                    FactOutcome::Found => tested.kept += 1,
                    FactOutcome::Differs { claimed, found } if tested.broken_by.is_none() => {
                        tested.broken_by = Some(seed);
                        tested.instead = Some((claim.wanted(claimed), found));
                    }
                    FactOutcome::Differs { .. }
                    | FactOutcome::NoRun(_)
                    | FactOutcome::CutShort(_) => {}
                }
            }
        }
        Ran { promises, runs: self.seeds.len(), cut_short: limit }
    }
}
