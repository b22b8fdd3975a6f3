//! The missing component: a line with an empty place, and the parts that may be put there.

use course::quiz::{Fill, Stop, Verdict};
use yew::Html;

use super::result::plate;
use super::{Act, Draft, Sitting, pick};
use crate::asked::Asked;
use crate::browser;
use crate::components::Page;
use crate::markup::{Mark, On, button, el};

/// The line and the parts.
pub fn fill(page: &Page, sitting: &Sitting, fill: &Fill) -> Html {
    let paper = sitting.paper();
    let placed = match paper.draft {
        Draft::Placed(part) => part,
        _ => None,
    };
    let verdict = |part: usize| paper.ran.iter().find(|(other, _)| *other == part).map(|(_, v)| *v);
    let stops = fill.route.iter().map(|stop| match stop {
        Stop::There(name) => el("li", "route__stop").with(el("span", "").text(name)),
        Stop::Empty => {
            hole(page, placed.map(|part| (fill.parts[part].say.as_str(), verdict(part))))
        }
    });
    let route = el("ol", "route").set("aria-label", page.text("quiz.route")).list(stops);
    let parts = paper.shown.iter().map(|&at| {
        let part = &fill.parts[at];
        let is_placed = placed == Some(at);
        let class = if is_placed { "part is-placed" } else { "part" };
        let ran = verdict(at).map(|verdict| plate(page, verdict, "quiz.part"));
        pick::dragged(page, button(class), move |_| Act::Place(at))
            .key(at.to_string())
            .is("aria-pressed", is_placed)
            .on(On::Click, page.on, move |event| {
                (!browser::drag::is_end(event)).then_some(Asked::Quiz(Act::Place(at)))
            })
            .with(el("span", "part__name").text(&part.say))
            .with(ran)
            .with(el("span", "part__do").say(page.words, "quiz.place"))
    });
    let tray = el("div", "parts")
        .set("role", "group")
        .set("aria-label", page.text("quiz.parts"))
        .list(parts);
    el("div", "fill")
        .with(route)
        .with(el("p", "q__how").say(page.words, "quiz.parts"))
        .with(tray)
        .html()
}

/// The empty place, or what was put there.
fn hole(page: &Page, placed: Option<(&str, Option<Verdict>)>) -> Mark {
    let class = match placed {
        None => "route__stop route__hole",
        Some((_, Some(Verdict::Wrong))) => "route__stop route__hole is-broken",
        Some(_) => "route__stop route__hole is-filled",
    };
    let said = match placed {
        None => el("span", "").say(page.words, "quiz.hole"),
        Some((name, _)) => {
            let said = page.words.say("quiz.your_part", &[("part", name)]);
            el("span", "").text(said)
        }
    };
    el("li", class).set("data-drop", "0").with(said)
}
