//! Charts: lines over the run. The box of the lines is stretched to the room there is, and what is
//! written stands beside it, so that one drawing serves every width, print and screen readers.

use yew::{Html, NodeRef};

use super::{Page, percent, ticks};
use crate::map::mark::path;
use crate::markup::{Mark, el, row};
use crate::state::{ChartLine, ChartShown, PLOT};
use crate::words::clock_coarse;
use sim::SimTime;

/// Charts below each other. `places` are their boxes, for the painter.
#[inline(never)]
pub fn charts(page: &Page, charts: &[ChartShown], places: &[NodeRef], end: SimTime) -> Html {
    if charts.is_empty() {
        return Html::default();
    }
    row(charts.iter().zip(places).map(|(chart, place)| figure(page, chart, place, end)))
}

fn figure(page: &Page, chart: &ChartShown, place: &NodeRef, end: SimTime) -> Mark {
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
        .with(plot(page, chart, place, end))
        .with(table(page, chart))
}

/// How each line is told from the others: by a colour and by a stroke.
const LINES: [&str; 6] = [
    "line line--1",
    "line line--2",
    "line line--3",
    "line line--4",
    "line line--5",
    "line line--6",
];

fn plot(page: &Page, chart: &ChartShown, place: &NodeRef, end: SimTime) -> Mark {
    let view_box = ["0 0 ", &PLOT.0.to_string(), " ", &PLOT.1.to_string()].concat();
    let half = PLOT.1 / 2.0;
    let grid = ["M0 ", &half.to_string(), "H1000"].concat();
    let lines = chart.lines.iter().enumerate().map(|(number, line)| {
        el("g", LINES[number % LINES.len()])
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
    el("div", "chart")
        .at(place)
        .with(
            hidden("chart__levels")
                .with(el("b", "").text(&chart.top.0))
                .with(el("b", "").text(&chart.top.1))
                .with(el("b", "").text("0")),
        )
        .with(el("div", "chart__box").with(drawing).with(bound).with(hidden("chart__head")))
        .with(el("div", "chart__ticks").set("aria-hidden", "true").list(ticks))
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
fn table(page: &Page, chart: &ChartShown) -> Mark {
    let head = chart.lines.iter().map(|line| el("th", "").set("scope", "col").text(&line.label));
    let rows = chart.rows.iter().map(|(at, levels)| {
        el("tr", "")
            .with(el("th", "").set("scope", "row").text(at))
            .list(levels.iter().map(|level| el("td", "").text(level)))
    });
    let titles = el("tr", "").with(el("th", "").set("scope", "col").say(page.words, "chart.time"));
    el("details", "chart__table").with(el("summary", "").say(page.words, "chart.table")).with(
        el("div", "chart__scroll").set("tabindex", "0").with(
            el("table", "")
                .with(el("thead", "").with(titles.list(head)))
                .with(el("tbody", "").list(rows)),
        ),
    )
}

fn percent_of(share: f64) -> String {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 100")]
    let whole = (share.clamp(0.0, 1.0) * 100.0).round() as u32;
    [whole.to_string().as_str(), "%"].concat()
}
