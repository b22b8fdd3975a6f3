//! Gauges over a whole run, derived from its trace.

use std::collections::BTreeSet;

use broker::MessageId;
use scenario::ComponentId;
use sim::SimTime;
use world::{TraceEvent, What};

use crate::Player;

/// Something that is counted or timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gauge {
    /// Messages on offer in a queue.
    Depth(ComponentId),
    /// The age of the oldest message on offer in a queue, since it was stored, in seconds.
    Oldest(ComponentId),
    /// Messages taken from a queue and hidden.
    InFlight(ComponentId),
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
    /// Messages lost.
    Lost,
}

/// What a gauge shows from one time on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// A count.
    Count(u32),
    /// A clock that has been running since then, or stands at zero.
    Since(Option<SimTime>),
}

impl Level {
    /// The reading at a time: a count, or seconds.
    #[must_use]
    pub fn reading(self, now: SimTime) -> f64 {
        match self {
            Self::Count(count) => f64::from(count),
            Self::Since(Some(since)) => now.saturating_since(since).as_secs_f64(),
            Self::Since(None) => 0.0,
        }
    }
}

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
            Gauge::Depth(queue) => on_offer(self.trace(), queue, |offer| {
                Level::Count(u32::try_from(offer.len()).unwrap_or(u32::MAX))
            }),
            Gauge::Oldest(queue) => on_offer(self.trace(), queue, |offer| {
                Level::Since(offer.first().map(|(stored, _)| *stored))
            }),
            _ => counted(self.trace(), gauge),
        }
    }
}

/// Follows what is on offer in a queue, ordered by the time of storing.
fn on_offer(
    trace: &[TraceEvent],
    of: ComponentId,
    show: impl Fn(&BTreeSet<(SimTime, MessageId)>) -> Level,
) -> Series {
    let mut stored: Vec<SimTime> = Vec::new();
    let mut offer = BTreeSet::new();
    let mut series = Series { steps: vec![(SimTime::ZERO, show(&offer))] };
    for event in trace {
        let change = match event.what {
            What::Stored { queue, message, visible_at } => {
                if stored.len() <= message.index() {
                    stored.resize(message.index() + 1, SimTime::ZERO);
                }
                stored[message.index()] = event.at;
                (queue == of && visible_at <= event.at).then_some((message, true))
            }
            What::Available { queue, message } | What::Lapsed { queue, message, .. } => {
                (queue == of).then_some((message, true))
            }
            What::Nacked { queue, message, visible_at, .. }
            | What::Extended { queue, message, until: visible_at, .. } => {
                (queue == of).then_some((message, visible_at <= event.at))
            }
            What::DeadLettered { from, to, message, .. } if from == of || to == of => {
                Some((message, to == of))
            }
            What::Received { queue, message, .. }
            | What::Acked { queue, message, .. }
            | What::Expired { queue, message } => (queue == of).then_some((message, false)),
            What::Purged { queue, .. } if queue == of => {
                offer.clear();
                series.push(event.at, show(&offer));
                None
            }
            _ => None,
        };
        let Some((message, enters)) = change else { continue };
        let entry = (stored[message.index()], message);
        if enters {
            offer.insert(entry);
        } else {
            offer.remove(&entry);
        }
        series.push(event.at, show(&offer));
    }
    series
}

fn counted(trace: &[TraceEvent], gauge: Gauge) -> Series {
    let mut count: u32 = 0;
    let mut hidden = BTreeSet::new();
    let mut series = Series { steps: vec![(SimTime::ZERO, Level::Count(0))] };
    for event in trace {
        match (gauge, event.what) {
            (Gauge::InFlight(of), what) => {
                follow_hidden(&mut hidden, of, event.at, what);
                count = u32::try_from(hidden.len()).unwrap_or(u32::MAX);
            }
            (Gauge::Acked(of), What::Acked { queue, .. })
            | (Gauge::DeadLettered(of), What::DeadLettered { from: queue, .. })
            | (Gauge::Stored(of), What::Stored { queue, .. })
            | (Gauge::Effects(of), What::Effected { external: queue, .. })
            | (Gauge::Redelivered(of), What::Lapsed { queue, .. } | What::Nacked { queue, .. })
                if queue == of =>
            {
                count += 1;
            }
            (Gauge::Lost, What::Lost { .. }) => count += 1,
            _ => continue,
        }
        series.push(event.at, Level::Count(count));
    }
    series
}

fn follow_hidden(hidden: &mut BTreeSet<MessageId>, of: ComponentId, now: SimTime, what: What) {
    match what {
        What::Received { queue, message, .. } if queue == of => {
            hidden.insert(message);
        }
        What::Nacked { queue, message, visible_at, .. }
        | What::Extended { queue, message, until: visible_at, .. }
            if queue == of =>
        {
            if visible_at > now {
                hidden.insert(message);
            } else {
                hidden.remove(&message);
            }
        }
        What::Acked { queue, message, .. }
        | What::Lapsed { queue, message, .. }
        | What::Expired { queue, message }
        | What::DeadLettered { from: queue, message, .. }
            if queue == of =>
        {
            hidden.remove(&message);
        }
        What::Purged { queue, .. } if queue == of => hidden.clear(),
        _ => {}
    }
}
