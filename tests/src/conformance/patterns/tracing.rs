//! Trace context: headers that continue a trace and headers that start a new one, and the spans of
//! messaging.
//!
//! | part | its cases |
//! | --- | --- |
//! | `accept_continue_trace_id`, `reject_new_trace` | a header each |
//! | `examples` | a header each, read and written |
//! | `flags` | a bit by name |
//! | `header_name_case_insensitive`, `duplicate_header` | one each |
//! | `otel_messaging` | `span_kind` by operation; `batch_example` |

use patterns::tracing::span::{Continuation, Creation};
use patterns::tracing::{SpanKind, SpanOperation, TraceFlags, TraceParent, Tracer};
use sim::{SimTime, Stream};

use super::{Case, Differences, Node, Problem, case, has_any};

const SAMPLE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

pub(super) fn recognises(root: &Node<'_>) -> bool {
    has_any(root, &["accept_continue_trace_id", "reject_new_trace"])
}

pub(super) fn replay(root: &Node<'_>) -> Result<Vec<Case>, Problem> {
    let mut cases = Vec::new();
    let lists: [(&str, Check); 3] =
        [("accept_continue_trace_id", accept), ("reject_new_trace", reject), ("examples", round)];
    for (key, check) in lists {
        if let Some(list) = root.get(key) {
            for header in list.items()? {
                let name = format!("{key} {:?}", header.text()?);
                cases.push(case(name, || Ok(check(header.text()?))));
            }
        }
    }
    if let Some(expected) = root.get("header_name_case_insensitive") {
        cases.push(case("header name in any case", || {
            let read = TraceParent::read_headers([("TraceParent", SAMPLE)].into_iter());
            let mut differences = Differences::default();
            differences.compare("read", &expected.truth()?, &matches!(read, Some(Ok(_))));
            Ok(differences)
        }));
    }
    if let Some(expected) = root.get("duplicate_header") {
        cases.push(case(format!("duplicate header: {}", expected.text()?), || {
            let twice = [("traceparent", SAMPLE), ("traceparent", SAMPLE)];
            let restarts = matches!(TraceParent::read_headers(twice.into_iter()), Some(Err(_)));
            let mut differences = Differences::default();
            differences.compare("restarts", &(expected.text()? == "restart trace"), &restarts);
            Ok(differences)
        }));
    }
    if let Some(flags) = root.get("flags") {
        for (name, bit) in flags.members()? {
            cases.push(case(format!("flags {name}"), || {
                let flag = match name {
                    "sampled_bit" => TraceFlags::SAMPLED,
                    "random_bit" => TraceFlags::RANDOM,
                    _ => return Err(bit.problem("no such flag", "use sampled_bit or random_bit")),
                };
                let mut differences = Differences::default();
                differences.compare("bit", &bit.whole()?, &u32::from(flag.bits()));
                Ok(differences)
            }));
        }
    }
    if let Some(messaging) = root.get("otel_messaging") {
        spans(&messaging, &mut cases)?;
    }
    Ok(cases)
}

type Check = fn(&str) -> Differences;

fn accept(header: &str) -> Differences {
    let mut differences = Differences::default();
    match TraceParent::read(header) {
        Ok(read) => {
            let trace = header.trim().get(3..35).unwrap_or_default();
            differences.compare("trace id", &trace.to_owned(), &read.trace.to_string());
        }
        Err(error) => differences.0.push(format!("expected to be read, came out as {error}")),
    }
    differences
}

fn reject(header: &str) -> Differences {
    let mut differences = Differences::default();
    if let Ok(read) = TraceParent::read(header) {
        differences.0.push(format!("expected a new trace, came out as {read}"));
    }
    differences
}

fn round(header: &str) -> Differences {
    let mut differences = Differences::default();
    let written = TraceParent::read(header).map(|read| read.to_string());
    differences.compare("read and written", &Ok(header.to_owned()), &written);
    differences
}

fn spans(node: &Node<'_>, cases: &mut Vec<Case>) -> Result<(), Problem> {
    if let Some(kinds) = node.get("span_kind") {
        for (name, kind) in kinds.members()? {
            cases.push(case(format!("span kind of {name}"), || {
                let operation = match name {
                    "create" => SpanOperation::Create,
                    "send" => SpanOperation::Send,
                    "receive" => SpanOperation::Receive,
                    "process" => SpanOperation::Process,
                    "settle" => SpanOperation::Settle,
                    _ => return Err(kind.problem("no such operation", "use one of messaging")),
                };
                let words: Vec<&str> = kind.text()?.split(' ').collect();
                let mut differences = Differences::default();
                let named = |word: &str| match word {
                    "PRODUCER" => Some(SpanKind::Producer),
                    "CLIENT" => Some(SpanKind::Client),
                    "CONSUMER" => Some(SpanKind::Consumer),
                    _ => None,
                };
                // "PRODUCER if its context is the creation context else CLIENT"
                let (first, last) = (words[0], words[words.len() - 1]);
                for (creation, word) in [(Creation::BySend, first), (Creation::BySpan, last)] {
                    let actual = Some(operation.kind(creation));
                    differences.compare(&format!("{creation:?}"), &named(word), &actual);
                }
                Ok(differences)
            }));
        }
    }
    if let Some(example) = node.get("batch_example") {
        cases.push(case("a batch receive", || batch(&example)));
    }
    Ok(())
}

/// So many sends, then one receive of all that they sent.
fn batch(example: &Node<'_>) -> Result<Differences, Problem> {
    let mut stream = Stream::new(1, "spans", 0);
    let mut tracer = Tracer::new();
    let now = SimTime::ZERO;
    let mut carried = Vec::new();
    for _ in 0..example.need("send_spans", "say how many there are")?.whole()? {
        let send = tracer.begin(now, SpanOperation::Send, Creation::BySend, None, &mut stream);
        carried.push(Some(tracer.span(send).context));
    }
    let (operation, link) = (SpanOperation::Receive, Continuation::Link);
    let receive = tracer.begin_for_messages(now, operation, &carried, link, None, &mut stream);
    let span = tracer.span(receive);
    let mut differences = Differences::default();
    for (key, expected) in example.members()? {
        match key {
            "send_spans" => {}
            "receive_span_links" => {
                differences.compare(key, &expected.whole()?, &(span.links.len() as u32));
            }
            "receive_span_parent" => {
                differences.compare(key, &expected.value().is_null(), &span.parent.is_none());
            }
            "batch_message_count" => {
                differences.compare(key, &Some(expected.whole()?), &span.batch);
            }
            _ => return Err(expected.problem("not known", "use links, parent and message count")),
        }
    }
    Ok(differences)
}
