//! The rules of schedulers, each as a run: hours, zones, overlaps, missed runs, leases and fences.

#![allow(clippy::needless_pass_by_value, reason = "what json! makes is handed over")]

use player::{ComponentFrame, Finding, Gauge, Player};
use scenario::Property;
use serde_json::{Value as Json, json};
use sim::SimTime;
use tests::runs::{changed, check_run, finished, trace_text};

/// A job at every tenth second, done by a worker `crew` in three seconds.
fn nightly(more: &[(&str, Json)]) -> Json {
    let document = json!({
        "format": 1, "name": "test", "seed": "1", "until": "45s",
        "components": {
            "clock": { "is": "scheduler", "every": "10s" },
            "crew": { "is": "workers", "from": "clock",
                      "on_message": [{ "wait": { "for": "3s" } }, "ack"] },
        },
        "properties": ["one runner", "no effect twice", "no message lost"],
    });
    changed(document, more)
}

fn holds(run: &Player, property: Property) -> bool {
    let verdicts = run.verdicts();
    let verdict = verdicts.iter().find(|verdict| verdict.property == property);
    matches!(verdict.expect("it is judged").finding, Finding::Holds)
}

#[test]
fn a_run_begins_at_its_hour_and_ends_with_its_handler() {
    let document = nightly(&[]);
    check_run(
        &document,
        &[
            "0.000000 run-due clock 1",
            "0.000000 received clock 1 crew.1 count 1",
            "3.000000 run-over clock 1 crew.1",
            "10.000000 run-due clock 2",
            "40.000000 run-due clock 5",
        ],
    );
    let mut run = finished(&document);
    assert!(holds(&run, Property::OneRunner));
    run.seek(SimTime::from_secs(12));
    let id = run.scenario().find("clock").expect("it is there");
    match &run.frame().components[id.index()] {
        ComponentFrame::Scheduler(clock) => {
            assert_eq!((clock.next, clock.done), (Some(SimTime::from_secs(20)), 1));
            assert_eq!(clock.runs.len(), 1);
        }
        _ => panic!("no scheduler"),
    }
}

/// A job at half past two: skipped, or run right after the gap, on the night that has no such hour.
#[test]
fn the_hour_that_does_not_exist_is_for_the_dialect_to_deal_with() {
    let document = |dialect: &str| {
        let clock = json!({ "is": "scheduler", "cron": "30 2 * * *", "zone": "Europe/Berlin",
                            "start": "2026-03-28T23:00:00Z", "dialect": dialect });
        nightly(&[("/components/clock", clock), ("/until", json!("30h"))])
    };
    // In UTC it is 1:00 when the clock jumps from 2:00 to 3:00: two hours after midnight.
    check_run(&document("vixie"), &["7200.000000 run-due clock 1", "91800.000000 run-due clock 2"]);
    check_run(&document("robfig"), &["91800.000000 run-due clock 1", "!clock 2"]);
}

#[test]
fn what_happens_to_a_run_that_is_due_while_another_runs_is_the_policys_to_say() {
    let slow = json!([{ "wait": { "for": "14s" } }, "ack"]);
    let document = |policy: &str| {
        nightly(&[
            ("/components/crew/on_message", slow.clone()),
            ("/components/crew/count", json!(3)),
            ("/components/clock/overlap", json!(policy)),
        ])
    };
    check_run(
        &document("skip"),
        &["10.000000 runs-skipped clock 1", "20.000000 run-due clock 2", "!two-runners"],
    );
    check_run(
        &document("buffer-one"),
        &["14.000000 run-due clock 2 late", "28.000000 run-due clock 3 late", "!two-runners"],
    );
    check_run(&document("allow-all"), &["10.000000 two-runners clock crew.2 crew.1"]);
    assert!(!holds(&finished(&document("allow-all")), Property::OneRunner));
}

#[test]
fn what_was_missed_is_forgotten_or_made_up_for() {
    let away = json!([{ "at": "5s", "crash": { "component": "clock", "restart_after": "22s" } }]);
    let document = |more: &[(&str, Json)]| changed(nightly(&[("/faults", away.clone())]), more);
    check_run(&document(&[]), &["27.000000 runs-missed clock 2", "30.000000 run-due clock 2"]);
    let run = finished(&document(&[]));
    let clock = run.scenario().find("clock").expect("it is there");
    let reading = |gauge| run.gauge(gauge).value_at(run.end());
    assert_eq!((reading(Gauge::RunsMissed(clock)), reading(Gauge::RunsOver(clock))), (2.0, 3.0));
    check_run(
        &document(&[("/components/clock/catch_up", json!({ "all": { "within": "1h" } }))]),
        &["27.000000 run-due clock 2 late", "27.000000 run-due clock 3 late"],
    );
    check_run(
        &document(&[("/components/clock/catch_up", json!("latest"))]),
        &["27.000000 runs-missed clock 1", "27.000000 run-due clock 2 late"],
    );
}

/// Two schedulers that know nothing of each other fire twice; the hour as a key makes that harmless.
#[test]
fn two_schedulers_fire_twice_and_the_hour_as_a_key_makes_that_harmless() {
    let document = |lines: Json, more: &[(&str, Json)]| {
        let both = nightly(&[
            ("/until", json!("8s")),
            ("/components/clock/count", json!(2)),
            ("/components/crew/on_message", lines),
            ("/components/mail", json!({ "is": "external", "latency": "1s" })),
            (
                "/components/db",
                json!({ "is": "database", "tables": { "reports": { "key": "hour" } } }),
            ),
        ]);
        trace_text(&finished(&changed(both, more))).matches("effected mail").count()
    };
    let mail = json!({ "call": { "to": "mail" } });
    assert_eq!(document(json!([mail, "ack"]), &[]), 2);
    let once = json!({ "insert-or-skip": { "into": "db.reports", "row": { "hour": { "message": "due" } },
                                           "on": { "conflict": ["ack"] } } });
    assert_eq!(document(json!([once, mail, "ack"]), &[]), 1);
    // One that has the lease fires for both.
    assert_eq!(document(json!([mail, "ack"]), &[("/components/clock/lease", json!("30s"))]), 1);
}

/// The holder of a lease is frozen for longer than that lasts, and goes on beside its successor; only
/// the resource can tell it off, by the token.
#[test]
fn a_frozen_holder_goes_on_beside_the_next_and_a_fence_refuses_it() {
    let write = |fence: Json| {
        json!([
            { "wait": { "for": "5s" } },
            { "update-where": { "table": "db.files", "where": fence,
                "set": { "by": { "message": "token" } }, "on": { "zero-rows": [] } } },
            "ack",
        ])
    };
    let document = |fence: Json| {
        nightly(&[
            ("/until", json!("59s")),
            ("/components/clock", json!({ "is": "scheduler", "every": "1m", "lease": "30s" })),
            (
                "/components/crew",
                json!({ "is": "workers", "from": "clock", "count": 2,
                                         "on_message": write(fence) }),
            ),
            (
                "/components/db",
                json!({ "is": "database", "tables": { "files": {
                "key": "id", "columns": ["by"], "rows": [{ "id": "f", "by": 0 }] } } }),
            ),
            (
                "/faults",
                json!([{ "at": "1s", "pause": { "component": "crew", "instance": 1, "for": "40s" } }]),
            ),
        ])
    };
    let unfenced = document(json!({ "id": "f" }));
    check_run(
        &unfenced,
        &[
            "0.000000 received clock 1 crew.1 count 1 until 30.000000",
            "30.000000 lapsed clock 1 count 1",
            "30.000000 two-runners clock crew.2 crew.1",
            "30.000000 received clock 1 crew.2 count 2 until 60.000000",
            "35.000000 update db.files crew 1 rows 1",
            "35.000000 run-over clock 1 crew.2",
            "45.000000 update db.files crew 1 rows 1",
            "45.000000 run-stale clock 1 crew.1",
        ],
    );
    assert!(!holds(&finished(&unfenced), Property::OneRunner));
    let fenced = document(json!({ "id": "f", "by": { "at_most": { "message": "token" } } }));
    check_run(
        &fenced,
        &["35.000000 update db.files crew 1 rows 1", "45.000000 update db.files crew 1 rows 0"],
    );
}

#[test]
fn a_holder_that_says_it_is_at_it_keeps_its_lease() {
    let document = nightly(&[
        ("/until", json!("59s")),
        ("/components/clock", json!({ "is": "scheduler", "every": "1m", "lease": "10s" })),
        (
            "/components/crew",
            json!({ "is": "workers", "from": "clock", "count": 2,
            "heartbeat": { "every": "5s", "extend_to": "10s" },
            "on_message": [{ "wait": { "for": "25s" } }, "ack"] }),
        ),
    ]);
    check_run(
        &document,
        &[
            "5.000000 extended clock 1 crew.1 until 15.000000",
            "25.000000 run-over clock 1 crew.1",
            "!lapsed",
        ],
    );
}

#[test]
fn a_run_whose_worker_dies_is_lost_unless_a_lease_lapses() {
    let crash = json!([{ "at": "1s", "crash": { "component": "crew", "restart_after": "2s" } }]);
    let document = |more: &[(&str, Json)]| {
        changed(nightly(&[("/faults", crash.clone()), ("/until", json!("9s"))]), more)
    };
    check_run(&document(&[]), &["1.000000 crashed crew.1 holding 1", "1.000000 lost 1"]);
    check_run(
        &document(&[("/components/clock/lease", json!("4s"))]),
        &[
            "4.000000 lapsed clock 1 count 1",
            "4.000000 received clock 1 crew.1 count 2 until 8.000000",
            "7.000000 run-over clock 1 crew.1",
            "!lost",
        ],
    );
}
