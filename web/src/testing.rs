//! What several tests of the front end need: the catalogue, a small run, markup as text.

use std::collections::BTreeMap;
use std::rc::Rc;

use course::Exhibit;
use player::{Player, Progress};
use scenario::wire::Value;
use sim::SimTime;
use yew::virtual_dom::VNode;

use crate::state::Session;
use crate::words::Words;

/// The entries of the English catalogue.
pub fn catalogue() -> BTreeMap<String, String> {
    let text = include_str!("../../static/lang/en.json");
    serde_json::from_str(text).expect("the catalogue is JSON")
}

/// The English catalogue.
pub fn words() -> Words {
    Words::new(catalogue())
}

/// An exhibit of the course, opened and computed to the end of its run.
pub fn opened(id: &str) -> Session {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/course/content/exhibits/");
    let text = std::fs::read_to_string([folder, id, ".json"].concat()).expect("an exhibit");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let exhibit = Exhibit::read(&document).expect("the exhibit is sound");
    let mut session = Session::open(Rc::new(exhibit));
    while session.compute(usize::MAX) == Progress::Running {}
    session
}

/// A run of these components, computed to its end, with the playhead at so many seconds.
pub fn run(components: &str, seconds: u64) -> Player {
    run_with(components, "[]", seconds)
}

/// A run of these components in which these faults happen, at a moment.
pub fn run_with(components: &str, faults: &str, seconds: u64) -> Player {
    let document = [
        r#"{ "format": 1, "name": "test", "seed": "1", "until": "60s", "components": {"#,
        components,
        r#"}, "faults": "#,
        faults,
        "}",
    ];
    let document = serde_json::from_str(&document.concat()).expect("JSON");
    let scenario = course::read_scenario(&document).expect("a sound scenario");
    let mut player = Player::new(scenario);
    player.finish();
    player.seek(SimTime::from_secs(seconds));
    player
}

/// Markup as text.
pub fn written(nodes: &[VNode]) -> String {
    let mut out = String::new();
    nodes.iter().for_each(|node| put(node, &mut out));
    out
}

fn put(node: &VNode, out: &mut String) {
    match node {
        VNode::VTag(tag) => {
            out.push_str(&["<", tag.tag()].concat());
            for (name, value) in tag.attributes.iter() {
                out.push_str(&[" ", name, "=\"", value, "\""].concat());
            }
            out.push('>');
            tag.children().into_iter().for_each(|child| put(child, out));
            out.push_str(&["</", tag.tag(), ">"].concat());
        }
        VNode::VText(text) => out.push_str(&text.text),
        VNode::VList(list) => list.iter().for_each(|child| put(child, out)),
        _ => {}
    }
}
