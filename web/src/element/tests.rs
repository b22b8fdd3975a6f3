//! The application drawn without a browser, as text.

use std::rc::Rc;

use course::Exhibit;
use scenario::wire::{Diagnostic, Value};
use yew::LocalServerRenderer;

use super::{App, AppProps, Settings};
use crate::browser::Host;
use crate::testing::{catalogue, words};

const EXHIBIT: &str = include_str!("../../../crates/course/content/exhibits/event-life.json");

/// The page that an element with these attributes shows.
fn drawn(exhibit: Result<Rc<Exhibit>, Vec<Diagnostic>>, attributes: &[(&str, &str)]) -> String {
    let given: Vec<_> =
        attributes.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    let (settings, wrong) = Settings::read(&given);
    let words = words();
    let props = AppProps { words, exhibit, settings, wrong, host: Host::default(), config: None };
    let page = LocalServerRenderer::<App>::with_props(props).hydratable(false);
    let mut page = std::pin::pin!(page.render());
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    loop {
        if let std::task::Poll::Ready(text) = page.as_mut().poll(&mut context) {
            return text;
        }
    }
}

fn exhibit() -> Result<Rc<Exhibit>, Vec<Diagnostic>> {
    let document: Value = serde_json::from_str(EXHIBIT).expect("the exhibit is JSON");
    Exhibit::read(&document).map(Rc::new)
}

#[test]
fn attributes_shape_the_page() {
    let check = |attributes: &[(&str, &str)], shown: &[&str], hidden: &[&str]| {
        let page = drawn(exhibit(), attributes);
        for part in shown {
            assert!(page.contains(part), "{attributes:?} lacks {part}");
        }
        for part in hidden {
            assert!(!page.contains(part), "{attributes:?} shows {part}");
        }
    };
    check(&[], &["<h3", "exhibit--quiet", "Life of a message", "Seed"], &["sign--page"]);
    check(&[("frame", "sign")], &["class=\"sign\""], &["exhibit--quiet", "sign--page"]);
    check(&[("frame", "sign"), ("heading-level", "2")], &["sign--page"], &["exhibit--quiet"]);
    check(&[("frame", "none")], &["visually-hidden", "exhibit--clear"], &["sign__title"]);
    check(&[("heading-level", "2")], &["<h2", "<h3"], &["<h4"]);
    check(&[("controls", "mini")], &["class=\"player\""], &["player__seedno"]);
    check(&[("controls", "none")], &["exhibit__stage"], &["class=\"player\"", "class=\"acts\""]);
    check(&[("label", "Number five")], &["aria-label=\"Number five\""], &["aria-labelledby"]);
    check(&[("step", "4")], &["Worker 1 dies, one line before its ack"], &["notice__path"]);
    check(&[("run", "1.11.cjpz.t:34.2s;f:5")], &["0:34.2", "Worker 1 is down"], &["notice__path"]);
    check(&[("seed", "12")], &["<b>12</b>"], &["notice__path"]);
}

#[test]
fn a_wrong_attribute_is_said_and_the_exhibit_shown() {
    for (name, value) in [("speed", "0"), ("run", "1.99.zzzz.t"), ("step", "400"), ("seed", "x")] {
        let page = drawn(exhibit(), &[(name, value)]);
        let path = ["notice__path\">", name, "<"].concat();
        assert!(page.contains(&path), "{name}={value}");
        assert!(page.contains("exhibit__stage"), "{name}={value}");
    }
}

#[test]
fn an_exhibit_that_cannot_be_read_is_a_notice() {
    let wrong = Diagnostic::new("/scenario/until", "it is missing", "add it");
    let page = drawn(Err(vec![wrong]), &[]);
    assert!(page.contains("/scenario/until") && page.contains("it is missing"));
    assert!(!page.contains("exhibit__stage"));
}

#[test]
fn every_word_on_the_page_is_in_the_catalogue() {
    let all = catalogue();
    let heads: std::collections::BTreeSet<&str> =
        all.keys().filter_map(|key| Some(key.split_once('.')?.0)).collect();
    let page = drawn(exhibit(), &[("run", "1.11.cjpz.t:34.2s;f:5")]);
    // A key without a template is shown as it is: head, dot, tail, between tags or in a label.
    for text in page.split(['<', '>', '"']) {
        let Some((head, tail)) = text.split_once('.') else { continue };
        let is_key =
            heads.contains(head) && tail.chars().all(|c| c.is_alphanumeric() || "._".contains(c));
        assert!(!is_key || tail.is_empty(), "no template for {text}");
    }
}
