//! Stations: sources, services, and somebody else's services.

use player::{ComponentFrame, OrchestratorFrame, SchedulerFrame, WorkerState};
use sim::SimDuration;
use yew::prelude::*;

use super::{Goal, Scene};
use crate::icons::{Pict, pict_around};
use crate::map::layout::{Face, Pace, Role, Station, fit, width};
use crate::map::mark::{circle, group, text};
use crate::map::motion::Part;
use crate::markup::el;
use crate::token::hit_area;
use crate::words::{clock_coarse, seconds};

/// A station with its name and a line about it.
pub fn station(scene: &Scene, station: &Station) -> Html {
    let part = scene.plan.net.part(station.id);
    let (sign, kind) = match part.role {
        Role::Source { .. } => (Pict::Source, "source"),
        Role::External { .. } => (Pict::External, "external"),
        Role::Topic { .. } => (Pict::Junction, "topic"),
        Role::Relay { .. } => (Pict::Relay, "relay"),
        Role::Orchestrator { .. } => (Pict::Baton, "orchestrator"),
        Role::Scheduler => (Pict::Clock, "scheduler"),
        _ => (Pict::Service, "service"),
    };
    let mut class = String::from(if sign == Pict::External { "stn out" } else { "stn" });
    if scene.selected == Some(station.id) {
        class.push_str(" is-sel");
    }
    if scene.motions.of(Part::Outage(station.id)).is_some() || all_down(scene, station) {
        class.push_str(" is-down");
    }
    let scale = station.radius * 0.0483;
    let name = fit(&part.label, Face::Name, station.name.room.max(40.0));
    let label = scene.words.say(&["map.kind.", kind].concat(), &[("name", &part.label)]);
    let mark = group(class)
        .with(hit_area(station.at, station.radius + 4.0))
        .with(circle("stn-ring", station.at, station.radius).html())
        .with(pict_around(sign, station.at, scale))
        .with(text("t-name", &station.name, name).html());
    let sub = station.sub.map(|place| {
        let said = sub(scene, station, &part.role);
        scene.moving_text("t-sub", &place, Part::Outage(station.id), &said)
    });
    el("g", "")
        .key(["n", &station.id.index().to_string()].concat())
        .with(scene.reach(mark, Goal::Component(station.id), label).html())
        .all(sub)
        .html()
}

/// A duration that was set rather than measured, without a needless decimal.
#[must_use]
pub fn brief(long: SimDuration) -> String {
    let said = seconds(long);
    match said.strip_suffix(".0 s") {
        Some(whole) => [whole, " s"].concat(),
        None => said,
    }
}

fn sub(scene: &Scene, station: &Station, role: &Role) -> String {
    let words = scene.words;
    match (role, scene.frame.components.get(station.id.index())) {
        (Role::Source { pace, .. }, Some(ComponentFrame::Source(source))) => match *pace {
            Pace::Every(interval) => words.say("map.every", &[("time", &brief(interval))]),
            Pace::Burst { size, every } => at_once(scene, station, size, every),
            Pace::About(rate) => words.say("map.rate", &[("n", &rounded(rate.get()))]),
            Pace::Listed => words.count("map.sent", source.sent.into(), &[]),
        },
        (Role::Service { answers: Some(status), .. }, frame) => {
            // What a program does not say is answered too: that it failed, or had no room.
            let status = match frame {
                Some(ComponentFrame::Service(service)) => service.last_status.unwrap_or(*status),
                _ => *status,
            };
            words.say("map.answers", &[("status", &status.to_string())])
        }
        (Role::External { .. }, Some(ComponentFrame::External(external))) => {
            words.count("map.effects", external.effects.into(), &[])
        }
        (_, Some(ComponentFrame::Relay(relay))) => {
            words.count("map.to_publish", relay.behind.into(), &[])
        }
        (Role::Orchestrator { steps, .. }, Some(ComponentFrame::Orchestrator(it))) => {
            sagas_said(scene, steps, it)
        }
        (_, Some(ComponentFrame::Scheduler(it))) => scheduler_said(scene, it),
        (Role::Topic { .. }, Some(ComponentFrame::Topic(topic))) => {
            topic_said(scene, topic.copies, topic.unrouted)
        }
        _ => String::new(),
    }
}

/// How many come at once, and how often where there is room for it.
#[inline(never)]
fn at_once(scene: &Scene, station: &Station, size: u32, every: Option<SimDuration>) -> String {
    let (words, n) = (scene.words, scene.words.number(size.into()));
    let room = station.sub.map_or(0.0, |place| place.room);
    let long =
        every.map(|every| words.say("map.burst.every", &[("n", &n), ("time", &brief(every))]));
    long.filter(|said| width(said, Face::Sub) <= room)
        .unwrap_or_else(|| words.say("map.burst", &[("n", &n)]))
}

/// What the one saga under way is at, or how many there are, or how those came out that were.
#[inline(never)]
fn sagas_said(scene: &Scene, steps: &[String], it: &OrchestratorFrame) -> String {
    let words = scene.words;
    let number = |n: u32| words.number(n.into());
    if matches!(it.state, WorkerState::Down { .. }) {
        return words.text("map.worker.down");
    }
    let under_way = it.sagas.iter().find(|saga| saga.end.is_none());
    let step = under_way.and_then(|saga| Some((saga, steps.get(saga.step?)?)));
    match (it.running, step) {
        (0, _) => {
            let undone = number(it.compensated + it.stuck);
            words.say("map.sagas", &[("n", &number(it.completed)), ("undone", &undone)])
        }
        (1, Some((saga, step))) => {
            let key = if saga.compensating { "map.saga.back" } else { "map.saga.asks" };
            words.say(key, &[("step", step)])
        }
        (under_way, _) => words.say("map.busy", &[("n", &number(under_way))]),
    }
}

/// Whether a scheduler has no process left that could hand out a run, or a conductor has died.
fn all_down(scene: &Scene, station: &Station) -> bool {
    match scene.frame.components.get(station.id.index()) {
        Some(ComponentFrame::Scheduler(it)) => silent(it),
        Some(ComponentFrame::Orchestrator(it)) => matches!(it.state, WorkerState::Down { .. }),
        _ => false,
    }
}

fn silent(it: &SchedulerFrame) -> bool {
    it.clerks.iter().all(|clerk| matches!(clerk, WorkerState::Down { .. }))
}

/// How many runs wait for somebody, or when the next one is due.
#[inline(never)]
fn scheduler_said(scene: &Scene, it: &SchedulerFrame) -> String {
    let words = scene.words;
    match (it.runs.iter().filter(|run| run.held.is_none()).count(), it.next) {
        (0, None) if silent(it) => words.text("map.worker.down"),
        (0, Some(next)) => {
            let at = clock_coarse(next.as_micros() / 1_000_000);
            words.say("map.next_run", &[("time", &at)])
        }
        (0, None) => words.text("map.next_run.none"),
        (due, _) => words.say("map.due", &[("n", &words.number(due as u64))]),
    }
}

/// How many copies a topic has passed on, or how many messages nothing wanted.
#[inline(never)]
fn topic_said(scene: &Scene, copies: u32, unrouted: u32) -> String {
    match unrouted {
        0 => scene.words.count("map.copies", copies.into(), &[]),
        unwanted => scene.words.count("map.unrouted", unwanted.into(), &[]),
    }
}

/// A rate to two places at most.
fn rounded(rate: f64) -> String {
    crate::map::layout::num(rate)
}
