//! What several tests of the front end need: the catalogue, a small run, markup as text.

use std::collections::BTreeMap;

use player::Player;
use sim::SimTime;
use yew::virtual_dom::VNode;

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
