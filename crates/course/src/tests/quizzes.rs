//! What is said about a quiz that is not one.

use scenario::wire::Value;

use crate::evidence::exhibits_named;
use crate::quiz::{Answer, Quiz, Verdict, lint_quiz};
use crate::tree::{Tree, lint_tree};

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

#[test]
fn a_card_passes_with_two_thirds_of_its_points() {
    let card = |points: &str| {
        format!(
            r#"{{ "id": "a", "is": "recall", "ask": "A?", "say": "B.", "points": [{points}] }}"#
        )
    };
    check(&card(r#""one""#), "/questions/0/points", "partly named");
    let quiz =
        Quiz::read(&document(&card(r#""one", "two", "three""#)), &|_| None).expect("a sound quiz");
    assert_eq!(lint_quiz(&quiz), []);
    for (named, verdict) in [
        (vec![], Verdict::Wrong),
        (vec![2], Verdict::Wrong),
        (vec![2, 2], Verdict::Wrong),
        (vec![0, 2], Verdict::Right),
        (vec![0, 1, 2], Verdict::Right),
    ] {
        let judged = quiz.questions[0].judge(&Answer::Recalled(named.clone()));
        assert_eq!(judged.map(|judged| judged.verdict), Some(verdict), "{named:?}");
    }
}

/// Two decisions: when it is sent, and whether anybody takes it; the fault takes the time away.
fn design(breaks: &str, shows: &str) -> String {
    format!(
        r#"{{ "id": "a", "is": "design", "ask": "A?", "of": "one", "beats": [
             {{ "say": "when", "why": "First.", "options": [
               {{ "say": "now", "right": true, "why": "It waits." }},
               {{ "say": "late", "why": "It is late.", "breaks": [{breaks}],
                  "with": {{ "/components/s/arrivals": {{ "at": ["6s"] }} }} }} ] }},
             {{ "say": "who", "why": "Second.", "options": [
               {{ "say": "somebody else", "why": "It is gone.", "breaks": ["short"],
                  "with": {{ "/components/w": {{ "is": "workers", "from": "q", "on_message": ["ack"] }} }} }},
               {{ "say": "nobody", "right": true, "why": "It waits." }} ] }} ],
             "faults": [ {{ "id": "short", "say": "The run is short", "keeps": "It waits",
               "with": {{ "/until": "5s" }}, "shows": [ {shows} ] }} ] }}"#
    )
}

const WAITS: &str = r#"{ "say": "Waiting", "gauge": "depth", "of": "q", "is": 1 }"#;

#[test]
fn a_design_is_judged_by_its_order_and_by_its_runs() {
    let quiz =
        Quiz::read(&document(&design(r#""short""#, WAITS)), &|_| None).expect("a sound quiz");
    assert_eq!(lint_quiz(&quiz), []);
    let judge = |order: &[usize], picks: &[usize]| {
        let (order, picks) = (order.to_vec(), picks.to_vec());
        quiz.questions[0].judge(&Answer::Designed { order, picks })
    };
    let verdict = |order: &[usize], picks: &[usize]| judge(order, picks).map(|it| it.verdict);
    assert_eq!(verdict(&[0, 1], &[0, 1]), Some(Verdict::Right));
    assert_eq!(verdict(&[1, 0], &[0, 1]), Some(Verdict::Wrong), "the order counts");
    assert_eq!(verdict(&[0, 1], &[1, 1]), Some(Verdict::Wrong), "it is not there in time");
    assert_eq!(verdict(&[0, 1], &[0, 0]), Some(Verdict::Wrong), "it is taken");
    assert_eq!(verdict(&[0, 0], &[0, 1]), None, "a beat is missing");
    assert_eq!(verdict(&[0, 1], &[0, 2]), None, "there is no such option");
    let judged = judge(&[1, 0], &[1, 1]).expect("an answer");
    let told: Vec<_> = judged.notes.iter().map(|note| (note.about, note.why.as_str())).collect();
    assert_eq!(told, [(None, "First."), (Some(0), "It is late."), (Some(1), "It waits.")]);
    let ran = judged.ran.expect("runs");
    assert_eq!(ran.promises[0].instead, Some((Some("1".into()), "Waiting: 0 in the end".into())));
    // What is found of a property names it, and so what was claimed.
    let lost = r#"{ "say": "Lost", "property": "no message lost", "is": "broken" }"#;
    let quiz = Quiz::read(&document(&design(r#""short""#, lost)), &|_| None).expect("a quiz");
    let order = Answer::Designed { order: vec![0, 1], picks: vec![0, 1] };
    let ran = quiz.questions[0].judge(&order).and_then(|judged| judged.ran).expect("runs");
    let (wanted, found) = ran.promises[0].instead.as_ref().expect("it is none of the scenario's");
    assert!(wanted.is_none() && found.contains("“no message lost”"), "{wanted:?} {found}");
}

#[test]
fn what_a_decision_is_said_to_break_must_be_so() {
    check(&design("", WAITS), "/questions/0/faults/0", "is not borne with [\"late\"]");
    check(&design(r#""short""#, ""), "/questions/0/faults/0", "is borne with [\"late\"]");
    check(&design(r#""short""#, ""), "/questions/0/faults", "bears every fault");
    check(&design(r#""long""#, WAITS), "/questions/0/beats/0/options/1/breaks/0", "long");
    let wrong = r#"{ "say": "Waiting", "gauge": "depth", "of": "nowhere", "is": 1 }"#;
    check(&design(r#""short""#, wrong), "/questions/0/faults/0/shows/0/of", "nowhere");
}

#[test]
fn there_are_not_more_ways_to_decide_than_can_be_tried() {
    let option = r#"{ "say": "x", "why": "X." }"#;
    let options = [r#"{ "say": "y", "why": "Y.", "right": true }"#; 1].to_vec();
    let options = [options, vec![option; 3]].concat().join(",");
    let beat = format!(r#"{{ "say": "b", "why": "B.", "options": [{options}] }}"#);
    let beats = |count: usize| {
        let beats = vec![beat.as_str(); count].join(",");
        format!(
            r#"{{ "id": "a", "is": "design", "ask": "A?", "of": "one", "beats": [{beats}],
                 "faults": [ {{ "id": "f", "say": "F", "keeps": "K", "shows": [] }} ] }}"#
        )
    };
    check(&beats(5), "/questions/0/beats", "more than 1000 ways");
    assert!(Quiz::read(&document(&beats(4)), &|_| None).is_ok());
}

#[test]
fn the_words_of_a_tree_keep_the_rules_of_the_house() {
    let text = r#"{ "format": 1, "kind": "tree", "title": "T", "lesson": "L.", "module": "m1",
        "forks": [{ "id": "a", "ask": "A?", "help": "Look  twice.", "answers": [
          { "say": "Yes!", "to": "x" }, { "say": "No", "to": "y" } ] }],
        "ends": [{ "id": "x", "advise": "Do it!", "because": "B." },
                 { "id": "y", "advise": "Do not", "because": "B." }],
        "examples": [
          { "say": "one", "answers": ["Yes!"], "why": "W." },
          { "say": "two", "answers": ["No"], "why": "W.", "otherwise": { "say": "Alas!" } } ] }"#;
    let document: Value = serde_json::from_str(text).expect("JSON");
    let tree = Tree::read(&document, &|_| None).expect("a sound tree");
    let found = lint_tree(&tree);
    let paths: Vec<&str> = found.iter().map(|one| one.path.as_str()).collect();
    let wanted =
        ["/forks/0/help", "/forks/0/answers/0", "/ends/0/advise", "/examples/1/otherwise/say"];
    assert_eq!(paths, wanted);
}

#[test]
fn decisions_that_give_no_scenario_together_are_found() {
    // Each is well by itself: the one takes the queue's profile, the other what only that one has.
    let text = design(r#""short""#, WAITS)
        .replace(
            r#""at": ["6s"] }"#,
            r#""at": ["6s"] }, "/components/q": { "is": "queue", "profile": "plain" }"#,
        )
        .replace(
            r#""on_message": ["ack"] }"#,
            r#""on_message": ["ack"] }, "/components/q/delay": "0s""#,
        );
    check(&text, "/questions/0/beats", "together give no scenario");
}
