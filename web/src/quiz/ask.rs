//! The questions: options, numbers, lines and cards.

use std::sync::Arc;

use course::quiz::{Asks, Bin, Card, Choice, Many, Note, Spot, Verdict};
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, HtmlSelectElement, KeyboardEvent};
use yew::Html;

use super::result::plate;
use super::{Act, Draft, Sitting, Standing, pick};
use crate::asked::Asked;
use crate::components::Page;
use crate::markup::{Mark, On, el};
use crate::words::{Names, clock, sentence, unmarked};

/// So many bins are shown side by side; more are a list to choose from.
const SIDE_BY_SIDE: usize = 4;

/// The place of an answer: what is asked, and what may be answered.
pub fn ask(page: &Page, sitting: &Sitting, name: &str) -> Html {
    match &sitting.question().asks {
        Asks::Choice { options, many } => choice(page, sitting, options, *many, name),
        Asks::Number { unit, .. } => number(page, sitting, unit, name),
        Asks::Order { steps, .. } => super::steps::order(page, sitting, steps),
        Asks::Sort { bins, cards } => sort(page, sitting, bins, cards, name),
        Asks::Fill(fill) => super::fill::fill(page, sitting, fill),
        Asks::Spot(spot) => spotted(page, sitting, spot, name),
        Asks::Recall { say, points } => super::card::card(page, sitting, say, points, name),
        Asks::Design(design) => super::design::design(page, sitting, design, name),
    }
}

/// A control that does something to the sitting.
pub fn act(page: &Page, class: &'static str, act: Act) -> Mark {
    page.ask(class, Asked::Quiz(act))
}

fn choice(page: &Page, sitting: &Sitting, options: &[Choice], many: Many, name: &str) -> Html {
    let paper = sitting.paper();
    let Draft::Picked(picked) = &paper.draft else { return Html::default() };
    let kind = if many == Many::Yes { "checkbox" } else { "radio" };
    let hint = (many == Many::Yes).then(|| el("p", "q__how").say(page.words, "quiz.many"));
    let rows = paper.shown.iter().map(|&at| {
        let option = &options[at];
        let input =
            pick::input(page, sitting, kind, name.to_owned(), picked.contains(&at), Act::Pick(at));
        let said = told(sitting, at).map(|note| (note.verdict, note.why.as_str()));
        // When nothing is left to find out, every option says why.
        let said = said.or_else(|| all_told(sitting).then(|| (fits(option), option.why.as_str())));
        let run = option.run.as_ref().filter(|_| said.is_some());
        let watch = run.map(|run| super::result::watch(page, sitting, run));
        let label = pick::label(input).with(el("span", "").text(&option.say));
        let why = said.map(|(verdict, why)| reason(page, verdict, "quiz.option", why));
        pick::row("opt", at, label, [why, watch])
    });
    el("div", "opts").with(hint).list(rows).html()
}

/// Whether something is right, and why.
pub fn reason(page: &Page, verdict: Verdict, key: &str, why: &str) -> Mark {
    let mark = plate(page, verdict, key);
    el("p", "opt__why").with(mark).text(" ").text(why.to_owned())
}

/// Whether an option is a right one.
fn fits(option: &Choice) -> Verdict {
    if option.right { Verdict::Right } else { Verdict::Wrong }
}

/// What was said of an option or a card.
pub fn told(sitting: &Sitting, at: usize) -> Option<&Note> {
    let judged = sitting.paper().judged.as_ref()?;
    judged.notes.iter().find(|note| note.about == Some(at))
}

/// Whether everything may be told.
pub fn all_told(sitting: &Sitting) -> bool {
    sitting.paper().standing.is_over()
}

fn number(page: &Page, sitting: &Sitting, unit: &str, name: &str) -> Html {
    let Draft::Typed(text) = &sitting.paper().draft else { return Html::default() };
    let input = el("input", "q__number")
        .set("type", "text")
        .set("inputmode", "decimal")
        .set("autocomplete", "off")
        .set("id", name.to_owned())
        .value(text.clone())
        .when(!sitting.may_try(), "disabled", "disabled")
        .on(On::Input, page.on, |event| Some(Asked::Quiz(Act::Type(typed(event)))))
        .on(On::Key, page.on, |event| {
            let enter = event.unchecked_ref::<KeyboardEvent>().key() == "Enter";
            enter.then_some(Asked::Quiz(Act::Check))
        });
    el("div", "q__field")
        .with(el("label", "").set("for", name.to_owned()).say(page.words, "quiz.number"))
        .with(el("span", "q__entry").with(input).with(el("span", "").text(unit.to_owned())))
        .html()
}

fn typed(event: &Event) -> String {
    let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    input.map(|input| input.value()).unwrap_or_default()
}

/// A stretch of the trace, a line of which is pointed at.
fn spotted(page: &Page, sitting: &Sitting, spot: &Spot, name: &str) -> Html {
    let Draft::Line(pointed) = sitting.paper().draft else { return Html::default() };
    let names = Names::new(Arc::clone(&spot.scenario));
    let over = all_told(sitting);
    let rows = spot.lines.clone().map(|line| {
        let said = unmarked(&sentence(&names, &spot.trace, line).say(page.words));
        let is_pointed = pointed == Some(line);
        let name = name.to_owned();
        let input = pick::input(page, sitting, "radio", name, is_pointed, Act::Point(line));
        let why =
            spot.against(line).filter(|_| over).map(|why| el("p", "opt__why").text(why.to_owned()));
        let fault = (over && line == spot.fault).then(|| plate(page, Verdict::Right, "quiz.line"));
        let label = pick::label(input)
            .with(el("time", "").text(clock(spot.trace[line].at)))
            .with(el("span", "").text(said));
        pick::row("opt opt--line", line, label, [fault, why])
    });
    el("div", "opts opts--lines").list(rows).html()
}

fn sort(page: &Page, sitting: &Sitting, bins: &[Bin], cards: &[Card], name: &str) -> Html {
    let paper = sitting.paper();
    let Draft::Sorted(places) = &paper.draft else { return Html::default() };
    let left = places.iter().filter(|place| place.is_none()).count();
    let notes = bins.iter().filter_map(|bin| {
        let note = bin.note.as_ref()?;
        Some(el("li", "").with(el("b", "").text(&bin.say)).text(" ").text(note))
    });
    let notes: Vec<Mark> = notes.collect();
    let legend = (!notes.is_empty()).then(|| el("ul", "bins").list(notes));
    let rows = paper.shown.iter().map(|&at| {
        let card = &cards[at];
        let note = told(sitting, at);
        let picks = if bins.len() <= SIDE_BY_SIDE {
            segments(page, sitting, bins, at, &[name, "-", &at.to_string()].concat())
        } else {
            list(page, sitting, bins, at)
        };
        let why = note.map(|note| reason(page, note.verdict, "quiz.card", &note.why));
        let run = card.run.as_ref().filter(|_| note.is_some());
        let watch = run.map(|run| super::result::watch(page, sitting, run));
        el("fieldset", "card-q")
            .key(at.to_string())
            .with(el("legend", "").text(&card.say))
            .with(picks)
            .with(why)
            .with(watch)
    });
    let rows: Vec<Mark> = rows.collect();
    let count =
        (left > 0).then(|| el("p", "q__how").text(page.words.count("quiz.left", left as u64, &[])));
    el("div", "opts").with(legend).list(rows).with(count).html()
}

/// The bins of a card, side by side.
fn segments(page: &Page, sitting: &Sitting, bins: &[Bin], card: usize, name: &str) -> Mark {
    let Draft::Sorted(places) = &sitting.paper().draft else { return el("div", "") };
    let each = bins.iter().enumerate().map(|(bin, said)| {
        let is_there = places[card] == Some(bin);
        let act = Act::Bin { card, bin };
        let input = pick::input(page, sitting, "radio", name.to_owned(), is_there, act);
        el("label", "").with(input).with(el("span", "").text(&said.say))
    });
    el("div", "seg").with(el("div", "seg__row").list(each))
}

/// The bins of a card, as a list to choose from.
fn list(page: &Page, sitting: &Sitting, bins: &[Bin], card: usize) -> Mark {
    let Draft::Sorted(places) = &sitting.paper().draft else { return el("div", "") };
    let none = places[card].is_none();
    let open = el("option", "")
        .when(none, "selected", "selected")
        .set("value", "")
        .say(page.words, "quiz.bin");
    let each = bins.iter().enumerate().map(|(bin, said)| {
        let here = places[card] == Some(bin);
        el("option", "").when(here, "selected", "selected").text(&said.say)
    });
    let select = el("select", "")
        .set("aria-label", page.text("quiz.bin"))
        .when(!sitting.may_try(), "disabled", "disabled")
        .on(On::Change, page.on, move |event| {
            let bin = chosen(event)?.checked_sub(1)?;
            Some(Asked::Quiz(Act::Bin { card, bin }))
        })
        .with(open)
        .all(each.map(Mark::html));
    el("div", "field").with(select)
}

fn chosen(event: &Event) -> Option<usize> {
    let select = event.target()?.dyn_into::<HtmlSelectElement>().ok()?;
    usize::try_from(select.selected_index()).ok()
}

/// The class of a question's stop.
#[must_use]
pub fn stop_class(standing: Standing) -> &'static str {
    match standing {
        Standing::Open => "q-stop",
        Standing::Missed => "q-stop is-missed",
        Standing::AtOnce | Standing::Later => "q-stop is-right",
        Standing::Shown => "q-stop is-shown",
    }
}
