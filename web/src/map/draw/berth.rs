//! Workers: trains with a destination sign, the lines of their handler as stops, and what they say.

use player::{ComponentFrame, Holding, WorkerFrame, WorkerState};
use world::{Outcome, WorkerId};
use yew::prelude::*;

use super::{Goal, Meaning, Placed, Scene, Size, program};
use crate::icons::{Pict, pict};
use crate::map::layout::{
    Berth, Crew, Face, Form, Label, LineKind, Point, Rect, at, fit, num, put, put_point, width,
};
use crate::map::mark::{group, path, rect, text};
use crate::map::motion::{Part, bar_width, reach, standing, worker};
use crate::markup::el;
use crate::token::Look;

/// A worker.
pub fn berth(scene: &Scene, place: &Berth) -> Html {
    let Some(state) = worker(scene.frame, place.worker) else { return Html::default() };
    let mut class = String::from("berth");
    class.push_str(match state.state {
        WorkerState::Down { .. } => " is-down",
        WorkerState::Stopped => " is-off",
        WorkerState::Paused { .. } => " is-paused",
        _ if state.slowed.is_some() => " is-slow",
        _ => "",
    });
    if scene.selected == Some(place.worker.component) {
        class.push_str(" is-sel");
    }
    let mut mark = group(class)
        .key(["b", &key(place.worker)].concat())
        .with(path("berth-body", outline(place.frame)))
        .all(head(scene, place, state))
        // Each has a list of its own, so that what comes and goes in one moves nothing in the next.
        .with(Html::from_iter(rail(scene, place, state)))
        .with(Html::from_iter(program::lines(scene, place, state)))
        .with(Html::from_iter(foot(scene, place, state)))
        .with(Html::from_iter(held(scene, place, state)));
    if let (WorkerState::Down { .. }, Some(holding)) = (state.state, &state.holding) {
        mark = mark.all(tear(place, holding));
    }
    mark.html()
}

/// Workers that have no berth, counted.
pub fn crew(scene: &Scene, crew: &Crew) -> Html {
    let Some(ComponentFrame::Workers(workers)) = scene.frame.components.get(crew.id.index()) else {
        return Html::default();
    };
    let rest = workers.instances.iter().skip(crew.from.into());
    let (mut more, mut busy) = (0_u64, 0_u64);
    for one in rest {
        more += 1;
        busy += u64::from(one.state == WorkerState::Working);
    }
    let words = scene.words;
    let (more, busy) = (words.number(more), words.number(busy));
    let said = words.say("map.worker.more", &[("n", &more), ("busy", &busy)]);
    let middle = crew.frame.centre().moved(0.0, 4.2);
    let mark = group("pill")
        .with(rect("", crew.frame, crew.frame.h / 2.0).html())
        .with(text("t-pill", &Label::around(middle, crew.frame.w), said.clone()).html());
    scene.reach(mark, Goal::Component(crew.id), said).html()
}

fn key(id: WorkerId) -> String {
    [id.component.index().to_string(), id.instance.to_string()].join("-")
}

/// A train seen from the side: its nose is on the upper right.
fn outline(area: Rect) -> String {
    let mut d = nose(area);
    d.push('v');
    put(&mut d, area.h - 24.0);
    d.push_str("a12 12 0 0 1-12 12h-");
    put(&mut d, area.w - 16.0);
    d.push_str("a4 4 0 0 1-4-4v-");
    put(&mut d, area.h - 8.0);
    d.push_str("a4 4 0 0 1 4-4z");
    d
}

fn nose(area: Rect) -> String {
    let mut d = String::with_capacity(96);
    put_point(&mut d, 'M', at(area.x + 4.0, area.y));
    d.push('h');
    put(&mut d, area.w - 16.0);
    d.push_str("a12 12 0 0 1 12 12");
    d
}

fn head(scene: &Scene, place: &Berth, state: &WorkerFrame) -> [Html; 2] {
    let frame = place.frame;
    let mut d = nose(frame);
    d.push_str("v18h-");
    put(&mut d, frame.w);
    d.push_str("v-26a4 4 0 0 1 4-4z");
    let sign = match state.state {
        WorkerState::Down { .. } => Pict::Bolt,
        WorkerState::Paused { .. } => Pict::Hold,
        _ if state.slowed.is_some() => Pict::Gauge,
        _ => Pict::Train,
    };
    let name = scene.worker_name(place.worker);
    let said = said(scene, state);
    let left = Label::from(at(frame.x + 30.0, frame.y + 20.0), frame.w - 150.0);
    let right = Label::until(at(frame.right() - 12.0, frame.y + 20.0), 118.0);
    let room = frame.w - 48.0 - width(&said, Face::Sub);
    let mark = group("")
        .with(path("berth-head", d))
        .with(pict(sign, at(frame.x + 8.0, frame.y + 7.5), 0.67))
        .with(text("t-plate", &left, fit(&name, Face::Plate, room)).html());
    let label = [name.as_str(), ": ", said.as_str()].concat();
    [
        scene.reach(mark, Goal::Component(place.worker.component), label).html(),
        scene.moving_text("t-plate2", &right, Part::Back(place.worker), &said),
    ]
}

/// What a worker's head says of it.
fn said(scene: &Scene, state: &WorkerFrame) -> String {
    let words = scene.words;
    let number = state.holding.as_ref().map(|h| words.number(h.message.number().into()));
    let n = number.as_deref().unwrap_or("");
    match (state.state, &state.holding) {
        (WorkerState::Stopped, _) => words.text("map.worker.off"),
        (WorkerState::Down { until: None, .. }, _) => words.text("map.worker.dead"),
        (WorkerState::Down { .. }, _) => words.text("map.worker.down"),
        (WorkerState::Paused { .. }, _) => words.text("map.worker.frozen"),
        (WorkerState::Idle, _) | (_, None) if state.slowed.is_none() => {
            words.text("map.worker.idle")
        }
        (_, holding) => {
            if let Some((percent, _)) = state.slowed {
                let factor = num(f64::from(percent) / 100.0);
                let key = if holding.is_some() { "map.worker.slow_on" } else { "map.worker.slow" };
                return words.say(key, &[("n", n), ("factor", &factor)]);
            }
            let receive = holding.as_ref().map_or(1, |held| held.attempt);
            let key = if receive > 1 { "map.worker.again" } else { "map.worker.first" };
            words.say(key, &[("n", n), ("count", &receive.to_string())])
        }
    }
}

/// The line from the door through all stops, and how much of it lies behind.
fn rail(scene: &Scene, place: &Berth, state: &WorkerFrame) -> Vec<Html> {
    let (Some(&first), Some(&last)) = (place.stops.first(), place.stops.last()) else {
        return Vec::new();
    };
    let door = at(place.frame.x + 4.0, first.y);
    let mut all = vec![path("rail", reach(door, first) + &to(last))];
    let Some(holding) = &state.holding else { return all };
    all.push(path("rail is-done", reach(door, first)));
    let here = standing(place, holding);
    let moved = scene.motions.of(Part::Behind(place.worker));
    let d = moved.as_ref().map_or_else(|| reach(first, here), |(_, m)| m.value(scene.frame.now));
    let behind = el("path", "")
        .class("rail is-done")
        .set("d", d)
        // A new element once it no longer moves, since the painter has drawn over the old one.
        .key(if moved.is_some() { "moves" } else { "stands" })
        .maybe("data-m", moved.map(|(name, _)| name));
    all.push(behind.html());
    all
}

fn to(point: Point) -> String {
    let mut d = String::with_capacity(12);
    put_point(&mut d, 'L', point);
    d
}

/// The copy in its hands; a dead worker has none.
fn held(scene: &Scene, place: &Berth, state: &WorkerFrame) -> Option<Html> {
    let holding = state.holding.as_ref()?;
    if holding.step.is_none() || matches!(state.state, WorkerState::Down { .. } | WorkerState::Idle)
    {
        return None;
    }
    let moves = scene.motions.of(Part::Held(place.worker)).is_some();
    let placed = Placed {
        at: standing(place, holding),
        part: moves.then_some(Part::Held(place.worker)),
        size: Size::Held,
        key: [if moves { "h" } else { "i" }, &holding.started.as_micros().to_string()].concat(),
        meaning: Meaning::Copy,
    };
    let look = match receipt(scene, place, holding) {
        Receipt::Stale => Look::SecondCopy,
        Receipt::Good | Receipt::Used => scene.copy_of(holding.message),
    };
    scene.token(holding.message, Some(look), &placed)
}

/// What stands under the lines: how far it is, or what is wrong.
fn foot(scene: &Scene, place: &Berth, state: &WorkerFrame) -> Vec<Html> {
    let frame = place.frame;
    let words = scene.words;
    let base = frame.bottom() - 10.5;
    let note = Label::from(at(frame.x + 14.0, base), frame.w - 28.0);
    let right = Label::until(at(frame.right() - 14.0, base), 100.0);
    let mut all = Vec::new();
    if place.form == Form::Full {
        let y = frame.bottom() - 27.0;
        let (a, b) = (at(frame.x + 1.5, y), at(frame.right() - 1.5, y));
        all.push(path("berth-rule", reach(a, b)));
    }
    let n = |holding: &Holding| words.number(holding.message.number().into());
    let said = match (state.state, &state.holding) {
        (WorkerState::Down { .. }, Some(held)) => words.say("map.foot.held", &[("n", &n(held))]),
        (WorkerState::Down { .. }, None) => words.text("map.foot.empty"),
        (WorkerState::Stopped, _) => words.text("map.foot.off"),
        (WorkerState::Paused { .. }, Some(held)) => words.say("map.foot.holds", &[("n", &n(held))]),
        (WorkerState::Working, Some(held)) if receipt(scene, place, held) == Receipt::Stale => {
            words.text("map.foot.stale")
        }
        (WorkerState::Working, Some(held)) if held.step.is_some() => {
            all.extend(bar(scene, place, &right));
            return all;
        }
        (WorkerState::Working, Some(held)) => words.say("map.foot.takes", &[("n", &n(held))]),
        _ => words.text("map.foot.idle"),
    };
    all.push(text("t-sub", &note, fit(&said, Face::Sub, note.room)).html());
    all
}

fn bar(scene: &Scene, place: &Berth, right: &Label) -> Vec<Html> {
    let mut all = Vec::new();
    if let (Form::Full, Some((name, motion))) =
        (place.form, scene.motions.of(Part::Bar(place.worker)))
    {
        let left = at(place.frame.x + 14.0, place.frame.bottom() - 15.0);
        let way = Rect::new(left.x, left.y, bar_width(place), 5.0);
        all.push(rect("bar-way", way, 2.5).html());
        let go = rect("bar-go", way, 2.5).set("width", motion.value(scene.frame.now));
        all.push(go.set("data-m", name).html());
    }
    all.push(scene.moving_text("t-num", right, Part::Spent(place.worker), ""));
    all
}

/// The tear through a dead worker: all lines above it were finished, none below it was.
fn tear(place: &Berth, holding: &Holding) -> Vec<Html> {
    let here = standing(place, holding);
    let next_to = |p: Point, down: f64| p.moved(0.0, down);
    let sign = |middle: Point| {
        let area = Rect::new(middle.x - 9.0, middle.y - 9.0, 18.0, 18.0);
        group("tear-sign")
            .with(rect("", area, 2.0).html())
            .with(pict(Pict::Bolt, at(area.x + 2.4, area.y + 2.4), 0.55))
            .html()
    };
    if place.form == Form::Compact {
        return vec![sign(here.moved(-14.0, 0.0))];
    }
    // Just above the border, to keep clear of the letters on both sides.
    let y = here.y + if holding.step.is_some() { -12.5 } else { 10.5 };
    let frame = place.frame;
    let mut d = String::with_capacity(160);
    let mut x = frame.x - 5.0;
    put_point(&mut d, 'M', at(x, y));
    let mut up = true;
    while x < frame.right() + 5.0 {
        x += 5.0;
        put_point(&mut d, 'L', next_to(at(x, y), if up { -2.2 } else { 2.2 }));
        up = !up;
    }
    vec![path("tear-gap", d.clone()), path("tear", d), sign(at(here.x, y))]
}

/// What a worker's receipt is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receipt {
    /// An ack with it would be accepted.
    Good,
    /// It has done its work: the message is acked.
    Used,
    /// The broker has given the message to somebody else, or away.
    Stale,
}

/// What the receipt of a delivery is worth.
#[must_use]
pub fn receipt(scene: &Scene, place: &Berth, holding: &Holding) -> Receipt {
    let lines = scene.plan.net.lines(place.worker.component);
    let acked = holding.done.iter().any(|(step, outcome)| {
        let line = lines.get(step.index());
        *outcome == Outcome::Ok && line.is_some_and(|line| line.kind == LineKind::Ack)
    });
    match (acked, holding.receipt_valid) {
        (true, _) => Receipt::Used,
        (false, true) => Receipt::Good,
        (false, false) => Receipt::Stale,
    }
}
