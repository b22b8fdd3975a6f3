//! A sitting, done by hand.

use std::rc::Rc;

use course::leitner::Memory;
use course::quiz::{Quiz, Verdict};
use scenario::wire::Value;

use super::*;

const QUIZ: &str = r#"{
  "format": 1, "kind": "quiz", "title": "Test", "lesson": "Test.", "module": "m1",
  "runs": { "one": { "summary": "One message.", "views": ["topology"], "scenario": {
    "format": 1, "name": "one", "seed": "1", "until": "10s", "components": {
      "s": { "is": "source", "to": "q", "arrivals": { "at": ["1s"] } },
      "q": { "is": "queue", "profile": "sqs-standard" } } } } },
  "questions": [
    { "id": "one", "is": "choice", "ask": "One?", "hints": ["First.", "Second."], "options": [
      { "say": "no", "why": "No." }, { "say": "yes", "right": true, "why": "Yes." } ] },
    { "id": "many", "is": "choice", "many": true, "ask": "Many?", "options": [
      { "say": "a", "right": true, "why": "A." }, { "say": "b", "why": "B." },
      { "say": "c", "right": true, "why": "C." } ] },
    { "id": "count", "is": "number", "ask": "How many?", "answer": 1500, "within": 1, "unit": "messages",
      "traps": [ { "value": 15, "why": "A factor of a hundred." } ] },
    { "id": "steps", "is": "order", "ask": "In which order?", "steps": [
      { "say": "one", "why": "It is first." }, { "say": "two", "why": "It is second." },
      { "say": "three", "why": "It is third." } ],
      "slips": [ { "step": 3, "before": 1, "why": "Three needs one." } ] },
    { "id": "cards", "is": "sort", "ask": "Where?",
      "bins": [ { "id": "x", "say": "X" }, { "id": "y", "say": "Y" } ],
      "cards": [ { "say": "ex", "bin": "x", "why": "It is one." },
                 { "say": "any", "bins": ["x", "y"], "why": "It is both." } ] },
    { "id": "guess", "is": "choice", "ask": "And then?", "predict": true,
      "run": { "of": "one", "at": "2s", "shows": [ { "gauge": "depth", "of": "q", "is": 1 } ] },
      "options": [ { "say": "it waits", "right": true, "why": "Nobody takes it." },
                   { "say": "it is gone", "why": "Nobody took it." } ] },
    { "id": "aloud", "is": "recall", "ask": "Aloud?", "say": "So.", "points": ["p", "q"] },
    { "id": "plan", "is": "design", "ask": "How?", "of": "one",
      "beats": [
        { "say": "when", "why": "First.", "options": [
          { "say": "now", "right": true, "why": "N." },
          { "say": "late", "why": "L.", "with": { "/components/s/arrivals": { "at": ["6s"] } } } ] },
        { "say": "what", "why": "Second.", "options": [
          { "say": "this", "right": true, "why": "T." }, { "say": "that", "why": "A." } ] } ],
      "faults": [ { "id": "short", "say": "Short", "keeps": "It waits.", "with": { "/until": "5s" },
                    "shows": [ { "say": "Waiting", "gauge": "depth", "of": "q", "is": 1 } ] } ] }
  ]
}"#;

fn quiz() -> Rc<Quiz> {
    let document: Value = serde_json::from_str(QUIZ).expect("JSON");
    Rc::new(Quiz::read(&document, &|_| None).expect("a sound quiz"))
}

fn sitting(rules: Rules) -> Sitting {
    Sitting::open(quiz(), rules, &Memory::default(), 0, 1)
}

/// Answers the question at `at` by these acts and says what came of it.
fn answer(sitting: &mut Sitting, at: usize, acts: &[Act]) -> Option<Verdict> {
    sitting.act(Act::Go(at));
    for act in acts {
        sitting.act(act.clone());
    }
    sitting.act(Act::Check)
}

#[test]
fn answers_are_judged_and_may_be_given_again() {
    let mut it = sitting(Rules::default());
    assert_eq!(answer(&mut it, 0, &[]), None, "nothing is picked");
    assert_eq!(answer(&mut it, 0, &[Act::Pick(0)]), Some(Verdict::Wrong));
    assert_eq!(it.paper().standing, Standing::Missed);
    assert_eq!(it.act(Act::Check), None, "the same answer is not judged twice");
    assert_eq!(answer(&mut it, 0, &[Act::Pick(1)]), Some(Verdict::Right));
    assert_eq!((it.paper().standing, it.paper().tries), (Standing::Later, 2));
    assert_eq!(answer(&mut it, 0, &[Act::Pick(0)]), None, "it is over");

    assert_eq!(answer(&mut it, 1, &[Act::Pick(0)]), Some(Verdict::Wrong), "one is missing");
    let notes = &it.paper().judged.as_ref().expect("judged").notes;
    let told: Vec<_> = notes.iter().map(|note| (note.about, note.verdict)).collect();
    assert_eq!(told, [(Some(0), Verdict::Right)], "what is missing is not told");
    assert_eq!(answer(&mut it, 1, &[Act::Pick(2)]), Some(Verdict::Right));
    assert_eq!(it.score(), 0, "none was right at once");
}

#[test]
fn numbers_are_read_as_people_write_them() {
    let check = |text: &str, want: Option<Verdict>| {
        let mut it = sitting(Rules::default());
        assert_eq!(answer(&mut it, 2, &[Act::Type(text.to_owned())]), want, "{text}");
    };
    for right in ["1500", "1,500", "1 500", "1_500", " 1500.5 ", "1499,5"] {
        check(right, Some(Verdict::Right));
    }
    check("1,5", Some(Verdict::Wrong));
    for none in ["", "many", "NaN", "inf", "1500 s"] {
        check(none, None);
    }
    let mut it = sitting(Rules::default());
    answer(&mut it, 2, &[Act::Type("15".into())]);
    let notes = &it.paper().judged.as_ref().expect("judged").notes;
    assert_eq!(notes[0].why, "A factor of a hundred.");
}

#[test]
fn steps_begin_in_a_wrong_order_and_what_came_too_early_is_said() {
    let mut it = sitting(Rules::default());
    it.act(Act::Go(3));
    let Draft::Order(order) = it.paper().draft.clone() else { panic!("an order") };
    assert_ne!(order, [0, 1, 2]);
    it.papers[3].draft = Draft::Order(vec![2, 0, 1]);
    assert_eq!(it.act(Act::Check), Some(Verdict::Wrong));
    assert_eq!(it.paper().judged.as_ref().expect("judged").notes[0].why, "Three needs one.");
    let shift = Act::Shift { from: 0, to: 2 };
    assert_eq!(answer(&mut it, 3, &[shift]), Some(Verdict::Right));
}

#[test]
fn every_card_needs_a_bin_and_some_have_two() {
    let mut it = sitting(Rules::default());
    let bin = |card, bin| Act::Bin { card, bin };
    assert_eq!(answer(&mut it, 4, &[bin(0, 1)]), None);
    assert_eq!(answer(&mut it, 4, &[bin(1, 1)]), Some(Verdict::Wrong));
    assert_eq!(answer(&mut it, 4, &[bin(0, 0)]), Some(Verdict::Right));
}

#[test]
fn a_prediction_shows_its_run_once_it_is_given() {
    let mut it = sitting(Rules::default());
    it.act(Act::Go(5));
    assert_eq!(it.watched, None);
    answer(&mut it, 5, &[Act::Pick(1)]);
    let shown = it.watched.clone().expect("the run is shown");
    assert_eq!(shown.state.at.map(sim::SimTime::as_micros), Some(2_000_000));
    it.act(Act::Pick(0));
    assert_eq!(it.watched, None, "a new answer puts it away");
}

#[test]
fn attempts_and_answers_are_as_the_page_says() {
    let rules = |attempts, reveal| Rules { attempts, reveal };
    let mut it = sitting(rules(Attempts::Most(1), Reveal::Never));
    answer(&mut it, 0, &[Act::Pick(0)]);
    assert!(!it.may_try() && !it.may_reveal());

    let mut it = sitting(rules(Attempts::Any, Reveal::After));
    assert!(!it.may_reveal());
    answer(&mut it, 0, &[Act::Pick(0)]);
    assert!(it.may_reveal());
    it.act(Act::Reveal);
    assert_eq!(it.paper().standing, Standing::Shown);
    assert_eq!(it.paper().draft, Draft::Picked(vec![1]));
    assert!(!it.may_try());

    assert!(sitting(rules(Attempts::Any, Reveal::Always)).may_reveal());
}

#[test]
fn hints_come_one_by_one() {
    let mut it = sitting(Rules::default());
    let mut shown = Vec::new();
    for _ in 0..3 {
        it.act(Act::Hint);
        shown.push(it.paper().hints);
    }
    assert_eq!(shown, [1, 2, 2]);
}

#[test]
fn a_pool_asks_for_what_was_missed_first() {
    let document: Value = serde_json::from_str(QUIZ).expect("JSON");
    let mut pool = Quiz::read(&document, &|_| None).expect("a sound quiz");
    pool.draw = Some(2);
    let pool = Rc::new(pool);
    let mut memory = Memory::default();
    for id in ["one", "many", "count", "steps"] {
        memory.note(id, Verdict::Right, 10);
    }
    memory.note("guess", Verdict::Wrong, 10);
    let it = Sitting::open(Rc::clone(&pool), Rules::default(), &memory, 11, 3);
    let asked: Vec<&str> =
        it.papers.iter().map(|paper| pool.questions[paper.question].id.as_str()).collect();
    assert_eq!(asked, ["guess", "cards"], "the missed one is due, the other is new");
}

#[test]
fn a_card_is_turned_before_it_is_judged() {
    let mut it = sitting(Rules::default());
    assert_eq!(answer(&mut it, 6, &[Act::Clock]), None, "the front is up");
    assert_eq!(answer(&mut it, 6, &[Act::Turn, Act::Pick(1)]), Some(Verdict::Wrong));
    assert_eq!(answer(&mut it, 6, &[Act::Again, Act::Pick(0)]), Some(Verdict::Right));
    assert_eq!(it.paper().standing, Standing::Later);
}

#[test]
fn a_design_is_decided_at_every_beat_and_put_into_order() {
    let mut it = sitting(Rules::default());
    it.act(Act::Go(7));
    let order = |it: &Sitting| match &it.paper().draft {
        Draft::Designed { order, .. } => order.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(order(&it), [1, 0], "it begins in a wrong order");
    let pick = |card, bin| Act::Bin { card, bin };
    assert_eq!(answer(&mut it, 7, &[pick(0, 1)]), None, "a decision is open");
    assert_eq!(answer(&mut it, 7, &[pick(1, 0)]), Some(Verdict::Wrong));
    let swap = Act::Shift { from: 1, to: 0 };
    assert_eq!(answer(&mut it, 7, &[swap]), Some(Verdict::Wrong), "it comes too late");
    assert_eq!(answer(&mut it, 7, &[pick(0, 0)]), Some(Verdict::Right));
    assert_eq!(order(&it), [0, 1]);
}
