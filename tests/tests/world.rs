//! The rules of a world, each as a run: what is set, and lines that its trace must have in order.

use serde_json::{Value as Json, json};
use tests::runs::{check, finished, with};

#[test]
fn a_message_goes_from_its_source_to_its_ack() {
    check(
        &[],
        &[
            "0.000000 published feed jobs 1",
            "0.000000 stored jobs 1 visible 0.000000",
            "0.000000 confirmed feed jobs 1",
            "0.000000 received jobs 1 crew.1 count 1 until 30.000000",
            "0.000000 step-started crew.1 1 line 1",
            "1.000000 effected mail 1 crew.1 nth 1",
            "1.000000 step-ended crew.1 1 line 1 ok",
            "1.000000 acked jobs 1 crew.1",
            "1.000000 ended Quiet",
        ],
    );
}

#[test]
fn a_service_answers_after_the_confirm_and_says_so_when_it_gets_none() {
    let api = json!({ "is": "service", "handles": { "order": [
        { "wait": { "for": "50ms" } }, { "publish": { "to": "jobs", "takes": "100ms" } },
        { "respond": 202 } ] } });
    let feed = json!({ "is": "source", "to": "api", "request": "order", "travel": "10ms",
                       "arrivals": { "at": ["0s", "5s"] } });
    check(
        &[
            ("/components/api", api),
            ("/components/feed", feed),
            (
                "/faults",
                json!([{ "at": "4s", "lose": { "what": "confirm", "component": "jobs" } }]),
            ),
        ],
        &[
            "0.000000 requested feed api 1",
            "0.060000 published api jobs 1",
            "0.160000 stored jobs 1 visible 0.160000",
            "0.160000 confirmed api jobs 1",
            "0.160000 responded api feed 1 202",
            "4.000000 confirm-loss-armed jobs",
            "5.160000 stored jobs 2 visible 5.160000",
            "5.160000 confirm-lost api jobs 2",
            "5.160000 responded api feed 2 503",
            "6.160000 acked jobs 2 crew.1",
        ],
    );
}

/// F-VIS-2, F-VIS-3.
#[test]
fn a_crash_and_a_slow_worker_look_the_same_to_the_broker() {
    let lapse = "30.000000 lapsed jobs 1 count 1";
    let one = json!([{ "at": "0.5s", "crash": { "component": "crew", "restart_after": "60s" } }]);
    check(&[("/interventions", one)], &["0.500000 crashed crew.1 holding 1", lapse]);
    check(&[("/components/mail/latency", json!("35s"))], &[lapse]);
    let lost = json!([{ "at": "0s", "lose": { "what": "ack", "component": "crew" } }]);
    check(&[("/faults", lost)], &["1.000000 ack-lost jobs 1 crew.1", lapse]);
    let paused = json!([{ "at": "0.5s", "pause": { "component": "crew", "for": "40s" } }]);
    check(&[("/faults", paused)], &[lapse, "40.500000 resumed crew.1"]);
}

#[test]
fn a_crash_before_the_ack_repeats_and_after_an_early_ack_loses() {
    let crash = json!([{ "at": "1.5s", "crash": { "component": "crew", "restart_after": "1s" } }]);
    let work_first = json!([{ "call": { "to": "mail" } }, { "ack": { "takes": "1s" } }]);
    check(
        &[("/interventions", crash.clone()), ("/components/crew/on_message", work_first)],
        &[
            "1.000000 effected mail 1 crew.1 nth 1",
            "1.500000 crashed crew.1 holding 1",
            "2.500000 restarted crew.1",
            "30.000000 lapsed jobs 1 count 1",
            "31.000000 effected mail 1 crew.1 nth 2",
            "32.000000 acked jobs 1 crew.1",
            "!lost",
        ],
    );
    let ack_first = json!(["ack", { "wait": { "for": "1s" } }, { "call": { "to": "mail" } }]);
    check(
        &[
            ("/interventions", crash),
            ("/components/crew/on_message", ack_first),
            ("/components/mail/if_caller_dies", json!("stops")),
        ],
        &[
            "0.000000 acked jobs 1 crew.1",
            "1.500000 crashed crew.1 holding 1",
            "1.500000 lost 1",
            "!effected",
            "!lapsed",
        ],
    );
}

#[test]
fn a_call_that_has_left_has_its_effect_though_its_caller_dies() {
    let crash = json!([{ "at": "0.5s", "crash": { "component": "crew" } }]);
    let ack_first = ("/components/crew/on_message", json!(["ack", { "call": { "to": "mail" } }]));
    check(
        &[("/interventions", crash.clone()), ack_first.clone()],
        &["0.500000 crashed crew.1 holding 1", "1.000000 effected mail 1 crew.1 nth 1", "!lost"],
    );
    check(
        &[
            ("/interventions", crash),
            ack_first,
            ("/components/mail/if_caller_dies", json!("stops")),
        ],
        &["0.500000 crashed crew.1 holding 1", "0.500000 lost 1", "!effected"],
    );
}

#[test]
fn a_stale_receipt_is_refused_and_a_late_one_that_nobody_superseded_is_not() {
    let slow = ("/components/mail/latency", json!("45s"));
    check(
        std::slice::from_ref(&slow),
        &["30.000000 lapsed jobs 1 count 1", "45.000000 acked jobs 1 crew.1"],
    );
    check(
        &[slow.clone(), ("/components/crew/count", json!(2))],
        &[
            "30.000000 received jobs 1 crew.2 count 2 until 60.000000",
            "45.000000 ack-refused jobs 1 crew.1 stale-receipt",
        ],
    );
    check(
        &[
            slow,
            ("/components/crew/count", json!(2)),
            ("/components/jobs/receipts", json!("lenient")),
        ],
        &["45.000000 acked jobs 1 crew.1", "75.000000 effected mail 1 crew.2 nth 2", "!refused"],
    );
}

#[test]
fn a_frozen_worker_sends_its_heartbeat_when_it_wakes() {
    check(
        &[
            ("/components/mail/latency", json!("60s")),
            ("/components/crew/heartbeat", json!({ "every": "10s", "extend_to": "30s" })),
            ("/faults", json!([{ "at": "15s", "pause": { "component": "crew", "for": "20s" } }])),
        ],
        &[
            "10.000000 extended jobs 1 crew.1 until 40.000000",
            "15.000000 paused crew.1 until 35.000000",
            "35.000000 resumed crew.1",
            "35.000000 extended jobs 1 crew.1 until 65.000000",
            "45.000000 extended jobs 1 crew.1 until 75.000000",
            "60.000000 acked jobs 1 crew.1",
        ],
    );
}

#[test]
fn a_clock_shorter_than_the_job_buries_it_and_a_heartbeat_does_not() {
    let long = ("/components/mail/latency", json!("60s"));
    let crew = ("/components/crew/count", json!(5));
    check(
        &[long.clone(), crew.clone()],
        &[
            "0.000000 received jobs 1 crew.1 count 1 until 30.000000",
            "30.000000 received jobs 1 crew.2 count 2 until 60.000000",
            "60.000000 ack-refused jobs 1 crew.1 stale-receipt",
            "60.000000 received jobs 1 crew.3 count 3 until 90.000000",
            "90.000000 received jobs 1 crew.4 count 4 until 120.000000",
            "120.000000 received jobs 1 crew.5 count 5 until 150.000000",
            "150.000000 dead-lettered jobs parked 1 count 5",
            "180.000000 effected mail 1 crew.5 nth 5",
        ],
    );
    let beat = json!({ "every": "10s", "extend_to": "30s" });
    check(
        &[long, crew, ("/components/crew/heartbeat", beat)],
        &[
            "10.000000 extended jobs 1 crew.1 until 40.000000",
            "50.000000 extended jobs 1 crew.1 until 80.000000",
            "60.000000 acked jobs 1 crew.1",
            "!lapsed",
        ],
    );
}

#[test]
fn poison_fails_the_first_line_that_reads_it_and_ends_among_the_dead_letters() {
    check(
        &[
            ("/faults", json!([{ "at": "0s", "poison": { "message": 1 } }])),
            ("/components/feed/arrivals", json!({ "at": ["1s"] })),
        ],
        &[
            "0.000000 poisoned 1",
            "1.000000 step-ended crew.1 1 line 1 poison",
            "1.000000 nacked jobs 1 crew.1 visible 1.000000",
            "1.000000 received jobs 1 crew.1 count 5 until 31.000000",
            "1.000000 dead-lettered jobs parked 1 count 5",
            "!effected",
            "!lost",
        ],
    );
}

#[test]
fn what_fails_is_left_or_given_back_as_the_worker_is_told() {
    let failing = ("/components/mail/error_rate", json!(1.0));
    check(
        &[failing.clone(), ("/components/crew/on_error", json!({ "nack": { "delay": "7s" } }))],
        &[
            "1.000000 call-failed mail 1 crew.1",
            "1.000000 nacked jobs 1 crew.1 visible 8.000000",
            "8.000000 lapsed jobs 1 count 1",
        ],
    );
    check(
        &[failing, ("/components/crew/on_error", json!("leave"))],
        &[
            "1.000000 step-ended crew.1 1 line 1 error",
            "30.000000 lapsed jobs 1 count 1",
            "!nacked",
        ],
    );
}

#[test]
fn an_outage_fails_what_ends_in_it_and_a_timeout_does_not_stop_the_effect() {
    let outage = json!([{ "at": "0.5s", "outage": { "component": "mail", "for": "2s" } }]);
    check(
        &[("/faults", outage)],
        &[
            "0.500000 outage-began mail until 2.500000",
            "1.000000 call-failed mail 1 crew.1",
            "2.000000 call-failed mail 1 crew.1",
            "2.500000 outage-ended mail",
            "3.000000 effected mail 1 crew.1 nth 1",
        ],
    );
    let impatient = json!([{ "call": { "to": "mail", "timeout": "600ms" } }, "ack"]);
    check(
        &[
            ("/components/crew/on_message", impatient),
            ("/components/crew/on_error", json!({ "nack": { "delay": "10s" } })),
        ],
        &[
            "0.600000 step-ended crew.1 1 line 1 timeout",
            "0.600000 nacked jobs 1 crew.1 visible 10.600000",
            "1.000000 effected mail 1 crew.1 nth 1",
        ],
    );
}

#[test]
fn a_slow_worker_takes_longer_from_then_on_for_as_long_as_it_lasts() {
    let slow =
        json!([{ "at": "1s", "slow": { "component": "crew", "percent": 300, "for": "5s" } }]);
    let work = json!([{ "wait": { "for": "2s" } }, { "call": { "to": "mail" } }, "ack"]);
    check(
        &[("/faults", slow), ("/components/crew/on_message", work)],
        &[
            "1.000000 slowed crew.1 percent 300 until 6.000000",
            // One of two seconds was left, and takes three.
            "4.000000 step-ended crew.1 1 line 1 ok",
            // The mail goes out after its second; the worker sees that after three.
            "5.000000 effected mail 1 crew.1 nth 1",
            "6.000000 restored crew.1",
            "7.000000 acked jobs 1 crew.1",
        ],
    );
}

#[test]
fn a_paused_worker_goes_on_where_it_stood() {
    let pause = json!([{ "at": "1s", "pause": { "component": "crew", "for": "10s" } }]);
    let work = json!([{ "wait": { "for": "2s" } }, { "call": { "to": "mail" } }, "ack"]);
    check(
        &[("/faults", pause.clone()), ("/components/crew/on_message", work)],
        &["11.000000 resumed crew.1", "12.000000 step-ended crew.1 1 line 1 ok"],
    );
    let long = ("/components/mail/latency", json!("3s"));
    check(
        &[("/faults", pause), long],
        &["3.000000 effected mail 1 crew.1 nth 1", "11.000000 acked jobs 1 crew.1"],
    );
}

#[test]
fn an_ack_in_the_microsecond_of_the_timeout_is_honoured() {
    check(
        &[("/components/mail/latency", json!("30s")), ("/components/crew/count", json!(2))],
        &["30.000000 acked jobs 1 crew.1", "!lapsed"],
    );
}

#[test]
fn a_receive_of_several_is_handled_one_after_another_and_a_crash_returns_all() {
    let many = [
        ("/components/feed/arrivals", json!({ "at": ["0s", "0s", "0s"] })),
        ("/components/crew/receive", json!({ "max": 10 })),
    ];
    check(
        &many,
        &[
            "0.000000 received jobs 1 crew.1 count 1 until 30.000000",
            "0.000000 received jobs 2 crew.1 count 1 until 30.000000",
            "0.000000 received jobs 3 crew.1 count 1 until 30.000000",
            "1.000000 acked jobs 1 crew.1",
            "2.000000 acked jobs 2 crew.1",
            "3.000000 acked jobs 3 crew.1",
        ],
    );
    let crash = json!([{ "at": "1.5s", "crash": { "component": "crew", "restart_after": "1s" } }]);
    let mut changes = many.to_vec();
    changes.push(("/faults", crash));
    check(
        &changes,
        &["30.000000 lapsed jobs 2 count 1", "30.000000 lapsed jobs 3 count 1", "!lapsed jobs 1"],
    );
}

#[test]
fn extend_moves_the_end_of_the_hidden_time_from_now() {
    let work = json!([{ "wait": { "for": "20s" } }, { "extend": { "to": "60s" } },
                      { "wait": { "for": "30s" } }, "ack"]);
    check(
        &[("/components/crew/on_message", work)],
        &[
            "20.000000 extended jobs 1 crew.1 until 80.000000",
            "50.000000 acked jobs 1 crew.1",
            "!lapsed",
        ],
    );
    let back = json!([{ "nack": { "delay": "5s" } }]);
    check(
        &[("/components/crew/on_message", back)],
        &["0.000000 nacked jobs 1 crew.1 visible 5.000000", "5.000000 lapsed jobs 1 count 1"],
    );
}

#[test]
fn retention_and_purge_delete_unseen_and_that_is_a_loss() {
    let idle = ("/components/crew/count", json!(1));
    let down = json!([{ "at": "0s", "crash": { "component": "crew" } }]);
    let late = ("/components/feed/arrivals", json!({ "at": ["1s"] }));
    check(
        &[
            idle.clone(),
            late.clone(),
            ("/faults", down.clone()),
            ("/components/jobs/retention", json!("60s")),
        ],
        &["61.000000 expired jobs 1", "61.000000 lost 1"],
    );
    let purged = json!([{ "at": "0s", "crash": { "component": "crew" } },
                        { "at": "2s", "purge": { "component": "jobs" } }]);
    check(
        &[idle, late, ("/faults", purged)],
        &["2.000000 purged jobs messages 1", "2.000000 lost 1"],
    );
}

#[test]
fn what_finds_nothing_to_act_on_says_so() {
    let twice = json!([{ "at": "0s", "crash": { "component": "crew" } },
                       { "at": "1s", "crash": { "component": "crew" } }]);
    check(&[("/faults", twice)], &["1.000000 ignored 1"]);
}

#[test]
fn delays_of_the_queue_and_of_the_message_keep_it_back() {
    check(
        &[("/components/jobs/delay", json!("10s"))],
        &[
            "0.000000 stored jobs 1 visible 10.000000",
            "10.000000 available jobs 1",
            "10.000000 received jobs 1 crew.1 count 1 until 40.000000",
        ],
    );
    let api = json!({ "is": "service", "handles": { "order": [
        { "publish": { "to": "jobs", "delay": "0s" } }, { "respond": 202 } ] } });
    let feed = json!({ "is": "source", "to": "api", "request": "order",
                       "arrivals": { "at": ["0s"] } });
    check(
        &[
            ("/components/jobs/delay", json!("10s")),
            ("/components/api", api),
            ("/components/feed", feed),
        ],
        &["0.000000 stored jobs 1 visible 0.000000"],
    );
}

#[test]
fn the_worker_idle_for_longest_is_served_first() {
    check(
        &[
            ("/components/crew/count", json!(3)),
            ("/components/feed/arrivals", json!({ "at": ["0s", "2s", "4s", "6s"] })),
        ],
        &[
            "0.000000 received jobs 1 crew.1 count 1 until 30.000000",
            "2.000000 received jobs 2 crew.2 count 1 until 32.000000",
            "4.000000 received jobs 3 crew.3 count 1 until 34.000000",
            "6.000000 received jobs 4 crew.1 count 1 until 36.000000",
        ],
    );
}

#[test]
fn a_run_whose_clock_stands_still_is_ended_by_name() {
    let mut document = with(&[
        ("/faults", json!([{ "at": "0s", "poison": { "message": 1 } }])),
        ("/components/feed/arrivals", json!({ "at": ["1s"] })),
    ]);
    document["components"]["jobs"] = json!({ "is": "queue", "profile": "sqs-standard" });
    let player = finished(&document);
    let name = scenario::limits::SAME_INSTANT.name;
    assert_eq!(player.ending(), Some(world::Ending::Limit(name)));
    assert_eq!(player.end(), sim::SimTime::from_secs(1));
}

/// A setting can be changed while a run goes on: receives, moves and failures from then on have it.
#[test]
fn a_patch_holds_from_its_time_on() {
    let patch = |at: &str, patch: Json| json!([{ "at": at, "patch": patch }]);
    let longer = patch("1s", json!({ "component": "jobs", "visibility_timeout": "60s" }));
    check(
        &[
            ("/components/mail/latency", json!("100s")),
            ("/components/crew/count", json!(2)),
            ("/components/feed/arrivals", json!({ "at": ["0s", "2s"] })),
            ("/faults", longer),
        ],
        &[
            "1.000000 patched jobs visibility-timeout 60.000000",
            "30.000000 lapsed jobs 1 count 1",
            "62.000000 lapsed jobs 2 count 1",
        ],
    );
    let mended = json!([
        { "at": "0s", "poison": { "message": 1 } },
        { "at": "15s", "patch": { "component": "crew", "handler": "mended" } }
    ]);
    check(
        &[
            ("/components/feed/arrivals", json!({ "at": ["1s"] })),
            ("/components/crew/on_error", json!("leave")),
            ("/faults", mended),
        ],
        &["15.000000 patched crew handler mended", "32.000000 acked jobs 1 crew.1"],
    );
    let healed = patch("5s", json!({ "component": "mail", "error_rate": 0 }));
    check(
        &[
            ("/components/mail/error_rate", json!(1)),
            ("/components/crew/on_error", json!("leave")),
            ("/components/feed/arrivals", json!({ "at": ["1s"] })),
            ("/faults", healed),
        ],
        &[
            "2.000000 call-failed mail 1 crew.1",
            "5.000000 patched mail errors-per-million 0",
            "32.000000 acked jobs 1 crew.1",
        ],
    );
}
