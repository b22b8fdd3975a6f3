//! The keys of the player, listed by `?`.

use super::Page;
use super::icon::{Sign, icon};
use crate::asked::Asked;
use crate::markup::{Mark, el, row};

/// The keys of each entry in the catalogue.
const KEYS: [(&[&str], &str); 8] = [
    (&["Space"], "keys.space"),
    (&["→"], "keys.right"),
    (&["←"], "keys.left"),
    (&["Home"], "keys.home"),
    (&["End"], "keys.end"),
    (&["[", "]"], "keys.speed"),
    (&["↑", "↓"], "keys.rows"),
    (&["?"], "keys.help"),
];

/// A list of what each key does while the focus is inside the exhibit.
pub fn keys(page: &Page) -> Mark {
    let words = page.words;
    let mut list = el("dl", "");
    for (keys, means) in KEYS {
        let names = row(keys.iter().map(|key| el("kbd", "").text(*key)));
        list = list.with(el("dt", "").with(names)).with(el("dd", "").say(words, means));
    }
    let close = page
        .ask("btn btn--icon btn--quiet", Asked::Keys)
        .set("aria-label", words.text("keys.close"))
        .with(icon(Sign::Close));
    el("section", "keys")
        .set("aria-label", page.landmark("keys.title"))
        .with(el("div", "keys__head").with(el("b", "").say(words, "keys.title")).with(close))
        .with(list)
        .with(el("p", "").say(words, "keys.when"))
}
