//! Crashes at a border between two lines, which need no time between them.

use scenario::read::{Names, read_intervention};
use scenario::wire::{Diagnostics, Reader};
use serde_json::{Value as Json, json};
use tests::runs::{base, changed, check, check_run, scenario, with};

fn dies(after_line: u32, more: &Json) -> Json {
    let mut crash = json!({ "component": "crew", "after_line": after_line, "restart_after": "1s" });
    for (name, value) in more.as_object().expect("a record") {
        crash[name] = value.clone();
    }
    json!([{ "at": "0s", "crash": crash }])
}

fn at_two(after_line: u32) -> [(&'static str, Json); 3] {
    [
        ("/components/feed/arrivals", json!({ "at": ["2s"] })),
        ("/components/jobs/visibility_timeout", json!("10s")),
        ("/interventions", dies(after_line, &json!({}))),
    ]
}

#[test]
fn a_line_that_takes_no_time_has_a_border_on_each_side() {
    check(
        &at_two(0),
        &[
            "0.000000 crash-armed crew after-line 0",
            "2.000000 crashed crew.1 holding 1",
            "12.000000 received jobs 1 crew.1 count 2 until 22.000000",
            "13.000000 effected mail 1 crew.1 nth 1",
            "13.000000 acked jobs 1 crew.1",
            "!nth 2",
        ],
    );
    check(
        &at_two(1),
        &[
            "3.000000 effected mail 1 crew.1 nth 1",
            "3.000000 crashed crew.1 holding 1",
            "13.000000 effected mail 1 crew.1 nth 2",
            "13.000000 acked jobs 1 crew.1",
        ],
    );
    check(
        &at_two(2),
        &["3.000000 acked jobs 1 crew.1", "3.000000 crashed crew.1 holding 1", "!nth 2"],
    );
}

#[test]
fn who_waits_at_a_border_strikes_once_and_only_whom_it_waits_for() {
    let mut document = with(&at_two(1));
    document["components"]["feed"]["arrivals"] = json!({ "at": ["2s", "4s", "6s"] });
    document["interventions"] = dies(1, &json!({ "message": 2 }));
    check_run(
        &document,
        &[
            "0.000000 crash-armed crew after-line 1 of 2",
            "3.000000 acked jobs 1 crew.1",
            "5.000000 crashed crew.1 holding 2",
            "7.000000 acked jobs 3 crew.1",
            "15.000000 effected mail 2 crew.1 nth 2",
            "15.000000 acked jobs 2 crew.1",
            "!holding 1",
            "!holding 3",
        ],
    );
    // Of two processes the second is meant, and the first passes.
    document["components"]["crew"]["count"] = json!(2);
    document["components"]["feed"]["arrivals"] = json!({ "at": ["2s", "2s"] });
    document["interventions"] = dies(1, &json!({ "instance": 2 }));
    check_run(&document, &["3.000000 crashed crew.2 holding 2", "!crashed crew.1"]);
}

/// A service that saves and then publishes, with no time in between.
fn two_writes(border: &Json) -> Json {
    let mut document = changed(
        base(),
        &[
            ("/components/feed/to", json!("api")),
            ("/components/feed/request", json!("order")),
            ("/components/feed/arrivals", json!({ "at": ["1s"] })),
            (
                "/components/api",
                json!({ "is": "service", "restart_after": "5s", "handles": { "order": [
                    { "insert": { "into": "db.orders" } }, { "publish": { "to": "jobs" } }, { "respond": 202 } ] } }),
            ),
            ("/components/db", json!({ "is": "database", "tables": { "orders": {} } })),
            ("/properties", json!(["no change without its event"])),
        ],
    );
    document["interventions"] = json!([{ "at": "0s", "crash": border }]);
    document
}

#[test]
fn a_service_dies_between_its_two_writes() {
    let document = two_writes(&json!({ "component": "api", "handler": "order", "after_line": 1 }));
    check_run(&document, &["1.000000 crashed api.1 holding 1", "!published", "!responded"]);
    let document = two_writes(&json!({ "component": "api", "handler": "order", "after_line": 3 }));
    check_run(
        &document,
        &["1.000000 responded api feed 1 202", "1.000000 crashed api.1 holding 1"],
    );
}

#[test]
fn a_border_is_written_as_it_is_read() {
    let whole = [
        json!({ "at": "3s", "crash": { "component": "api", "restart_after": "2s", "after_line": 2, "handler": "order", "message": 7 } }),
        json!({ "at": "3s", "crash": { "component": "crew", "instance": 1, "after_line": 0 } }),
        json!({ "at": "3s", "crash": { "component": "crew" } }),
    ];
    let document = two_writes(&json!({ "component": "crew" }));
    let scenario = scenario(&document);
    let document = tests::documents::parse("test", &document.to_string()).expect("well-formed");
    for form in whole {
        let sink = Diagnostics::new();
        let given = tests::documents::parse("test", &form.to_string()).expect("well-formed");
        let names = Names::of(&document);
        let read = read_intervention(&Reader::new(&given, &sink), &names).expect("it is right");
        let written = read.to_value(&scenario);
        let again = read_intervention(&Reader::new(&written, &sink), &names);
        assert_eq!(again.as_ref(), Some(&read), "{form}");
        for field in form["crash"].as_object().expect("a record").keys() {
            assert!(written.get("crash").and_then(|crash| crash.get(field)).is_some(), "{field}");
        }
    }
}

#[test]
fn a_border_that_is_none_is_refused_with_its_repair() {
    let rows = [
        (
            json!({ "component": "crew", "after_line": 65 }),
            "/interventions/0/crash/after_line | 65 is out of range | stay from 0 to 64",
        ),
        (
            json!({ "component": "crew", "message": 1 }),
            "/interventions/0/crash/message | this says more of a border between lines, and none is named | add after_line, or take this out",
        ),
        (
            json!({ "component": "api", "after_line": 1 }),
            "/interventions/0/crash/after_line | a service may have several handlers, and this is a line of one of them | add handler, the request that it answers",
        ),
        (
            json!({ "component": "api", "after_line": 1, "handler": "odrer" }),
            "/interventions/0/crash/handler | “odrer” is not a request that this service handles | did you mean “order”?",
        ),
        (
            json!({ "component": "crew", "after_line": 1, "handler": "order" }),
            "/interventions/0/crash/handler | workers have one handler, which has no name | take it out",
        ),
    ];
    for (border, wanted) in rows {
        let document = two_writes(&border);
        let document = tests::documents::parse("test", &document.to_string()).expect("well-formed");
        let sink = Diagnostics::new();
        assert!(scenario::Scenario::read(&Reader::new(&document, &sink)).is_none());
        let wrong = sink.into_vec();
        let found = wrong.iter().map(|d| format!("{} | {} | {}", d.path, d.problem, d.repair));
        let found: Vec<String> = found.collect();
        assert_eq!(found, [wanted]);
    }
}
