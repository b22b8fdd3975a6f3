//! A card to answer aloud: the question, half a minute if one likes, and what a good answer names.

use yew::Html;

use super::ask::act;
use super::{Act, Draft, Side, Sitting, pick};
use crate::components::Page;
use crate::markup::{Mark, el};

/// Either side of the card.
pub fn card(page: &Page, sitting: &Sitting, say: &str, points: &[String], name: &str) -> Html {
    let Draft::Recalled { side, named } = &sitting.paper().draft else { return Html::default() };
    match side {
        Side::Front | Side::Timed => front(page, *side).html(),
        Side::Back => {
            let rows = points.iter().enumerate().map(|(at, point)| {
                let is_named = named.contains(&at);
                let name = name.to_owned();
                let input = pick::input(page, sitting, "checkbox", name, is_named, Act::Pick(at));
                let label = pick::label(input).with(el("span", "").text(point));
                pick::row("opt", at, label, [None, None])
            });
            let points = el("div", "opts")
                .set("role", "group")
                .set("aria-label", page.text("quiz.named"))
                .list(rows);
            el("div", "card")
                .with(el("p", "card__say").text(say.to_owned()))
                .with(el("p", "q__how").say(page.words, "quiz.named"))
                .with(points)
                .html()
        }
    }
}

fn front(page: &Page, side: Side) -> Mark {
    let say = |mark: Mark, key: &str| mark.with(el("span", "").say(page.words, key));
    let turn = say(act(page, "btn btn--go", Act::Turn), "quiz.turn");
    let clock = match side {
        // The bar runs by itself and says nothing: a learner is not to be hurried by words.
        Side::Timed => el("div", "card__clock")
            .set("role", "timer")
            .with(el("span", "").say(page.words, "quiz.clock.runs"))
            .with(el("i", "card__bar").set("aria-hidden", "true")),
        _ => say(act(page, "btn", Act::Clock), "quiz.clock"),
    };
    el("div", "card card--front")
        .with(el("p", "q__how").say(page.words, "quiz.aloud"))
        .with(el("div", "result__acts").with(clock).with(turn))
}
