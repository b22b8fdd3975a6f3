//! A bounded round of fuzzing on stable Rust: the exhibit, its scenario and a link to it are
//! mutated a fixed number of times from a fixed seed, and whatever comes of them must be read or
//! refused with a place and a repair. `tests/fuzz` feeds the same entries without end.

use course::Exhibit;
use scenario::link::RunState;
use scenario::wire::{Pointer, Value};
use sim::{SimTime, Stream};
use tests::fuzz::{Verdict, fuzz_exhibit, fuzz_formula, fuzz_link, fuzz_scenario, fuzz_sheet};

const EVENT_LIFE: &str = include_str!("../../crates/course/content/exhibits/event-life.json");

/// Values that readers trip over: the borders of types and ranges, wrong kinds, odd texts.
const ODD: &[&str] = &[
    "null",
    "true",
    "0",
    "-0.0",
    "1",
    "-1",
    "1.5",
    "2",
    "5",
    "50",
    "1001",
    "65536",
    "4294967296",
    "9007199254740993",
    "1e300",
    "-1e300",
    "1e-300",
    r#""""#,
    r#"" ""#,
    r#""0s""#,
    r#""1us""#,
    r#""30""#,
    r#""30d""#,
    r#""31d""#,
    r#""1h30m""#,
    r#""99999999999999999999d""#,
    r#""alerts""#,
    r#""mailers""#,
    r#""ack""#,
    r#""wait""#,
    r#""{worker} {nobody}""#,
    r#""{""#,
    r#""/""#,
    r#""/components""#,
    r#""\u0000""#,
    r#""😀""#,
    "[]",
    "{}",
    "[[]]",
    r#"{"ack":{}}"#,
    r#"{"":""}"#,
    r#"{"at":"1s","crash":{"component":"mailers"}}"#,
    r#"{"exponential":{"mean":"1s"}}"#,
    r#"{"poisson":{"per_second":1000000}}"#,
    r#"{"log_normal":{"median":"1s","p99":"1us"}}"#,
    r#"{"every":{"interval":"1us"}}"#,
];

fn document() -> Value {
    serde_json::from_str(EVENT_LIFE).expect("the exhibit is JSON")
}

/// Every place of a document, the root first.
fn places(value: &Value, here: &Pointer, found: &mut Vec<Pointer>) {
    found.push(here.clone());
    match value {
        Value::List(entries) => {
            for (at, entry) in entries.iter().enumerate() {
                places(entry, &here.join(at.to_string()), found);
            }
        }
        Value::Record(fields) => {
            for (name, field) in fields {
                places(field, &here.join(name), found);
            }
        }
        _ => {}
    }
}

fn pick<'a, T>(from: &'a [T], dice: &mut Stream) -> &'a T {
    let at = dice.below(from.len() as u64);
    &from[usize::try_from(at).expect("a position in a list in memory")]
}

/// Changes a document at one to three places: an odd value, a copy from elsewhere, a field or
/// entry gone, a name misspelt.
fn mutate(document: &Value, dice: &mut Stream) -> Value {
    let mut mutant = document.clone();
    for _ in 0..=dice.below(3) {
        let mut all = Vec::new();
        places(&mutant, &Pointer::root(), &mut all);
        let place = pick(&all, dice).clone();
        match dice.below(8) {
            0 => drop(mutant.remove(&place)),
            1 => {
                let copied = mutant.at(pick(&all, dice)).cloned().expect("a place that exists");
                mutant.set(&place, copied).expect("a place that exists");
            }
            2 => {
                if let Some((holder, name)) = place.split_last() {
                    let value = mutant.at(&place).cloned().expect("a place that exists");
                    let slip = format!("{name}{}", pick(&["s", "_", ".", "/", ""], dice));
                    // Where the holder is a list the misspelt position is refused, as it should.
                    drop(mutant.set(&holder.join(slip), value));
                }
            }
            _ => {
                let odd: &&str = pick(ODD, dice);
                let odd = serde_json::from_str(odd).expect("JSON");
                mutant.set(&place, odd).expect("a place that exists");
            }
        }
    }
    mutant
}

/// Changes a text in one to four places: a byte replaced, a piece cut out, repeated or moved.
fn scramble(text: &[u8], dice: &mut Stream) -> Vec<u8> {
    const BYTES: &[u8] = b"\0\"{}[]:,\\/.~!()*@;+%-0123456789eE\xff\xc3\xa9 abcstf";
    let mut bytes = text.to_vec();
    for _ in 0..=dice.below(4) {
        let mut cut = || {
            let at = dice.below(bytes.len() as u64 + 1);
            usize::try_from(at).expect("a position in a text in memory")
        };
        let (from, to) = (cut(), cut());
        let (from, to) = (from.min(to), from.max(to).min(from.min(to) + 200));
        match dice.below(5) {
            0 => drop(bytes.drain(from..to)),
            1 => bytes.truncate(to),
            2 => {
                let piece = bytes[from..to].to_vec();
                bytes.splice(to..to, piece);
            }
            _ => {
                let byte = *pick(BYTES, dice);
                if let Some(old) = bytes.get_mut(from) {
                    *old = byte;
                }
            }
        }
    }
    bytes
}

/// Feeds `rounds` mutants; both verdicts must occur, or the mutants are too tame or too wild.
fn check(rounds: u64, purpose: &str, mut feed: impl FnMut(&mut Stream) -> Verdict) {
    let verdicts: Vec<_> = (0..rounds).map(|at| feed(&mut Stream::new(7, purpose, at))).collect();
    let taken = verdicts.iter().filter(|verdict| **verdict == Verdict::Taken).count();
    assert!(taken > 0 && taken < verdicts.len(), "{taken} of {rounds} {purpose} taken");
}

fn json(document: &Value) -> Vec<u8> {
    serde_json::to_vec(document).expect("a document can be written")
}

#[test]
fn mutated_scenarios_are_read_or_refused_with_a_repair() {
    let scenario = document().get("scenario").cloned().expect("an exhibit has a scenario");
    check(600, "scenario documents", |dice| fuzz_scenario(&json(&mutate(&scenario, dice))));
    let text = json(&scenario);
    check(600, "scenario texts", |dice| fuzz_scenario(&scramble(&text, dice)));
}

#[test]
fn mutated_exhibits_are_read_or_refused_with_a_repair() {
    let exhibit = document();
    check(400, "exhibit documents", |dice| fuzz_exhibit(&json(&mutate(&exhibit, dice))));
    let text = json(&exhibit);
    check(400, "exhibit texts", |dice| fuzz_exhibit(&scramble(&text, dice)));
}

#[test]
fn mutated_sheets_are_read_and_worked_out_or_refused_with_a_repair() {
    let text = include_str!("../../crates/course/content/sheets/retry-curve.json");
    let sheet: Value = serde_json::from_str(text).expect("the sheet is JSON");
    check(150, "sheet documents", |dice| fuzz_sheet(&json(&mutate(&sheet, dice))));
    let text = json(&sheet);
    check(100, "sheet texts", |dice| fuzz_sheet(&scramble(&text, dice)));
}

#[test]
fn any_text_is_a_formula_or_refused_with_a_column() {
    let formulas = [
        "if(rate < workers, backlog(rate, workers, 60), -1) ^ 2",
        "sum(n, 1, workers, gap(n, 1, 2, 8)) / max(1, rate - workers)",
        "outlasts(rate, 5, 1, 2, 0, 2) * mean_wait(workers, rate, 0.1)",
    ];
    check(4_000, "formulas", |dice| {
        fuzz_formula(&scramble(pick(&formulas, dice).as_bytes(), dice))
    });
}

#[test]
fn mutated_links_are_read_or_refused_with_a_repair() {
    let exhibit = Exhibit::read(&document()).expect("the exhibit is sound");
    let handler = exhibit.document.at(exhibit.reorder.as_ref().expect("a handler to reorder"));
    let crash = r#"{"at":"18.4s","crash":{"component":"mailers","instance":1}}"#;
    let state = RunState {
        seed: Some("7".into()),
        changes: vec![
            (exhibit.controls[0].pointer.clone(), Value::text("10s")),
            (exhibit.reorder.clone().expect("checked above"), handler.cloned().expect("lines")),
        ],
        interventions: vec![serde_json::from_str(crash).expect("JSON")],
        at: Some(SimTime::from_micros(34_200_000)),
        follow: Some(5),
    };
    // A scrambled link is caught by its checksum; a mutated state has a sound one.
    let text = state.encode().expect("a short link");
    check(1_000, "link texts", |dice| {
        let tail = scramble(b".", dice);
        let scrambled = scramble(text.as_bytes(), dice);
        let extended = [text.as_bytes(), &tail].concat();
        let chosen = if dice.below(2) == 0 { &scrambled } else { &extended };
        fuzz_link(chosen, &exhibit)
    });
    let all = Value::list(state.changes.iter().map(|(_, value)| value.clone()));
    check(300, "link states", |dice| {
        let mut mutant = state.clone();
        let values = mutate(&all, dice);
        for (at, change) in mutant.changes.iter_mut().enumerate() {
            change.1 =
                values.as_list().and_then(|list| list.get(at)).cloned().unwrap_or(Value::Null);
        }
        mutant.interventions = vec![mutate(&state.interventions[0], dice)];
        mutant.encode().map_or(Verdict::Refused, |text| fuzz_link(text.as_bytes(), &exhibit))
    });
}
