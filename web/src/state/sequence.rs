//! The sequence: a lane a component, and what travels between them from top to bottom by time.

mod hop;
mod label;
#[cfg(test)]
mod tests;

use scenario::{ComponentId, Kind};
use sim::{SimDuration, SimTime};
use world::{TraceEvent, What};

use super::transcript::about;
use super::{Filter, Session};
use crate::words::{Words, clock, clock_fine, seconds, sentence, unmarked};

pub use hop::{Look, Shape, Tone, shape};

/// At most so many hops are drawn around the playhead.
pub const HOPS: usize = 60;

/// By so many hops the window moves, so that it stands still for most events.
const STEP: usize = 20;

/// How high a row is, and how high the gap where nothing happens for long.
pub const ROW: f64 = 32.0;
/// The height of a gap.
pub const GAP: f64 = 26.0;

/// The sequence around the playhead, ready to be drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sequence {
    /// The components that take part in the run, from the left.
    pub lanes: Vec<ComponentId>,
    /// What happens, from the top.
    pub rows: Vec<Row>,
    /// Transactions.
    pub boxes: Vec<Stay>,
    /// Where a lane is broken, because who stands there is down.
    pub breaks: Vec<Stay>,
    /// How many hops there are before and after those.
    pub earlier: usize,
    /// How many there are after them.
    pub later: usize,
    /// How high all of it is.
    pub height: f64,
}

/// A row: something that travels, or that happens on a lane, or a time in which nothing does.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// When.
    pub at: SimTime,
    /// Its upper edge.
    pub top: f64,
    /// When, in words; nothing where it is the moment of the row before.
    pub time: String,
    /// The trace event and what is drawn of it; nothing for a gap.
    pub hop: Option<(usize, Shape)>,
    /// What is written at it.
    pub label: String,
    /// The whole of it in words.
    pub said: String,
    /// The number and the key of the message that travels.
    pub carries: Option<(u32, u16)>,
}

/// A part of a lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stay {
    /// Which lane, from 0.
    pub lane: usize,
    /// From this height.
    pub from: f64,
    /// To this.
    pub to: f64,
}

/// What travels near the playhead; about one message alone, if the transcript is about one.
#[must_use]
#[inline(never)]
pub fn sequence(session: &mut Session, words: &Words) -> Sequence {
    let (hops, lanes) = session.derived.hops(&session.player);
    let trace = session.player.trace();
    let shown: Vec<u32> = match session.filter {
        Filter::Of(message) => {
            let of = |hop: &&u32| {
                about(&trace[**hop as usize].what).is_none_or(|whose| whose == message)
            };
            hops.iter().filter(of).copied().collect()
        }
        _ => hops.to_vec(),
    };
    let cursor = session.frame.events;
    let here = shown.partition_point(|hop| (*hop as usize) < cursor);
    let most = shown.len().saturating_sub(HOPS);
    let first = (here.saturating_sub(HOPS * 2 / 3) / STEP * STEP).min(most);
    let last = (first + HOPS).min(shown.len());
    let mut drawn = Sequence {
        lanes: lanes.to_vec(),
        earlier: first,
        later: shown.len() - last,
        ..Sequence::default()
    };
    drawn.fill(session, words, &shown[first..last]);
    let before = shown.get(first).map_or(0, |hop| *hop as usize);
    let earlier = hops.iter().map(|hop| *hop as usize).take_while(|hop| *hop < before);
    drawn.stays(session, earlier.map(|hop| &trace[hop]));
    drawn
}

impl Sequence {
    fn fill(&mut self, session: &Session, words: &Words, hops: &[u32]) {
        let trace = session.player.trace();
        let scenario = session.names.scenario();
        let moment = |hop: Option<&u32>| hop.map_or(SimTime::ZERO, |hop| trace[*hop as usize].at);
        let whole = moment(hops.last()).saturating_since(moment(hops.first()));
        let long = SimDuration::from_micros((whole.as_micros() / 12).max(100_000));
        let time = if whole < SimDuration::from_secs(20) { clock_fine } else { clock };
        let mut before: Option<SimTime> = None;
        for index in hops.iter().map(|hop| *hop as usize) {
            let at = trace[index].at;
            let Some(shape) = shape(scenario, trace, index) else { continue };
            let since = before.map_or(SimDuration::ZERO, |before| at.saturating_since(before));
            if since > long {
                let said = words.say("sequence.gap", &[("long", &seconds(since))]);
                self.put(Row { label: said, ..Row::empty(before.unwrap_or(at)) }, GAP);
            }
            let row = Row {
                time: if before == Some(at) { String::new() } else { time(at) },
                hop: Some((index, shape)),
                label: label::label(words, &session.names, trace, index),
                said: unmarked(&sentence(&session.names, trace, index).say(words)),
                carries: carried(&trace[index].what)
                    .map(|message| (message.number(), session.key_of(message))),
                ..Row::empty(at)
            };
            self.put(row, ROW);
            before = Some(at);
        }
    }

    fn put(&mut self, row: Row, height: f64) {
        self.rows.push(Row { top: self.height, ..row });
        self.height += height;
    }

    fn lane(&self, component: ComponentId) -> Option<usize> {
        self.lanes.iter().position(|lane| *lane == component)
    }

    /// Transactions and breaks. `earlier` is what happened before the first row.
    fn stays<'a>(&mut self, session: &Session, earlier: impl Iterator<Item = &'a TraceEvent>) {
        let trace = session.player.trace();
        let scenario = session.names.scenario();
        let alone = |component: ComponentId| match &scenario.component(component).kind {
            Kind::Workers(workers) => workers.count == 1,
            Kind::Service(service) => service.count == 1,
            Kind::Relay(relay) => relay.count == 1,
            _ => true,
        };
        let mut down: Vec<(ComponentId, f64)> = Vec::new();
        for event in earlier {
            turn(&event.what, 0.0, &mut down);
        }
        let mut open: Vec<(hop::Transaction, f64)> = Vec::new();
        for row in &self.rows {
            let Some((index, _)) = row.hop else { continue };
            let what = &trace[index].what;
            let middle = row.top + ROW / 2.0;
            if let Some((component, since)) = turn(what, middle, &mut down) {
                let lane = self.lane(component).filter(|_| alone(component));
                self.breaks.extend(lane.map(|lane| Stay { lane, from: since, to: middle }));
            }
            let Some((transaction, step)) = hop::transaction(what) else { continue };
            let begun = open.iter().position(|(other, _)| *other == transaction);
            match (begun, step) {
                (None, hop::Step::Statement) => open.push((transaction, row.top)),
                (Some(at), hop::Step::End) => {
                    let (_, from) = open.swap_remove(at);
                    let lane = self.lane(transaction.database);
                    let to = row.top + ROW;
                    self.boxes.extend(lane.map(|lane| Stay { lane, from, to }));
                }
                _ => {}
            }
        }
        for (component, since) in down {
            let lane = self.lane(component).filter(|_| alone(component));
            self.breaks.extend(lane.map(|lane| Stay { lane, from: since, to: self.height }));
        }
    }

    /// How high a moment is: between two rows it moves through the gap, if there is one.
    #[must_use]
    pub fn place(&self, now: SimTime) -> f64 {
        let after = self.rows.partition_point(|row| row.at <= now);
        let Some(last) = after.checked_sub(1).map(|at| &self.rows[at]) else { return 0.0 };
        let next = self.rows.get(after);
        let to = next.map_or(self.height, |row| row.top);
        let (Some(next), true) = (next, last.hop.is_none()) else { return to };
        let whole = next.at.saturating_since(last.at).as_secs_f64().max(1e-6);
        last.top + (to - last.top) * now.saturating_since(last.at).as_secs_f64() / whole
    }
}

impl Row {
    fn empty(at: SimTime) -> Row {
        Row {
            at,
            top: 0.0,
            time: String::new(),
            hop: None,
            label: String::new(),
            said: String::new(),
            carries: None,
        }
    }
}

/// Who goes down is noted; who is back is named, with the height at which it went down.
fn turn(
    what: &What,
    height: f64,
    down: &mut Vec<(ComponentId, f64)>,
) -> Option<(ComponentId, f64)> {
    let (component, back) = match *what {
        What::Crashed { worker, .. } => (worker.component, false),
        What::Restarted { worker } => (worker.component, true),
        What::OutageBegan { external, .. } => (external, false),
        What::OutageEnded { external } => (external, true),
        _ => return None,
    };
    let place = down.iter().position(|(other, _)| *other == component);
    match (place, back) {
        (Some(place), true) => Some(down.swap_remove(place)),
        (None, false) => {
            down.push((component, height));
            None
        }
        _ => None,
    }
}

/// The message that travels as a thing, and is not only spoken of.
fn carried(what: &What) -> Option<broker::MessageId> {
    match *what {
        What::Requested { message, .. }
        | What::Published { message, .. }
        | What::Stored { message, .. }
        | What::Received { message, .. }
        | What::ReceiveLost { message, .. }
        | What::Fetched { message, .. }
        | What::LostOnTheWay { message, .. }
        | What::DeadLettered { message, .. }
        | What::Redriven { message, .. } => Some(message),
        _ => None,
    }
}
