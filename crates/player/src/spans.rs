//! The spans of an event: who did what about it, what was part of what, and what linked to what.
//!
//! They are folded from the trace by the rules of `patterns::tracing`: a send is part of the request
//! or the handling that sends, a handling links to the send that made its message, and a redelivery
//! is a new span with the same link. What a worker is handed to settle at once is one span with a
//! link for each message. The ids are drawn from the run's seed.

use broker::MessageId;
use patterns::tracing::span::{Creation, FollowLinks};
use patterns::tracing::{SpanOperation, TraceParent, Tracer};
use scenario::{Batch, ComponentId, Kind};
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
    of: Of,
    stream: Stream,
    spans: Spans,
    /// The messages of the handlings that are of several.
    batches: Vec<(usize, Vec<MessageId>)>,
}

/// Whose spans.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    /// Those of the whole run.
    Run,
    /// Those about this event.
    Event(MessageId),
}

impl Player {
    /// The spans of the event that a message tells of, as far as the run is computed.
    #[must_use]
    pub fn spans(&self, message: MessageId) -> Spans {
        let event = self.head().messages().event(message);
        self.fold(Of::Event(event), u64::from(event.number()))
    }

    /// The spans of the whole run, as far as it is computed.
    #[must_use]
    pub fn all_spans(&self) -> Spans {
        self.fold(Of::Run, 0)
    }

    fn fold(&self, of: Of, stream: u64) -> Spans {
        let stream = Stream::new(self.scenario().seed, "spans", stream);
        let spans = Spans { tracer: Tracer::new(), about: Vec::new() };
        let mut fold = Fold { player: self, of, stream, spans, batches: Vec::new() };
        let mut rest = self.trace();
        while !rest.is_empty() {
            rest = &rest[fold.follow(rest)..];
        }
        fold.spans
    }
}

impl Fold<'_> {
    /// Follows the next event, or the next few if they belong together. Tells how many.
    fn follow(&mut self, rest: &[TraceEvent]) -> usize {
        let TraceEvent { at, what } = rest[0];
        match what {
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
            What::Received { worker, .. } if self.takes_batches(worker) => {
                let handed = rest.iter().map_while(|event| match event.what {
                    What::Received { worker: same, message, .. } if same == worker => Some(message),
                    _ => None,
                });
                let all: Vec<MessageId> = handed.collect();
                let handed = all.len();
                if all.iter().any(|message| self.is_mine(*message)) {
                    self.handling_begins(at, worker, all);
                }
                return handed;
            }
            What::Received { message, worker, .. } | What::Fetched { message, worker, .. }
                if self.is_mine(message) =>
            {
                self.handling_begins(at, worker, vec![message]);
            }
            What::Acked { message, worker, .. }
            | What::AckRefused { message, worker, .. }
            | What::AckLost { message, worker, .. }
            | What::Nacked { message, worker, .. }
            | What::RunOver { message, worker, .. }
            | What::Crashed { worker, holding: Some(message) } => {
                self.end(at, SpanOperation::Process, message, |about| about.worker == Some(worker));
            }
            What::DeadLettered { message, .. } => {
                self.end(at, SpanOperation::Process, message, |_| true);
            }
            _ => {}
        }
        1
    }

    /// Whether a worker handles what it is handed at once as one.
    fn takes_batches(&self, worker: WorkerId) -> bool {
        match &self.player.scenario().component(worker.component).kind {
            Kind::Workers(workers) => workers.taking.batch != Batch::Each,
            _ => false,
        }
    }

    fn is_mine(&self, message: MessageId) -> bool {
        match self.of {
            Of::Run => true,
            Of::Event(event) => self.player.head().messages().event(message) == event,
        }
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

    /// A worker begins to handle messages: with a link to what each of them carries.
    fn handling_begins(&mut self, at: SimTime, worker: WorkerId, all: Vec<MessageId>) {
        let carried: Vec<_> = all.iter().map(|message| self.carried(*message)).collect();
        let Spans { tracer, about } = &mut self.spans;
        let continuation = self.player.scenario().tracing;
        let (process, stream) = (SpanOperation::Process, &mut self.stream);
        tracer.begin_for_messages(at, process, &carried, continuation, None, stream);
        about.push(About { component: worker.component, worker: Some(worker), message: all[0] });
        if all.len() > 1 {
            self.batches.push((about.len() - 1, all));
        }
    }

    /// What a message carries: where its trace was when it was sent.
    fn carried(&self, message: MessageId) -> Option<TraceParent> {
        let root = self.player.head().messages().root(message);
        self.latest(|operation, about| {
            operation == SpanOperation::Send && (about.message == message || about.message == root)
        })
    }

    fn end(
        &mut self,
        at: SimTime,
        wanted: SpanOperation,
        message: MessageId,
        fits: impl Fn(&About) -> bool,
    ) {
        let spans = self.spans.tracer.spans();
        let found = (0..spans.len()).rev().find(|&n| {
            let (span, about) = (&spans[n], &self.spans.about[n]);
            // A batch ends with the last of its messages.
            let its = match self.batches.iter().find(|(place, _)| *place == n) {
                Some((_, all)) => all.contains(&message),
                None => about.message == message && span.end.is_none(),
            };
            span.operation == wanted && its && fits(about)
        });
        if let Some(n) = found {
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
                let event = messages.event(about.message);
                operation != SpanOperation::Send && event == messages.event(message)
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
