//! The sequence: lanes from the left, time from the top. Places across are percent, so that one
//! drawing serves every width; heights are pixels, so that rows and lanes agree.

use scenario::{ComponentId, Kind};
use yew::NodeRef;

use super::Page;
use super::glyph::{Glyph, token};
use super::rove::rove;
use super::timeline::percent;
use crate::icons::{Pict, pict_around};
use crate::map::layout::{at, num};
use crate::map::mark::{circle, path};
use crate::markup::{Mark, On, el};
use crate::state::{Act, HopLook, ROW, Sequence, SequenceRow, Shape, Stay, Tone};
use crate::words::Names;
use player::MessageState;

/// What the sequence is drawn from.
pub struct SequenceView<'a> {
    /// What travels.
    pub shown: &'a Sequence,
    /// What the lanes are called.
    pub names: &'a Names,
    /// How many events have happened at the playhead.
    pub cursor: usize,
    /// What lies over the rows and moves with the playhead.
    pub over: &'a NodeRef,
    /// What scrolls.
    pub scroll: &'a NodeRef,
}

/// How wide the column of the times is, in pixels: what is under it cannot be seen.
const CLOCK: f64 = 60.0;

/// The middle of an arrow in its row.
const LINE: &str = "22";

impl SequenceView<'_> {
    /// The lanes, and a button a row that moves the playhead there.
    pub fn draw(&self, page: &Page) -> Mark {
        let (words, shown) = (page.words, self.shown);
        let section = el("section", "sequence").set("aria-label", page.landmark("sequence.label"));
        if shown.rows.is_empty() {
            return section.with(el("p", "timeline__none").say(words, "sequence.none"));
        }
        let hidden = |name, class| el(name, class).set("aria-hidden", "true");
        let heads = shown.lanes.iter().map(|lane| self.head(*lane));
        let ground = hidden("svg", "sequence__lanes")
            .set("height", num(shown.height))
            .list((0..shown.lanes.len()).map(|lane| self.lane(lane)))
            .list(shown.breaks.iter().map(|stay| self.broken(stay)))
            .list(shown.boxes.iter().map(|stay| self.transaction(stay)));
        let past = shown.rows.iter().filter_map(|row| row.hop);
        let past = past.filter(|(index, _)| *index < self.cursor).count();
        let reached = past.saturating_sub(1);
        let mut number = 0;
        let rows = shown.rows.iter().map(|row| {
            let here = row.hop.is_some() && number == reached;
            number += usize::from(row.hop.is_some());
            self.row(page, row, if here { "0" } else { "-1" })
        });
        let list = el("ol", "sequence__rows")
            .set("aria-label", words.text("sequence.list"))
            .on(On::Key, page.on, rove)
            .list(rows);
        let over = hidden("div", "sequence__over")
            .at(self.over)
            .with(el("i", "sequence__veil"))
            .with(el("i", "sequence__head"));
        let more = |key: &str, count: usize| {
            let said = || words.count(key, count as u64, &[]);
            (count > 0).then(|| el("p", "sequence__more").text(said()))
        };
        let class = match shown.lanes.len() {
            0..=4 => "sequence__field",
            5..=6 => "sequence__field sequence__field--6",
            7..=9 => "sequence__field sequence__field--9",
            10..=12 => "sequence__field sequence__field--12",
            _ => "sequence__field sequence__field--15",
        };
        let field = el("div", class)
            .with(
                el("ul", "sequence__heads")
                    .set("aria-label", words.text("sequence.lanes"))
                    .list(heads),
            )
            .with(more("sequence.earlier", shown.earlier))
            .with(el("div", "sequence__time").with(ground).with(list).with(over))
            .with(more("sequence.later", shown.later));
        section.with(el("div", "sequence__scroll").at(self.scroll).with(field))
    }

    /// Where a lane is, in percent.
    fn across(&self, lane: usize) -> f64 {
        (lane as f64 + 0.5) * 100.0 / self.shown.lanes.len() as f64
    }

    fn lane_of(&self, component: ComponentId) -> f64 {
        let lane = self.shown.lanes.iter().position(|lane| *lane == component);
        self.across(lane.unwrap_or(0))
    }

    fn head(&self, component: ComponentId) -> Mark {
        let sign = match &self.names.scenario().component(component).kind {
            Kind::Source(_) => Pict::Source,
            Kind::Service(_) => Pict::Service,
            Kind::Queue(_) | Kind::Log(_) => Pict::Queue,
            Kind::Topic(_) => Pict::Junction,
            Kind::Workers(_) => Pict::Train,
            Kind::Database(_) => Pict::Table,
            Kind::Relay(_) => Pict::Relay,
            Kind::Orchestrator(_) => Pict::Baton,
            Kind::Scheduler(_) => Pict::Clock,
            Kind::External(_) => Pict::External,
        };
        let ring = if sign == Pict::External { "stn out" } else { "stn" };
        let drawing = el("svg", "sequence__sign")
            .set("width", "36")
            .set("height", "36")
            .set("viewBox", "0 0 36 36")
            .set("aria-hidden", "true")
            .with(el("g", ring).with(circle("stn-ring", at(18.0, 18.0), 16.0)))
            .with(pict_around(sign, at(18.0, 18.0), 0.75));
        let label = self.names.component(component).to_owned();
        el("li", "").with(drawing).with(el("span", "").text(label))
    }

    fn lane(&self, lane: usize) -> Mark {
        let x = percent(self.across(lane));
        el("line", "sequence__lane")
            .set("x1", x.clone())
            .set("x2", x)
            .set("y1", "0")
            .set("y2", "100%")
    }

    fn part(&self, class: &'static str, stay: &Stay) -> Mark {
        let x = percent(self.across(stay.lane));
        el("line", class).set("x1", x.clone()).set("x2", x).num("y1", stay.from).num("y2", stay.to)
    }

    /// A lane whose component is down: what was there is gone.
    fn broken(&self, stay: &Stay) -> Mark {
        el("g", "").with(self.part("sequence__gone", stay)).with(self.part("sequence__down", stay))
    }

    fn transaction(&self, stay: &Stay) -> Mark {
        let frame = el("rect", "sequence__box")
            .set("x", "-9")
            .set("width", "18")
            .set("height", num((stay.to - stay.from - 6.0).max(0.0)))
            .set("rx", "2");
        el("svg", "")
            .set("x", percent(self.across(stay.lane)))
            .num("y", stay.from + 3.0)
            .with(frame)
    }

    /// `tab`: whether the Tab key reaches it.
    fn row(&self, page: &Page, row: &SequenceRow, tab: &'static str) -> Mark {
        let Some((index, shape)) = row.hop else {
            return el("li", "sequence__gap").with(el("span", "").text(&row.label));
        };
        let time = el("span", "sequence__clock").text(&row.time);
        let button = page
            .act("hop", Act::SeekEvent(index))
            .set("tabindex", tab)
            .set("title", &row.said)
            .with(time)
            .with(el("span", "visually-hidden").text(&row.said));
        let drawn = match shape {
            Shape::Arrow { from, to, look } => {
                self.arrow(row, self.lane_of(from), self.lane_of(to), look)
            }
            Shape::Note { at, tone } => {
                let class = match tone {
                    Tone::Fault => "hop__mark sequence__note is-fault",
                    Tone::Plain => "hop__mark sequence__note",
                };
                let place = percent(self.lane_of(at));
                el("span", "hop__line")
                    .set("aria-hidden", "true")
                    .with(el("span", class).set("data-at", place).text(&row.label))
            }
        };
        let now = tab == "0" && index < self.cursor;
        el("li", "").key(index).when(now, "aria-current", "true").with(button.with(drawn))
    }

    /// What travels, from one lane to another.
    fn arrow(&self, row: &SequenceRow, from: f64, to: f64, look: HopLook) -> Mark {
        let class = match look {
            HopLook::Sent => "hop__mark hop__way",
            HopLook::Reply => "hop__mark hop__way hop__way--reply",
            HopLook::Broken => "hop__mark hop__way hop__way--broken",
        };
        let middle = (from + to) / 2.0;
        let way = el("line", class)
            .set("x1", percent(from))
            .set("x2", percent(to))
            .set("y1", LINE)
            .set("y2", LINE);
        let place = |share: f64| el("svg", "").set("x", percent(share)).set("y", LINE);
        let tip = match look {
            HopLook::Broken => None,
            HopLook::Reply => Some("hop__tip hop__tip--reply"),
            HopLook::Sent => Some("hop__tip"),
        };
        let cross = || path("bar__lost", "M0 -8L8 0 0 8 -8 0zM-3 -3L3 3M3 -3L-3 3");
        let carried = row.carries.map(|(number, key)| {
            let sign = token(Glyph { state: MessageState::Available, key }, Some(number));
            let beside = if look == HopLook::Broken { from + (to - from) * 0.25 } else { middle };
            place(beside).with(el("g", "").set("transform", "scale(.8)").with(sign))
        });
        // Beside the message that travels, not on it.
        let above = if row.carries.is_some() { "8" } else { "15" };
        let label = el("text", "hop__label").set("x", percent(middle)).set("y", above);
        el("svg", "hop__line")
            .set("aria-hidden", "true")
            .set("height", num(ROW))
            .with(way)
            .with(tip.map(|tip| self.tipped(row, to, from, tip)))
            .with((look == HopLook::Broken).then(|| place(middle).with(cross())))
            .with(carried)
            .with((!row.label.is_empty()).then(|| label.text(&row.label)))
    }
}

impl SequenceView<'_> {
    /// The tip of an arrow: at the lane, or at the edge of a transaction that stands on it.
    fn tipped(&self, row: &SequenceRow, to: f64, from: f64, class: &'static str) -> Mark {
        let stands = |stay: &&Stay| {
            let here = (self.across(stay.lane) - to).abs() < 0.01;
            here && stay.from <= row.top && row.top < stay.to
        };
        let boxed = self.shown.boxes.iter().find(stands).is_some();
        let tip = match (to >= from, boxed) {
            (true, false) => "M-3 0L-12 -5V5z",
            (false, false) => "M3 0L12 -5V5z",
            (true, true) => "M-10 0L-19 -5V5z",
            (false, true) => "M10 0L19 -5V5z",
        };
        // What of the line lies inside the frame is covered.
        let cover = boxed.then(|| path("sequence__cover", "M-7 -2H7V2H-7z"));
        let mark = el("svg", "").set("x", percent(to)).set("y", LINE);
        mark.with(cover.unwrap_or_default()).with(path(class, tip))
    }
}

/// Scrolls what scrolls, and nothing else, so that the playhead at a height of `over` can be seen.
pub fn keep_in_middle(scroll: &NodeRef, over: &NodeRef, height: f64) {
    let places = (scroll.cast::<web_sys::HtmlElement>(), over.cast::<web_sys::Element>());
    let (Some(scroll), Some(over)) = places else { return };
    let (frame, time) = (scroll.get_bounding_client_rect(), over.get_bounding_client_rect());
    let off = time.top() + height - frame.top();
    if off < frame.height() * 0.3 || off > frame.height() * 0.85 {
        #[allow(clippy::cast_possible_truncation, reason = "a few thousand pixels")]
        let by = (off - frame.height() * 0.6) as i32;
        scroll.set_scroll_top(scroll.scroll_top() + by);
    }
    // Where the lanes are wider than the room, what happened last is brought into it.
    let Ok(Some(mark)) = scroll.query_selector("[aria-current] .hop__mark") else { return };
    let mark = mark.get_bounding_client_rect();
    let (left, right) = (mark.left() - frame.left(), mark.right() - frame.left());
    if left < CLOCK || right > frame.width() {
        #[allow(clippy::cast_possible_truncation, reason = "a few thousand pixels")]
        let by = ((left + right - frame.width() - CLOCK) / 2.0) as i32;
        scroll.set_scroll_left(scroll.scroll_left() + by);
    }
}
