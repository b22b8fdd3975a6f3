//! The rules of sagas, each as a run: orchestrated and choreographed.

#![allow(clippy::needless_pass_by_value, reason = "what json! makes is handed over")]

use player::{ComponentFrame, Finding, Gauge, OrchestratorFrame, Player};
use scenario::Property;
use serde_json::{Value as Json, json};
use sim::SimTime;
use tests::runs::{changed, check_run, finished, trace_text};
use world::Standing;

/// Place, reserve, charge, ship: three steps that can be made up for, and a pivot.
fn checkout() -> Json {
    let step = |name: &str, undo: &str| {
        json!({ "name": name, "call": { "to": "shop", "request": name },
                "compensate": { "to": "shop", "request": undo } })
    };
    let does = |wait: &str| json!([{ "wait": { "for": wait } }, { "respond": 200 }]);
    json!({
        "format": 1, "name": "test", "seed": "1", "until": "300s",
        "components": {
            "feed": { "is": "source", "to": "checkout", "arrivals": { "at": ["0s"] } },
            "checkout": { "is": "orchestrator", "steps": [
                step("place", "cancel"), step("reserve", "release"), step("charge", "refund"),
                { "name": "ship", "call": { "to": "shop", "request": "ship" } },
            ] },
            "shop": { "is": "service", "handles": {
                "place": does("1s"), "cancel": does("1s"), "reserve": does("1s"),
                "release": does("1s"), "charge": does("1s"), "refund": does("1s"),
                "ship": does("1s"),
            } },
        },
        "properties": ["saga coherent"],
    })
}

fn refuses(step: &'static str) -> (String, Json) {
    (
        format!("/components/shop/handles/{step}"),
        json!([{ "wait": { "for": "1s" } }, { "respond": 422 }]),
    )
}

fn at(run: &mut Player, moment: SimTime) -> OrchestratorFrame {
    run.seek(moment);
    let id = run.scenario().find("checkout").expect("it is there");
    match &run.frame().components[id.index()] {
        ComponentFrame::Orchestrator(orchestrator) => orchestrator.clone(),
        _ => panic!("no orchestrator"),
    }
}

fn is_coherent(run: &Player) -> bool {
    let verdict = run.verdicts()[0];
    assert_eq!(verdict.property, Property::SagaCoherent);
    matches!(verdict.finding, Finding::Holds)
}

/// F-SAGA-1.
#[test]
fn a_saga_does_its_steps_one_after_another() {
    let document = checkout();
    check_run(
        &document,
        &[
            "0.000000 responded checkout feed 1 202",
            "0.000000 saga-began checkout 1",
            "0.000000 saga-acts checkout 1 place attempt 1",
            "1.000000 saga-acts checkout 1 reserve attempt 1",
            "2.000000 saga-acts checkout 1 charge attempt 1",
            "3.000000 saga-acts checkout 1 ship attempt 1",
            "4.000000 saga-ended checkout 1 completed",
            "!saga-compensates",
        ],
    );
    let mut run = finished(&document);
    assert!(is_coherent(&run));
    // Nothing isolates it: others see what lies between.
    let between = at(&mut run, SimTime::from_millis(2_500));
    assert_eq!((between.running, between.completed), (1, 0));
    assert_eq!(between.sagas[0].step, Some(2));
    assert_eq!(between.sagas[0].standing[..3], [Standing::Done, Standing::Done, Standing::Not]);
}

/// F-SAGA-2.
#[test]
fn a_step_that_fails_has_those_before_it_made_up_for_in_reverse() {
    let (pointer, handler) = refuses("charge");
    let third = changed(checkout(), &[(&pointer, handler)]);
    check_run(
        &third,
        &[
            "3.000000 saga-compensates checkout 1 reserve attempt 1",
            "4.000000 saga-compensates checkout 1 place attempt 1",
            "5.000000 saga-ended checkout 1 compensated",
            "!saga-compensates checkout 1 charge",
        ],
    );
    let (pointer, handler) = refuses("ship");
    let fourth = changed(checkout(), &[(&pointer, handler)]);
    check_run(
        &fourth,
        &[
            "4.000000 saga-compensates checkout 1 charge attempt 1",
            "5.000000 saga-compensates checkout 1 reserve attempt 1",
            "6.000000 saga-compensates checkout 1 place attempt 1",
            "7.000000 saga-ended checkout 1 compensated",
        ],
    );
    let mut run = finished(&fourth);
    assert!(is_coherent(&run));
    let conductor = run.scenario().find("checkout").expect("it is there");
    let reading = |gauge| run.gauge(gauge).value_at(run.end());
    assert_eq!(reading(Gauge::Compensated(conductor)), 1.0);
    assert_eq!(reading(Gauge::Completed(conductor)), 0.0);
    let end = at(&mut run, SimTime::from_secs(7));
    assert_eq!((end.running, end.compensated), (0, 1));
    assert_eq!(
        end.sagas[0].standing,
        [Standing::Undone, Standing::Undone, Standing::Undone, Standing::Not]
    );
}

/// A charge and its refund are two works at the same bank: no repetition of one.
#[test]
fn lines_of_two_handlers_of_a_service_are_not_the_same_work() {
    let asks = json!([{ "call": { "to": "bank" } }, { "respond": 200 }]);
    let (pointer, refuse) = refuses("ship");
    let document = changed(
        checkout(),
        &[
            (
                "/components/bank",
                json!({ "is": "external", "latency": "1s",
                                         "idempotency": { "window": "1h" } }),
            ),
            ("/components/shop/handles/charge", asks.clone()),
            ("/components/shop/handles/refund", asks),
            (&pointer, refuse),
            ("/properties", json!(["no effect twice"])),
        ],
    );
    check_run(
        &document,
        &[
            "3.000000 effected bank 1 request nth 1",
            "5.000000 effected bank 1 request nth 1",
            "!nth 2",
        ],
    );
    let run = finished(&document);
    assert!(matches!(run.verdicts()[0].finding, Finding::Holds));
    // What services ask of each other is in no broker.
    assert!(!run.life(broker::MessageId::from_index(0)).reached_a_broker());
}

/// F-SAGA-5: a compensation is tried until it works.
#[test]
fn a_compensation_is_tried_until_it_works_and_one_that_gives_up_leaves_the_saga_stuck() {
    let (pointer, handler) = refuses("charge");
    let down = json!([{ "at": "3500ms", "crash": { "component": "shop", "restart_after": "2s" } }]);
    let document = changed(checkout(), &[(&pointer, handler.clone()), ("/faults", down.clone())]);
    check_run(
        &document,
        &[
            "3.000000 saga-compensates checkout 1 reserve attempt 1",
            "4.500000 saga-compensates checkout 1 reserve attempt 2",
            "5.500000 saga-compensates checkout 1 reserve attempt 3",
            "6.500000 saga-compensates checkout 1 place attempt 1",
            "7.500000 saga-ended checkout 1 compensated",
        ],
    );
    let once = json!({ "none": {} });
    let stuck = changed(
        checkout(),
        &[(&pointer, handler), ("/faults", down), ("/components/checkout/compensations", once)],
    );
    check_run(&stuck, &["3.500000 saga-ended checkout 1 stuck", "3.500000 incoherent checkout 1"]);
    assert!(!is_coherent(&finished(&stuck)));
}

/// A step that times out may have happened all the same: it is made up for, too. Its late success is
/// harmless where the participant remembers the compensation, and not where it does not.
#[test]
fn a_late_success_needs_a_tombstone() {
    let slow = |late: Json| {
        changed(
            checkout(),
            &[
                ("/components/checkout/steps/2/timeout", json!("1s")),
                ("/components/shop/handles/charge", late),
                (
                    "/components/bank",
                    json!({ "is": "database", "tables": { "charges": { "key": "id" } } }),
                ),
                (
                    "/components/shop/handles/refund",
                    json!([
                        { "insert-or-skip": { "into": "bank.charges" } }, { "respond": 200 },
                    ]),
                ),
            ],
        )
    };
    let forgetful = slow(json!([{ "wait": { "for": "10s" } }, { "respond": 200 }]));
    check_run(
        &forgetful,
        &[
            "3.000000 saga-compensates checkout 1 charge attempt 1",
            "5.000000 saga-ended checkout 1 compensated",
            "12.000000 responded shop checkout 1 200",
            "12.000000 incoherent checkout 1",
            "12.000000 saga-heard-late checkout 1 charge",
        ],
    );
    assert!(!is_coherent(&finished(&forgetful)));
    let careful = slow(json!([
        { "wait": { "for": "10s" } },
        { "insert": { "into": "bank.charges", "on": { "conflict": [{ "respond": 409 }] } } },
        { "respond": 200 },
    ]));
    check_run(&careful, &["12.000000 responded shop checkout 1 409", "!incoherent"]);
    assert!(is_coherent(&finished(&careful)));
}

#[test]
fn a_conductor_that_was_away_goes_on_where_each_saga_stood() {
    let dead =
        json!([{ "at": "1500ms", "crash": { "component": "checkout", "restart_after": "5s" } }]);
    let document = changed(checkout(), &[("/faults", dead)]);
    check_run(
        &document,
        &[
            "1.500000 crashed checkout.1",
            "2.000000 responded shop checkout 1 200",
            "6.500000 restarted checkout.1",
            "6.500000 saga-acts checkout 1 reserve attempt 1",
            "9.500000 saga-ended checkout 1 completed",
        ],
    );
    let frozen = json!([{ "at": "1500ms", "pause": { "component": "checkout", "for": "5s" } }]);
    let document = changed(checkout(), &[("/faults", frozen)]);
    check_run(
        &document,
        &[
            "6.500000 resumed checkout.1",
            "6.500000 saga-acts checkout 1 charge attempt 1",
            "8.500000 saga-ended checkout 1 completed",
        ],
    );
}

/// F-SAGA-8: what cannot be undone belongs at the end; first, it costs a correction for each failure.
#[test]
fn the_irreversible_belongs_last() {
    let mail = json!({ "is": "external", "latency": "0s" });
    let send = json!([{ "call": { "to": "mail" } }, { "respond": 200 }]);
    let notify = json!({ "name": "notify", "call": { "to": "shop", "request": "notify" },
                         "compensate": { "to": "shop", "request": "correct" }, "undo": "none" });
    let (pointer, refuse) = refuses("charge");
    let mails = |first: bool| {
        let mut document = checkout();
        let steps = document["components"]["checkout"]["steps"].as_array_mut().expect("a list");
        if first {
            steps.insert(0, notify.clone());
        } else {
            let mut last = notify.clone();
            for field in ["compensate", "undo"] {
                last.as_object_mut().expect("a record").remove(field);
            }
            last["kind"] = json!("retriable");
            steps.push(last);
        }
        let document = changed(
            document,
            &[
                ("/components/mail", mail.clone()),
                ("/components/shop/handles/notify", send.clone()),
                ("/components/shop/handles/correct", send.clone()),
                (&pointer, refuse.clone()),
            ],
        );
        trace_text(&finished(&document)).matches("effected mail").count()
    };
    assert_eq!(mails(true), 2, "the notice and its correction");
    assert_eq!(mails(false), 0);
}

/// F-SAGA-4: five bottles; the reservation of the first buyer is released when the payment fails.
#[test]
fn others_see_what_lies_between() {
    let reserve = json!([
        { "update-where": { "table": "db.stock", "where": { "wine": "rioja", "left": { "above": 0 } },
                            "add": { "left": -1 }, "on": { "zero-rows": [{ "respond": 409 }] } } },
        { "respond": 200 },
    ]);
    let release = json!([
        { "update-where": { "table": "db.stock", "where": { "wine": "rioja" }, "add": { "left": 1 } } },
        { "respond": 200 },
    ]);
    let stock =
        json!({ "key": "wine", "columns": ["left"], "rows": [{ "wine": "rioja", "left": 5 }] });
    let document = json!({
        "format": 1, "name": "test", "seed": "1", "until": "300s",
        "components": {
            "feed": { "is": "source", "to": "checkout",
                      "arrivals": { "every": { "interval": "2s", "count": 16 } } },
            "checkout": { "is": "orchestrator", "steps": [
                { "name": "reserve", "call": { "to": "shop", "request": "reserve" },
                  "compensate": { "to": "shop", "request": "release" } },
                { "name": "charge", "call": { "to": "shop", "request": "charge" } },
            ] },
            "shop": { "is": "service", "handles": {
                "reserve": reserve, "release": release,
                "charge": [{ "wait": { "for": "29990ms" } }, { "respond": 422 }],
            } },
            "db": { "is": "database", "tables": { "stock": stock } },
        },
        "properties": ["saga coherent"],
    });
    check_run(
        &document,
        &[
            "8.000000 update db.stock shop 5 rows 1",
            "10.000000 update db.stock shop 6 rows 0",
            "28.000000 update db.stock shop 15 rows 0",
            "29.990000 saga-compensates checkout 1 reserve attempt 1",
            "30.000000 update db.stock shop 16 rows 1",
        ],
    );
    assert!(is_coherent(&finished(&document)));
}

/// Choreography: each worker reacts to an event and publishes the next. An exception that is
/// swallowed leaves an order that nobody asks about (F-ORCH-4).
#[test]
fn a_choreographed_flow_runs_through_queues_and_is_nowhere_written_down() {
    let moves = |from: &str, to: &str, next: Json| {
        let update = json!({ "update-where": { "table": "db.orders",
            "where": { "id": { "message": "event" }, "status": from }, "set": { "status": to } } });
        let mut lines = vec![json!({ "begin": { "in": "db" } }), update, json!("commit")];
        lines.extend(next.as_array().expect("a list").iter().cloned());
        lines.push(json!("ack"));
        lines
    };
    let queue = || json!({ "is": "queue", "profile": "sqs-standard" });
    let document = |pay: Json| {
        json!({
            "format": 1, "name": "test", "seed": "1", "until": "300s",
            "components": {
                "feed": { "is": "source", "to": "api", "request": "order", "arrivals": { "at": ["0s"] } },
                "api": { "is": "service", "handles": { "order": [
                    { "insert": { "into": "db.orders", "row": { "status": "PLACED" } } },
                    { "publish": { "to": "placed" } }, { "respond": 202 } ] } },
                "db": { "is": "database", "tables": { "orders": { "key": "id", "columns": ["status"] } } },
                "placed": queue(), "paid": queue(), "allocated": queue(),
                "payments": { "is": "workers", "from": "placed",
                              "on_message": moves("PLACED", "PAID", pay) },
                "stock": { "is": "workers", "from": "paid",
                           "on_message": moves("PAID", "ALLOCATED", json!([{ "publish": { "to": "allocated" } }])) },
                "depot": { "is": "workers", "from": "allocated",
                           "on_message": moves("ALLOCATED", "SHIPPED", json!([])) },
            },
            "properties": ["no message lost"],
        })
    };
    let status = |document: &Json| {
        let mut run = finished(document);
        run.seek(run.end());
        let id = run.scenario().find("db").expect("it is there");
        match &run.frame().components[id.index()] {
            ComponentFrame::Database(db) => db.tables[0].newest[0].values[1].clone(),
            _ => panic!("no database"),
        }
    };
    assert_eq!(status(&document(json!([{ "publish": { "to": "paid" } }]))), "SHIPPED");
    assert_eq!(
        status(&document(json!([]))),
        "PAID",
        "acked, without an error, without a next event"
    );
}
