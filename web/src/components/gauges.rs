//! Gauges: a number that matters, what it was, and what is odd about it.

use yew::{Html, NodeRef};

use super::Page;
use crate::map::mark::path;
use crate::markup::{Mark, el};
use crate::state::{Reading, SPARK};

/// A row of gauges. `places` are where each number stands, for the painter; as many as there are
/// readings.
pub fn gauges(page: &Page, readings: &[Reading], places: &[NodeRef]) -> Html {
    if readings.is_empty() {
        return Html::default();
    }
    el("dl", "gauges")
        .list(readings.iter().zip(places).map(|(r, place)| gauge(page, r, place)))
        .html()
}

fn gauge(page: &Page, reading: &Reading, place: &NodeRef) -> Mark {
    let (width, height) = (SPARK.0.to_string(), SPARK.1.to_string());
    let view_box = ["0 0 ", &width, " ", &height].concat();
    let odd = !reading.note.is_empty();
    let unit = || el("span", "gauge__unit").text(&reading.unit);
    let dot = el("circle", "spark-dot").num("cx", reading.dot.0).num("cy", reading.dot.1);
    let spark = el("svg", "spark")
        .set("width", width)
        .set("height", height)
        .set("viewBox", view_box)
        .with(path("spark-base", "M2 23.5H110"))
        .with(path("spark-next", &reading.future))
        .with(path("spark-line", &reading.past))
        .with(dot.set("r", "3"));
    el("div", if odd { "gauge is-odd" } else { "gauge" })
        .with(el("dt", "").text(&reading.label))
        .with(
            el("dd", "")
                .with(el("b", "").at(place).text(&reading.value))
                .with((!reading.unit.is_empty()).then(unit)),
        )
        .with(reading.other.as_ref().map(|other| beside(page, other)))
        .with(el("dd", "gauge__spark").set("aria-hidden", "true").with(spark))
        .with(el("dd", "gauge__note").text(&reading.note))
}

/// What the other run reads.
#[inline(never)]
fn beside(page: &Page, other: &String) -> Mark {
    let label = el("span", "").say(page.words, "compare.other");
    el("dd", "gauge__other").with(label).text(" ").with(el("b", "").text(other))
}
