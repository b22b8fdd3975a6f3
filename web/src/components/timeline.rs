//! The timeline: a bar a message. Places along it are percent, so that one drawing serves every
//! width, and what is written keeps its size.

use broker::MessageId;
use player::MessageState;
use yew::NodeRef;

use super::Page;
use super::glyph::{Glyph, glyph, token};
use super::rove::rove;
use crate::asked::Asked;
use crate::icons::{Pict, pict_around};
use crate::map::layout::{at, num};
use crate::map::mark::path;
use crate::markup::{Mark, On, button, el};
use crate::state::{Act, Bar, Bit, BitLook, Flag, PinSort, ROWS, Timeline};

/// What the timeline is drawn from.
pub struct TimelineView<'a> {
    /// The bars.
    pub shown: &'a Timeline,
    /// The message that is followed.
    pub followed: Option<MessageId>,
    /// What lies over the bars and moves with the playhead.
    pub over: &'a NodeRef,
    /// What scrolls.
    pub scroll: &'a NodeRef,
}

impl TimelineView<'_> {
    /// The bars, each a button that follows its message.
    pub fn draw(&self, page: &Page) -> Mark {
        let words = page.words;
        let section = el("section", "timeline").set("aria-label", page.landmark("timeline.label"));
        let shown = self.shown;
        if shown.bars.is_empty() {
            return section.with(el("p", "timeline__none").say(words, "timeline.none"));
        }
        // One of them can be reached by Tab, and the arrow keys go on from there.
        let followed = shown.bars.iter().position(|bar| Some(bar.message) == self.followed);
        let reached = followed.unwrap_or(0);
        let rows = shown.bars.iter().enumerate().map(|(i, bar)| {
            let tab = if i == reached { "0" } else { "-1" };
            let now = if Some(bar.message) == shown.newest { " is-now" } else { "" };
            self.row(page, bar, tab, now)
        });
        let back = shown.first.saturating_sub(ROWS / 2);
        let on = shown.first.saturating_add(ROWS / 2);
        let list = el("ol", "timeline__rows")
            .set("aria-label", words.text("timeline.list"))
            .on(On::Key, page.on, rove)
            .with(more(page, "timeline.earlier", shown.earlier, back))
            .list(rows)
            .with(more(page, "timeline.later", shown.later, on));
        let marks = || shown.ticks.iter().filter(|(share, _)| *share < 98.0);
        let ticks = marks().map(|(share, said)| {
            el("text", "").set("x", percent(*share)).set("y", "16").text(said)
        });
        let grid = marks().map(|(share, _)| {
            let x = percent(*share);
            el("line", "").set("x1", x.clone()).set("x2", x).set("y1", "0").set("y2", "100%")
        });
        let hidden = |name, class| el(name, class).set("aria-hidden", "true");
        let over = hidden("div", "timeline__over")
            .at(self.over)
            .with(el("i", "timeline__veil"))
            .with(el("i", "timeline__head"));
        let scroll = el("div", "timeline__scroll")
            .at(self.scroll)
            .with(hidden("svg", "timeline__axis").list(ticks))
            .with(
                el("div", "timeline__field")
                    .with(hidden("svg", "timeline__grid").list(grid))
                    .with(list)
                    .with(over),
            );
        section.with(scroll).with(keyline(page))
    }

    /// `tab`: whether the Tab key reaches it. `now`: a class of the newest.
    fn row(&self, page: &Page, bar: &Bar, tab: &'static str, now: &'static str) -> Mark {
        let followed = Some(bar.message) == self.followed;
        let sign = Glyph { state: bar.state.unwrap_or(MessageState::Published), key: bar.key };
        let name = el("span", if bar.state.is_some() { "bar__name" } else { "bar__name is-next" })
            .with(glyph(sign, 20))
            .with(named(bar));
        let line = el("svg", "bar__line")
            .set("aria-hidden", "true")
            .list(bar.bits.iter().flat_map(bit))
            .list(bar.flags.iter().map(|of| flag(of, &bar.bits)))
            .list(bar.bits.iter().filter_map(badge))
            .list(bar.bits.iter().filter_map(|bit| end(bit, bar.key)));
        let asked = Act::Follow((!followed).then_some(bar.message));
        let row = page
            .act(if followed { "bar is-followed" } else { "bar" }, asked)
            .is("aria-pressed", followed)
            .set("tabindex", tab)
            .set("title", &bar.said)
            .with(name.set("aria-hidden", "true"))
            .with(line)
            .with(el("span", "visually-hidden").text(&bar.said));
        let class = ["k", &(bar.key % 8 + 1).to_string(), now].concat();
        let key = [&bar.message.number().to_string(), " ", bar.group.as_str()].concat();
        el("li", "").key(key).class(class).with(row)
    }
}

/// Its number, and its group.
fn named(bar: &Bar) -> Mark {
    let mut said = bar.message.number().to_string();
    if !bar.group.is_empty() {
        said = [said.as_str(), " ", &bar.group].concat();
    }
    el("span", "").text(said)
}

/// How many messages there are beyond those that are shown, and the way to them.
fn more(page: &Page, key: &'static str, count: u32, first: u32) -> Option<Mark> {
    (count > 0).then(|| {
        let said = page.words.count(key, u64::from(count), &[]);
        el("li", "timeline__more").key(key).with(
            button("transcript__more").click(page.on, Asked::Act(Act::ShowRows(first))).text(said),
        )
    })
}

/// A piece of a bar.
fn bit(bit: &Bit) -> Vec<Mark> {
    let along = |class| {
        el("line", class)
            .set("x1", percent(bit.from))
            .set("x2", percent(bit.to))
            .set("y1", "12")
            .set("y2", "12")
    };
    let tube = |class, to: f64, y, height, rx| {
        el("rect", class)
            .set("x", percent(bit.from))
            .set("width", percent((to - bit.from).max(0.0)))
            .set("y", y)
            .set("height", height)
            .set("rx", rx)
    };
    match bit.look {
        BitLook::Sent => vec![along("bar__sent")],
        BitLook::Delayed => vec![along("bar__delayed")],
        BitLook::Waiting => vec![along("bar__wait")],
        BitLook::InFlight => {
            vec![
                tube("bar__tube", bit.to, "4", "16", "3"),
                tube("bar__held", bit.held_to, "7", "10", "1"),
            ]
        }
        BitLook::Done | BitLook::Dead | BitLook::Lost => Vec::new(),
    }
}

/// Which attempt it is, after the first: beside the place, where a flag may stand.
fn badge(bit: &Bit) -> Option<Mark> {
    if bit.attempt < 2 || bit.look != BitLook::InFlight {
        return None;
    }
    let badge = el("g", "bar__badge")
        .set("transform", "translate(13 0)")
        .with(el("circle", "").set("r", "7"))
        .with(el("text", "").set("y", "3.5").text(bit.attempt.to_string()));
    Some(place(bit.from).with(badge))
}

/// How it ended.
fn end(bit: &Bit, key: u16) -> Option<Mark> {
    let state = match bit.look {
        BitLook::Done => MessageState::Acked,
        BitLook::Dead => MessageState::DeadLettered,
        BitLook::Lost => {
            let diamond = path("bar__lost", "M0 -8L8 0 0 8 -8 0zM-3 -3L3 3M3 -3L-3 3");
            return Some(place(bit.from).with(diamond));
        }
        _ => return None,
    };
    let sign = token(Glyph { state, key }, None);
    Some(place(bit.from).with(el("g", "").set("transform", "scale(.72)").with(sign)))
}

/// What happened on the way; before an end that stands at the same place.
fn flag(flag: &Flag, bits: &[Bit]) -> Mark {
    let ends = |bit: &Bit| matches!(bit.look, BitLook::Done | BitLook::Dead | BitLook::Lost);
    let hidden = bits.iter().any(|bit| ends(bit) && (bit.from - flag.at).abs() < 1.0);
    let aside = if hidden { "translate(-15 0)" } else { "translate(0 0)" };
    let mark = el("g", "").set("transform", aside).with(el("title", "").text(&flag.name));
    place(flag.at).with(match flag.sort {
        PinSort::Effect => mark.with(el("circle", "bar__effect").set("r", "4")),
        PinSort::Fault => mark
            .with(path("lf-bolt", "M-8 -8H8V8H-8z"))
            .with(el("g", "lf-boltp").with(pict_around(Pict::Bolt, at(0.0, 0.0), 0.5))),
    })
}

/// A place on a bar, around which things keep their size.
fn place(share: f64) -> Mark {
    el("svg", "").set("x", percent(share)).set("y", "12")
}

/// A share as an attribute.
pub fn percent(share: f64) -> String {
    num(share) + "%"
}

/// How to read a bar.
fn keyline(page: &Page) -> Mark {
    let shown = |look, from, to| {
        let held_to = if look == BitLook::InFlight { 76.0 } else { from };
        let sample = Bit { look, from, to, held_to, attempt: 2 };
        el("svg", "bar__line")
            .set("aria-hidden", "true")
            .list(bit(&sample))
            .with(badge(&sample))
            .with(end(&sample, 0))
    };
    let entry = |look, from, to, key: &str| {
        el("li", "").with(shown(look, from, to)).with(el("span", "").say(page.words, key))
    };
    el("ul", "timeline__key k1")
        .with(entry(BitLook::Sent, 4.0, 96.0, "timeline.key.sent"))
        .with(entry(BitLook::Waiting, 4.0, 96.0, "timeline.key.waiting"))
        .with(entry(BitLook::Delayed, 4.0, 96.0, "timeline.key.delayed"))
        .with(entry(BitLook::InFlight, 4.0, 96.0, "timeline.key.in_flight"))
        .with(entry(BitLook::Done, 50.0, 50.0, "timeline.key.done"))
        .with(entry(BitLook::Dead, 50.0, 50.0, "timeline.key.dead"))
        .with(entry(BitLook::Lost, 50.0, 50.0, "timeline.key.lost"))
}
