//! Walks, step by step.

use std::rc::Rc;

use course::tree::{Next, Tree, lint_tree};
use scenario::wire::Value;

use super::*;

const TREE: &str = r#"{
  "format": 1, "kind": "tree", "title": "Inline or queued", "lesson": "Ask about the reply.", "module": "m1",
  "forks": [
    { "id": "reply", "ask": "Does the reply need it?", "answers": [ { "say": "Yes", "to": "inline" }, { "say": "No", "to": "slow" } ] },
    { "id": "slow", "ask": "Is it slow?", "answers": [ { "say": "Yes", "to": "queue" }, { "say": "No", "to": "inline" } ] }
  ],
  "ends": [
    { "id": "inline", "advise": "Do it at once", "because": "Somebody waits." },
    { "id": "queue", "advise": "Queue it", "because": "Nobody waits." }
  ],
  "examples": [
    { "say": "password check", "answers": ["Yes"], "why": "The answer is the reply." },
    { "say": "invoice", "answers": ["No", "Yes"], "why": "It may come later.",
      "otherwise": { "say": "The buyer waits for a printer." } }
  ]
}"#;

fn tree() -> Tree {
    let document: Value = serde_json::from_str(TREE).expect("JSON");
    Tree::read(&document, &|_| None).expect("a sound tree")
}

#[test]
fn answers_lead_to_advice_and_one_can_go_back() {
    let mut walk = Walk::begin(Rc::new(tree()));
    walk.act(Act::Answer(1));
    assert_eq!(walk.at(), Next::Fork(1));
    walk.act(Act::Answer(0));
    assert_eq!(walk.at(), Next::End(1));
    walk.act(Act::Answer(0));
    assert_eq!(walk.path, [1, 0], "there is nothing after an end");
    walk.act(Act::Back(1));
    assert_eq!(walk.at(), Next::Fork(1));
}

#[test]
fn a_walk_is_a_text() {
    let mut walk = Walk::begin(Rc::new(tree()));
    walk.act(Act::Name(" thumbnails ".into()));
    walk.act(Act::Answer(1));
    walk.act(Act::Answer(0));
    let want = "Inline or queued\nthumbnails\nDoes the reply need it? No\nIs it slow? Yes\n\
                → Queue it. Nobody waits.";
    assert_eq!(walk.text(), want);
}

#[test]
fn where_a_walk_parts_from_the_example_is_known() {
    let mut walk = Walk::begin(Rc::new(tree()));
    walk.act(Act::With(Some(1)));
    walk.act(Act::Answer(1));
    assert_eq!(walk.parted(), None);
    walk.act(Act::Answer(1));
    assert_eq!(walk.parted(), Some(1));
    walk.act(Act::With(None));
    assert_eq!((walk.parted(), walk.path.len()), (None, 0));
}

#[test]
fn the_linter_finds_what_nothing_leads_to() {
    assert_eq!(lint_tree(&tree()), []);
    let document =
        TREE.replace(r#"{ "say": "Yes", "to": "queue" }"#, r#"{ "say": "Yes", "to": "inline" }"#);
    let document = document.replace(r#""answers": ["No", "Yes"]"#, r#""answers": ["No", "No"]"#);
    let document: Value = serde_json::from_str(&document).expect("JSON");
    let tree = Tree::read(&document, &|_| None).expect("readable");
    let found: Vec<String> = lint_tree(&tree).into_iter().map(|one| one.path).collect();
    assert_eq!(found, ["/ends/1", "/ends/1"], "nothing leads there, and no example comes there");
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let check = |from: &str, to: &str, path: &str| {
        let document: Value = serde_json::from_str(&TREE.replacen(from, to, 1)).expect("JSON");
        let wrong = Tree::read(&document, &|_| None).expect_err("it is wrong");
        assert!(wrong.iter().any(|one| one.path == path), "{path}: {wrong:?}");
    };
    check(r#""to": "slow""#, r#""to": "reply""#, "/forks/0/answers/1/to");
    check(r#""to": "slow""#, r#""to": "sloe""#, "/forks/0/answers/1/to");
    check(r#""answers": ["Yes"]"#, r#""answers": ["No"]"#, "/examples/0/answers");
    check(r#""answers": ["Yes"]"#, r#""answers": ["Yes", "Yes"]"#, "/examples/0/answers/1");
    check(r#""answers": ["Yes"]"#, r#""answers": ["Perhaps"]"#, "/examples/0/answers/0");
}
