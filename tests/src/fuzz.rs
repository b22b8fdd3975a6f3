//! What a fuzzer feeds: any bytes at all, as a scenario, an exhibit, a worksheet, a formula or a link.
//!
//! Each entry panics if the readers or a short run panic, or if a refusal does not say where and
//! how to repair. The targets in `tests/fuzz` (libFuzzer) and the bounded, seeded round in
//! `tests/tests/fuzz_smoke.rs` (stable Rust) call the same entries.

use std::sync::Arc;

use course::Exhibit;
use course::sheet::formula::Ledger;
use course::sheet::{Entry, Formula, Marks, Sheet};
use player::Player;
use scenario::Scenario;
use scenario::link::{RunState, seal};
use scenario::wire::{Diagnostic, Value};

/// Calendar events that a fuzzed run may take, so that an input costs milliseconds.
const EVENTS: usize = 2_000;

/// Whether an input was taken for what it was offered as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It was read.
    Taken,
    /// It was refused, with diagnostics.
    Refused,
}

/// Reads bytes as a scenario and, if they are one, runs its beginning.
pub fn fuzz_scenario(bytes: &[u8]) -> Verdict {
    match parse(bytes).and_then(|document| course::read_scenario(&document)) {
        Ok(scenario) => {
            run(scenario);
            Verdict::Taken
        }
        Err(wrong) => refused(&wrong),
    }
}

/// Reads bytes as an exhibit and, if they are one, tells its story and aims its actions at the
/// beginning of its run.
pub fn fuzz_exhibit(bytes: &[u8]) -> Verdict {
    match parse(bytes).and_then(|document| Exhibit::read(&document)) {
        Ok(exhibit) => {
            let player = run(Arc::clone(&exhibit.scenario));
            for (at, beat) in exhibit.story.beats(player.trace()) {
                let said = course::narrate(&beat.say, &player.trace()[at], &exhibit.scenario);
                assert!(!said.is_empty());
            }
            let frame = player.frame();
            for offer in &exhibit.actions {
                let ready = offer.aim(&exhibit.scenario, &frame, exhibit.follow);
                if let Some(ready) = ready {
                    let mut branch = player.clone();
                    branch.intervene(ready.action);
                    branch.advance(EVENTS);
                }
            }
            for control in &exhibit.controls {
                let last = control.setting.value_at(control.setting.last());
                assert!(control.setting.position_of(&last).is_some(), "{control:?}");
            }
            Verdict::Taken
        }
        Err(wrong) => refused(&wrong),
    }
}

/// Reads bytes as a worksheet and, if they are one, works it out at first and at the ends of its
/// ranges: nothing of it may be other than a finite number or a reason.
pub fn fuzz_sheet(bytes: &[u8]) -> Verdict {
    let sheet = match parse(bytes).and_then(|document| Sheet::read(&document)) {
        Ok(sheet) => sheet,
        Err(wrong) => return refused(&wrong),
    };
    let end = |pick: fn((f64, f64)) -> f64| -> Vec<f64> {
        let number = |input: &course::sheet::Input| match &input.entry {
            Entry::Number { range, .. } => pick(*range),
            Entry::Choice { .. } => input.first(),
        };
        sheet.inputs.iter().map(number).collect()
    };
    let marks = Marks::default();
    for inputs in [sheet.first(), end(|range| range.0), end(|range| range.1)] {
        let worked = sheet.work(&inputs, &marks);
        for (place, number) in worked.all.iter().enumerate() {
            assert!(number.as_ref().map_or(true, |number| number.is_finite()), "{number:?}");
            assert!(!sheet.shown(place, &worked, &marks).contains("NaN"));
        }
        for at in 0..sheet.values.len() {
            let _ = sheet.stands(at, &worked, &marks);
        }
        for graph in &sheet.graphs {
            if let Ok(curve) = sheet.draw(graph, &inputs, &marks) {
                let all = curve.lines.iter().flatten().flatten().chain(&curve.points);
                assert!(all.copied().all(f64::is_finite), "{curve:?}");
            }
        }
    }
    Verdict::Taken
}

/// Reads bytes as a formula over two values and, if they are one, works it out.
pub fn fuzz_formula(bytes: &[u8]) -> Verdict {
    let text = String::from_utf8_lossy(bytes);
    match Formula::parse(&text, &["rate", "workers"]) {
        Ok(formula) => {
            let worked = formula.work(&[Ok(30.0), Ok(4.0)], &mut Ledger::default());
            assert!(worked.map_or(true, f64::is_finite), "{text}");
            Verdict::Taken
        }
        Err(fault) => {
            let within = (1..=text.chars().count() + 1).contains(&fault.column);
            assert!(within && !fault.problem.is_empty() && !fault.repair.is_empty(), "{fault:?}");
            Verdict::Refused
        }
    }
}

/// Reads bytes as the run state of a link to an exhibit, as they are and then with an envelope
/// whose checksum is sound. If they are one, it must come back the same when written again, and
/// the exhibit must run with it or say why it cannot.
pub fn fuzz_link(bytes: &[u8], exhibit: &Exhibit) -> Verdict {
    let text = String::from_utf8_lossy(bytes);
    match follow_link(&text, exhibit) {
        Verdict::Taken => Verdict::Taken,
        Verdict::Refused => follow_link(&seal(&text), exhibit),
    }
}

fn follow_link(text: &str, exhibit: &Exhibit) -> Verdict {
    let state = match RunState::decode(text) {
        Ok(state) => state,
        Err(wrong) => {
            assert!(wrong.iter().all(|one| one.path == "run"), "{wrong:?}");
            return refused(&wrong);
        }
    };
    if let Ok(again) = state.encode() {
        assert_eq!(RunState::decode(&again).as_ref(), Ok(&state), "{text} became {again}");
    }
    match exhibit.restored(&state) {
        Ok((_, scenario)) => {
            let mut player = run(scenario);
            player.seek(state.at.unwrap_or_default().min(player.position()));
            Verdict::Taken
        }
        Err(wrong) => refused(&wrong),
    }
}

/// Parses JSON text, with the place of what cannot be parsed.
fn parse(bytes: &[u8]) -> Result<Value, Vec<Diagnostic>> {
    let mut parser = serde_json::Deserializer::from_slice(bytes);
    let document = Value::read(&mut parser).map_err(|why| vec![why])?;
    parser.end().map_err(|why| {
        vec![Diagnostic::new("", why.to_string(), "remove what stands after the document")]
    })?;
    Ok(document)
}

/// The beginning of a run, with the playhead at its end.
fn run(scenario: impl Into<Arc<Scenario>>) -> Player {
    let mut player = Player::new(scenario);
    player.advance(EVENTS);
    let reached = player.head().now();
    player.seek(reached);
    player
}

/// A refusal says what is wrong, where (a pointer, the whole, or the key of a link) and what to do.
fn refused(wrong: &[Diagnostic]) -> Verdict {
    assert!(!wrong.is_empty(), "refused without a reason");
    for one in wrong {
        let placed = one.path.is_empty() || one.path.starts_with('/') || one.path == "run";
        assert!(placed && !one.problem.is_empty() && !one.repair.is_empty(), "{one:?}");
        assert!(one.to_string().chars().count() < 1_000, "a page and not a sentence: {one}");
    }
    Verdict::Refused
}
