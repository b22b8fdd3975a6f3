//! The life strip: the followed message as a line of states over time, and as a list.

use broker::MessageId;
use player::MessageState;
use yew::{Html, NodeRef};

use super::Page;
use super::glyph::{Glyph, numbered, token};
use super::icon::Sign;
use crate::asked::Asked;
use crate::icons::{Pict, pict};
use crate::map::layout::{Rect, at, num, put_point, translate};
use crate::map::mark::{path, rect};
use crate::markup::{Mark, el, row};
use crate::state::{Act, End, Look, Phase, Piece, Pin, PinSort, Row, Strip, WIDTH, place};
use crate::words::clock;

/// The middle of the line, from the top of the picture.
const LINE: f64 = 64.0;

/// What the strip shows.
pub struct LifeStrip<'a> {
    /// The followed message, if one is.
    pub message: Option<MessageId>,
    /// Its sign now.
    pub glyph: Option<Glyph>,
    /// Its key, from 0.
    pub key_number: u16,
    /// What it carries, in short.
    pub carries: String,
    /// How often it was received, in words.
    pub receives: String,
    /// Its life.
    pub strip: Strip,
    /// The playhead, when this was drawn.
    pub now: sim::SimTime,
    /// The playhead on the strip, for the painter.
    pub head: &'a NodeRef,
    /// The paper that lies over what is still to come.
    pub veil: &'a NodeRef,
}

impl LifeStrip<'_> {
    /// One message's life.
    pub fn draw(&self, page: &Page) -> Mark {
        let words = page.words;
        let life = el("section", "").set("aria-label", page.landmark("life.label"));
        let Some(message) = self.message else {
            return life.class("life").with(el("p", "life__none").say(words, "life.none"));
        };
        let n = words.number(u64::from(message.number()));
        let class = ["life k", &(self.key_number % 8 + 1).to_string()].concat();
        let stop = Asked::Act(Act::Follow(None));
        let mut head = el("div", "life__head");
        if let Some(mark) = self.glyph {
            head = head.with(numbered(mark, message, 26));
        }
        let head = head
            .with(el("b", "").text(words.say("life.following", &[("n", &n)])))
            .with((!self.carries.is_empty()).then(|| el("span", "mono").text(&self.carries)))
            .with(el("span", "").text(&self.receives))
            .with(page.signed("btn btn--quiet", Sign::Close, "life.stop", stop));
        let life = life.class(class).with(head);
        if self.strip.pieces.is_empty() {
            return life.with(el("p", "life__none").say(words, "life.not_yet"));
        }
        let list = el("ol", "lifelist only-narrow").list(self.strip.rows.iter().map(listed));
        life.with(self.line()).with(list)
    }

    fn line(&self) -> Mark {
        let strip = &self.strip;
        let view_box = ["0 0 ", &num(WIDTH), " 142"].concat();
        let head = place(self.now, strip.span);
        // What happens to the message lies over its effects, and faults lie over both.
        let pins = |sort| strip.pins.iter().filter(move |pin| pin.sort == sort);
        let mut grid = Vec::new();
        for (x, label) in &strip.ticks {
            let number = lettered("t-sub", *x, 134.0, "middle").text(label);
            grid.extend([upright("grid", *x, 22.0), number]);
        }
        let veil = rect("lf-future", Rect::new(0.0, 43.0, WIDTH, 42.0), 0.0);
        el("svg", "lifemap only-wide")
            .set("viewBox", view_box)
            .set("aria-hidden", "true")
            .list(grid)
            .list(strip.pieces.iter().flat_map(tube))
            .with(el("g", "").at(self.veil).set("transform", shift(head)).with(veil))
            .list(strip.pieces.iter().filter_map(|piece| ghost(piece, head)))
            .list(pins(PinSort::Effect).map(|pin| flag(pin, head)))
            .list(strip.pieces.iter().filter_map(|piece| self.station(piece, head)))
            .list(pins(PinSort::Fault).map(|pin| flag(pin, head)))
            .with(
                el("g", "")
                    .at(self.head)
                    .set("transform", shift(Strip::head(self.now, strip.span)))
                    .with(path("lf-head", "M0 18V118")),
            )
            .with(el("g", "t-halo").all(labels(strip, head).iter().map(lettering)))
    }

    /// The message itself where it enters a state.
    fn station(&self, piece: &Piece, head: f64) -> Option<Mark> {
        let state = match piece.look {
            Look::Published => MessageState::Published,
            Look::Tube => MessageState::InFlight,
            Look::Ended(End::Acked | End::Answered) => MessageState::Acked,
            Look::Ended(End::DeadLettered | End::Expired | End::Failed) => {
                MessageState::DeadLettered
            }
            Look::Waits => return None,
        };
        let future = piece.from > head;
        if future && piece.look == Look::Tube {
            return None;
        }
        let mark = Glyph { state, key: self.key_number };
        let number = self.message.filter(|_| piece.look == Look::Tube).map(MessageId::number);
        Some(stands(piece.from, future).with(token(mark, number)))
    }
}

/// How the painter and the drawing put a thing at a place on the strip.
#[must_use]
pub fn shift(x: f64) -> String {
    translate(at(x, 0.0))
}

/// What stands on the line, faint if it is still to come.
fn stands(x: f64, future: bool) -> Mark {
    el("g", "").set("transform", translate(at(x, LINE))).when(future, "opacity", "0.5")
}

fn upright(class: &'static str, x: f64, top: f64) -> Mark {
    let mut d = String::new();
    put_point(&mut d, 'M', at(x, top));
    d.push_str("V118");
    el("path", class).set("d", d)
}

/// A piece of the line as it was.
fn tube(piece: &Piece) -> Vec<Mark> {
    match piece.look {
        Look::Published => vec![along("lf lf-pub", piece.from, piece.to)],
        Look::Waits => vec![along("lf lf-wait", piece.from, piece.to)],
        Look::Tube => {
            let held = piece.held_to - piece.from - 10.0;
            let held = (held > 0.0)
                .then(|| rect("lf-held", Rect::new(piece.from + 5.0, 58.0, held, 12.0), 6.0));
            let mut all = vec![hull("lf-tube", piece.from, piece.to)];
            all.extend(held);
            all
        }
        Look::Ended(_) => Vec::new(),
    }
}

/// The same where it is still to come.
fn ghost(piece: &Piece, head: f64) -> Option<Mark> {
    let from = piece.from.max(head + 2.0);
    if from >= piece.to {
        return None;
    }
    match piece.look {
        Look::Published | Look::Waits => Some(along("lf lf-wait is-future", from, piece.to)),
        Look::Tube => Some(hull("lf-tube lf-ghost", from, piece.to)),
        Look::Ended(_) => None,
    }
}

fn along(class: &'static str, from: f64, to: f64) -> Mark {
    let mut d = String::new();
    put_point(&mut d, 'M', at(from, LINE));
    d.push('H');
    d.push_str(&num(to));
    el("path", class).set("d", d)
}

fn hull(class: &'static str, from: f64, to: f64) -> Mark {
    rect(class, Rect::new(from, 53.0, (to - from).max(0.0), 22.0), 11.0)
}

/// What happened on the way.
fn flag(pin: &Pin, head: f64) -> Mark {
    let mark = stands(pin.at, pin.at > head).with(el("title", "").text(&pin.name));
    let disc = |class, r| el("circle", class).set("r", r);
    match pin.sort {
        PinSort::Effect => mark.with(disc("tok-case", "6.5")).with(disc("lf-held", "4.5")),
        PinSort::Fault => {
            let bolt = pict(Pict::Bolt, at(-7.5, -7.5), 0.62);
            mark.with(rect("lf-bolt", Rect::new(-10.0, -10.0, 20.0, 20.0), 2.0))
                .with(el("g", "lf-boltp").with(bolt))
        }
    }
}

/// A label with its place.
struct Label {
    x: f64,
    y: f64,
    anchor: &'static str,
    name: String,
    note: String,
    future: bool,
}

/// The labels that have room; what has none is in the list.
fn labels(strip: &Strip, head: f64) -> Vec<Label> {
    let mut all: Vec<Label> = Vec::new();
    for pin in strip.pins.iter().filter(|pin| pin.sort == PinSort::Fault) {
        let (name, note) = (pin.name.clone(), pin.note.clone());
        put(
            &mut all,
            Label { x: pin.at, y: 98.0, anchor: "start", name, note, future: pin.at > head },
        );
    }
    for (i, piece) in strip.pieces.iter().enumerate() {
        let (name, mut note) = (piece.name.clone(), piece.note.clone());
        let (x, y, anchor) = match piece.look {
            Look::Tube => (piece.from, 36.0, "start"),
            Look::Published => {
                // How long it then waits is said here: its own piece is often short.
                note = strip.pieces.get(i + 1).map_or(note, |next| next.note.clone());
                (piece.from - 8.0, 98.0, "start")
            }
            Look::Waits if i < 2 => continue,
            Look::Waits => ((piece.from + piece.to) / 2.0, 36.0, "middle"),
            Look::Ended(_) => (piece.from, 98.0, "middle"),
        };
        put(&mut all, Label { x, y, anchor, name, note, future: piece.from > head });
    }
    all
}

/// Adds a label if it overlaps none of its row.
fn put(all: &mut Vec<Label>, label: Label) {
    if label.name.is_empty() && label.note.is_empty() {
        return;
    }
    let (from, to) = extent(&label);
    let free = all.iter().filter(|other| (other.y - label.y).abs() < 1.0).all(|other| {
        let (other_from, other_to) = extent(other);
        to + 10.0 < other_from || other_to + 10.0 < from
    });
    if free && from >= 0.0 && to <= WIDTH {
        all.push(label);
    }
}

/// About how much room a label takes.
fn extent(label: &Label) -> (f64, f64) {
    let letters = if label.y < LINE {
        label.name.chars().count() + label.note.chars().count() + 2
    } else {
        label.name.chars().count().max(label.note.chars().count())
    };
    let wide = letters as f64 * 6.9;
    match label.anchor {
        "middle" => (label.x - wide / 2.0, label.x + wide / 2.0),
        _ => (label.x, label.x + wide),
    }
}

fn lettered(class: &'static str, x: f64, y: f64, anchor: &'static str) -> Mark {
    el("text", class).num("x", x).num("y", y).set("text-anchor", anchor)
}

fn lettering(label: &Label) -> Html {
    let (name, note) = if label.future { ("t-ghost", "t-ghost") } else { ("t-name", "t-sub") };
    if label.y < LINE {
        return lettered("", label.x, label.y, label.anchor)
            .with(el("tspan", name).text(&label.name))
            .with(el("tspan", note).set("dx", "8").text(&label.note))
            .html();
    }
    row([
        lettered(name, label.x, label.y, label.anchor).text(&label.name),
        lettered(note, label.x, label.y + 16.0, label.anchor).text(&label.note),
    ])
}

fn listed(row: &Row) -> Mark {
    let (class, dot) = match row.phase {
        Phase::Past if row.hidden => ("is-hidden", row.dot),
        Phase::Past => ("", row.dot),
        Phase::Now => ("is-now", "now"),
        Phase::Next => ("is-next", "next"),
    };
    let dot = ["lifelist__dot lifelist__dot--", dot].concat();
    let said = el("span", "").with(el("b", "").text(&row.name)).text(" ");
    el("li", class)
        .when(row.phase == Phase::Now, "aria-current", "true")
        .with(el("time", "").text(clock(row.at)))
        .with(el("span", "").class(dot))
        .with(said.with(el("small", "").text(&row.note)))
}

#[cfg(test)]
mod tests {
    use sim::SimTime;

    use super::*;
    use crate::state::strip;
    use crate::testing::{opened, words, written};

    /// The picture of the message that an exhibit follows, at a moment.
    fn drawn(id: &str, seconds: u64) -> String {
        let mut session = opened(id);
        session.act(Act::Seek(SimTime::from_secs(seconds)));
        let (names, now, message) = (session.names().clone(), session.now(), session.followed());
        let strip = strip(&words(), &names, session.life().expect("a life"), now);
        let (head, veil) = (NodeRef::default(), NodeRef::default());
        let life = LifeStrip {
            message,
            glyph: None,
            key_number: 0,
            carries: String::new(),
            receives: String::new(),
            strip,
            now,
            head: &head,
            veil: &veil,
        };
        written(&[life.line().html()])
    }

    #[test]
    fn what_happens_to_a_message_lies_over_its_effects_and_under_faults() {
        let drawn = drawn("event-life", 55);
        let first =
            |class: &str| drawn.find(class).unwrap_or_else(|| panic!("no {class}: {drawn}"));
        let last = |class: &str| drawn.rfind(class).expect("found from the front");
        let (effect, station, fault) = ("tok-case\" r=\"6.5\"", "class=\"tok ", "lf-bolt\"");
        assert!(last(effect) < first(station), "{drawn}");
        assert!(last(station) < first(fault), "{drawn}");
    }

    #[test]
    fn the_playhead_is_outside_of_a_life_that_is_over() {
        let head = |seconds| {
            let drawn = drawn("event-life", seconds);
            let (before, _) = drawn.split_once("<path class=\"lf-head\"").expect("a playhead");
            let (_, moved) = before.rsplit_once("translate(").expect("it is moved");
            let (x, _) = moved.split_once([' ', ',', ')']).expect("by a number");
            x.parse::<f64>().expect("a number")
        };
        assert!(head(34) < WIDTH);
        assert!(head(59) > WIDTH);
    }
}
