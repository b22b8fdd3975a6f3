//! Spotting the fault: the line of a trace at which a run went wrong.

use std::ops::Range;
use std::sync::Arc;

use player::Player;
use scenario::Scenario;
use scenario::limits;
use scenario::wire::{Reader, RecordReader};
use sim::SimTime;
use world::TraceEvent;

use crate::Pattern;
use crate::context::{Context, all};
use crate::evidence::{Evidence, Stages};

/// So many lines are read with care, and no more.
pub const LINES: usize = 40;

/// A stretch of a trace, in one line of which the fault lies.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// What was run.
    pub scenario: Arc<Scenario>,
    /// Everything that happened.
    pub trace: Vec<TraceEvent>,
    /// The lines that are shown, by their positions in the trace.
    pub lines: Range<usize>,
    /// Where the fault lies.
    pub fault: usize,
    /// Lines that one may take for it, each with what speaks against it.
    pub others: Vec<(usize, String)>,
}

impl Spot {
    /// What speaks against a line, if something particular does.
    #[must_use]
    pub fn against(&self, line: usize) -> Option<&str> {
        self.others.iter().find(|(at, _)| *at == line).map(|(_, why)| why.as_str())
    }

    /// Reads what a question has besides its run.
    pub(super) fn read(
        record: &mut RecordReader<'_>,
        run: Option<&Evidence>,
        stages: &Stages<'_, '_>,
    ) -> Option<Spot> {
        let from = record.required("from").and_then(|r| r.time());
        let to = record.required("to").and_then(|r| r.time());
        let (fault, others) = (record.required("fault"), record.optional("others"));
        let whole = record.whole().clone();
        let Some(run) = run else {
            whole.error("a fault is spotted in a run", "name the run under “run”");
            return None;
        };
        let (document, scenario) = stages.changed(run.stage, &run.with, &whole)?;
        let mut player = Player::new(scenario.clone());
        player.finish();
        let trace = player.trace().to_vec();
        let context = Context { document: &document, scenario: Some(&scenario) };
        let lines = between(&trace, from?, to?);
        if lines.is_empty() || lines.len() > LINES {
            let problem = format!("there are {} lines between these times", lines.len());
            whole.error(problem, format!("choose “from” and “to” so that there are 1 to {LINES}"));
            return None;
        }
        let place = |r: &Reader<'_>| place(r, &context, &trace, &lines);
        let others = all(others, limits::PIECES, |r| {
            let mut record = r.record()?;
            let at = record.required("when").and_then(|r| place(&r));
            let why = record.required("why").and_then(|r| r.text(limits::PARAGRAPH));
            record.finish();
            Some((at?, why?.to_owned()))
        });
        let fault = place(&fault?);
        Some(Spot {
            fault: fault?,
            others: others?,
            scenario: Arc::new(scenario),
            lines: lines.clone(),
            trace,
        })
    }
}

/// The events from one time to another.
fn between(trace: &[TraceEvent], from: SimTime, to: SimTime) -> Range<usize> {
    let first = trace.partition_point(|event| event.at < from);
    let last = trace.partition_point(|event| event.at <= to);
    first..last.max(first)
}

/// The line that a pattern means, among those that are shown.
fn place(
    reader: &Reader<'_>,
    context: &Context<'_>,
    trace: &[TraceEvent],
    lines: &Range<usize>,
) -> Option<usize> {
    let (pattern, _) = Pattern::read(reader, context)?;
    let found = pattern.find(&trace[..lines.end], lines.start);
    if found.is_none() {
        reader.error("no line that is shown fits", "correct the pattern, or the times");
    }
    found
}
