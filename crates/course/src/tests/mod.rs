//! Rows for exhibits, over a small one of their own: what is read, what is refused, what a frame
//! offers, what a trace tells, and what the linter finds.

use broker::MessageId;
use player::Player;
use scenario::link::RunState;
use scenario::wire::{Pointer, Value, format_time, parse_duration};
use sim::SimTime;

use crate::*;

mod complaints;
mod fidelity;
mod quizzes;
mod sheets;

/// The exhibit of the rows, as a document.
fn document() -> Value {
    serde_json::from_str(include_str!("fixture.json")).expect("the fixture is JSON")
}

/// The document with one value put in.
fn with(place: &str, json: &str) -> Value {
    let mut changed = document();
    let value = serde_json::from_str(json).expect(json);
    changed.set(&pointer(place), value).expect(place);
    changed
}

fn exhibit() -> Exhibit {
    Exhibit::read(&document()).expect("the fixture is sound")
}

fn pointer(text: &str) -> Pointer {
    Pointer::parse(text).expect(text)
}

fn time(text: &str) -> SimTime {
    SimTime::from_micros(parse_duration(text).expect(text).as_micros())
}

/// A run of the exhibit with a link's changes, computed to its end.
fn run(exhibit: &Exhibit, state: &RunState) -> Player {
    let (_, scenario) = exhibit.restored(state).expect("the state fits the exhibit");
    let mut player = Player::new(scenario);
    player.finish();
    player
}

fn without_crash() -> RunState {
    let changes = vec![(pointer("/interventions"), Value::list([]))];
    RunState { changes, ..RunState::default() }
}

#[test]
fn a_sound_exhibit_passes_everything() {
    let exhibit = exhibit();
    assert_eq!(exhibit.title, "Three parcels");
    assert_eq!(exhibit.follow, Some(MessageId::from_index(0)));
    assert_eq!(exhibit.scenario.components.len(), 4);
    assert_eq!(lint(&exhibit), []);
}

#[test]
fn patterns_find_their_event() {
    let exhibit = exhibit();
    let player = run(&exhibit, &RunState::default());
    let check = |pattern: &str, expected: &[&str]| {
        let beat = format!(r#"[{{"id":"x","when":{pattern},"title":"t","say":"s"}}]"#);
        let exhibit = Exhibit::read(&with("/story", &beat)).expect(pattern);
        let found = exhibit.story.beats(player.trace());
        let times: Vec<_> =
            found.iter().map(|(at, _)| format_time(player.trace()[*at].at)).collect();
        assert_eq!(times, expected, "{pattern}");
    };
    check(r#"{"event":"stored"}"#, &["1s"]);
    check(r#"{"event":"stored","message":2}"#, &["2s"]);
    check(r#"{"event":"stored","occurrence":3}"#, &["3s"]);
    check(r#"{"event":"stored","occurrence":4}"#, &[]);
    check(r#"{"event":"stored","component":"belt"}"#, &["1s"]);
    check(r#"{"event":"stored","component":"courier"}"#, &[]);
    check(r#"{"event":"received","instance":2}"#, &["2s"]);
    check(r#"{"event":"received","count":2}"#, &["21s"]);
    check(r#"{"event":"effected","nth":1,"message":1}"#, &["24s"]);
    check(r#"{"event":"effected","nth":2}"#, &[]);
    check(r#"{"event":"crashed","message":1,"component":"packers"}"#, &["2s"]);
    check(r#"{"event":"restarted"}"#, &["12s"]);
}

#[test]
fn a_story_follows_the_run_that_is_there() {
    let exhibit = exhibit();
    let check = |state: &RunState, expected: &[&str]| {
        let player = run(&exhibit, state);
        let told = exhibit.story.beats(player.trace());
        let lines: Vec<_> = told
            .iter()
            .map(|(at, beat)| {
                let event = &player.trace()[*at];
                let text = format!("{} {}", beat.title, beat.say);
                format!("{} {}", format_time(event.at), narrate(&text, event, &exhibit.scenario))
            })
            .collect();
        assert_eq!(lines, expected);
    };
    check(
        &RunState::default(),
        &[
            "1s Packer 1 takes 1. From belt. Packer 1 has it now.",
            "2s Packer 1 faints. It held 1.",
            "21s Receive 2. By packer 2.",
        ],
    );
    check(&without_crash(), &["1s Packer 1 takes 1. From belt. Packer 1 has it now."]);
    let short = (pointer("/components/belt/visibility_timeout"), Value::text("2s"));
    let mut late = without_crash();
    late.changes.push(short);
    let slow = (pointer("/components/packers/count"), Value::Number(4.0));
    late.changes.push(slow);
    check(
        &late,
        &[
            "1s Packer 1 takes 1. From belt. Packer 1 has it now.",
            "4s Too late. The ack of packer 1 is refused.",
        ],
    );
}

#[test]
fn actions_aim_at_what_the_frame_shows() {
    let exhibit = exhibit();
    let mut player = run(&exhibit, &RunState::default());
    let mut check = |at: &str, expected: &[&str]| {
        player.seek(time(at));
        let frame = player.frame();
        let labels: Vec<_> = exhibit
            .actions
            .iter()
            .filter_map(|offer| offer.aim(&exhibit.scenario, &frame, exhibit.follow))
            .map(|ready| ready.label)
            .collect();
        assert_eq!(labels, expected, "{at}");
    };
    check("0s", &["Pause packer 1", "Spoil 1", "Spoil 1", "Stop the courier"]);
    check("1.5s", &["Crash packer 1", "Pause packer 1", "Spoil 1", "Spoil 2", "Stop the courier"]);
    check("2.5s", &["Crash packer 2", "Pause packer 2", "Spoil 1", "Spoil 3", "Stop the courier"]);
    check("50s", &["Pause packer 1", "Stop the courier"]);
}

#[test]
fn an_aimed_action_is_done_to_the_worker_that_was_named() {
    let exhibit = exhibit();
    let mut player = run(&exhibit, &RunState::default());
    player.seek(time("2.5s"));
    let ready = exhibit.actions[0].aim(&exhibit.scenario, &player.frame(), None).expect("busy");
    assert_eq!(ready.action.instance(), Some(1));
    player.intervene(ready.action);
    player.finish();
    let crashes: Vec<_> = player
        .trace()
        .iter()
        .filter(|event| EventKind::of(&event.what) == EventKind::Crashed)
        .map(|event| (format_time(event.at), Cast::of(&event.what).message))
        .collect();
    let held = |number: u32| Some(MessageId::from_index(number - 1));
    assert_eq!(crashes, [("2s".into(), held(1)), ("2.5s".into(), held(2))]);
}

#[test]
fn controls_have_positions_and_values() {
    let exhibit = exhibit();
    let check = |control: usize, last: u32, rows: &[(u32, Value)]| {
        let setting = &exhibit.controls[control].setting;
        assert_eq!(setting.last(), last);
        for (position, value) in rows {
            assert_eq!(setting.value_at(*position), *value);
            assert_eq!(setting.position_of(value), Some(*position));
        }
        assert_eq!(setting.value_at(last + 7), setting.value_at(last));
    };
    check(0, 11, &[(0, Value::text("5s")), (3, Value::text("20s")), (11, Value::text("60s"))]);
    check(1, 3, &[(0, Value::Number(1.0)), (3, Value::Number(4.0))]);
    check(2, 1, &[(0, Value::text("packer")), (1, Value::text("hand"))]);
    let off = |control: usize, value: Value| {
        assert_eq!(exhibit.controls[control].setting.position_of(&value), None, "{value:?}");
    };
    off(0, Value::text("7s"));
    off(0, Value::text("65s"));
    off(0, Value::Number(20.0));
    off(1, Value::Number(1.5));
    off(2, Value::text("hands"));
    assert_eq!(exhibit.controls[2].setting.label_of(&Value::text("hand")), Some("hands"));
}

#[test]
fn steps_of_a_tenth_stay_tenths() {
    let range = r#"[{"pointer":"/components/packers/count","label":"n",
                     "range":{"min":0.1,"max":1,"step":0.1}}]"#;
    let exhibit = Exhibit::read(&with("/controls", range)).expect("a range of tenths");
    let setting = &exhibit.controls[0].setting;
    assert_eq!(setting.last(), 9);
    assert_eq!(setting.value_at(2), Value::Number(0.3));
    assert_eq!(setting.value_at(9), Value::Number(1.0));
}
