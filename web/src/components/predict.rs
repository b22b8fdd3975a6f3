//! A prediction: a line above the player that offers it, the question, and what came of it.

use course::quiz::{Asks, Question, Verdict};
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, KeyboardEvent};

use super::Page;
use super::icon::{Sign, icon};
use crate::asked::Asked;
use crate::markup::{Mark, On, button, el};
use crate::state::{Act, Foretold, Guess, GuessStage};

/// The prediction of an exhibit, as far as it is.
#[inline(never)]
pub fn prediction(page: &Page, asked: &Question, guess: &Guess, shown: &Foretold) -> Mark {
    let whole =
        el("div", "predict").set("role", "group").set("aria-label", page.landmark("predict.label"));
    match shown {
        Foretold::Open { stage, ready } => {
            let open = *stage == GuessStage::Asked;
            let line = el("div", "predict__line")
                .with(el("span", "").say(page.words, "predict.line"))
                .with(
                    page.act("btn btn--small", Act::Predict)
                        .is("aria-expanded", open)
                        .say(page.words, "predict.first"),
                )
                .with(
                    page.act("btn btn--small btn--quiet", Act::SkipGuess)
                        .say(page.words, "predict.skip"),
                );
            whole.with(line).with(open.then(|| question(page, asked, guess, *ready)))
        }
        Foretold::Waiting { said } => whole.with(el("p", "predict__said").text(said)),
        Foretold::Judged { said, verdict, happened } => whole
            .with(el("p", "predict__said").with(verdict.map(|it| plate(page, it))).text(said))
            .with(el("p", "predict__why").text(happened.join(" "))),
    }
}

/// Whether it was so, in words.
fn plate(page: &Page, verdict: Verdict) -> Mark {
    let (class, sign, key) = match verdict {
        Verdict::Right => ("plate plate--holds", Sign::Check, "predict.right"),
        Verdict::Wrong => ("plate plate--broken", Sign::Close, "predict.wrong"),
    };
    el("span", class).with(icon(sign)).with(el("span", "").say(page.words, key))
}

fn question(page: &Page, asked: &Question, guess: &Guess, ready: bool) -> Mark {
    let answer = match &asked.asks {
        Asks::Choice { options, .. } => {
            let rows = options.iter().enumerate().map(|(at, option)| {
                let input = el("input", "")
                    .set("type", "radio")
                    .set("name", ["predict-", &asked.id].concat())
                    .checked(guess.picked == Some(at))
                    .on(On::Change, page.on, move |_| Some(Asked::Act(Act::Guess(at))));
                el("label", "predict__pick").with(input).with(el("span", "").text(&option.say))
            });
            el("div", "predict__picks").list(rows)
        }
        Asks::Number { unit, .. } => {
            let input = el("input", "predict__number")
                .set("type", "text")
                .set("inputmode", "decimal")
                .set("autocomplete", "off")
                .set("aria-label", page.text("predict.number"))
                .value(guess.typed.clone())
                .on(On::Input, page.on, |event| Some(Asked::Act(Act::GuessNumber(typed(event)))))
                .on(On::Key, page.on, |event| {
                    let enter = event.unchecked_ref::<KeyboardEvent>().key() == "Enter";
                    enter.then_some(Asked::Act(Act::CommitGuess))
                });
            el("div", "predict__picks").with(input).text(" ").text(unit)
        }
        _ => el("div", ""),
    };
    let commit = if ready {
        page.act("btn btn--small btn--go", Act::CommitGuess)
    } else {
        button("btn btn--small btn--go").set("aria-disabled", "true")
    };
    el("fieldset", "predict__ask")
        .with(el("legend", "").text(&asked.ask))
        .with(answer)
        .with(commit.say(page.words, "predict.commit"))
}

fn typed(event: &Event) -> String {
    let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    input.map(|input| input.value()).unwrap_or_default()
}
