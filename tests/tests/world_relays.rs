//! The rules of relays and change data capture, each as a run.

#![allow(clippy::needless_pass_by_value, reason = "what json! makes is handed over")]

use player::{ComponentFrame, Finding, Player, RelayFrame, TableFrame};
use scenario::Property;
use serde_json::{Value as Json, json};
use sim::SimTime;
use tests::runs::{changed, check_run, finished, trace_text};

/// A service that writes orders and their events into `db`, a relay that publishes these to `jobs`,
/// and a consumer that keeps an inbox.
fn shop(at: Json) -> Json {
    let order = json!([
        { "begin": { "in": "db" } },
        { "insert": { "into": "db.orders" } },
        { "insert": { "into": "db.outbox" } },
        "commit",
        { "respond": 201 },
    ]);
    json!({
        "format": 1, "name": "test", "seed": "1", "until": "100s",
        "components": {
            "feed": { "is": "source", "to": "api", "request": "order", "arrivals": at },
            "api": { "is": "service", "handles": { "order": order }, "restart_after": "1s" },
            "db": { "is": "database",
                    "tables": { "orders": { "key": "id" }, "outbox": { "outbox": true } } },
            "relay": { "is": "relay", "from": "db.outbox", "to": "jobs", "every": "500ms",
                       "publish_takes": "10ms", "restart_after": "2s" },
            "jobs": { "is": "queue", "profile": "sqs-standard" },
        },
        "properties": ["no effect twice", "no message lost"],
    })
}

fn listed(at: &[&str]) -> Json {
    json!({ "at": at })
}

fn at(player: &mut Player, moment: SimTime) -> (TableFrame, RelayFrame) {
    player.seek(moment);
    let frame = player.frame();
    let part = |name| {
        let id = player.scenario().find(name).expect("it is there");
        &frame.components[id.index()]
    };
    match (part("db"), part("relay")) {
        (ComponentFrame::Database(db), ComponentFrame::Relay(relay)) => {
            let outbox = db.tables.iter().find(|table| table.name == "outbox");
            (outbox.expect("the outbox").clone(), relay.clone())
        }
        _ => panic!("no database, or no relay"),
    }
}

fn count(player: &Player, words: &str) -> usize {
    trace_text(player).lines().filter(|line| line.contains(words)).count()
}

/// F-OUT-1, F-OUT-3.
#[test]
fn an_event_is_published_at_the_next_poll_after_its_commit() {
    let document = shop(listed(&["100ms", "600ms"]));
    check_run(
        &document,
        &[
            "0.100000 rows-committed db api 1",
            "0.500000 published relay jobs 1",
            "0.510000 stored jobs 1 visible 0.510000",
            "0.510000 relayed relay.1 rows 1",
            "1.010000 stored jobs 2 visible 1.010000",
        ],
    );
    let mut run = finished(&document);
    let (outbox, relay) = at(&mut run, SimTime::from_millis(300));
    assert_eq!(outbox.unsent.expect("an outbox").count, 1);
    assert_eq!((relay.behind, relay.behind_since), (1, Some(SimTime::from_millis(100))));
    let (outbox, relay) = at(&mut run, SimTime::from_secs(2));
    assert_eq!(outbox.unsent.expect("an outbox").count, 0);
    assert_eq!((outbox.rows, relay.published), (2, 2));
}

/// F-OUT-1: wherever the service dies, there are as many events as orders.
#[test]
fn a_crash_of_the_service_leaves_orders_and_events_alike() {
    for (crash, orders) in [("150ms", 0), ("250ms", 0), ("350ms", 1)] {
        let document = changed(
            shop(listed(&["0s"])),
            &[
                ("/components/db/latency", json!("100ms")),
                ("/faults", json!([{ "at": crash, "crash": { "component": "api" } }])),
            ],
        );
        let run = finished(&document);
        assert_eq!(count(&run, "stored jobs"), orders, "{}", trace_text(&run));
        assert_eq!(count(&run, "rows-committed"), orders, "{}", trace_text(&run));
    }
}

/// F-OUT-2: two publishes; one effect where an inbox is kept, two where none is.
#[test]
fn a_relay_that_dies_before_it_has_marked_publishes_again() {
    let crew = |ledger: Json| {
        let lines = json!([ledger, { "call": { "to": "mail" } }, "ack"]);
        changed(
            shop(listed(&["100ms"])),
            &[
                ("/components/db/tables/inbox", json!({ "key": ["consumer", "event"] })),
                ("/components/db/latency", json!("20ms")),
                (
                    "/components/crew",
                    json!({ "is": "workers", "from": "jobs", "on_message": lines }),
                ),
                ("/components/mail", json!({ "is": "external", "latency": "0s" })),
                ("/faults", json!([{ "at": "535ms", "crash": { "component": "relay" } }])),
            ],
        )
    };
    let inbox =
        crew(json!({ "insert-or-skip": { "into": "db.inbox", "on": { "conflict": ["ack"] } } }));
    check_run(
        &inbox,
        &[
            "0.530000 stored jobs 1 visible 0.530000",
            "0.535000 crashed relay.1",
            "2.535000 restarted relay.1",
            "3.020000 published relay jobs 2",
            "3.030000 stored jobs 2 visible 3.030000",
            "3.050000 insert db.inbox crew 2 rows 0",
            "3.050000 acked jobs 2 crew.1",
            "3.050000 relayed relay.1 rows 1",
            "!nth 2",
            "!lost",
        ],
    );
    let none = finished(&crew(json!({ "wait": { "for": "0s" } })));
    assert_eq!(count(&none, "effected mail"), 2);
    let twice = none.verdicts()[0];
    assert!(twice.property == Property::NoEffectTwice);
    assert!(matches!(twice.finding, Finding::Broken { times: 1, .. }));
}

/// F-OUT-6.
#[test]
fn a_dead_relay_is_seen_by_the_age_of_the_oldest_event() {
    let document = changed(
        shop(json!({ "rate": { "per_second": 100 } })),
        &[(
            "/faults",
            json!([{ "at": "0s", "crash": { "component": "relay", "restart_after": "1h" } }]),
        )],
    );
    let mut run = finished(&document);
    let (outbox, relay) = at(&mut run, SimTime::from_secs(60));
    assert_eq!(relay.behind_since, Some(SimTime::ZERO));
    assert!(outbox.unsent.expect("an outbox").count >= 6_000);
    let (outbox, _) = at(&mut run, SimTime::from_micros(99_995_000));
    assert_eq!(outbox.unsent.expect("an outbox").count, 10_000);
}

/// F-OUT-7.
#[test]
fn two_relays_publish_everything_twice_unless_they_claim_or_one_leads() {
    let ten: Vec<_> = (0..10).map(|n| format!("{n}ms")).collect();
    let document = |more: &[(&str, Json)]| {
        let two = changed(shop(json!({ "at": ten })), &[("/components/relay/count", json!(2))]);
        finished(&changed(two, more))
    };
    assert_eq!(count(&document(&[]), "stored jobs"), 20);
    let claimed = document(&[("/components/relay/claim", json!("skip-locked"))]);
    assert_eq!(count(&claimed, "stored jobs"), 10, "{}", trace_text(&claimed));
    let led = document(&[("/components/relay/lease", json!("10s"))]);
    assert_eq!(count(&led, "stored jobs"), 10, "{}", trace_text(&led));
    // The other takes over when the lease of the dead one has lapsed.
    let taken_over = document(&[
        ("/components/relay/lease", json!("10s")),
        (
            "/faults",
            json!([{ "at": "505ms", "crash": { "component": "relay", "instance": 1,
                                                       "restart_after": "60s" } }]),
        ),
    ]);
    assert_eq!(count(&taken_over, "relayed relay.2 rows 10"), 1, "{}", trace_text(&taken_over));
}

/// F-OUT-8: relays that claim rows can still overtake each other within a key.
#[test]
fn claimed_rows_of_one_key_swap_and_relays_by_key_keep_their_order() {
    let document = |more: (&str, Json)| {
        changed(
            shop(listed(&["0s", "1ms"])),
            &[
                ("/components/feed/messages", json!([{ "order": "k" }])),
                ("/components/feed/key", json!("order")),
                ("/components/relay/count", json!(2)),
                ("/components/relay/batch", json!(1)),
                (
                    "/faults",
                    json!([{ "at": "1ms", "slow": { "component": "relay", "instance": 1,
                                                            "percent": 800, "for": "10s" } }]),
                ),
                more,
            ],
        )
    };
    check_run(
        &document(("/components/relay/claim", json!("skip-locked"))),
        &["0.510000 stored jobs 2 visible 0.510000", "0.580000 stored jobs 1 visible 0.580000"],
    );
    let by_key = finished(&document(("/components/relay/share", json!("by-key"))));
    let text = trace_text(&by_key);
    let place = |words| text.find(words).expect("it is stored");
    assert!(place("stored jobs 1") < place("stored jobs 2"), "{text}");
}

/// Two transactions, the first of which commits last: at 300 ms and at 100 ms.
fn overtaken(more: &[(&str, Json)]) -> Json {
    let lines = |wait: &str| {
        json!([{ "begin": { "in": "db" } }, { "insert": { "into": "db.outbox" } },
               { "wait": { "for": wait } }, "commit"])
    };
    let mut document = shop(listed(&["0s"]));
    document["components"]["api"]["handles"] =
        json!({ "order": lines("300ms"), "quick": lines("50ms") });
    document["components"]["late"] =
        json!({ "is": "source", "to": "api", "request": "quick", "arrivals": { "at": ["50ms"] } });
    document["components"]["relay"]["every"] = json!("200ms");
    changed(document, more)
}

/// F-OUT-9.
#[test]
fn an_id_cursor_skips_what_commits_late() {
    check_run(
        &overtaken(&[("/components/relay/cursor", json!("id-above-last"))]),
        &["0.210000 stored jobs 2 visible 0.210000", "!stored jobs 1"],
    );
    check_run(
        &overtaken(&[]),
        &["0.210000 stored jobs 2 visible 0.210000", "0.410000 stored jobs 1 visible 0.410000"],
    );
    // Waiting for the oldest open transaction keeps the order, and is held up by it.
    check_run(
        &overtaken(&[("/components/relay/cursor", json!("below-oldest-open"))]),
        &["0.410000 stored jobs 1 visible 0.410000", "0.420000 stored jobs 2 visible 0.420000"],
    );
    let capture =
        json!({ "is": "change-data-capture", "from": "db.outbox", "to": "jobs", "lag": "5ms" });
    check_run(
        &overtaken(&[("/components/relay", capture)]),
        &["0.105000 stored jobs 2 visible 0.105000", "0.305000 stored jobs 1 visible 0.305000"],
    );
}

fn captured(more: &[(&str, Json)]) -> Json {
    let capture = json!({ "is": "change-data-capture", "from": "db.outbox", "to": "jobs",
                          "lag": "5ms", "publish_takes": "10ms", "restart_after": "5s" });
    changed(changed(shop(listed(&["0s", "1s", "2s"])), &[("/components/relay", capture)]), more)
}

#[test]
fn a_connector_that_was_down_goes_on_from_what_it_has_confirmed() {
    let crash = json!([{ "at": "1007ms", "crash": { "component": "relay" } }]);
    let document = captured(&[("/faults", crash)]);
    check_run(
        &document,
        &[
            "0.015000 stored jobs 1 visible 0.015000",
            "1.005000 published relay jobs 2",
            "1.007000 crashed relay.1",
            "6.022000 stored jobs 2 visible 6.022000",
            "6.037000 stored jobs 3 visible 6.037000",
        ],
    );
    let mut run = finished(&document);
    let (_, relay) = at(&mut run, SimTime::from_secs(3));
    assert_eq!((relay.behind, relay.behind_since), (2, Some(SimTime::from_secs(1))));
}

/// F-CDC-3: the log has the insert even though its transaction deletes the row again.
#[test]
fn an_outbox_can_stay_empty_where_the_log_is_read() {
    let order = json!([
        { "begin": { "in": "db" } },
        { "insert": { "into": "db.outbox" } },
        { "delete": { "from": "db.outbox", "where": { "event": { "message": "event" } } } },
        "commit",
    ]);
    let document = captured(&[("/components/api/handles", json!({ "order": order }))]);
    let mut run = finished(&document);
    assert_eq!(count(&run, "stored jobs"), 3);
    assert_eq!(at(&mut run, SimTime::from_secs(50)).0.rows, 0);
}

/// F-CDC-2: 100 GB at 2 MB/s take 13.9 hours.
#[test]
fn the_slot_of_a_dead_connector_fills_the_disk() {
    let dead = json!([{ "at": "0s", "crash": { "component": "relay", "restart_after": "20h" } }]);
    let document = captured(&[
        ("/until", json!("24h")),
        ("/components/db/disk_bytes", json!(100_000_000_000_u64)),
        ("/components/db/other_bytes_per_second", json!(2_000_000)),
        ("/components/feed/arrivals", json!({ "at": ["15h"] })),
        ("/faults", dead),
    ]);
    check_run(&document, &["50000.000000 disk-full db", "54000.000000 responded api feed 1 503"]);
    let alive =
        changed(document, &[("/faults", json!([])), ("/components/relay/heartbeat", json!("10s"))]);
    check_run(&alive, &["54000.000000 responded api feed 1 201", "!disk-full"]);
    // Without a heartbeat even a living connector holds back what is not its own.
    let mut silent = alive.clone();
    silent["components"]["relay"]["heartbeat"].take();
    silent["components"]["relay"].as_object_mut().expect("a record").remove("heartbeat");
    check_run(&silent, &["50000.000000 disk-full db"]);
}

/// F-SKIP-1: 120 rows are due, and two poll for fifty at a time.
#[test]
fn two_that_poll_take_rows_twice_unless_they_claim_them() {
    let run = |claim: &str| {
        let document = changed(
            shop(
                json!({ "bursts": { "first": "1ms", "interval": "1h", "size": 120, "count": 120 } }),
            ),
            &[(
                "/components/relay",
                json!({ "is": "relay", "from": "db.outbox", "to": "jobs",
                "every": "1s", "count": 2, "batch": 50, "publish_takes": "1ms", "claim": claim }),
            )],
        );
        finished(&document)
    };
    let marked = |player: &Player| -> Vec<String> {
        let text = trace_text(player);
        let lines = text.lines().filter(|line| line.contains(" relayed "));
        lines.map(|line| line.split(" rows ").nth(1).unwrap_or(line).to_owned()).collect()
    };
    let claimed = run("skip-locked");
    assert_eq!(count(&claimed, " stored jobs "), 120, "{:?}", marked(&claimed));
    assert_eq!(marked(&claimed), ["50", "50", "20"]);
    let twice = run("none");
    assert!(count(&twice, " stored jobs ") >= 170, "{}", count(&twice, " stored jobs "));
    let waits = run("wait");
    assert_eq!(count(&waits, " stored jobs "), 120);
    // The second of the two begins when the first is through.
    let apart = |player: &Player| {
        let text = trace_text(player);
        let lines = text.lines().filter(|line| line.contains(" relayed "));
        let at = |line: &str| line.split(' ').next().and_then(|at| at.parse::<f64>().ok());
        let times: Vec<f64> = lines.filter_map(at).collect();
        times[1] - times[0]
    };
    assert!(
        apart(&claimed) < 0.001 && apart(&waits) >= 0.05,
        "{} {}",
        apart(&claimed),
        apart(&waits)
    );
}
