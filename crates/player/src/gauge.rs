//! Gauges over a whole run, derived from its trace.

mod calls;
mod held;
mod log;
mod rows;
mod traces;
mod works;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use broker::MessageId;
use broker::log::PartitionId;
use scenario::{ComponentId, Kind};
use sim::{SimDuration, SimTime};
use world::{GroupId, TraceEvent, What};

use crate::Player;

pub use traces::Seen;

/// Something that is counted or timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gauge {
    /// Messages on offer in a queue.
    Depth(ComponentId),
    /// The age of the oldest message on offer in a queue, since it was stored, in seconds.
    Oldest(ComponentId),
    /// Messages taken from a queue and hidden.
    InFlight(ComponentId),
    /// Messages that a queue has, on offer or not.
    Held(ComponentId),
    /// Messages of a queue acked and deleted.
    Acked(ComponentId),
    /// Messages moved from a queue to its dead-letter queue.
    DeadLettered(ComponentId),
    /// Messages stored by a queue.
    Stored(ComponentId),
    /// Effects of an external service.
    Effects(ComponentId),
    /// Messages whose visibility timeout ran out, or that were given back.
    Redelivered(ComponentId),
    /// Offsets of a log that a group has not committed; in one partition, or in all together.
    Lag(GroupId, Option<PartitionId>),
    /// The age of the oldest of those, in seconds.
    OldestUnread(GroupId, Option<PartitionId>),
    /// Records appended to a log.
    Appended(ComponentId),
    /// Records that a group has read, counting each read.
    Read(GroupId),
    /// Records that a group has read again.
    ReadAgain(GroupId),
    /// Records whose work nobody in a group will do.
    LostToGroup(GroupId),
    /// How often a group has been divided.
    Rebalances(GroupId),
    /// Messages that died in a queue and went nowhere.
    Dropped(ComponentId),
    /// Polls of a queue that came back empty.
    Empty(ComponentId),
    /// Messages that nothing at a topic wanted.
    Unrouted(ComponentId),
    /// Messages taken from a queue, counting each time.
    Received(ComponentId),
    /// Messages that a queue turned down.
    Refused(ComponentId),
    /// Acks that a queue turned down.
    AcksRefused(ComponentId),
    /// Messages that a queue took for repeats and did not store.
    Deduplicated(ComponentId),
    /// How long the message that was taken last, for the first time, had been stored, in seconds.
    Waited(ComponentId),
    /// Requests of a source, counting each try.
    Requested(ComponentId),
    /// Requests of a source that were answered with success in time.
    Answered(ComponentId),
    /// How long the latest of those took from its first try on, in seconds.
    AnsweredIn(ComponentId),
    /// How long after it was sent the message of a source was taken that was taken last, for the
    /// first time, in seconds. A copy that a topic made is another message.
    TakenAfter(ComponentId),
    /// How long after a request of a source the latest effect came that goes back to it, in seconds:
    /// of the request itself, or of what was published on its account.
    EffectedAfter(ComponentId),
    /// Tries of a source that nobody answered in time.
    TimedOut(ComponentId),
    /// What a component gave up: requests of a source, calls of a handler, messages of workers.
    GaveUp(ComponentId),
    /// Further tries of a component.
    Retried(ComponentId),
    /// Requests that a service, or calls that an external one, turned away by their class.
    Shed(ComponentId),
    /// Calls that an external service answered with an error, or not at all.
    Failed(ComponentId),
    /// Rows of a table of a database, as far as they are committed.
    Rows(ComponentId, u16),
    /// Events that a relay has marked as published.
    Relayed(ComponentId),
    /// Statements that a database has carried out.
    Statements(ComponentId),
    /// Statements of a database that had to wait for a row.
    RowsAwaited(ComponentId),
    /// Statements of a database that wait for a row now.
    RowsWaiting(ComponentId),
    /// Calls that an external service knew by their keys.
    Replayed(ComponentId),
    /// Events that a service has published and not saved.
    Phantoms(ComponentId),
    /// Changes that a service has saved and not published.
    Untold(ComponentId),
    /// Sagas of an orchestrator that were done in full.
    Completed(ComponentId),
    /// Sagas of an orchestrator that were made up for.
    Compensated(ComponentId),
    /// Sagas of an orchestrator that do not fit together.
    Incoherent(ComponentId),
    /// Runs of a scheduler that are over.
    RunsOver(ComponentId),
    /// Runs of a scheduler that did not take place because another was running.
    RunsSkipped(ComponentId),
    /// Runs of a scheduler that were missed and not made up for.
    RunsMissed(ComponentId),
    /// How often a worker began a run of a scheduler while another was at work.
    TwoRunners(ComponentId),
    /// Processes of a component that died.
    Crashes(ComponentId),
    /// Messages lost.
    Lost,
    /// What somebody sees who looks at the run's traces.
    Traced(Seen),
}

/// What a gauge shows from one time on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// A count.
    Count(u32),
    /// A clock that has been running since then, or stands at zero.
    Since(Option<SimTime>),
    /// How long something took.
    Lasted(SimDuration),
}

impl Level {
    /// The reading at a time: a count, or seconds.
    #[must_use]
    pub fn reading(self, now: SimTime) -> f64 {
        match self {
            Self::Count(count) => f64::from(count),
            Self::Since(Some(since)) => now.saturating_since(since).as_secs_f64(),
            Self::Since(None) => 0.0,
            Self::Lasted(time) => time.as_secs_f64(),
        }
    }
}

/// The slices into which a run is divided at most.
pub const SLICES: u64 = 2_000;

/// A gauge over a whole run: what it shows from each time on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    steps: Vec<(SimTime, Level)>,
}

impl Series {
    /// The times at which it changes, with what it shows from then on. The first is time zero.
    #[must_use]
    pub fn steps(&self) -> &[(SimTime, Level)] {
        &self.steps
    }

    /// What it shows at a time.
    #[must_use]
    pub fn level_at(&self, now: SimTime) -> Level {
        let after = self.steps.partition_point(|(at, _)| *at <= now);
        self.steps[after.saturating_sub(1)].1
    }

    /// Its reading at a time: a count, or seconds.
    #[must_use]
    pub fn value_at(&self, now: SimTime) -> f64 {
        self.level_at(now).reading(now)
    }

    /// Its highest reading up to a time.
    #[must_use]
    pub fn max(&self, until: SimTime) -> f64 {
        let ends = self.steps.iter().skip(1).map(|(at, _)| *at).chain([until]);
        let readings = self.steps.iter().zip(ends).flat_map(|(&(start, level), end)| {
            [level.reading(start.min(until)), level.reading(end.min(until))]
        });
        readings.fold(0.0, f64::max)
    }

    /// How much a counter grows in each slice of so long, up to a time. A slice is from its start,
    /// included, to that of the next. At most [`SLICES`]: longer runs have longer slices.
    #[must_use]
    pub fn per(&self, slice: SimDuration, until: SimTime) -> Self {
        let least = SimDuration::from_micros(until.as_micros() / SLICES + 1);
        let slice = slice.max(least.min(SimDuration::from_micros(until.as_micros().max(1))));
        let count = |level: Level| match level {
            Level::Count(count) => count,
            Level::Since(_) | Level::Lasted(_) => 0,
        };
        let mut series = Self { steps: vec![(SimTime::ZERO, Level::Count(0))] };
        let (mut start, mut before, mut place) = (SimTime::ZERO, 0, 0);
        while start <= until {
            let next = start + slice;
            let mut last = before;
            while let Some(&(at, level)) = self.steps.get(place)
                && at < next
            {
                last = count(level);
                place += 1;
            }
            series.push(start, Level::Count(last.saturating_sub(before)));
            (before, start) = (last, next);
        }
        series
    }

    fn push(&mut self, at: SimTime, level: Level) {
        match self.steps.last_mut() {
            Some((_, last)) if *last == level => {}
            Some((time, last)) if *time == at => *last = level,
            _ => self.steps.push((at, level)),
        }
    }
}

impl Player {
    /// A gauge over the whole run, as far as it is computed.
    #[must_use]
    pub fn gauge(&self, gauge: Gauge) -> Series {
        match gauge {
            Gauge::Depth(queue) => on_offer(self.trace(), queue, |offer| Level::Count(offer.count)),
            Gauge::Oldest(queue) => {
                on_offer(self.trace(), queue, |offer| Level::Since(offer.oldest_since()))
            }
            Gauge::Lag(group, only) => log::unread(self.trace(), group, only, log::lag),
            Gauge::OldestUnread(group, only) => log::unread(self.trace(), group, only, log::oldest),
            Gauge::Rows(of, table) => {
                rows::rows(self.trace(), of, table, self.first_rows(of, table))
            }
            Gauge::RowsWaiting(of) => rows::waiting(self.trace(), of),
            Gauge::Traced(seen) => self.traced(seen),
            Gauge::Held(queue) => held::held(self.trace(), queue),
            Gauge::EffectedAfter(of) => {
                calls::effected_after(self.trace(), of, self.head().messages())
            }
            Gauge::Waited(_) | Gauge::AnsweredIn(_) | Gauge::TakenAfter(_) => {
                calls::took(self.trace(), gauge)
            }
            _ => counted(self.trace(), gauge),
        }
    }

    /// How many rows a table has at the start.
    fn first_rows(&self, database: ComponentId, table: u16) -> usize {
        match &self.scenario().component(database).kind {
            Kind::Database(it) => it.tables.get(usize::from(table)).map_or(0, |it| it.rows.len()),
            _ => 0,
        }
    }
}

/// What is on offer in a queue, as the trace tells.
#[derive(Default)]
struct Offer {
    /// When each message was stored. A record of a log has not been, until it is dead-lettered.
    stored: Vec<Option<SimTime>>,
    is_on: Vec<Flag>,
    count: u32,
    /// The oldest first; what is no longer on offer is dropped when it comes to the top.
    oldest: BinaryHeap<Reverse<(SimTime, MessageId)>>,
}

/// Whether a message is where it is looked for.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Flag {
    #[default]
    Out,
    In,
}

/// Sets a message's flag, and says whether that changed it.
fn set(flags: &mut Vec<Flag>, message: MessageId, flag: Flag) -> bool {
    if flags.len() <= message.index() {
        flags.resize(message.index() + 1, Flag::Out);
    }
    std::mem::replace(&mut flags[message.index()], flag) != flag
}

impl Offer {
    fn enter(&mut self, message: MessageId) {
        if set(&mut self.is_on, message, Flag::In) {
            self.count += 1;
            let stored = self.stored.get(message.index()).copied().flatten();
            self.oldest.push(Reverse((stored.unwrap_or_default(), message)));
        }
    }

    fn leave(&mut self, message: MessageId) {
        if set(&mut self.is_on, message, Flag::Out) {
            self.count -= 1;
        }
    }

    fn note_stored(&mut self, at: SimTime, message: MessageId) {
        if self.stored.len() <= message.index() {
            self.stored.resize(message.index() + 1, None);
        }
        self.stored[message.index()] = Some(at);
    }

    fn clear(&mut self) {
        self.is_on.clear();
        self.oldest.clear();
        self.count = 0;
    }

    fn oldest_since(&mut self) -> Option<SimTime> {
        while let Some(Reverse((since, message))) = self.oldest.peek().copied() {
            if self.is_on.get(message.index()) == Some(&Flag::In) {
                return Some(since);
            }
            self.oldest.pop();
        }
        None
    }
}

/// Follows what is on offer in a queue.
fn on_offer(trace: &[TraceEvent], of: ComponentId, show: impl Fn(&mut Offer) -> Level) -> Series {
    let mut offer = Offer::default();
    let mut series = Series { steps: vec![(SimTime::ZERO, show(&mut offer))] };
    for event in trace {
        match event.what {
            What::Stored { queue, message, visible_at } => {
                offer.note_stored(event.at, message);
                if queue == of && visible_at <= event.at {
                    offer.enter(message);
                }
            }
            What::Available { queue, message }
            | What::Lapsed { queue, message, .. }
            | What::Requeued { queue, message, .. }
                if queue == of =>
            {
                offer.enter(message);
            }
            What::Nacked { queue, message, visible_at: until, .. }
            | What::Extended { queue, message, until, .. }
                if queue == of =>
            {
                if until <= event.at {
                    offer.enter(message);
                } else {
                    offer.leave(message);
                }
            }
            What::DeadLettered { to, message, .. } if to == of => {
                if offer.stored.get(message.index()).copied().flatten().is_none() {
                    offer.note_stored(event.at, message);
                }
                offer.enter(message);
            }
            What::Redriven { to, message, .. } if to == of => {
                offer.note_stored(event.at, message);
                offer.enter(message);
            }
            What::Duplicated { queue, message } if queue == of => offer.enter(message),
            What::DeadLettered { from: queue, message, .. }
            | What::Redriven { from: queue, message, .. }
            | What::Misplaced { queue, message }
            | What::ReceiveLost { queue, message, .. }
            | What::Received { queue, message, .. }
            | What::Acked { queue, message, .. }
            | What::Expired { queue, message }
            | What::Dropped { queue, message, .. }
                if queue == of =>
            {
                offer.leave(message);
            }
            What::Purged { queue, .. } if queue == of => offer.clear(),
            _ => continue,
        }
        series.push(event.at, show(&mut offer));
    }
    series
}

fn counted(trace: &[TraceEvent], gauge: Gauge) -> Series {
    let mut count: u32 = 0;
    let mut hidden = Vec::new();
    let mut series = Series { steps: vec![(SimTime::ZERO, Level::Count(0))] };
    for event in trace {
        match (gauge, event.what) {
            (Gauge::InFlight(of), what) => {
                follow_hidden(&mut hidden, &mut count, of, event.at, what);
            }
            (Gauge::Acked(of), What::Acked { queue, .. } | What::Forgotten { queue, .. })
            | (Gauge::DeadLettered(of), What::DeadLettered { from: queue, .. })
            | (Gauge::Stored(of), What::Stored { queue, .. })
            | (Gauge::Dropped(of), What::Dropped { queue, .. } | What::Expired { queue, .. })
            | (Gauge::Empty(of), What::CameEmpty { queue, .. })
            | (
                Gauge::Unrouted(of),
                What::Unrouted { topic: queue, .. } | What::Returned { topic: queue, .. },
            )
            | (Gauge::Effects(of), What::Effected { external: queue, .. })
            | (Gauge::Redelivered(of), What::Lapsed { queue, .. } | What::Requeued { queue, .. })
                if queue == of =>
            {
                count += 1;
            }
            // What is given back for later lapses then.
            (Gauge::Redelivered(of), What::Nacked { queue, visible_at, .. })
                if queue == of && visible_at <= event.at =>
            {
                count += 1;
            }
            (Gauge::Relayed(of), What::Relayed { relay, rows }) if relay.component == of => {
                count += rows;
            }
            (Gauge::Lost, What::Lost { .. } | What::LostToGroup { .. }) => count += 1,
            (gauge, what) if log::counts(gauge, what) || calls::counts(gauge, what) => count += 1,
            (gauge, what) => match works::adds(gauge, what) {
                Some(more) => count += more,
                None => continue,
            },
        }
        series.push(event.at, Level::Count(count));
    }
    series
}

/// Follows what is taken from a queue and hidden.
fn follow_hidden(
    hidden: &mut Vec<Flag>,
    count: &mut u32,
    of: ComponentId,
    now: SimTime,
    what: What,
) {
    let (message, flag) = match what {
        What::Received { queue, message, .. } | What::ReceiveLost { queue, message, .. }
            if queue == of =>
        {
            (message, Flag::In)
        }
        What::Nacked { queue, message, visible_at: until, .. }
        | What::Extended { queue, message, until, .. }
            if queue == of =>
        {
            (message, if until > now { Flag::In } else { Flag::Out })
        }
        What::Acked { queue, message, .. }
        | What::Forgotten { queue, message, .. }
        | What::Dropped { queue, message, .. }
        | What::Requeued { queue, message, .. }
        | What::Duplicated { queue, message }
        | What::Lapsed { queue, message, .. }
        | What::Expired { queue, message }
        | What::DeadLettered { from: queue, message, .. }
            if queue == of =>
        {
            (message, Flag::Out)
        }
        What::Purged { queue, .. } if queue == of => {
            hidden.clear();
            *count = 0;
            return;
        }
        _ => return,
    };
    match (set(hidden, message, flag), flag) {
        (true, Flag::In) => *count += 1,
        (true, Flag::Out) => *count -= 1,
        (false, _) => {}
    }
}

#[cfg(test)]
mod tests;
