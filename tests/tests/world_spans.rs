//! The rules of spans, and of windows between a write and what others see of it, each as a run.

#![allow(clippy::needless_pass_by_value, reason = "what json! makes is handed over")]

use broker::MessageId;
use patterns::tracing::SpanOperation;
use patterns::tracing::span::FollowLinks;
use player::{Gauge, Seen, Spans};
use serde_json::{Value as Json, json};
use sim::SimDuration;
use tests::runs::{changed, check_run, finished};

/// A service that answers in 80 ms and publishes to a topic with so many queues behind it, whose
/// workers begin after four minutes.
fn late(queues: usize) -> Json {
    let mut parts = json!({
        "feed": { "is": "source", "to": "api", "request": "order", "arrivals": { "at": ["0s"] } },
        "api": { "is": "service", "handles": { "order": [
            { "wait": { "for": "80ms" } }, { "publish": { "to": "news" } }, { "respond": 202 } ] } },
    });
    let mut to = Vec::new();
    for n in 1..=queues {
        let (queue, crew) = (format!("q{n}"), format!("crew{n}"));
        to.push(json!({ "queue": queue }));
        parts[&queue] = json!({ "is": "queue", "profile": "sqs-standard", "visibility_timeout": "20s", "delay": "4m" });
        parts[crew] = json!({ "is": "workers", "from": queue, "restart_after": "1s",
                              "on_message": [{ "wait": { "for": "2s" } }, "ack"] });
    }
    parts["news"] = json!({ "is": "topic", "to": to });
    json!({ "format": 1, "name": "test", "seed": "1", "until": "600s", "components": parts })
}

/// The spans of the first event, if consumers go on with a trace in this way.
fn spans(document: &Json, tracing: &str) -> Spans {
    let document = changed(document.clone(), &[("/tracing", json!(tracing))]);
    finished(&document).spans(MessageId::from_index(0))
}

fn links(spans: &Spans) -> usize {
    spans.tracer.spans().iter().map(|span| span.links.len()).sum()
}

/// F-TRACE-1.
#[test]
fn a_trace_ends_at_the_publish_unless_links_are_followed() {
    let run = late(1);
    let linked = spans(&run, "link");
    assert_eq!(linked.length(FollowLinks::No), SimDuration::from_millis(80));
    assert_eq!(linked.length(FollowLinks::Yes), SimDuration::from_millis(242_080));
    let none = spans(&run, "none");
    assert_eq!(none.length(FollowLinks::Yes), SimDuration::from_millis(80));
    let child = spans(&run, "child");
    assert_eq!(child.length(FollowLinks::No), SimDuration::from_millis(242_080));
}

#[test]
fn a_send_is_part_of_its_request_and_a_handling_links_to_its_send() {
    let run = finished(&late(1));
    let Spans { tracer, about } = spans(&late(1), "link");
    let operations: Vec<_> = tracer.spans().iter().map(|span| span.operation).collect();
    assert_eq!(operations, [SpanOperation::Request, SpanOperation::Send, SpanOperation::Process]);
    let [request, send, process] = tracer.spans() else { panic!("three spans") };
    assert_eq!((request.parent, send.parent), (None, Some(request.context.span)));
    assert_eq!((process.parent, &process.links), (None, &vec![send.context]));
    assert_ne!(process.context.trace, send.context.trace);
    assert_eq!(about[2].component, run.scenario().find("crew1").expect("it is there"));
}

/// F-TRACE-3.
#[test]
fn one_publish_to_three_is_linked_to_three_times() {
    let three = spans(&late(3), "link");
    assert_eq!((three.tracer.spans().len(), links(&three)), (5, 3));
}

/// F-TRACE-4: ten messages that are settled at once are one handling, which points at ten sends and is
/// part of none, whatever was asked for.
#[test]
fn a_batch_is_one_span_with_a_link_for_each_message() {
    let document = changed(
        late(1),
        &[
            ("/components/feed/arrivals", json!({ "at": vec!["0s"; 10] })),
            (
                "/components/crew1/receive",
                json!({ "max": 10, "batch": "ack-all", "poll": { "every": "7s" } }),
            ),
            ("/components/crew1/on_message", json!([{ "wait": { "for": "2s" } }])),
            ("/components/q1/visibility_timeout", json!("60s")),
            ("/tracing", json!("child")),
        ],
    );
    let run = finished(&document);
    let Spans { tracer, about } = run.all_spans();
    let process = tracer.spans().iter().position(|span| span.operation == SpanOperation::Process);
    let process = process.expect("they are handled");
    let span = &tracer.spans()[process];
    assert_eq!((span.links.len(), span.parent, span.batch), (10, None, Some(10)));
    assert!(about[process].worker.is_some());
    // One after another in 2 s each, and acked together.
    assert_eq!(span.end.map(|end| end - span.start), Some(SimDuration::from_secs(20)));
    // One event knows of its own send, and of the handling that it was part of.
    assert_eq!(links(&run.spans(MessageId::from_index(4))), 1);
}

#[test]
fn what_is_seen_of_traces_is_read_as_time_goes_on() {
    let read = |tracing: &str, seen: Seen, at: u64| {
        let run = finished(&changed(late(1), &[("/tracing", json!(tracing))]));
        run.gauge(Gauge::Traced(seen)).value_at(sim::SimTime::from_secs(at))
    };
    let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-6, "{found}");
    near(read("link", Seen::Length, 600), 0.08);
    near(read("link", Seen::LengthWithLinks, 239), 0.08);
    near(read("link", Seen::LengthWithLinks, 600), 242.08);
    near(read("child", Seen::Length, 600), 242.08);
    near(read("none", Seen::Orphans, 600), 1.0);
    near(read("link", Seen::Orphans, 600), 0.0);
    near(read("link", Seen::Traces, 600), 2.0);
    near(read("child", Seen::Traces, 600), 1.0);
}

#[test]
fn a_redelivery_is_a_new_span_with_the_same_link() {
    let mut document = late(1);
    document["faults"] = json!([{ "at": "241s", "crash": { "component": "crew1" } }]);
    let again = spans(&document, "link");
    let all: Vec<_> = again.tracer.spans().iter().collect();
    assert_eq!(all.len(), 4);
    assert_eq!(all[2].links, all[3].links);
    assert!(all[2].end < Some(all[3].start) && all[2].context.span != all[3].context.span);
}

/// F-RYW-1, F-RYW-2: a list that is filled two seconds after the write does not have it at 0.3 s; the
/// source of truth does.
#[test]
fn a_projection_lags_behind_and_its_author_can_be_shown_the_source() {
    let ask = |at: &str, request: &str| {
        json!({ "is": "source", "to": "api", "request": request, "arrivals": { "at": [at] },
                "messages": [{ "order": "o-1" }] })
    };
    let look = |table: &str| {
        json!([{ "read": { "from": table, "where": { "id": { "field": "order" } },
                           "on": { "zero-rows": [{ "respond": 404 }] } } }, { "respond": 200 }])
    };
    let row =
        |table: &str| json!({ "insert": { "into": table, "row": { "id": { "field": "order" } } } });
    let document = json!({
        "format": 1, "name": "test", "seed": "1", "until": "60s",
        "components": {
            "author": ask("0s", "write"),
            "early": ask("300ms", "list"), "later": ask("2100ms", "list"), "own": ask("300ms", "mine"),
            "api": { "is": "service", "handles": {
                "write": [row("db.orders"), { "publish": { "to": "changes" } }, { "respond": 201 }],
                "list": look("db.list"), "mine": look("db.orders"),
            } },
            "db": { "is": "database",
                    "tables": { "orders": { "key": "id" }, "list": { "key": "id" } } },
            "changes": { "is": "queue", "profile": "sqs-standard" },
            "projector": { "is": "workers", "from": "changes",
                           "on_message": [{ "wait": { "for": "2s" } }, row("db.list"), "ack"] },
        },
    });
    check_run(
        &document,
        &[
            "0.000000 responded api author 1 201",
            "0.300000 responded api early 2 404",
            "0.300000 responded api own 3 200",
            "2.000000 insert db.list projector 1 rows 1",
            "2.100000 responded api later 4 200",
        ],
    );
}
