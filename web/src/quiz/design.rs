//! A design: beats to put into an order, a decision at each, and what becomes of it under each fault.

use course::quiz::{Design, Ran, Verdict};
use scenario::link::RunState;
use yew::Html;

use super::ask::{all_told, reason, told};
use super::result::{plate, watch_run};
use super::steps::step;
use super::{Act, Draft, Sitting, pick};
use crate::components::Page;
use crate::markup::{Mark, el};
use crate::study::Shown;

/// The beats, each with what may be decided.
pub fn design(page: &Page, sitting: &Sitting, design: &Design, name: &str) -> Html {
    let Draft::Designed { order, picks } = &sitting.paper().draft else { return Html::default() };
    let rows = order.iter().enumerate().map(|(place, &beat)| {
        let asked = &design.beats[beat];
        let why = all_told(sitting).then(|| el("p", "opt__why").text(&asked.why));
        let options = options(page, sitting, design, (beat, picks[beat]), name);
        step(page, sitting, (place, order.len()), (beat, &asked.say)).with(why).with(options)
    });
    let open = picks.iter().filter(|pick| pick.is_none()).count();
    let left = (open > 0)
        .then(|| el("p", "q__how").text(page.words.count("quiz.undecided", open as u64, &[])));
    el("div", "design")
        .with(el("p", "q__how").say(page.words, "quiz.design"))
        .with(el("ol", "steps").list(rows))
        .with(left)
        .html()
}

/// What may be decided at a beat.
fn options(
    page: &Page,
    sitting: &Sitting,
    design: &Design,
    (beat, picked): (usize, Option<usize>),
    name: &str,
) -> Mark {
    let all = &design.beats[beat].options;
    let shown = sitting.paper().shown.iter().filter(|&&at| at < all.len());
    let name = [name, "-", &beat.to_string()].concat();
    let rows = shown.map(|&at| {
        let is_picked = picked == Some(at);
        let act = Act::Bin { card: beat, bin: at };
        let input = pick::input(page, sitting, "radio", name.clone(), is_picked, act);
        let label = pick::label(input).with(el("span", "").text(&all[at].say));
        let said = told(sitting, beat).filter(|_| is_picked);
        let why = said.map(|note| reason(page, note.verdict, "quiz.option", &note.why));
        pick::row("opt", at, label, [why, None])
    });
    el("div", "opts")
        .set("role", "radiogroup")
        .set("aria-label", &design.beats[beat].say)
        .list(rows)
}

/// Each fault, whether the design bears it, and its run.
pub fn faults(page: &Page, sitting: &Sitting, design: &Design, ran: &Ran) -> Option<Mark> {
    let Draft::Designed { picks, .. } = &sitting.paper().draft else { return None };
    let picks = picks.iter().copied().collect::<Option<Vec<usize>>>()?;
    let rows = design.faults.iter().zip(&ran.promises).enumerate().map(|(at, (fault, tested))| {
        let kept = tested.kept == ran.runs;
        let verdict = if kept { Verdict::Right } else { Verdict::Wrong };
        let said = match &tested.instead {
            Some((None, found)) => found.clone(),
            Some((Some(wanted), found)) => {
                page.words.say("quiz.fault.broken", &[("wanted", wanted), ("found", found)])
            }
            None => fault.keeps.clone(),
        };
        let changes = design.changes(&picks, at);
        let state = RunState { changes, ..RunState::default() };
        el("li", "")
            .with(plate(page, verdict, "quiz.promise"))
            .with(el("span", "").text(&fault.say))
            .with(el("em", "").text(said))
            .with(watch_run(page, sitting, Shown { stage: design.stage, state }))
    });
    Some(el("ul", "props").list(rows))
}
