//! What is said about a quiz that is not one.

use scenario::wire::Value;

use crate::quiz::{Quiz, exhibits_named, lint_quiz};

/// A quiz around some questions.
fn document(questions: &str) -> Value {
    let text = [
        r#"{ "format": 1, "kind": "quiz", "title": "T", "lesson": "L.", "module": "m1",
             "runs": { "one": { "summary": "One message.", "scenario": {
               "format": 1, "name": "one", "seed": "1", "until": "10s", "components": {
                 "s": { "is": "source", "to": "q", "arrivals": { "at": ["1s"] } },
                 "q": { "is": "queue", "profile": "sqs-standard" } } } } },
             "questions": ["#,
        questions,
        "] }",
    ];
    serde_json::from_str(&text.concat()).expect("JSON")
}

/// Looks for a complaint at a place that says something.
#[track_caller]
fn check(questions: &str, path: &str, says: &str) {
    let wrong = match Quiz::read(&document(questions), &|_| None) {
        Ok(quiz) => lint_quiz(&quiz),
        Err(wrong) => wrong,
    };
    let found = wrong.iter().any(|one| one.path == path && one.problem.contains(says));
    assert!(found, "no “{says}” at {path} among {wrong:#?}");
    assert!(wrong.iter().all(|one| !one.repair.is_empty()));
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let choice = |options: &str| {
        format!(r#"{{ "id": "a", "is": "choice", "ask": "A?", "options": [{options}] }}"#)
    };
    check(&choice(""), "/questions/0/options", "0 of the options are right");
    check(
        &choice(r#"{ "say": "x", "why": "X.", "right": true }"#),
        "/questions/0/options",
        "nothing to choose",
    );
    check(r#"{ "id": "a", "is": "guess", "ask": "A?" }"#, "/questions/0/is", "guess");
    check(
        r#"{ "id": "a", "is": "number", "ask": "A?", "answer": 1, "predict": true }"#,
        "/questions/0",
        "no run",
    );
    let number =
        |id: &str| format!(r#"{{ "id": "{id}", "is": "number", "ask": "A?", "answer": 1 }}"#);
    check(&[number("a"), number("a")].join(","), "/questions/1/id", "taken");
    check(
        r#"{ "id": "a", "is": "sort", "ask": "A?", "bins": [{ "id": "x", "say": "X" }],
             "cards": [{ "say": "c", "bin": "z", "why": "C." }] }"#,
        "/questions/0/cards/0/bin",
        "z",
    );
    check(
        r#"{ "id": "a", "is": "number", "ask": "A?", "answer": 1,
             "run": { "of": "two", "shows": [] } }"#,
        "/questions/0/run/of",
        "two",
    );
    check(
        r#"{ "id": "a", "is": "number", "ask": "A?", "answer": 1,
             "run": { "exhibit": "nowhere", "shows": [] } }"#,
        "/questions/0/run/exhibit",
        "no exhibit",
    );
}

#[test]
fn a_claim_that_its_run_does_not_show_is_found() {
    let asked = |is: u32| {
        format!(
            r#"{{ "id": "a", "is": "number", "ask": "A?", "answer": 1,
                 "run": {{ "of": "one", "shows": [ {{ "gauge": "depth", "of": "q", "is": {is} }} ] }} }}"#
        )
    };
    check(&asked(2), "/questions/0/run/shows/0", "the run shows 1");
    let quiz = Quiz::read(&document(&asked(1)), &|_| None).expect("a sound quiz");
    assert_eq!(lint_quiz(&quiz), []);
}

#[test]
fn traps_and_slips_must_be_wrong() {
    check(
        r#"{ "id": "a", "is": "number", "ask": "A?", "answer": 10, "within": 2,
             "traps": [{ "value": 11, "why": "W." }] }"#,
        "/questions/0/traps/0",
        "right number",
    );
    check(
        r#"{ "id": "a", "is": "order", "ask": "A?", "steps": [
             { "say": "1", "why": "W." }, { "say": "2", "why": "W." } ],
             "slips": [{ "step": 1, "before": 2, "why": "W." }] }"#,
        "/questions/0/slips/0",
        "right order",
    );
}

/// A question whose part sends the message on to `q`, or does not.
fn fill(right: &str, breaks: &str) -> String {
    format!(
        r#"{{ "id": "a", "is": "fill", "ask": "A?", "route": ["s", "?"], "of": "one", "seeds": [1, 2],
             "promises": [{{ "id": "kept", "say": "It waits", "gauge": "depth", "of": "q", "is": 1 }}],
             "parts": [
               {{ "say": "nothing", "right": true, "why": "It waits." }},
               {{ "say": "late", "why": "It is late.", {right} "breaks": [{breaks}],
                  "with": {{ "/components/s/arrivals": {{ "at": ["11s"] }} }} }} ] }}"#
    )
}

#[test]
fn the_runs_of_a_part_decide_and_the_file_must_agree() {
    let quiz = Quiz::read(&document(&fill("", r#""kept""#)), &|_| None).expect("a sound quiz");
    assert_eq!(lint_quiz(&quiz), []);
    check(&fill(r#""right": true,"#, ""), "/questions/0/parts/1", "breaks a promise");
    check(&fill("", ""), "/questions/0/parts/1/breaks", "kept in 0 of 2 runs");
}

#[test]
fn exhibits_that_runs_are_of_are_found_wherever_they_are_named() {
    let text = r#"{ "a": [ { "exhibit": "x" }, { "b": { "exhibit": "y" } } ], "exhibit": "x" }"#;
    let value: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(exhibits_named(&value), ["x", "y"]);
}
