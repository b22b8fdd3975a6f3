//! The lines of a handler as stops of a train: their names, how long they take, how they came out,
//! and which of them can be taken and moved.

use player::{Holding, WorkerFrame, WorkerState};
use sim::SimDuration;
use world::Outcome;
use yew::prelude::*;

use super::berth::{Receipt, receipt};
use super::{Goal, Mode, Scene};
use crate::icons::{Pict, pict, pict_around};
use crate::map::layout::{
    Berth, Face, Form, LINE, Label, Line, LineKind, Point, Rect, Role, at, fit, translate, width,
};
use crate::map::lift::{Grip, Lift};
use crate::map::mark::{circle, group, path, rect, text};
use crate::map::motion::{Part, reach};
use crate::markup::el;
use crate::words::seconds;

/// The lines of a worker's handler.
#[must_use]
pub fn lines(scene: &Scene, place: &Berth, state: &WorkerFrame) -> Vec<Html> {
    match place.form {
        Form::Full => full(scene, place, state),
        Form::Compact => compact(scene, place, state),
    }
}

fn full(scene: &Scene, place: &Berth, state: &WorkerFrame) -> Vec<Html> {
    let program = scene.plan.net.lines(place.worker.component);
    let current = current(place, state)
        .map_or_else(Html::default, |at| rect("row-cur", row(place, at.y), 2.0).html());
    let lift = scene.lift.filter(|lift| lift.component == place.worker.component);
    let order = lift.map_or_else(|| (0..program.len()).collect(), Lift::order);
    let mut rows = vec![receive(scene, place, state)];
    for (position, &line) in order.iter().enumerate() {
        if let (Some(which), Some(own)) = (program.get(line), place.stops.get(line + 1)) {
            #[allow(clippy::cast_precision_loss, reason = "a handler has few lines")]
            let down = LINE * (position as f64 - line as f64);
            rows.push(one(scene, place, state, Row { which, line, y: own.y, down }));
        }
    }
    let stops = place.stops.iter().enumerate();
    let stops = stops.map(|(i, &stop)| circle(stop_class(i, state), stop, 4.6).html());
    let mut all = vec![current, Html::from_iter(rows), Html::from_iter(stops)];
    if let Some(lift) = lift.filter(|lift| lift.grip == Grip::Picked) {
        all.extend(gaps(scene, place, lift));
    }
    all
}

/// One line of a handler on its row.
#[derive(Clone, Copy)]
struct Row<'a> {
    which: &'a Line,
    line: usize,
    y: f64,
    down: f64,
}

fn row(place: &Berth, y: f64) -> Rect {
    Rect::new(place.frame.x + 38.0, y - 10.0, place.frame.w - 46.0, 20.0)
}

/// Where a line's name stands, with what room is left by what stands on the right.
fn code(place: &Berth, y: f64, aside: f64) -> Label {
    Label::from(at(place.frame.x + 46.0, y + 4.2), place.frame.w - 68.0 - aside)
}

fn right(place: &Berth, y: f64) -> Label {
    Label::until(at(place.frame.right() - 14.0, y + 4.2), 60.0)
}

fn receive(scene: &Scene, place: &Berth, state: &WorkerFrame) -> Html {
    let y = place.stops[0].y;
    let long = match scene.plan.net.part(place.worker.component).role {
        Role::Workers { receive, .. } => receive,
        _ => SimDuration::ZERO,
    };
    let now = state.state == WorkerState::Working
        && state.holding.as_ref().is_some_and(|held| held.step.is_none());
    let class = if now { "t-code is-cur" } else { "t-code" };
    el("g", "")
        .key("receive")
        .with(text(class, &code(place, y, 0.0), scene.words.text("map.receive")).html())
        .with(text("t-num", &right(place, y), seconds(long)).html())
        .html()
}

fn one(scene: &Scene, place: &Berth, state: &WorkerFrame, row: Row) -> Html {
    let movable = scene.mode == Mode::Live && scene.reorder == Some(place.worker.component);
    let lifted = scene
        .lift
        .is_some_and(|lift| lift.component == place.worker.component && lift.from == row.line);
    let ack = row.which.kind == LineKind::Ack;
    let mut class = String::from(if ack { "line ackbar" } else { "line" });
    if lifted {
        class.push_str(" is-lifted");
    }
    let frame = self::row(place, row.y);
    let now = is_current(state, row.line);
    let mut mark = group(class).key(line_key(row.line, lifted, scene.lift));
    if row.down != 0.0 && !held_by_pointer(lifted, scene.lift) {
        mark = mark.set("transform", translate(at(0.0, row.down)));
    }
    if ack || lifted {
        let bar = Rect::new(frame.x, frame.y - 0.5, frame.w, 21.0);
        mark = mark.with(rect("line-bar", bar, 3.0).html());
    }
    let place_of = code(place, row.y, reserved(row.which));
    let label = fit(&row.which.label, Face::Code, place_of.room);
    let label = text(if now { "t-code is-cur" } else { "t-code" }, &place_of, label);
    mark = mark.all(aside(scene, place, state, &row));
    if !movable {
        return mark.with(label.html()).html();
    }
    // The whole row can be taken, and is high enough for a finger.
    let area = Rect::new(frame.x, row.y - 12.0, frame.w, 24.0);
    let hand = group("is-movable").with(label.html()).with(rect("hit-area", area, 0.0).html());
    let first =
        scene.plan.berths.iter().find(|berth| {
            berth.worker.component == place.worker.component && berth.form == Form::Full
        });
    let hand = if first.map(|berth| berth.worker) == Some(place.worker) {
        let position = (row.line + 1).to_string();
        let names = [("line", row.which.label.as_str()), ("n", position.as_str())];
        scene.reach(hand, Goal::Line(row.line), scene.words.say("map.line", &names))
    } else {
        hand.set("data-go", Goal::Line(row.line).code())
    };
    mark.with(hand.html()).html()
}

fn held_by_pointer(lifted: bool, lift: Option<Lift>) -> bool {
    lifted && lift.is_some_and(|lift| lift.grip == Grip::Pointer)
}

/// A line under a pointer is an element of its own, because it is moved directly.
fn line_key(line: usize, lifted: bool, lift: Option<Lift>) -> String {
    let letter = if held_by_pointer(lifted, lift) { "held" } else { "line" };
    [letter, &line.to_string()].concat()
}

/// The room on the right that a line leaves: an ack's is for its sign, which comes and goes.
fn reserved(line: &Line) -> f64 {
    if line.kind == LineKind::Ack {
        return 42.0;
    }
    line.takes.map_or(0.0, |takes| width(&seconds(takes), Face::Sub))
}

/// What stands on the right of a line: how long it takes, or that it can be dragged.
fn aside(scene: &Scene, place: &Berth, state: &WorkerFrame, row: &Row) -> Vec<Html> {
    let words = scene.words;
    let end = place.frame.right();
    let ack = row.which.kind == LineKind::Ack;
    if ack && state.ack_loss_armed {
        let said = words.text("map.ack.armed");
        let wide = width(&said, Face::Sub) + 28.0;
        let area = Rect::new(end - 12.0 - wide, row.y - 8.5, wide, 17.0);
        let label = Label::until(at(area.right() - 6.0, row.y + 4.2), wide);
        return vec![
            group("tear-sign")
                .with(rect("", area, 2.0).html())
                .with(pict(Pict::Cut, at(area.x + 3.0, row.y - 7.0), 0.58))
                .with(text("t-down", &label, said).html())
                .html(),
        ];
    }
    let movable = scene.reorder == Some(place.worker.component) && scene.mode == Mode::Live;
    if ack && movable {
        let drag = Label::until(at(end - 34.0, row.y + 4.2), 60.0);
        let grip = group("grip")
            .with(text("t-drag", &drag, words.text("map.drag")).html())
            .with(pict(Pict::Grip, at(end - 29.0, row.y - 7.0), 0.58));
        return vec![grip.html()];
    }
    let Some(takes) = row.which.takes.filter(|takes| *takes > SimDuration::ZERO) else {
        return Vec::new();
    };
    vec![text("t-num", &right(place, row.y), seconds(takes)).html()]
}

/// Targets between the lines, for a line that was picked up by a tap.
fn gaps(scene: &Scene, place: &Berth, lift: Lift) -> Vec<Html> {
    let mut all = Vec::with_capacity(lift.lines + 1);
    for gap in 0..=lift.lines {
        // The two gaps beside the line itself change nothing.
        if gap == lift.from || gap == lift.from + 1 {
            continue;
        }
        let Some(above) = place.stops.get(gap) else { continue };
        let y = above.y + LINE / 2.0;
        let frame = row(place, y);
        let area = Rect::new(frame.x, y - 12.0, frame.w, 24.0);
        let said = (lift.through_gap(gap).to + 1).to_string();
        let mark = group("gap")
            .key(["gap", &gap.to_string()].concat())
            .with(rect("hit-area", area, 0.0).html())
            .with(path("gap-line", reach(at(frame.x, y), at(frame.right(), y))))
            .with(pict_around(Pict::Grip, at(frame.right() - 4.0, y), 0.3));
        let label = scene.words.say("map.gap", &[("n", &said)]);
        all.push(scene.reach(mark, Goal::Gap(gap), label).html());
    }
    all
}

fn current(place: &Berth, state: &WorkerFrame) -> Option<Point> {
    let holding = state.holding.as_ref()?;
    if matches!(state.state, WorkerState::Idle) {
        return None;
    }
    Some(crate::map::motion::standing(place, holding))
}

fn is_current(state: &WorkerFrame, line: usize) -> bool {
    let step = state.holding.as_ref().and_then(|held| held.step);
    matches!(state.state, WorkerState::Working | WorkerState::Paused { .. })
        && step.is_some_and(|step| step.index() == line)
}

/// How a stop is drawn: passed, failed, or still to come. The first is the receive.
fn stop_class(stop: usize, state: &WorkerFrame) -> &'static str {
    let Some(holding) = &state.holding else { return "rail-stop" };
    let Some(line) = stop.checked_sub(1) else { return "rail-stop is-done" };
    let outcome = |holding: &Holding| {
        holding.done.iter().rev().find(|(step, _)| step.index() == line).map(|(_, how)| *how)
    };
    match outcome(holding) {
        Some(Outcome::Ok) => "rail-stop is-done",
        Some(_) => "rail-stop is-failed",
        None if is_current(state, line) => "rail-stop is-done",
        None => "rail-stop",
    }
}

/// The room that a worker's progress takes beside its current line: none if it says nothing.
fn spent_room(scene: &Scene, place: &Berth) -> f64 {
    let Some((_, motion)) = scene.motions.of(Part::Spent(place.worker)) else { return 0.0 };
    // It grows while the line runs; digits and points are narrower than letters, and leave a gap.
    let wide = |now| width(&motion.value(now), Face::Sub);
    wide(scene.frame.now).max(wide(motion.until)) + 4.0
}

/// The stops side by side, and under them the current line.
fn compact(scene: &Scene, place: &Berth, state: &WorkerFrame) -> Vec<Html> {
    let program = scene.plan.net.lines(place.worker.component);
    let mut all: Vec<Html> = (place.stops.iter().enumerate())
        .map(|(i, &stop)| circle(stop_class(i, state), stop, 4.6).html())
        .collect();
    let good = |held: &&Holding| receipt(scene, place, held) != Receipt::Stale;
    let held = state.holding.as_ref().filter(good);
    let step = held.and_then(|held| held.step);
    if let (Some(line), WorkerState::Working) =
        (step.and_then(|step| program.get(step.index())), state.state)
    {
        let base = at(place.frame.x + 14.0, place.frame.bottom() - 10.5);
        let label = Label::from(base, place.frame.w - 28.0 - spent_room(scene, place));
        let said = fit(&line.label, Face::Code, label.room);
        all.push(text("t-code is-cur", &label, said).html());
    }
    all
}
