//! The rules of schemas in handlers, each as a run: bodies are written with one version and read with
//! another, and a registry lets a version follow or does not.

#![allow(clippy::needless_pass_by_value, reason = "what json! makes is handed over")]

use player::Gauge;
use serde_json::{Value as Json, json};
use tests::runs::{changed, check_run, finished};

/// A writer that publishes as `writes`, a reader that reads as `reads`, and what the schemas are.
fn read_and_write(writes: &str, reads: &str) -> Json {
    json!({
        "format": 1, "name": "test", "seed": "1", "until": "60s",
        "schemas": {
            "v1": { "id": "text", "usd": "int", "note": { "type": "text", "default": "none" } },
            "more": { "id": "text", "usd": "int", "note": "text", "region": { "type": "text", "default": "x" } },
            "need": { "id": "text", "usd": "int", "region": "text" },
            "less": { "id": "text", "note": { "type": "text", "default": "none" } },
            "renamed": { "id": "text", "price": "int" },
            "wide": { "id": "text", "usd": "double" },
        },
        "components": {
            "feed": { "is": "source", "to": "changes", "arrivals": { "at": ["0s"] } },
            "changes": { "is": "queue", "profile": "sqs-standard" },
            "writer": { "is": "workers", "from": "changes",
                        "on_message": [{ "publish": { "to": "prices", "schema": writes } }, "ack"] },
            "prices": { "is": "queue", "profile": "sqs-standard", "max_receive_count": 5, "dead_letter_to": "letters" },
            "letters": { "is": "queue", "profile": "sqs-standard" },
            "reader": { "is": "workers", "from": "prices", "on_error": "dead-letter",
                        "on_message": [{ "decode": { "as": reads } }, "ack"] },
        },
    })
}

#[test]
fn a_reader_needs_its_fields_or_defaults_and_passes_over_the_rest() {
    let reads = |writes: &str, reads: &str| {
        let run = finished(&read_and_write(writes, reads));
        let prices = run.scenario().find("prices").expect("the queue is there");
        run.gauge(Gauge::Acked(prices)).value_at(run.end()) > 0.5
    };
    assert!(reads("v1", "v1") && reads("more", "v1") && reads("v1", "wide"));
    assert!(reads("need", "v1"), "a default stands for the note");
    assert!(!reads("wide", "v1"), "a double does not become an int");
    assert!(!reads("v1", "need") && !reads("less", "v1") && !reads("renamed", "v1"));
}

#[test]
fn what_cannot_be_read_fails_for_good_and_at_once() {
    check_run(
        &read_and_write("renamed", "v1"),
        &[
            "0.000000 step-ended reader.1 2 line 1 error-permanent",
            "0.000000 dead-lettered prices letters 2 count 1 rejected",
        ],
    );
    // A redelivery is as the publisher wrote it, and so is a copy that is put elsewhere.
    let aside = json!([{ "publish": { "to": "prices" } }, "ack"]);
    let document = changed(
        read_and_write("v1", "v1"),
        &[
            ("/components/aside", json!({ "is": "queue", "profile": "sqs-standard" })),
            (
                "/components/shunter",
                json!({ "is": "workers", "from": "aside", "on_message": aside }),
            ),
        ],
    );
    let mut document = document;
    document["components"]["writer"]["on_message"][0]["publish"]["to"] = json!("aside");
    check_run(&document, &["0.000000 step-ended reader.1 3 line 1 ok"]);
}

#[test]
fn a_body_that_does_not_say_what_it_is_cannot_be_read() {
    let mut document = read_and_write("v1", "v1");
    document["components"]["writer"]["on_message"][0]["publish"] = json!({ "to": "prices" });
    check_run(&document, &["0.000000 step-ended reader.1 2 line 1 error-permanent"]);
}

/// F-SCH-3.
#[test]
fn a_registry_lets_a_version_follow_as_its_mode_says() {
    let stamped = |schema: &str, mode: &str| {
        let ask = json!({ "admit": { "schema": schema, "after": "v1", "mode": mode,
                                     "on": { "refused": [{ "respond": 409 }] } } });
        let document = changed(
            read_and_write("v1", "v1"),
            &[
                (
                    "/components/registry",
                    json!({ "is": "service", "handles": { "register": [ask, { "respond": 201 }] } }),
                ),
                (
                    "/components/release",
                    json!({ "is": "source", "to": "registry", "request": "register",
                                                "arrivals": { "at": ["1s"] } }),
                ),
            ],
        );
        let text = tests::runs::trace_text(&finished(&document));
        text.lines().any(|line| line == "1.000000 responded registry release 3 201")
    };
    let row =
        |schema: &str| ["backward", "forward", "full", "none"].map(|mode| stamped(schema, mode));
    assert_eq!(row("more"), [true; 4], "a field of both needs no default");
    assert_eq!(row("need"), [false, true, false, true]);
    assert_eq!(row("less"), [true, false, false, true]);
    assert_eq!(row("renamed"), [false, false, false, true]);
    assert_eq!(row("v1"), [true; 4], "no checker reads meanings");
}
