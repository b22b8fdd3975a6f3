//! What somebody sees of a run who looks at its traces.

use patterns::tracing::span::FollowLinks;
use patterns::tracing::{Span, SpanOperation, TraceId, Tracer};
use sim::SimTime;

use super::{Gauge, Level, Series};
use crate::Player;

impl Player {
    /// A gauge of the run's spans.
    #[inline(never)]
    pub(super) fn traced(&self, gauge: Gauge) -> Series {
        let tracer = self.all_spans().tracer;
        let edges = |span: &Span| [Some(span.start), span.end];
        let mut times: Vec<SimTime> = tracer.spans().iter().flat_map(edges).flatten().collect();
        times.push(SimTime::ZERO);
        times.sort_unstable();
        times.dedup();
        let mut series = Series { steps: Vec::new() };
        for at in times {
            series.push(at, read(&tracer.until(at), gauge));
        }
        series
    }
}

/// The reading of what was known at a time.
fn read(known: &Tracer, gauge: Gauge) -> Level {
    let spans = known.spans();
    let length = |links: FollowLinks| match spans.first() {
        Some(first) => Level::Lasted(known.length(first.context.trace, links)),
        None => Level::Lasted(sim::SimDuration::ZERO),
    };
    let handles = |span: &&Span| span.operation == SpanOperation::Process;
    let count = match gauge {
        Gauge::TraceLength => return length(FollowLinks::No),
        Gauge::LinkedLength => return length(FollowLinks::Yes),
        Gauge::Handlings => spans.iter().filter(handles).count(),
        Gauge::Links => spans.iter().map(|span| span.links.len()).sum(),
        Gauge::Orphans => {
            let told = |span: &&Span| span.parent.is_some() || !span.links.is_empty();
            spans.iter().filter(handles).filter(|span| !told(span)).count()
        }
        _ => {
            let mut traces: Vec<TraceId> = spans.iter().map(|span| span.context.trace).collect();
            traces.sort_unstable();
            traces.dedup();
            traces.len()
        }
    };
    Level::Count(u32::try_from(count).unwrap_or(u32::MAX))
}
