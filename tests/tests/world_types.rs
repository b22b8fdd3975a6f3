//! Lines that are for messages of one type, and publishes that say which type theirs is.

use player::{ComponentFrame, Finding, Gauge};
use scenario::Kind;
use serde_json::{Value as Json, json};
use sim::SimTime;
use tests::runs::{changed, check, check_run, finished, scenario, with};

/// A shop that hands two kinds of work to one queue, and one worker with the lines for both: a mail
/// takes a second, a bill two.
fn shop(handler: &Json) -> Json {
    json!({
        "format": 1, "name": "test", "seed": "1", "until": "60s",
        "components": {
            "buyer": { "is": "source", "to": "api", "request": "order",
                       "arrivals": { "at": ["0s"] }, "messages": [{ "type": "order" }] },
            "api": { "is": "service", "handles": { "order": handler } },
            "jobs": { "is": "queue", "profile": "sqs-standard" },
            "crew": { "is": "workers", "from": "jobs", "on_error": "nack", "on_message": [
                { "call": { "to": "mail", "if_type": "mail" } },
                { "call": { "to": "bill", "if_type": "bill" } },
                "ack",
            ] },
            "mail": { "is": "external", "latency": "1s" },
            "bill": { "is": "external", "latency": "2s" },
        },
        "properties": ["no message lost", "no effect twice"],
    })
}

fn both() -> Json {
    shop(&json!([
        { "publish": { "to": "jobs", "type": "mail" } },
        { "publish": { "to": "jobs", "type": "bill" } },
        { "respond": 201 },
    ]))
}

/// The handler of an order publishes a mail and a bill to the topic.
fn tells_of_both() -> (&'static str, Json) {
    let publish = |of| json!({ "publish": { "to": "news", "type": of } });
    let lines = json!([publish("mail"), publish("bill"), { "respond": 201 }]);
    ("/components/api/handles/order", lines)
}

/// The base scenario with a handler in which the mail is for one type, and bodies of these types.
fn base(lines: Json, types: &[&str]) -> Vec<(&'static str, Json)> {
    let times: Vec<_> = (0..types.len()).map(|second| format!("{}s", second * 10)).collect();
    let bodies: Vec<_> = types.iter().map(|name| json!({ "type": name })).collect();
    vec![
        ("/components/crew/on_message", lines),
        ("/components/feed/arrivals", json!({ "at": times })),
        ("/components/feed/messages", json!(bodies)),
    ]
}

/// How many properties do not hold.
fn broken(document: &Json) -> usize {
    let verdicts = finished(document).verdicts();
    verdicts.iter().filter(|verdict| !matches!(verdict.finding, Finding::Holds)).count()
}

#[test]
fn each_message_is_worked_on_by_the_lines_for_its_type_alone() {
    check_run(
        &both(),
        &[
            // The request itself is on no queue: what is published says something else.
            "0.000000 stored jobs 2 visible 0.000000",
            "0.000000 stored jobs 3 visible 0.000000",
            "0.000000 responded api buyer 1 201",
            "0.000000 step-started crew.1 2 line 1",
            "1.000000 effected mail 2 crew.1 nth 1",
            "1.000000 step-started crew.1 2 line 3",
            "1.000000 acked jobs 2 crew.1",
            "1.000000 step-started crew.1 3 line 2",
            "3.000000 effected bill 3 crew.1 nth 1",
            "3.000000 acked jobs 3 crew.1",
            "!2 line 2",
            "!3 line 1",
        ],
    );
}

#[test]
fn the_work_on_a_message_is_what_is_for_its_type() {
    assert_eq!(broken(&both()), 0);
    // One that is acked before its own line is lost; that it passed by another's is no excuse.
    let lost = changed(
        both(),
        &[(
            "/components/crew/on_message",
            json!([
                "ack",
                { "crash": { "if_type": "bill" } },
                { "call": { "to": "mail", "if_type": "mail" } },
                { "call": { "to": "bill", "if_type": "bill" } },
            ]),
        )],
    );
    check_run(&lost, &["0.000000 acked jobs 2 crew.1", "1.000000 acked jobs 3 crew.1"]);
    let found: Vec<_> = finished(&lost).verdicts().iter().map(|verdict| verdict.finding).collect();
    assert!(matches!(found[..], [Finding::Broken { times: 1, .. }, Finding::Holds]), "{found:?}");
}

#[test]
fn a_message_that_no_line_is_for_is_done_with_an_ack() {
    let lines = json!([{ "call": { "to": "mail", "if_type": "mail" } }, "ack"]);
    let changes = base(lines, &["mail", "bill"]);
    check(
        &changes,
        &[
            "1.000000 effected mail 1 crew.1 nth 1",
            "10.000000 step-started crew.1 2 line 2",
            "10.000000 acked jobs 2 crew.1",
            "!mail 2",
        ],
    );
    assert_eq!(broken(&with(&changes)), 0);
}

#[test]
fn a_handler_whose_last_lines_are_for_others_ends_before_them() {
    let lines = json!(["ack", { "call": { "to": "mail", "if_type": "mail" } }]);
    let mut changes = base(lines, &["bill", "mail"]);
    changes.push(("/properties", json!([])));
    check(
        &changes,
        &[
            "0.000000 acked jobs 1 crew.1",
            "10.000000 acked jobs 2 crew.1",
            "11.000000 effected mail 2 crew.1 nth 1",
            "!mail 1",
        ],
    );
}

#[test]
fn a_branch_has_lines_for_types_too() {
    let aside = json!([{ "dead-letter": { "if_type": "bill" } }, { "drop": {} }]);
    let lines = json!([{ "call": { "to": "mail", "on": { "error": aside } } }, "ack"]);
    let mut changes = base(lines, &["bill", "mail"]);
    changes.push(("/components/mail/error_rate", json!(1.0)));
    check(
        &changes,
        &[
            "1.000000 step-started crew.1 1 line 3",
            "1.000000 dead-lettered jobs parked 1 count 1 rejected",
            "11.000000 step-started crew.1 2 line 4",
            "!crew.1 2 line 3",
        ],
    );
}

#[test]
fn a_publish_without_a_type_says_what_the_message_in_hand_does() {
    // A worker hands on what it has: first as it is, then as another.
    let document = changed(
        both(),
        &[
            ("/components/next", json!({ "is": "queue", "profile": "sqs-standard" })),
            (
                "/components/crew/on_message",
                json!([{ "publish": { "to": "next" } },
                       { "publish": { "to": "next", "type": "last" } }, "ack"]),
            ),
            (
                "/components/last",
                json!({ "is": "workers", "from": "next", "on_message": [
                    { "call": { "to": "mail", "if_type": "mail" } },
                    { "call": { "to": "bill", "if_type": "last" } },
                    { "wait": { "for": "0s", "if_type": "bill" } },
                    "ack",
                ] }),
            ),
        ],
    );
    let player = finished(&document);
    let count = |name: &str| {
        let of = player.scenario().find(name).expect("it is there");
        player.gauge(Gauge::Effects(of)).value_at(player.end())
    };
    assert_eq!((count("mail"), count("bill")), (1.0, 2.0));
}

#[test]
fn copies_and_subscriptions_keep_to_the_type_that_was_published() {
    let document = changed(
        both(),
        &[
            (
                "/components/news",
                json!({ "is": "topic", "to": ["jobs",
                    { "queue": "bills", "filter": { "type": ["bill"] } }] }),
            ),
            ("/components/bills", json!({ "is": "queue", "profile": "sqs-standard" })),
            (
                "/components/clerk",
                json!({ "is": "workers", "from": "bills", "on_message": [
                    { "call": { "to": "bill", "if_type": "bill" } }, "ack"] }),
            ),
            tells_of_both(),
        ],
    );
    check_run(
        &document,
        &[
            "0.000000 stored jobs 2 visible 0.000000",
            "0.000000 stored bills 4 visible 0.000000",
            "0.000000 received bills 4 clerk.1 count 1 until 30.000000",
            "2.000000 effected bill 4 clerk.1 nth 1",
            "3.000000 effected bill 3 crew.1 nth 1",
            "!stored bills 2",
        ],
    );
}

/// F-DUAL-1: what is told is held against what was to be saved for this type.
#[test]
fn what_is_not_to_be_saved_for_a_type_may_be_told() {
    let saves = |name: &str| {
        changed(
            shop(&json!([
                { "insert": { "into": "db.orders", "if_type": name } },
                { "publish": { "to": "jobs", "type": "mail" } },
            ])),
            &[("/components/db", json!({ "is": "database", "tables": { "orders": {} } }))],
        )
    };
    check_run(
        &saves("return"),
        &["0.000000 stored jobs 2 visible 0.000000", "!executed", "!phantom"],
    );
    check_run(&saves("order"), &["0.000000 insert db.orders api 1 rows 1", "!phantom"]);
}

#[test]
fn a_record_of_a_log_is_done_by_the_lines_for_its_type() {
    let document = changed(
        both(),
        &[
            ("/components/jobs", json!({ "is": "log", "profile": "kafka" })),
            (
                "/components/crew",
                json!({ "is": "workers", "from": "jobs",
                    "group": { "auto_offset_reset": "earliest", "initial_delay": "0s" },
                    "on_message": [
                        { "call": { "to": "mail", "if_type": "mail" } },
                        { "call": { "to": "bill", "if_type": "bill" } },
                        "ack",
                    ] }),
            ),
        ],
    );
    assert_eq!(broken(&document), 0);
}

#[test]
fn a_batch_is_acked_with_what_no_line_is_for() {
    let lines = json!([{ "call": { "to": "mail", "if_type": "mail" } }]);
    let mut changes = base(lines, &["mail", "bill"]);
    changes.extend([
        ("/components/feed/arrivals", json!({ "at": ["1s", "1s"] })),
        ("/components/crew/receive", json!({ "max": 10, "batch": "ack-all" })),
    ]);
    check(&changes, &["2.000000 acked jobs 1 crew.1", "2.000000 acked jobs 2 crew.1"]);
    assert_eq!(broken(&with(&changes)), 0);
}

#[test]
fn a_picture_says_which_lines_the_message_in_hand_passes_by() {
    let mut player = finished(&both());
    let mut at = |millis: u64| {
        player.seek(SimTime::from_micros(millis * 1_000));
        let frame = player.frame();
        let crew = frame.components.into_iter().find_map(|part| match part {
            ComponentFrame::Workers(it) => it.instances.into_iter().next(),
            _ => None,
        });
        crew.and_then(|worker| worker.holding).map(|holding| holding.passed_by)
    };
    assert_eq!([at(500), at(2_000), at(4_000)], [Some(0b010), Some(0b001), None]);
}

/// A line that nobody's message makes run is no part of the picture of a scenario.
#[test]
fn a_line_is_reached_if_somebody_says_its_type() {
    let reached = |handler: &Json, bodies: &Json| {
        let bodies = ("/components/buyer/messages", bodies.clone());
        let read = scenario(&changed(shop(handler), &[bodies]));
        let crew = read.find("crew").expect("it is there");
        let Kind::Workers(crew) = &read.component(crew).kind else { panic!("workers") };
        crew.on_message.steps.iter().map(|step| read.is_reached(step)).collect::<Vec<_>>()
    };
    let mails = json!([{ "publish": { "to": "jobs", "type": "mail" } }, { "respond": 201 }]);
    let none = json!([{ "respond": 201 }]);
    assert_eq!(reached(&mails, &json!([{ "type": "order" }])), [true, false, true]);
    assert_eq!(reached(&none, &json!([{ "type": "bill" }, {}])), [false, true, true]);
    assert_eq!(reached(&none, &json!([{ "kind": "bill" }])), [false, false, true]);
}

#[test]
fn a_routing_key_may_be_the_type_that_was_published() {
    let document = changed(
        both(),
        &[
            ("/components/buyer/routing_key", json!("type")),
            (
                "/components/news",
                json!({ "is": "topic", "exchange": "direct", "to": [
                    { "queue": "jobs", "key": "mail" }, { "queue": "bills", "key": "bill" } ] }),
            ),
            ("/components/jobs", json!({ "is": "queue", "profile": "rabbitmq-classic" })),
            ("/components/bills", json!({ "is": "queue", "profile": "rabbitmq-classic" })),
            tells_of_both(),
        ],
    );
    check_run(
        &document,
        &[
            "0.000000 stored jobs 2 visible 0.000000",
            "0.000000 stored bills 3 visible 0.000000",
            "!stored jobs 3",
        ],
    );
}
