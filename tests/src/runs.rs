//! Scenarios for tests, run natively.

use std::hash::{Hash, Hasher};

use player::Player;
use scenario::Scenario;
use scenario::wire::{Diagnostics, Reader};
use serde_json::{Value as Json, json};

/// Reads a scenario that must be right.
///
/// # Panics
/// If it is not, with what is wrong.
#[must_use]
pub fn scenario(document: &Json) -> Scenario {
    let document = crate::documents::parse("test", &document.to_string()).expect("well-formed");
    let wrong = Diagnostics::new();
    let scenario = Scenario::read(&Reader::new(&document, &wrong));
    let wrong = wrong.into_vec();
    let lines: Vec<_> = wrong.iter().map(ToString::to_string).collect();
    assert!(wrong.is_empty(), "{}", lines.join("\n"));
    scenario.expect("no diagnostics, so a scenario")
}

/// Runs a scenario to its end.
#[must_use]
pub fn finished(document: &Json) -> Player {
    let mut player = Player::new(scenario(document));
    player.finish();
    player
}

/// The trace of a run as text.
///
/// # Panics
/// Never: writing to a string does not fail.
#[must_use]
pub fn trace_text(player: &Player) -> String {
    let mut text = String::new();
    world::write_trace(&mut text, player.scenario(), player.trace()).expect("a string takes all");
    text
}

/// A source that sends straight into a queue `jobs` (visibility timeout 30 s, five receives, then
/// `parked`), and one worker `crew` that calls `mail` for a second and acks. Times other than those
/// are zero. Change it by [`with`].
#[must_use]
pub fn base() -> Json {
    json!({
        "format": 1, "name": "test", "seed": "1", "until": "300s",
        "components": {
            "feed": { "is": "source", "to": "jobs", "arrivals": { "at": ["0s"] } },
            "jobs": { "is": "queue", "profile": "sqs-standard", "max_receive_count": 5,
                      "dead_letter_to": "parked" },
            "parked": { "is": "queue", "profile": "sqs-standard" },
            "crew": { "is": "workers", "from": "jobs", "on_error": "nack",
                      "on_message": [ { "call": { "to": "mail" } }, "ack" ] },
            "mail": { "is": "external", "latency": "1s" },
        },
        "properties": ["no message lost", "no effect twice"],
    })
}

/// The base scenario with values set at JSON pointers. A pointer to what is not there adds it.
///
/// # Panics
/// If the record that should hold a value is not there.
#[must_use]
pub fn with(changes: &[(&str, Json)]) -> Json {
    changed(base(), changes)
}

/// A document with values set at JSON pointers. A pointer to what is not there adds it.
///
/// # Panics
/// If the record that should hold a value is not there.
#[must_use]
pub fn changed(mut document: Json, changes: &[(&str, Json)]) -> Json {
    for (pointer, value) in changes {
        let (parent, name) = pointer.rsplit_once('/').expect("a pointer starts with a slash");
        let parent = document.pointer_mut(parent).unwrap_or_else(|| panic!("no {parent}"));
        parent[name] = value.clone();
    }
    document
}

/// Runs the base scenario with changes and looks for lines in order. A line that starts with `!`
/// must be nowhere in the trace.
///
/// # Panics
/// If a line is not in its place, or is there though it must not be.
#[track_caller]
pub fn check(changes: &[(&str, Json)], lines: &[&str]) {
    check_run(&with(changes), lines);
}

/// Runs a scenario and looks for lines in order, as [`check`] does.
///
/// # Panics
/// If a line is not in its place, or is there though it must not be.
#[track_caller]
pub fn check_run(document: &Json, lines: &[&str]) {
    let text = trace_text(&finished(document));
    let mut rest = text.lines();
    for line in lines {
        if let Some(absent) = line.strip_prefix('!') {
            assert!(!text.contains(absent), "“{absent}” is in the trace:\n{text}");
        } else {
            assert!(rest.any(|found| found == *line), "no “{line}” in its place:\n{text}");
        }
    }
}

/// Holds a finished run of a scenario to another of it: the same trace, and the same moments after a
/// seek back. Leaves the playhead in the middle.
///
/// # Errors
/// What differs.
pub fn repeats(document: &Json, player: &mut Player) -> Result<(), String> {
    let mut again = finished(document);
    if trace_text(player) != trace_text(&again) {
        return Err("two runs of one scenario differ".to_owned());
    }
    if hash(player.head()) != hash(again.head()) {
        return Err("equal runs, different worlds".to_owned());
    }
    let (end, middle) = (player.end(), sim::SimTime::from_micros(player.end().as_micros() / 2));
    player.seek(end);
    player.seek(middle);
    again.seek(middle);
    if player.frame() == again.frame() {
        Ok(())
    } else {
        Err("seeking back shows another moment".to_owned())
    }
}

fn hash(world: &world::World) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    world.hash(&mut hasher);
    hasher.finish()
}

/// How many random scenarios a property is tried on: `INFLIGHT_RUNS`, else `in_ci` where the variable
/// `CI` is set, else `here`. The properties of all files add up to 10,000 in CI.
#[must_use]
pub fn tries(here: u32, in_ci: u32) -> u32 {
    let told = std::env::var("INFLIGHT_RUNS").ok().and_then(|runs| runs.parse().ok());
    told.unwrap_or(if std::env::var_os("CI").is_some() { in_ci } else { here })
}
