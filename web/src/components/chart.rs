//! Charts: lines over the run. The box of the lines is stretched to the room there is, and what is
//! written stands beside it, so that one drawing serves every width, print and screen readers.

use wasm_bindgen::JsCast;
use web_sys::{Element, Event, KeyboardEvent, PointerEvent};
use yew::{Html, NodeRef};

use super::icon::Sign;
use super::input::entered;
use super::{Page, percent, ticks};
use crate::asked::Asked;
use crate::asked::{Form, Save};
use crate::map::layout::num;
use crate::map::mark::path;
use crate::markup::{Mark, On, el, row};
use crate::state::{Act, BehindLook, ChartLine, ChartShown, PLACES, PLOT, ReadOut};
use crate::words::{clock, clock_coarse};
use sim::SimTime;

/// Charts below each other.
pub struct Charts<'a> {
    /// Each of them.
    pub charts: &'a [ChartShown],
    /// Their boxes, for the painter.
    pub places: &'a [NodeRef],
    /// The end of the run.
    pub end: SimTime,
    /// The place that is being read, in one of them.
    pub read: Option<ReadOut>,
}

impl Charts<'_> {
    /// Each chart with its table.
    #[inline(never)]
    pub fn draw(&self, page: &Page) -> Html {
        if self.charts.is_empty() {
            return Html::default();
        }
        row(self.charts.iter().zip(self.places).enumerate().map(|(number, (chart, place))| {
            let read = self.read.as_ref().filter(|read| read.chart == number);
            figure(page, number, chart, plot(page, chart, place, self.end), read)
        }))
    }
}

fn figure(
    page: &Page,
    number: usize,
    chart: &ChartShown,
    plot: Plot,
    read: Option<&ReadOut>,
) -> Mark {
    let keys = chart.lines.iter().enumerate().map(|(number, line)| {
        el("li", "")
            .with(el("i", LINES[number % LINES.len()]).set("aria-hidden", "true"))
            .text(&line.label)
            .text(" ")
            .with(el("b", "").text(&line.now))
    });
    el("figure", "figure")
        .with(
            el("figcaption", "")
                .with(el("h3", "").text(&chart.label))
                .with(el("ul", "keyline").list(keys)),
        )
        .with(plot.whole(reader(page, number, chart, read), read.map(tip)))
        .with(table(page, number, chart))
}

/// How each line is told from the others: by a colour and by a stroke.
pub const LINES: [&str; 6] = [
    "line line--1",
    "line line--2",
    "line line--3",
    "line line--4",
    "line line--5",
    "line line--6",
];

/// A plot without what reads it.
struct Plot {
    frame: Mark,
    field: Mark,
    ticks: Mark,
}

impl Plot {
    fn whole(self, reader: Mark, tip: Option<Mark>) -> Mark {
        self.frame.with(self.field.with(tip).with(reader)).with(self.ticks)
    }
}

/// What one reads a chart with: a slider over the plot, for pointer and keyboard alike.
fn reader(page: &Page, number: usize, chart: &ChartShown, read: Option<&ReadOut>) -> Mark {
    let at = read.map(|read| read.at);
    el("input", "chart__reader")
        .set("type", "range")
        .set("min", "0")
        .set("max", PLACES.to_string())
        .value(read.map_or(0, |read| read.place).to_string())
        .set("aria-label", page.words.say("chart.read", &[("chart", &chart.label)]))
        .set("aria-valuetext", read.map_or_else(String::new, ReadOut::said))
        .on(On::Input, page.on, move |event| Some(Asked::Read(number, entered(event))))
        .on(On::PointerMove, page.on, move |event| Some(Asked::Read(number, under(event)?)))
        .on(On::Key, page.on, move |event| {
            let key = event.dyn_ref::<KeyboardEvent>()?.key();
            (key == "Enter").then_some(Asked::Act(Act::Seek(at?)))
        })
}

/// The place of a chart that a pointer is over.
fn under(event: &Event) -> Option<u32> {
    let event = event.dyn_ref::<PointerEvent>()?;
    let frame = event.target()?.dyn_into::<Element>().ok()?.get_bounding_client_rect();
    let share = (f64::from(event.client_x()) - frame.left()) / frame.width().max(1.0);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to PLACES")]
    Some((share.clamp(0.0, 1.0) * f64::from(PLACES)).round() as u32)
}

/// What stands at the place that is read.
fn tip(read: &ReadOut) -> Mark {
    let place = percent_of(f64::from(read.place) / f64::from(PLACES));
    let levels = read
        .levels
        .iter()
        .map(|(label, level)| el("span", "").text(label).text(" ").with(el("b", "").text(level)));
    el("span", "chart__cursor")
        .set("data-at", place)
        .set("aria-hidden", "true")
        .with(el("span", "chart__tip").with(el("time", "").text(clock(read.at))).list(levels))
}

fn plot(page: &Page, chart: &ChartShown, place: &NodeRef, end: SimTime) -> Plot {
    let view_box = ["0 0 ", &PLOT.0.to_string(), " ", &PLOT.1.to_string()].concat();
    let half = PLOT.1 / 2.0;
    let grid = ["M0 ", &half.to_string(), "H1000"].concat();
    let lines = chart.lines.iter().enumerate().map(|(number, line)| {
        let behind = chart.behind.get(number).map_or(&[][..], Vec::as_slice);
        el("g", LINES[number % LINES.len()])
            .with(Html::from_iter(behind.iter().map(|it| path(look(it.look), &it.path))))
            .with(path("line__next", &line.future))
            .with(path("line__past", &line.past))
    });
    let bound = chart.bound.as_ref().map(|(high, label)| {
        let at = percent_of(1.0 - high.min(1.0));
        el("span", "chart__bound").set("data-at", at).text(label)
    });
    let drawing = el("svg", "chart__plot")
        .set("viewBox", view_box)
        .set("preserveAspectRatio", "none")
        .set("role", "img")
        .set("aria-label", said(page, chart))
        .with(path("chart__grid", "M0 0H1000"))
        .with(path("chart__grid", grid))
        .with(path("chart__axis", ["M0 ", &PLOT.1.to_string(), "H1000"].concat()))
        .with(chart.bound.as_ref().map(|(high, _)| {
            let y = (PLOT.1 * (1.0 - high.min(1.0))).round().to_string();
            el("path", "chart__limit").set("d", ["M0 ", &y, "H1000"].concat())
        }))
        .list(lines);
    let ticks = ticks(end).into_iter().map(|at| {
        el("span", "chart__tick")
            .set("data-at", percent(at, end))
            .text(clock_coarse(at.as_micros() / 1_000_000))
    });
    let hidden = |class| el("span", class).set("aria-hidden", "true");
    let frame = el("div", "chart").at(place).with(
        hidden("chart__levels")
            .with(el("b", "").text(&chart.top.0))
            .with(el("b", "").text(&chart.top.1))
            .with(el("b", "").text("0")),
    );
    let field = el("div", "chart__box").with(drawing).with(bound).with(hidden("chart__head"));
    let ticks = el("div", "chart__ticks").set("aria-hidden", "true").list(ticks);
    Plot { frame, field, ticks }
}

/// The class of what lies behind a line.
fn look(look: BehindLook) -> &'static str {
    match look {
        BehindLook::Runs => "line__runs",
        BehindLook::Mean => "line__mean",
        BehindLook::Other => "line__other",
    }
}

/// The chart in words.
fn said(page: &Page, chart: &ChartShown) -> String {
    let mut said = [chart.label.as_str(), ":"].concat();
    for ChartLine { label, now, most, .. } in &chart.lines {
        let names = [("line", label.as_str()), ("now", now), ("most", &most.0), ("at", &most.1)];
        said.push(' ');
        said.push_str(&page.words.say("chart.line", &names));
    }
    said
}

/// The numbers behind the lines.
fn table(page: &Page, number: usize, chart: &ChartShown) -> Mark {
    let head = chart.columns.iter().map(|name| el("th", "").set("scope", "col").text(name));
    let rows = chart.rows.iter().enumerate().map(|(row, (at, levels))| {
        el("tr", if row == chart.here { "is-now" } else { "" })
            .when(row == chart.here, "aria-current", "true")
            .with(el("th", "").set("scope", "row").text(at))
            .list(levels.iter().map(|level| el("td", "").text(level)))
    });
    let forms = [(Form::Csv, "save.csv"), (Form::Svg, "save.svg"), (Form::Png, "save.png")];
    let saves = forms.into_iter().map(|(form, label)| {
        let asked = Asked::Save(Save::Chart(number), form);
        page.signed("btn btn--small btn--quiet", Sign::Save, label, asked)
    });
    let titles = el("tr", "").with(el("th", "").set("scope", "col").say(page.words, "chart.time"));
    let table = el("table", "")
        .with(el("caption", "visually-hidden").text(&chart.label))
        .with(el("thead", "").with(titles.list(head)))
        .with(el("tbody", "").list(rows));
    el("details", "chart__table")
        .with(el("summary", "").say(page.words, "chart.table"))
        .with(el("div", "chart__scroll").set("tabindex", "0").with(table))
        .with(el("div", "chart__saves").list(saves))
}

fn percent_of(share: f64) -> String {
    num(share.clamp(0.0, 1.0) * 100.0) + "%"
}
