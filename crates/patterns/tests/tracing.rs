//! The rules of trace context: the header, spans, links.

use patterns::tracing::span::{Continuation, Creation, FollowLinks};
use patterns::tracing::traceparent::TraceParentError;
use patterns::tracing::{
    SpanId, SpanKind, SpanOperation, TraceFlags, TraceId, TraceParent, Tracer,
};
use sim::{SimDuration, SimTime, Stream};

const GOOD: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

#[test]
fn a_header_is_written_as_it_was_read() {
    for header in [GOOD, "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"] {
        let read = TraceParent::read(header).expect("it reads");
        assert_eq!(read.to_string(), header);
    }
    let mut stream = Stream::new(1, "trace", 0);
    for _ in 0..100 {
        let made = TraceParent::start(TraceFlags::SAMPLED, &mut stream);
        assert_eq!(TraceParent::read(&made.to_string()), Ok(made));
    }
}

#[test]
fn what_does_not_read_says_why() {
    let id = "4bf92f3577b34da6a3ce929d0e0e4736";
    let zeros = "0".repeat(32);
    let rows = [
        (format!("01-{id}-00f067aa0ba902b7-01-later"), None),
        (format!("01-{id}-00f067aa0ba902b7-01"), None),
        (format!(" {GOOD}\t"), None),
        (format!("{GOOD}-x"), Some(TraceParentError::TrailingData)),
        (format!("{GOOD}x"), Some(TraceParentError::TrailingData)),
        (format!("01-{id}-00f067aa0ba902b7-01x"), Some(TraceParentError::TrailingData)),
        (format!("ff-{id}-00f067aa0ba902b7-01"), Some(TraceParentError::ForbiddenVersion)),
        (format!("00-{zeros}-00f067aa0ba902b7-01"), Some(TraceParentError::ZeroTrace)),
        (format!("00-{id}-0000000000000000-01"), Some(TraceParentError::ZeroSpan)),
        (GOOD.to_uppercase(), Some(TraceParentError::NotHexadecimal)),
        (GOOD.replace('f', "g"), Some(TraceParentError::NotHexadecimal)),
        (GOOD.replace('-', "_"), Some(TraceParentError::Shape)),
        (GOOD[..54].to_owned(), Some(TraceParentError::Shape)),
        (String::new(), Some(TraceParentError::Shape)),
        ("ä".repeat(55), Some(TraceParentError::Shape)),
    ];
    for (header, error) in rows {
        assert_eq!(TraceParent::read(&header).err(), error, "{header}");
    }
}

#[test]
fn a_header_counts_once_and_its_name_in_any_case() {
    let read = |headers: &[(&'static str, &'static str)]| {
        TraceParent::read_headers(headers.iter().copied())
    };
    assert!(matches!(read(&[("TraceParent", GOOD)]), Some(Ok(_))));
    assert_eq!(read(&[("tracestate", "a=1")]), None, "a state alone means nothing");
    let twice = read(&[("traceparent", GOOD), ("TRACEPARENT", GOOD)]);
    assert_eq!(twice, Some(Err(TraceParentError::Duplicate)));
}

#[test]
fn flags_without_a_meaning_are_read_and_not_passed_on() {
    let read = TraceParent::read(&GOOD.replace("-01", "-ff")).expect("it reads");
    assert!(read.flags.has(TraceFlags::SAMPLED) && read.flags.has(TraceFlags::RANDOM));
    assert_eq!(read.flags.bits(), 0xff);
    let next = read.with_span(SpanId::new(1).expect("not zero"));
    assert_eq!((next.trace, next.flags.bits()), (read.trace, 3));
    assert_eq!((TraceId::new(0), SpanId::new(0)), (None, None));
}

#[test]
fn operations_have_their_kind() {
    use SpanOperation::{Create, Process, Receive, Request, Send, Settle};
    let rows = [
        (Create, Creation::BySpan, SpanKind::Producer),
        (Send, Creation::BySend, SpanKind::Producer),
        (Send, Creation::BySpan, SpanKind::Client),
        (Receive, Creation::BySend, SpanKind::Client),
        (Process, Creation::BySend, SpanKind::Consumer),
        (Settle, Creation::BySend, SpanKind::Client),
        (Request, Creation::BySend, SpanKind::Server),
    ];
    for (operation, creation, kind) in rows {
        assert_eq!(operation.kind(creation), kind, "{operation:?} {creation:?}");
    }
}

struct House {
    tracer: Tracer,
    stream: Stream,
}

impl House {
    fn new() -> Self {
        Self { tracer: Tracer::new(), stream: Stream::new(1, "trace", 0) }
    }

    fn span(
        &mut self,
        (start, end): (u64, u64),
        operation: SpanOperation,
        parent: Option<TraceParent>,
    ) -> TraceParent {
        let now = SimTime::from_millis(start);
        let span = self.tracer.begin(now, operation, Creation::BySend, parent, &mut self.stream);
        self.tracer.end(SimTime::from_millis(end), span);
        self.tracer.span(span).context
    }

    fn for_messages(
        &mut self,
        (start, end): (u64, u64),
        operation: SpanOperation,
        carried: &[Option<TraceParent>],
        continuation: Continuation,
    ) -> usize {
        let now = SimTime::from_millis(start);
        let stream = &mut self.stream;
        let span =
            self.tracer.begin_for_messages(now, operation, carried, continuation, None, stream);
        self.tracer.end(SimTime::from_millis(end), span);
        span
    }
}

/// A request of 80 ms publishes; the work is done four minutes later, for a second.
#[test]
fn a_trace_ends_at_the_publish_unless_something_carries_it_on() {
    let rows = [
        (Continuation::None, 80, 80),
        (Continuation::Link, 80, 241_000),
        (Continuation::Child, 241_000, 241_000),
    ];
    for (continuation, alone, followed) in rows {
        let mut house = House::new();
        let request = house.span((0, 80), SpanOperation::Request, None);
        let send = house.span((70, 75), SpanOperation::Send, Some(request));
        assert_eq!(send.trace, request.trace);
        house.for_messages((240_000, 241_000), SpanOperation::Process, &[Some(send)], continuation);
        let length = |links| house.tracer.length(request.trace, links);
        assert_eq!(length(FollowLinks::No), SimDuration::from_millis(alone), "{continuation:?}");
        assert_eq!(
            length(FollowLinks::Yes),
            SimDuration::from_millis(followed),
            "{continuation:?}"
        );
    }
}

#[test]
fn a_batch_links_to_every_message_and_has_no_parent() {
    let mut house = House::new();
    let sends = [0, 1].map(|at| Some(house.span((at, at), SpanOperation::Send, None)));
    for continuation in [Continuation::Link, Continuation::Child] {
        let receive = house.for_messages((9, 9), SpanOperation::Receive, &sends, continuation);
        let span = house.tracer.span(receive);
        assert_eq!(span.links, sends.iter().flatten().copied().collect::<Vec<_>>());
        assert_eq!((span.parent, span.batch, span.kind), (None, Some(2), SpanKind::Client));
    }
    let some =
        house.for_messages((9, 9), SpanOperation::Receive, &[None, sends[0]], Continuation::Link);
    assert_eq!(house.tracer.span(some).links.len(), 1, "a message without a context has no link");
}

#[test]
fn a_single_message_may_be_a_child_and_is_linked_as_well() {
    let mut house = House::new();
    let send = house.span((0, 1), SpanOperation::Send, None);
    let process =
        house.for_messages((5, 6), SpanOperation::Process, &[Some(send)], Continuation::Child);
    let span = house.tracer.span(process);
    assert_eq!((span.parent, span.context.trace), (Some(send.span), send.trace));
    assert_eq!((span.links.clone(), span.batch), (vec![send], None));
}

#[test]
fn a_fan_out_has_a_link_each_and_a_redelivery_a_span_of_its_own() {
    let mut house = House::new();
    let send = house.span((0, 1), SpanOperation::Send, None);
    let spans = [10, 20, 30].map(|at| {
        house.for_messages((at, at), SpanOperation::Process, &[Some(send)], Continuation::Link)
    });
    let contexts = spans.map(|span| house.tracer.span(span).context);
    for (place, span) in spans.iter().enumerate() {
        assert_eq!(house.tracer.span(*span).links, [send]);
        assert!(contexts[..place].iter().all(|other| other.trace != contexts[place].trace));
    }
    assert_eq!(house.tracer.spans().len(), 4);
}
