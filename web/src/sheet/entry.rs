//! The entries: numbers to type and options to choose.

use course::sheet::figure::digits;
use course::sheet::{Entry, Input};
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, HtmlSelectElement};

use super::{Act, Desk, Entered, Wrong};
use crate::asked::Asked;
use crate::components::Page;
use crate::markup::{Mark, On, el};

/// So many options with short names stand side by side; more are a list to choose from.
const SIDE_BY_SIDE: usize = 3;
/// A short name has at most so many characters.
const SHORT: usize = 18;

/// All entries, in order.
pub fn entries(page: &Page, desk: &Desk) -> Mark {
    let each = desk.sheet().inputs.iter().zip(desk.entries()).enumerate();
    el("div", "entries").list(each.map(|(at, (input, entered))| match &input.entry {
        Entry::Number { .. } => number(page, desk, at, input, entered),
        Entry::Choice { choices, .. } => {
            let short = choices.iter().all(|(label, _)| label.chars().count() <= SHORT);
            if short && choices.len() <= SIDE_BY_SIDE {
                segments(page, at, input, choices, entered)
            } else {
                list(page, at, input, choices, entered)
            }
        }
    }))
}

fn name(input: &Input) -> String {
    ["entry-", &input.id].concat()
}

fn part(input: &Input, part: &str) -> String {
    [&name(input), "-", part].concat()
}

fn number(page: &Page, desk: &Desk, at: usize, input: &Input, entered: &Entered) -> Mark {
    let Entry::Number { unit, range, .. } = &input.entry else { return el("div", "") };
    let mut described = Vec::new();
    let mut describe = |there: bool, of: &str| {
        if there {
            described.push(part(input, of));
        }
    };
    describe(!unit.is_empty(), "unit");
    describe(!input.note.is_empty(), "note");
    describe(entered.wrong.is_some(), "wrong");
    let field = el("input", "entry__number")
        .set("type", "text")
        .set("inputmode", "decimal")
        .set("autocomplete", "off")
        .set("spellcheck", "false")
        .set("id", name(input))
        .maybe("aria-describedby", (!described.is_empty()).then(|| described.join(" ")))
        .when(entered.wrong.is_some(), "aria-invalid", "true")
        .value(entered.text.clone())
        .on(On::Input, page.on, move |event| Some(Asked::Sheet(Act::Type(at, typed(event)))))
        .on(On::Change, page.on, |_| Some(Asked::Sheet(Act::Settle)));
    let unit = (!unit.is_empty())
        .then(|| el("span", "entry__unit").set("id", part(input, "unit")).text(unit));
    let wrong = entered.wrong.map(|wrong| {
        let numbers = [range.0, range.1, entered.number].map(|n| digits(n, 4, desk.marks()));
        complaint(page, input, wrong, &numbers)
    });
    el("div", "entry")
        .key(input.id.clone())
        .with(el("label", "entry__label").set("for", name(input)).text(&input.label))
        .with(el("span", "entry__row").with(field).with(unit))
        .with(note(input))
        .with(wrong)
}

fn note(input: &Input) -> Option<Mark> {
    (!input.note.is_empty())
        .then(|| el("p", "entry__note").set("id", part(input, "note")).text(&input.note))
}

/// What is wrong, what may be entered, and what counts until then.
fn complaint(
    page: &Page,
    input: &Input,
    wrong: Wrong,
    [least, most, counts]: &[String; 3],
) -> Mark {
    let key = match wrong {
        Wrong::NotANumber => "sheet.wrong.number",
        Wrong::NotWhole => "sheet.wrong.whole",
        Wrong::OutOfRange => "sheet.wrong.range",
    };
    let names = [("from", least.as_str()), ("to", most), ("counts", counts)];
    el("p", "entry__wrong")
        .set("id", part(input, "wrong"))
        .set("role", "alert")
        .text(page.words.say(key, &names))
}

fn segments(
    page: &Page,
    at: usize,
    input: &Input,
    choices: &[(String, f64)],
    entered: &Entered,
) -> Mark {
    let each = choices.iter().enumerate().map(|(option, (label, value))| {
        let radio = el("input", "")
            .set("type", "radio")
            .set("name", name(input))
            .checked(*value == entered.number)
            .on(On::Change, page.on, move |_| Some(Asked::Sheet(Act::Choose(at, option))));
        el("label", "").with(radio).with(el("span", "").text(label))
    });
    el("fieldset", "entry seg")
        .key(input.id.clone())
        .with(el("legend", "entry__label").text(&input.label))
        .with(el("div", "seg__row").list(each))
        .with(note(input))
}

fn list(
    page: &Page,
    at: usize,
    input: &Input,
    choices: &[(String, f64)],
    entered: &Entered,
) -> Mark {
    let options = choices.iter().map(|(label, value)| {
        let here = *value == entered.number;
        el("option", "").when(here, "selected", "selected").text(label)
    });
    let select = el("select", "")
        .set("id", name(input))
        .on(On::Change, page.on, move |event| Some(Asked::Sheet(Act::Choose(at, chosen(event)?))))
        .list(options);
    el("div", "entry field")
        .key(input.id.clone())
        .with(el("label", "entry__label").set("for", name(input)).text(&input.label))
        .with(select)
        .with(note(input))
}

fn typed(event: &Event) -> String {
    let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    input.map(|input| input.value()).unwrap_or_default()
}

fn chosen(event: &Event) -> Option<usize> {
    let select = event.target()?.dyn_into::<HtmlSelectElement>().ok()?;
    usize::try_from(select.selected_index()).ok()
}
