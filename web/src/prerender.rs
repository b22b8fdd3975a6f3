//! The still picture and the words that stand in a page before the module arrives, and stay where
//! it never does.

use std::rc::Rc;

use course::Exhibit;
use player::Progress;
use scenario::wire::{Diagnostic, Value};
use yew::LocalServerRenderer;
use yew::prelude::*;

use crate::map::{Shape, Shown, plan, still};
use crate::state::{Act, SLICE, Session, beat_at, scene};
use crate::words::{Words, unmarked};

/// What an exhibit shows without JavaScript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prerendered {
    /// The moment of the picture in words.
    pub scene_words: String,
    /// The picture for wide places, as an `<svg>` element.
    pub picture_svg_wide: String,
    /// The picture for narrow places, as an `<svg>` element.
    pub picture_svg_tall: String,
    /// The text of `run=` that opens the exhibit at that moment, if it has one.
    pub run: Option<String>,
}

/// The still picture of an exhibit at its poster moment.
///
/// # Errors
/// What is wrong with the exhibit or the catalogue.
pub fn prerender(exhibit: &str, catalogue: &str) -> Result<Prerendered, Vec<Diagnostic>> {
    let exhibit = Exhibit::read(&parse::<Value>(exhibit, "the exhibit")?)?;
    let entries: std::collections::BTreeMap<String, String> = parse(catalogue, "the catalogue")?;
    let words = Words::new(entries);
    let poster = exhibit.poster;
    let mut session = Session::open(Rc::new(exhibit));
    while session.compute(SLICE) == Progress::Running {}
    if let Some(at) = poster {
        session.act(Act::Seek(at));
    }
    let (names, frame) = (session.names().clone(), Rc::clone(session.frame()));
    let state = scene(&words, &names, &frame, session.life());
    let told = beat_at(session.beats(), session.now());
    let told = told.map(|beat| [beat.title.as_str(), " ", &beat.say, " "].concat());
    let picture = |shape| {
        let shown = Shown {
            frame: session.frame(),
            words: &words,
            label: &state,
            followed: session.followed(),
            selected: None,
            reorder: session.reorderable(),
        };
        text(still(&plan(session.names().scenario(), shape), &shown).html())
    };
    let run = poster.and_then(|_| session.run_state().encode().ok());
    Ok(Prerendered {
        run,
        picture_svg_wide: picture(Shape::Wide),
        picture_svg_tall: picture(Shape::Tall),
        scene_words: unmarked(&(told.unwrap_or_default() + &state)),
    })
}

/// What is drawn once and for all.
#[derive(Clone, PartialEq, Properties)]
struct Drawn {
    picture: Html,
}

#[component]
fn Picture(drawn: &Drawn) -> Html {
    drawn.picture.clone()
}

/// Markup as a text. Nothing in it waits for anything, so the future is there at once.
fn text(picture: Html) -> String {
    let renderer = LocalServerRenderer::<Picture>::with_props(Drawn { picture });
    let mut drawn = std::pin::pin!(renderer.hydratable(false).render());
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    loop {
        if let std::task::Poll::Ready(text) = drawn.as_mut().poll(&mut context) {
            return text;
        }
    }
}

fn parse<T: serde::de::DeserializeOwned>(text: &str, what: &str) -> Result<T, Vec<Diagnostic>> {
    serde_json::from_str(text).map_err(|why| {
        let place = [what, " is not JSON of the kind it should be: ", &why.to_string()].concat();
        vec![Diagnostic::new("", place, "repair the file at that line and column")]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXHIBIT: &str = include_str!("../../crates/course/content/exhibits/event-life.json");
    const CATALOGUE: &str = include_str!("../../static/lang/en.json");

    #[test]
    fn a_still_has_both_pictures_and_the_words_of_its_moment() {
        let still = prerender(EXHIBIT, CATALOGUE).expect("the exhibit is sound");
        for picture in [&still.picture_svg_wide, &still.picture_svg_tall] {
            assert!(picture.starts_with("<svg") && picture.ends_with("</svg>"));
            assert!(picture.contains("8.3 s"), "the ring of number 5 at 34.2 s");
        }
        assert!(still.scene_words.contains("hidden until 0:42.5, and nobody holds it"));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let check = |exhibit: &str, catalogue: &str| {
            let wrong = prerender(exhibit, catalogue).expect_err("something is wrong");
            assert!(wrong.iter().all(|w| !w.problem.is_empty() && !w.repair.is_empty()));
        };
        check("{", CATALOGUE);
        check("{}", CATALOGUE);
        check(EXHIBIT, "[]");
    }
}
