//! Traces: a row a span, its time as a bar, and in words what it is part of or points at.

use yew::Html;

use super::Page;
use crate::map::layout::num;
use crate::markup::{Mark, el};
use crate::state::{SpanShown, TraceShown, Traces};

/// The traces of the run so far.
#[inline(never)]
pub fn traces(page: &Page, shown: &Traces) -> Html {
    let words = page.words;
    let caption = el("figcaption", "").with(el("h3", "").say(words, "traces.title"));
    let figure = el("figure", "figure traces").with(caption);
    if shown.traces.is_empty() {
        return figure.with(el("p", "traces__none").say(words, "traces.none")).html();
    }
    let more = (shown.more > 0).then(|| {
        let n = words.number(shown.more as u64);
        el("p", "traces__none").text(words.say("traces.more", &[("n", &n)]))
    });
    let list = shown.traces.iter().map(|one| trace(page, one));
    figure.with(el("ol", "traces__list").list(list)).with(more).html()
}

fn trace(page: &Page, trace: &TraceShown) -> Mark {
    let named = page.words.say("traces.trace", &[("id", &trace.id)]);
    el("li", "trace")
        .with(
            el("p", "trace__head")
                .with(el("span", "mono").text(named))
                .text(" ")
                .with(el("b", "").text(&trace.length)),
        )
        .with(el("ol", "trace__spans").list(trace.spans.iter().map(span)))
}

fn span(span: &SpanShown) -> Mark {
    let (from, wide) = span.bar;
    let percent = |share: f64| [num(share).as_str(), "%"].concat();
    let bar = el("svg", "span__track")
        .set("aria-hidden", "true")
        .with(el("rect", "span__room").set("width", "100%").set("height", "100%"))
        .with(
            el("rect", "span__bar")
                .set("x", percent(from))
                .set("width", percent(wide))
                .set("height", "100%"),
        )
        .with(el("circle", "span__start").set("cx", percent(from)).set("cy", "50%").set("r", "5"));
    let class = match (span.points, span.depth) {
        (true, _) => "span span--points",
        (false, 0) => "span",
        (false, 1) => "span span--in-1",
        _ => "span span--in-2",
    };
    el("li", class)
        .with(
            el("p", "span__name")
                .with(el("span", "span__number").text(span.number.to_string()))
                .text(" ")
                .text(&span.label),
        )
        .with(bar)
        .with(el("p", "span__says").text(&span.says))
}
