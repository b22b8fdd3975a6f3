//! How busy a service is: its places one by one while they are few, and the room to wait in.

use player::ComponentFrame;
use yew::prelude::*;

use super::super::Scene;
use crate::map::layout::{Bench, Face, Rect, Role, Room, fit};
use crate::map::mark::{rect, text};

/// The most places that are drawn one by one.
const SEATS: u32 = 10;

/// The places of a service and who waits for one.
#[must_use]
pub fn bench(scene: &Scene, place: &Bench) -> Vec<Html> {
    let (busy, waiting, refused) = match scene.frame.components.get(place.id.index()) {
        Some(ComponentFrame::Service(service)) => (service.busy, service.waiting, service.refused),
        Some(ComponentFrame::External(external)) => {
            // Who waits for a place has called already.
            let busy = external.busy.saturating_sub(external.waiting);
            (busy, external.waiting, external.refused)
        }
        _ => return Vec::new(),
    };
    let room = match scene.plan.net.part(place.id).role {
        Role::Service { room: Some(room), .. } | Role::External { room: Some(room) } => room,
        _ => return Vec::new(),
    };
    let words = scene.words;
    let number = |n: u32| words.number(n.into());
    let mut all = seats(place, room, busy);
    let said = match room.seats {
        Some(seats) => words.say("map.busy.of", &[("n", &number(busy)), ("of", &number(seats))]),
        None => words.say("map.busy", &[("n", &number(busy))]),
    };
    all.push(text("t-sub", &place.busy, fit(&said, Face::Sub, place.busy.room)).html());
    if room.waiting > 0 {
        all.push(rect("bar-way", place.room, 3.5).html());
        all.push(rect("bar-go", share(place.room, waiting, room.waiting), 3.5).html());
    }
    let said = match (room.waiting > 0, refused) {
        (true, 0) => words.say("map.wait", &[("n", &number(waiting))]),
        (true, _) => {
            words.say("map.wait.refused", &[("n", &number(waiting)), ("refused", &number(refused))])
        }
        (false, 0) => return all,
        (false, _) => words.say("map.refused", &[("refused", &number(refused))]),
    };
    all.push(text("t-sub", &place.waiting, fit(&said, Face::Sub, place.waiting.room)).html());
    all
}

fn seats(place: &Bench, room: Room, busy: u32) -> Vec<Html> {
    let Some(seats) = room.seats.filter(|seats| *seats > 0) else { return Vec::new() };
    let area = place.seats;
    if seats > SEATS {
        let way = Rect::new(area.x, area.y, area.w, 9.0);
        return vec![
            rect("seat", way, 2.0).html(),
            rect("seat is-taken", share(way, busy, seats), 2.0).html(),
        ];
    }
    let mut all = Vec::new();
    let mut x = area.x + 1.0;
    for seat in 0..seats {
        let class = if seat < busy { "seat is-taken" } else { "seat" };
        all.push(rect(class, Rect::new(x, area.y, 9.0, 9.0), 2.0).html());
        x += 12.0;
    }
    all
}

/// The part of a bar that so many of so many fill: something, where there is one at all.
fn share(whole: Rect, count: u32, of: u32) -> Rect {
    let part = f64::from(count.min(of)) / f64::from(of.max(1));
    let least: f64 = if count > 0 { 3.0 } else { 0.0 };
    Rect::new(whole.x, whole.y, (whole.w * part).max(least), whole.h)
}
