//! What somebody sees of a run who looks at its traces.

use patterns::tracing::span::FollowLinks;
use patterns::tracing::{Span, SpanOperation, TraceId, Tracer};
use sim::SimTime;

use super::{Level, Series};
use crate::Player;

/// What of the run's traces is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seen {
    /// How long the first trace looks to who sees that trace alone, in seconds.
    Length,
    /// How long it looks to who follows links as well, in seconds.
    LengthWithLinks,
    /// Traces that spans are in.
    Traces,
    /// Spans that handle messages.
    Handlings,
    /// Links from a span to what caused it.
    Links,
    /// Spans that handle a message and tell of no cause.
    Orphans,
}

impl Player {
    /// A gauge of the run's spans.
    #[inline(never)]
    pub(super) fn traced(&self, seen: Seen) -> Series {
        let tracer = self.all_spans().tracer;
        let edges = |span: &Span| [Some(span.start), span.end];
        let mut times: Vec<SimTime> = tracer.spans().iter().flat_map(edges).flatten().collect();
        times.push(SimTime::ZERO);
        times.sort_unstable();
        times.dedup();
        let mut series = Series { steps: Vec::new() };
        for at in times {
            series.push(at, read(&tracer.until(at), seen));
        }
        series
    }
}

/// The reading of what was known at a time.
fn read(known: &Tracer, seen: Seen) -> Level {
    let spans = known.spans();
    let length = |links: FollowLinks| match spans.first() {
        Some(first) => Level::Lasted(known.length(first.context.trace, links)),
        None => Level::Lasted(sim::SimDuration::ZERO),
    };
    let handles = |span: &&Span| span.operation == SpanOperation::Process;
    let count = match seen {
        Seen::Length => return length(FollowLinks::No),
        Seen::LengthWithLinks => return length(FollowLinks::Yes),
        Seen::Handlings => spans.iter().filter(handles).count(),
        Seen::Links => spans.iter().map(|span| span.links.len()).sum(),
        Seen::Orphans => {
            let told = |span: &&Span| span.parent.is_some() || !span.links.is_empty();
            spans.iter().filter(handles).filter(|span| !told(span)).count()
        }
        Seen::Traces => {
            let mut traces: Vec<TraceId> = spans.iter().map(|span| span.context.trace).collect();
            traces.sort_unstable();
            traces.dedup();
            traces.len()
        }
    };
    Level::Count(u32::try_from(count).unwrap_or(u32::MAX))
}
