//! Spans of messaging: `open-telemetry/semantic-conventions:docs/messaging/messaging-spans.md`.
//!
//! | operation | kind |
//! | --- | --- |
//! | create | producer |
//! | send | producer, if its context is what the message carries; client, if a create span's is |
//! | receive | client |
//! | process | consumer |
//! | settle | client |
//!
//! Receive and process *link* to what each message carries. A parent can be only one, and a message
//! may be picked up in forty minutes, by several, or in a batch; so a link is the rule, and a parent
//! an option for the processing of a single message. A redelivery is a new span with the same link.

use sim::{SimDuration, SimTime, Stream};

use super::traceparent::{SpanId, TraceId, TraceParent};

/// What a span is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpanOperation {
    /// A request that is not about messages: the root of most traces.
    Request,
    /// A message is made, to be sent later, in a batch.
    Create,
    /// Messages are handed to the broker.
    Send,
    /// Messages are fetched.
    Receive,
    /// A message is handled.
    Process,
    /// Messages are acked, or not.
    Settle,
}

/// The kind of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpanKind {
    /// It answers a request.
    Server,
    /// It makes a request and waits.
    Client,
    /// It makes what is handled later.
    Producer,
    /// It handles what was made earlier.
    Consumer,
}

/// Where what a message carries was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Creation {
    /// By the span of the send itself.
    BySend,
    /// By a create span for each message.
    BySpan,
}

/// How the handling of a message goes on with its trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Continuation {
    /// It does not: the trace ends at the send.
    None,
    /// A trace of its own, linked.
    Link,
    /// A child of what the message carries, linked as well; for single messages only.
    Child,
}

/// A span.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// Which trace it is in, and which span it is.
    pub context: TraceParent,
    /// The span that it is part of.
    pub parent: Option<SpanId>,
    /// What it was caused by, in other traces or this one.
    pub links: Vec<TraceParent>,
    /// What it is about.
    pub operation: SpanOperation,
    /// Its kind.
    pub kind: SpanKind,
    /// How many messages it is about, if it is about more than one
    /// (`messaging.batch.message_count`).
    pub batch: Option<u32>,
    /// When it began.
    pub start: SimTime,
    /// When it ended.
    pub end: Option<SimTime>,
}

/// Begins and ends spans, and keeps them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tracer {
    spans: Vec<Span>,
}

impl SpanOperation {
    /// The kind of its spans.
    #[must_use]
    pub const fn kind(self, creation: Creation) -> SpanKind {
        match (self, creation) {
            (Self::Request, _) => SpanKind::Server,
            (Self::Create, _) | (Self::Send, Creation::BySend) => SpanKind::Producer,
            (Self::Send, Creation::BySpan) | (Self::Receive | Self::Settle, _) => SpanKind::Client,
            (Self::Process, _) => SpanKind::Consumer,
        }
    }
}

impl Tracer {
    /// A tracer without spans.
    #[must_use]
    pub const fn new() -> Self {
        Self { spans: Vec::new() }
    }

    /// Begins a span that is part of another, or a trace of its own. Answers with its place.
    pub fn begin(
        &mut self,
        now: SimTime,
        operation: SpanOperation,
        creation: Creation,
        parent: Option<TraceParent>,
        stream: &mut Stream,
    ) -> usize {
        let context = match parent {
            Some(parent) => parent.with_span(SpanId::draw(stream)),
            None => TraceParent::start(super::TraceFlags::SAMPLED, stream),
        };
        self.spans.push(Span {
            context,
            parent: parent.map(|parent| parent.span),
            links: Vec::new(),
            operation,
            kind: operation.kind(creation),
            batch: None,
            start: now,
            end: None,
        });
        self.spans.len() - 1
    }

    /// Begins the receive or the handling of messages that carry these contexts; a message that
    /// carries none has nothing to link to. `around` is the span that is going on, if one is.
    pub fn begin_for_messages(
        &mut self,
        now: SimTime,
        operation: SpanOperation,
        carried: &[Option<TraceParent>],
        continuation: Continuation,
        around: Option<TraceParent>,
        stream: &mut Stream,
    ) -> usize {
        let single = match (carried, continuation, operation) {
            ([one], Continuation::Child, SpanOperation::Process) => *one,
            _ => None,
        };
        let parent = single.or(around);
        let place = self.begin(now, operation, Creation::BySend, parent, stream);
        let span = &mut self.spans[place];
        if continuation != Continuation::None {
            span.links = carried.iter().flatten().copied().collect();
        }
        if carried.len() > 1 {
            span.batch = Some(carried.len() as u32);
        }
        place
    }

    /// Ends a span.
    pub fn end(&mut self, now: SimTime, span: usize) {
        self.spans[span].end = Some(now);
    }

    /// A span, by its place.
    #[must_use]
    pub fn span(&self, span: usize) -> &Span {
        &self.spans[span]
    }

    /// All spans, in the order in which they began.
    #[must_use]
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// What was known at a time: later spans are not there, and what was going on goes on until then.
    #[must_use]
    pub fn until(&self, now: SimTime) -> Self {
        let begun = self.spans.iter().filter(|span| span.start <= now).cloned();
        let known = begun.map(|mut span| {
            span.end = Some(span.end.unwrap_or(now).min(now));
            span
        });
        Self { spans: known.collect() }
    }

    /// How long a trace appears to have taken to someone who looks at it, and follows links or not:
    /// from its first span to the end of its last.
    #[must_use]
    pub fn length(&self, trace: TraceId, links: FollowLinks) -> SimDuration {
        let mut traces = vec![trace];
        if links == FollowLinks::Yes {
            // Links lead from later spans to earlier ones, so one pass in order finds all.
            for span in &self.spans {
                let linked = span.links.iter().any(|link| traces.contains(&link.trace));
                if linked && !traces.contains(&span.context.trace) {
                    traces.push(span.context.trace);
                }
            }
        }
        let seen = self.spans.iter().filter(|span| traces.contains(&span.context.trace));
        let (mut first, mut last) = (SimTime::MAX, SimTime::ZERO);
        for span in seen {
            first = first.min(span.start);
            last = last.max(span.end.unwrap_or(span.start));
        }
        last.saturating_since(first)
    }
}

/// Whether links are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FollowLinks {
    /// They are.
    Yes,
    /// They are not.
    No,
}
