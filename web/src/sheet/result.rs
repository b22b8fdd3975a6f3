//! What comes of the entries: numbers, verdicts in words, and the formula in words.

use course::sheet::{Output, Standing};

use super::{Desk, why};
use crate::components::{Page, Sign, icon};
use crate::markup::{Mark, el};

/// All results, in order.
pub fn results(page: &Page, desk: &Desk) -> Mark {
    let values = desk.sheet().values.iter().enumerate();
    let shown = values.filter_map(|(at, value)| Some((at, value.output.as_ref()?)));
    el("dl", "outs").list(shown.map(|(at, output)| result(page, desk, at, output)))
}

fn result(page: &Page, desk: &Desk, at: usize, output: &Output) -> Mark {
    let number = &desk.worked().all[desk.sheet().place_of(at)];
    let value = match number {
        Ok(number) => {
            let (number, unit) = output.figure.parts(*number, desk.marks());
            let unit = (!unit.is_empty()).then(|| el("span", "out__unit").text(unit.to_owned()));
            el("dd", "out__value").with(el("b", "").text(number)).text(" ").with(unit)
        }
        Err(undefined) => {
            let why = why(page.words, undefined);
            el("dd", "out__none").text(page.words.say("sheet.undefined", &[("why", &why)]))
        }
    };
    let stands = desk.sheet().stands(at, desk.worked(), desk.marks());
    let broken = matches!(stands, Some((Standing::Fails, _)));
    let check = stands.and_then(|(standing, said)| verdict(page, standing, said));
    let class = if broken { "out is-broken" } else { "out" };
    el("div", class)
        .with(el("dt", "").text(&output.label))
        .with(value)
        .with(check)
        .with(el("dd", "out__says").text(&output.says))
}

/// A sentence for each bound that is broken.
pub fn broken<'d>(page: &'d Page, desk: &'d Desk) -> impl Iterator<Item = Mark> + 'd {
    let each = (0..desk.sheet().values.len())
        .filter_map(|at| desk.sheet().stands(at, desk.worked(), desk.marks()));
    each.filter_map(|(standing, said)| {
        let fails = standing == Standing::Fails;
        Some(el("li", "").with(plate(page, standing).filter(|_| fails)?).text(" ").text(said))
    })
}

fn verdict(page: &Page, standing: Standing, said: String) -> Option<Mark> {
    Some(el("dd", "out__check").with(plate(page, standing)?).text(" ").text(said))
}

fn plate(page: &Page, standing: Standing) -> Option<Mark> {
    let (class, sign, key) = match standing {
        Standing::Holds => ("plate plate--holds", Sign::Check, "sheet.holds"),
        Standing::Fails => ("plate plate--broken", Sign::Close, "sheet.fails"),
        Standing::Open => return None,
    };
    Some(el("span", class).with(icon(sign)).with(el("span", "").say(page.words, key)))
}

/// How many bounds are broken, in a sentence for those who hear the page.
pub fn said(page: &Page, desk: &Desk) -> String {
    match broken(page, desk).count() {
        0 => page.text("sheet.said.holds"),
        n => page.words.count("sheet.said.fails", n as u64, &[]),
    }
}
