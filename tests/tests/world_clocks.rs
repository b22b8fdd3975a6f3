//! Clocks that are wrong, as runs: what is stamped, what is due, and who believes that it holds.

#![allow(clippy::needless_pass_by_value, reason = "what json! makes is handed over")]

use player::{Finding, Player};
use scenario::Property;
use scenario::read::{Names, read_intervention};
use scenario::wire::{Diagnostics, Reader};
use serde_json::{Value as Json, json};
use tests::runs::{changed, check_run, finished, trace_text};

/// Two runners of a job with a lease of 30 s. The first freezes from 1 s to 41 s, looks whether it
/// still has the lease, and writes what it has found.
fn sleeper(fence: Json, more: &[(&str, Json)]) -> Json {
    let lines = json!([
        { "wait": { "for": "5s" } },
        { "check-lease": { "on": { "refused": [] } } },
        { "update-where": { "table": "db.files", "where": fence,
            "set": { "by": { "message": "token" } }, "on": { "zero-rows": [] } } },
        "ack",
    ]);
    let document = json!({
        "format": 1, "name": "clocks", "seed": "1", "until": "59s",
        "components": {
            "clock": { "is": "scheduler", "every": "1m", "lease": "30s" },
            "crew": { "is": "workers", "from": "clock", "count": 2, "on_message": lines },
            "db": { "is": "database", "tables": { "files": {
                "key": "id", "columns": ["by"], "rows": [{ "id": "f", "by": 0 }] } } },
        },
        "faults": [{ "at": "1s", "pause": { "component": "crew", "instance": 1, "for": "40s" } }],
        "properties": ["one runner"],
    });
    changed(document, more)
}

fn behind(by: &str) -> (&'static str, Json) {
    (
        "/interventions",
        json!([{ "at": "0s", "skew": { "component": "crew", "instance": 1, "behind": by } }]),
    )
}

fn holds(run: &Player, property: Property) -> bool {
    let verdicts = run.verdicts();
    let verdict = verdicts.iter().find(|verdict| verdict.property == property);
    matches!(verdict.expect("it is judged").finding, Finding::Holds)
}

#[test]
fn a_holder_with_a_slow_clock_believes_that_it_holds_still_and_a_fence_refuses_it() {
    let any = json!({ "id": "f" });
    let token = json!({ "id": "f", "by": { "at_most": { "message": "token" } } });
    // By a clock that is right the lease is over, and the old holder writes nothing.
    check_run(
        &sleeper(any.clone(), &[]),
        &[
            "30.000000 received clock 1 crew.2 count 2 until 60.000000",
            "35.000000 step-ended crew.2 1 line 2 ok",
            "35.000000 update db.files crew 1 rows 1",
            "45.000000 step-ended crew.1 1 line 2 refused",
            "45.000000 run-stale clock 1 crew.1",
            "!45.000000 update",
        ],
    );
    // At 45 s it shows 25 s, and the lease that ended at 30 s goes on.
    let slow = sleeper(any, &[behind("20s")]);
    check_run(
        &slow,
        &[
            "0.000000 skewed crew.1 behind 20.000000",
            "35.000000 update db.files crew 1 rows 1",
            "45.000000 step-ended crew.1 1 line 2 ok",
            "45.000000 update db.files crew 1 rows 1",
        ],
    );
    assert!(!holds(&finished(&slow), Property::OneRunner));
    check_run(
        &sleeper(token, &[behind("20s")]),
        &[
            "35.000000 update db.files crew 1 rows 1",
            "45.000000 step-ended crew.1 1 line 2 ok",
            "45.000000 update db.files crew 1 rows 0",
        ],
    );
    // A little behind is not enough: 45 s − 15 s is the very end.
    let any = json!({ "id": "f" });
    check_run(
        &sleeper(any.clone(), &[behind("15s")]),
        &["45.000000 step-ended crew.1 1 line 2 refused"],
    );
    check_run(&sleeper(any, &[behind("15001ms")]), &["45.000000 step-ended crew.1 1 line 2 ok"]);
}

#[test]
fn a_holder_with_a_fast_clock_stops_too_early() {
    let fast = [("/faults", json!([])), ("/components/crew/clock", json!({ "ahead": "26s" }))];
    check_run(
        &sleeper(json!({ "id": "f" }), &fast),
        &[
            "5.000000 step-ended crew.1 1 line 2 refused",
            "5.000000 run-over clock 1 crew.1",
            "!update",
        ],
    );
}

#[test]
fn a_renewal_moves_the_end_that_a_holder_knows_of() {
    let slow = json!([{ "wait": { "for": "40s" } }, { "check-lease": { "on": { "refused": [] } } }, "ack"]);
    let renewed = [
        ("/faults", json!([])),
        ("/components/crew/on_message", slow),
        ("/components/crew/heartbeat", json!({ "every": "10s", "extend_to": "30s" })),
    ];
    check_run(
        &sleeper(json!({}), &renewed),
        &[
            "30.000000 extended clock 1 crew.1 until 60.000000",
            "40.000000 step-ended crew.1 1 line 2 ok",
        ],
    );
    // The same of a queue that hides by the clock.
    let queue = json!({
        "format": 1, "name": "clocks", "seed": "1", "until": "100s",
        "components": {
            "feed": { "is": "source", "to": "jobs", "arrivals": { "at": ["0s"] } },
            "jobs": { "is": "queue", "profile": "sqs-standard", "visibility_timeout": "30s" },
            "crew": { "is": "workers", "from": "jobs", "on_message": [
                { "wait": { "for": "20s" } }, { "extend": { "to": "30s" } },
                { "wait": { "for": "20s" } }, "check-lease", "ack"] },
        },
    });
    check_run(
        &queue,
        &["40.000000 step-ended crew.1 1 line 4 ok", "40.000000 acked jobs 1 crew.1"],
    );
    let without = json!([{ "wait": { "for": "40s" } }, "check-lease", "ack"]);
    check_run(
        &changed(queue, &[("/components/crew/on_message", without)]),
        &["40.000000 step-ended crew.1 1 line 2 refused", "!acked"],
    );
}

/// Two processes of a service stamp what they write. By their stamps, the later one came first.
#[test]
fn what_a_handler_stamps_is_the_time_of_its_clock() {
    let stamp = json!([{ "insert": { "into": "db.notes",
                          "row": { "at": { "message": "now" } } } }, { "respond": 200 }]);
    let document = |clock: Json| {
        json!({
            "format": 1, "name": "stamps", "seed": "1", "until": "20s",
            "components": {
                "one": { "is": "source", "to": "a", "request": "note", "arrivals": { "at": ["5s"] } },
                "two": { "is": "source", "to": "b", "request": "note", "arrivals": { "at": ["6s"] } },
                "a": { "is": "service", "handles": { "note": stamp } },
                "b": { "is": "service", "clock": clock, "handles": { "note": stamp } },
                "db": { "is": "database", "tables": { "notes": { "columns": ["at"] } } },
            },
        })
    };
    let stamps = |document: &Json| -> Vec<String> {
        let mut run = finished(document);
        run.seek(run.end());
        let id = run.scenario().find("db").expect("the database is there");
        let player::ComponentFrame::Database(frame) = &run.frame().components[id.index()] else {
            panic!("it is a database")
        };
        let mut newest: Vec<_> =
            frame.tables[0].newest.iter().map(|row| row.values[1].clone()).collect();
        newest.reverse();
        newest
    };
    assert_eq!(stamps(&document(json!({ "behind": "0s" }))), ["5000000", "6000000"]);
    assert_eq!(stamps(&document(json!({ "behind": "1500ms" }))), ["5000000", "4500000"]);
    assert_eq!(stamps(&document(json!({ "behind": "7s" }))), ["5000000", "-1000000"]);
}

/// A job at every tenth second.
fn tenth(more: &[(&str, Json)]) -> Json {
    let document = json!({
        "format": 1, "name": "hours", "seed": "1", "until": "45s",
        "components": {
            "clock": { "is": "scheduler", "every": "10s" },
            "crew": { "is": "workers", "from": "clock", "on_message": [{ "wait": { "for": "1s" } }, "ack"] },
        },
    });
    changed(document, more)
}

fn due(document: &Json) -> Vec<String> {
    let text = trace_text(&finished(document));
    let lines =
        text.lines().filter(|line| line.contains(" run-due ") || line.contains(" runs-missed "));
    lines.map(str::to_owned).collect()
}

#[test]
fn a_schedule_is_due_by_the_clock_of_its_process() {
    let late = tenth(&[("/components/clock/clock", json!({ "behind": "4s" }))]);
    assert_eq!(
        due(&late),
        [
            "4.000000 run-due clock 1",
            "14.000000 run-due clock 2",
            "24.000000 run-due clock 3",
            "34.000000 run-due clock 4",
            "44.000000 run-due clock 5",
        ]
    );
    let early = tenth(&[("/components/clock/clock", json!({ "ahead": "4s" }))]);
    assert_eq!(due(&early)[..2], ["6.000000 run-due clock 1", "16.000000 run-due clock 2"]);
    // Two that know nothing of each other, one of which is ahead, do each hour twice; the hour as a
    // key tells that it is the same one.
    let both = tenth(&[
        ("/components/clock/count", json!(2)),
        ("/until", json!("15s")),
        (
            "/interventions",
            json!([{ "at": "1s", "skew": { "component": "clock", "instance": 2, "ahead": "3s" } }]),
        ),
    ]);
    assert_eq!(due(&both)[2..], ["7.000000 run-due clock 3", "10.000000 run-due clock 4"]);
}

#[test]
fn a_clock_put_forward_misses_runs_and_one_put_back_repeats_none() {
    let skew = |at: &str, what: &str, by: &str| json!({ "at": at, "skew": { "component": "clock", what: by } });
    let forward = tenth(&[("/interventions", json!([skew("12s", "ahead", "20s")]))]);
    assert_eq!(
        due(&forward),
        [
            "0.000000 run-due clock 1",
            "10.000000 run-due clock 2",
            "12.000000 runs-missed clock 2",
            "20.000000 run-due clock 3",
            "30.000000 run-due clock 4",
            "40.000000 run-due clock 5",
        ]
    );
    let back = tenth(&[("/interventions", json!([skew("12s", "behind", "15s")]))]);
    assert_eq!(
        due(&back),
        [
            "0.000000 run-due clock 1",
            "10.000000 run-due clock 2",
            "35.000000 run-due clock 3",
            "45.000000 run-due clock 4"
        ]
    );
    // Set right again, it has nothing to make up for that it has done.
    let mended = tenth(&[(
        "/interventions",
        json!([skew("12s", "behind", "15s"), skew("16s", "behind", "0s")]),
    )]);
    assert_eq!(
        due(&mended)[2..],
        ["20.000000 run-due clock 3", "30.000000 run-due clock 4", "40.000000 run-due clock 5"]
    );
    check_run(&mended, &["16.000000 skewed clock.1 right 0.000000"]);
}

#[test]
fn how_long_things_take_does_not_depend_on_what_a_clock_shows() {
    let plain = tests::runs::with(&[]);
    let off = json!([{ "at": "0s", "skew": { "component": "crew", "ahead": "1h" } }]);
    let skewed = changed(plain.clone(), &[("/interventions", off)]);
    let lines = |document: &Json| -> Vec<String> {
        let text = trace_text(&finished(document));
        text.lines().filter(|line| !line.contains(" skewed ")).map(str::to_owned).collect()
    };
    assert_eq!(lines(&plain), lines(&skewed));
    assert_ne!(trace_text(&finished(&plain)), trace_text(&finished(&skewed)));
    // Nothing is set that was not set before.
    let same = json!([{ "at": "0s", "skew": { "component": "crew", "ahead": "0s" } }]);
    check_run(&changed(plain, &[("/interventions", same)]), &["0.000000 ignored 0", "!skewed"]);
}

#[test]
fn a_setting_of_a_clock_is_written_as_it_is_read() {
    let document = tenth(&[]);
    let scenario = tests::runs::scenario(&document);
    let document = tests::documents::parse("test", &document.to_string()).expect("well-formed");
    let names = Names::of(&document);
    for (what, by) in [("ahead", "3s"), ("behind", "4m"), ("behind", "0s")] {
        let mut form = json!({ "at": "1s", "skew": { "component": "clock", "instance": 1 } });
        form["skew"][what] = json!(by);
        let sink = Diagnostics::new();
        let given = tests::documents::parse("test", &form.to_string()).expect("well-formed");
        let read = read_intervention(&Reader::new(&given, &sink), &names).expect("it is right");
        let written = read.to_value(&scenario);
        let again = read_intervention(&Reader::new(&written, &sink), &names);
        assert_eq!(again.as_ref(), Some(&read), "{form}");
        assert!(written.get("skew").and_then(|skew| skew.get(what)).is_some(), "{form}");
    }
}
