//! Gauges of those who ask, of refusals, and of how long something took; and fields that the word
//! "none" takes away, so that a control can.

use player::{Gauge, Level, Player};
use scenario::ComponentId;
use serde_json::{Value as Json, json};
use sim::{SimDuration, SimTime};
use tests::runs::{base, finished, trace_text, with};

fn of(player: &Player, name: &str) -> ComponentId {
    player.scenario().find(name).expect("a component of that name")
}

fn reads(player: &Player, gauge: Gauge, seconds: f64, is: f64) {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small times")]
    let at = SimTime::from_micros((seconds * 1e6) as u64);
    let found = player.gauge(gauge).value_at(at);
    assert!((found - is).abs() < 1e-9, "{gauge:?} at {seconds} s: {found}, not {is}");
}

/// Two buyers; the second meets a shop that takes too long, tries again, and gives up.
fn shop() -> Json {
    json!({
        "format": 1, "name": "test", "seed": "1", "until": "60s",
        "components": {
            "buyer": { "is": "source", "to": "shop", "request": "buy", "timeout": "2s",
                       "retry": { "fixed": { "delay": "1s" }, "attempts": 2 },
                       "arrivals": { "at": ["1s", "10s"] } },
            "shop": { "is": "service", "handles": { "buy": [ { "call": { "to": "card" } },
                                                            { "respond": 200 } ] } },
            "card": { "is": "external", "latency": "500ms" },
        },
        "faults": [ { "at": "9s", "brownout": { "component": "card", "latency_percent": 1000,
                                                "for": "20s" } } ],
    })
}

#[test]
fn those_who_ask_are_counted_by_what_they_hear() {
    let player = finished(&shop());
    let buyer = of(&player, "buyer");
    for (gauge, seconds, is) in [
        (Gauge::Requested(buyer), 1.0, 1.0),
        (Gauge::Answered(buyer), 1.4, 0.0),
        (Gauge::Answered(buyer), 1.5, 1.0),
        (Gauge::AnsweredIn(buyer), 1.4, 0.0),
        (Gauge::AnsweredIn(buyer), 1.5, 0.5),
        (Gauge::TimedOut(buyer), 12.0, 1.0),
        (Gauge::Retried(buyer), 12.0, 1.0),
        (Gauge::Requested(buyer), 13.0, 3.0),
        (Gauge::GaveUp(buyer), 14.0, 0.0),
        (Gauge::GaveUp(buyer), 15.0, 1.0),
        (Gauge::TimedOut(buyer), 60.0, 2.0),
        (Gauge::AnsweredIn(buyer), 60.0, 0.5),
    ] {
        reads(&player, gauge, seconds, is);
    }
}

#[test]
fn an_answer_to_a_second_try_took_from_the_first_on() {
    let mut document = shop();
    document["faults"][0]["brownout"]["for"] = json!("3500ms");
    let player = finished(&document);
    // The first try times out at 12 s, the second leaves at 13 s and takes half a second.
    reads(&player, Gauge::AnsweredIn(of(&player, "buyer")), 13.5, 3.5);
}

#[test]
fn a_wait_is_that_before_the_first_receive() {
    let player = finished(&with(&[("/components/feed/arrivals", json!({ "at": ["0s", "0s"] }))]));
    let jobs = of(&player, "jobs");
    reads(&player, Gauge::Waited(jobs), 0.9, 0.0);
    reads(&player, Gauge::Waited(jobs), 1.0, 1.0);
    assert_eq!(
        player.gauge(Gauge::Waited(jobs)).level_at(SimTime::from_secs(1)),
        Level::Lasted(SimDuration::from_secs(1))
    );
    reads(&player, Gauge::Received(jobs), 1.0, 2.0);
    let failing = with(&[("/components/mail/error_rate", json!(1.0))]);
    let player = finished(&failing);
    reads(&player, Gauge::Waited(of(&player, "jobs")), 300.0, 0.0);
    reads(&player, Gauge::Received(of(&player, "jobs")), 300.0, 5.0);
    reads(&player, Gauge::Failed(of(&player, "mail")), 300.0, 5.0);
}

#[test]
fn those_of_one_source_are_told_from_others_in_the_same_queue() {
    let document = with(&[
        ("/components/feed/arrivals", json!({ "at": ["0s", "0s", "0s"] })),
        (
            "/components/urgent",
            json!({ "is": "source", "to": "jobs", "arrivals": { "at": ["500ms"] } }),
        ),
    ]);
    let player = finished(&document);
    let (feed, urgent) = (of(&player, "feed"), of(&player, "urgent"));
    reads(&player, Gauge::TakenAfter(feed), 2.0, 2.0);
    reads(&player, Gauge::TakenAfter(urgent), 2.9, 0.0);
    reads(&player, Gauge::TakenAfter(urgent), 3.0, 2.5);
    reads(&player, Gauge::TakenAfter(feed), 3.0, 2.0);
}

/// A shop that asks a stock service itself and leaves a mail, of which a topic makes two, to workers.
#[test]
fn the_latest_effect_of_a_request_may_come_after_its_answer() {
    let queue = json!({ "is": "queue", "profile": "sqs-standard" });
    let crew = |from: &str, asks: &str| json!({ "is": "workers", "from": from, "on_message": [{ "call": { "to": asks } }, "ack"] });
    let mut document = shop();
    for (name, part) in [
        ("other", json!({ "is": "source", "to": "late", "arrivals": { "at": ["20s"] } })),
        ("news", json!({ "is": "topic", "to": ["soon", "late"] })),
        ("soon", queue.clone()),
        ("late", queue),
        ("mailer", crew("soon", "mail")),
        ("counter", crew("late", "count")),
        ("mail", json!({ "is": "external", "latency": "1s" })),
        ("count", json!({ "is": "external", "latency": "3s" })),
    ] {
        document["components"][name] = part;
    }
    document["components"]["shop"]["handles"]["buy"] =
        json!([{ "call": { "to": "card" } }, { "publish": { "to": "news" } }, { "respond": 200 }]);
    document["faults"] = json!([]);
    document["components"]["buyer"]["arrivals"] = json!({ "at": ["1s"] });
    let player = finished(&document);
    let (buyer, other) = (of(&player, "buyer"), of(&player, "other"));
    for (seconds, is) in [(1.4, 0.0), (1.5, 0.5), (2.5, 1.5), (4.4, 1.5), (4.5, 3.5), (30.0, 3.5)] {
        reads(&player, Gauge::EffectedAfter(buyer), seconds, is);
    }
    reads(&player, Gauge::EffectedAfter(other), 22.9, 0.0);
    reads(&player, Gauge::EffectedAfter(other), 23.0, 3.0);
    // A second try belongs to the first: it leaves at 4 s and has its effect half a second later.
    document["faults"] = json!([{ "at": "0s", "brownout": { "component": "card",
                                  "latency_percent": 1000, "for": "3500ms" } }]);
    let player = finished(&document);
    reads(&player, Gauge::EffectedAfter(of(&player, "buyer")), 4.5, 3.5);
}

#[test]
fn a_queue_holds_what_is_hidden_and_what_was_put_off() {
    let document = with(&[
        ("/components/feed/arrivals", json!({ "at": ["0s", "0s", "0s"] })),
        ("/components/crew/on_error", json!({ "nack": { "delay": "10s" } })),
        ("/components/jobs/max_receive_count", json!(2)),
        ("/faults", json!([{ "at": "0s", "poison": { "message": 2 } }])),
        ("/interventions", json!([{ "at": "100s", "purge": { "component": "parked" } }])),
    ]);
    let player = finished(&document);
    let (jobs, parked) = (of(&player, "jobs"), of(&player, "parked"));
    // The first is acked at 1 s; the second is given back at 2 s, while the third is worked on.
    reads(&player, Gauge::Held(jobs), 0.5, 3.0);
    reads(&player, Gauge::Held(jobs), 1.5, 2.0);
    reads(&player, Gauge::Held(jobs), 3.5, 1.0);
    reads(&player, Gauge::Depth(jobs), 3.5, 0.0);
    reads(&player, Gauge::Held(jobs), 60.0, 0.0);
    reads(&player, Gauge::Held(parked), 60.0, 1.0);
    reads(&player, Gauge::Held(parked), 100.0, 0.0);
}

#[test]
fn a_queue_holds_what_is_moved_to_it_until_it_is_too_old() {
    let queue = json!({ "is": "queue", "profile": "sqs-standard", "retention": "60s" });
    let once = |to: &str| json!({ "is": "source", "to": to, "arrivals": { "at": ["0s"] } });
    let document = with(&[
        ("/components/shelf", queue.clone()),
        ("/components/attic", queue),
        ("/components/late", once("shelf")),
        ("/components/old", once("attic")),
        (
            "/interventions",
            json!([{ "at": "30s", "redrive": { "component": "shelf", "to": "parked" } }]),
        ),
    ]);
    let player = finished(&document);
    let (shelf, attic, parked) =
        (of(&player, "shelf"), of(&player, "attic"), of(&player, "parked"));
    for (seconds, on_shelf, is_parked) in [(29.0, 1.0, 0.0), (31.0, 0.0, 1.0)] {
        reads(&player, Gauge::Held(shelf), seconds, on_shelf);
        reads(&player, Gauge::Held(parked), seconds, is_parked);
    }
    reads(&player, Gauge::Held(attic), 59.0, 1.0);
    reads(&player, Gauge::Held(attic), 61.0, 0.0);
}

#[test]
fn refusals_and_deaths_are_counted() {
    let slow = with(&[
        ("/components/mail/latency", json!("60s")),
        ("/components/crew/count", json!(5)),
        ("/interventions", json!([ { "at": "170s", "crash": { "component": "crew" } } ])),
    ]);
    let player = finished(&slow);
    reads(&player, Gauge::AcksRefused(of(&player, "jobs")), 300.0, 4.0);
    reads(&player, Gauge::Crashes(of(&player, "crew")), 300.0, 5.0);
    let large = with(&[
        ("/components/feed/bytes", json!(2_000)),
        ("/components/jobs/max_message_bytes", json!(1_024)),
    ]);
    let player = finished(&large);
    reads(&player, Gauge::Refused(of(&player, "jobs")), 300.0, 1.0);
    let twice = with(&[
        ("/components/jobs/profile", json!("sqs-fifo")),
        ("/components/parked/profile", json!("sqs-fifo")),
        ("/components/jobs/deduplicate", json!("by-id")),
        ("/components/feed/arrivals", json!({ "at": ["0s", "5s"] })),
        ("/components/feed/messages", json!([ { "id": "a" } ])),
        ("/components/feed/deduplication", json!("id")),
    ]);
    let player = finished(&twice);
    reads(&player, Gauge::Deduplicated(of(&player, "jobs")), 300.0, 1.0);
}

#[test]
fn what_is_given_back_is_redelivered_once_at_once_or_later() {
    for (delay, first) in [("0s", 1.0), ("10s", 11.0)] {
        let document = with(&[
            ("/components/mail/error_rate", json!(1.0)),
            ("/components/crew/on_error", json!({ "nack": { "delay": delay } })),
        ]);
        let player = finished(&document);
        let jobs = of(&player, "jobs");
        reads(&player, Gauge::Redelivered(jobs), first - 0.1, 0.0);
        reads(&player, Gauge::Redelivered(jobs), first, 1.0);
        reads(&player, Gauge::Redelivered(jobs), 300.0, 5.0);
    }
}

#[test]
fn none_takes_a_field_away() {
    let without = trace_text(&finished(&base()));
    for (place, word) in [
        ("/components/crew/heartbeat", "none"),
        ("/components/feed/claim_check", "none"),
        ("/components/jobs/fair", "none"),
    ] {
        assert_eq!(trace_text(&finished(&with(&[(place, json!(word))]))), without, "{place}");
    }
    let each = with(&[("/components/crew/receive", json!({ "batch": "each" }))]);
    assert_eq!(trace_text(&finished(&each)), without);
}

/// Two orders, each in a transaction with its event; the second is rolled back. A note is written
/// outside of it, and a relay publishes.
#[test]
fn rows_are_counted_once_they_are_committed() {
    let document = json!({
        "format": 1, "name": "test", "seed": "1", "until": "60s",
        "components": {
            "buyer": { "is": "source", "to": "shop", "request": "buy",
                       "arrivals": { "at": ["1s", "10s"] } },
            "shop": { "is": "service", "handles": { "buy": [
                { "insert": { "into": "db.notes" } },
                { "insert-or-skip": { "into": "db.seen" } },
                { "begin": { "in": "db" } },
                { "insert": { "into": "db.orders" } },
                { "insert": { "into": "db.outbox" } },
                { "wait": { "for": "1s" } },
                "commit",
                { "respond": 201 },
            ] } },
            "db": { "is": "database", "tables": {
                "orders": { "key": "id" }, "seen": { "key": "id" }, "outbox": { "outbox": true },
                "notes": { "columns": ["text"], "rows": [ { "text": "first" } ] },
            } },
            "relay": { "is": "relay", "from": "db.outbox", "to": "events", "every": "1s" },
            "events": { "is": "queue", "profile": "sqs-standard" },
        },
        "faults": [ { "at": "10.5s", "crash": { "component": "shop" } } ],
    });
    let player = finished(&document);
    let (db, relay) = (of(&player, "db"), of(&player, "relay"));
    let scenario::Kind::Database(database) = &player.scenario().component(db).kind else {
        unreachable!("db is a database")
    };
    let table = |name| {
        let at = database.tables.iter().position(|table| table.name == name);
        Gauge::Rows(db, u16::try_from(at.expect("it has the table")).expect("a few tables"))
    };
    let (orders, notes) = (table("orders"), table("notes"));
    reads(&player, notes, 0.9, 1.0);
    reads(&player, notes, 1.0, 2.0);
    reads(&player, table("seen"), 1.0, 1.0);
    reads(&player, orders, 1.9, 0.0);
    reads(&player, orders, 2.0, 1.0);
    reads(&player, notes, 60.0, 3.0);
    reads(&player, orders, 60.0, 1.0);
    reads(&player, Gauge::Relayed(relay), 60.0, 1.0);
}

#[test]
fn a_record_that_is_dead_lettered_waits_since_then() {
    let player = finished(&json!({
        "format": 1, "name": "test", "seed": "1", "until": "30s",
        "components": {
            "source": { "is": "source", "to": "log", "arrivals": { "at": ["1s", "2s"] } },
            "log": { "is": "log", "profile": "kafka", "partitions": 1 },
            "readers": { "is": "workers", "from": "log",
                         "group": { "name": "readers", "initial_delay": "0s",
                                    "auto_offset_reset": "earliest", "dead_letter_to": "letters" },
                         "on_message": [ { "wait": { "for": "10ms" } }, "ack" ],
                         "on_error": "dead-letter" },
            "letters": { "is": "queue", "profile": "sqs-standard" },
        },
        "faults": [ { "at": "0s", "poison": { "message": 2 } } ],
    }));
    let letters = of(&player, "letters");
    reads(&player, Gauge::Depth(letters), 1.9, 0.0);
    reads(&player, Gauge::Depth(letters), 30.0, 1.0);
    let age = player.gauge(Gauge::Oldest(letters)).value_at(SimTime::from_micros(30_000_000));
    assert!((27.0..28.1).contains(&age), "{age}");
}
