//! What moves between two trace events, as plain data.
//!
//! A frame is true until the next event and holds the ends of what is under way. From it and the
//! plan follow all motions, each linear in virtual time and each the change of one attribute (or
//! text) of one element. A still picture evaluates them at the frame's own moment; a [`Painter`]
//! evaluates them again for every frame of animation. Nothing moves that is not in this list.
//!
//! [`Painter`]: super::painter::Painter

use broker::MessageId;
use player::{
    ComponentFrame, Frame, Holding, QueueFrame, Travel, TravelKind, WorkerFrame, WorkerState,
    fraction,
};
use scenario::ComponentId;
use sim::{SimDuration, SimTime};
use world::WorkerId;

use super::layout::{
    Berth, EdgeKind, End, Form, Line, Plan, Point, Shape, Track, at, num, put_point, stop_of,
    translate,
};
use crate::token::ring_dash;
use crate::words::{Words, seconds};

/// What an element of the map is, for whoever moves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A message on a line.
    Travel(MessageId, TravelKind, Option<WorkerId>),
    /// The ring of time left around a hidden message.
    Ring(MessageId),
    /// The words beside that ring.
    Left(MessageId),
    /// The copy in a worker's hands.
    Held(WorkerId),
    /// The part of a worker's rail that lies behind it.
    Behind(WorkerId),
    /// The bar of a worker's progress.
    Bar(WorkerId),
    /// The words beside that bar.
    Spent(WorkerId),
    /// What a worker's head says of the time until it goes on.
    Back(WorkerId),
    /// What a platform says of those that wait.
    Waiting(ComponentId),
    /// What an external service says of the time until it answers again.
    Outage(ComponentId),
}

impl Part {
    /// Its name in the drawing (`data-m`).
    #[must_use]
    pub fn name(self) -> String {
        let (letter, first, second) = match self {
            Self::Travel(message, kind, worker) => {
                let letter = match kind {
                    TravelKind::Request => "q",
                    TravelKind::Publish => "p",
                    TravelKind::Delivery => "d",
                    TravelKind::Call => "c",
                    TravelKind::Ack => "a",
                };
                let who = worker.map(|w| w.component.index() * 100_000 + usize::from(w.instance));
                (letter, message.index(), who)
            }
            Self::Ring(message) => ("r", message.index(), None),
            Self::Left(message) => ("l", message.index(), None),
            Self::Held(worker) => ("h", worker.component.index(), Some(worker.instance.into())),
            Self::Behind(worker) => ("b", worker.component.index(), Some(worker.instance.into())),
            Self::Bar(worker) => ("g", worker.component.index(), Some(worker.instance.into())),
            Self::Spent(worker) => ("s", worker.component.index(), Some(worker.instance.into())),
            Self::Back(worker) => ("k", worker.component.index(), Some(worker.instance.into())),
            Self::Waiting(queue) => ("w", queue.index(), None),
            Self::Outage(external) => ("o", external.index(), None),
        };
        let mut name = [letter, &first.to_string()].concat();
        if let Some(second) = second {
            name.push('-');
            name.push_str(&second.to_string());
        }
        name
    }
}

/// One thing that moves, and until when.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// When it began.
    pub from: SimTime,
    /// When it ends. It stays as it then is.
    pub until: SimTime,
    /// What changes.
    pub change: Change,
}

/// What a motion changes.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// The place, along a line.
    Along(Track),
    /// The place, along a line for the first half of the time and back for the second.
    ThereAndBack(Track),
    /// The place, between two points.
    Between(Point, Point),
    /// The share of a ring, which runs out.
    Ring,
    /// A width, which grows up to this many pixels.
    Width(f64),
    /// A line from the first point, whose end goes from the second to the third.
    Reach(Point, Point, Point),
    /// A text with a time in it.
    Text(Text),
}

/// A text with a time in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// What stands before the time.
    pub before: String,
    /// What stands after it.
    pub after: String,
    /// Which time.
    pub clock: Clock,
}

/// Which time a text tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Until the motion ends.
    Left,
    /// Since it began.
    Since,
    /// Since it began, without its unit where the whole has the same.
    SinceOf(SimDuration),
}

impl Change {
    /// The attribute it changes; `None` for the text itself.
    #[must_use]
    pub fn attribute(&self) -> Option<&'static str> {
        match self {
            Self::Along(_) | Self::ThereAndBack(_) | Self::Between(..) => Some("transform"),
            Self::Ring => Some("stroke-dasharray"),
            Self::Width(_) => Some("width"),
            Self::Reach(..) => Some("d"),
            Self::Text(_) => None,
        }
    }
}

impl Motion {
    /// The value of what it changes at a time.
    #[must_use]
    pub fn value(&self, now: SimTime) -> String {
        let share = fraction(now, self.from, self.until);
        match &self.change {
            Change::Along(track) => translate(track.point_at(share)),
            Change::ThereAndBack(track) => {
                translate(track.point_at(1.0 - (2.0 * share - 1.0).abs()))
            }
            Change::Between(from, to) => translate(from.toward(*to, share)),
            Change::Ring => ring_dash(1.0 - share),
            Change::Width(full) => num(full * share),
            Change::Reach(start, from, to) => reach(*start, from.toward(*to, share)),
            Change::Text(text) => text.at(self, now),
        }
    }
}

/// A straight line as the `d` of a path.
#[must_use]
pub fn reach(from: Point, to: Point) -> String {
    let mut d = String::with_capacity(28);
    put_point(&mut d, 'M', from);
    put_point(&mut d, 'L', to);
    d
}

impl Text {
    /// The text of a catalogue's key, in which `{time}` is the time that moves.
    fn of(words: &Words, key: &str, names: &[(&str, &str)], clock: Clock) -> Text {
        const MARK: &str = "\u{1}";
        let mut all = vec![("time", MARK)];
        all.extend_from_slice(names);
        let said = words.say(key, &all);
        let (before, after) = said.split_once(MARK).unwrap_or((&said, ""));
        Text { before: before.to_owned(), after: after.to_owned(), clock }
    }

    fn at(&self, motion: &Motion, now: SimTime) -> String {
        let since = now.min(motion.until).saturating_since(motion.from);
        let time = match self.clock {
            Clock::Left => seconds(motion.until.saturating_since(now.max(motion.from))),
            Clock::Since => seconds(since),
            Clock::SinceOf(whole) => without_unit(seconds(since), &seconds(whole)),
        };
        [&self.before, &time, &self.after].map(String::as_str).concat()
    }
}

/// `3.7 s` beside `6.0 s` is said as `3.7`.
fn without_unit(part: String, whole: &str) -> String {
    let unit = |text: &str| text.rfind(' ').map(|space| text[space..].to_owned());
    match unit(&part) {
        Some(own) if unit(whole).as_ref() == Some(&own) => {
            part[..part.len() - own.len()].to_owned()
        }
        _ => part,
    }
}

/// Everything that moves in a frame, with the name of what it moves. A map shows some dozens.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Motions(pub Vec<(String, Motion)>);

impl Motions {
    /// The motion of a part, with the name of that part.
    #[must_use]
    pub fn of(&self, part: Part) -> Option<(String, &Motion)> {
        let name = part.name();
        self.named(&name).map(|motion| (name, motion))
    }

    /// The motion of the part with this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Motion> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, motion)| motion)
    }

    fn add(&mut self, part: Part, from: SimTime, until: SimTime, change: Change) {
        self.0.push((part.name(), Motion { from, until, change }));
    }
}

/// Everything that moves in a frame.
#[must_use]
pub fn motions(frame: &Frame, plan: &Plan, words: &Words) -> Motions {
    let mut motions = Motions::default();
    for travel in &frame.travels {
        if let Some(change) = travelled(plan, travel) {
            let part = Part::Travel(travel.message, travel.kind, travel.worker);
            motions.add(part, travel.departed, travel.arrives, change);
        }
    }
    for queue in &plan.queues {
        if let Some(ComponentFrame::Queue(state)) = frame.components.get(queue.id.index()) {
            // Where hidden messages stand close together there is room for the time alone.
            let roomy =
                plan.shape == Shape::Wide && state.in_flight_total as usize <= queue.bays.len();
            let left = if roomy { "map.left" } else { "map.left.short" };
            queue_motions(&mut motions, queue.id, state, (words, left));
        }
    }
    for berth in &plan.berths {
        if let Some(state) = worker(frame, berth.worker) {
            worker_motions(&mut motions, plan, berth, state, words);
        }
    }
    for (i, component) in frame.components.iter().enumerate() {
        if let ComponentFrame::External(external) = component
            && let Some(until) = external.outage_until
        {
            let text = Text::of(words, "map.outage", &[], Clock::Left);
            let part = Part::Outage(ComponentId::new(i));
            motions.add(part, frame.now, until, Change::Text(text));
        }
    }
    motions
}

/// The state of a worker in a frame.
#[must_use]
pub fn worker(frame: &Frame, id: WorkerId) -> Option<&WorkerFrame> {
    match frame.components.get(id.component.index()) {
        Some(ComponentFrame::Workers(workers)) => workers.instances.get(usize::from(id.instance)),
        _ => None,
    }
}

fn travelled(plan: &Plan, travel: &Travel) -> Option<Change> {
    let end = |id: ComponentId| match travel.worker {
        Some(worker) if worker.component == id => End::Worker(worker),
        _ => End::Component(id),
    };
    let kind = match travel.kind {
        TravelKind::Request => EdgeKind::Request,
        TravelKind::Publish => EdgeKind::Publish,
        TravelKind::Delivery => EdgeKind::Delivery,
        TravelKind::Call => EdgeKind::Call,
        TravelKind::Ack => EdgeKind::Ack,
    };
    let ride = plan.edge(kind, end(travel.from), end(travel.to))?.ride.clone();
    Some(if kind == EdgeKind::Call { Change::ThereAndBack(ride) } else { Change::Along(ride) })
}

fn queue_motions(
    motions: &mut Motions,
    id: ComponentId,
    state: &QueueFrame,
    (words, left): (&Words, &str),
) {
    for hidden in &state.in_flight {
        motions.add(Part::Ring(hidden.message), hidden.since, hidden.until, Change::Ring);
        let text = Text::of(words, left, &[], Clock::Left);
        motions.add(Part::Left(hidden.message), hidden.since, hidden.until, Change::Text(text));
    }
    if let Some(since) = state.oldest_since {
        let n = words.number(u64::from(state.available_total));
        let text = Text::of(words, "map.waiting", &[("n", &n)], Clock::Since);
        motions.add(Part::Waiting(id), since, SimTime::MAX, Change::Text(text));
    }
}

fn worker_motions(
    motions: &mut Motions,
    plan: &Plan,
    berth: &Berth,
    state: &WorkerFrame,
    words: &Words,
) {
    let id = berth.worker;
    let mut back = |key: &str, from: SimTime, until: SimTime| {
        let text = Text::of(words, key, &[], Clock::Left);
        motions.add(Part::Back(id), from, until, Change::Text(text));
    };
    match state.state {
        WorkerState::Down { since, until: Some(until) } => back("map.worker.back", since, until),
        WorkerState::Paused { until } => back("map.worker.paused", SimTime::ZERO, until),
        _ => {}
    }
    // What has stopped stands at the stop of its line: how far it had come is not in the frame.
    let (Some(holding), WorkerState::Working) = (&state.holding, state.state) else { return };
    let Some(step) = holding.step else { return };
    let (here, next) = (stop_of(berth, step.index()), stop_of(berth, step.index() + 1));
    let first = berth.stops.first().copied().unwrap_or(here);
    let (from, until) = (holding.step_started, holding.step_ends);
    motions.add(Part::Held(id), from, until, Change::Between(here, next));
    motions.add(Part::Behind(id), from, until, Change::Reach(first, here, next));
    progress(motions, plan, berth, holding, words);
}

/// The bar and its words: the time since the delivery began, of all that it should take.
fn progress(motions: &mut Motions, plan: &Plan, berth: &Berth, holding: &Holding, words: &Words) {
    let whole = expected(plan.net.lines(berth.worker.component), holding);
    let until = holding.started + whole;
    let full = bar_width(berth);
    motions.add(Part::Bar(berth.worker), holding.started, until, Change::Width(full));
    let total = seconds(whole);
    let clock = Clock::SinceOf(whole);
    let text = Text::of(words, "map.spent", &[("total", &total)], clock);
    motions.add(Part::Spent(berth.worker), holding.started, until, Change::Text(text));
}

/// How wide the bar of a worker's progress is.
#[must_use]
pub fn bar_width(berth: &Berth) -> f64 {
    berth.frame.w - if berth.form == Form::Full { 110.0 } else { 0.0 }
}

/// What a delivery takes in all, as far as that is known: what has passed, the line under way, and
/// the mean of each line after it.
fn expected(lines: &[Line], holding: &Holding) -> SimDuration {
    let mut whole = holding.step_ends.saturating_since(holding.started);
    let after = holding.step.map_or(0, |step| step.index() + 1);
    for line in lines.iter().skip(after) {
        whole += line.takes.unwrap_or(SimDuration::ZERO);
    }
    whole
}

/// Where the copy in a worker's hands stands when it does not move.
#[must_use]
pub fn standing(berth: &Berth, holding: &Holding) -> Point {
    match holding.step {
        Some(step) => stop_of(berth, step.index()),
        None => berth.stops.first().copied().unwrap_or(at(berth.frame.x, berth.frame.y)),
    }
}
