//! The life strip: one message over the run, as a line of states on a time scale and as a list.

#[cfg(test)]
mod tests;

use player::{GroupStretch, GroupStretchKind, Life, Mark, Stretch, StretchKind};
use sim::{SimDuration, SimTime};

use super::Phase;
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

/// What is told of a life, one after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// What the message was to everybody.
    Own(Stretch),
    /// What it was to the first group that reads its log.
    Read(GroupStretch),
}

impl Part {
    fn from(self) -> SimTime {
        match self {
            Part::Own(stretch) => stretch.from,
            Part::Read(stretch) => stretch.from,
        }
    }

    fn to(self) -> SimTime {
        match self {
            Part::Own(stretch) => stretch.to,
            Part::Read(stretch) => stretch.to,
        }
    }

    /// Whether it is an end, after which nothing is drawn.
    fn settled(self) -> bool {
        use GroupStretchKind::{Read, Unread};
        match self {
            Part::Own(stretch) => settled(stretch.kind),
            Part::Read(stretch) => !matches!(stretch.kind, Unread | Read { .. }),
        }
    }

    /// Whether somebody has taken the message.
    fn taken(self) -> bool {
        match self {
            Part::Own(stretch) => matches!(stretch.kind, StretchKind::Hidden { .. }),
            Part::Read(stretch) => matches!(stretch.kind, GroupStretchKind::Read { .. }),
        }
    }
}

/// What is told of a life. A record is told as the first group of its log saw it, from when it came
/// to the log until it is moved aside, if it is.
pub(super) fn parts(life: &Life) -> Vec<Part> {
    let own = |stretches: &[Stretch]| stretches.iter().copied().map(Part::Own).collect();
    let Some(came) = life.groups.first().and_then(|group| group.stretches.first()) else {
        return own(&life.stretches);
    };
    let aside = life.stretches.iter().position(|it| it.kind == StretchKind::DeadLettered);
    let (kept, after) = life.stretches.split_at(aside.unwrap_or(life.stretches.len()));
    let before = kept.iter().take_while(|it| it.to <= came.from).count();
    let mut all: Vec<Part> = own(&kept[..before]);
    let until = after.first().map(|stretch| stretch.from);
    let read = life.groups[0].stretches.iter().filter(|it| until.is_none_or(|to| it.from < to));
    let cut = |to: SimTime| until.map_or(to, |until| until.min(to));
    all.extend(read.map(|it| Part::Read(GroupStretch { to: cut(it.to), ..*it })));
    // That it lies where it was moved to is no news; who takes it from there is.
    let lies = |at: usize, it: &Stretch| at == 1 && it.kind == StretchKind::Waiting { receives: 0 };
    let told = after.iter().enumerate().filter(|(at, it)| !lies(*at, it));
    all.extend(told.map(|(_, it)| Part::Own(*it)));
    all
}

/// The part of a life that a moment lies in.
pub(super) fn part_at(life: &Life, now: SimTime) -> Option<Part> {
    parts(life).into_iter().take_while(|part| part.from() <= now).last()
}

/// How often the message has been taken until a moment.
pub(super) fn takes(life: &Life, now: SimTime) -> u32 {
    let taken = |part: &Part| part.taken() && part.from() <= now;
    parts(life).into_iter().filter(taken).count().try_into().unwrap_or(u32::MAX)
}

impl Strip {
    /// Where the playhead of a strip stands: outside of it when the life is over.
    #[must_use]
    pub fn head(now: SimTime, span: (SimTime, SimTime)) -> f64 {
        if now > span.1 { WIDTH + MARGIN } else { place(now, span) }
    }
}

/// The strip of a life; the playhead decides what is future in the list only.
#[must_use]
pub fn strip(words: &Words, names: &Names, life: &Life, now: SimTime) -> Strip {
    let Some(span) = span(life) else { return Strip::default() };
    let x = |at: SimTime| place(at, span);
    let marks = life.marks.iter().filter(|(at, _)| *at >= span.0);
    Strip {
        pieces: parts(life).into_iter().map(|part| drawn(words, names, life, part, &x)).collect(),
        pins: marks.map(|mark| pin(words, names, life, mark, &x)).collect(),
        ticks: scale(span).into_iter().map(|(at, said)| (x(at), said)).collect(),
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
    let parts = parts(life);
    let from = parts.first()?.from();
    let last = parts.last()?;
    let to = if last.settled() { last.from() } else { last.to() };
    let long = to.saturating_since(from).as_micros();
    Some((from, to + SimDuration::from_micros((long / 20).max(100_000))))
}

/// Whether a state is an end, after which nothing is drawn.
#[must_use]
pub fn settled(kind: StretchKind) -> bool {
    use StretchKind::{Delayed, Hidden, Published, Waiting};
    !matches!(kind, Published | Delayed | Waiting { .. } | Hidden { .. })
}

fn drawn(
    words: &Words,
    names: &Names,
    life: &Life,
    part: Part,
    x: &dyn Fn(SimTime) -> f64,
) -> Piece {
    let (from, to) = (x(part.from()), x(part.to()));
    let (name, note) = (String::new(), String::new());
    let piece = Piece { look: Look::Waits, from, to, held_to: from, name, note };
    match part {
        Part::Own(stretch) => of_own(words, names, life, &stretch, piece, x),
        Part::Read(stretch) => of_group(words, names, stretch, piece),
    }
}

fn of_group(words: &Words, names: &Names, stretch: GroupStretch, mut piece: Piece) -> Piece {
    match stretch.kind {
        GroupStretchKind::Unread if stretch.to > stretch.from => {
            let long = seconds(stretch.to.saturating_since(stretch.from));
            piece.note = words.say("life.waits", &[("long", &long)]);
        }
        GroupStretchKind::Unread => {}
        GroupStretchKind::Read { worker, .. } => {
            piece.look = Look::Tube;
            piece.held_to = piece.to;
            piece.name = words.say("timeline.read", &[("worker", &names.worker(worker))]);
            piece.note = clock(stretch.from);
        }
        GroupStretchKind::Committed => {
            end(&mut piece, End::Acked, words.text("timeline.committed"));
        }
        GroupStretchKind::Lost => end(&mut piece, End::Failed, words.text("life.lost")),
        GroupStretchKind::Gone => end(&mut piece, End::Expired, words.text("timeline.gone")),
    }
    piece
}

fn of_own(
    words: &Words,
    names: &Names,
    life: &Life,
    stretch: &Stretch,
    mut piece: Piece,
    x: &dyn Fn(SimTime) -> f64,
) -> Piece {
    let long = seconds(stretch.to.saturating_since(stretch.from));
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
        Mark::HolderCrashed(_) => silence(words, life, *at).unwrap_or_else(|| clock(*at)),
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

/// How long nobody has held the message after its holder let go at `since`. `None` if something
/// came of it at once.
fn silence(words: &Words, life: &Life, since: SimTime) -> Option<String> {
    let long = life.stretches.iter().find_map(|stretch| match stretch.kind {
        StretchKind::Hidden { held_until: Some(at), .. } if at == since => {
            Some(stretch.to.saturating_since(since))
        }
        _ => None,
    });
    let long = long.filter(|long| *long > SimDuration::ZERO)?;
    Some(words.say("life.silence", &[("long", &seconds(long))]))
}

fn rows(words: &Words, names: &Names, life: &Life, now: SimTime) -> Vec<Row> {
    let of = |part| match part {
        Part::Own(stretch) => row(words, names, life, &stretch),
        Part::Read(stretch) => group_row(words, names, stretch),
    };
    let mut rows: Vec<Row> = parts(life).into_iter().map(of).collect();
    for (at, mark) in &life.marks {
        let (sort, name) = mark_words(words, names, mark);
        let note = match mark {
            Mark::HolderCrashed(_) => silence(words, life, *at).unwrap_or_default(),
            _ => String::new(),
        };
        let hidden = part_at(life, *at).is_some_and(Part::taken);
        let dot = if sort == PinSort::Fault { "fault" } else { "effect" };
        let row = Row { at: *at, dot, name, note, phase: Phase::Past, hidden };
        // A death stands before what came of it.
        let place = match mark {
            Mark::HolderCrashed(_) => rows.partition_point(|other| other.at < row.at),
            _ => rows.partition_point(|other| other.at <= row.at),
        };
        rows.insert(place, row);
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

fn group_row(words: &Words, names: &Names, stretch: GroupStretch) -> Row {
    let long = seconds(stretch.to.saturating_since(stretch.from));
    let (dot, name, note) = match stretch.kind {
        GroupStretchKind::Unread => {
            ("available", words.say("life.row.stored", &[("long", &long)]), String::new())
        }
        GroupStretchKind::Read { worker, nth } => (
            "inflight",
            words.say("timeline.read", &[("worker", &names.worker(worker))]),
            words.say("life.row.read", &[("n", &nth.to_string())]),
        ),
        GroupStretchKind::Committed => ("acked", words.text("timeline.committed"), String::new()),
        GroupStretchKind::Lost => ("dead", words.text("life.lost"), String::new()),
        GroupStretchKind::Gone => ("dead", words.text("timeline.gone"), String::new()),
    };
    let hidden = Part::Read(stretch).taken();
    Row { at: stretch.from, dot, name, note, phase: Phase::Past, hidden }
}

/// The round moments of a strip and what they are called: parts of a second in a short life.
fn scale((from, to): (SimTime, SimTime)) -> Vec<(SimTime, String)> {
    const STEPS: [u64; 3] = [100_000, 200_000, 500_000];
    let whole = to.saturating_since(from).as_micros();
    if whole >= 2_000_000 {
        return ticks((from, to)).into_iter().map(|at| (at, coarse(at))).collect();
    }
    let step = STEPS.into_iter().find(|step| whole / step <= 8).unwrap_or(STEPS[2]);
    let moments = (from.as_micros() / step + 1)..=(to.as_micros() / step);
    let moments = moments.map(|i| SimTime::from_micros(i * step));
    moments.map(|at| (at, clock(at))).collect()
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
