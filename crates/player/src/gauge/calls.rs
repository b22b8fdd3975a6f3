//! Gauges of those who ask, of what they hear, and of how long something took.

use broker::MessageId;
use scenario::ComponentId;
use sim::SimTime;
use world::{Messages, TraceEvent, What};

use super::{Gauge, Level, Series};

/// What an event adds to a count of requests, answers and refusals.
pub(super) fn counts(gauge: Gauge, what: What) -> bool {
    match (gauge, what) {
        (Gauge::Requested(of), What::Requested { source: it, .. })
        | (Gauge::Answered(of), What::Answered { source: it, .. })
        | (Gauge::TimedOut(of), What::TimedOut { source: it, .. })
        | (Gauge::GaveUp(of), What::GaveUp { by: it, .. })
        | (Gauge::Retried(of), What::Retrying { by: it, .. })
        | (Gauge::Failed(of), What::CallFailed { external: it, .. })
        | (Gauge::Shed(of), What::Shed { at: it, .. })
        | (Gauge::Received(of), What::Received { queue: it, .. })
        | (Gauge::Refused(of), What::PublishRefused { queue: it, .. })
        | (Gauge::AcksRefused(of), What::AckRefused { queue: it, .. })
        | (Gauge::Deduplicated(of), What::Deduplicated { queue: it, .. }) => it == of,
        (Gauge::Crashes(of), What::Crashed { worker, .. }) => worker.component == of,
        _ => false,
    }
}

/// Follows how long the latest took: from the event that begins it to the one that ends it.
pub(super) fn took(trace: &[TraceEvent], gauge: Gauge) -> Series {
    let mut begun: Vec<SimTime> = Vec::new();
    let mut series = Series { steps: vec![(SimTime::ZERO, Level::Since(None))] };
    for event in trace {
        let (message, begins) = match (gauge, event.what) {
            (Gauge::Waited(of), What::Stored { queue, message, .. }) if queue == of => {
                (message, true)
            }
            // A message that comes back has waited before; its first wait is the one of its work.
            (Gauge::Waited(of), What::Received { queue, message, count: 1, .. }) if queue == of => {
                (message, false)
            }
            (
                Gauge::AnsweredIn(of) | Gauge::TakenAfter(of),
                What::Requested { source, message, .. },
            ) if source == of => (message, true),
            (Gauge::TakenAfter(of), What::Published { by, message, .. }) if by == of => {
                (message, true)
            }
            (Gauge::TakenAfter(_), What::Received { message, count: 1, .. }) => (message, false),
            (Gauge::AnsweredIn(of), What::Answered { source, message, .. }) if source == of => {
                (message, false)
            }
            _ => continue,
        };
        let at = message.index();
        if begun.len() <= at {
            begun.resize(at + 1, SimTime::MAX);
        }
        if begins {
            // A second try belongs to the first.
            begun[at] = begun[at].min(event.at);
        } else if begun[at] < SimTime::MAX {
            series.push(event.at, Level::Lasted(event.at.saturating_since(begun[at])));
        }
    }
    series
}

/// Follows how long after a request the latest effect came that goes back to it.
#[inline(never)]
pub(super) fn effected_after(trace: &[TraceEvent], of: ComponentId, messages: &Messages) -> Series {
    let mut begun: Vec<Option<SimTime>> = vec![None; messages.len()];
    let mut series = Series { steps: vec![(SimTime::ZERO, Level::Since(None))] };
    for event in trace {
        match event.what {
            What::Requested { source: by, message, .. } | What::Published { by, message, .. }
                if by == of =>
            {
                // A second try belongs to the first.
                begun[message.index()].get_or_insert(event.at);
            }
            What::Effected { message, .. } => {
                let before = |id: &MessageId| messages[*id].parent.or(messages[*id].of);
                let mut line = std::iter::successors(Some(message), before);
                if let Some(since) = line.find_map(|id| begun[id.index()]) {
                    series.push(event.at, Level::Lasted(event.at.saturating_since(since)));
                }
            }
            _ => {}
        }
    }
    series
}
