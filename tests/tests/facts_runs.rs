//! Facts of the course that no exhibit shows, each as a run.

#![allow(clippy::needless_pass_by_value, reason = "what json! makes is handed over")]

use player::{Finding, Gauge, Player};
use scenario::ComponentId;
use serde_json::{Value as Json, json};
use sim::SimTime;
use tests::runs::{changed, check_run, finished, trace_text, with};

fn reading(player: &Player, gauge: fn(ComponentId) -> Gauge, of: &str, at: u64) -> f64 {
    let of = player.scenario().find(of).expect("a component");
    player.gauge(gauge(of)).value_at(SimTime::from_secs(at))
}

fn count(player: &Player, words: &str) -> usize {
    trace_text(player).lines().filter(|line| line.contains(words)).count()
}

/// Work of a second for each message, from a queue without a limit on receives.
fn queue(arrivals: Json, more: &[(&str, Json)]) -> Json {
    let jobs = json!({ "is": "queue", "profile": "sqs-standard" });
    let lines = json!([{ "wait": { "for": "1s" } }, "ack"]);
    let base = with(&[
        ("/components/jobs", jobs),
        ("/components/crew/on_message", lines),
        ("/components/feed/arrivals", arrivals),
    ]);
    changed(base, more)
}

/// F-SYNC-3, F-SYNC-4, F-SYNC-5.
#[test]
fn who_does_it_all_in_the_call_is_as_slow_and_as_broken_as_whoever_is_called() {
    let intake = |latency: &str, errors: f64, lines: Json| {
        json!({
            "format": 1, "name": "intake", "seed": "1", "until": "60s",
            "components": {
                "feed": { "is": "source", "to": "api", "request": "price", "timeout": "30s",
                          "retry": { "fixed": { "delay": "1s" }, "attempts": 2 },
                          "arrivals": { "at": ["0s"] } },
                "api": { "is": "service", "handles": { "price": lines } },
                "mail": { "is": "external", "latency": latency, "error_rate": errors },
                "db": { "is": "database", "tables": { "prices": {} } },
            },
        })
    };
    let fails = json!({ "error": [{ "respond": 502 }] });
    let match_ = json!({ "wait": { "label": "match", "for": "300ms" } });
    let row = json!({ "insert": { "into": "db.prices", "takes": "10ms" } });
    let mail = json!({ "call": { "to": "mail", "on": fails } });
    let done = json!({ "respond": 200 });
    let stated = json!([match_, mail, row, done]);
    check_run(&intake("400ms", 0.0, stated.clone()), &["0.710000 responded api feed 1 200"]);
    check_run(&intake("8s", 1.0, stated), &["8.300000 responded api feed 1 502"]);
    let row_first = finished(&intake("8s", 1.0, json!([match_, row, mail, done])));
    assert_eq!(count(&row_first, "insert db.prices"), 2, "the merchant sends again");
    assert_eq!(count(&row_first, "effected mail"), 0);
}

/// F-AXIS-1, F-GAUGE-1.
#[test]
fn a_queue_bridges_the_absence_of_its_consumer_and_its_depth_tells_of_it() {
    let away = json!([{ "at": "0s", "crash": { "component": "crew", "restart_after": "120s" } }]);
    let arrivals = json!({ "every": { "first": "1s", "interval": "1s", "count": 120 } });
    let run = finished(&queue(arrivals, &[("/faults", away), ("/until", json!("500s"))]));
    assert_eq!(reading(&run, Gauge::Depth, "jobs", 119), 119.0);
    assert_eq!(count(&run, "stored jobs"), 120);
    assert_eq!(reading(&run, Gauge::Acked, "jobs", 500), 120.0);
    assert_eq!(count(&run, " lost "), 0);
}

/// F-AXIS-2.
#[test]
fn a_backlog_soaks_up_what_comes_faster_than_it_is_served() {
    let burst = json!({ "every": { "first": "1s", "interval": "500ms", "count": 100 } });
    let run = finished(&queue(burst, &[]));
    // In 50 s come 100, and 50 are served; the other 50 take as long again.
    let deepest = reading(&run, Gauge::Depth, "jobs", 51);
    assert!((48.0..=51.0).contains(&deepest), "{deepest}");
    assert_eq!(reading(&run, Gauge::Acked, "jobs", 101), 100.0);
    assert_eq!(reading(&run, Gauge::Depth, "jobs", 101), 0.0);
}

/// F-LIFE-2, F-WORK-2.
#[test]
fn any_worker_may_take_what_is_available_and_ten_take_ten_at_a_time() {
    let at_once = json!({ "bursts": { "first": "1s", "interval": "1h", "size": 30, "count": 30 } });
    let uneven = json!([{ "wait": { "for": { "measured": ["1s", "2s", "5s"] } } }, "ack"]);
    let ten = [("/components/crew/count", json!(10)), ("/components/crew/on_message", uneven)];
    let run = finished(&queue(at_once, &ten));
    let of = run.scenario().find("jobs").expect("a queue");
    let most = run.gauge(Gauge::InFlight(of)).max(run.end());
    assert_eq!(most, 10.0);
    for worker in 1..=10 {
        assert!(count(&run, &format!(" crew.{worker} count 1 ")) > 0, "worker {worker}");
    }
    let text = trace_text(&run);
    let acked = text.lines().filter_map(|line| line.split(" acked jobs ").nth(1));
    let order: Vec<u32> =
        acked.map(|rest| rest.split(' ').next().expect("a number").parse().expect("one")).collect();
    assert!(!order.is_sorted(), "no order: {order:?}");
}

/// F-DUP-2.
#[test]
fn a_restart_that_kills_brings_back_what_was_in_hand_when_its_clock_ends() {
    let slow = json!([{ "wait": { "for": "20s" } }, "ack"]);
    let run = finished(&queue(
        json!({ "at": ["50s", "51s", "52s"] }),
        &[
            ("/components/crew/count", json!(3)),
            ("/components/crew/on_message", slow),
            (
                "/faults",
                json!([{ "at": "60s", "deploy": { "component": "crew", "takes": "1s", "how": "killed" } }]),
            ),
        ],
    ));
    for (message, at) in [(1, 80), (2, 81), (3, 82)] {
        assert_eq!(count(&run, &format!("{at}.000000 lapsed jobs {message} count 1")), 1);
    }
    assert_eq!(reading(&run, Gauge::Redelivered, "jobs", 200), 3.0);
}

/// F-SHAPE-5.
#[test]
fn a_slow_subscriber_does_not_stall_its_sibling_if_each_has_a_queue() {
    let run = finished(&json!({
        "format": 1, "name": "siblings", "seed": "1", "until": "30s",
        "components": {
            "feed": { "is": "source", "to": "events", "arrivals": { "every": { "interval": "1s", "count": 10 } } },
            "events": { "is": "topic", "to": ["one", "two"] },
            "one": { "is": "queue", "profile": "sqs-standard" },
            "two": { "is": "queue", "profile": "sqs-standard" },
            "slow": { "is": "workers", "from": "one", "on_message": [{ "wait": { "for": "10s" } }, "ack"] },
            "quick": { "is": "workers", "from": "two", "on_message": [{ "wait": { "for": "100ms" } }, "ack"] },
        },
    }));
    assert_eq!(reading(&run, Gauge::Acked, "two", 10), 10.0);
    assert_eq!(reading(&run, Gauge::Acked, "one", 10), 1.0);
    let two = run.scenario().find("two").expect("a queue");
    assert_eq!(run.gauge(Gauge::Waited(two)).max(run.end()), 0.0);
}

/// F-THIN-2: 154 at 0 s, 161 at 5 s, a reader ten seconds behind that alerts below 155.
#[test]
fn a_thin_reader_sees_what_has_become_of_it_meanwhile() {
    let reader = |lines: Json| {
        json!({
            "format": 1, "name": "thin", "seed": "1", "until": "60s",
            "components": {
                "feed": { "is": "source", "to": "api", "request": "change", "arrivals": { "at": ["0s", "5s"] },
                          "messages": [{ "wine": "w", "usd": 154 }, { "wine": "w", "usd": 161 }] },
                "api": { "is": "service", "handles": { "change": [
                    { "update-where": { "table": "db.prices", "where": { "wine": "w" }, "set": { "usd": { "field": "usd" } } } },
                    { "publish": { "to": "jobs", "delay": "10s" } }, { "respond": 202 }] } },
                "jobs": { "is": "queue", "profile": "sqs-standard" },
                "matcher": { "is": "workers", "from": "jobs", "on_message": lines },
                "alerts": { "is": "external", "latency": "1ms" },
                "db": { "is": "database", "tables": {
                    "prices": { "key": "wine", "columns": ["usd"], "rows": [{ "wine": "w", "usd": 189 }] },
                    "carried": { "key": "id", "columns": ["usd"] } } },
            },
        })
    };
    let alert = json!({ "call": { "to": "alerts" } });
    let low = |table: &str, key: Json| {
        let mut fits = key;
        fits["usd"] = json!({ "below": 155 });
        json!({ "read": { "from": table, "where": fits, "on": { "zero-rows": ["drop"] } } })
    };
    let thin = json!([low("db.prices", json!({ "wine": "w" })), alert, "ack"]);
    check_run(&reader(thin), &["10.000000 read db.prices matcher 1 rows 0", "!effected"]);
    let own = json!({ "message": "event" });
    let fat = json!([
        { "insert": { "into": "db.carried", "row": { "id": own, "usd": { "field": "usd" } } } },
        low("db.carried", json!({ "id": own })), alert, "ack"]);
    check_run(&reader(fat), &["10.001000 effected alerts 1 matcher.1 nth 1", "!effected alerts 2"]);
}

/// F-CLS-3, F-TRI-2: a receive count of one on a dead letter says that it was told to be hopeless.
#[test]
fn each_class_of_failure_has_its_own_number_of_attempts() {
    let run = |class: &str| {
        let on_error = json!({ "retry": { "fixed": { "delay": "1s" } }, "attempts": 5,
                               "permanent": "dead-letter", "then": "dead-letter" });
        let player = finished(&with(&[
            ("/components/crew/on_error", on_error),
            ("/components/mail/error_rate", json!(1)),
            ("/components/mail/error_class", json!(class)),
            ("/components/jobs/max_receive_count", json!(100)),
        ]));
        let text = trace_text(&player);
        let letter = text.lines().find(|line| line.contains(" dead-lettered ")).expect("a letter");
        let count = letter.split(" count ").nth(1).and_then(|rest| rest.split(' ').next());
        count.expect("a count").to_owned()
    };
    assert_eq!(["permanent", "transient", "unknown"].map(run), ["1", "5", "5"]);
}

/// F-DLQ-4, F-TRI-1: notice after five minutes, page at an age of fifteen.
#[test]
fn the_age_of_the_oldest_letter_says_when_to_notice_and_when_to_page() {
    let run = finished(&with(&[
        ("/components/crew/on_error", json!("dead-letter")),
        ("/components/mail/latency", json!("0s")),
        ("/components/mail/error_rate", json!(1)),
        ("/until", json!("1h")),
        // Something has to go on for so long.
        (
            "/components/late",
            json!({ "is": "source", "to": "jobs", "arrivals": { "at": ["50m"] } }),
        ),
    ]));
    assert_eq!(reading(&run, Gauge::DeadLettered, "jobs", 0), 1.0);
    let ages = [299, 300, 899, 900].map(|at| reading(&run, Gauge::Oldest, "parked", at));
    assert_eq!(ages, [299.0, 300.0, 899.0, 900.0]);
}

/// F-TRI-3, F-TRI-5, F-TRI-6: 341 letters, and a ledger that knows 12 of them.
#[test]
fn letters_are_taken_back_after_the_fix_and_not_before() {
    let refuses = json!({ "at": "0s", "patch": { "component": "check", "error_rate": 1 } });
    let mended = |at: &str| json!({ "at": at, "patch": { "component": "check", "error_rate": 0 } });
    let redrive = |at: &str| json!({ "at": at, "redrive": { "component": "parked" } });
    let document = |lines: Json, faults: Json| {
        json!({
                   "format": 1, "name": "triage", "seed": "1", "until": "1h",
                   "components": {
                       "feed": { "is": "source", "to": "jobs", "arrivals": { "every": { "first": "1s", "interval": "1s", "count": 341 } } },
                       "jobs": { "is": "queue", "profile": "sqs-standard", "max_receive_count": 5, "dead_letter_to": "parked" },
                       "parked": { "is": "queue", "profile": "sqs-standard" },
                       "crew": { "is": "workers", "from": "jobs", "on_message": lines, "on_error": "dead-letter" },
                       "check": { "is": "external", "latency": "1ms", "error_class": "permanent" },
        "gate": { "is": "external", "latency": "1ms", "error_class": "permanent" },
                       "db": { "is": "database", "tables": { "ledger": { "key": "event" } } },
                   },
                   "faults": faults,
               })
    };
    let check = json!({ "call": { "to": "check" } });
    let plain = json!([check, "ack"]);
    let letters = |player: &Player, at| reading(player, Gauge::Depth, "parked", at);
    let early =
        finished(&document(plain.clone(), json!([refuses, redrive("1000s"), mended("2000s")])));
    assert_eq!((letters(&early, 999), letters(&early, 1999)), (341.0, 341.0), "another lap");
    let fixed = finished(&document(plain, json!([refuses, mended("900s"), redrive("1000s")])));
    assert_eq!((letters(&fixed, 999), letters(&fixed, 1999)), (341.0, 0.0));
    assert_eq!(reading(&fixed, Gauge::Effects, "check", 1999), 341.0);
    // The work of the first 12 stands in the ledger already; the others came no further than the gate.
    let half = json!([
        { "call": { "to": "gate" } },
        { "insert-or-skip": { "into": "db.ledger", "row": { "event": { "message": "event" } },
                              "on": { "conflict": ["ack"] } } }, check, "ack"]);
    let gate = |at: &str, rate: u32| json!({ "at": at, "patch": { "component": "gate", "error_rate": rate } });
    let faults =
        json!([refuses, gate("12.5s", 1), mended("900s"), gate("901s", 0), redrive("1000s")]);
    let run = finished(&document(half, faults));
    assert_eq!(letters(&run, 999), 341.0);
    assert_eq!(reading(&run, Gauge::Effects, "check", 3000), 329.0, "new effects");
    let text = trace_text(&run);
    let known = text
        .lines()
        .filter(|line| line.contains(" insert db.ledger crew ") && line.ends_with(" rows 0"));
    assert_eq!(known.count(), 12, "suppressed");
}

/// F-WORK-1: calls of 50 ms by a worker each, and a callee that takes 100 a second.
#[test]
fn more_workers_help_until_what_they_touch_is_full() {
    let done = |workers: u32| {
        let run = finished(&queue(
            json!({ "bursts": { "first": "0s", "interval": "1h", "size": 3000, "count": 3000 } }),
            &[
                ("/components/crew/count", json!(workers)),
                ("/components/crew/on_message", json!([{ "call": { "to": "mail" } }, "ack"])),
                (
                    "/components/mail",
                    json!({ "is": "external", "latency": "50ms", "capacity": { "per_second": 100 } }),
                ),
                ("/until", json!("10s")),
            ],
        ));
        reading(&run, Gauge::Effects, "mail", 10)
    };
    let each = [1, 2, 4, 5, 8, 16].map(done);
    let expected = [200.0, 400.0, 800.0, 1000.0, 1000.0, 1000.0];
    for (found, wanted) in each.iter().zip(expected) {
        assert!((found - wanted).abs() <= 10.0, "{each:?}");
    }
}

/// F-JOB-3: a job at two o’clock in UTC that takes fifty minutes.
#[test]
fn a_nightly_job_runs_at_its_hour_for_as_long_as_it_takes() {
    check_run(
        &json!({
            "format": 1, "name": "nightly", "seed": "1", "until": "30h",
            "components": {
                "clock": { "is": "scheduler", "cron": "0 2 * * *", "start": "2026-03-14T00:00:00Z" },
                "job": { "is": "workers", "from": "clock", "on_message": [{ "wait": { "for": "50m" } }, "ack"] },
            },
        }),
        &[
            "7200.000000 run-due clock 1",
            "10200.000000 run-over clock 1 job.1",
            "93600.000000 run-due clock 2",
        ],
    );
}

/// F-DLY-1: a delay belongs to the message, and not to a worker that sleeps.
#[test]
fn a_sleeping_worker_dies_with_its_timer_and_a_delayed_message_does_not() {
    let deploy = json!([{ "at": "300s", "deploy": { "component": "crew", "takes": "1s", "how": "killed" } }]);
    let jobs = json!({ "is": "queue", "profile": "sqs-standard", "visibility_timeout": "20m" });
    let mail = json!({ "call": { "to": "mail" } });
    let run = |lines: Json, delay: &str| {
        let mut jobs = jobs.clone();
        jobs["delay"] = json!(delay);
        with(&[
            ("/components/jobs", jobs),
            ("/components/crew/on_message", lines),
            ("/faults", deploy.clone()),
            ("/until", json!("1h")),
        ])
    };
    let asleep = run(json!([{ "wait": { "for": "600s" } }, mail, "ack"]), "0s");
    check_run(
        &asleep,
        &["300.000000 crashed crew.1 holding 1", "1801.000000 effected mail 1 crew.1 nth 1"],
    );
    check_run(&run(json!([mail, "ack"]), "600s"), &["601.000000 effected mail 1 crew.1 nth 1"]);
}

/// F-DLY-4: what fires after 15 minutes looks again; who has paid at 14:59 keeps the order.
#[test]
fn a_late_message_reads_the_state_again_before_it_acts() {
    let document = |paid: &str| {
        json!({
            "format": 1, "name": "unpaid", "seed": "1", "until": "20m",
            "components": {
                "shop": { "is": "source", "to": "timers", "arrivals": { "at": ["0s"] } },
                "buyer": { "is": "source", "to": "api", "request": "pay", "arrivals": { "at": [paid] } },
                "api": { "is": "service", "handles": { "pay": [
                    { "update-where": { "table": "db.orders", "where": { "id": "o", "status": "OPEN" }, "set": { "status": "PAID" } } },
                    { "respond": 200 }] } },
                "timers": { "is": "queue", "profile": "sqs-standard", "delay": "15m" },
                "clerk": { "is": "workers", "from": "timers", "on_message": [
                    { "update-where": { "table": "db.orders", "where": { "id": "o", "status": "OPEN" },
                                        "set": { "status": "CANCELLED" }, "on": { "zero-rows": ["drop"] } } }, "ack"] },
                "db": { "is": "database", "tables": { "orders": { "key": "id", "columns": ["status"],
                    "rows": [{ "id": "o", "status": "OPEN" }] } } },
            },
            "properties": ["no message lost"],
        })
    };
    check_run(
        &document("899s"),
        &["899.000000 update db.orders api 2 rows 1", "900.000000 update db.orders clerk 1 rows 0"],
    );
    check_run(&document("901s"), &["900.000000 update db.orders clerk 1 rows 1"]);
    assert!(matches!(finished(&document("899s")).verdicts()[0].finding, Finding::Holds));
}

/// F-GAUGE-2: when the producer dies, everything is at its best.
#[test]
fn a_dead_producer_shows_in_no_gauge_of_what_waits() {
    let arrivals = json!({ "every": { "interval": "2s", "count": 10 } });
    let run = finished(&queue(arrivals, &[("/until", json!("600s"))]));
    for gauge in [Gauge::Depth, Gauge::Oldest, Gauge::InFlight] {
        assert_eq!(reading(&run, gauge, "jobs", 500), 0.0);
    }
    assert_eq!(reading(&run, Gauge::Stored, "jobs", 500), 10.0);
}

/// F-GAUGE-3: a poison message without a limit goes round, and hardly ever waits.
#[test]
fn a_poison_message_goes_round_under_a_depth_of_one() {
    let poison = json!([{ "at": "0s", "poison": { "message": 1 } }]);
    let retries = json!([{ "call": { "to": "mail" } }, "ack"]);
    let mut document =
        queue(json!({ "at": ["1s"] }), &[("/faults", poison), ("/until", json!("3000s"))]);
    document["components"]["crew"]["on_message"] = retries;
    document["components"]["crew"]["on_error"] = json!("leave");
    let run = finished(&document);
    // A receive each thirty seconds: eighty in forty minutes.
    assert_eq!(reading(&run, Gauge::Received, "jobs", 2_400), 80.0);
    let of = run.scenario().find("jobs").expect("a queue");
    assert!(run.gauge(Gauge::Depth(of)).max(run.end()) <= 1.0);
}

/// F-CREEP-1: two in a hundred too many, for a day.
#[test]
fn two_per_cent_too_much_is_half_an_hour_a_day() {
    let arrivals = json!({ "rate": { "per_second": 1.02 } });
    let run = finished(&queue(arrivals, &[("/until", json!("24h"))]));
    let behind = reading(&run, Gauge::Depth, "jobs", 86_400);
    assert!((behind / 60.0 - 28.8).abs() < 0.1, "{behind} s of work");
}

/// F-ACK-6: the three tools deliver again what nobody has acked.
#[test]
fn every_tool_delivers_again_by_default() {
    let crash = (
        "/faults",
        json!([{ "at": "500ms", "crash": { "component": "crew", "restart_after": "1s" } }]),
    );
    for profile in ["sqs-standard", "rabbitmq-classic", "rabbitmq-quorum"] {
        let jobs = json!({ "is": "queue", "profile": profile });
        let run = finished(&with(&[("/components/jobs", jobs), crash.clone()]));
        assert!(count(&run, "received jobs 1 crew.1 count 2") > 0, "{profile}");
    }
    let log = changed(
        tests::logs::log(),
        &[(
            "/faults",
            json!([{ "at": "2200ms", "crash": { "component": "crew", "instance": 1, "restart_after": "1s" } }]),
        )],
    );
    assert!(count(&finished(&log), " count 2") > 0, "a log");
}
