//! A queue: the platform of what is on offer, the dashed one of what is hidden, and what is done.

use broker::MessageId;
use player::{ComponentFrame, InFlight, QueueFrame};
use scenario::ComponentId;
use sim::SimDuration;
use yew::prelude::*;

use super::route::Route;
use super::{Goal, Meaning, Placed, Scene, Size, lines, siding, station::brief};
use crate::icons::{Pict, pict};
use crate::map::layout::{Bay, Face, Label, Point, QueuePlace, Rect, Role, Row, Shape, at, width};
use crate::map::mark::{group, path, rect, text};
use crate::map::motion::{Part, reach};
use crate::token::Look;

/// The whole of a queue.
#[must_use]
pub fn queue(scene: &Scene, place: &QueuePlace, state: &QueueFrame, route: &Route) -> Vec<Html> {
    let words = scene.words;
    let name = scene.label(place.id);
    let label = words.say("map.kind.queue", &[("name", name)]);
    let mut all = Vec::new();
    all.push(plate(scene, place.id, place.plate, Pict::Queue, label));
    if let Some(at) = &place.settings {
        all.push(text("t-sub", at, settings(scene, place.id)).html());
    }
    all.push(offer(scene, place, state));
    let lit = route.platform == Some(place.id);
    all.push(path(if lit { "ln lit" } else { "ln" }, place.rail.d()));
    all.push(hidden(scene, place));
    if let Some(at) = &place.siding {
        all.extend(siding::siding(scene, at, route));
    }
    all.push(waiting(scene, place, state));
    all.push(in_flight(scene, place, &state.in_flight, state.in_flight_total as usize));
    all.extend(lines::arrow(&place.back));
    // Without a timer there is no ring, and nothing comes back because one ran out.
    let timed = in_force(scene, place.id).is_some();
    if let Some(at) = place.back_note.as_ref().filter(|_| timed) {
        all.push(text("t-sub", at, words.text("map.back_when")).html());
    }
    all.extend(lines::arrow(&place.done));
    all.push(acked(scene, place, state));
    all
}

/// A name plate, by which a queue is chosen.
pub fn plate(scene: &Scene, id: ComponentId, area: Rect, sign: Pict, label: String) -> Html {
    let chosen = scene.selected == Some(id);
    let name = Label::from(at(area.x + 27.0, area.y + 16.5), area.w - 30.0);
    let mark = group(if chosen { "plate-s is-sel" } else { "plate-s" })
        .with(rect("", area, 2.0).html())
        .with(pict(sign, at(area.x + 7.5, area.y + 4.5), 0.62))
        .with(text("t-plate", &name, scene.label(id).to_owned()).html());
    scene.reach(mark, Goal::Component(id), label).html()
}

/// A pill: so many more.
pub fn pill(scene: &Scene, middle: Point, room: f64, more: usize) -> Html {
    let words = scene.words;
    let n = words.number(more as u64);
    let long = words.say("map.more", &[("n", &n)]);
    let said = if width(&long, Face::Sub) + 14.0 <= room { long } else { ["+", &n].concat() };
    let wide = (width(&said, Face::Sub) + 18.0).max(30.0);
    let area = Rect::new(middle.x - wide / 2.0, middle.y - 11.5, wide, 23.0);
    group("pill")
        .with(rect("", area, 11.5).html())
        .with(text("t-pill", &Label::around(middle.moved(0.0, 4.2), wide), said).html())
        .html()
}

fn settings(scene: &Scene, id: ComponentId) -> String {
    let Some((visibility, receives)) = in_force(scene, id) else { return String::new() };
    let time = brief(visibility);
    match receives {
        Some(n) => scene.words.count("map.settings", n.into(), &[("time", &time)]),
        None => scene.words.say("map.settings.endless", &[("time", &time)]),
    }
}

/// How long a taken message stays hidden now and how often it may be received; none for a queue
/// without such a timer.
fn in_force(scene: &Scene, id: ComponentId) -> Option<(SimDuration, Option<u32>)> {
    let Role::Queue { visibility, receives, .. } = scene.plan.net.part(id).role else {
        return None;
    };
    let now = match scene.frame.components.get(id.index()) {
        Some(ComponentFrame::Queue(QueueFrame { in_force: Some(now), .. })) => {
            (now.visibility, now.receives)
        }
        _ => (visibility, receives),
    };
    Some(now).filter(|(visibility, _)| !visibility.is_zero())
}

fn offer(scene: &Scene, place: &QueuePlace, state: &QueueFrame) -> Html {
    let words = scene.words;
    let none = words.text("map.waiting.none");
    let chosen = scene.selected == Some(place.id);
    group(if chosen { "slab is-sel" } else { "slab" })
        .with(rect("slab-body", place.offer, 3.0).html())
        .with(edge(place.offer))
        .with(text("t-bay", &place.offer_title, words.text("map.available")).html())
        .with(scene.moving_text("t-sub", &place.waiting, Part::Waiting(place.id), &none))
        .all(delayed(scene, place, state))
        .html()
}

fn delayed(scene: &Scene, place: &QueuePlace, state: &QueueFrame) -> Option<Html> {
    if state.delayed.is_empty() {
        return None;
    }
    let said = scene.words.count("map.delayed", state.delayed.len() as u64, &[]);
    Some(text("t-sub", &place.delayed, said).html())
}

fn hidden(scene: &Scene, place: &QueuePlace) -> Html {
    let words = scene.words;
    let long = words.text("map.hidden_note");
    let short = || words.text("map.hidden_note.short");
    let fits = width(&long, Face::Sub) <= place.hidden_note.room;
    group("slab is-hidden")
        .with(rect("slab-body", place.hidden, 3.0).html())
        .with(edge(place.hidden))
        .with(text("t-bay", &place.hidden_title, words.text("map.in_flight")).html())
        .with(text("t-sub", &place.hidden_note, if fits { long } else { short() }).html())
        .html()
}

/// The edge of a platform.
pub fn edge(area: Rect) -> Html {
    path("slab-edge", reach(at(area.x, area.bottom()), at(area.right(), area.bottom())))
}

/// Those on offer, one by one up to the places of the row; beyond that the last places are a pill.
fn waiting(scene: &Scene, place: &QueuePlace, state: &QueueFrame) -> Html {
    let total = state.available_total as usize;
    let row = place.row;
    let shown = if total > row.places { row.places - 3 } else { total };
    let mut all: Vec<Html> =
        in_row(scene, row, state.available.iter().copied().take(shown), "s").collect();
    if total > shown {
        let room = row.step.abs() * 2.0 + 22.0;
        all.push(pill(scene, row.place(row.places - 2), room, total - shown));
    }
    if total > 0 {
        all.push(text("t-sub", &place.next, scene.words.text("map.next")).html());
    }
    group("").all(all).html()
}

/// Messages at the places of a row.
pub fn in_row<'a>(
    scene: &'a Scene,
    row: Row,
    ids: impl Iterator<Item = MessageId> + 'a,
    letter: &'a str,
) -> impl Iterator<Item = Html> + 'a {
    ids.enumerate().filter_map(move |(i, id)| {
        let placed = Placed {
            at: row.place(i),
            part: None,
            size: Size::Full,
            key: [letter, &id.index().to_string()].concat(),
            meaning: Meaning::Message,
        };
        scene.token(id, None, &placed)
    })
}

/// Those that are hidden: with what is known of each while there is room, then close together.
fn in_flight(scene: &Scene, place: &QueuePlace, hidden: &[InFlight], total: usize) -> Html {
    let bays = [&place.bays, &place.tight_bays].into_iter().find(|bays| total <= bays.len());
    let mut all = Vec::new();
    if let Some(bays) = bays {
        for (bay, hidden) in seated(bays, hidden) {
            all.extend(ringed(scene, bay.at, hidden));
            all.push(scene.moving_text("t-name", &bay.left, Part::Left(hidden.message), ""));
            all.push(text("t-sub", &bay.holder, holder(scene, bay, hidden)).html());
        }
        return group("").all(all).html();
    }
    let row = place.crowd;
    let shown = if total > row.places { row.places - 1 } else { total };
    for (i, hidden) in hidden.iter().take(shown).enumerate() {
        all.extend(ringed(scene, row.place(i), hidden));
        let below = Label::around(row.place(i).moved(0.0, 32.0), row.step);
        all.push(scene.moving_text("t-num", &below, Part::Left(hidden.message), ""));
    }
    if total > shown {
        all.push(pill(scene, row.place(shown), row.step, total - shown));
    }
    group("").all(all).html()
}

/// A bay for each: that of its worker's number if it is free, so that others keep theirs when one
/// leaves.
fn seated<'a>(bays: &'a [Bay], hidden: &'a [InFlight]) -> Vec<(&'a Bay, &'a InFlight)> {
    let mut taken = vec![false; bays.len()];
    let mut seated = Vec::with_capacity(hidden.len());
    for one in hidden {
        let wanted = usize::from(one.taken_by.instance) % bays.len();
        let free = || taken.iter().position(|taken| !taken);
        let Some(seat) = (if taken[wanted] { free() } else { Some(wanted) }) else { break };
        taken[seat] = true;
        seated.push((&bays[seat], one));
    }
    seated
}

/// A hidden message with the ring of its time left.
pub fn ringed(scene: &Scene, place: Point, hidden: &InFlight) -> Option<Html> {
    let placed = Placed {
        at: place,
        part: None,
        size: Size::Full,
        // Each delivery is an element of its own, because the painter moves its ring.
        key: ["f", &hidden.message.index().to_string(), "-", &hidden.since.as_micros().to_string()]
            .concat(),
        meaning: Meaning::Message,
    };
    scene.token(hidden.message, Some(Look::Ringed), &placed)
}

fn holder(scene: &Scene, bay: &Bay, hidden: &InFlight) -> String {
    if hidden.held {
        return scene.worker_name(hidden.taken_by);
    }
    let long = scene.words.text("map.nobody");
    if width(&long, Face::Sub) <= bay.holder.room {
        return long;
    }
    scene.words.text("map.nobody.short")
}

/// The latest that are done, the oldest of them nearest to the arrow.
fn acked(scene: &Scene, place: &QueuePlace, state: &QueueFrame) -> Html {
    let words = scene.words;
    let skip = state.acked.len().saturating_sub(place.acked.places);
    let ids = state.acked.iter().copied().skip(skip);
    let mut all: Vec<Html> = in_row(scene, place.acked, ids, "y").collect();
    let lost = scene.frame.messages.iter().filter(|message| message.lost).count() as u64;
    let counted = |key: &str| {
        let of =
            [(key, Some(state.acked_total.into())), ("map.expired", some(state.expired_total))];
        let of = of.into_iter().chain([("map.lost", Some(lost).filter(|lost| *lost > 0))]);
        of.filter_map(|(key, n)| Some(words.say(key, &[("n", &words.number(n?))]))).collect()
    };
    let mut said: String = counted("map.acked");
    if width(&said, Face::Sub) > place.acked_note.room {
        said = counted("map.acked.short");
    }
    let class = if scene.plan.shape == Shape::Wide { "t-bay" } else { "t-sub" };
    all.push(text(class, &place.acked_note, said).html());
    group("").all(all).html()
}

fn some(count: u32) -> Option<u64> {
    Some(u64::from(count)).filter(|count| *count > 0)
}
