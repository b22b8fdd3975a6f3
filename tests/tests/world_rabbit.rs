//! The rules of RabbitMQ's queues, and of a plain list, in a world.

use serde_json::{Value as Json, json};
use tests::rabbits::{CLASSIC, QUORUM, at, parked, queue};
use tests::runs::{check, finished, with};

#[test]
fn a_crash_closes_the_channel_and_the_message_is_back_at_once() {
    let crash = json!([{ "at": "0.5s", "crash": { "component": "crew", "instance": 1 } }]);
    for profile in [CLASSIC, QUORUM] {
        check(
            &[
                queue(profile, &json!({})),
                parked(profile),
                ("/components/crew/count", json!(2)),
                ("/faults", crash.clone()),
            ],
            &[
                "0.000000 stored jobs 1 visible 0.000000",
                "0.000000 received jobs 1 crew.1 count 1",
                "0.000000 confirmed feed jobs 1",
                "0.500000 crashed crew.1 holding 1",
                "0.500000 requeued jobs 1 count 1",
                "0.500000 received jobs 1 crew.2 count 2",
                "1.500000 acked jobs 1 crew.2",
                "!lost",
            ],
        );
    }
}

#[test]
fn a_cut_closes_the_channel_and_its_end_brings_the_worker_back() {
    let cut = json!([{ "at": "0.5s", "cut": { "component": "crew", "to": "jobs", "for": "4s" } }]);
    check(
        &[
            queue(CLASSIC, &json!({})),
            parked(CLASSIC),
            ("/components/crew/count", json!(1)),
            ("/faults", cut),
        ],
        &[
            "0.000000 received jobs 1 crew.1 count 1",
            "0.500000 requeued jobs 1 count 1",
            // The work goes on, and its ack finds no channel.
            "1.000000 effected mail 1 crew.1 nth 1",
            "4.500000 received jobs 1 crew.1 count 2",
            "! acked jobs 1 crew.1 count",
        ],
    );
}

/// F-VIS-7.
#[test]
fn no_clock_brings_a_message_back_that_a_slow_worker_holds() {
    let long = ("/components/mail/latency", json!("200s"));
    check(
        &[queue(CLASSIC, &json!({})), parked(CLASSIC), long, ("/components/crew/count", json!(2))],
        &["200.000000 acked jobs 1 crew.1", "!lapsed", "!requeued"],
    );
}

#[test]
fn prefetch_leaves_messages_with_one_worker_while_another_is_idle() {
    let two = ("/components/crew/count", json!(2));
    let burst = at(&["0s", "0s", "0s", "0s"]);
    let base = [queue(CLASSIC, &json!({})), parked(CLASSIC), two, burst];
    let mut one_each = base.to_vec();
    one_each.push(("/components/crew/prefetch", json!(1)));
    check(
        &one_each,
        &[
            "0.000000 received jobs 1 crew.1 count 1",
            "0.000000 received jobs 2 crew.2 count 1",
            "1.000000 acked jobs 1 crew.1",
            "1.000000 received jobs 3 crew.1 count 1",
        ],
    );
    // Without a limit all is pushed at once, in turns, and a crash gives all of it back.
    let mut unlimited = base.to_vec();
    let crash = json!([{ "at": "0.5s", "crash": { "component": "crew", "instance": 1 } }]);
    unlimited.push(("/faults", crash));
    check(
        &unlimited,
        &[
            "0.000000 received jobs 3 crew.1 count 1",
            "0.000000 received jobs 4 crew.2 count 1",
            "0.500000 requeued jobs 1 count 1",
            "0.500000 requeued jobs 3 count 1",
            "0.500000 received jobs 1 crew.2 count 2",
        ],
    );
}

#[test]
fn automatic_acks_lose_what_a_dead_worker_held() {
    let crash = json!([{ "at": "0.5s", "crash": { "component": "crew" } }]);
    let changes = [
        queue(CLASSIC, &json!({})),
        parked(CLASSIC),
        at(&["0s", "0s"]),
        ("/components/crew/acks", json!("automatic")),
        ("/components/crew/on_message", json!([{ "call": { "to": "mail" } }])),
        ("/components/mail/if_caller_dies", json!("stops")),
        ("/faults", crash),
    ];
    check(
        &changes,
        &[
            "0.000000 received jobs 1 crew.1 count 1",
            "0.000000 forgotten jobs 1 crew.1",
            "0.000000 forgotten jobs 2 crew.1",
            "0.500000 lost 1",
            "0.500000 lost 2",
            "!requeued",
        ],
    );
}

#[test]
fn priorities_order_what_waits_and_not_what_is_prefetched() {
    let feed = json!({ "is": "source", "to": "jobs", "priority": "p",
        "arrivals": { "at": ["0s", "0.1s", "0.2s"] },
        "messages": [{ "p": 0 }, { "p": 0 }, { "p": 9 }] });
    let run = |prefetch: Json, third: &str| {
        check(
            &[
                queue(CLASSIC, &json!({ "max_priority": 10 })),
                parked(CLASSIC),
                ("/components/feed", feed.clone()),
                ("/components/crew/prefetch", prefetch),
            ],
            &["1.000000 acked jobs 1 crew.1", third],
        );
    };
    run(json!(1), "2.000000 acked jobs 3 crew.1");
    run(json!(10), "2.000000 acked jobs 2 crew.1");
}

#[test]
fn a_single_active_consumer_has_its_place_taken_when_it_dies() {
    let crash = json!([{ "at": "0.5s", "crash": { "component": "crew", "instance": 1 } }]);
    check(
        &[
            queue(QUORUM, &json!({ "sharing": "single-active" })),
            parked(QUORUM),
            at(&["0s", "0s"]),
            ("/components/crew/count", json!(2)),
            ("/components/crew/prefetch", json!(1)),
            ("/faults", crash),
        ],
        &[
            "0.000000 activated jobs crew.1",
            "0.000000 received jobs 1 crew.1 count 1",
            // A quorum queue serves the next one what is ready before it takes back what was out.
            "0.500000 activated jobs crew.2",
            "0.500000 received jobs 2 crew.2 count 1",
            "1.500000 received jobs 1 crew.2 count 2",
        ],
    );
}

/// F-VIS-7.
#[test]
fn a_delivery_kept_too_long_closes_the_channel_and_its_ack_is_refused() {
    check(
        &[
            queue(CLASSIC, &json!({ "consumer_timeout": "90s" })),
            parked(CLASSIC),
            ("/components/mail/latency", json!("130s")),
            ("/components/crew/count", json!(2)),
            ("/components/crew/prefetch", json!(1)),
        ],
        &[
            "120.000000 disconnected crew.1",
            "120.000000 requeued jobs 1 count 1",
            "120.000000 received jobs 1 crew.2 count 2",
            "130.000000 ack-refused jobs 1 crew.1 channel-closed",
        ],
    );
}

#[test]
fn a_plain_list_forgets_what_it_hands_out() {
    let crash = json!([{ "at": "0.5s", "crash": { "component": "crew", "restart_after": "1s" } }]);
    let work = ("/components/crew/on_message", json!([{ "call": { "to": "mail" } }]));
    let stops = ("/components/mail/if_caller_dies", json!("stops"));
    check(
        &[
            queue("plain", &json!({})),
            at(&["0s", "0s"]),
            work.clone(),
            stops.clone(),
            ("/faults", crash),
        ],
        &[
            "0.000000 received jobs 1 crew.1 count 1",
            "0.000000 forgotten jobs 1 crew.1",
            "0.500000 lost 1",
            "1.500000 received jobs 2 crew.1 count 1",
        ],
    );
    let down = json!([{ "at": "0s", "crash": { "component": "crew" } }]);
    check(
        &[
            queue("plain", &json!({ "unattended": "drop" })),
            at(&["1s"]),
            work,
            stops,
            ("/faults", down.clone()),
        ],
        &["1.000000 dropped jobs 1 unattended", "1.000000 lost 1"],
    );
    check(
        &[
            queue("plain", &json!({ "max_length": 1 })),
            at(&["1s", "2s"]),
            ("/faults", down),
            ("/components/crew/on_message", json!([{ "wait": { "for": "1s" } }])),
        ],
        &["2.000000 publish-refused jobs 2"],
    );
}

#[test]
fn a_purge_takes_what_is_ready_and_leaves_what_is_out() {
    let purge = json!([{ "at": "0.5s", "purge": { "component": "jobs" } }]);
    check(
        &[
            queue(CLASSIC, &json!({})),
            parked(CLASSIC),
            at(&["0s", "0s", "0s"]),
            ("/components/crew/prefetch", json!(1)),
            ("/faults", purge),
        ],
        &[
            "0.500000 purged jobs messages 2",
            "0.500000 lost 2",
            "0.500000 lost 3",
            "1.000000 acked jobs 1 crew.1",
        ],
    );
}

/// The frame of a queue, and of its first worker, at a moment.
fn frames(document: &Json, at: u64) -> (player::QueueFrame, player::WorkerFrame, player::Frame) {
    let mut player = finished(document);
    player.seek(sim::SimTime::from_secs(at));
    let frame = player.frame();
    let named = |name| player.scenario().find(name).expect("a component").index();
    let player::ComponentFrame::Queue(queue) = frame.components[named("jobs")].clone() else {
        panic!("not a queue")
    };
    let player::ComponentFrame::Workers(crew) = &frame.components[named("crew")] else {
        panic!("no workers")
    };
    let worker = crew.instances[0].clone();
    (queue, worker, frame)
}

#[test]
fn a_frame_shows_what_is_ready_and_what_is_out_without_an_end() {
    let changes = [
        queue(CLASSIC, &json!({})),
        parked(CLASSIC),
        at(&["0s", "0s", "0s"]),
        ("/components/crew/prefetch", json!(2)),
        ("/components/mail/latency", json!("10s")),
    ];
    let (queue, worker, frame) = frames(&with(&changes), 5);
    assert_eq!((queue.available_total, queue.in_flight_total), (1, 2));
    assert_eq!(queue.available.iter().map(|id| id.number()).collect::<Vec<_>>(), [3]);
    let out: Vec<_> =
        queue.in_flight.iter().map(|it| (it.message.number(), it.until, it.held)).collect();
    assert_eq!(out, [(1, None, true), (2, None, true)]);
    assert!(worker.holding.expect("number 1").receipt_valid);
    let states: Vec<_> = frame.messages.iter().map(|message| message.state).collect();
    let (out, ready) = (player::MessageState::InFlight, player::MessageState::Available);
    assert_eq!(states, [out, out, ready]);
}

#[test]
fn where_nothing_is_settled_no_receipt_is_stale() {
    let changes = [
        queue(CLASSIC, &json!({})),
        parked(CLASSIC),
        ("/components/crew/acks", json!("automatic")),
        ("/components/crew/on_message", json!([{ "call": { "to": "mail" } }])),
        ("/components/mail/latency", json!("10s")),
    ];
    let (queue, worker, _) = frames(&with(&changes), 5);
    assert_eq!((queue.in_flight_total, queue.acked_total), (0, 1));
    assert!(worker.holding.expect("number 1").receipt_valid);
}

#[test]
fn gauges_follow_what_is_ready_out_and_dropped() {
    let crash = json!([{ "at": "5s", "crash": { "component": "crew" } }]);
    let player = finished(&with(&[
        queue(CLASSIC, &json!({ "max_length": 2 })),
        parked(CLASSIC),
        at(&["0s", "1s", "2s", "3s"]),
        ("/components/crew/prefetch", json!(1)),
        ("/components/mail/latency", json!("100s")),
        ("/faults", crash),
    ]));
    let jobs = player.scenario().find("jobs").expect("a queue");
    let at = |gauge, second| player.gauge(gauge).value_at(sim::SimTime::from_secs(second));
    assert_eq!(at(player::Gauge::InFlight(jobs), 4), 1.0);
    // The oldest of the three that wait goes; and when the one that was out is back, it goes.
    assert_eq!(
        (at(player::Gauge::Depth(jobs), 4), at(player::Gauge::Dropped(jobs), 4)),
        (2.0, 1.0)
    );
    assert_eq!(at(player::Gauge::InFlight(jobs), 6), 0.0);
    assert_eq!(
        (at(player::Gauge::Depth(jobs), 6), at(player::Gauge::Dropped(jobs), 6)),
        (2.0, 2.0)
    );
}

#[test]
fn a_process_that_is_to_stop_cancels_and_finishes_what_it_has() {
    let scale = json!([{ "at": "0.5s", "scale": { "component": "crew", "to": 1 } }]);
    check(
        &[
            queue(CLASSIC, &json!({})),
            parked(CLASSIC),
            at(&["0s", "0s", "0s", "0s", "0s", "0s"]),
            ("/components/crew/count", json!(2)),
            ("/components/crew/prefetch", json!(2)),
            ("/faults", scale),
        ],
        &[
            // It finishes the two that it has, and is sent no more.
            "0.500000 scaled crew from 2 to 1",
            "1.000000 received jobs 5 crew.1 count 1",
            "2.000000 received jobs 6 crew.1 count 1",
            "2.000000 acked jobs 4 crew.2",
            "2.000000 stopped crew.2",
            "4.000000 acked jobs 6 crew.1",
            "!received jobs 5 crew.2",
            "!received jobs 6 crew.2",
        ],
    );
}

#[test]
fn a_process_that_is_wanted_again_before_it_has_stopped_consumes_again() {
    let scale = json!([{ "at": "0.2s", "scale": { "component": "crew", "to": 0 } },
                       { "at": "0.4s", "scale": { "component": "crew", "to": 1 } }]);
    check(
        &[queue(CLASSIC, &json!({})), parked(CLASSIC), at(&["0s", "5s"]), ("/faults", scale)],
        &["1.000000 acked jobs 1 crew.1", "5.000000 received jobs 2 crew.1 count 1", "!stopped"],
    );
}
