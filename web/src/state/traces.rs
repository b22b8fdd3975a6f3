//! The spans of the run as rows: trace by trace, what is part of what, and what points at what.

use patterns::tracing::{SpanOperation, TraceId};
use player::About;
use sim::{SimDuration, SimTime};

use super::Session;
use crate::words::{Words, clock_fine, seconds};

/// At most so many spans are drawn.
const ROWS: usize = 40;

/// The traces of a run, as far as it has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Traces {
    /// Trace by trace, the oldest first.
    pub traces: Vec<TraceShown>,
    /// How many spans are not drawn.
    pub more: usize,
}

/// A trace.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceShown {
    /// The beginning of its id.
    pub id: String,
    /// How long it lasts, in words.
    pub length: String,
    /// Its spans.
    pub spans: Vec<SpanShown>,
}

/// A span.
#[derive(Clone, Debug, PartialEq)]
pub struct SpanShown {
    /// Its number among all that are drawn, from 1.
    pub number: usize,
    /// Who did what.
    pub label: String,
    /// When, how long, and what it belongs to, in words.
    pub says: String,
    /// Where its bar begins and how wide it is, in hundredths of the room.
    pub bar: (f64, f64),
    /// How many spans it is part of.
    pub depth: usize,
    /// Whether it points at others.
    pub points: bool,
}

/// What is known of the run's traces at the playhead.
#[must_use]
#[inline(never)]
pub fn traces(session: &Session, words: &Words) -> Traces {
    let (now, all) = (session.now(), session.player().all_spans());
    let known = all.tracer.until(now);
    let spans = known.spans();
    let drawn = spans.len().min(ROWS);
    let first = spans.first().map_or(SimTime::ZERO, |span| span.start);
    let end_of = |at: usize| spans[at].end.unwrap_or(spans[at].start);
    let whole = (0..drawn).map(end_of).max().unwrap_or(first).saturating_since(first);
    let mut traces: Vec<(TraceId, TraceShown)> = Vec::new();
    let mut depths: Vec<usize> = Vec::new();
    for at in 0..drawn {
        let span = &spans[at];
        let number_of = |id| spans.iter().position(|other| other.context.span == id);
        let parent = span.parent.and_then(number_of);
        depths.push(parent.map_or(0, |parent| depths.get(parent).map_or(0, |depth| depth + 1)));
        let long = end_of(at).saturating_since(span.start);
        let mut says = vec![clock_fine(span.start), seconds(long)];
        if let Some(parent) = parent {
            says.push(words.say("traces.part", &[("n", &(parent + 1).to_string())]));
        }
        let linked: Vec<String> = span
            .links
            .iter()
            .filter_map(|link| number_of(link.span).map(|place| (place + 1).to_string()))
            .collect();
        if !linked.is_empty() {
            says.push(words.say("traces.points", &[("n", &linked.join(", "))]));
        }
        let shown = SpanShown {
            number: at + 1,
            label: label(session, words, span.operation, &all.about[at], span.batch),
            says: says.join(" · "),
            bar: (share(span.start.saturating_since(first), whole), share(long, whole)),
            depth: depths[at],
            points: !linked.is_empty(),
        };
        let id = span.context.trace;
        match traces.iter_mut().find(|(its, _)| *its == id) {
            Some((_, trace)) => trace.spans.push(shown),
            None => {
                // The header is “00-”, the id in 32 digits, and more.
                let header = span.context.to_string();
                let id_text = header.get(3..11).unwrap_or_default().to_owned();
                let length = known.length(id, patterns::tracing::span::FollowLinks::No);
                let length = seconds(length);
                traces.push((id, TraceShown { id: id_text, length, spans: vec![shown] }));
            }
        }
    }
    let traces = traces.into_iter().map(|(_, trace)| trace).collect();
    Traces { traces, more: spans.len() - drawn }
}

/// Who did what.
fn label(
    session: &Session,
    words: &Words,
    operation: SpanOperation,
    about: &About,
    batch: Option<u32>,
) -> String {
    let names = session.names();
    let who = match about.worker {
        Some(worker) => names.worker(worker),
        None => names.component(about.component).to_owned(),
    };
    let n = about.message.number().to_string();
    let (key, n) = match (operation, batch) {
        (SpanOperation::Request, _) => ("traces.request", n),
        (SpanOperation::Send, _) => ("traces.send", n),
        (_, Some(batch)) => ("traces.batch", batch.to_string()),
        _ => ("traces.process", n),
    };
    words.say(key, &[("who", &who), ("n", &n)])
}

/// A part of the whole, in hundredths.
fn share(part: SimDuration, whole: SimDuration) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "runs are far shorter than 2^53 microseconds")]
    let (part, whole) = (part.as_micros() as f64, whole.as_micros() as f64);
    if whole > 0.0 { part / whole * 100.0 } else { 0.0 }
}
