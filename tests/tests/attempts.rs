//! The rules of trying again, each as a run: policies on calls, on workers and on sources, budgets,
//! circuit breakers, and what becomes of work that nobody waits for any more.

#![allow(clippy::needless_pass_by_value, reason = "what json! makes is handed over")]

use player::Player;
use serde_json::{Value as Json, json};
use tests::runs::{check, check_run, finished, trace_text, with};
use world::Part;

const MESSAGE: &str = "/components/crew/on_message";
const ON_ERROR: &str = "/components/crew/on_error";

fn failing() -> (&'static str, Json) {
    ("/components/mail/error_rate", json!(1.0))
}

/// How often a word begins a line of the trace.
fn count(player: &Player, word: &str) -> usize {
    trace_text(player).lines().filter(|line| line.split(' ').nth(1) == Some(word)).count()
}

#[test]
fn a_call_is_made_again_after_each_wait_and_then_its_line_fails() {
    let retry = json!({ "exponential": { "base": "1s", "cap": "3s" }, "attempts": 4 });
    check(
        &[failing(), (MESSAGE, json!([{ "call": { "to": "mail", "retry": retry } }, "ack"]))],
        &[
            "0.000000 step-started crew.1 1 line 1",
            "1.000000 call-failed mail 1 crew.1",
            "1.000000 retrying crew 1 attempt 2 at 2.000000",
            "3.000000 retrying crew 1 attempt 3 at 5.000000",
            "6.000000 retrying crew 1 attempt 4 at 9.000000",
            "10.000000 gave-up crew 1 after 4",
            "10.000000 step-ended crew.1 1 line 1 error",
        ],
    );
}

#[test]
fn a_hopeless_call_is_made_once_and_an_unknown_one_seldom() {
    let calls = |class: &str| {
        let retry = json!({ "at_once": {}, "attempts": 5, "unknown_attempts": 2 });
        finished(&with(&[
            failing(),
            ("/components/mail/error_class", json!(class)),
            (ON_ERROR, json!("leave")),
            ("/until", json!("20s")),
            (MESSAGE, json!([{ "call": { "to": "mail", "retry": retry } }, "ack"])),
        ]))
    };
    for (class, made) in [("permanent", 1), ("unknown", 2), ("transient", 5)] {
        assert_eq!(count(&calls(class), "call-failed"), made, "{class}");
    }
}

#[test]
fn a_timeout_can_be_tried_again_and_then_there_are_two_effects() {
    let retry = json!({ "fixed": { "delay": "100ms" }, "attempts": 3 });
    let call = json!([{ "call": { "to": "mail", "timeout": "500ms", "retry": retry } }, "ack"]);
    check(
        &[(MESSAGE, call), (ON_ERROR, json!("leave"))],
        &[
            "0.500000 retrying crew 1 attempt 2 at 0.600000",
            "1.000000 effected mail 1 crew.1 nth 1",
            "1.600000 effected mail 1 crew.1 nth 2",
            "1.700000 gave-up crew 1 after 3",
        ],
    );
}

#[test]
fn a_paused_worker_and_a_dead_one_do_not_try_again_in_time() {
    let retry = json!({ "fixed": { "delay": "2s" }, "attempts": 2 });
    let call = (MESSAGE, json!([{ "call": { "to": "mail", "retry": retry } }, "ack"]));
    let pause = json!([{ "at": "2s", "pause": { "component": "crew", "for": "10s" } }]);
    check(
        &[failing(), call.clone(), ("/faults", pause)],
        &["1.000000 retrying crew 1 attempt 2 at 3.000000", "14.000000 call-failed mail 1 crew.1"],
    );
    let crash = json!([{ "at": "2s", "crash": { "component": "crew" } }]);
    let player = finished(&with(&[failing(), call, ("/faults", crash)]));
    assert_eq!(count(&player, "call-failed"), 1);
}

#[test]
fn a_worker_gives_back_with_a_growing_delay_and_puts_aside_at_the_end() {
    let on_error = json!({ "retry": { "exponential": { "base": "10s" } }, "attempts": 3,
                           "then": "dead-letter" });
    check(
        &[failing(), (ON_ERROR, on_error)],
        &[
            "1.000000 nacked jobs 1 crew.1 visible 11.000000",
            "12.000000 nacked jobs 1 crew.1 visible 32.000000",
            "33.000000 gave-up crew 1 after 3",
            "33.000000 dead-lettered jobs parked 1 count 3 rejected",
        ],
    );
}

#[test]
fn decorrelated_waits_in_the_queue_grow_from_the_last_one() {
    let on_error = json!({ "retry": { "decorrelated_jitter": { "base": "1s", "cap": "500s" } } });
    let player = finished(&with(&[
        failing(),
        (ON_ERROR, on_error),
        ("/until", json!("1d")),
        ("/components/mail/latency", json!("0s")),
        ("/components/jobs/max_receive_count", json!(12)),
    ]));
    let text = trace_text(&player);
    let seconds = |word: &str| word.parse::<f64>().expect("a time");
    let waits: Vec<f64> = text
        .lines()
        .filter(|line| line.contains(" nacked "))
        .map(|line| {
            let words: Vec<_> = line.split(' ').collect();
            seconds(words[6]) - seconds(words[0])
        })
        .collect();
    assert_eq!(waits.len(), 12);
    let mut last = 1.0;
    for wait in waits {
        assert!((1.0..=last * 3.0 + 1e-6).contains(&wait), "{wait} after {last}");
        last = wait;
    }
    assert!(last > 3.0, "it has grown beyond what the base allows: {last}");
}

#[test]
fn a_worker_can_wait_in_its_process_and_is_deaf_meanwhile() {
    let on_error = json!({ "retry": { "fixed": { "delay": "5s" } }, "attempts": 3,
                           "waits": "in-process", "then": "drop" });
    check(
        &[
            failing(),
            (ON_ERROR, on_error),
            ("/components/feed/arrivals", json!({ "at": ["0s", "2s"] })),
        ],
        &[
            "1.000000 retrying crew 1 attempt 2 at 6.000000",
            "6.000000 step-started crew.1 1 line 1",
            "7.000000 retrying crew 1 attempt 3 at 12.000000",
            "13.000000 gave-up crew 1 after 3",
            "13.000000 acked jobs 1 crew.1",
            "13.000000 lost 1",
            "13.000000 received jobs 2 crew.1 count 1 until 43.000000",
            "!nacked",
        ],
    );
}

#[test]
fn what_is_hopeless_is_put_aside_at_once_if_that_is_asked() {
    let poison = ("/faults", json!([{ "at": "0s", "poison": { "message": 1 } }]));
    let late = ("/components/feed/arrivals", json!({ "at": ["1s"] }));
    let retry = |permanent: &str| {
        json!({ "retry": { "fixed": { "delay": "1s" } }, "attempts": 4, "permanent": permanent,
                "then": "dead-letter" })
    };
    check(
        &[poison.clone(), late.clone(), (ON_ERROR, retry("dead-letter"))],
        &["1.000000 dead-lettered jobs parked 1 count 1 rejected"],
    );
    check(
        &[poison, late, (ON_ERROR, retry("retry"))],
        &["4.000000 dead-lettered jobs parked 1 count 4 rejected"],
    );
}

#[test]
fn a_breaker_opens_spares_the_callee_and_lets_a_trial_through() {
    let breaker = json!({ "minimum_calls": 2, "window": { "calls": 2 }, "wait_open": "10s",
                          "trial_calls": 1 });
    let retry = json!({ "fixed": { "delay": "3s" }, "attempts": 20 });
    let call = json!([{ "call": { "to": "mail", "retry": retry, "breaker": breaker } }, "ack"]);
    check(
        &[
            (MESSAGE, call),
            ("/components/jobs/visibility_timeout", json!("10m")),
            ("/faults", json!([{ "at": "0s", "outage": { "component": "mail", "for": "8s" } }])),
        ],
        &[
            "1.000000 call-failed mail 1 crew.1",
            "5.000000 breaker crew open",
            "8.000000 call-refused mail 1 crew.1",
            "11.000000 call-refused mail 1 crew.1",
            "14.000000 call-refused mail 1 crew.1",
            "17.000000 breaker crew half-open",
            "18.000000 effected mail 1 crew.1 nth 1",
            "18.000000 breaker crew closed",
            "18.000000 acked jobs 1 crew.1",
        ],
    );
}

/// A source that waits for the answers of a service with these lines.
fn asking(source: Json, handler: Json) -> Json {
    let mut feed = json!({ "is": "source", "to": "api", "request": "order",
                           "arrivals": { "at": ["0s"] } });
    for (name, value) in source.as_object().expect("fields") {
        feed[name] = value.clone();
    }
    json!({
        "format": 1, "name": "asking", "seed": "3", "until": "300s",
        "components": {
            "feed": feed,
            "api": { "is": "service", "handles": { "order": handler } },
            "mail": { "is": "external", "latency": "1s" },
        },
    })
}

#[test]
fn a_source_tries_again_until_it_is_answered_or_gives_up_and_late_answers_are_wasted() {
    let source = json!({ "timeout": "1s", "travel": "100ms", "reply": "200ms",
                         "retry": { "fixed": { "delay": "500ms" }, "attempts": 2 } });
    let slow = json!([{ "wait": { "for": "2s" } }, { "respond": 200 }]);
    check_run(
        &asking(source.clone(), slow),
        &[
            "0.000000 requested feed api 1",
            "1.000000 timed-out feed 1 attempt 1",
            "1.000000 retrying feed 1 attempt 2 at 1.500000",
            "1.500000 requested feed api 1",
            "2.100000 responded api feed 1 200",
            "2.300000 answered-late feed 1 attempt 1",
            "2.500000 timed-out feed 1 attempt 2",
            "2.500000 gave-up feed 1 after 2",
            "3.800000 answered-late feed 1 attempt 2",
        ],
    );
    let quick = json!([{ "wait": { "for": "300ms" } }, { "respond": 200 }]);
    check_run(
        &asking(source.clone(), quick),
        &["0.600000 answered feed 1 attempt 1", "!timed-out", "0.600000 ended Quiet"],
    );
    let mut any = source;
    any["answers"] = json!("any");
    let slow = json!([{ "wait": { "for": "1500ms" } }, { "respond": 200 }]);
    check_run(
        &asking(any, slow),
        &["1.500000 requested feed api 1", "1.800000 answered feed 1 attempt 1"],
    );
}

#[test]
fn a_source_believes_the_status_and_the_wish_of_who_refuses() {
    let source = json!({ "retry": { "fixed": { "delay": "1s" }, "attempts": 3, "retry_after": "at-least" },
                         "arrivals": { "at": ["0s", "0s"] } });
    let mut document = asking(source, json!([{ "wait": { "for": "6s" } }, { "respond": 200 }]));
    let api = &mut document["components"]["api"];
    api["concurrency"] = json!(1);
    api["waiting"] = json!(0);
    api["retry_after"] = json!("7s");
    check_run(
        &document,
        &[
            "0.000000 responded api feed 2 503",
            "0.000000 retrying feed 2 attempt 2 at 7.000000",
            "6.000000 answered feed 1 attempt 1",
            "13.000000 answered feed 2 attempt 2",
        ],
    );
    let source = json!({ "retry": { "at_once": {}, "attempts": 5 } });
    check_run(&asking(source, json!([{ "respond": 422 }])), &["0.000000 gave-up feed 1 after 1"]);
}

#[test]
fn a_source_hears_of_a_connection_that_broke() {
    let source = json!({ "retry": { "fixed": { "delay": "3s" }, "attempts": 2 } });
    let mut document = asking(source, json!([{ "wait": { "for": "2s" } }, { "respond": 200 }]));
    document["faults"] =
        json!([{ "at": "1s", "crash": { "component": "api", "restart_after": "1s" } }]);
    check_run(
        &document,
        &[
            "1.000000 reset api feed 1",
            "1.000000 retrying feed 1 attempt 2 at 4.000000",
            "6.000000 answered feed 1 attempt 2",
        ],
    );
}

#[test]
fn budgets_keep_retries_to_their_share() {
    let run = |budget: Json| {
        let mut retry = json!({ "fixed": { "delay": "100ms" }, "attempts": 3 });
        if !budget.is_null() {
            retry["budget"] = budget;
        }
        let source = json!({ "retry": retry,
                             "arrivals": { "rate": { "per_second": 10, "count": 1_000 } } });
        finished(&asking(source, json!([{ "respond": 503 }])))
    };
    let source = |player: &Player| player.scenario().find("feed").expect("it is there").index();
    let retries = |player: &Player| match &player.head().parts()[source(player)] {
        Part::Source(state) => {
            assert_eq!((state.sent, state.gave_up, state.open), (1_000, 1_000, 0));
            state.retries
        }
        _ => unreachable!("feed is a source"),
    };
    assert_eq!(
        retries(&run(Json::Null)),
        2_000,
        "all failing, three attempts: three times the load"
    );
    let finagle = json!({ "finagle": { "ttl": "10s", "min_per_second": 0, "share_milli": 100 } });
    let share = retries(&run(finagle));
    assert!((90..=101).contains(&share), "a tenth of a thousand requests: {share}");
    // Ten tokens, and a retry needs more than half of them: four failures are followed by one.
    let grpc = json!({ "grpc": { "max_tokens": 10, "token_ratio_milli": 100 } });
    assert_eq!(retries(&run(grpc)), 4);
    // Five hundred tokens and ten of them for each retry... of which none comes back.
    let botocore = json!({ "botocore": { "mode": "legacy" } });
    assert_eq!(retries(&run(botocore)), 100);
}

#[test]
fn layers_multiply() {
    let retry = |attempts: u32| json!({ "at_once": {}, "attempts": attempts });
    let call = |to: &str, attempts| json!([{ "call": { "to": to, "request": "ask", "retry": retry(attempts) } }, { "respond": 200 }]);
    let calls = |each: [u32; 3]| {
        let document = json!({
            "format": 1, "name": "layers", "seed": "1", "until": "60s",
            "components": {
                "feed": { "is": "source", "to": "a", "request": "ask", "retry": retry(each[0]),
                          "arrivals": { "at": ["0s"] } },
                "a": { "is": "service", "handles": { "ask": call("b", each[1]) } },
                "b": { "is": "service", "handles": { "ask": call("c", each[2]) } },
                "c": { "is": "service", "handles": { "ask": [{ "respond": 503 }] } },
            },
        });
        let text = trace_text(&finished(&document));
        ["requested feed a", "requested a b", "requested b c"]
            .map(|line| text.lines().filter(|l| l.contains(line)).count())
    };
    assert_eq!(calls([3, 3, 3]), [3, 9, 27]);
    assert_eq!(calls([3, 1, 1]), [3, 3, 3]);
}

#[test]
fn a_call_to_a_service_that_dies_fails_and_one_that_is_over_is_not_heard() {
    let handler = json!([{ "call": { "to": "back", "request": "ask", "timeout": "5s" } }, { "respond": 200 }]);
    let mut document = asking(json!({}), handler);
    document["components"]["back"] = json!({ "is": "service", "handles": { "ask": [{ "wait": { "for": "2s" } }, { "respond": 200 }] } });
    check_run(
        &document,
        &[
            "0.000000 requested api back 1",
            "2.000000 responded back api 1 200",
            "2.000000 responded api feed 1 200",
        ],
    );
    document["faults"] = json!([{ "at": "1s", "crash": { "component": "back" } }]);
    check_run(&document, &["1.000000 reset back api 1", "1.000000 responded api feed 1 503"]);
}
