//! A log on a general map: a lane for each partition, the latest records on it at their offsets, and
//! under and over it how far each group has read.

use broker::MessageId;
use broker::log::Offset;
use player::{GroupFrame, LaneFrame, LogFrame, MessageState, ReadingFrame};
use yew::prelude::*;

use super::super::platform;
use super::super::{Meaning, Placed, Scene, Size};
use crate::icons::Pict;
use crate::map::layout::{
    Face, Label, Lane, LogPlace, Mark, Point, Rect, at, fit, put, put_point, width,
};
use crate::map::mark::{circle, group, path, rect, text};
use crate::map::motion::reach;
use crate::token::Look;

/// From how many on those before the latest are drawn as a bar.
const BAR: u64 = 1_000;
/// How many places the count of those before the latest takes.
const PILL: usize = 3;

/// The whole of a log.
#[must_use]
pub fn log(scene: &Scene, place: &LogPlace, state: &LogFrame) -> Vec<Html> {
    let words = scene.words;
    let label = words.say("map.kind.log", &[("name", scene.label(place.id))]);
    let count = words.count("map.records", state.appended_total.into(), &[]);
    let mut all = vec![bus(place)];
    all.push(platform::plate(scene, place.id, place.plate, Pict::Queue, label));
    all.push(text("t-sub", &place.count, fit(&count, Face::Sub, place.count.room)).html());
    for (i, (lane, frame)) in place.lanes.iter().zip(&state.lanes).enumerate() {
        all.push(track(scene, lane, frame, i, state));
    }
    if let Some((more, label)) = &place.more {
        all.push(
            text("t-sub", label, words.count("map.partitions.more", *more as u64, &[])).html(),
        );
    }
    all
}

/// The lines that lead to the lanes and away from them.
fn bus(place: &LogPlace) -> Html {
    let (Some(first), Some(last)) = (place.lanes.first(), place.lanes.last()) else {
        return Html::default();
    };
    let mut all = vec![
        path("ln", reach(first.from.moved(-8.0, 0.0), first.from)),
        path("ln", reach(first.to, first.to.moved(8.0, 0.0))),
    ];
    if place.lanes.len() > 1 {
        all.push(path("ln", reach(first.from, last.from)));
        all.push(path("ln", reach(first.to, last.to)));
    }
    all.extend(place.lanes.iter().map(|lane| path("ln", reach(lane.from, lane.to))));
    group("").all(all).html()
}

/// Which offsets a lane has places for.
struct Window {
    /// The offset at the first place.
    first: u64,
    /// How many places at the beginning are taken by the count of what lies before.
    skipped: usize,
    /// The next offset to be written.
    end: u64,
    row: crate::map::layout::Row,
}

impl Window {
    /// The latest offsets; before them, where a group is further behind than there is room for, the
    /// count of what it has not read.
    fn of(lane: &Lane, frame: &LaneFrame, behind: u64) -> Window {
        let row = lane.row;
        let places = row.places as u64;
        let end = frame.end.value();
        let skipped = if behind > places { PILL } else { 0 };
        // In a young log the records stand where they will stay until the lane is full.
        Window {
            first: end.saturating_sub(places).max(frame.start.value().min(end)),
            skipped,
            end,
            row,
        }
    }

    /// The border before an offset.
    fn border(&self, offset: u64) -> f64 {
        let shown = offset.clamp(self.first, self.end) - self.first;
        let place = usize::try_from(shown).unwrap_or(0);
        self.row.place(place).x - self.row.step / 2.0
    }
}

fn track(scene: &Scene, lane: &Lane, frame: &LaneFrame, index: usize, log: &LogFrame) -> Html {
    let readings: Vec<(&GroupFrame, &ReadingFrame)> =
        log.groups.iter().filter_map(|group| Some((group, group.lanes.get(index)?))).collect();
    let first = readings.first().map(|(_, reading)| *reading);
    let behind =
        first.map_or(0, |reading| frame.end.value().saturating_sub(stands(reading, frame)));
    let window = Window::of(lane, frame, behind);
    let sign = Label::around(lane.sign.centre().moved(0.0, 4.4), lane.sign.w);
    let name = ["P", &index.to_string()].concat();
    let mut all = vec![
        ties(&window),
        rect("lane-sign", lane.sign, 2.0).html(),
        text("t-plate", &sign, name).html(),
    ];
    for &(offset, message) in &frame.records {
        all.extend(record(scene, &window, (offset, message), first));
    }
    if window.skipped > 0 {
        all.push(before(scene, &window, behind));
    }
    for (group, (mark, (state, reading))) in lane.marks.iter().zip(readings).enumerate() {
        all.extend(bookmark(scene, &window, mark, (group, state, reading), frame));
    }
    group("lane").all(all).html()
}

/// Where a group stands: at its commit, or where it has begun to read.
fn stands(reading: &ReadingFrame, lane: &LaneFrame) -> u64 {
    let stands = reading.committed.or(reading.position).unwrap_or(lane.start);
    stands.max(lane.start).value()
}

/// A tie for each offset that was written, and the head.
fn ties(window: &Window) -> Html {
    let mut d = String::new();
    for i in 0..window.row.places {
        let place = window.row.place(i);
        put_point(&mut d, 'M', place.moved(0.0, -7.0));
        d.push('v');
        put(&mut d, 14.0);
    }
    let head = at(window.border(window.end), window.row.first.y);
    group("")
        .with(path("tie", d))
        .with(path("lane-head", reach(head.moved(0.0, -11.0), head.moved(0.0, 11.0))))
        .html()
}

/// A record at its offset: as it is to the first group.
fn record(
    scene: &Scene,
    window: &Window,
    (offset, message): (Offset, MessageId),
    reading: Option<&ReadingFrame>,
) -> Option<Html> {
    let place = usize::try_from(offset.value().checked_sub(window.first)?).ok()?;
    if place < window.skipped || place >= window.row.places {
        return None;
    }
    let state = match reading {
        Some(reading) if reading.committed.is_some_and(|committed| offset < committed) => {
            MessageState::Acked
        }
        Some(reading) if reading.position.is_some_and(|position| offset < position) => {
            MessageState::InFlight
        }
        _ => MessageState::Available,
    };
    let placed = Placed {
        at: window.row.place(place),
        part: None,
        size: Size::Lane,
        key: ["e", &message.index().to_string()].concat(),
        meaning: Meaning::Message,
    };
    scene.token(message, Some(Look::State(state)), &placed)
}

/// How many the first group has not done of those before the latest.
fn before(scene: &Scene, window: &Window, behind: u64) -> Html {
    let shown = (window.row.places - window.skipped) as u64;
    let more = behind.saturating_sub(shown);
    let (near, far) = (window.row.place(0), window.row.place(window.skipped - 1));
    if more >= BAR {
        let area = Rect::new(near.x - 11.0, near.y - 10.5, far.x - near.x + 22.0, 21.0);
        return super::pile(scene, area, more);
    }
    let room = far.x - near.x + 22.0;
    platform::pill(scene, near.toward(far, 0.5), room, usize::try_from(more).unwrap_or(usize::MAX))
}

/// Where a group stands in a lane, who reads for it, and how far that is behind.
fn bookmark(
    scene: &Scene,
    window: &Window,
    mark: &Mark,
    (group_index, group, reading): (usize, &GroupFrame, &ReadingFrame),
    lane: &LaneFrame,
) -> Vec<Html> {
    let words = scene.words;
    let (rail, y) = (window.row.first.y, mark.y);
    let over = y < rail;
    let x = window.border(stands(reading, lane));
    let tip = at(x, if over { rail - 11.5 } else { rail + 11.5 });
    let mut all =
        vec![path(if group_index == 0 { "mark" } else { "mark is-other" }, arrow(tip, over))];
    if let Some(position) = reading.position.filter(|position| Some(*position) != reading.committed)
    {
        let here = at(window.border(position.value()), rail);
        all.push(circle("mark-at", here, 3.6).html());
    }
    let name = match reading.owner {
        Some(owner) => scene.worker_name(owner),
        None if group.state == player::GroupStanding::Rebalancing => words.text("map.rebalancing"),
        None => words.text("map.nobody.short"),
    };
    let lag = match reading.lag {
        0 => words.text("map.lag.none"),
        lag => words.count("map.lag", lag, &[]),
    };
    let lag_wide = width(&lag, Face::Sub);
    let class = if reading.lag >= BAR { "t-sub is-odd" } else { "t-sub" };
    all.push(text(class, &mark.lag, lag).html());
    // The sign stands under its arrow, but neither over the lag nor outside.
    let wide = width(&name, Face::Plate).min(110.0) + 18.0;
    let right = mark.lag.at.x - lag_wide - 12.0;
    let left = (x - wide / 2.0).min(right - wide).max(window.row.first.x - 44.0);
    all.extend(sign(Rect::new(left, y - 8.5, wide, 17.0), &name, reading));
    all
}

/// A train's nose with the name of who reads.
fn sign(area: Rect, name: &str, reading: &ReadingFrame) -> Vec<Html> {
    let mut d = String::new();
    put_point(&mut d, 'M', at(area.x, area.y));
    put_point(&mut d, 'L', at(area.right() - 7.0, area.y));
    put_point(&mut d, 'L', at(area.right(), area.y + 7.0));
    put_point(&mut d, 'L', at(area.right(), area.bottom()));
    put_point(&mut d, 'L', at(area.x, area.bottom()));
    d.push('z');
    let class = if reading.owner.is_some() { "mark-sign" } else { "mark-sign is-empty" };
    let label = Label::around(area.centre().moved(-1.0, 4.0), area.w - 10.0);
    let face = if reading.owner.is_some() { "t-plate t-mark" } else { "t-sub" };
    vec![path(class, d), text(face, &label, fit(name, Face::Plate, label.room + 2.0)).html()]
}

/// A small triangle that touches the track.
fn arrow(tip: Point, over: bool) -> String {
    let back = if over { -5.5 } else { 5.5 };
    let mut d = String::new();
    put_point(&mut d, 'M', tip);
    put_point(&mut d, 'L', tip.moved(-4.5, back));
    put_point(&mut d, 'L', tip.moved(4.5, back));
    d.push('z');
    d
}
