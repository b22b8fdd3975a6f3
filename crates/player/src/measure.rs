//! Measures of a run: how long messages took from end to end, how busy processes were, and the means
//! of gauges. Like gauges they are folded from the trace.

use scenario::ComponentId;
use sim::{SimDuration, SimTime};
use world::What;

use crate::{Player, Series};

/// How long messages took, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Latencies(Vec<SimDuration>);

impl Latencies {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The one that `permille` thousandths do not exceed, by nearest rank; zero if there are none.
    #[must_use]
    pub fn percentile(&self, permille: u32) -> SimDuration {
        let count = self.0.len() as u64;
        let rank = (count * u64::from(permille.min(1_000))).div_ceil(1_000).max(1);
        let at = usize::try_from(rank - 1).unwrap_or(usize::MAX);
        self.0.get(at).copied().unwrap_or(SimDuration::ZERO)
    }

    /// How many lie below each of these bounds and not below the one before; the last count is of
    /// those that lie below none.
    #[must_use]
    pub fn histogram(&self, bounds: &[SimDuration]) -> Vec<usize> {
        let mut counts = Vec::with_capacity(bounds.len() + 1);
        let mut before = 0;
        for bound in bounds {
            let below = self.0.partition_point(|latency| latency < bound);
            counts.push(below.saturating_sub(before));
            before = below.max(before);
        }
        counts.push(self.0.len() - before);
        counts
    }
}

impl Player {
    /// How long it took from when a message was first sent until its work was first done: until the
    /// first effect for it, or its ack, or the success that its source heard of, whichever it was.
    #[must_use]
    pub fn latencies(&self) -> Latencies {
        let mut sent: Vec<Option<SimTime>> = Vec::new();
        let mut all = Vec::new();
        for event in self.trace() {
            let (message, done) = match event.what {
                What::Requested { message, .. } | What::Published { message, .. } => {
                    (message, false)
                }
                What::Effected { message, .. }
                | What::Acked { message, .. }
                | What::Answered { message, .. } => (message, true),
                _ => continue,
            };
            if sent.len() <= message.index() {
                sent.resize(message.index() + 1, None);
            }
            let start = &mut sent[message.index()];
            match (*start, done) {
                (None, false) => *start = Some(event.at),
                // From now on it is over: a start at the end of time begins nothing.
                (Some(at), true) if at < SimTime::MAX => {
                    all.push(event.at - at);
                    *start = Some(SimTime::MAX);
                }
                _ => {}
            }
        }
        sim::short::sort_by_key(&mut all, |latency| *latency);
        Latencies(all)
    }

    /// Which share of their time, up to now, the processes of a group of workers had a line of their
    /// handler under way, waiting for answers included.
    #[must_use]
    pub fn utilisation(&self, workers: ComponentId, until: SimTime) -> f64 {
        let mut began: Vec<Option<SimTime>> = Vec::new();
        let mut busy = SimDuration::ZERO;
        for event in self.trace() {
            let at = event.at.min(until);
            let (worker, starts) = match event.what {
                What::StepStarted { worker, .. } => (worker, true),
                What::StepEnded { worker, .. } | What::Crashed { worker, .. } => (worker, false),
                _ => continue,
            };
            if worker.component != workers {
                continue;
            }
            let place = usize::from(worker.instance);
            if began.len() <= place {
                began.resize(place + 1, None);
            }
            if let Some(since) = began[place].take() {
                busy += at.saturating_since(since);
            }
            began[place] = starts.then_some(at);
        }
        busy += began
            .iter()
            .flatten()
            .map(|since| until.saturating_since(*since))
            .fold(SimDuration::ZERO, |sum, stretch| sum + stretch);
        let processes = match &self.scenario().component(workers).kind {
            scenario::Kind::Workers(spec) => f64::from(spec.count),
            _ => 1.0,
        };
        let whole = until.as_secs_f64() * processes;
        if whole > 0.0 { busy.as_secs_f64() / whole } else { 0.0 }
    }
}

impl Series {
    /// The area under it up to a time, in readings times seconds: for a count of messages, the time
    /// that all of them together have spent there.
    #[must_use]
    pub fn area(&self, until: SimTime) -> f64 {
        let steps = self.steps();
        let ends = steps.iter().skip(1).map(|(at, _)| *at).chain([until]);
        let areas = steps.iter().zip(ends).map(|(&(start, level), end)| {
            let (start, end) = (start.min(until), end.min(until));
            let middle = (level.reading(start) + level.reading(end)) / 2.0;
            middle * end.saturating_since(start).as_secs_f64()
        });
        areas.sum()
    }
}
