//! The crash matrix: how to ask for it, how far it is, and a table that reads as the program does.
//! Between the lines stand the borders, and in each cell what a crash there costs.

use explore::{Outcome, Progress};
use yew::Html;

use super::Page;
use super::icon::{Sign, icon};
use super::rove::rove_cells;
use crate::asked::Asked;
use crate::markup::{Mark, On, el};
use crate::state::{Act, CellShown, MatrixShown, ProgramShown, RowShown};

/// What can be asked for, and what came of it.
#[inline(never)]
pub fn matrix(page: &Page, shown: Option<&MatrixShown>) -> Html {
    let whole = el("div", "many matrix")
        .set("role", "group")
        .set("aria-label", page.text("matrix.title"))
        .with(el("b", "").say(page.words, "matrix.title"));
    match shown {
        None => whole.with(start(page)),
        Some(shown) => whole.with(found(page, shown)),
    }
    .html()
}

fn start(page: &Page) -> Mark {
    let key = page.signed("btn btn--small", Sign::Bolt, "matrix.begin", Asked::Act(Act::Explore));
    el("div", "many__body")
        .with(el("p", "").say(page.words, "matrix.lead"))
        .with(el("div", "many__keys").with(key))
}

#[inline(never)]
fn found(page: &Page, shown: &MatrixShown) -> Mark {
    // As long as there is nothing, nothing stands in each place: the button keeps the focus.
    let is_there = !shown.sum.is_empty();
    let opened =
        || el("p", "matrix__opened").set("role", "status").with(el("span", "").text(&shown.opened));
    el("div", "many__body")
        .with(progress(page, shown))
        .with(is_there.then(|| el("p", "matrix__sum").text(&shown.sum)))
        .with(properties(page, shown).filter(|_| is_there))
        .with(is_there.then(|| table(page, shown)))
        .with(is_there.then(opened))
        .with(is_there.then(|| key(page, shown)))
}

/// How far it is, with a way to end it; then a way to put it away.
fn progress(page: &Page, shown: &MatrixShown) -> Mark {
    let key = |label, act| page.signed("btn btn--small", Sign::Close, label, Asked::Act(act));
    let keys = el("div", "many__keys");
    if shown.progress == Progress::Done {
        return keys.with(key("matrix.drop", Act::DropMatrix)).with(None).with(None);
    }
    let bar = el("progress", "").set("aria-label", page.text("matrix.title"));
    let bar = match shown.planned {
        Some(planned) => bar.set("max", planned.to_string()).set("value", shown.done.to_string()),
        None => bar,
    };
    let said = shown.planned.map(|planned| {
        let [done, count] = [shown.done, planned].map(|n| page.words.number(n as u64));
        let said = page.words.say("matrix.progress", &[("done", &done), ("count", &count)]);
        el("span", "many__count").text(said)
    });
    keys.with(key("many.cancel", Act::StopExploring)).with(bar).with(said)
}

fn properties(page: &Page, shown: &MatrixShown) -> Option<Mark> {
    let each = shown.properties.iter().map(|judged| {
        let sign = if judged.breach.is_some() { Sign::Close } else { Sign::Check };
        let there = judged.breach.clone().map(|act| {
            page.act("btn btn--small", act)
                .set("aria-label", page.words.say("matrix.show", &[("said", &judged.said)]))
                .say(page.words, "compare.there")
        });
        el("li", "").with(icon(sign)).with(el("span", "").text(&judged.said)).with(there)
    });
    (!shown.properties.is_empty()).then(|| el("ul", "matrix__props").list(each))
}

fn table(page: &Page, shown: &MatrixShown) -> Mark {
    let number = |n: &String| el("th", "").set("scope", "col").text(n);
    let wide = shown.columns.len().to_string();
    let head = el("thead", "")
        .with(
            el("tr", "")
                .with(
                    el("th", "")
                        .set("scope", "col")
                        .set("rowspan", "2")
                        .say(page.words, "matrix.where"),
                )
                .with(
                    el("th", "")
                        .set("scope", "colgroup")
                        .set("colspan", &wide)
                        .say(page.words, "matrix.with"),
                ),
        )
        .with(el("tr", "").list(shown.columns.iter().map(number)));
    // One stop of the Tab key: the crash that is in the run, or else the first.
    let cells =
        shown.programs.iter().flat_map(|it| &it.rows).flat_map(|it| it.cells.iter().flatten());
    let stop = cells.clone().find(|cell| cell.here).or_else(|| cells.clone().next());
    let stop = stop.map(|cell| cell.place);
    let bodies = shown.programs.iter().map(|program| body(page, program, &wide, stop));
    let table = el("table", "matrix__table")
        .with(el("caption", "visually-hidden").say(page.words, "matrix.caption"))
        .with(head)
        .list(bodies);
    el("div", "matrix__scroll").on(On::Key, page.on, rove_cells).with(table)
}

fn body(page: &Page, program: &ProgramShown, wide: &str, stop: Option<(usize, usize)>) -> Mark {
    let all = wide.parse::<usize>().map_or(1, |wide| wide + 1).to_string();
    let title = el("th", "").set("scope", "rowgroup").set("colspan", all).text(&program.title);
    el("tbody", "")
        .with(el("tr", "matrix__who").with(title))
        .list(program.rows.iter().map(|row| line(page, row, stop)))
}

fn line(page: &Page, row: &RowShown, stop: Option<(usize, usize)>) -> Mark {
    let class = if row.line == 0 { "matrix__border" } else { "matrix__line" };
    let label = el("th", "").set("scope", "row");
    let label = match row.line {
        0 => label.text(&row.label),
        line => label.with(el("span", "").text(line.to_string())).text(" ").text(&row.label),
    };
    let cells = row.cells.iter().map(|cell| match cell {
        Some(cell) => el("td", "").with(button(page, cell, stop == Some(cell.place))),
        None => el("td", ""),
    });
    el("tr", class).with(label).list(cells)
}

fn button(page: &Page, cell: &CellShown, is_stop: bool) -> Mark {
    let (row, column) = cell.place;
    page.act(class(cell.outcome), Act::OpenCell(row, column))
        .is("aria-pressed", cell.here)
        .set("tabindex", if is_stop { "0" } else { "-1" })
        .set("aria-label", &cell.said)
        .set("title", &cell.said)
        .with(icon(sign(cell.outcome)))
        .with(el("span", "").text(&cell.word).text(if cell.worse { STAR } else { "" }))
}

/// Stands beside a word when another message fares worse.
const STAR: &str = "*";

/// What each sign says.
fn key(page: &Page, shown: &MatrixShown) -> Mark {
    let each = shown.key.iter().map(|(outcome, word, meaning)| {
        el("li", "")
            .with(
                el("b", class(*outcome)).with(icon(sign(*outcome))).with(el("span", "").text(word)),
            )
            .with(el("span", "").text(meaning))
    });
    let star = shown.worse.then(|| {
        let mark = el("b", "fate fate--star").text(STAR);
        el("li", "").with(mark).with(el("span", "").say(page.words, "matrix.star"))
    });
    el("ul", "matrix__key").list(each).with(star)
}

fn class(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Fine => "fate fate--fine",
        Outcome::Lost => "fate fate--lost",
        Outcome::Duplicated | Outcome::Reordered => "fate fate--more",
        Outcome::Stuck | Outcome::Open => "fate fate--open",
    }
}

fn sign(outcome: Outcome) -> Sign {
    match outcome {
        Outcome::Fine => Sign::Check,
        Outcome::Lost => Sign::Close,
        Outcome::Duplicated => Sign::Next,
        Outcome::Reordered => Sign::Undo,
        Outcome::Stuck => Sign::Hold,
        Outcome::Open => Sign::More,
    }
}
