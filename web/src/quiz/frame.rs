//! The frame of a quiz: its sign, the line of its questions, the run that is watched, the result.

use course::quiz::{Quiz, Timing};
use yew::prelude::*;

use super::ask::{act, ask, stop_class};
use super::result::{plate, result};
use super::{Act, App, Sitting, Standing};
use crate::components::{Nameplate, Page};
use crate::markup::{Mark, el};
use crate::study::{Shell, watched};

/// The whole quiz, or why there is none.
pub fn view(app: &App, ctx: &Context<App>) -> Html {
    let on = ctx.link().callback(std::convert::identity);
    let Shell { words, settings, .. } = &app.shell;
    let title = app.sitting.as_ref().map_or("", |sitting| sitting.quiz().title.as_str());
    let page = Page { words, on: &on, level: settings.level, title };
    let Some(sitting) = &app.sitting else { return app.shell.unread(&page) };
    let quiz = sitting.quiz();
    let kind = page.text(kind(quiz));
    let plate = Nameplate::within(&quiz.module, title, &kind);
    let stops = (sitting.papers.len() > 1).then(|| stops(&page, sitting));
    let parts = [
        stops.map(Mark::html).unwrap_or_default(),
        question(&page, sitting).html(),
        watched(words, settings, &page, &quiz.stages, sitting.watched.as_ref()),
        closing(&page, sitting),
    ];
    app.shell.frame(&page, &plate, parts).html()
}

/// What sort of quiz it is, as a key of the catalogue.
fn kind(quiz: &Quiz) -> &'static str {
    use course::quiz::{Asks, Question};
    match quiz.questions.as_slice() {
        [Question { asks: Asks::Recall { .. }, .. }, ..] => "quiz.kind.cards",
        [Question { asks: Asks::Design(_), .. }, ..] => "quiz.kind.design",
        _ if quiz.draw.is_some() => "quiz.kind.check",
        [one] => match (&one.asks, one.timing) {
            (Asks::Fill(_), _) => "quiz.kind.fill",
            (Asks::Sort { .. }, _) => "quiz.kind.sort",
            (Asks::Order { .. }, _) => "quiz.kind.order",
            (Asks::Spot(_), _) => "quiz.kind.spot",
            (_, Timing::Predict) => "quiz.kind.predict",
            _ => "quiz.kind.quiz",
        },
        _ => "quiz.kind.quiz",
    }
}

/// The questions as stops of a line.
fn stops(page: &Page, sitting: &Sitting) -> Mark {
    let words = page.words;
    let of = words.number(sitting.papers.len() as u64);
    let each = sitting.papers.iter().enumerate().map(|(at, paper)| {
        let number = words.number(at as u64 + 1);
        let state = match paper.standing {
            Standing::Open => "quiz.stop.open",
            Standing::Missed => "quiz.stop.missed",
            Standing::AtOnce | Standing::Later => "quiz.stop.right",
            Standing::Shown => "quiz.stop.shown",
        };
        let state = words.text(state);
        let name = words.say("quiz.stop", &[("n", &number), ("of", &of), ("state", &state)]);
        let stop = act(page, stop_class(paper.standing), Act::Go(at))
            .set("aria-label", name)
            .maybe("aria-current", (at == sitting.at).then_some("step"))
            .text(number);
        el("li", "").with(stop)
    });
    let line = el("ol", "q-line").list(each);
    el("nav", "q-nav").set("aria-label", page.landmark("quiz.stops")).with(line)
}

fn question(page: &Page, sitting: &Sitting) -> Mark {
    let asked = sitting.question();
    let name = ["q-", &asked.id].concat();
    let predict = (asked.timing == Timing::Predict)
        .then(|| el("p", "q__kind").say(page.words, "quiz.predict"));
    let id = [&name, "-ask"].concat();
    el("section", "q")
        .key(asked.id.clone())
        .set("role", "group")
        .set("aria-labelledby", &id)
        .with(el("p", "q__ask").set("id", id).text(&asked.ask))
        .with(predict)
        .with(ask(page, sitting, &name))
        .with(result(page, sitting))
}

/// What it came to, when there is nothing left to find out.
fn closing(page: &Page, sitting: &Sitting) -> Html {
    if sitting.papers.len() < 2 || !sitting.is_over() {
        return Html::default();
    }
    let words = page.words;
    let (score, of) = (sitting.score(), sitting.papers.len());
    let mark = Quiz::pass_mark(of);
    let verdict =
        if score >= mark { course::quiz::Verdict::Right } else { course::quiz::Verdict::Wrong };
    let [n, all, pass] = [score, of, mark].map(|n| words.number(n as u64));
    let said = words.say("quiz.score", &[("n", &n), ("of", &all), ("pass", &pass)]);
    let key = if sitting.quiz().draw.is_some() { "quiz.again.draw" } else { "quiz.again.all" };
    let again = act(page, "btn", Act::Restart).with(el("span", "").say(words, key));
    el("section", "q-close")
        .with(plate(page, verdict, "quiz.passed"))
        .with(el("p", "").text(said))
        .with(again)
        .html()
}
