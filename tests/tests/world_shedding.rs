//! Load shedding as runs: as something fills, the least worthy are turned away first.

#![allow(clippy::needless_pass_by_value, reason = "what json! makes is handed over")]

use player::{Gauge, Player};
use serde_json::{Value as Json, json};
use tests::runs::{changed, check_run, finished, trace_text};

/// Requests of one class, all at once.
fn class(rank: u32, at: &str, count: u32) -> Json {
    json!({ "is": "source", "to": "api", "request": "do", "priority": "rank",
            "arrivals": { "bursts": { "first": at, "interval": "1h", "size": count,
                                      "count": count } },
            "messages": [{ "rank": rank }] })
}

/// Campaigns, orders and resets of passwords, one after another, at a service that handles two at
/// once and lets eight wait. Nothing gets done meanwhile.
fn at_a_sale() -> Json {
    json!({
        "format": 1, "name": "shedding", "seed": "1", "until": "60s",
        "components": {
            "promos": class(0, "0s", 7),
            "orders": class(1, "1s", 5),
            "resets": class(2, "2s", 3),
            "api": { "is": "service", "concurrency": 2, "waiting": 8, "when_full": 429,
                     "retry_after": "30s", "shed_at_percent": [50, 80],
                     "handles": { "do": [{ "wait": { "for": "20s" } }, { "respond": 200 }] } },
        },
    })
}

/// How many lines of a run hold these words.
fn count(player: &Player, words: &str) -> usize {
    trace_text(player).lines().filter(|line| line.contains(words)).count()
}

#[test]
fn as_a_service_fills_the_least_worthy_are_turned_away_first() {
    check_run(
        &at_a_sale(),
        &[
            "0.000000 requested promos api 5",
            // Half of ten are taken.
            "0.000000 shed api 6 class 0",
            "0.000000 responded api promos 6 429",
            "0.000000 shed api 7 class 0",
            // Eight are.
            "1.000000 shed api 11 class 1",
            "1.000000 shed api 12 class 1",
            // The two last places are for the highest class, which finds a full house and is not shed.
            "2.000000 responded api resets 15 429",
            "!shed api 15",
            "!class 2",
        ],
    );
    let player = finished(&at_a_sale());
    let of = player.scenario().find("api").expect("a component");
    let shed = player.gauge(Gauge::Shed(of)).value_at(player.end());
    assert!((shed - 4.0).abs() < f64::EPSILON, "{shed}");
    assert_eq!(count(&player, "429"), 5);

    let all_alike = changed(at_a_sale(), &[("/components/api/shed_at_percent", json!("none"))]);
    let player = finished(&all_alike);
    assert_eq!(count(&player, " shed "), 0);
    assert_eq!(count(&player, "responded api resets"), 3);
    assert_eq!(count(&player, "2.000000 responded api resets"), 3, "promos have taken all room");
}

/// Who has left makes room for those who had been shed; who names no class has the lowest.
#[test]
fn a_class_is_let_in_again_when_there_is_room() {
    let mut later = at_a_sale();
    later["until"] = json!("100s");
    later["components"]["late"] = class(0, "61s", 1);
    later["components"]["nameless"] = class(0, "3s", 1);
    later["components"]["nameless"]["priority"] = json!("absent");
    check_run(
        &later,
        &["3.000000 shed api 16 class 0", "61.000000 requested late api 17", "!shed api 17"],
    );
}

#[test]
fn who_is_shed_hears_when_to_come_again() {
    let mut polite = at_a_sale();
    let retry = json!({ "fixed": { "delay": "1s" }, "attempts": 2, "retry_after": "at-least" });
    polite["components"]["promos"]["retry"] = retry;
    check_run(
        &polite,
        &[
            "0.000000 responded api promos 6 429",
            "0.000000 retrying promos 6 attempt 2 at 30.000000",
            "30.000000 requested promos api 6",
        ],
    );
}

#[test]
fn with_a_process_gone_classes_are_shed_earlier() {
    let mut halved = at_a_sale();
    halved["components"]["api"]["count"] = json!(2);
    halved["components"]["api"]["concurrency"] = json!(4);
    halved["components"]["api"]["waiting"] = json!(2);
    check_run(&halved, &["0.000000 shed api 6 class 0", "!shed api 5"]);
    halved["faults"] = json!([{ "at": "0s", "crash": { "component": "api", "instance": 1 } }]);
    halved["components"]["promos"] = class(0, "1s", 7);
    // Six places are left, half of which are three.
    check_run(&halved, &["1.000000 requested promos api 4", "1.000000 shed api 4 class 0"]);
}

#[test]
fn an_external_service_sheds_calls_by_the_class_of_their_message() {
    let calls = json!([{ "call": { "to": "bank" } }, { "respond": 200 }]);
    let mut relayed = at_a_sale();
    relayed["components"]["api"] = json!({ "is": "service", "handles": { "do": calls } });
    relayed["components"]["bank"] = json!({
        "is": "external", "latency": "20s",
        "capacity": { "servers": 2, "waiting": 8, "when_full": "refuse",
                      "shed_at_percent": [50, 80] } });
    check_run(
        &relayed,
        &[
            "0.000000 shed bank 6 class 0",
            "0.000000 call-failed bank 6 request",
            "0.000000 shed bank 7 class 0",
            "1.000000 shed bank 11 class 1",
            "2.000000 call-failed bank 15 request",
            "!class 2",
        ],
    );
    // Of four servers and two places, a brownout leaves two and two: half of them are two.
    relayed["components"]["bank"]["capacity"]["servers"] = json!(4);
    relayed["components"]["bank"]["capacity"]["waiting"] = json!(2);
    check_run(&relayed, &["0.000000 shed bank 4 class 0", "!shed bank 3"]);
    relayed["faults"] = json!([{ "at": "0s", "brownout": { "component": "bank", "for": "60s",
                                                         "capacity": 0.5 } }]);
    relayed["components"]["promos"] = class(0, "500ms", 3);
    check_run(&relayed, &["0.500000 shed bank 3 class 0", "!shed bank 2"]);
}
