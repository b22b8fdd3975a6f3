//! The inspector: what a component or a message is, how it is set, and how it stands now.

use super::Page;
use super::heading::heading;
use super::icon::Sign;
use crate::asked::Asked;
use crate::markup::{Mark, el};
use crate::state::{Act, Card, Link, Setting};

/// A card about one thing.
pub fn inspector(page: &Page, card: &Card) -> Mark {
    let now = || el("dl", "inspector__now").list(card.now.iter().map(reading));
    let links = || el("ul", "links").list(card.links.iter().map(|to| link(page, to)));
    let set = || el("dl", "inspector__set").list(card.settings.iter().map(setting));
    let follow = card.follow.map(|message| {
        let follow = page.act("btn btn--small", Act::Follow(Some(message)));
        el("div", "inspector__acts").with(follow.say(page.words, "inspector.follow"))
    });
    let away = Asked::Act(Act::Inspect(None));
    let head = el("div", "inspector__head")
        .with(el("span", "inspector__kind").text(&card.kind))
        .with(page.sign("btn btn--icon btn--quiet", Sign::Close, "inspector.close", away));
    el("section", "inspector")
        .set("aria-label", page.landmark("inspector.label"))
        .with(
            el("header", "")
                .with(head)
                .with(heading(page.level + 1, "inspector__title").text(&card.title))
                .with(el("p", "").text(&card.says)),
        )
        .with((!card.now.is_empty()).then(now))
        .with((!card.links.is_empty()).then(links))
        .with((!card.settings.is_empty()).then(set))
        .with(follow)
}

fn reading((name, value): &(String, String)) -> Mark {
    el("div", "").with(el("dt", "").text(name)).with(el("dd", "").text(value))
}

fn link(page: &Page, link: &Link) -> Mark {
    el("li", "")
        .with(el("span", "").text(&link.how))
        .with(page.act("take", Act::Inspect(Some(link.to))).text(&link.label))
}

fn setting(setting: &Setting) -> Mark {
    let from = || el("small", "").text(&setting.from);
    el("div", "")
        .with(el("dt", "").text(&setting.name))
        .with(el("dd", "").text(&setting.value).with((!setting.from.is_empty()).then(from)))
}
