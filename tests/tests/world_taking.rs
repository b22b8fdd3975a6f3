//! How workers take: lanes, polls, batches, and messages whose bodies are elsewhere.

use serde_json::{Value as Json, json};
use tests::runs::{check, check_run, finished, trace_text};

/// Which messages were taken, in order, each by the name of its queue.
fn taken(document: &Json) -> String {
    let player = finished(document);
    let mut all = String::new();
    for event in player.trace() {
        if let world::What::Received { queue, .. } = event.what {
            all.push_str(&player.scenario().component(queue).name);
        }
    }
    all
}

/// A worker of one second a message between an urgent lane and another, both full at the start.
fn lanes(count: usize, how: &Json) -> Json {
    let times = vec!["0s"; count];
    let feed = |to: &str| json!({ "is": "source", "to": to, "arrivals": { "at": times } });
    let queue = json!({ "is": "queue", "profile": "sqs-standard" });
    json!({
        "format": 1, "name": "test", "seed": "1", "until": "300s",
        "components": {
            "feed-l": feed("l"), "feed-h": feed("h"), "h": queue, "l": queue,
            "crew": { "is": "workers", "from": ["h", "l"], "lanes": how,
                      "on_message": [{ "wait": { "for": "1s" } }, "ack"] },
        },
    })
}

#[test]
fn a_strict_lane_is_emptied_before_the_next_is_looked_at() {
    assert_eq!(taken(&lanes(3, &json!("strict"))), "hhhlll");
}

#[test]
fn weighted_lanes_share_the_work_and_none_starves() {
    assert_eq!(taken(&lanes(4, &json!({ "weighted": [3, 1] }))), "hhlhhlll");
}

#[test]
fn an_idle_worker_takes_from_whichever_lane_has_something() {
    let mut document = lanes(1, &json!("strict"));
    document["components"]["feed-l"]["arrivals"] = json!({ "at": ["5s"] });
    document["components"]["feed-h"]["arrivals"] = json!({ "at": ["9s"] });
    check_run(
        &document,
        &[
            "5.000000 received l 1 crew.1 count 1 until 35.000000",
            "9.000000 received h 2 crew.1 count 1 until 39.000000",
        ],
    );
}

#[test]
fn a_short_poll_comes_empty_and_asks_again_after_a_while() {
    let poll = ("/components/crew/receive", json!({ "poll": { "every": "2s" } }));
    let late = ("/components/feed/arrivals", json!({ "at": ["3s"] }));
    check(
        &[poll, late, ("/until", json!("9s"))],
        &[
            "0.000000 came-empty jobs crew.1",
            "2.000000 came-empty jobs crew.1",
            "3.000000 stored jobs 1 visible 3.000000",
            "4.000000 received jobs 1 crew.1 count 1 until 34.000000",
            "5.000000 acked jobs 1 crew.1",
            "5.000000 came-empty jobs crew.1",
            "7.000000 came-empty jobs crew.1",
        ],
    );
}

#[test]
fn a_long_poll_is_answered_at_once_and_comes_empty_only_at_its_end() {
    let poll = ("/components/crew/receive", json!({ "poll": { "wait": "20s" } }));
    check(
        &[poll, ("/components/feed/arrivals", json!({ "at": ["23s"] })), ("/until", json!("60s"))],
        &[
            "20.000000 came-empty jobs crew.1",
            "23.000000 received jobs 1 crew.1 count 1 until 53.000000",
            "24.000000 acked jobs 1 crew.1",
            "44.000000 came-empty jobs crew.1",
        ],
    );
}

#[test]
fn a_short_poll_of_some_servers_may_miss_what_is_there() {
    let poll = json!({ "poll": { "every": "1s", "sample": { "servers": 20, "asked": 1 } } });
    let all = json!({ "poll": { "every": "1s", "sample": { "servers": 20, "asked": 20 } } });
    check(
        &[("/components/crew/receive", poll), ("/until", json!("200s"))],
        &[
            "0.000000 stored jobs 1 visible 0.000000",
            "0.000000 came-empty jobs crew.1",
            "1.000000 came-empty jobs crew.1",
        ],
    );
    check(
        &[("/components/crew/receive", all), ("/until", json!("9s"))],
        &["0.000000 received jobs 1 crew.1 count 1 until 30.000000"],
    );
}

/// Ten messages in one receive, of which the seventh fails for ever.
fn batch(how: &str) -> Vec<(&'static str, Json)> {
    vec![
        ("/components/feed/arrivals", json!({ "at": vec!["1s"; 10] })),
        ("/components/crew/receive", json!({ "max": 10, "batch": how })),
        ("/components/crew/on_message", json!([{ "call": { "to": "mail" } }])),
        ("/components/crew/on_error", json!({ "nack": { "delay": "100s" } })),
        ("/faults", json!([{ "at": "0s", "poison": { "message": 7 } }])),
    ]
}

#[test]
fn acking_a_whole_batch_loses_the_one_that_failed() {
    check(
        &batch("ack-all"),
        &[
            "10.000000 acked jobs 1 crew.1",
            "10.000000 acked jobs 7 crew.1",
            "10.000000 lost 7",
            "10.000000 acked jobs 10 crew.1",
            "!nth 2",
        ],
    );
}

#[test]
fn giving_a_whole_batch_back_repeats_nine() {
    check(
        &batch("all-or-nothing"),
        &[
            "10.000000 nacked jobs 1 crew.1 visible 110.000000",
            "10.000000 nacked jobs 10 crew.1 visible 110.000000",
            "110.000000 received jobs 1 crew.1 count 2 until 140.000000",
            "111.000000 effected mail 1 crew.1 nth 2",
            "119.000000 effected mail 10 crew.1 nth 2",
            "! acked",
        ],
    );
}

#[test]
fn an_answer_for_each_item_repeats_only_what_failed() {
    check(
        &batch("by-item"),
        &[
            "10.000000 acked jobs 6 crew.1",
            "10.000000 nacked jobs 7 crew.1 visible 110.000000",
            "10.000000 acked jobs 8 crew.1",
            "110.000000 received jobs 7 crew.1 count 2 until 140.000000",
            "!nth 2",
            "!lost",
        ],
    );
}

#[test]
fn a_batch_is_out_until_its_end_and_a_crash_brings_all_of_it_back() {
    let mut changes = batch("by-item");
    changes.push((
        "/faults",
        json!([{ "at": "5.5s", "crash": { "component": "crew", "restart_after": "1s" } }]),
    ));
    check(
        &changes,
        &[
            "5.000000 effected mail 4 crew.1 nth 1",
            "31.000000 lapsed jobs 1 count 1",
            "32.000000 effected mail 1 crew.1 nth 2",
            "!lost",
        ],
    );
}

#[test]
fn a_body_above_the_limit_is_refused_unless_only_a_reference_travels() {
    let large = ("/components/feed/bytes", json!(2_000_000_000));
    check(std::slice::from_ref(&large), &["0.000000 publish-refused jobs 1", "!stored"]);
    check(
        &[large, ("/components/feed/claim_check", json!({}))],
        &["0.000000 stored jobs 1 visible 0.000000"],
    );
    let small = ("/components/jobs/max_message_bytes", json!(1024));
    let body = ("/components/feed/bytes", json!(2_000));
    let above = |limit: u32| ("/components/feed/claim_check", json!({ "above": limit }));
    check(&[small.clone(), body.clone(), above(3_000)], &["0.000000 publish-refused jobs 1"]);
    check(&[small, body, above(1_000)], &["0.000000 stored jobs 1 visible 0.000000"]);
}

/// The crew’s link to one lane is cut from 2.5 s to 12.5 s.
fn cut_lane(lane: &str) -> Json {
    let mut document = lanes(4, &json!("strict"));
    document["faults"] =
        json!([{ "at": "2.5s", "cut": { "component": "crew", "to": lane, "for": "10s" } }]);
    document
}

#[test]
fn a_worker_whose_one_lane_is_cut_off_works_on_the_others_and_comes_back_to_it() {
    // Two urgent ones are done and a third is in hand when the urgent lane is cut off; its ack is
    // lost, and it comes back when its time is over.
    let text = trace_text(&finished(&cut_lane("h")));
    assert_eq!(taken(&cut_lane("h")), "hhhllllhh", "{text}");
    assert!(text.contains("3.000000 ack-lost h 5 crew.1"), "{text}");
    // The last of the other lane is done at 7 s; the urgent lane is there again at 12.5 s.
    assert!(text.contains("12.500000 received h 7 crew.1"), "{text}");
    // A cut to the second lane leaves the first alone.
    let text = trace_text(&finished(&cut_lane("l")));
    assert_eq!(taken(&cut_lane("l")), "hhhhllll", "{text}");
    assert!(text.contains("12.500000 received l 2 crew.1"), "{text}");
    // Whoever waits at both lanes and is cut off from one is handed what comes to the other.
    let mut idle = cut_lane("h");
    idle["components"]["feed-h"]["arrivals"] = json!({ "at": ["3s"] });
    idle["components"]["feed-l"]["arrivals"] = json!({ "at": ["4s"] });
    let text = trace_text(&finished(&idle));
    assert!(text.contains("4.000000 received l 2 crew.1"), "{text}");
    assert!(text.contains("12.500000 received h 1 crew.1"), "{text}");
    assert_eq!(text.matches(" received ").count(), 2, "{text}");
}

#[test]
fn who_polls_gets_nothing_over_a_cut_link() {
    for poll in [json!({ "every": "2s" }), json!({ "wait": "3s" })] {
        let mut document = lanes(0, &json!("strict"));
        document["components"]["feed-h"]["arrivals"] = json!({ "at": ["5s"] });
        document["components"]["feed-l"]["arrivals"] = json!({ "at": ["6s"] });
        document["components"]["crew"]["receive"] = json!({ "poll": poll });
        document["faults"] = json!([
            { "at": "2.5s", "cut": { "component": "crew", "to": "h", "for": "10s" } },
            { "at": "2.5s", "cut": { "component": "l", "to": "crew", "for": "11s" } },
        ]);
        let text = trace_text(&finished(&document));
        let early = text.lines().filter(|line| line.contains(" received "));
        let early = early.filter(|line| {
            line.split('.').next().is_some_and(|s| s.parse::<u32>().is_ok_and(|s| s < 12))
        });
        assert_eq!(early.count(), 0, "{text}");
        assert_eq!(text.matches(" received ").count(), 2, "{text}");
    }
}
