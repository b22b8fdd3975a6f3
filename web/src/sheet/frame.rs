//! The frame of a worksheet: its sign, its entries, its results, its charts, what to take along.

use yew::prelude::*;

use super::chart::charts;
use super::entry::entries;
use super::result::{broken, results};
use super::{Act, App, Desk};
use crate::asked::Asked;
use crate::components::{GoesOn, Nameplate, Page, Sign, heading, notices, sign_plate};
use crate::markup::{Mark, On, el};

/// The whole worksheet, or why there is none.
pub fn view(app: &App, ctx: &Context<App>) -> Html {
    let on = ctx.link().callback(std::convert::identity);
    let title = app.desk.as_ref().map_or("", |desk| desk.sheet().title.as_str());
    let page = Page { words: &app.words, on: &on, level: app.settings.level, title };
    let Some(desk) = &app.desk else {
        return notices(&page, &app.broken, GoesOn::No);
    };
    let sheet = desk.sheet();
    let label = app.settings.label.as_ref();
    let id = "sheet-title".to_owned();
    let kind = page.text("sheet.kind");
    let plate = Nameplate {
        title: &sheet.title,
        line: sheet.module.strip_prefix('m').unwrap_or_default(),
        number: None,
        rules: &kind,
        lesson: &sheet.lesson,
    };
    el("article", app.settings.frame.class())
        .at(&app.place)
        .maybe("aria-label", label)
        .maybe("aria-labelledby", label.is_none().then_some(&id))
        .set("tabindex", "-1")
        .on(On::Key, &on, |event| {
            event.stop_propagation();
            None
        })
        .with(sign_plate(&page, &plate, app.settings.frame, id))
        .with(notices(&page, &app.wrong, GoesOn::Yes))
        .with(el("p", "sheet__summary").text(&sheet.summary))
        .with(
            el("div", "sheet")
                .with(section(&page, "sheet__in", "sheet.entries").with(entries(&page, desk)))
                .with(section(&page, "sheet__out", "sheet.results").with(results(&page, desk))),
        )
        .with(charts(&page, desk))
        .with(card(app, &page, desk))
        .with(el("p", "visually-hidden").set("role", "status").text(&app.spoken))
        .html()
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
