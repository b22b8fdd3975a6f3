//! What is said to be left to chance is what another seed changes.

use std::fs;
use std::path::Path;

use course::{Exhibit, Setting};
use player::Player;
use scenario::Scenario;
use scenario::link::RunState;
use scenario::wire::{Pointer, Value};
use world::TraceEvent;

fn trace(scenario: &Scenario, seed: u64) -> Vec<TraceEvent> {
    let mut player = Player::new(Scenario { seed, ..scenario.clone() });
    player.finish();
    player.trace().to_vec()
}

#[test]
fn what_draws_nothing_runs_the_same_under_every_seed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/course/content/exhibits");
    let (mut draw, mut differ) = (0, 0);
    for entry in fs::read_dir(folder).expect("the course has a folder of exhibits") {
        let text = fs::read_to_string(entry.expect("a file").path()).expect("a readable file");
        let document = tests::documents::parse("exhibit", &text).expect("JSON");
        let exhibit = Exhibit::read(&document).expect("a sound exhibit");
        for changes in std::iter::once(Vec::new()).chain(choices(&exhibit)) {
            let state = RunState { changes, ..RunState::default() };
            // A choice may make no sense without another.
            let Ok((_, scenario)) = exhibit.restored(&state) else { continue };
            let differs = trace(&scenario, 1) != trace(&scenario, 2);
            let what = (&exhibit.title, &state.changes);
            assert!(scenario.draws() || !differs, "this draws, and is not said to: {what:?}");
            draw += u32::from(scenario.draws());
            differ += u32::from(differs);
        }
    }
    assert!(differ >= 8 && draw <= 3 * differ, "{draw} draw, {differ} differ");
}

/// Every choice that the controls of an exhibit offer.
fn choices(exhibit: &Exhibit) -> impl Iterator<Item = Vec<(Pointer, Value)>> {
    exhibit.controls.iter().flat_map(|control| {
        let last = match &control.setting {
            Setting::Choices(_) => control.setting.last(),
            _ => 0,
        };
        (1..=last).map(|at| vec![(control.pointer.clone(), control.setting.value_at(at))])
    })
}
