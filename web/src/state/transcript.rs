//! The transcript's window: which trace events are lines near the playhead, and which fold.
//!
//! A trace may hold two million events; a page may not. Only a window around the playhead is
//! looked at, outward from it, so the cost is that of the window and not of the run.

use broker::MessageId;
use sim::{SimDuration, SimTime};
use world::{TraceEvent, What};

/// Which events are lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// Where a message or a worker changes hands or fate.
    #[default]
    HandOvers,
    /// Everything about one message.
    Of(MessageId),
    /// Every trace event.
    All,
}

impl Filter {
    /// Whether an event is a line.
    #[must_use]
    pub fn keeps(self, what: &What) -> bool {
        match self {
            Filter::HandOvers => hands_over(what),
            Filter::Of(message) => about(what) == Some(message),
            Filter::All => true,
        }
    }
}

/// One entry of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A trace event, by its position in the trace.
    Line(usize),
    /// Receives of one message, each given back, folded into a gap.
    Fold {
        /// Which message.
        message: MessageId,
        /// How many receives.
        receives: u32,
        /// From the first to the last of them.
        long: SimDuration,
    },
}

/// The list around the playhead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// What has happened, oldest first.
    pub past: Vec<Entry>,
    /// What will, if nothing is done.
    pub future: Vec<Entry>,
    /// There are earlier lines than these.
    pub earlier: bool,
    /// There are later ones.
    pub later: bool,
}

/// The lines around the playhead: at most `before` events that have happened (those before
/// position `cursor`) and `after` that will.
#[must_use]
pub fn window(
    trace: &[TraceEvent],
    cursor: usize,
    filter: Filter,
    before: usize,
    after: usize,
) -> Window {
    let kept = |index: &usize| filter.keeps(&trace[*index].what);
    // A fold at the edge of the window must be whole, so a little more is looked at than shown.
    let reach = if filter == Filter::HandOvers { FOLD } else { 1 };
    let mut past: Vec<usize> = (0..cursor).rev().filter(kept).take(before + reach).collect();
    past.reverse();
    let future: Vec<usize> = (cursor..trace.len()).filter(kept).take(after + reach).collect();
    let entries = |indices: &[usize]| match filter {
        Filter::HandOvers => fold(trace, indices),
        _ => lines(indices),
    };
    let (mut past, mut future) = (entries(&past), entries(&future));
    let (earlier, later) = (past.len() > before, future.len() > after);
    past.drain(..past.len().saturating_sub(before));
    future.truncate(after);
    Window { past, future, earlier, later }
}

/// Events of one fold at most, beyond which it may be told in two.
const FOLD: usize = 64;

fn lines(indices: &[usize]) -> Vec<Entry> {
    indices.iter().map(|index| Entry::Line(*index)).collect()
}

/// Folds runs of "taken again, given back" of one message.
fn fold(trace: &[TraceEvent], indices: &[usize]) -> Vec<Entry> {
    let mut out = Vec::with_capacity(indices.len());
    let mut rest = indices;
    while let Some(first) = rest.first() {
        let Some((message, long)) = given_back(trace, rest).filter(|(_, long)| *long >= 3) else {
            out.push(Entry::Line(*first));
            rest = &rest[1..];
            continue;
        };
        let run = &rest[..long];
        let receives =
            run.iter().filter(|i| matches!(trace[**i].what, What::Received { .. })).count();
        out.push(Entry::Fold {
            message,
            receives: u32::try_from(receives).unwrap_or(u32::MAX),
            long: trace[run[long - 1]].at - trace[*first].at,
        });
        rest = &rest[long..];
    }
    out
}

/// How many of the events at the front are receives of one message after its first, each followed
/// by its nack, or nacks of the same; and which message.
fn given_back(trace: &[TraceEvent], indices: &[usize]) -> Option<(MessageId, usize)> {
    let whose = |index: usize| match trace[index].what {
        What::Received { message, count: 2.., .. } | What::Nacked { message, .. } => Some(message),
        _ => None,
    };
    let message = whose(*indices.first()?)?;
    let mut long = indices.iter().take_while(|index| whose(**index) == Some(message)).count();
    // A receive at the end that is not given back is a line of its own: somebody works on it.
    if long > 0 && matches!(trace[indices[long - 1]].what, What::Received { .. }) {
        long -= 1;
    }
    Some((message, long))
}

/// The message an event is about, if it is about one.
#[must_use]
pub fn about(what: &What) -> Option<MessageId> {
    course::Cast::of(what).message
}

/// Whether a message or a worker changes hands or fate.
fn hands_over(what: &What) -> bool {
    !matches!(
        what,
        What::Requested { .. }
            | What::Responded { .. }
            | What::Published { .. }
            | What::Stored { .. }
            | What::Confirmed { .. }
            | What::StepStarted { .. }
            | What::StepEnded { .. }
            | What::Extended { .. }
    )
}

/// Whether an event is one of those that break something.
#[must_use]
pub fn breaks(what: &What) -> bool {
    matches!(
        what,
        What::Crashed { .. }
            | What::Paused { .. }
            | What::Slowed { .. }
            | What::Skewed { .. }
            | What::OutageBegan { .. }
            | What::AckLost { .. }
            | What::ConfirmLost { .. }
            | What::Lost { .. }
    )
}

/// How many events of a trace have happened at a moment.
#[must_use]
pub fn cursor_at(trace: &[TraceEvent], now: SimTime) -> usize {
    trace.partition_point(|event| event.at <= now)
}
