//! The life strip: one message over the run, as a line of states on a time scale and as a list.

use player::{Life, Mark, Stretch, StretchKind};
use sim::{SimDuration, SimTime};

use super::Phase;
use super::scene::stretch_at;
use crate::words::{Names, Words, clock, seconds};

/// The width of the strip's picture.
pub const WIDTH: f64 = 1180.0;

/// Room left and right of the first and last moment.
const MARGIN: f64 = 60.0;

/// A message's life, ready to be drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strip {
    /// The pieces of the line, from the left.
    pub pieces: Vec<Piece>,
    /// What happened to it or its holder.
    pub pins: Vec<Pin>,
    /// Round moments under the line.
    pub ticks: Vec<(f64, String)>,
    /// The same as a list.
    pub rows: Vec<Row>,
    /// Where the scale begins and ends.
    pub span: (SimTime, SimTime),
}

/// A piece of the line.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// What it looks like.
    pub look: Look,
    /// From here.
    pub from: f64,
    /// To here.
    pub to: f64,
    /// For a tube: how far it is filled, because somebody held the message.
    pub held_to: f64,
    /// What it is, above or below it.
    pub name: String,
    /// And more.
    pub note: String,
}

/// What a piece of the line looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// On its way to the broker.
    Published,
    /// Waiting.
    Waits,
    /// Hidden.
    Tube,
    /// A settled end.
    Ended(End),
}

/// How a message's life ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Acked and deleted.
    Acked,
    /// Moved aside.
    DeadLettered,
    /// Deleted unseen.
    Expired,
    /// A request that has its answer.
    Answered,
    /// A request that was not answered well, or a message that no queue took.
    Failed,
}

/// Something that happened at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Pin {
    /// Where.
    pub at: f64,
    /// Whether it broke something.
    pub sort: PinSort,
    /// What.
    pub name: String,
    /// What it meant.
    pub note: String,
}

/// The sorts of pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PinSort {
    /// A crash, a loss, a refusal.
    Fault,
    /// An effect.
    Effect,
}

/// A row of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// When.
    pub at: SimTime,
    /// What the dot looks like: a class after `lifelist__dot--`.
    pub dot: &'static str,
    /// What.
    pub name: String,
    /// And more.
    pub note: String,
    /// Past, here, or to come.
    pub phase: Phase,
    /// Whether the message is hidden from here on.
    pub hidden: bool,
}

/// The strip of a life; the playhead decides what is future in the list only.
#[must_use]
pub fn strip(words: &Words, names: &Names, life: &Life, now: SimTime) -> Strip {
    let Some(span) = span(life) else { return Strip::default() };
    let x = |at: SimTime| place(at, span);
    Strip {
        pieces: life.stretches.iter().map(|s| piece(words, names, life, s, &x)).collect(),
        pins: life.marks.iter().map(|mark| pin(words, names, life, mark, &x)).collect(),
        ticks: ticks(span).into_iter().map(|at| (x(at), coarse(at))).collect(),
        rows: rows(words, names, life, now),
        span,
    }
}

/// Where a moment is on the strip.
#[must_use]
pub fn place(at: SimTime, span: (SimTime, SimTime)) -> f64 {
    let whole = span.1.saturating_since(span.0).as_secs_f64();
    let part = at.saturating_since(span.0).as_secs_f64();
    let share = if whole > 0.0 { (part / whole).min(1.0) } else { 0.0 };
    ((MARGIN + share * (WIDTH - 2.0 * MARGIN)) * 100.0).round() / 100.0
}

/// From when it is published until it is settled, and a little more.
#[must_use]
pub fn span(life: &Life) -> Option<(SimTime, SimTime)> {
    let from = life.stretches.first()?.from;
    let last = life.stretches.last()?;
    let to = if settled(last.kind) { last.from } else { last.to };
    let long = to.saturating_since(from).as_micros();
    Some((from, to + SimDuration::from_micros((long / 20).max(100_000))))
}

/// Whether a state is an end, after which nothing is drawn.
#[must_use]
pub fn settled(kind: StretchKind) -> bool {
    use StretchKind::{Delayed, Hidden, Published, Waiting};
    !matches!(kind, Published | Delayed | Waiting { .. } | Hidden { .. })
}

fn piece(
    words: &Words,
    names: &Names,
    life: &Life,
    stretch: &Stretch,
    x: &dyn Fn(SimTime) -> f64,
) -> Piece {
    let long = seconds(stretch.to.saturating_since(stretch.from));
    let (from, to) = (x(stretch.from), x(stretch.to));
    let mut piece = Piece {
        look: Look::Waits,
        from,
        to,
        held_to: from,
        name: String::new(),
        note: String::new(),
    };
    match stretch.kind {
        StretchKind::Published => {
            piece.look = Look::Published;
            let key = if life.reached_a_broker() { "life.published" } else { "life.asked" };
            piece.name = words.say(key, &[("at", &clock(stretch.from))]);
        }
        StretchKind::Delayed => piece.note = words.say("life.delayed", &[("long", &long)]),
        StretchKind::Waiting { .. } if stretch.to > stretch.from => {
            piece.note = words.say("life.waits", &[("long", &long)]);
        }
        StretchKind::Waiting { .. } => {}
        StretchKind::Hidden { worker, held_until, .. } => {
            piece.look = Look::Tube;
            piece.held_to = x(held_until.unwrap_or(stretch.to).min(stretch.to));
            piece.name = words.say("life.taken", &[("worker", &names.worker(worker))]);
            piece.note = clock(stretch.from);
        }
        StretchKind::Acked => end(&mut piece, End::Acked, words.text("life.acked")),
        StretchKind::DeadLettered => {
            end(&mut piece, End::DeadLettered, words.text("life.dead_lettered"));
        }
        StretchKind::Expired => end(&mut piece, End::Expired, words.text("life.expired")),
        StretchKind::Answered { status: 0..400 } => {
            end(&mut piece, End::Answered, words.text("life.answered"));
        }
        StretchKind::Answered { .. } => end(&mut piece, End::Failed, words.text("life.failed")),
        StretchKind::Unanswered => end(&mut piece, End::Failed, words.text("life.unanswered")),
        StretchKind::TurnedDown => end(&mut piece, End::Failed, words.text("life.turned_down")),
    }
    piece
}

fn end(piece: &mut Piece, how: End, name: String) {
    piece.look = Look::Ended(how);
    piece.to = piece.from;
    piece.name = name;
}

fn pin(
    words: &Words,
    names: &Names,
    life: &Life,
    (at, mark): &(SimTime, Mark),
    x: &dyn Fn(SimTime) -> f64,
) -> Pin {
    let (sort, name) = mark_words(words, names, mark);
    let note = match mark {
        Mark::HolderCrashed(_) => silence(words, life, *at),
        _ => clock(*at),
    };
    Pin { at: x(*at), sort, name, note }
}

/// What a mark is called, and whether it broke something.
pub fn mark_words(words: &Words, names: &Names, mark: &Mark) -> (PinSort, String) {
    let by = |key: &str, worker| words.say(key, &[("worker", &names.worker(worker))]);
    match *mark {
        Mark::HolderCrashed(worker) => (PinSort::Fault, by("life.dies", worker)),
        Mark::AckRefused(worker) => (PinSort::Fault, by("life.ack_refused", worker)),
        Mark::AckLost(worker) => (PinSort::Fault, by("life.ack_lost", worker)),
        Mark::Poisoned => (PinSort::Fault, words.text("life.poisoned")),
        Mark::Lost => (PinSort::Fault, words.text("life.lost")),
        Mark::Effected { nth: 1 } => (PinSort::Effect, words.text("life.effect")),
        Mark::Effected { nth } => {
            (PinSort::Fault, words.say("life.effect.again", &[("nth", &nth.to_string())]))
        }
    }
}

/// How long nobody has held the message after its holder let go at `since`.
fn silence(words: &Words, life: &Life, since: SimTime) -> String {
    let Some(stretch) = stretch_at(life, since) else { return String::new() };
    let long = stretch.to.saturating_since(since);
    if long == SimDuration::ZERO {
        return clock(since);
    }
    words.say("life.silence", &[("long", &seconds(long))])
}

fn rows(words: &Words, names: &Names, life: &Life, now: SimTime) -> Vec<Row> {
    let mut rows: Vec<Row> = life.stretches.iter().map(|s| row(words, names, life, s)).collect();
    for (at, mark) in &life.marks {
        let (sort, name) = mark_words(words, names, mark);
        let note = match mark {
            Mark::HolderCrashed(_) => silence(words, life, *at),
            _ => String::new(),
        };
        let hidden = matches!(
            stretch_at(life, *at).map(|stretch| stretch.kind),
            Some(StretchKind::Hidden { .. })
        );
        let dot = if sort == PinSort::Fault { "fault" } else { "effect" };
        let row = Row { at: *at, dot, name, note, phase: Phase::Past, hidden };
        let after = rows.partition_point(|other| other.at <= row.at);
        rows.insert(after, row);
    }
    let here = rows.partition_point(|row| row.at <= now);
    for (i, row) in rows.iter_mut().enumerate() {
        row.phase = match i {
            _ if i + 1 == here => Phase::Now,
            _ if i < here => Phase::Past,
            _ => Phase::Next,
        };
    }
    rows
}

pub fn row(words: &Words, names: &Names, life: &Life, stretch: &Stretch) -> Row {
    let long = seconds(stretch.to.saturating_since(stretch.from));
    let (dot, key, note) = match stretch.kind {
        StretchKind::Published if !life.reached_a_broker() => {
            ("published", "life.row.asked", String::new())
        }
        StretchKind::Published => ("published", "life.row.published", String::new()),
        StretchKind::Delayed => ("available", "life.row.delayed", String::new()),
        StretchKind::Waiting { receives: 0 } => ("available", "life.row.stored", String::new()),
        StretchKind::Waiting { receives } => (
            "available",
            if stretch.to > stretch.from { "life.row.again" } else { "life.row.again.at_once" },
            words.count("life.row.receives", u64::from(receives), &[]),
        ),
        StretchKind::Hidden { receive, .. } => (
            "inflight",
            "life.row.taken",
            words.say("life.row.receive", &[("n", &receive.to_string())]),
        ),
        StretchKind::Acked => ("acked", "life.row.acked", String::new()),
        StretchKind::DeadLettered => ("dead", "life.row.dead_lettered", String::new()),
        StretchKind::Expired => ("dead", "life.row.expired", String::new()),
        StretchKind::Answered { status } => {
            let dot = if status < 400 { "acked" } else { "dead" };
            (dot, "life.row.answered", words.say("life.status", &[("n", &status.to_string())]))
        }
        StretchKind::Unanswered => ("dead", "life.unanswered", String::new()),
        StretchKind::TurnedDown => ("dead", "life.turned_down", String::new()),
    };
    let worker = match stretch.kind {
        StretchKind::Hidden { worker, .. } => names.worker(worker),
        _ => String::new(),
    };
    Row {
        at: stretch.from,
        dot,
        name: words.say(key, &[("long", &long), ("worker", &worker)]),
        note,
        phase: Phase::Past,
        hidden: matches!(stretch.kind, StretchKind::Hidden { .. }),
    }
}

/// Round moments within the span: at most nine.
pub fn ticks((from, to): (SimTime, SimTime)) -> Vec<SimTime> {
    const STEPS: [u64; 14] = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_800, 3_600, 21_600, 86_400];
    let (first, last) = (from.as_micros() / 1_000_000 + 1, to.as_micros() / 1_000_000);
    let whole = last.saturating_sub(first);
    let step = STEPS.into_iter().find(|step| whole / step <= 8).unwrap_or(7 * 86_400);
    let start = first.div_ceil(step);
    (start..=last / step).map(|i| SimTime::from_secs(i * step)).collect()
}

pub fn coarse(at: SimTime) -> String {
    crate::words::clock_coarse(at.as_micros() / 1_000_000)
}
