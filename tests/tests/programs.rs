//! The rules of handlers, each as a run: what follows a line, who may run it, and what becomes of it
//! when its process dies, freezes or slows down.

#![allow(clippy::needless_pass_by_value, reason = "what json! makes is handed over")]

use serde_json::{Value as Json, json};
use tests::runs::{check, finished, with};

/// The base scenario with a service `api` before the queue, asked at these times.
fn served(handler: Json, at: Json) -> Vec<(&'static str, Json)> {
    vec![
        ("/components/api", json!({ "is": "service", "handles": { "order": handler } })),
        (
            "/components/feed",
            json!({ "is": "source", "to": "api", "request": "order", "arrivals": { "at": at } }),
        ),
    ]
}

fn fault(what: Json) -> (&'static str, Json) {
    ("/faults", json!([what]))
}

#[test]
fn a_line_may_kill_its_process_and_what_it_held_is_not_settled() {
    let dies = json!([{ "crash": { "takes": "2s" } }]);
    check(
        &[
            (
                "/components/crew/on_message",
                json!([{ "call": { "to": "mail", "on": { "poison": dies } } }, "ack"]),
            ),
            ("/components/crew/restart_after", json!("10s")),
            ("/components/feed/arrivals", json!({ "at": ["0s", "2s"] })),
            fault(json!({ "at": "0s", "poison": { "message": 2 } })),
        ],
        &[
            "2.000000 step-ended crew.1 2 line 1 poison",
            "2.000000 step-started crew.1 2 line 3",
            "4.000000 crashed crew.1 holding 2",
            "14.000000 restarted crew.1",
            "!acked jobs 2",
        ],
    );
}

#[test]
fn a_branch_is_run_after_its_outcome_and_ends_the_handler() {
    let lines = json!([
        { "call": { "to": "mail", "on": { "error": ["dead-letter"] } } },
        "ack",
    ]);
    check(
        &[("/components/crew/on_message", lines), ("/components/mail/error_rate", json!(1.0))],
        &[
            "1.000000 step-ended crew.1 1 line 1 error",
            "1.000000 step-started crew.1 1 line 3",
            "1.000000 dead-lettered jobs parked 1 count 1 rejected",
            "1.000000 step-ended crew.1 1 line 3 ok",
            "!line 2",
            "!nacked",
            "!lost",
        ],
    );
}

#[test]
fn a_branch_for_a_class_is_not_for_another_and_continue_goes_on() {
    let lines = json!([
        { "call": { "to": "mail", "on": { "permanent": ["ack"], "transient": "continue" } } },
        { "wait": { "for": "1s" } }, "ack",
    ]);
    let failing = [
        ("/components/crew/on_message", lines),
        ("/components/mail/error_rate", json!(1.0)),
        ("/components/mail/error_class", json!("transient")),
    ];
    check(&failing, &["2.000000 acked jobs 1 crew.1", "!line 4"]);
    let mut permanent = failing.to_vec();
    permanent[2].1 = json!("permanent");
    check(
        &permanent,
        &["1.000000 step-ended crew.1 1 line 1 error-permanent", "1.000000 acked jobs 1 crew.1"],
    );
    permanent[2].1 = json!("unknown");
    check(
        &permanent,
        &[
            "1.000000 step-ended crew.1 1 line 1 error-unknown",
            "1.000000 nacked jobs 1 crew.1 visible 1.000000",
        ],
    );
}

#[test]
fn branches_nest_and_lie_after_the_main_lines() {
    let lines = json!([
        { "call": { "to": "mail", "timeout": "100ms", "on": { "timeout": [
            { "call": { "to": "mail", "timeout": "100ms", "on": { "timeout": ["ack"] } } },
            { "wait": { "for": "9s" } },
        ] } } },
        "ack",
    ]);
    check(
        &[("/components/crew/on_message", lines)],
        &[
            "0.100000 step-ended crew.1 1 line 1 timeout",
            "0.100000 step-started crew.1 1 line 3",
            "0.200000 step-ended crew.1 1 line 3 timeout",
            "0.200000 step-started crew.1 1 line 5",
            "0.200000 acked jobs 1 crew.1",
            "!line 4",
        ],
    );
}

#[test]
fn a_worker_publishes_a_message_of_its_own_that_carries_the_same() {
    let lines = json!([{ "publish": { "to": "parked", "takes": "1s" } }, "ack"]);
    check(
        &[("/components/crew/on_message", lines.clone())],
        &[
            "0.000000 published crew parked 2",
            "1.000000 stored parked 2 visible 1.000000",
            "1.000000 acked jobs 1 crew.1",
            "!lost",
        ],
    );
    // Dying between the publish and the ack publishes again.
    let twice = json!([{ "publish": { "to": "parked" } }, { "wait": { "for": "2s" } }, "ack"]);
    check(
        &[
            ("/components/crew/on_message", twice),
            fault(json!({ "at": "1s", "crash": { "component": "crew", "restart_after": "1s" } })),
        ],
        &[
            "0.000000 stored parked 2 visible 0.000000",
            "30.000000 stored parked 3 visible 30.000000",
        ],
    );
    // Dying before the broker has committed publishes nothing.
    check(
        &[
            ("/components/crew/on_message", lines),
            fault(json!({ "at": "500ms", "crash": { "component": "crew" } })),
        ],
        &["0.500000 crashed crew.1 holding 1", "!stored parked"],
    );
}

#[test]
fn a_message_that_was_put_aside_is_not_lost_and_waits_where_it_was_put() {
    let to = json!([{ "dead-letter": { "to": "elsewhere", "takes": "1s" } }]);
    check(
        &[
            ("/components/elsewhere", json!({ "is": "queue", "profile": "sqs-standard" })),
            ("/components/crew/on_message", to),
        ],
        &["1.000000 dead-lettered jobs elsewhere 1 count 1 rejected", "!acked", "!lost"],
    );
}

#[test]
fn lines_after_the_answer_run_on_and_die_with_their_process() {
    let handler =
        json!([{ "respond": 202 }, { "wait": { "for": "2s" } }, { "publish": { "to": "jobs" } }]);
    check(
        &served(handler.clone(), json!(["0s"])),
        &["0.000000 responded api feed 1 202", "2.000000 stored jobs 1 visible 2.000000"],
    );
    let mut crashed = served(handler, json!(["0s"]));
    crashed
        .push(fault(json!({ "at": "1s", "crash": { "component": "api", "restart_after": "1s" } })));
    check(
        &crashed,
        &[
            "0.000000 responded api feed 1 202",
            "1.000000 crashed api.1 holding 1",
            "2.000000 restarted api.1",
            "!reset",
            "!stored",
        ],
    );
}

#[test]
fn a_service_that_dies_breaks_its_connections_and_keeps_what_it_did() {
    let handler =
        json!([{ "publish": { "to": "jobs" } }, { "wait": { "for": "2s" } }, { "respond": 202 }]);
    let mut changes = served(handler, json!(["0s", "1500ms", "4s"]));
    changes
        .push(fault(json!({ "at": "1s", "crash": { "component": "api", "restart_after": "2s" } })));
    check(
        &changes,
        &[
            "0.000000 stored jobs 1 visible 0.000000",
            "1.000000 crashed api.1 holding 1",
            "1.000000 reset api feed 1",
            // Nobody listens.
            "1.500000 responded api feed 2 503",
            "3.000000 restarted api.1",
            "6.000000 responded api feed 3 202",
        ],
    );
}

#[test]
fn a_service_freezes_and_slows_down_with_all_it_has_in_hand() {
    let handler = json!([{ "wait": { "for": "2s" } }, { "respond": 200 }]);
    let mut paused = served(handler.clone(), json!(["0s", "500ms", "5s"]));
    paused.push(fault(json!({ "at": "1s", "pause": { "component": "api", "for": "10s" } })));
    check(
        &paused,
        &[
            "11.000000 resumed api.1",
            "12.000000 responded api feed 1 200",
            "12.500000 responded api feed 2 200",
            // It came while the process stood still.
            "13.000000 responded api feed 3 200",
        ],
    );
    let mut slowed = served(handler, json!(["0s", "1s"]));
    slowed.push(fault(
        json!({ "at": "1s", "slow": { "component": "api", "percent": 300, "for": "60s" } }),
    ));
    check(&slowed, &["4.000000 responded api feed 1 200", "7.000000 responded api feed 2 200"]);
}

#[test]
fn a_service_handles_so_many_at_once_then_lets_wait_then_refuses() {
    let handler = json!([{ "wait": { "for": "1s" } }, { "respond": 200 }]);
    let mut changes = served(handler, json!(["0s", "0s", "0s", "0s", "0s"]));
    changes[0].1["concurrency"] = json!(1);
    changes[0].1["count"] = json!(2);
    changes[0].1["waiting"] = json!(2);
    changes[0].1["when_full"] = json!(429);
    check(
        &changes,
        &[
            "0.000000 responded api feed 5 429",
            "1.000000 responded api feed 1 200",
            "1.000000 responded api feed 2 200",
            "2.000000 responded api feed 3 200",
            "2.000000 responded api feed 4 200",
        ],
    );
}

#[test]
fn who_waits_is_let_in_when_a_dead_process_is_back_and_meets_the_living_meanwhile() {
    let handler = json!([{ "wait": { "for": "4s" } }, { "respond": 200 }]);
    let mut changes = served(handler, json!(["0s", "0s", "1s"]));
    changes[0].1["concurrency"] = json!(1);
    changes[0].1["count"] = json!(2);
    changes.push(fault(
        json!({ "at": "2s", "crash": { "component": "api", "instance": 1, "restart_after": "500ms" } }),
    ));
    check(
        &changes,
        &[
            "2.000000 crashed api.1 holding 1",
            "2.000000 reset api feed 1",
            "4.000000 responded api feed 2 200",
            "6.500000 responded api feed 3 200",
        ],
    );
}

#[test]
fn a_call_of_a_service_can_time_out() {
    let handler = json!([{ "call": { "to": "mail", "timeout": "400ms", "on": { "timeout": [{ "respond": 504 }] } } },
                         { "respond": 200 }]);
    check(
        &served(handler, json!(["0s"])),
        &["0.400000 responded api feed 1 504", "1.000000 effected mail 1 request nth 1"],
    );
}

#[test]
fn random_programs_keep_a_run_repeatable() {
    let lines = json!([
        { "call": { "to": "mail", "on": { "error": [{ "publish": { "to": "parked" } }, "ack"] } } },
        { "publish": { "to": "parked", "takes": { "exponential": { "mean": "2s" } } } }, "ack",
    ]);
    let document = with(&[
        ("/components/crew/on_message", lines),
        ("/components/crew/count", json!(3)),
        ("/components/mail/error_rate", json!(0.3)),
        ("/components/feed/arrivals", json!({ "poisson": { "per_second": 2, "count": 100 } })),
        (
            "/faults",
            json!([{ "at": "20s", "crash": { "component": "crew", "instance": 2, "restart_after": "3s" } }]),
        ),
    ]);
    let (one, two) = (finished(&document), finished(&document));
    assert_eq!(tests::runs::trace_text(&one), tests::runs::trace_text(&two));
    assert!(one.trace().len() > 500);
}
