//! The frame of a worksheet: its sign, its entries, its results, its charts, what to take along.

use yew::prelude::*;

use super::chart::charts;
use super::entry::entries;
use super::result::{broken, results};
use super::{Act, App, Desk};
use crate::asked::Asked;
use crate::components::{Nameplate, Page, Sign, heading};
use crate::markup::{Mark, el};

/// The whole worksheet, or why there is none.
pub fn view(app: &App, ctx: &Context<App>) -> Html {
    let on = ctx.link().callback(std::convert::identity);
    let title = app.desk.as_ref().map_or("", |desk| desk.sheet().title.as_str());
    let page = Page { words: &app.shell.words, on: &on, level: app.shell.settings.level, title };
    let Some(desk) = &app.desk else { return app.shell.unread(&page) };
    let sheet = desk.sheet();
    let kind = page.text("sheet.kind");
    let plate =
        Nameplate { lesson: &sheet.lesson, ..Nameplate::within(&sheet.module, title, &kind) };
    let both = el("div", "sheet")
        .with(section(&page, "sheet__in", "sheet.entries").with(entries(&page, desk)))
        .with(section(&page, "sheet__out", "sheet.results").with(results(&page, desk)));
    let parts = [
        el("p", "sheet__summary").text(&sheet.summary).html(),
        both.html(),
        charts(&page, desk),
        card(app, &page, desk).html(),
    ];
    app.shell.frame(&page, &plate, parts).at(&app.place).html()
}

/// A part with a heading, which names it.
fn section(page: &Page, class: &'static str, key: &'static str) -> Mark {
    let id = ["part-", key].concat();
    el("section", class)
        .set("aria-labelledby", &id)
        .with(heading((page.level + 1).min(6), "sheet__title").set("id", id).say(page.words, key))
}

/// What it comes to, and the buttons that take it along.
fn card(app: &App, page: &Page, desk: &Desk) -> Mark {
    let lines = desk.card();
    let lines = lines.into_iter().map(|line| el("li", "").text(line));
    let lines = el("ul", "sheet__lines").list(lines).list(broken(page, desk));
    let act = |class, act: Act, key: &str| {
        page.ask(class, Asked::Sheet(act)).with(el("span", "").say(page.words, key))
    };
    let save = page.signed("btn", Sign::Down, "sheet.save", Asked::Sheet(Act::Save));
    let acts = el("div", "sheet__acts")
        .with(act("btn btn--ink", Act::Copy, "sheet.copy"))
        .with(save)
        .with(act("btn btn--quiet", Act::Reset, "sheet.reset"))
        .with(el("span", "sheet__said").set("aria-hidden", "true").text(&app.said));
    // Where the browser would not copy, the text stands there to be copied by hand.
    let by_hand = app.by_hand.as_ref().map(|text| {
        el("textarea", "sheet__text")
            .set("readonly", "readonly")
            .set("rows", "12")
            .set("aria-label", page.text("sheet.text"))
            .value(text.clone())
    });
    let model = desk.sheet().model.iter().map(|line| el("li", "").text(line));
    let model = (!desk.sheet().model.is_empty()).then(|| {
        el("details", "sheet__model")
            .with(el("summary", "").say(page.words, "sheet.model"))
            .with(el("ul", "").list(model))
    });
    section(page, "sheet__card", "sheet.card").with(lines).with(acts).with(by_hand).with(model)
}
