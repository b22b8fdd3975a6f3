//! The siding of dead letters: a line that ends at a buffer stop.

use player::QueueFrame;
use yew::prelude::*;

use super::route::Route;
use super::{Goal, Meaning, Placed, Scene, Size, platform};
use crate::icons::Pict;
use crate::map::layout::{Face, Siding, fit};
use crate::map::mark::{group, path, text};
use crate::map::motion::reach;

/// The siding and what stands on it.
#[must_use]
pub fn siding(scene: &Scene, place: &Siding, route: &Route) -> Vec<Html> {
    let lit = route.siding == Some(place.id);
    let mut all = vec![path(if lit { "ln lit" } else { "ln" }, place.track.d())];
    let name = scene.label(place.id);
    let label = scene.words.say("map.kind.siding", &[("name", name)]);
    if let Some(plate) = place.plate {
        all.push(platform::plate(scene, place.id, plate, Pict::Siding, label));
    }
    let (a, b) = (place.stop, place.stop.moved(6.0, 0.0));
    let bar = |p: crate::map::layout::Point| reach(p.moved(0.0, -11.0), p.moved(0.0, 11.0));
    let tie = |down: f64| reach(a.moved(0.0, down), b.moved(0.0, down));
    let stop = group("")
        .with(path("stop", bar(a) + &bar(b)))
        .with(path("stop-tie", tie(-6.0) + &tie(6.0)));
    all.push(stop.html());
    let Some(state) = scene.queue(place.id) else { return all };
    all.push(letters(scene, place, state));
    let said = note(scene, place, state);
    let said = fit(&said, Face::Sub, place.note.room);
    let mut note = text("t-sub", &place.note, said.clone());
    if place.plate.is_none() {
        // Without a plate the note is what one chooses to look at the queue.
        let label = scene.words.say("map.kind.siding", &[("name", &said)]);
        note = scene.reach(note, Goal::Component(place.id), label);
    }
    all.push(note.html());
    all
}

fn letters(scene: &Scene, place: &Siding, state: &QueueFrame) -> Html {
    let total = state.available_total as usize;
    let shown = if total > place.row.places { place.row.places - 1 } else { total };
    // The latest are shown: what came first is known by then.
    let ids = state.available.iter().rev().take(shown).rev();
    let mut all: Vec<Html> = Vec::new();
    for (i, &id) in ids.enumerate() {
        let placed = Placed {
            at: place.row.place(i),
            part: None,
            size: Size::Full,
            key: ["x", &id.index().to_string()].concat(),
            meaning: Meaning::Message,
        };
        all.extend(scene.token(id, None, &placed));
    }
    if total > shown {
        all.push(platform::pill(scene, place.row.place(shown), 30.0, total - shown));
    }
    group("").all(all).html()
}

fn note(scene: &Scene, place: &Siding, state: &QueueFrame) -> String {
    let words = scene.words;
    let name = scene.label(place.id);
    let named = |key: &str, names: &[(&str, &str)]| {
        let form = if place.plate.is_some() { "" } else { ".named" };
        let mut all = vec![("queue", name)];
        all.extend_from_slice(names);
        words.say(&[key, form].concat(), &all)
    };
    let only = match state.available[..] {
        [only] if state.available_total == 1 => scene.frame.message(only),
        _ => None,
    };
    let n = words.number(state.available_total.into());
    match only {
        Some(message) => {
            let number = words.number(message.id.number().into());
            let count = message.receives.to_string();
            let key = if message.poison { "map.dead.poison" } else { "map.dead.one" };
            named(key, &[("n", &number), ("count", &count)])
        }
        None if state.available_total == 0 => named("map.dead.none", &[]),
        None => named("map.dead.many", &[("n", &n)]),
    }
}
