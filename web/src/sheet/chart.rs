//! The charts of a worksheet, each with the numbers behind it.

use course::sheet::{Curve, Graph};

use super::plot::{PLOT, Side, along, plot};
use super::{Desk, Plot, why};
use crate::components::{LINES, Page, heading};
use crate::map::layout::num;
use crate::map::mark::path;
use crate::markup::{Mark, el, row};
use yew::Html;

/// All charts, in order.
pub fn charts(page: &Page, desk: &Desk) -> Html {
    let each = desk.sheet().graphs.iter().zip(desk.curves());
    row(each.map(|(graph, curve)| match curve {
        Ok(curve) => figure(page, desk, graph, curve),
        Err(undefined) => {
            let why = why(page.words, undefined);
            let none = page.words.say("sheet.chart.none", &[("why", &why)]);
            caption(page, graph).with(el("p", "out__none").text(none))
        }
    }))
}

fn caption(page: &Page, graph: &Graph) -> Mark {
    let title = heading((page.level + 1).min(6), "").text(&graph.label);
    el("figure", "figure").with(el("figcaption", "").with(title))
}

fn figure(page: &Page, desk: &Desk, graph: &Graph, curve: &Curve) -> Mark {
    let here = graph.over.input.and_then(|input| desk.entries().get(input));
    let here = here.map(|entered| along(curve, entered.number));
    let drawn = plot(graph, curve, here, desk.marks());
    let keys = graph.lines.iter().zip(&curve.lines).enumerate().map(|(number, (line, values))| {
        let most = values.iter().flatten().copied().reduce(f64::max).unwrap_or(0.0);
        let most = graph.figure.text(most, desk.marks());
        el("li", "")
            .with(el("i", LINES[number % LINES.len()]).set("aria-hidden", "true"))
            .text(page.words.say("sheet.chart.line", &[("line", &line.label), ("most", &most)]))
    });
    let here = here.map(|at| {
        let at = [&num(at), "%"].concat();
        el("span", "chart__here").set("data-at", at).set("aria-hidden", "true")
    });
    let bound = graph.bound.as_ref().zip(drawn.bound).map(|((_, label), height)| {
        let at = [&num(height / PLOT.1 * 100.0), "%"].concat();
        let class = match drawn.bound_side {
            Side::Start => "chart__bound chart__bound--start",
            Side::End => "chart__bound",
            Side::Under => "chart__bound chart__bound--under",
        };
        el("span", class).set("data-at", at).text(label)
    });
    let hidden = |class| el("span", class).set("aria-hidden", "true");
    let levels = drawn.levels.iter().map(|level| el("b", "").text(level));
    let ticks = drawn.ticks.iter().map(|(at, label)| {
        el("span", "chart__tick").set("data-at", [&num(*at), "%"].concat()).text(label)
    });
    let chart = el("div", "chart")
        .with(hidden("chart__levels").list(levels))
        .with(el("div", "chart__box").with(lines(graph, &drawn)).with(bound).with(here))
        .with(el("div", "chart__ticks").set("aria-hidden", "true").list(ticks))
        .with(el("p", "chart__over").set("aria-hidden", "true").text(range_name(graph)));
    caption(page, graph)
        .with(el("ul", "keyline").list(keys))
        .with(chart)
        .with(table(page, graph, &drawn))
}

/// What the range is called, with what its numbers count.
fn range_name(graph: &Graph) -> String {
    let over = &graph.over;
    match over.figure.unit.as_str() {
        "" => over.label.clone(),
        unit => [&over.label, " (", unit, ")"].concat(),
    }
}

fn lines(graph: &Graph, drawn: &Plot) -> Mark {
    let [width, height] = [PLOT.0, PLOT.1].map(num);
    let across = |y: f64| ["M0 ", &num(y), "H", &width].concat();
    let each =
        drawn.lines.iter().enumerate().map(|(number, line)| {
            el("g", LINES[number % LINES.len()]).with(path("line__past", line))
        });
    let names: Vec<&str> = graph.lines.iter().map(|line| line.label.as_str()).collect();
    let said = [&graph.label, ": ", &names.join(", "), "; ", &graph.over.label].concat();
    el("svg", "chart__plot")
        .set("viewBox", ["0 0 ", &width, " ", &height].concat())
        .set("preserveAspectRatio", "none")
        .set("role", "img")
        .set("aria-label", said)
        .with(path("chart__grid", "M0 0H1000"))
        .with(path("chart__grid", across(PLOT.1 / 2.0)))
        .with(path("chart__axis", across(drawn.zero.unwrap_or(PLOT.1))))
        .with(drawn.bound.map(|y| el("path", "chart__limit").set("d", across(y))))
        .list(each)
}

/// The numbers behind the lines.
fn table(page: &Page, graph: &Graph, drawn: &Plot) -> Mark {
    let head = graph.lines.iter().map(|line| el("th", "").set("scope", "col").text(&line.label));
    let rows = drawn.rows.iter().map(|(at, values)| {
        el("tr", "")
            .with(el("th", "").set("scope", "row").text(at))
            .list(values.iter().map(|value| el("td", "").text(value)))
    });
    let titles = el("tr", "").with(el("th", "").set("scope", "col").text(&graph.over.label));
    el("details", "chart__table").with(el("summary", "").say(page.words, "chart.table")).with(
        el("div", "chart__scroll").set("tabindex", "0").with(
            el("table", "")
                .with(el("thead", "").with(titles.list(head)))
                .with(el("tbody", "").list(rows)),
        ),
    )
}
