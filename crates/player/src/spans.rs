//! The spans of an event: who did what about it, what was part of what, and what linked to what.
//!
//! They are folded from the trace by the rules of `patterns::tracing`: a send is part of the request
//! or the handling that sends, a handling links to the send that made its message, and a redelivery
//! is a new span with the same link. The ids are drawn from the run's seed.

use broker::MessageId;
use patterns::tracing::span::{Continuation, Creation, FollowLinks};
use patterns::tracing::{SpanOperation, TraceParent, Tracer};
use scenario::{ComponentId, Kind};
use sim::{SimDuration, SimTime, Stream};
use world::{TraceEvent, What, WorkerId};

use crate::Player;

/// The spans of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spans {
    /// The spans, with their parents and links.
    pub tracer: Tracer,
    /// What each is about, in the same order.
    pub about: Vec<About>,
}

/// What a span is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct About {
    /// The component.
    pub component: ComponentId,
    /// Which of its processes, where that is known.
    pub worker: Option<WorkerId>,
    /// The message.
    pub message: MessageId,
}

impl Spans {
    /// How long the trace of the first span looks to somebody who follows links, or does not.
    #[must_use]
    pub fn length(&self, links: FollowLinks) -> SimDuration {
        match self.tracer.spans().first() {
            Some(first) => self.tracer.length(first.context.trace, links),
            None => SimDuration::ZERO,
        }
    }
}

/// Folds a trace into spans.
struct Fold<'a> {
    player: &'a Player,
    event: MessageId,
    continuation: Continuation,
    stream: Stream,
    spans: Spans,
}

impl Player {
    /// The spans of the event that a message tells of, as far as the run is computed.
    #[must_use]
    pub fn spans(&self, message: MessageId, continuation: Continuation) -> Spans {
        let event = self.head().messages().event(message);
        let stream = Stream::new(self.scenario().seed, "spans", u64::from(event.number()));
        let spans = Spans { tracer: Tracer::new(), about: Vec::new() };
        let mut fold = Fold { player: self, event, continuation, stream, spans };
        self.trace().iter().for_each(|event| fold.follow(event));
        fold.spans
    }
}

impl Fold<'_> {
    fn follow(&mut self, event: &TraceEvent) {
        let at = event.at;
        match event.what {
            What::Requested { source, service, message } if self.is_mine(message) => {
                let around = self.open(source, message);
                self.begin(at, SpanOperation::Request, around, service, message);
            }
            What::Responded { service, message, .. } | What::Reset { service, message, .. } => {
                self.end(at, SpanOperation::Request, message, |about| about.component == service);
            }
            What::Published { by, message, .. } if self.is_mine(message) => {
                let around = self.sender(by, message);
                self.begin(at, SpanOperation::Send, around, by, message);
            }
            What::Confirmed { by, message, .. } | What::ConfirmLost { by, message, .. } => {
                self.end(at, SpanOperation::Send, message, |about| about.component == by);
            }
            What::PublishRefused { message, .. } => {
                self.end(at, SpanOperation::Send, message, |_| true);
            }
            What::Received { message, worker, .. } | What::Fetched { message, worker, .. }
                if self.is_mine(message) =>
            {
                self.handling_begins(at, worker, message);
            }
            What::Acked { message, worker, .. }
            | What::AckRefused { message, worker, .. }
            | What::AckLost { message, worker, .. }
            | What::Nacked { message, worker, .. }
            | What::RunOver { message, worker, .. }
            | What::Crashed { worker, holding: Some(message) } => {
                self.end(at, SpanOperation::Process, message, |about| about.worker == Some(worker));
            }
            _ => {}
        }
    }

    fn is_mine(&self, message: MessageId) -> bool {
        self.player.head().messages().event(message) == self.event
    }

    fn begin(
        &mut self,
        at: SimTime,
        operation: SpanOperation,
        around: Option<TraceParent>,
        component: ComponentId,
        message: MessageId,
    ) {
        let Spans { tracer, about } = &mut self.spans;
        tracer.begin(at, operation, Creation::BySend, around, &mut self.stream);
        about.push(About { component, worker: None, message });
    }

    /// A worker begins to handle a message: with a link to what the message carries.
    fn handling_begins(&mut self, at: SimTime, worker: WorkerId, message: MessageId) {
        let root = self.player.head().messages().root(message);
        let carried = self.latest(|operation, about| {
            operation == SpanOperation::Send && (about.message == message || about.message == root)
        });
        let Spans { tracer, about } = &mut self.spans;
        let process = SpanOperation::Process;
        let (continuation, stream) = (self.continuation, &mut self.stream);
        tracer.begin_for_messages(at, process, &[carried], continuation, None, stream);
        about.push(About { component: worker.component, worker: Some(worker), message });
    }

    fn end(
        &mut self,
        at: SimTime,
        wanted: SpanOperation,
        message: MessageId,
        fits: impl Fn(&About) -> bool,
    ) {
        let spans = self.spans.tracer.spans();
        let open = (0..spans.len()).rev().find(|&n| {
            let (span, about) = (&spans[n], &self.spans.about[n]);
            let of_kind = span.operation == wanted && span.end.is_none();
            of_kind && about.message == message && fits(about)
        });
        if let Some(n) = open {
            self.spans.tracer.end(at, n);
        }
    }

    /// What a component is at about a message.
    fn open(&self, component: ComponentId, message: MessageId) -> Option<TraceParent> {
        let spans = self.spans.tracer.spans();
        let fits = |&n: &usize| {
            let about = &self.spans.about[n];
            spans[n].end.is_none() && about.component == component && about.message == message
        };
        let runs = |&n: &usize| spans[n].operation != SpanOperation::Send;
        (0..spans.len()).rev().find(|n| fits(n) && runs(n)).map(|n| spans[n].context)
    }

    /// What a send is part of: the request or handling that sends; for a relay, the one that has
    /// written the event into the outbox, whose context stands in the row.
    fn sender(&self, by: ComponentId, message: MessageId) -> Option<TraceParent> {
        let messages = self.player.head().messages();
        let from = messages[message].parent.unwrap_or(message);
        match &self.player.scenario().component(by).kind {
            Kind::Relay(_) => self.latest(|operation, about| {
                operation != SpanOperation::Send && messages.event(about.message) == self.event
            }),
            _ => self.open(by, from),
        }
    }

    fn latest(&self, fits: impl Fn(SpanOperation, &About) -> bool) -> Option<TraceParent> {
        let spans = self.spans.tracer.spans();
        let found = (0..spans.len()).rev();
        let mut found = found.filter(|&n| fits(spans[n].operation, &self.spans.about[n]));
        found.next().map(|n| spans[n].context)
    }
}
