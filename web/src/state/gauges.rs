//! Gauges: a number that matters, how it came to be, and what is odd about it.

use player::{ComponentFrame, Gauge, Level, Series};
use scenario::{ComponentId, Kind};
use sim::{SimDuration, SimTime};

use super::Session;
use super::compare::others;
use super::scene::in_flight;
use crate::map::layout::{at, put_point};
use crate::words::Words;

/// The size of a sparkline.
pub const SPARK: (u32, u32) = (112, 26);

/// The box of a line: left, right, top, bottom.
type Area = (f64, f64, f64, f64);

/// That of a sparkline.
const BOX: Area = (2.0, 108.0, 4.0, 23.0);

/// A line has at most so many corners; a run may have a million.
const CORNERS: usize = 160;

/// What a gauge reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// What it is called.
    pub label: String,
    /// The number.
    pub value: String,
    /// Its unit, or what it is of.
    pub unit: String,
    /// What is odd about it, or nothing.
    pub note: String,
    /// What it reads in the other run, if one is kept.
    pub other: Option<String>,
    /// The line up to the playhead.
    pub past: String,
    /// The line after it.
    pub future: String,
    /// Where the playhead is on the line.
    pub dot: (f64, f64),
}

/// What the exhibit's gauges read at the playhead.
pub fn readings(session: &mut Session, words: &Words) -> Vec<Reading> {
    let exhibit = std::rc::Rc::clone(&session.exhibit);
    let (now, end) = (session.now, session.end());
    let others = if session.other.is_some() { others(session, words) } else { Vec::new() };
    let mut others = others.into_iter();
    let read = exhibit.gauges.iter().map(|meter| {
        let (unit, note) = (unit(session, words, meter.gauge), note(session, words, meter.gauge));
        let series = session.series(meter.gauge);
        let line = Spark::of(series, now, end);
        Reading {
            label: meter.label.clone(),
            value: value(words, series.level_at(now), now),
            unit,
            note,
            other: others.next(),
            past: line.past,
            future: line.future,
            dot: line.dot,
        }
    });
    read.collect()
}

/// The numbers alone, for the painter between two events.
pub fn values(session: &mut Session, words: &Words) -> Vec<String> {
    let exhibit = std::rc::Rc::clone(&session.exhibit);
    let now = session.now;
    let read = exhibit.gauges.iter();
    read.map(|meter| value(words, session.series(meter.gauge).level_at(now), now)).collect()
}

/// A level as digits: a count, or seconds to the tenth.
pub(super) fn value(words: &Words, level: Level, now: SimTime) -> String {
    match level {
        Level::Count(count) => words.number(u64::from(count)),
        Level::Since(None) => "0".to_owned(),
        Level::Since(Some(since)) => tenths(words, now.saturating_since(since)),
        Level::Lasted(time) if time < SimDuration::from_secs(1) && !time.is_zero() => {
            ["0.", &thousandths(time)].concat()
        }
        Level::Lasted(time) => tenths(words, time),
    }
}

/// Seconds to the tenth.
fn tenths(words: &Words, time: SimDuration) -> String {
    let tenths = time.as_micros() / 100_000;
    [&words.number(tenths / 10), ".", &(tenths % 10).to_string()].concat()
}

/// What is short, to the thousandth: the digits after the point.
fn thousandths(time: SimDuration) -> String {
    let digits = (1_000 + time.as_micros() / 1_000).to_string();
    digits[1..].to_owned()
}

/// "s" for a clock, "of 18" for what has a known whole.
pub(super) fn unit(session: &Session, words: &Words, gauge: Gauge) -> String {
    match gauge {
        Gauge::Oldest(_)
        | Gauge::OldestUnread(..)
        | Gauge::Waited(_)
        | Gauge::AnsweredIn(_)
        | Gauge::TakenAfter(_)
        | Gauge::EffectedAfter(_) => words.text("gauge.seconds"),
        Gauge::Acked(_) => match total(session) {
            Some(total) => words.say("gauge.of", &[("n", &words.number(u64::from(total)))]),
            None => String::new(),
        },
        _ => String::new(),
    }
}

/// How many messages the sources will have sent, if all of them have an end.
fn total(session: &Session) -> Option<u32> {
    let mut total: u32 = 0;
    for component in &session.frame.components {
        if let ComponentFrame::Source(source) = component {
            total = total.saturating_add(source.total?);
        }
    }
    (total > 0).then_some(total)
}

/// What is odd about a gauge.
fn note(session: &mut Session, words: &Words, gauge: Gauge) -> String {
    match gauge {
        Gauge::InFlight(_) => {
            let nobody = in_flight(&session.frame).filter(|flight| !flight.held).count();
            some(words, "gauge.held_by_nobody", nobody as u64)
        }
        Gauge::Effects(external) => ahead(session, words, external),
        Gauge::DeadLettered(queue) => {
            let after = match &session.player.scenario().component(queue).kind {
                Kind::Queue(queue) => queue.receives().unwrap_or(0),
                _ => 0,
            };
            if count(session, gauge) == 0 {
                return String::new();
            }
            some(words, "gauge.after_receives", u64::from(after))
        }
        _ => String::new(),
    }
}

/// How many more effects than acks there are.
fn ahead(session: &mut Session, words: &Words, external: ComponentId) -> String {
    let effects = count(session, Gauge::Effects(external));
    let gauges = session.exhibit.gauges.iter().map(|m| m.gauge);
    let queues: Vec<Gauge> = gauges.filter(|gauge| matches!(gauge, Gauge::Acked(_))).collect();
    if queues.is_empty() {
        return String::new();
    }
    let acked: u32 = queues.into_iter().map(|gauge| count(session, gauge)).sum();
    if effects >= acked {
        some(words, "gauge.more_than_acked", u64::from(effects - acked))
    } else {
        some(words, "gauge.fewer_than_acked", u64::from(acked - effects))
    }
}

fn count(session: &mut Session, gauge: Gauge) -> u32 {
    let now = session.now;
    match session.series(gauge).level_at(now) {
        Level::Count(count) => count,
        Level::Since(_) | Level::Lasted(_) => 0,
    }
}

/// A note about a count, with the count in letters up to ten; nothing about none.
fn some(words: &Words, key: &str, n: u64) -> String {
    if n == 0 {
        return String::new();
    }
    let letters = ["number.", &n.to_string()].concat();
    let spelled = if words.has(&letters) { words.text(&letters) } else { words.number(n) };
    words.count(key, n, &[("spelled", &spelled)])
}

/// A series as a line in a box.
pub(super) struct Spark {
    pub past: String,
    pub future: String,
    dot: (f64, f64),
}

impl Spark {
    fn of(series: &Series, now: SimTime, end: SimTime) -> Spark {
        Spark::within(BOX, CORNERS, series, now, end, series.max(end).max(1.0))
    }

    /// In this box, with at most so many corners, its upper edge at `top`.
    pub fn within(
        area: Area,
        corners: usize,
        series: &Series,
        now: SimTime,
        end: SimTime,
        top: f64,
    ) -> Spark {
        let whole = end.as_secs_f64().max(1e-6);
        let x = |at: SimTime| area.0 + (at.as_secs_f64() / whole).min(1.0) * (area.1 - area.0);
        let y = |value: f64| area.3 - (value / top).min(1.0) * (area.3 - area.2);
        let dot = (round(x(now)), round(y(series.value_at(now))));
        let (mut past, mut future) = (String::new(), String::new());
        let steps = series.steps();
        let hop = steps.len().div_ceil(corners).max(1);
        for (i, some) in steps.chunks(hop).enumerate() {
            let from = some[0].0;
            let level = highest(some);
            let to = steps.get((i + 1) * hop).map_or(end, |(at, _)| *at);
            for (line, from, to) in
                [(&mut past, from, to.min(now)), (&mut future, from.max(now), to)]
            {
                if from > to {
                    continue;
                }
                corner(line, x(from), y(level.reading(from)));
                corner(line, x(to), y(level.reading(to)));
            }
        }
        Spark { past, future, dot }
    }
}

/// The highest of some levels: where there is no room for each, what must not be missed is a peak.
fn highest(some: &[(SimTime, Level)]) -> Level {
    let mut best = some[0];
    for &(at, level) in some {
        if level.reading(at) > best.1.reading(best.0) {
            best = (at, level);
        }
    }
    best.1
}

fn corner(line: &mut String, x: f64, y: f64) {
    let command = if line.is_empty() { 'M' } else { 'L' };
    put_point(line, command, at(round(x), round(y)));
}

fn round(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}

/// The depth over the run as a filled path in a box of 1000 by 100, for the scrubber.
pub fn depth_area(session: &mut Session) -> String {
    let Some(gauge) = depth_gauge(session) else { return String::new() };
    let end = session.end();
    let series = session.series(gauge);
    let (top, whole) = (series.max(end).max(1.0), end.as_secs_f64().max(1e-6));
    let steps = series.steps();
    let hop = steps.len().div_ceil(4 * CORNERS).max(1);
    let mut path = "M0 100".to_owned();
    for (i, &(from, level)) in steps.iter().enumerate().step_by(hop) {
        let to = steps.get(i + hop).map_or(end, |(at, _)| *at);
        for moment in [from, to] {
            let x = moment.as_secs_f64() / whole * 1000.0;
            let y = 100.0 - level.reading(from) / top * 90.0;
            put_point(&mut path, 'L', at(round(x), round(y)));
        }
    }
    path + "L1000 100Z"
}

/// The depth that the exhibit shows, or else that of its first queue.
fn depth_gauge(session: &Session) -> Option<Gauge> {
    let shown = session.exhibit.gauges.iter().map(|meter| meter.gauge);
    shown.into_iter().find(|gauge| matches!(gauge, Gauge::Depth(_))).or_else(|| {
        let mut parts = session.player.scenario().ids();
        let queue = parts.find(|(_, part)| matches!(part.kind, Kind::Queue(_)));
        queue.map(|(id, _)| Gauge::Depth(id))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peak_is_drawn_however_few_corners_there_are() {
        let components = r#"
            "shop": { "is": "source", "to": "jobs", "arrivals": { "bursts": { "size": 40, "interval": "20s", "count": 1, "first": "10s" } } },
            "jobs": { "is": "queue", "profile": "sqs-standard" },
            "crew": { "is": "workers", "from": "jobs", "count": 4,
                      "on_message": [ { "wait": { "for": "1s" } }, "ack" ] }"#;
        let player = crate::testing::run(components, 0);
        let jobs = player.scenario().find("jobs").expect("a queue");
        let series = player.gauge(Gauge::Depth(jobs));
        let end = player.end();
        let top = series.max(end);
        let drawn = Spark::within((0.0, 100.0, 0.0, 10.0), 4, &series, end, end, top);
        // The upper edge is the highest level.
        assert!(drawn.past.contains(" 0L") || drawn.past.ends_with(" 0"), "{}", drawn.past);
    }
}
