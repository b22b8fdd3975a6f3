//! A queue on a general map.

use player::QueueFrame;
use yew::prelude::*;

use super::super::platform::{self, edge, in_row, ringed};
use super::super::route::Route;
use super::super::{Scene, siding};
use crate::icons::Pict;
use crate::map::layout::{Face, Hidden, Rect, Yard, at, fit};
use crate::map::mark::{group, path, rect, text};
use crate::map::motion::{Part, reach};

/// From how many on they are drawn as a bar.
const BAR: usize = 1_000;

/// The whole of a queue.
#[must_use]
pub fn yard(scene: &Scene, place: &Yard, state: &QueueFrame, route: &Route) -> Vec<Html> {
    let words = scene.words;
    let label = words.say("map.kind.queue", &[("name", scene.label(place.id))]);
    let lit = route.platform == Some(place.id);
    let none = words.text("map.waiting.none");
    let chosen = scene.selected == Some(place.id);
    let y = place.row.first.y;
    let rail = reach(at(place.offer.x + 2.0, y), at(place.offer.right() - 2.0, y));
    let slab = group(if chosen { "slab is-sel" } else { "slab" })
        .with(rect("slab-body", place.offer, 3.0).html())
        .with(edge(place.offer))
        .with(scene.moving_text("t-sub", &place.waiting, Part::Waiting(place.id), &none));
    let mut all = vec![
        platform::plate(scene, place.id, place.plate, Pict::Queue, label),
        slab.html(),
        path(if lit { "ln lit" } else { "ln" }, rail),
        waiting(scene, place, state),
    ];
    if let Some(hidden) = &place.hidden {
        all.push(in_flight(scene, hidden, state));
    }
    if let Some(at) = &place.siding {
        all.extend(siding::siding(scene, at, route));
    }
    all.push(text("t-sub", &place.done, done(scene, place, state)).html());
    all
}

fn waiting(scene: &Scene, place: &Yard, state: &QueueFrame) -> Html {
    let (total, row) = (state.available_total as usize, place.row);
    let shown = match total {
        BAR.. => 2,
        _ if total > row.places => row.places - 2,
        _ => total,
    };
    let ids = state.available.iter().copied().take(shown);
    let mut all: Vec<Html> = in_row(scene, row, ids, "s").collect();
    let (near, far) = (row.place(shown), row.place(row.places - 1));
    if total >= BAR {
        let left = near.x.min(far.x) - 11.0;
        let area = Rect::new(left, near.y - 11.0, (far.x - near.x).abs() + 22.0, 22.0);
        all.push(super::pile(scene, area, (total - shown) as u64));
    } else if total > shown {
        let middle = near.toward(far, 0.5);
        all.push(platform::pill(scene, middle, row.step.abs() + 22.0, total - shown));
    }
    group("").all(all).html()
}

fn in_flight(scene: &Scene, place: &Hidden, state: &QueueFrame) -> Html {
    let words = scene.words;
    let (total, row) = (state.in_flight_total as usize, place.row);
    let shown = if total > row.places { row.places - 1 } else { total };
    let mut all = Vec::with_capacity(shown + 1);
    for (i, hidden) in state.in_flight.iter().take(shown).enumerate() {
        all.extend(ringed(scene, row.place(i), hidden));
    }
    if total > shown {
        all.push(platform::pill(scene, row.place(shown), row.step.abs(), total - shown));
    }
    let count = words.number(total as u64);
    let said =
        if total == 0 { String::new() } else { words.say("map.hidden_count", &[("n", &count)]) };
    group("slab is-hidden")
        .with(rect("slab-body", place.area, 3.0).html())
        .with(edge(place.area))
        .with(text("t-bay", &place.title, words.text("map.in_flight")).html())
        .with(text("t-sub", &place.count, fit(&said, Face::Sub, place.count.room)).html())
        .all(all)
        .html()
}

/// What has become of those that are here no more, and of those that are not here yet.
fn done(scene: &Scene, place: &Yard, state: &QueueFrame) -> String {
    let words = scene.words;
    let counts = [
        ("map.done.delayed", u32::try_from(state.delayed.len()).unwrap_or(u32::MAX)),
        ("map.done.acked", state.acked_total),
        ("map.done.expired", state.expired_total),
        ("map.done.aside", if place.siding.is_some() { 0 } else { state.dead_lettered_total }),
    ];
    let said: Vec<String> = counts
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(key, count)| words.say(key, &[("n", &words.number((*count).into()))]))
        .collect();
    fit(&said.join(&words.text("list.comma")), Face::Sub, place.done.room)
}
